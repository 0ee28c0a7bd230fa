/* Kernels of Z_3329[X]/(X^256 + 1) that are the same for AVX2 and AVX-512: arithmetic, base multiplication and
 * reductions (FIPS 203 section 4.3). Bounds are those of the portable kernels: signed Montgomery with R = 2^16.
 *
 * The file that includes this has included its backend's vec.h and q3329_factors.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_Q3329_ARITHMETIC_H
#define LK_ARCH_X86_64_Q3329_ARITHMETIC_H

#include "arch/x86_64/q3329_constants.h"

enum { REGISTERS = N / LANES };

static inline vec load(const lk_poly *f, size_t i)
{
    return v_load(&f->c[LANES * i]);
}

static inline void store(lk_poly *f, size_t i, vec v)
{
    v_store(&f->c[LANES * i], v);
}

/* a w R^-1 mod q, |result| < q for any a and |w| <= q / 2. */
static inline vec montgomery(vec a, vec w, vec w_qinv)
{
    const vec t = v_mulhi(v_mullo(a, w_qinv), v_set(Q));
    return v_sub(v_mulhi(a, w), t);
}

static inline vec multiply(vec a, const lk_q3329_factors *z)
{
    return montgomery(a, v_load(z->w), v_load(z->w_qinv));
}

static inline vec multiply_constant(vec a, int w)
{
    return montgomery(a, v_set(W(w)), v_set(W_QINV(w)));
}

/* a mod q in [0, q] for any a, as in the portable kernels. */
static inline vec barrett(vec a)
{
    const vec quotient = v_sar(v_mulhi(a, v_set(BARRETT)), 10);
    return v_sub(a, v_mullo(quotient, v_set(Q)));
}

static inline void butterfly(vec *a, vec *b, const lk_q3329_factors *z)
{
    const vec t = multiply(*b, z);
    *b = v_sub(*a, t);
    *a = v_add(*a, t);
}

static inline void inverse_butterfly(vec *a, vec *b, const lk_q3329_factors *z)
{
    const vec difference = v_sub(*b, *a);
    *a = v_add(*a, *b);
    *b = multiply(difference, z);
}

/* ---- Base multiplication and reductions ---- */

/* Two registers share one of the cache: the products of the first in the low halves of 32-bit words, those of the
 * second in the high ones. */

static inline void fill_cache(lk_mulcache *cache, const lk_poly *g, const lk_q3329_factors gammas[REGISTERS / 2])
{
    for (size_t i = 0; i < REGISTERS / 2; i++) {
        const vec odd = v_halves(v_high_to_low(load(g, 2 * i)), load(g, 2 * i + 1));
        v_store(&cache->c[LANES * i], multiply(odd, &gammas[i]));
    }
}

/* Sums in 32 bits of the products for the even and the odd values of one register. */
typedef struct {
    vec even, odd;
} product_sums;

/* f0 g0 + f1 (g1 gamma) and f0 g1 + f1 g0; the cache has its products in the high halves. */
static inline void multiply_add(product_sums *s, vec f, vec g, vec cache)
{
    s->even = v_add32(s->even, v_madd(f, v_halves(g, cache)));
    s->odd = v_add32(s->odd, v_madd(f, v_swap_halves(g)));
}

/* x R^-1 mod q, |result| <= |x| / R + q / 2: the high half of x - t q, where t q has the low half of x. */
static inline vec montgomery_reduce(product_sums s)
{
    const vec low = v_halves(s.even, v_low_to_high(s.odd));
    const vec high = v_halves(v_high_to_low(s.even), s.odd);
    const vec t = v_mullo(low, v_set(QINV));
    return v_sub(high, v_mulhi(t, v_set(Q)));
}

/* Sums are at most 8 4095 (8q - 1) < 2^30 and so |h| < 4q + q / 2. */
static void inner_product(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    for (size_t i = 0; i < REGISTERS / 2; i++) {
        product_sums s[2] = {{v_zero(), v_zero()}, {v_zero(), v_zero()}};
        for (size_t j = 0; j < k; j++) {
            const vec products = v_load(&cache[j].c[LANES * i]);
            multiply_add(&s[0], load(&f[j], 2 * i), load(&g[j], 2 * i), v_low_to_high(products));
            multiply_add(&s[1], load(&f[j], 2 * i + 1), load(&g[j], 2 * i + 1), products);
        }
        store(h, 2 * i, montgomery_reduce(s[0]));
        store(h, 2 * i + 1, montgomery_reduce(s[1]));
    }
}

static void tomont(lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, multiply_constant(load(f, i), R2_MOD_Q));
}

static void add(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, v_add(load(f, i), load(g, i)));
}

static void sub_from(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, v_sub(load(g, i), load(f, i)));
}

/* Of r and r - q the canonical one is the smaller as an unsigned number. */
static void reduce(lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const vec r = barrett(load(f, i));
        store(f, i, v_min_unsigned(r, v_sub(r, v_set(Q))));
    }
}

#endif
