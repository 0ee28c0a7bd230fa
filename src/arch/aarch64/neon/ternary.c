/* Sampling and lifting of NTRU's small polynomials for NEON. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/neon/ternary.h"

#include <arm_neon.h>
#include <string.h>

#include "base/ct.h"

enum { VECTOR = 16 };

/* Zeroes places from first on to the end of the last unit. */
static void pad(lk_trits *t, size_t first, size_t n)
{
    memset(t->c + first, 0, lk_cyclic_places(n) - first);
}

/* ---- Sampling ---- */

/* 16 is 1 modulo 3: the sum of a byte's halves, 30 at most, will do. */
static inline uint8x16_t mod3(uint8x16_t x)
{
    const uint8x16x2_t residues = {
        {{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}, {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}}};
    return vqtbl2q_u8(residues, vsraq_n_u8(vandq_u8(x, vdupq_n_u8(15)), x, 4));
}

/* The last vector ends with the last byte. */
void lk_ternary_sample_iid_neon(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const size_t last = n - 1 - VECTOR;
    for (size_t i = 0; i < last; i += VECTOR) vst1q_u8(t->c + i, mod3(vld1q_u8(in + i)));
    vst1q_u8(t->c + last, mod3(vld1q_u8(in + last)));
    pad(t, n - 1, n);
}

/* 0, 1, -1. */
static inline int8x16_t as_signed(uint8x16_t trits)
{
    const int8x16_t values = {0, 1, -1};
    return vqtbl1q_s8(values, trits);
}

/* A sum of fewer than 128 products 0, 1, -1 is in a byte. Behind t_(n-1) = 0 stand zeros. */
void lk_ternary_make_nonnegative_neon(lk_trits *t, size_t n)
{
    const uint8x16_t zeros = vdupq_n_u8(0), even = vreinterpretq_u8_u16(vdupq_n_u16(0x00FF));
    const uint8x16_t negatives = {0, 2, 1};
    const size_t places = lk_cyclic_places(n);
    int8x16_t sums = vdupq_n_s8(0);
    uint8x16_t trits = vld1q_u8(t->c);
    for (size_t i = 0; i < places; i += VECTOR) {
        const uint8x16_t next = i + VECTOR < places ? vld1q_u8(t->c + i + VECTOR) : zeros;
        sums = vmlaq_s8(sums, as_signed(trits), as_signed(vextq_u8(trits, next, 1)));
        trits = next;
    }
    const uint32_t negative = (uint32_t)(int32_t)vaddlvq_s8(sums) >> 31;
    const uint8x16_t negate = vandq_u8(even, vdupq_n_u8((uint8_t)(0 - lk_barrier(negative))));
    for (size_t i = 0; i < places; i += VECTOR) {
        const uint8x16_t x = vld1q_u8(t->c + i);
        vst1q_u8(t->c + i, vbslq_u8(negate, vqtbl1q_u8(negatives, x), x));
    }
}

static inline uint16x8_t low_halves(const int32_t *words)
{
    const uint16x8_t low = vreinterpretq_u16_s32(vld1q_s32(words)), high = vreinterpretq_u16_s32(vld1q_s32(words + 4));
    return vuzp1q_u16(low, high);
}

void lk_ternary_words_to_trits_neon(lk_trits *restrict t, const lk_ternary_words *restrict a, size_t n)
{
    for (size_t i = 0; i < n - 1; i += VECTOR) {
        const uint8x16_t low = vreinterpretq_u8_u16(low_halves(a->c + i));
        const uint8x16_t high = vreinterpretq_u8_u16(low_halves(a->c + i + 8));
        vst1q_u8(t->c + i, vandq_u8(vuzp1q_u8(low, high), vdupq_n_u8(3)));
    }
    pad(t, n - 1, n);
}

uint32_t lk_ternary_weight_differs_neon(const lk_trits *t, size_t n, size_t w)
{
    uint8x16_t ones = vdupq_n_u8(0), twos = vdupq_n_u8(0);
    for (size_t i = 0; i < n; i += VECTOR) {
        const uint8x16_t trits = vld1q_u8(t->c + i);
        ones = vaddq_u8(ones, vandq_u8(trits, vdupq_n_u8(1)));
        twos = vsraq_n_u8(twos, trits, 1);
    }
    return lk_ct_nonzero((uint32_t)(vaddlvq_u8(ones) ^ (w / 2)) | (uint32_t)(vaddlvq_u8(twos) ^ (w / 2)));
}

/* ---- Lift ---- */

/* In all lanes. */
static uint8x16_t sum_mod3(const lk_trits *t, size_t n)
{
    uint8x16_t sums = vdupq_n_u8(0);
    for (size_t i = 0; i < n; i += VECTOR) sums = vaddq_u8(sums, vld1q_u8(t->c + i));
    return mod3(vdupq_n_u8(vaddvq_u8(mod3(sums))));
}

/* Lane i: the sum of the lanes up to i. */
static inline uint8x16_t sums_up_to(uint8x16_t x)
{
    const uint8x16_t zeros = vdupq_n_u8(0);
    x = vaddq_u8(x, vextq_u8(zeros, x, 15));
    x = vaddq_u8(x, vextq_u8(zeros, x, 14));
    x = vaddq_u8(x, vextq_u8(zeros, x, 12));
    return vaddq_u8(x, vextq_u8(zeros, x, 8));
}

/* b_i = -(t_0 + ... + t_i + (i + 1) s) with s = t_0 + ... + t_(n-2), all modulo 3. Less b_(i-1), which stands for the sums
 * of the vectors before, the sums in a vector are between 1 and 37: 32 from trits, 2 from multiples of s, 3 = 0. */
void lk_ternary_lift_quotient_neon(lk_trits *restrict b, const lk_trits *restrict t, size_t n)
{
    const uint8x16x3_t negatives = {{{0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0},
                                     {2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2},
                                     {1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1}}};
    const uint8x16_t numbers = {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1};
    const uint8x16_t multiples = vaddq_u8(mod3(vmulq_u8(numbers, sum_mod3(t, n))), vdupq_n_u8(3));
    uint8x16_t before = vdupq_n_u8(0);
    for (size_t i = 0; i < n; i += VECTOR) {
        const uint8x16_t sums = vaddq_u8(sums_up_to(vld1q_u8(t->c + i)), multiples);
        const uint8x16_t quotient = vqtbl3q_u8(negatives, vsubq_u8(sums, before));
        vst1q_u8(b->c + i, quotient);
        before = vdupq_laneq_u8(quotient, 15);
    }
    pad(b, n - 1, n);
}
