// SHA-256 (FIPS 180-4).
// SPDX-License-Identifier: Apache-2.0
#include "sha256.h"

#include "console.h"

namespace
{

const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

} // namespace

void Sha256::compress()
{
    uint32_t w[64];
    for (size_t t = 0; t < 16; t++)
        w[t] = uint32_t{block_[4 * t]} << 24 | uint32_t{block_[4 * t + 1]} << 16 | uint32_t{block_[4 * t + 2]} << 8 |
               block_[4 * t + 3];
    for (size_t t = 16; t < 64; t++)
        w[t] = (rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
               (rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
    auto [a, b, c, d, e, f, g, h] = state_;
    for (size_t t = 0; t < 64; t++) {
        uint32_t t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
        uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const uint32_t out[8] = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; i++) state_[i] += out[i];
}

void Sha256::update(std::string_view data)
{
    for (char c : data) {
        block_[length_++ % 64] = static_cast<uint8_t>(c);
        if (length_ % 64 == 0) compress();
    }
}

std::string Sha256::hex_digest()
{
    const uint64_t bits = 8 * length_;
    update("\x80");
    while (length_ % 64 != 56) update(std::string_view("\0", 1));
    for (int shift = 56; shift >= 0; shift -= 8) {
        const char byte = static_cast<char>(bits >> shift);
        update({&byte, 1});
    }
    std::string digest;
    for (uint32_t word : state_) digest += format("%08x", word);
    return digest;
}
