/* Bit planes and division steps, for the inversions in portable C: polynomials with one coefficient a bit, coefficient
 * i as bit i % 64 of word i / 64.
 *
 * The division steps of Bernstein and Yang (ePrint 2019/266) are the same for every field. D = n - 1 is the degree of
 * Phi, F begins as Phi and G as f, both reversed, the cofactors V and W as 0 and 1. A step multiplies V by X, exchanges
 * F with G and V with W if delta is positive and G's constant g is not 0, and takes from G the multiple of F, and from
 * W that of V, that makes G's constant 0; G is then divided by X. After 2 D - 1 steps V, reversed, is F's constant
 * times the inverse.
 *
 * Two things keep the arrays short. A step divides by X, so that before step i (from 0) only the low 2 D - 1 - i
 * coefficients of F and G can still matter. And V and W have degree i + 1 at most after it: they are kept reversed and
 * aligned to the upper end, so that X is a shift down for V as well, and end in the order of the result.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_BITS_H
#define LK_RING_TERNARY_BITS_H

#include "ring/ternary/kernels.h"
#include "shared/ct.h"

typedef struct {
    uint64_t w[LK_CYCLIC_PLACES / 64];
} lk_plane;

/* lk_plane_shift_down divides by X: words words; the last takes its upper bit from above. */
static inline void lk_plane_shift_down(uint64_t *p, size_t words, uint64_t above)
{
    for (size_t i = 0; i + 1 < words; i++) p[i] = p[i] >> 1 | p[i + 1] << 63;
    p[words - 1] = p[words - 1] >> 1 | above << 63;
}

/* lk_plane_bit returns bit i. */
static inline uint32_t lk_plane_bit(const lk_plane *p, size_t i)
{
    return (uint32_t)(p->w[i / 64] >> (i % 64)) & 1;
}

/* lk_mask64 returns all ones if bit is 1 and 0 if it is 0, in a way that the optimiser cannot turn into a branch. */
static inline uint64_t lk_mask64(uint32_t bit)
{
    return (uint64_t)0 - lk_barrier(bit);
}

static inline size_t lk_divstep_count(size_t n)
{
    return 2 * (n - 1) - 1;
}

/* Words of F and G that matter in step i, from the lower end. */
static inline size_t lk_divstep_words_fg(size_t n, size_t i)
{
    const size_t words = (lk_divstep_count(n) - i + 63) / 64, all = lk_cyclic_units(n);
    return words < all ? words : all;
}

/* Words of V and W that matter in step i, from the upper end. */
static inline size_t lk_divstep_words_vw(size_t n, size_t i)
{
    const size_t words = (i + 1) / 64 + 1, all = lk_cyclic_units(n);
    return words < all ? words : all;
}

/* lk_divstep_swap returns 1 if the step exchanges; nonzero is 1 if G's constant is not 0, else 0. Updates delta; its
 * absolute value stays below 2^12. */
static inline uint32_t lk_divstep_swap(uint32_t *delta, uint32_t nonzero)
{
    const uint32_t positive = (0 - *delta) >> 31, swap = positive & nonzero, negate = 0 - lk_barrier(swap);
    *delta = ((*delta ^ negate) - negate) + 1;
    return swap;
}

#endif
