/* Arithmetic modulo q = 3329 in portable C: signed Montgomery with R = 2^16, on 16-bit halves so that compilers turn
 * loops into vector instructions; and the kernels that need the powers of zeta (portable_ntt.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_Q3329_MONTGOMERY_H
#define LK_RING_Q3329_MONTGOMERY_H

#include "ring/q3329/kernels.h"

enum { LK_Q3329_QINV = -3327 /* q^-1 mod R, centred */, LK_Q3329_BARRETT = 20159 /* round(2^26 / q) */ };

/* A constant w of Montgomery multiplication with w' = w q^-1 mod R. */
typedef struct {
    int16_t w, w_qinv;
} lk_twiddle;

static inline int16_t lk_high(int16_t a, int16_t b)
{
    return (int16_t)(((int32_t)a * b) >> 16);
}

static inline int16_t lk_low(int16_t a, int16_t b)
{
    return (int16_t)((uint16_t)a * (uint32_t)(uint16_t)b);
}

/* a w R^-1 mod q, |result| < q for any a and |w| <= q / 2. */
static inline int16_t lk_montgomery(int16_t a, lk_twiddle t)
{
    return (int16_t)(lk_high(a, t.w) - lk_high(lk_low(a, t.w_qinv), LK_Q3329));
}

static inline lk_twiddle lk_twiddle_of(int16_t w)
{
    const lk_twiddle t = {w, lk_low(w, LK_Q3329_QINV)};
    return t;
}

/* x R^-1 mod q, |result| <= |x| / R + q / 2. */
static inline int16_t lk_montgomery_reduce(int32_t x)
{
    const int16_t t = lk_low((int16_t)x, LK_Q3329_QINV);
    return (int16_t)((x - (int32_t)t * LK_Q3329) >> 16);
}

/* a mod q in [0, q] for any a: the quotient is floor(a LK_Q3329_BARRETT / 2^26), which is floor(a / q) or, where a is a
 * negative multiple of q, one less. */
static inline int16_t lk_barrett(int16_t a)
{
    return (int16_t)(a - (lk_high(a, LK_Q3329_BARRETT) >> 10) * LK_Q3329);
}

/* Of the portable backend. They are compiled with options of their own. */
void lk_q3329_ntt_c(lk_poly *f);
void lk_q3329_invntt_tomont_c(lk_poly *f);
void lk_q3329_mulcache_c(lk_mulcache *cache, const lk_poly *g);

/* lk_q3329_zetas[i] = 17^BitRev7(i) R mod q, centred (FIPS 203 appendix A). */
extern const int16_t lk_q3329_zetas[128];

/* Of the small build (portable_mac.c). */
uint32_t lk_q3329_decode_d12_mac_c(lk_poly *h, const uint8_t in[384], const lk_poly *g);
size_t lk_q3329_rej_uniform_mac_vartime_c(lk_poly *h, const lk_poly *g, size_t have, const uint8_t *in, size_t len);
void lk_q3329_cbd_eta2_add_c(lk_poly *h, const uint8_t in[128]);

#endif
