/* Multiplication modulo X^256 + 1 for NEON, by an NTT modulo the 26-bit prime of negacyclic_factors.h.
 *
 * Six layers split X^256 + 1 into 64 factors X^4 - gamma. Three of them at a time pass through registers of four
 * coefficients, and all pair whole registers. Evaluated polynomials are stored by groups of four factors: the
 * coefficients of X^0 of all four, then those of X^1, X^2, X^3.
 *
 * Below, |a| is the bound of a value, in millions (M) where it says so; 2^31 is 2147 M and q 46 M.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/negacyclic.h"
#include "arch/aarch64/neon/negacyclic_factors.h"

enum {
    N = LK_NEGACYCLIC_N,
    REGISTERS = N / 4,
    GROUPS = N / 16,
    BLOCK = 8,         /* registers that three layers combine */
    QINV = 1079996161, /* q^-1 mod R */
};
_Static_assert((uint64_t)QINV *LK_NEGACYCLIC_Q % 4294967296 == 1, "QINV");

/* A product of f and g is computed from f as it is and from gamma g1, gamma g2, gamma g3, g0, g1, g2, g3. */
typedef union {
    int32_t f[GROUPS][4][4];
    int32_t g[GROUPS][7][4];
} evaluated;

_Static_assert(sizeof(evaluated) == LK_NEGACYCLIC_EVALUATED_BYTES, "");
_Static_assert(sizeof(int32_t[REGISTERS][4]) == LK_NEGACYCLIC_SCRATCH_BYTES, "");

/* Barrett multiplication: low - round(b w' / 2^31) q = b w mod q, where low is b w. For w = 1 a reduction.
 * |result| <= q / 2 (1 + |b| / 2^31). */
static inline int32x4_t barrett(int32x4_t low, int32x4_t quotient)
{
    return vmlsq_s32(low, quotient, vdupq_n_s32(LK_NEGACYCLIC_Q));
}

static inline int32x4_t reduce(int32x4_t a)
{
    return barrett(a, vqrdmulhq_s32(a, vdupq_n_s32(LK_NEGACYCLIC_QUOTIENT(1))));
}

/* b times factor i of z, i a literal. */
#define TIMES_FACTOR(b, z, i)                                                                                          \
    barrett(vmulq_laneq_s32(b, (z).val[(i) / 2], (i) % 2 * 2),                                                         \
            vqrdmulhq_laneq_s32(b, (z).val[(i) / 2], (i) % 2 * 2 + 1))

static inline void butterfly(int32x4_t *a, int32x4_t *b, int32x4_t t)
{
    *b = vsubq_s32(*a, t);
    *a = vaddq_s32(*a, t);
}

static inline int32x4_t inverse_butterfly(int32x4_t *a, int32x4_t b)
{
    const int32x4_t difference = vsubq_s32(*a, b);
    *a = vaddq_s32(*a, b);
    return difference;
}

/* Hides from compilers that a loop loads the same factors again. They would spread them over as many registers and
 * spill. */
static inline int32x4x4_t load_factors(const lk_negacyclic_factors *z)
{
    __asm__ volatile("" : "+r"(z));
    return vld1q_s32_x4(z->of);
}

/* Between coefficients in a row and those of X^0, of X^1, of X^2 and of X^3. */
static inline void store_transposed(int32_t *r, const int32x4_t v[4])
{
    const int32x4x4_t rows = {{v[0], v[1], v[2], v[3]}};
    vst4q_s32(r, rows);
}

/* ---- Evaluation ---- */

static inline void lower_layers(int32x4_t v[BLOCK], int32x4x4_t z)
{
    for (size_t i = 0; i < 2; i++) butterfly(&v[i], &v[i + 2], TIMES_FACTOR(v[i + 2], z, 1));
    for (size_t i = 4; i < 6; i++) butterfly(&v[i], &v[i + 2], TIMES_FACTOR(v[i + 2], z, 2));
    butterfly(&v[0], &v[1], TIMES_FACTOR(v[1], z, 3));
    butterfly(&v[2], &v[3], TIMES_FACTOR(v[3], z, 4));
    butterfly(&v[4], &v[5], TIMES_FACTOR(v[5], z, 5));
    butterfly(&v[6], &v[7], TIMES_FACTOR(v[7], z, 6));
}

