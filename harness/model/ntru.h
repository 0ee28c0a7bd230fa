// NTRU as its round-3 document defines it, in exact integers and without inversions: what keys are is stated by the
// equations that they fulfil. Plain and neither fast nor constant-time.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_NTRU_H
#define LATKEM_HARNESS_MODEL_NTRU_H

#include <vector>

#include "facts.h"
#include "hex.h"

namespace ntru
{

// n coefficients; trits are 0, 1 and 2, which means -1.
using Poly = std::vector<int>;

// The numbers that follow from a set's n and q.
struct Parameters {
    size_t n;
    int q;
    bool is_hrss; // HRSS: f and g by Sample_iid_plus, m by Sample_iid, and Lift; else HPS

    explicit Parameters(const SetFacts &set);

    unsigned bits() const; // of a residue modulo q
    size_t weight() const; // of g and m in HPS
    size_t s3_bytes() const;
    size_t sq_bytes() const;
    size_t iid_bytes() const;
    size_t fixed_type_bytes() const;
};

// ---- Polynomials ----

Poly mod(Poly f, int m);                            // coefficients in 0 ... m - 1
Poly centred(Poly f, int m);                        // coefficients in [-m/2, m/2), for odd m in -(m-1)/2 ... (m-1)/2
Poly mod_phi(Poly f);                               // modulo 1 + X + ... + X^(n-1)
Poly multiply(const Poly &f, const Poly &g, int m); // modulo X^n - 1 and m, in 0 ... m - 1
Poly one(size_t n);
Poly scale(Poly f, int factor);
Poly add(Poly f, const Poly &g);
Poly times_x_minus_1(const Poly &f);

// The coefficients in [-q/2, q/2) as trits, modulo Phi (Rq_to_S3).
Poly rq_to_s3(const Poly &f, int q);

// ---- Sampling (section 1.10 of the document) ----

Poly iid(const Bytes &in, size_t n);
Poly iid_plus(const Bytes &in, size_t n);
Poly fixed_type(const Bytes &in, size_t n, size_t weight);

// The words that Sample_fixed_type sorts.
std::vector<int32_t> fixed_type_words(const Bytes &in, size_t n, size_t weight);

// Both halves of the random bytes of key generation (f and g) and of encapsulation (r and m).
struct Pair {
    Poly first, second;
};
Pair sample_fg(const Parameters &p, const Bytes &in);
Pair sample_rm(const Parameters &p, const Bytes &in);

// ---- Bytes ----

Bytes pack_s3(const Poly &trits);
Poly unpack_s3(const Bytes &in, size_t n);
Bytes pack_q(const Poly &f, unsigned bits);
Poly unpack_sq(const Bytes &in, size_t n, unsigned bits);
Poly unpack_r0(const Bytes &in, size_t n, unsigned bits);

// ---- The scheme ----

struct SecretKey {
    Poly f, f_inverse, h_inverse; // trits, trits, residues modulo q
    Bytes z;

    SecretKey(const Parameters &p, const Bytes &dk);
};

// The b of trits and degree below n - 1 with (X - 1) b = m in S_3.
Poly lift_quotient(const Poly &m);

// Lift(m) with signed coefficients.
Poly lift(const Parameters &p, const Poly &m);

// 3 g, in HRSS 3 (X - 1) g, with signed coefficients.
Poly scaled_g(const Parameters &p, const Poly &g);

// The first equation of keys that does not hold: f f_inverse = 1 in S_3, h h_inverse = 1 in S_q, and f h = 3 g or 3 (X - 1) g
// in R for some g of trits, in HPS of the right weight; or nothing.
std::string broken_equation(const Parameters &p, const Bytes &ek, const Bytes &dk);

Bytes encrypt(const Parameters &p, const Bytes &ek, const Poly &r, const Poly &m);
Bytes shared_secret(const Poly &r, const Poly &m);

struct Decryption {
    Poly cf, mf; // c f in R, and as trits, which are m f
    Poly m;      // trits
    Poly b, r;   // c - Lift(m) in R, and b h_inverse in S_q
    bool fails;
};
Decryption decrypt(const Parameters &p, const SecretKey &key, const Bytes &ct);

// The results of decapsulation.
Bytes decaps(const Parameters &p, const Bytes &dk, const Bytes &ct);

} // namespace ntru

#endif
