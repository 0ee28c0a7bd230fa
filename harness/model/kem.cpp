// The outer layer of the schemes: see kem.h.
// SPDX-License-Identifier: Apache-2.0
#include "kem.h"

#include "crypto.h"
#include "ntru.h"

Bytes hash_h(const SetFacts &set, const Bytes &message)
{
    return set.family == Family::kyber_90s ? sha256(message) : sha3_256(message);
}

Bytes hash_g(const SetFacts &set, const Bytes &message)
{
    return set.family == Family::kyber_90s ? sha512(message) : sha3_512(message);
}

Bytes prf(const SetFacts &set, const Bytes &seed, uint8_t nonce, size_t length)
{
    if (set.family == Family::kyber_90s) return aes256_ctr(seed, Bytes{nonce} + Bytes(11, 0), length);
    return shake256(seed + Bytes{nonce}, length);
}

Bytes rejection_secret(const SetFacts &set, const Bytes &dk, const Bytes &ct)
{
    const Bytes z = dk_rejection_seed(dk);
    switch (set.family) {
    case Family::mlkem: return shake256(z + ct, 32);
    case Family::kyber: return shake256(z + hash_h(set, ct), 32);
    case Family::kyber_90s: return sha256(z + hash_h(set, ct));
    case Family::saber: return sha3_256(z + hash_h(set, ct));
    case Family::ntru: return sha3_256(z + ct);
    case Family::hybrid: break; // its parts have secrets of their own
    }
    return {};
}

std::string key_fault(const SetFacts &set, const Bytes &ek, const Bytes &dk)
{
    if (!dk_holds_ek(set)) return ntru::broken_equation(ntru::Parameters(set), ek, dk);
    if (slice(dk, dk_ek_offset(set), ek.size()) != ek) return "dk does not hold ek";
    return slice(dk, dk_hash_offset(set), 32) == hash_h(set, ek) ? "" : "dk does not hold the hash of ek";
}

Bytes dk_secret_vector(const SetFacts &set, const Bytes &dk)
{
    return slice(dk, 0, dk_ek_offset(set));
}

Bytes dk_rejection_seed(const Bytes &dk)
{
    return slice(dk, dk.size() - 32, 32);
}

size_t dk_ek_offset(const SetFacts &set)
{
    return (set.family == Family::saber ? 416 : 384) * set.ring.rank;
}

size_t dk_hash_offset(const SetFacts &set)
{
    return set.sizes.dk - 64;
}

std::vector<int16_t> centred_binomial(const Bytes &bytes, unsigned eta)
{
    auto bit = [&](size_t i) { return bytes.at(i / 8) >> i % 8 & 1; };
    std::vector<int16_t> f(256);
    for (size_t i = 0; i < f.size(); i++)
        for (size_t j = 0; j < eta; j++)
            f[i] = static_cast<int16_t>(f[i] + bit(2 * eta * i + j) - bit(2 * eta * i + eta + j));
    return f;
}

std::vector<int16_t> unpack12(const Bytes &packed)
{
    std::vector<int16_t> coefficients;
    for (size_t i = 0; i + 3 <= packed.size(); i += 3) {
        coefficients.push_back(static_cast<int16_t>(packed[i] | (packed[i + 1] & 15) << 8));
        coefficients.push_back(static_cast<int16_t>(packed[i + 1] >> 4 | packed[i + 2] << 4));
    }
    return coefficients;
}

std::vector<int16_t> dk_secret_coefficients(const SetFacts &set, const Bytes &dk)
{
    const Bytes packed = dk_secret_vector(set, dk);
    if (set.family != Family::saber) return unpack12(packed);
    std::vector<int16_t> coefficients(8 * packed.size() / 13);
    for (size_t bit = 0; bit < 13 * coefficients.size(); bit++)
        coefficients[bit / 13] = static_cast<int16_t>(coefficients[bit / 13] | (packed[bit / 8] >> bit % 8 & 1)
                                                                                   << bit % 13);
    for (int16_t &c : coefficients) c = static_cast<int16_t>((c ^ 4096) - 4096);
    return coefficients;
}
