/* Small operations and conversions of polynomials modulo X^n - 1 as loops that compilers vectorise: portable.c has
 * them, and so has a backend that compiles them again with its instructions. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_CYCLIC_CODING_H
#define LK_RING_CYCLIC_CODING_H

#include "ring/cyclic/kernels.h"
#include "ring/ternary/mod3.h"
#include "shared/ct.h"

/* ---- Trits ---- */

/* 0, 1, 2 become 0, 1, -1. */
static inline uint16_t lk_cyclic_centred(uint8_t t)
{
    return (uint16_t)(t - 3u * (t >> 1));
}

static void lk_cyclic_from_trits(lk_cyclic_poly *restrict f, const lk_trits *restrict t, size_t n, unsigned scale)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i++) f->c[i] = (uint16_t)(scale * lk_cyclic_centred(t->c[i]));
}

/* c + q/2 for c in [-q/2, q/2) is not negative, and the difference of two coefficients is that of two such numbers. Modulo
 * Phi subtracts the last coefficient, or adds twice it. */
static void lk_cyclic_mod3(lk_trits *restrict t, const lk_cyclic_poly *restrict f, size_t n, unsigned bits)
{
    const uint16_t mask = (uint16_t)((1u << bits) - 1), half = (uint16_t)(1u << (bits - 1));
    const uint16_t last = (uint16_t)(2 * lk_mod3((uint16_t)((f->c[n - 1] + half) & mask)));
    for (size_t i = 0; i < n - 1; i++) t->c[i] = (uint8_t)lk_mod3((uint16_t)(((f->c[i] + half) & mask) + last));
    for (size_t i = n - 1; i < lk_cyclic_places(n); i++) t->c[i] = 0;
}

/* -1, 0 and 1 plus two are 1, 2 and 3, and no other number modulo 2^bits plus two is below four. The trits of these three,
 * and some of all others, are the lowest bit and once more that bit where the second is set too. */
static uint32_t lk_cyclic_to_trits(lk_trits *restrict t, const lk_cyclic_poly *restrict f, size_t n, unsigned bits)
{
    const uint16_t mask = (uint16_t)((1u << bits) - 1);
    uint16_t above = 0;
    for (size_t i = 0; i < lk_cyclic_places(n); i++) {
        const uint16_t c = f->c[i], odd = c & 1;
        above |= (uint16_t)(((c + 1) & mask) + 1);
        t->c[i] = (uint8_t)(odd + (odd & c >> 1));
    }
    return lk_ct_nonzero(above >> 2);
}

/* ---- Small operations ---- */

static void lk_cyclic_times_x_minus_1(lk_cyclic_poly *f, size_t n)
{
    const uint16_t last = f->c[n - 1];
    for (size_t i = n - 1; i > 0; i--) f->c[i] = (uint16_t)(f->c[i - 1] - f->c[i]);
    f->c[0] = (uint16_t)(last - f->c[0]);
}

static void lk_cyclic_two_minus(lk_cyclic_poly *f, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i++) f->c[i] = (uint16_t)(0u - f->c[i]);
    f->c[0] = (uint16_t)(f->c[0] + 2);
}

static void lk_cyclic_add(lk_cyclic_poly *restrict f, const lk_cyclic_poly *restrict g, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i++) f->c[i] = (uint16_t)(f->c[i] + g->c[i]);
}

static void lk_cyclic_sub(lk_cyclic_poly *restrict f, const lk_cyclic_poly *restrict g, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i++) f->c[i] = (uint16_t)(f->c[i] - g->c[i]);
}

static void lk_cyclic_mod_phi(lk_cyclic_poly *f, size_t n)
{
    const uint16_t last = f->c[n - 1];
    for (size_t i = 0; i < n; i++) f->c[i] = (uint16_t)(f->c[i] - last);
}

static void lk_cyclic_sum_zero(lk_cyclic_poly *f, size_t n)
{
    uint16_t sum = 0;
    for (size_t i = 0; i < n - 1; i++) sum = (uint16_t)(sum + f->c[i]);
    f->c[n - 1] = (uint16_t)(0u - sum);
}

/* Their places in a table. */
#define LK_CYCLIC_CODING                                                                                               \
    .from_trits = lk_cyclic_from_trits, .mod3 = lk_cyclic_mod3, .to_trits = lk_cyclic_to_trits,                        \
    .times_x_minus_1 = lk_cyclic_times_x_minus_1, .two_minus = lk_cyclic_two_minus, .add = lk_cyclic_add,              \
    .sub = lk_cyclic_sub, .mod_phi = lk_cyclic_mod_phi, .sum_zero = lk_cyclic_sum_zero

#endif