/* The first layer, in which sqrt(-1) is so small that products need no reduction. The second half of the result is
 * negated. */
static inline void first_layer_low(int32x4_t v[BLOCK], const int16x8_t in[BLOCK])
{
    for (size_t i = 0; i < BLOCK / 2; i++) {
        const int32x4_t t = vmull_n_s16(vget_low_s16(in[i + BLOCK / 2]), LK_NEGACYCLIC_ROOT);
        v[i] = vaddw_s16(t, vget_low_s16(in[i]));
        v[i + BLOCK / 2] = vsubw_s16(t, vget_low_s16(in[i]));
    }
}

static inline void first_layer_high(int32x4_t v[BLOCK], const int16x8_t in[BLOCK])
{
    for (size_t i = 0; i < BLOCK / 2; i++) {
        const int32x4_t t = vmull_high_n_s16(in[i + BLOCK / 2], LK_NEGACYCLIC_ROOT);
        v[i] = vaddw_high_s16(t, in[i]);
        v[i + BLOCK / 2] = vsubw_high_s16(t, in[i]);
    }
}

/* The layers of X^128, X^64 and X^32, for coefficients 8 i to 8 i + 7 of each 32. In: 8 f, a word with the sign of a
 * residue modulo 8192 in [-4096, 4096). */
static inline __attribute__((always_inline)) void first_pass(int32_t r[REGISTERS][4], const lk_negacyclic_poly *f,
                                                             size_t i)
{
    const int32x4x4_t z = load_factors(&lk_negacyclic_forward_neon.first);
    int16x8_t in[BLOCK];
    int32x4_t low[BLOCK], high[BLOCK];
    for (size_t k = 0; k < BLOCK; k++) in[k] = vreinterpretq_s16_u16(vshlq_n_u16(vld1q_u16(&f->c[32 * k + 8 * i]), 3));
    first_layer_low(low, in);
    lower_layers(low, z);
    first_layer_high(high, in);
    lower_layers(high, z);
    for (size_t k = 0; k < BLOCK; k++) {
        vst1q_s32(r[BLOCK * k + 2 * i], low[k]);
        vst1q_s32(r[BLOCK * k + 2 * i + 1], high[k]);
    }
}

/* The layers of X^16, X^8 and X^4, for 32 coefficients in a row; transposed as evaluated polynomials are. */
static inline void second_pass(int32_t r[BLOCK][4], const lk_negacyclic_factors *factors)
{
    const int32x4x4_t z = load_factors(factors);
    int32x4_t v[BLOCK];
    for (size_t i = 0; i < BLOCK; i++) v[i] = vld1q_s32(r[i]);
    for (size_t i = 0; i < 4; i++) butterfly(&v[i], &v[i + 4], TIMES_FACTOR(v[i + 4], z, 0));
    lower_layers(v, z);
    store_transposed(r[0], v);
    store_transposed(r[4], v + 4);
}

/* The first layer makes |v| < 224 M of 8 f < 2^15, or 1 M of a small polynomial; each of the others adds q / 2 and a
 * little. Out: |v| < 354 M, or 119 M. */
static void ntt(int32_t r[REGISTERS][4], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < 4; i++) first_pass(r, f, i);
    for (size_t i = 0; i < BLOCK; i++) second_pass(&r[BLOCK * i], &lk_negacyclic_forward_neon.second[i]);
}

void lk_negacyclic_evaluate_neon(void *e, const lk_negacyclic_poly *f, void *scratch)
{
    (void)scratch;
    ntt(e, f);
}

