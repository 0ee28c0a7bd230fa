// Hash functions and AES for the tests: see crypto.h.
// SPDX-License-Identifier: Apache-2.0
#include "crypto.h"

#include <algorithm>

namespace
{

template <typename Word> Word rotate_left(Word x, unsigned n)
{
    return n == 0 ? x : static_cast<Word>(x << n | x >> (8 * sizeof(Word) - n));
}

template <typename Word> Word rotate_right(Word x, unsigned n)
{
    return rotate_left<Word>(x, static_cast<unsigned>(8 * sizeof(Word)) - n);
}

// The first `count` primes.
std::vector<unsigned> primes(size_t count)
{
    std::vector<unsigned> found;
    for (unsigned n = 2; found.size() < count; n++)
        if (std::none_of(found.begin(), found.end(), [n](unsigned p) { return n % p == 0; })) found.push_back(n);
    return found;
}

// Unsigned 256-bit integers as 32-bit limbs, least significant first: just enough to check root^power <= prime * 2^s.
using Wide = std::array<uint32_t, 8>;

Wide multiply(const Wide &a, uint64_t b)
{
    const uint32_t halves[2] = {static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32)};
    Wide product{};
    for (size_t j = 0; j < 2; j++) {
        uint64_t carry = 0;
        for (size_t i = 0; i + j < a.size(); i++) {
            carry += static_cast<uint64_t>(a[i]) * halves[j] + product[i + j];
            product[i + j] = static_cast<uint32_t>(carry);
            carry >>= 32;
        }
    }
    return product;
}

bool less_equal(const Wide &a, const Wide &b)
{
    return !std::lexicographical_compare(b.rbegin(), b.rend(), a.rbegin(), a.rend());
}

// The first `bits` bits of the fraction of prime^(1/power): the low bits of floor((prime * 2^(power * bits))^(1/power)).
uint64_t root_fraction(unsigned prime, unsigned power, unsigned bits)
{
    Wide target{};
    target[power * bits / 32] = prime;
    // The integer part of every root used here is below 32, so the root is 32 * 2^bits at most: found bit by bit, its
    // integer part apart from its fraction so that both fit 64 bits.
    uint64_t whole = 0, fraction = 0;
    auto fits = [&] {
        Wide value{};
        value[0] = 1;
        for (unsigned i = 0; i < power; i++) {
            const Wide low = multiply(value, fraction), high = multiply(value, whole);
            Wide sum{};
            uint64_t carry = 0;
            for (size_t limb = 0; limb < sum.size(); limb++) {
                carry += low[limb];
                if (limb >= bits / 32) carry += high[limb - bits / 32];
                sum[limb] = static_cast<uint32_t>(carry);
                carry >>= 32;
            }
            value = sum;
        }
        return less_equal(value, target);
    };
    auto build = [&](uint64_t &part, unsigned width) {
        for (unsigned bit = width; bit-- > 0;) {
            part |= uint64_t{1} << bit;
            if (!fits()) part &= ~(uint64_t{1} << bit);
        }
    };
    build(whole, 5);
    build(fraction, bits);
    return fraction;
}

struct Sha2Rotations {
    unsigned S0[3], S1[3], s0[3], s1[3]; // FIPS 180-4 sections 4.1.2 and 4.1.3; the last of s0 and s1 is a shift
};

// The initial hash value is made of the roots of eight primes, after `skipped` smaller primes.
template <typename Word> Bytes sha2(const Bytes &message, size_t rounds, const Sha2Rotations &r, long skipped = 0)
{
    constexpr unsigned bits = 8 * sizeof(Word);
    constexpr size_t block = 16 * sizeof(Word);
    static const std::vector<Word> constants = [rounds] {
        std::vector<Word> list;
        for (unsigned p : primes(rounds)) list.push_back(static_cast<Word>(root_fraction(p, 3, bits)));
        return list;
    }();
    static const std::vector<Word> initial = [] {
        std::vector<Word> list;
        for (unsigned p : primes(16)) list.push_back(static_cast<Word>(root_fraction(p, 2, bits)));
        return list;
    }();

    Bytes padded = message;
    padded.push_back(0x80);
    padded.resize(padded.size() + 2 * sizeof(Word) - 8); // the high half of SHA-512's 16-byte length
    while (padded.size() % block != block - 8) padded.push_back(0);
    for (int i = 7; i >= 0; i--) padded.push_back(static_cast<uint8_t>(uint64_t{8} * message.size() >> 8 * i));

    auto three = [](Word x, const unsigned n[3]) {
        return static_cast<Word>(rotate_right(x, n[0]) ^ rotate_right(x, n[1]) ^ rotate_right(x, n[2]));
    };
    auto two = [](Word x, const unsigned n[3]) {
        return static_cast<Word>(rotate_right(x, n[0]) ^ rotate_right(x, n[1]) ^ (x >> n[2]));
    };
    std::vector<Word> hash(initial.begin() + skipped, initial.begin() + skipped + 8), w(rounds);
    for (size_t at = 0; at < padded.size(); at += block) {
        for (size_t t = 0; t < 16; t++) {
            w[t] = 0;
            for (size_t i = 0; i < sizeof(Word); i++)
                w[t] = static_cast<Word>(w[t] << 8 | padded[at + t * sizeof(Word) + i]);
        }
        for (size_t t = 16; t < rounds; t++) w[t] = two(w[t - 2], r.s1) + w[t - 7] + two(w[t - 15], r.s0) + w[t - 16];
        std::vector<Word> v = hash;
        for (size_t t = 0; t < rounds; t++) {
            const Word t1 = v[7] + three(v[4], r.S1) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[t] + w[t];
            const Word t2 = three(v[0], r.S0) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            v[3] += t1;
            v[7] = t1 + t2;
            std::rotate(v.begin(), v.begin() + 7, v.end());
        }
        for (size_t i = 0; i < 8; i++) hash[i] += v[i];
    }

    Bytes digest;
    for (Word h : hash)
        for (unsigned i = bits; i > 0; i -= 8) digest.push_back(static_cast<uint8_t>(h >> (i - 8)));
    return digest;
}

