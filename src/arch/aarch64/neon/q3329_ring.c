/* NTT, base multiplication and reductions for NEON; the three that take most time are assembly.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/q3329.h"
#include "arch/aarch64/neon/q3329_constants.h"
#include "arch/aarch64/neon/q3329_factors.h"

enum { LANES = 8 };

/* q3329_ntt.S: |f| < 6q for |f| <= q. */
void lk_q3329_ntt_asm(int16_t f[256], const lk_q3329_factors *factors);

/* q3329_invntt.S: |f| < 6q for any f. */
void lk_q3329_invntt_asm(int16_t f[256], const lk_q3329_factors *factors);

/* q3329_inner_product.S, for each k; |h| < 3q. */
void lk_q3329_inner_product_k1_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);
void lk_q3329_inner_product_k2_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);
void lk_q3329_inner_product_k3_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);
void lk_q3329_inner_product_k4_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);

static inline int16x8_t load(const lk_poly *f, size_t i)
{
    return vld1q_s16(&f->c[LANES * i]);
}

/* a w modulo q: see QUOTIENT. */
static inline int16x8_t multiply(int16x8_t a, int16x8_t w, int16x8_t w_quotient)
{
    return vmlsq_n_s16(vmulq_s16(a, w), vqrdmulhq_s16(a, w_quotient), Q);
}

/* a modulo q, |result| < 2q / 3 for any a: a product with 1, whose quotient is off by 0.16 2^15. */
static inline int16x8_t reduce(int16x8_t a)
{
    return vmlsq_n_s16(a, vqrdmulhq_n_s16(a, QUOTIENT(1)), Q);
}

void lk_q3329_ntt_neon(lk_poly *f)
{
    lk_q3329_ntt_asm(f->c, &lk_q3329_forward_neon);
}

void lk_q3329_invntt_tomont_neon(lk_poly *f)
{
    lk_q3329_invntt_asm(f->c, &lk_q3329_inverse_neon);
}

/* gamma_i of algorithm 12 is zeta for even i and -zeta for odd i; the sign is left to the inner product. The cache is in
 * the order of the second values in g. */
void lk_q3329_mulcache_neon(lk_mulcache *cache, const lk_poly *g)
{
    for (size_t group = 0; group < 4; group++) {
        for (size_t i = 0; i < 4; i++) {
            const lk_q3329_lanes *zeta = &lk_q3329_forward_neon.within[group].pairs[i];
            const int16x8_t product = multiply(load(g, 8 * group + 4 + i), vld1q_s16(zeta->w),
                                               vld1q_s16(zeta->w_quotient));
            vst1q_s16(&cache->c[LANES * (4 * group + i)], product);
        }
    }
}

void lk_q3329_inner_product_neon(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    switch (k) {
    case 1: lk_q3329_inner_product_k1_asm(h->c, f, g, cache); break;
    case 2: lk_q3329_inner_product_k2_asm(h->c, f, g, cache); break;
    case 3: lk_q3329_inner_product_k3_asm(h->c, f, g, cache); break;
    default: lk_q3329_inner_product_k4_asm(h->c, f, g, cache); break;
    }
}

/* Four registers at a time, which hides latencies on CPUs that cannot look far ahead. Only a sum is loaded and stored as a
 * whole: results of destructive instructions would have to be moved into place for that. */
void lk_q3329_tomont_neon(lk_poly *f)
{
    const int16x8_t w = vdupq_n_s16(R_MOD_Q), quotient = vdupq_n_s16(QUOTIENT(R_MOD_Q));
    for (int16_t *c = f->c; c < f->c + N; c += 4 * LANES) {
        int16x8_t v[4];
        for (size_t i = 0; i < 4; i++) v[i] = vld1q_s16(c + LANES * i);
        for (size_t i = 0; i < 4; i++) vst1q_s16(c + LANES * i, multiply(v[i], w, quotient));
    }
}

void lk_q3329_add_neon(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < N; i += 4 * LANES) {
        int16x8x4_t v = vld1q_s16_x4(&f->c[i]);
        const int16x8x4_t w = vld1q_s16_x4(&g->c[i]);
        for (size_t j = 0; j < 4; j++) v.val[j] = vaddq_s16(v.val[j], w.val[j]);
        vst1q_s16_x4(&f->c[i], v);
    }
}

void lk_q3329_sub_from_neon(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < N; i += 4 * LANES) {
        int16x8x4_t v = vld1q_s16_x4(&f->c[i]);
        const int16x8x4_t w = vld1q_s16_x4(&g->c[i]);
        for (size_t j = 0; j < 4; j++) v.val[j] = vsubq_s16(w.val[j], v.val[j]);
        vst1q_s16_x4(&f->c[i], v);
    }
}

/* Of r and r + q the canonical one is the smaller as an unsigned number. */
void lk_q3329_reduce_neon(lk_poly *f)
{
    for (int16_t *c = f->c; c < f->c + N; c += 4 * LANES) {
        int16x8_t v[4];
        for (size_t i = 0; i < 4; i++) v[i] = vld1q_s16(c + LANES * i);
        for (size_t i = 0; i < 4; i++) {
            const uint16x8_t r = vreinterpretq_u16_s16(reduce(v[i]));
            vst1q_u16((uint16_t *)c + LANES * i, vminq_u16(r, vaddq_u16(r, vdupq_n_u16(Q))));
        }
    }
}
