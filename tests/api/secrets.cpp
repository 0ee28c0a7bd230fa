// Every secret value of an operation: see secrets.h.
// SPDX-License-Identifier: Apache-2.0
#include "secrets.h"

#include <algorithm>
#include <cstring>

#include "harness/model/crypto.h"
#include "harness/model/kem.h"

namespace
{

template <class Word> Bytes as_bytes(const std::vector<Word> &words)
{
    Bytes bytes(sizeof(Word) * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

Bytes middle(const Bytes &secret, size_t window, size_t step)
{
    return slice(secret, (secret.size() - window) / 2 / step * step, window);
}

} // namespace

// ---- The index ----

size_t Secrets::Hash::operator()(const Key &k) const
{
    return static_cast<size_t>(k.first * 31 + k.second);
}

Secrets::Key Secrets::key(const uint8_t *bytes)
{
    Key k;
    std::memcpy(&k.first, bytes, 8);
    std::memcpy(&k.second, bytes + 8, 8);
    return k;
}

void Secrets::insert(Windows &windows, const std::string &name, const Bytes &secret, size_t window, size_t step)
{
    for (size_t i = 0; i + window <= secret.size(); i += step)
        windows.emplace(key(&secret[i]), Window{secrets_.size(), i, window});
    secrets_.push_back({name, secret});
}

void Secrets::add(const std::string &name, const Bytes &secret, size_t window, size_t step)
{
    insert(windows_, name, secret, window, step);
    samples_.push_back({name, middle(secret, window, step)});
}

void Secrets::add(const std::string &name, const std::vector<int16_t> &coefficients, size_t window)
{
    add(name, as_bytes(coefficients), 2 * window, 2);
}

// The sample has its upper bits set, so that whoever finds it looks past them.
void Secrets::add_residues(const std::string &name, const ntru::Poly &coefficients, int q, size_t window)
{
    std::vector<uint16_t> residues;
    for (int c : ntru::mod(coefficients, q)) residues.push_back(static_cast<uint16_t>(c));
    insert(residues_, name, as_bytes(residues), 2 * window, 2);
    mask_ = static_cast<uint16_t>(q - 1);
    for (uint16_t &c : residues) c = static_cast<uint16_t>(c | ~mask_);
    samples_.push_back({name, middle(as_bytes(residues), 2 * window, 2)});
}

// Both orders of the bits, which may start at any bit of a byte.
void Secrets::add_plane(const std::string &name, const std::vector<bool> &bits)
{
    const std::vector<bool> reversed(bits.rbegin(), bits.rend());
    for (const auto &[order, plane] : {std::pair{"", &bits}, {" reversed", &reversed}})
        for (size_t shift = 0; shift < 8; shift++) {
            Bytes bytes((plane->size() - shift) / 8, 0);
            for (size_t i = 0; i < 8 * bytes.size(); i++)
                bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | (*plane)[shift + i] << i % 8);
            add(name + order + ", shifted by " + std::to_string(shift), bytes);
        }
}

void Secrets::add_trits(const std::string &name, const ntru::Poly &trits, int q)
{
    std::vector<bool> odd, plus, minus;
    for (int trit : trits) {
        odd.push_back(trit != 0);
        plus.push_back(trit == 1);
        minus.push_back(trit == 2);
    }
    add(name + " packed", ntru::pack_s3(trits));
    add(name + " in bytes", Bytes(trits.begin(), trits.end()), 32);
    add_residues(name + " in words", ntru::centred(trits, 3), q, 32);
    add_plane(name + " modulo 2", odd);
    add_plane(name + ", its ones", plus);
    add_plane(name + ", its minus ones", minus);
}

std::string Secrets::search(const Windows &windows, const uint8_t *memory, size_t size) const
{
    for (size_t i = 0; !windows.empty() && i + 16 <= size; i++) {
        const auto [begin, end] = windows.equal_range(key(memory + i));
        for (auto it = begin; it != end; ++it) {
            const Window &wanted = it->second;
            const Sample &secret = secrets_[wanted.secret];
            if (wanted.size <= size - i && std::memcmp(memory + i, &secret.bytes[wanted.begin], wanted.size) == 0)
                return secret.name + " at byte " + std::to_string(i);
        }
    }
    return "";
}

std::string Secrets::search(const uint8_t *memory, size_t size) const
{
    const std::string found = search(windows_, memory, size);
    if (!found.empty() || residues_.empty()) return found;
    const size_t odd = reinterpret_cast<uintptr_t>(memory) % 2;
    std::vector<uint16_t> words((size - odd) / 2);
    std::memcpy(words.data(), memory + odd, 2 * words.size());
    for (uint16_t &word : words) word &= mask_;
    return search(residues_, reinterpret_cast<const uint8_t *>(words.data()), 2 * words.size());
}

// ---- ML-KEM and Kyber ----

namespace
{

unsigned eta1(const SetFacts &set)
{
    return set.ring.noise_bits / 2;
}

void add_noise(Secrets &secrets, const SetFacts &set, const std::string &name, const Bytes &seed, size_t nonce,
               unsigned eta)
{
    const Bytes bytes = prf(set, seed, static_cast<uint8_t>(nonce), 64 * eta);
    secrets.add("PRF output for " + name, bytes);
    secrets.add(name, centred_binomial(bytes, eta), 32);
}

void add_kyber_key_generation(Secrets &secrets, const SetFacts &set, const Bytes &seed)
{
    const Bytes d = slice(seed, 0, 32), k = {static_cast<uint8_t>(set.ring.rank)};
    const Bytes sigma = slice(hash_g(set, set.family == Family::mlkem ? d + k : d), 32, 32);
    secrets.add("d", d);
    secrets.add("sigma", sigma);
    for (size_t i = 0; i < set.ring.rank; i++) {
        add_noise(secrets, set, "s", sigma, i, eta1(set));
        add_noise(secrets, set, "e", sigma, set.ring.rank + i, eta1(set));
    }
}

void add_kyber_key(Secrets &secrets, const SetFacts &set, const Bytes &dk)
{
    const std::vector<int16_t> reduced = dk_secret_coefficients(set, dk);
    std::vector<int16_t> centred = reduced;
    for (int16_t &c : centred)
        if (c > 3329 / 2) c = static_cast<int16_t>(c - 3329);
    secrets.add("packed s-hat", dk_secret_vector(set, dk));
    secrets.add("s-hat", reduced, 8);
    secrets.add("centred s-hat", centred, 8);
}

void add_encryption_noise(Secrets &secrets, const SetFacts &set, const Bytes &r)
{
    for (size_t i = 0; i < set.ring.rank; i++) {
        add_noise(secrets, set, "y", r, i, eta1(set));
        add_noise(secrets, set, "e1", r, set.ring.rank + i, 2);
    }
    add_noise(secrets, set, "e2", r, 2 * set.ring.rank, 2);
}

// ---- Saber ----

// The stream of a secret vector: 256 mu bits for each polynomial.
void add_saber_stream(Secrets &secrets, const SetFacts &set, const std::string &name, const Bytes &seed)
{
    Shake128 stream;
    stream.absorb(seed);
    secrets.add(name, stream.squeeze(32 * set.ring.noise_bits * set.ring.rank));
}

void add_saber_key_generation(Secrets &secrets, const SetFacts &set, const Bytes &seed)
{
    const Bytes sigma = slice(seed, 32, 32);
    secrets.add("sigma", sigma);
    add_saber_stream(secrets, set, "stream of s", sigma);
}

void add_saber_key(Secrets &secrets, const SetFacts &set, const Bytes &dk)
{
    secrets.add("packed s", dk_secret_vector(set, dk), 32);
    secrets.add("s", dk_secret_coefficients(set, dk), 32);
}

// ---- NTRU ----

void add_fixed_type(Secrets &secrets, const std::string &name, const ntru::Parameters &p, const Bytes &sample)
{
    if (p.is_hrss) return;
    std::vector<int32_t> words = ntru::fixed_type_words(slice(sample, p.iid_bytes(), p.fixed_type_bytes()), p.n,
                                                        p.weight());
    secrets.add("words of " + name, as_bytes(words), 16, 4);
    std::sort(words.begin(), words.end());
    secrets.add("sorted words of " + name, as_bytes(words), 16, 4);
}

void add_ntru_key_generation(Secrets &secrets, const SetFacts &set, const Bytes &seed)
{
    const ntru::Parameters p(set);
    const ntru::Pair fg = ntru::sample_fg(p, seed);
    secrets.add("seed", seed);
    add_fixed_type(secrets, "g", p, seed);
    secrets.add_trits("g", fg.second, p.q);
    secrets.add_residues("3 g or 3 (X - 1) g", ntru::scaled_g(p, fg.second), p.q, 32);
}

void add_ntru_key(Secrets &secrets, const SetFacts &set, const Bytes &dk)
{
    const ntru::Parameters p(set);
    const ntru::SecretKey key(p, dk);
    secrets.add_trits("f", key.f, p.q);
    secrets.add_trits("inverse of f", key.f_inverse, p.q);
    secrets.add_residues("inverse of h", key.h_inverse, p.q, 16);
    secrets.add("inverse of h packed", ntru::pack_q(key.h_inverse, p.bits()));
}

void add_message(Secrets &secrets, const ntru::Parameters &p, const ntru::Poly &m)
{
    secrets.add_trits("m", m, p.q);
    secrets.add_residues("Lift(m)", ntru::lift(p, m), p.q, 32);
    if (p.is_hrss) secrets.add_trits("quotient of Lift(m)", ntru::lift_quotient(m), p.q);
}

void add_ntru_encapsulation(Secrets &secrets, const SetFacts &set, const Bytes &coins)
{
    const ntru::Parameters p(set);
    const ntru::Pair rm = ntru::sample_rm(p, coins);
    secrets.add_trits("r", rm.first, p.q);
    add_message(secrets, p, rm.second);
    add_fixed_type(secrets, "m", p, coins);
}

void add_ntru_decapsulation(Secrets &secrets, const SetFacts &set, const Bytes &dk, const Bytes &ct)
{
    const ntru::Parameters p(set);
    const ntru::Decryption d = ntru::decrypt(p, ntru::SecretKey(p, dk), ct);
    secrets.add_residues("c f", d.cf, p.q, 16);
    secrets.add_trits("m f", d.mf, p.q);
    add_message(secrets, p, d.m);
    secrets.add_residues("c - Lift(m)", d.b, p.q, 16);
    secrets.add_residues("r as it comes out", d.r, p.q, 32);
}

} // namespace

// ---- Each family's ----

void add_key_generation(Secrets &secrets, const SetFacts &set, const Bytes &seed)
{
    if (set.family == Family::ntru)
        add_ntru_key_generation(secrets, set, seed);
    else if (set.family == Family::saber)
        add_saber_key_generation(secrets, set, seed);
    else
        add_kyber_key_generation(secrets, set, seed);
}

void add_decapsulation_key(Secrets &secrets, const SetFacts &set, const Bytes &dk)
{
    secrets.add("z", dk_rejection_seed(dk));
    if (set.family == Family::ntru)
        add_ntru_key(secrets, set, dk);
    else if (set.family == Family::saber)
        add_saber_key(secrets, set, dk);
    else
        add_kyber_key(secrets, set, dk);
}

void add_encapsulation(Secrets &secrets, const SetFacts &set, const Bytes &ek, const Bytes &coins)
{
    secrets.add("coins", coins);
    if (set.family == Family::ntru) {
        add_ntru_encapsulation(secrets, set, coins);
        return;
    }
    const Bytes m = set.family == Family::mlkem ? coins : hash_h(set, coins);
    const Bytes g = hash_g(set, m + hash_h(set, ek)), r = slice(g, 32, 32);
    secrets.add("m", m);
    secrets.add("K", slice(g, 0, 32));
    secrets.add("r", r);
    if (set.family == Family::saber)
        add_saber_stream(secrets, set, "stream of s'", r);
    else
        add_encryption_noise(secrets, set, r);
}

void add_decapsulation(Secrets &secrets, const SetFacts &set, const Bytes &dk, const Bytes &ct)
{
    secrets.add("ss of rejection", rejection_secret(set, dk, ct));
    if (set.family == Family::ntru) add_ntru_decapsulation(secrets, set, dk, ct);
}