Bytes one_shot(Sponge sponge, const Bytes &message, size_t length)
{
    sponge.absorb(message);
    return sponge.squeeze(length);
}

uint8_t times_two(uint8_t a)
{
    return static_cast<uint8_t>(a << 1 ^ (a >> 7) * 0x1b);
}

uint8_t field_multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b != 0; b >>= 1, a = times_two(a))
        if (b & 1) product ^= a;
    return product;
}

std::array<uint8_t, 256> make_sbox()
{
    std::array<uint8_t, 256> box{};
    for (unsigned a = 0; a < 256; a++) {
        uint8_t inverse = 0;
        for (unsigned b = 1; b < 256; b++)
            if (field_multiply(static_cast<uint8_t>(a), static_cast<uint8_t>(b)) == 1)
                inverse = static_cast<uint8_t>(b);
        box[a] = 0x63;
        for (unsigned n = 0; n < 5; n++) box[a] ^= rotate_left<uint8_t>(inverse, n);
    }
    return box;
}

uint8_t sbox(uint8_t a)
{
    static const std::array<uint8_t, 256> box = make_sbox();
    return box[a];
}

} // namespace

void Sponge::xor_byte(size_t position, uint8_t value)
{
    lanes_[position / 8] ^= static_cast<uint64_t>(value) << 8 * (position % 8);
}

void Sponge::permute()
{
    static const unsigned rotation[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                          25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
    uint8_t lfsr = 1; // the round constants' generator, FIPS 202 algorithm 5
    for (int round = 0; round < 24; round++) {
        uint64_t constant = 0;
        for (unsigned j = 0; j < 7; j++) {
            if (lfsr & 1) constant ^= uint64_t{1} << ((1u << j) - 1);
            lfsr = static_cast<uint8_t>(lfsr << 1 ^ (lfsr >> 7) * 0x71);
        }
        if (round < 24 - rounds_) continue;
        uint64_t column[5], moved[25];
        for (size_t x = 0; x < 5; x++)
            column[x] = lanes_[x] ^ lanes_[x + 5] ^ lanes_[x + 10] ^ lanes_[x + 15] ^ lanes_[x + 20];
        for (size_t x = 0; x < 5; x++)
            for (size_t y = 0; y < 5; y++) {
                const uint64_t theta = column[(x + 4) % 5] ^ rotate_left(column[(x + 1) % 5], 1);
                moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate_left(lanes_[x + 5 * y] ^ theta, rotation[x + 5 * y]);
            }
        for (size_t y = 0; y < 25; y += 5)
            for (size_t x = 0; x < 5; x++)
                lanes_[y + x] = moved[y + x] ^ (~moved[y + (x + 1) % 5] & moved[y + (x + 2) % 5]);
        lanes_[0] ^= constant;
    }
}

void Sponge::absorb(const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        xor_byte(position_++, data[i]);
        if (position_ == rate_) {
            permute();
            position_ = 0;
        }
    }
}

void Sponge::squeeze(uint8_t *out, size_t length)
{
    if (!squeezing_) {
        xor_byte(position_, suffix_);
        xor_byte(rate_ - 1, 0x80);
        position_ = rate_;
        squeezing_ = true;
    }
    for (size_t i = 0; i < length; i++, position_++) {
        if (position_ == rate_) {
            permute();
            position_ = 0;
        }
        out[i] = static_cast<uint8_t>(lanes_[position_ / 8] >> 8 * (position_ % 8));
    }
}

Bytes Sponge::squeeze(size_t length)
{
    Bytes out(length);
    squeeze(out.data(), length);
    return out;
}

