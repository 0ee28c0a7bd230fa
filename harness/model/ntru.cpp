// NTRU as its round-3 document defines it: see ntru.h.
// SPDX-License-Identifier: Apache-2.0
#include "ntru.h"

#include <algorithm>
#include <numeric>

#include "crypto.h"

namespace ntru
{

namespace
{

int reduce(int64_t x, int m)
{
    return static_cast<int>((x % m + m) % m);
}

// `count` values of `bits` bits each, the first in the lowest bits.
std::vector<uint32_t> bit_fields(const Bytes &in, size_t count, unsigned bits)
{
    std::vector<uint32_t> fields(count, 0);
    for (size_t i = 0; i < count * bits; i++)
        fields[i / bits] |= static_cast<uint32_t>(in.at(i / 8) >> i % 8 & 1) << i % bits;
    return fields;
}

size_t bytes_of_bits(size_t bits)
{
    return (bits + 7) / 8;
}

size_t count(const Poly &f, int value)
{
    return static_cast<size_t>(std::count(f.begin(), f.end(), value));
}

bool has_weight(const Poly &trits, size_t weight)
{
    return count(trits, 1) == weight / 2 && count(trits, 2) == weight / 2;
}

bool is_ternary(const Poly &f, int q)
{
    return std::all_of(f.begin(), f.end(), [q](int c) { return c <= 1 || c == q - 1; });
}

bool has_unused_bits(const Parameters &p, const Bytes &ct)
{
    return ct.back() >> (8 - (8 * p.sq_bytes() - p.bits() * (p.n - 1))) != 0;
}

// f h / 3 is g in HPS; in HRSS (X - 1) g, and g is the negative of the sums of its first coefficients.
bool is_scaled_g(const Parameters &p, const Poly &fh)
{
    Poly g = centred(fh, p.q);
    for (int &c : g) {
        if (c % 3 != 0) return false;
        c /= 3;
    }
    if (p.is_hrss)
        for (size_t i = 0; i < p.n; i++) g[i] = (i == 0 ? 0 : g[i - 1]) - g[i];
    if (std::any_of(g.begin(), g.end(), [](int c) { return c < -1 || c > 1; })) return false;
    return p.is_hrss ? g.back() == 0 : has_weight(mod(g, 3), p.weight());
}

} // namespace

Parameters::Parameters(const SetFacts &set)
    : n(set.ring.n), q(static_cast<int>(set.ring.q)), is_hrss(set.sizes.coins == 2 * (n - 1))
{
}

unsigned Parameters::bits() const
{
    unsigned bits = 0;
    while (1 << bits < q) bits++;
    return bits;
}

size_t Parameters::weight() const
{
    return static_cast<size_t>(q) / 8 - 2;
}

size_t Parameters::s3_bytes() const
{
    return (n - 1 + 4) / 5;
}

size_t Parameters::sq_bytes() const
{
    return bytes_of_bits(bits() * (n - 1));
}

size_t Parameters::iid_bytes() const
{
    return n - 1;
}

size_t Parameters::fixed_type_bytes() const
{
    return bytes_of_bits(30 * (n - 1));
}

// ---- Polynomials ----

Poly mod(Poly f, int m)
{
    for (int &c : f) c = reduce(c, m);
    return f;
}

Poly centred(Poly f, int m)
{
    for (int &c : f) {
        c = reduce(c, m);
        if (2 * c >= m) c -= m;
    }
    return f;
}

Poly mod_phi(Poly f)
{
    const int last = f.back();
    for (int &c : f) c -= last;
    return f;
}

Poly multiply(const Poly &f, const Poly &g, int m)
{
    const size_t n = f.size();
    std::vector<int64_t> sums(2 * n, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) sums[i + j] += int64_t{f[i]} * g[j];
    Poly h(n);
    for (size_t i = 0; i < n; i++) h[i] = reduce(sums[i] + sums[i + n], m);
    return h;
}

Poly one(size_t n)
{
    Poly f(n, 0);
    f[0] = 1;
    return f;
}

Poly scale(Poly f, int factor)
{
    for (int &c : f) c *= factor;
    return f;
}

Poly add(Poly f, const Poly &g)
{
    for (size_t i = 0; i < f.size(); i++) f[i] += g[i];
    return f;
}

Poly times_x_minus_1(const Poly &f)
{
    Poly h(f.size());
    for (size_t i = 0; i < f.size(); i++) h[i] = f[(i + f.size() - 1) % f.size()] - f[i];
    return h;
}

Poly rq_to_s3(const Poly &f, int q)
{
    return mod(mod_phi(centred(f, q)), 3);
}

// ---- Sampling ----

Poly iid(const Bytes &in, size_t n)
{
    Poly f(n, 0);
    for (size_t i = 0; i < n - 1; i++) f[i] = in.at(i) % 3;
    return f;
}

Poly iid_plus(const Bytes &in, size_t n)
{
    Poly f = centred(iid(in, n), 3);
    int sum = 0;
    for (size_t i = 0; i + 1 < n; i++) sum += f[i] * f[i + 1];
    for (size_t i = 0; sum < 0 && i < n; i += 2) f[i] = -f[i];
    return mod(f, 3);
}

std::vector<int32_t> fixed_type_words(const Bytes &in, size_t n, size_t weight)
{
    std::vector<int32_t> words;
    for (uint32_t field : bit_fields(in, n - 1, 30)) {
        const uint32_t mark = words.size() < weight / 2 ? 1 : words.size() < weight ? 2 : 0;
        words.push_back(static_cast<int32_t>(field << 2 | mark));
    }
    return words;
}

Poly fixed_type(const Bytes &in, size_t n, size_t weight)
{
    std::vector<int32_t> words = fixed_type_words(in, n, weight);
    std::sort(words.begin(), words.end());
    Poly f;
    for (int32_t word : words) f.push_back(word & 3);
    f.push_back(0);
    return f;
}

Pair sample_fg(const Parameters &p, const Bytes &in)
{
    const Bytes first = slice(in, 0, p.iid_bytes());
    if (p.is_hrss) return {iid_plus(first, p.n), iid_plus(slice(in, p.iid_bytes(), p.iid_bytes()), p.n)};
    return {iid(first, p.n), fixed_type(slice(in, p.iid_bytes(), p.fixed_type_bytes()), p.n, p.weight())};
}

Pair sample_rm(const Parameters &p, const Bytes &in)
{
    const Poly r = iid(slice(in, 0, p.iid_bytes()), p.n);
    if (p.is_hrss) return {r, iid(slice(in, p.iid_bytes(), p.iid_bytes()), p.n)};
    return {r, fixed_type(slice(in, p.iid_bytes(), p.fixed_type_bytes()), p.n, p.weight())};
}

// ---- Bytes ----

Bytes pack_s3(const Poly &trits)
{
    Bytes out((trits.size() - 1 + 4) / 5, 0);
    for (size_t i = trits.size() - 1; i-- > 0;) out[i / 5] = static_cast<uint8_t>(3 * out[i / 5] + trits[i]);
    return out;
}

Poly unpack_s3(const Bytes &in, size_t n)
{
    Poly trits(n, 0);
    Bytes rest = in;
    for (size_t i = 0; i < n - 1; i++) {
        trits[i] = rest.at(i / 5) % 3;
        rest[i / 5] /= 3;
    }
    return trits;
}

Bytes pack_q(const Poly &f, unsigned bits)
{
    const size_t length = bits * (f.size() - 1);
    Bytes out(bytes_of_bits(length), 0);
    for (size_t i = 0; i < length; i++)
        out[i / 8] = static_cast<uint8_t>(out[i / 8] | (f[i / bits] >> i % bits & 1) << i % 8);
    return out;
}

Poly unpack_sq(const Bytes &in, size_t n, unsigned bits)
{
    Poly f;
    for (uint32_t field : bit_fields(in, n - 1, bits)) f.push_back(static_cast<int>(field));
    f.push_back(0);
    return f;
}

Poly unpack_r0(const Bytes &in, size_t n, unsigned bits)
{
    Poly f = unpack_sq(in, n, bits);
    f.back() = -std::accumulate(f.begin(), f.end(), 0);
    return mod(f, 1 << bits);
}

// ---- The scheme ----

SecretKey::SecretKey(const Parameters &p, const Bytes &dk)
    : f(unpack_s3(slice(dk, 0, p.s3_bytes()), p.n)), f_inverse(unpack_s3(slice(dk, p.s3_bytes(), p.s3_bytes()), p.n)),
      h_inverse(unpack_sq(slice(dk, 2 * p.s3_bytes(), p.sq_bytes()), p.n, p.bits())), z(slice(dk, dk.size() - 32, 32))
{
}

// Modulo 3, (X - 1) b is m plus a multiple c of Phi, and its coefficients sum up to 0, so c = -m(1) / n.
Poly lift_quotient(const Poly &m)
{
    const int n = static_cast<int>(m.size());
    int c = 0, sum = 0;
    while ((std::accumulate(m.begin(), m.end(), 0) + c * n) % 3 != 0) c++;
    Poly b;
    for (int coefficient : m) {
        sum += coefficient + c;
        b.push_back(-sum);
    }
    return mod(b, 3);
}

Poly lift(const Parameters &p, const Poly &m)
{
    return p.is_hrss ? times_x_minus_1(centred(lift_quotient(m), 3)) : centred(m, 3);
}

Poly scaled_g(const Parameters &p, const Poly &g)
{
    const Poly scaled = scale(centred(g, 3), 3);
    return p.is_hrss ? times_x_minus_1(scaled) : scaled;
}

std::string broken_equation(const Parameters &p, const Bytes &ek, const Bytes &dk)
{
    const SecretKey key(p, dk);
    const Poly h = unpack_r0(ek, p.n, p.bits());
    if (mod(mod_phi(multiply(key.f, key.f_inverse, 3)), 3) != one(p.n)) return "f f_inverse = 1 in S_3";
    if (mod(mod_phi(multiply(h, key.h_inverse, p.q)), p.q) != one(p.n)) return "h h_inverse = 1 in S_q";
    if (!is_scaled_g(p, multiply(centred(key.f, 3), h, p.q))) return p.is_hrss ? "f h = 3 (X - 1) g" : "f h = 3 g";
    return "";
}

Bytes encrypt(const Parameters &p, const Bytes &ek, const Poly &r, const Poly &m)
{
    const Poly rh = multiply(centred(r, 3), unpack_r0(ek, p.n, p.bits()), p.q);
    return pack_q(mod(add(rh, lift(p, m)), p.q), p.bits());
}

Bytes shared_secret(const Poly &r, const Poly &m)
{
    return sha3_256(pack_s3(r) + pack_s3(m));
}

Decryption decrypt(const Parameters &p, const SecretKey &key, const Bytes &ct)
{
    Decryption d;
    const Poly c = unpack_r0(ct, p.n, p.bits());
    d.cf = multiply(c, centred(key.f, 3), p.q);
    d.mf = rq_to_s3(d.cf, p.q);
    d.m = mod(mod_phi(multiply(d.mf, key.f_inverse, 3)), 3);
    d.b = mod(add(c, scale(lift(p, d.m), -1)), p.q);
    d.r = mod(mod_phi(multiply(d.b, key.h_inverse, p.q)), p.q);
    d.fails = has_unused_bits(p, ct) || !is_ternary(d.r, p.q) || (!p.is_hrss && !has_weight(d.m, p.weight()));
    return d;
}

Bytes decaps(const Parameters &p, const Bytes &dk, const Bytes &ct)
{
    const SecretKey key(p, dk);
    const Decryption d = decrypt(p, key, ct);
    return d.fails ? sha3_256(key.z + ct) : shared_secret(mod(centred(d.r, p.q), 3), d.m);
}

} // namespace ntru
