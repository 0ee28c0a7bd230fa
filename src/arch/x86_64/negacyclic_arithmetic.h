/* Multiplication modulo X^256 + 1 that is the same for AVX2 and AVX-512: arithmetic modulo two primes and what is done
 * with transforms (negacyclic_constants.h). Below, |a| is the bound of a value, and q either prime.
 *
 * The file that includes this has included its backend's vec.h and negacyclic_factors.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_NEGACYCLIC_ARITHMETIC_H
#define LK_ARCH_X86_64_NEGACYCLIC_ARITHMETIC_H

#include "arch/x86_64/negacyclic_constants.h"

/* A group of registers is multiplied at a time. */
enum { REGISTERS = N / LANES, GROUP_SIZE = 4 };

/* A polynomial modulo both primes. */
typedef struct {
    int16_t at[PRIMES][REGISTERS][LANES];
} residues;

/* A product is computed from f as it is and, for its even and its odd values, from g arranged twice. */
typedef union {
    residues f;
    struct {
        residues even, odd;
    } g;
} evaluated;

static inline vec prime(size_t p)
{
    return v_set(p == 0 ? Q0 : Q1);
}

/* a w R^-1 mod q, |result| <= |a| / 16 + q / 2 for any a and |w| <= q / 2. */
static inline vec montgomery(vec a, vec w, vec w_qinv, vec q)
{
    const vec t = v_mulhi(v_mullo(a, w_qinv), q);
    return v_sub(v_mulhi(a, w), t);
}

static inline vec multiply(vec a, const lk_negacyclic_factors *z, vec q)
{
    return montgomery(a, v_load(z->w), v_load(z->w_qinv), q);
}

/* a mod q, |result| <= |a| / 16 + q / 2. */
static inline vec reduce(vec a, vec q)
{
    const vec quotient = v_mulhrs(a, v_set(ROUNDING));
    return v_sub(a, v_mullo(quotient, q));
}

static inline void butterfly(vec *a, vec *b, const lk_negacyclic_factors *z, vec q)
{
    const vec t = multiply(*b, z, q);
    *b = v_sub(*a, t);
    *a = v_add(*a, t);
}

static inline void inverse_butterfly(vec *a, vec *b, const lk_negacyclic_factors *z, vec q)
{
    const vec difference = v_sub(*a, *b);
    *a = v_add(*a, *b);
    *b = multiply(difference, z, q);
}

typedef void exchange_fn(vec *a, vec *b);

/* ---- Evaluation ---- */

/* Residues modulo 8192 in [-4096, 4096). */
static inline vec load_centred(const lk_negacyclic_poly *f, size_t i)
{
    return v_sar(v_shl(v_load(&f->c[LANES * i]), 3), 3);
}

/* Pairs (g0, gamma g1) and (g1, g0) of register i. All are below 5000 in absolute value. */
static inline void arrange(evaluated *out, size_t p, size_t i, vec g, vec gamma_g1)
{
    const vec reduced = reduce(g, prime(p));
    v_store(out->g.even.at[p][i], v_halves(reduced, gamma_g1));
    v_store(out->g.odd.at[p][i], v_swap_halves(reduced));
}

/* Registers i and i + GROUP_SIZE have the same factors, of opposite sign: one multiplication serves the odd values of
 * both. */
static inline void arrange_pair(evaluated *out, size_t p, size_t i, const residues *r, const lk_negacyclic_factors *z)
{
    const vec a = v_load(r->at[p][i]), b = v_load(r->at[p][i + GROUP_SIZE]);
    const vec products = multiply(v_halves(v_high_to_low(a), b), z, prime(p));
    arrange(out, p, i, a, v_low_to_high(products));
    arrange(out, p, i + GROUP_SIZE, b, v_sub(v_zero(), products));
}

/* ---- Multiplication ---- */

/* x R^-1 mod q for sums in 32 bits, |result| <= |x| / R + q / 2: the high half of x - t q, where t q has the low
 * half. */
static inline vec montgomery_reduce(vec even, vec odd, vec qinv, vec q)
{
    const vec low = v_halves(even, v_low_to_high(odd));
    const vec high = v_halves(v_high_to_low(even), odd);
    return v_sub(high, v_mulhi(v_mullo(low, qinv), q));
}

/* A group of the sum, from register first on. Sums are at most 4 16200 (5000 + 5000) < 2^30 in absolute value. */
static inline void multiply_base(residues *r, const evaluated *f, const evaluated *g, size_t l, size_t p, size_t first)
{
    vec even[GROUP_SIZE], odd[GROUP_SIZE];
    for (size_t i = 0; i < GROUP_SIZE; i++) even[i] = odd[i] = v_zero();
    for (size_t j = 0; j < l; j++)
        for (size_t i = 0; i < GROUP_SIZE; i++) {
            const vec a = v_load(f[j].f.at[p][first + i]);
            const residues *e = &g[j].g.even, *o = &g[j].g.odd;
            even[i] = v_add32(even[i], v_madd(a, v_load(e->at[p][first + i])));
            odd[i] = v_add32(odd[i], v_madd(a, v_load(o->at[p][first + i])));
        }
    const vec qinv = v_set(p == 0 ? QINV(Q0) : QINV(Q1));
    for (size_t i = 0; i < GROUP_SIZE; i++)
        v_store(r->at[p][first + i], montgomery_reduce(even[i], odd[i], qinv, prime(p)));
}

/* The sum x with x = r0 modulo Q0 and x = r1 modulo Q1, modulo R, is r0 + k Q0 with k = (r1 - r0) / Q0 modulo Q1. As
 * |x| <= 2^20 20, |k| < 2740, and a residue below Q1 - 2740 in absolute value is the right one. */
static inline vec combine(vec r0, vec r1)
{
    const vec w = v_set(Q0_INVERSE), w_qinv = v_set((int16_t)(QINV(Q1) * Q0_INVERSE));
    const vec k = montgomery(v_sub(r1, r0), w, w_qinv, prime(1));
    return v_add(r0, v_mullo(k, prime(0)));
}

#endif