void lk_negacyclic_evaluate_small_neon(void *e, const lk_negacyclic_poly *f, void *scratch)
{
    int32_t(*r)[4] = scratch;
    evaluated *out = e;
    ntt(r, f);
    for (size_t i = 0; i < GROUPS; i++) {
        const int32x4_t w = vld1q_s32(lk_negacyclic_gammas_neon[i][0]);
        const int32x4_t quotient = vld1q_s32(lk_negacyclic_gammas_neon[i][1]);
        int32x4_t g[4];
        for (size_t k = 0; k < 4; k++) g[k] = vld1q_s32(r[4 * i + k]);
        for (size_t k = 1; k < 4; k++)
            vst1q_s32(out->g[i][k - 1], barrett(vmulq_s32(g[k], w), vqrdmulhq_s32(g[k], quotient)));
        for (size_t k = 0; k < 4; k++) vst1q_s32(out->g[i][3 + k], g[k]);
    }
}

/* ---- Multiplication ---- */

/* Sums in 64 bits for the first two factors of a group and for the last two. */
typedef struct {
    int64x2_t low, high;
} sums;

static inline sums product(int32x4_t f, int32x4_t g)
{
    return (sums){vmull_s32(vget_low_s32(f), vget_low_s32(g)), vmull_high_s32(f, g)};
}

static inline sums add_product(sums s, int32x4_t f, int32x4_t g)
{
    return (sums){vmlal_s32(s.low, vget_low_s32(f), vget_low_s32(g)), vmlal_high_s32(s.high, f, g)};
}

/* x R^-1 mod q, R = 2^32, |result| <= |x| / R + q / 2: the high half of x - t q, where t q has the low half. */
static inline int32x4_t montgomery_reduce(sums x)
{
    const int32x4_t low = vuzp1q_s32(vreinterpretq_s32_s64(x.low), vreinterpretq_s32_s64(x.high));
    const int32x4_t t = vmulq_n_s32(low, QINV), q = vdupq_n_s32(LK_NEGACYCLIC_Q);
    const int64x2_t first = vmlsl_s32(x.low, vget_low_s32(t), vget_low_s32(q)), last = vmlsl_high_s32(x.high, t, q);
    return vuzp2q_s32(vreinterpretq_s32_s64(first), vreinterpretq_s32_s64(last));
}

/* h[k] += sum of f[i] g[k - i], where g[-i] is gamma g[4 - i]. With start, h[k] is written. */
static inline void multiply_group(sums h[4], const int32_t f[4][4], const int32_t g[7][4], int start)
{
    int32x4_t a[4], b[7];
    for (size_t i = 0; i < 4; i++) a[i] = vld1q_s32(f[i]);
    for (size_t i = 0; i < 7; i++) b[i] = vld1q_s32(g[i]);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            h[k] = start && i == 0 ? product(a[0], b[3 + k]) : add_product(h[k], a[i], b[3 + k - i]);
}

/* Sums of 16 products are less than 2^63 / 13, and |r| < 180 M. */
static inline void multiply_base(int32_t r[4][4], const evaluated *f, const evaluated *g, size_t l, size_t group)
{
    sums h[4];
    multiply_group(h, f[0].f[group], g[0].g[group], 1);
    for (size_t j = 1; j < l; j++) multiply_group(h, f[j].f[group], g[j].g[group], 0);
    int32x4_t v[4];
    for (size_t k = 0; k < 4; k++) v[k] = montgomery_reduce(h[k]);
    store_transposed(r[0], v);
}

/* Inlined for each rank, so that sums stay in their registers. */
static inline __attribute__((always_inline)) void multiply_all(int32_t r[REGISTERS][4], const evaluated *f,
                                                               const evaluated *g, size_t l)
{
    for (size_t i = 0; i < GROUPS; i++) multiply_base(&r[4 * i], f, g, l, i);
}

