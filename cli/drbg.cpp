// The AES-256-CTR DRBG of the NIST known-answer tests. SPDX-License-Identifier: Apache-2.0
#include "drbg.h"

#include <algorithm>

namespace
{

constexpr uint8_t times_x(uint8_t a)
{
    return static_cast<uint8_t>(a << 1 ^ (a >> 7) * 0x1b);
}

constexpr uint8_t rotl(uint8_t a, int n)
{
    return static_cast<uint8_t>(a << n | a >> (8 - n));
}

// FIPS 197 section 5.1.1: p runs through the powers of 3, a generator, and q through the powers of its inverse, so
// q = p^-1 at every step.
constexpr std::array<uint8_t, 256> make_sbox()
{
    std::array<uint8_t, 256> sbox{};
    uint8_t p = 1, q = 1;
    do {
        p = static_cast<uint8_t>(p ^ times_x(p));
        q = static_cast<uint8_t>(q ^ q << 1);
        q = static_cast<uint8_t>(q ^ q << 2);
        q = static_cast<uint8_t>(q ^ q << 4);
        q = static_cast<uint8_t>(q ^ (q >> 7) * 0x09);
        sbox[p] = static_cast<uint8_t>(q ^ rotl(q, 1) ^ rotl(q, 2) ^ rotl(q, 3) ^ rotl(q, 4) ^ 0x63);
    } while (p != 1);
    sbox[0] = 0x63; // 0 has no inverse and is its own image
    return sbox;
}

constexpr std::array<uint8_t, 256> sbox = make_sbox();

constexpr size_t rounds = 14;
using RoundKeys = std::array<uint8_t, 16 * (rounds + 1)>;

// FIPS 197 section 5.2 with Nk = 8 words.
RoundKeys expand_key(const std::array<uint8_t, 32> &key)
{
    RoundKeys w{};
    std::copy(key.begin(), key.end(), w.begin());
    uint8_t rcon = 1;
    for (size_t i = 32; i < w.size(); i += 4) {
        std::array<uint8_t, 4> t = {w[i - 4], w[i - 3], w[i - 2], w[i - 1]};
        if (i % 32 == 0) std::rotate(t.begin(), t.begin() + 1, t.end());
        if (i % 16 == 0)
            for (uint8_t &byte : t) byte = sbox[byte];
        if (i % 32 == 0) {
            t[0] ^= rcon;
            rcon = times_x(rcon);
        }
        for (size_t j = 0; j < 4; j++) w[i + j] = w[i + j - 32] ^ t[j];
    }
    return w;
}

using State = std::array<uint8_t, 16>; // column by column

State sub_bytes_shift_rows(const State &s)
{
    State out{};
    for (size_t i = 0; i < 16; i++) out[i] = sbox[s[(i + 4 * (i % 4)) % 16]];
    return out;
}

void mix_columns(State &s)
{
    for (size_t c = 0; c < 16; c += 4) {
        const uint8_t first = s[c], all = s[c] ^ s[c + 1] ^ s[c + 2] ^ s[c + 3];
        for (size_t r = 0; r < 4; r++) s[c + r] ^= all ^ times_x(s[c + r] ^ (r < 3 ? s[c + r + 1] : first));
    }
}

void add_round_key(State &s, const RoundKeys &keys, size_t round)
{
    for (size_t i = 0; i < 16; i++) s[i] ^= keys[16 * round + i];
}

State encrypt(const RoundKeys &keys, State s)
{
    add_round_key(s, keys, 0);
    for (size_t round = 1; round <= rounds; round++) {
        s = sub_bytes_shift_rows(s);
        if (round < rounds) mix_columns(s);
        add_round_key(s, keys, round);
    }
    return s;
}

} // namespace

std::array<uint8_t, 16> aes256_encrypt(const std::array<uint8_t, 32> &key, const std::array<uint8_t, 16> &block)
{
    return encrypt(expand_key(key), block);
}

KatDrbg::KatDrbg(const Seed &entropy)
{
    update(entropy);
}

KatDrbg::Block KatDrbg::next_block()
{
    for (size_t i = counter_.size(); i-- > 0 && ++counter_[i] == 0;) {
    }
    return aes256_encrypt(key_, counter_);
}

void KatDrbg::update(const Seed &data)
{
    Seed fresh{};
    for (size_t i = 0; i < fresh.size(); i += 16) {
        const Block block = next_block();
        std::copy(block.begin(), block.end(), fresh.begin() + static_cast<ptrdiff_t>(i));
    }
    for (size_t i = 0; i < fresh.size(); i++) fresh[i] ^= data[i];
    std::copy_n(fresh.begin(), key_.size(), key_.begin());
    std::copy_n(fresh.begin() + key_.size(), counter_.size(), counter_.begin());
}

void KatDrbg::fill(uint8_t *out, size_t size)
{
    for (size_t done = 0; done < size;) {
        const Block block = next_block();
        const size_t n = std::min(block.size(), size - done);
        std::copy_n(block.begin(), n, out + done);
        done += n;
    }
    update(Seed{});
}

int KatDrbg::fill_callback(void *drbg, uint8_t *out, size_t size)
{
    static_cast<KatDrbg *>(drbg)->fill(out, size);
    return 0;
}
