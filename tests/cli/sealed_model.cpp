// A model of the sealed file: HMAC and HKDF (RFC 2104, RFC 5869), AES-256-GCM (SP 800-38D) and ChaCha20-Poly1305
// (RFC 8439), plain and slow, and the format above them.
// SPDX-License-Identifier: Apache-2.0
#include "sealed_model.h"

#include <algorithm>
#include <array>

#include "harness/model/crypto.h"

namespace
{

Bytes operator^(Bytes a, const Bytes &b)
{
    for (size_t i = 0; i < a.size(); i++) a[i] ^= b[i];
    return a;
}

Bytes hmac(const Bytes &key, const Bytes &message) // of a key of at most 64 bytes
{
    const Bytes block = key + Bytes(64 - key.size());
    return sha256((block ^ Bytes(64, 0x5c)) + sha256((block ^ Bytes(64, 0x36)) + message));
}

Bytes hkdf(const Bytes &secret, const Bytes &info, size_t length)
{
    const Bytes key = hmac(Bytes(32), secret);
    Bytes all, last;
    for (uint8_t i = 1; all.size() < length; i++) all = all + (last = hmac(key, last + info + Bytes{i}));
    return slice(all, 0, length);
}

Bytes integer(uint64_t value, size_t length, bool is_big_endian)
{
    Bytes bytes(length);
    for (size_t i = 0; i < std::min<size_t>(length, 8); i++) bytes[i] = static_cast<uint8_t>(value >> 8 * i);
    if (is_big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

Bytes padded(const Bytes &bytes)
{
    return bytes + Bytes((16 - bytes.size() % 16) % 16);
}

// The product in GF(2^128); GCM numbers its bits from the left.
Bytes multiply(const Bytes &x, Bytes v)
{
    Bytes z(16);
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 16 && (x[i / 8] >> (7 - i % 8) & 1); j++) z[j] ^= v[j];
        const bool carry = v[15] & 1;
        for (size_t j = 16; j-- > 0;) v[j] = static_cast<uint8_t>(v[j] >> 1 | (j > 0 ? v[j - 1] << 7 : 0));
        if (carry) v[0] ^= 0xe1;
    }
    return z;
}

Bytes gcm(const Bytes &key, const Bytes &nonce, const Bytes &content)
{
    const Bytes stream = aes256_ctr(key, nonce, 32 + content.size()); // block 1 is for the tag, 2 begins the content
    const Bytes cipher = content ^ slice(stream, 32, content.size());
    const auto zero = Aes256(key).encrypt({});
    const Bytes h(zero.begin(), zero.end()), hashed = padded(cipher) + integer(8 * cipher.size(), 16, true);
    Bytes tag(16);
    for (size_t i = 0; i < hashed.size(); i += 16) tag = multiply(tag ^ slice(hashed, i, 16), h);
    return cipher + (tag ^ slice(stream, 16, 16));
}

using Words = std::array<uint32_t, 16>;

void quarter_round(Words &x, size_t a, size_t b, size_t c, size_t d)
{
    auto step = [&x](size_t to, size_t from, size_t mixed, int bits) {
        x[to] += x[from];
        x[mixed] ^= x[to];
        x[mixed] = x[mixed] << bits | x[mixed] >> (32 - bits);
    };
    step(a, b, d, 16);
    step(c, d, b, 12);
    step(a, b, d, 8);
    step(c, d, b, 7);
}

Bytes chacha20_block(const Bytes &key, const Bytes &nonce, uint32_t counter)
{
    const std::string constant = "expand 32-byte k";
    const Bytes start = Bytes(constant.begin(), constant.end()) + key + integer(counter, 4, false) + nonce;
    Words before{};
    for (size_t i = 0; i < 64; i++) before[i / 4] |= uint32_t{start[i]} << 8 * (i % 4);
    Words x = before;
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < 4; i++) quarter_round(x, i, 4 + i, 8 + i, 12 + i);
        for (size_t i = 0; i < 4; i++) quarter_round(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    Bytes out(64);
    for (size_t i = 0; i < 64; i++) out[i] = static_cast<uint8_t>((x[i / 4] + before[i / 4]) >> 8 * (i % 4));
    return out;
}

// Numbers modulo 2^130 - 5 as 17 bytes, lowest first.
using Number = std::array<uint32_t, 17>;

void carry(Number &h) // leaves h below 2^130 plus a little
{
    uint32_t u = 0;
    for (size_t j = 0; j < 16; j++, u >>= 8) h[j] = (u += h[j]) & 255;
    u += h[16];
    h[16] = u & 3;
    u = 5 * (u >> 2);
    for (size_t j = 0; j < 16; j++, u >>= 8) h[j] = (u += h[j]) & 255;
    h[16] += u;
}

void multiply(Number &h, const Number &r)
{
    Number product{};
    for (size_t i = 0; i < 17; i++)
        for (size_t j = 0; j < 17; j++) product[i] += h[j] * (j <= i ? r[i - j] : 320 * r[i + 17 - j]);
    carry(h = product);
}

void add(Number &h, const Bytes &bytes)
{
    uint32_t u = 0;
    for (size_t j = 0; j < 17; j++, u >>= 8) h[j] = (u += h[j] + (j < bytes.size() ? bytes[j] : 0)) & 255;
}

Bytes poly1305(const Bytes &key, const Bytes &message) // a message of whole blocks
{
    Number r{}, h{};
    for (size_t j = 0; j < 16; j++) r[j] = key[j] & (j % 4 == 3 ? 15 : 255) & (j > 0 && j % 4 == 0 ? 252 : 255);
    for (size_t i = 0; i < message.size(); i += 16) {
        add(h, slice(message, i, 16) + Bytes{1});
        multiply(h, r);
    }
    Number reduced = h; // h + 5 - 2^130, if that is not negative
    add(reduced, Bytes{5});
    if (reduced[16] >= 4) h = reduced;
    add(h, slice(key, 16, 16));
    return Bytes(h.begin(), h.begin() + 16);
}

Bytes chacha20_poly1305(const Bytes &key, const Bytes &nonce, const Bytes &content)
{
    Bytes stream;
    for (uint32_t i = 1; stream.size() < content.size(); i++) {
        const Bytes block = chacha20_block(key, nonce, i);
        stream.insert(stream.end(), block.begin(), block.end());
    }
    const Bytes cipher = content ^ stream;
    return cipher + poly1305(chacha20_block(key, nonce, 0),
                             padded(cipher) + integer(0, 8, false) + integer(cipher.size(), 8, false));
}

Bytes header(const ModelFile &file)
{
    const std::string magic = "latkem sealed";
    return Bytes(magic.begin(), magic.end()) + Bytes{file.version, file.cipher, static_cast<uint8_t>(file.set.size())} +
           Bytes(file.set.begin(), file.set.end()) + file.ct;
}

} // namespace

ModelKeys model_keys(const ModelFile &file)
{
    if (file.version == 1) return {hkdf(file.ss, header(file), 32), {}};
    const Bytes of_ek = file.set.substr(0, 4) == "NTRU" ? Bytes() : sha256(file.ek);
    const Bytes keys = hkdf(file.ss, sha256(header(file)) + of_ek, 64);
    return {slice(keys, 0, 32), slice(keys, 32, 32)};
}

Bytes model_seal(const ModelFile &file)
{
    constexpr size_t chunk = 65536;
    const ModelKeys keys = model_keys(file);
    Bytes sealed = header(file) + keys.commitment;
    for (size_t done = 0, number = 0; done < file.content.size() || number == 0; done += chunk, number++) {
        const Bytes content = slice(file.content, done, std::min(chunk, file.content.size() - done));
        const bool is_last = done + content.size() == file.content.size();
        const Bytes nonce = integer(file.first + number, 11, true) + Bytes{is_last};
        const Bytes sealed_chunk = file.cipher == 1 ? gcm(keys.chunks, nonce, content)
                                                    : chacha20_poly1305(keys.chunks, nonce, content);
        sealed.insert(sealed.end(), sealed_chunk.begin(), sealed_chunk.end());
    }
    return sealed;
}
