/* Sampling and lifting of NTRU's small polynomials as loops that compilers vectorise: portable.c has them, and so has a
 * backend that compiles them again with its instructions. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_SAMPLING_H
#define LK_RING_TERNARY_SAMPLING_H

#include <string.h>

#include "ring/ternary/kernels.h"
#include "ring/ternary/mod3.h"
#include "shared/ct.h"

/* Zeroes places from first on to the end of the last unit. */
static void lk_ternary_pad(lk_trits *t, size_t first, size_t n)
{
    memset(t->c + first, 0, lk_cyclic_places(n) - first);
}

/* ---- Sampling ---- */

static void lk_ternary_sample_iid(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    for (size_t i = 0; i < n - 1; i++) t->c[i] = (uint8_t)lk_mod3(in[i]);
    lk_ternary_pad(t, n - 1, n);
}

/* Marks the first w words; their low two bits are 0. */
static inline void lk_ternary_tag(lk_ternary_words *a, size_t w)
{
    for (size_t i = 0; i < w / 2; i++) a->c[i] |= 1;
    for (size_t i = w / 2; i < w; i++) a->c[i] |= 2;
}

/* The product of trits a and b as 0, 1 or -1 is nonzero where both are, and negative where one of them is 2. */
static void lk_ternary_make_nonnegative(lk_trits *t, size_t n)
{
    uint16_t sum = 0;
    for (size_t i = 0; i < n - 1; i++) {
        const uint16_t a = t->c[i], b = t->c[i + 1];
        const uint16_t nonzero = (uint16_t)((a | a >> 1) & (b | b >> 1) & 1),
                       minus = (uint16_t)(nonzero & (a ^ b) >> 1);
        sum = (uint16_t)(sum + nonzero - 2 * minus);
    }
    const uint8_t negate = (uint8_t)(0 - lk_barrier(sum >> 15));
    for (size_t i = 0; i < n; i += 2) {
        const uint8_t c = t->c[i], negated = (uint8_t)((c << 1 | c >> 1) & 3);
        t->c[i] = (uint8_t)(c ^ ((c ^ negated) & negate));
    }
}

static void lk_ternary_words_to_trits(lk_trits *restrict t, const lk_ternary_words *restrict a, size_t n)
{
    for (size_t i = 0; i < n - 1; i++) t->c[i] = (uint8_t)(a->c[i] & 3);
    lk_ternary_pad(t, n - 1, n);
}

/* Bytes count for a unit at a time: 13 trits at most. */
static uint32_t lk_ternary_weight_differs(const lk_trits *t, size_t n, size_t w)
{
    uint8_t some_ones[LK_CYCLIC_UNIT] = {0}, some_twos[LK_CYCLIC_UNIT] = {0};
    uint16_t ones = 0, twos = 0;
    for (size_t i = 0; i < n; i += LK_CYCLIC_UNIT)
        for (size_t j = 0; j < LK_CYCLIC_UNIT; j++) {
            some_ones[j] = (uint8_t)(some_ones[j] + (t->c[i + j] & 1));
            some_twos[j] = (uint8_t)(some_twos[j] + (t->c[i + j] >> 1));
        }
    for (size_t j = 0; j < LK_CYCLIC_UNIT; j++) {
        ones = (uint16_t)(ones + some_ones[j]);
        twos = (uint16_t)(twos + some_twos[j]);
    }
    return lk_ct_nonzero((uint32_t)(ones ^ (w / 2)) | (uint32_t)(twos ^ (w / 2)));
}

/* ---- Lift ---- */

/* b_i = -(t_0 + ... + t_i + (i + 1) s) with s = t_0 + ... + t_(n-2), all modulo 3. Only the sums depend on each other:
 * kept for a unit at a time, they leave the rest to vectors. */
static void lk_ternary_lift_quotient(lk_trits *restrict b, const lk_trits *restrict t, size_t n)
{
    uint16_t s = 0, sum = 0, sums[LK_CYCLIC_UNIT];
    for (size_t i = 0; i < n - 1; i++) s = (uint16_t)(s + t->c[i]);
    s = lk_mod3(s);
    for (size_t i = 0; i < n; i += LK_CYCLIC_UNIT) {
        for (size_t j = 0; j < LK_CYCLIC_UNIT; j++) sums[j] = sum = (uint16_t)(sum + t->c[i + j] + s);
        for (size_t j = 0; j < LK_CYCLIC_UNIT; j++) b->c[i + j] = (uint8_t)lk_mod3((uint16_t)(2 * sums[j]));
    }
    lk_ternary_pad(b, n - 1, n);
}

/* Their places in a table. */
#define LK_TERNARY_SAMPLING                                                                                            \
    .sample_iid = lk_ternary_sample_iid, .make_nonnegative = lk_ternary_make_nonnegative,                              \
    .words_to_trits = lk_ternary_words_to_trits, .weight_differs = lk_ternary_weight_differs,                          \
    .lift_quotient = lk_ternary_lift_quotient

#endif