#define INVERSE_BUTTERFLY(a, b, z, i)                                                                                  \
    do {                                                                                                               \
        const int32x4_t difference = inverse_butterfly(&(a), b);                                                       \
        (b) = TIMES_FACTOR(difference, z, i);                                                                          \
    } while (0)

static inline void inverse_lower_layers(int32x4_t v[BLOCK], int32x4x4_t z)
{
    INVERSE_BUTTERFLY(v[0], v[1], z, 3);
    INVERSE_BUTTERFLY(v[2], v[3], z, 4);
    INVERSE_BUTTERFLY(v[4], v[5], z, 5);
    INVERSE_BUTTERFLY(v[6], v[7], z, 6);
    for (size_t i = 0; i < 2; i++) INVERSE_BUTTERFLY(v[i], v[i + 2], z, 1);
    for (size_t i = 4; i < 6; i++) INVERSE_BUTTERFLY(v[i], v[i + 2], z, 2);
}

/* Each layer doubles sums. |v| < 1435 M before the reduction. Out: |v| < 2.4 q. */
static inline void inverse_second_pass(int32_t r[BLOCK][4], const lk_negacyclic_factors *factors)
{
    const int32x4x4_t z = load_factors(factors);
    int32x4_t v[BLOCK];
    for (size_t i = 0; i < BLOCK; i++) v[i] = vld1q_s32(r[i]);
    inverse_lower_layers(v, z);
    for (size_t i = 0; i < 4; i++) INVERSE_BUTTERFLY(v[i], v[i + 4], z, 0);
    v[0] = reduce(v[0]);
    for (size_t i = 0; i < BLOCK; i++) vst1q_s32(r[i], v[i]);
}

/* v[0] and v[4] would be up to 9.4 q; with them reduced the sums of the last layer are less than 102 M. The scaling,
 * with which all is multiplied at last, leaves |v| < 24.3 M, where v = x modulo q. As |x| < 21 M, v is x itself. */
static inline void inverse_first_pass_half(int32x4_t v[BLOCK], int32x4x4_t z)
{
    inverse_lower_layers(v, z);
    v[0] = reduce(v[0]);
    v[4] = reduce(v[4]);
    for (size_t i = 0; i < 4; i++) {
        INVERSE_BUTTERFLY(v[i], v[i + 4], z, 0);
        v[i] = TIMES_FACTOR(v[i], z, 7);
    }
}

static inline void inverse_first_pass(lk_negacyclic_poly *h, int32_t r[REGISTERS][4], size_t i)
{
    const int32x4x4_t z = load_factors(&lk_negacyclic_inverse_neon.first);
    int32x4_t low[BLOCK], high[BLOCK];
    for (size_t k = 0; k < BLOCK; k++) {
        const int32x4x2_t both = vld1q_s32_x2(r[BLOCK * k + 2 * i]);
        low[k] = both.val[0];
        high[k] = both.val[1];
    }
    inverse_first_pass_half(low, z);
    inverse_first_pass_half(high, z);
    for (size_t k = 0; k < BLOCK; k++) {
        const int16x8_t words = vuzp1q_s16(vreinterpretq_s16_s32(low[k]), vreinterpretq_s16_s32(high[k]));
        vst1q_u16(&h->c[32 * k + 8 * i], vreinterpretq_u16_s16(words));
    }
}

void lk_negacyclic_inner_product_neon(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch)
{
    int32_t(*r)[4] = scratch;
    switch (l) {
    case 2: multiply_all(r, f, g, 2); break;
    case 3: multiply_all(r, f, g, 3); break;
    case 4: multiply_all(r, f, g, 4); break;
    default: multiply_all(r, f, g, l); break;
    }
    for (size_t i = 0; i < BLOCK; i++) inverse_second_pass(&r[BLOCK * i], &lk_negacyclic_inverse_neon.second[i]);
    for (size_t i = 0; i < 4; i++) inverse_first_pass(h, r, i);
}