Bytes sha3_256(const Bytes &message)
{
    return one_shot(Sponge(136, 0x06), message, 32);
}

Bytes sha3_512(const Bytes &message)
{
    return one_shot(Sponge(72, 0x06), message, 64);
}

Bytes shake256(const Bytes &message, size_t length)
{
    return one_shot(Sponge(136, 0x1f), message, length);
}

Bytes sha256(const Bytes &message)
{
    return sha2<uint32_t>(message, 64, {{2, 13, 22}, {6, 11, 25}, {7, 18, 3}, {17, 19, 10}});
}

Bytes sha256(const std::string &message)
{
    return sha256(Bytes(message.begin(), message.end()));
}

namespace
{

const Sha2Rotations sha512_rotations = {{28, 34, 39}, {14, 18, 41}, {1, 8, 7}, {19, 61, 6}};

} // namespace

Bytes sha384(const Bytes &message)
{
    return slice(sha2<uint64_t>(message, 80, sha512_rotations, 8), 0, 48);
}

Bytes sha512(const Bytes &message)
{
    return sha2<uint64_t>(message, 80, sha512_rotations);
}

Aes256::Aes256(const Bytes &key)
{
    std::array<std::array<uint8_t, 4>, 60> words;
    uint8_t power = 1;
    for (size_t i = 0; i < 60; i++) {
        if (i < 8) {
            std::copy_n(key.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, words[i].begin());
        } else {
            std::array<uint8_t, 4> t = words[i - 1];
            if (i % 8 == 0) std::rotate(t.begin(), t.begin() + 1, t.end());
            if (i % 4 == 0) std::transform(t.begin(), t.end(), t.begin(), sbox);
            if (i % 8 == 0) {
                t[0] ^= power;
                power = times_two(power);
            }
            for (size_t j = 0; j < 4; j++) words[i][j] = words[i - 8][j] ^ t[j];
        }
        std::copy_n(words[i].begin(), 4, round_keys_[i / 4].begin() + static_cast<std::ptrdiff_t>(4 * (i % 4)));
    }
}

std::array<uint8_t, 16> Aes256::encrypt(const std::array<uint8_t, 16> &block) const
{
    std::array<uint8_t, 16> state = block;
    for (size_t i = 0; i < 16; i++) state[i] ^= round_keys_[0][i];
    for (size_t round = 1; round <= 14; round++) {
        std::array<uint8_t, 16> t{};
        for (size_t i = 0; i < 16; i++) t[i] = sbox(state[(i + 4 * (i % 4)) % 16]); // SubBytes and ShiftRows
        for (size_t i = 0; i < 16; i++) {
            const size_t column = i & ~size_t{3};
            auto a = [&](size_t row) { return t[column + (i + row) % 4]; };
            state[i] = round == 14 ? t[i]
                                   : static_cast<uint8_t>(times_two(a(0)) ^ times_two(a(1)) ^ a(1) ^ a(2) ^ a(3));
            state[i] ^= round_keys_[round][i];
        }
    }
    return state;
}

Bytes aes256_ctr(const Bytes &key, const Bytes &nonce, size_t length)
{
    const Aes256 aes(key);
    Bytes stream;
    for (uint32_t block = 0; stream.size() < length; block++) {
        std::array<uint8_t, 16> input{};
        std::copy_n(nonce.begin(), 12, input.begin());
        for (size_t i = 0; i < 4; i++) input[12 + i] = static_cast<uint8_t>(block >> (24 - 8 * i));
        const auto output = aes.encrypt(input);
        stream.insert(stream.end(), output.begin(), output.end());
    }
    stream.resize(length);
    return stream;
}

Drbg::Drbg(const Bytes &entropy)
{
    update(entropy);
}

std::array<uint8_t, 16> Drbg::next_block()
{
    for (size_t i = 16; i-- > 0;)
        if (++counter_[i] != 0) break;
    return Aes256(key_).encrypt(counter_);
}

void Drbg::update(const Bytes &data)
{
    Bytes t;
    for (int i = 0; i < 3; i++) {
        const auto block = next_block();
        t.insert(t.end(), block.begin(), block.end());
    }
    for (size_t i = 0; i < data.size(); i++) t[i] ^= data[i];
    key_ = slice(t, 0, 32);
    std::copy_n(t.begin() + 32, 16, counter_.begin());
}

void Drbg::fill(uint8_t *out, size_t length)
{
    for (size_t done = 0; done < length; done += 16) {
        const auto block = next_block();
        std::copy_n(block.begin(), std::min<size_t>(16, length - done), out + done);
    }
    update({});
}

Bytes Drbg::bytes(size_t length)
{
    Bytes out(length);
    fill(out.data(), length);
    return out;
}

int Drbg::callback(void *drbg, uint8_t *out, size_t length)
{
    static_cast<Drbg *>(drbg)->fill(out, length);
    return 0;
}
