/* Multiplication modulo X^n - 1 in portable C, in 16-bit words of which 13 bits come out right (toom.h).
 *
 * A polynomial has s units of 64 places. Toom-Cook splits it into four limbs of 16 s places; four layers of Karatsuba, which
 * are striding (even and odd exponents), leave 7 * 81 products of s coefficients each, independent of each other. The
 * product has twice the places, and what stands at n and above is added back.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ring/pow2/portable.h"
#include "ring/pow2/toom.h"

enum {
    POINTS = LK_TOOM_POINTS,
    LANES = LK_TOOM_LANES,
    PRODUCT_LANES = 3 * LANES, /* of the fourth layer of Karatsuba, which is left to the multiplication */
    TERMS_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT
};

/* An evaluated polynomial has 2 s rows of LANES words; row i holds coefficient i of all pieces. */
_Static_assert(2 * LANES * sizeof(uint16_t) <= LK_CYCLIC_EVALUATED_UNIT_C, "");

/* Scratch memory in words for each unit: the products' rows and, for the layers of interpolation to use in turn, the rows
 * after one of them. */
enum { FIRST = 2 * PRODUCT_LANES, SECOND = 4 * LANES };
_Static_assert((FIRST + SECOND) * sizeof(uint16_t) <= LK_CYCLIC_SCRATCH_UNIT_C, "");

void lk_cyclic_evaluate_c(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    const size_t units = lk_cyclic_units(n);
    uint16_t *rows = e, (*values)[POINTS] = scratch;
    lk_toom_evaluate(values, f->c, 16 * units);
    for (size_t i = 0; i < 2 * units; i++) lk_karatsuba_evaluate(rows + LANES * i, values[8 * i]);
}

/* ---- Multiplication ---- */

/* out = f[0] g[0] + f[1] g[-1] + ... for every lane, rows of f and g standing stride words apart. Unsigned words of 32 bits
 * wrap where int would overflow. */
static inline void convolve(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                            size_t stride, size_t terms)
{
    for (size_t p = 0; p < LANES; p++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < terms; i++) sum += (uint32_t)f[stride * i + p] * *(g + p - stride * i);
        out[p] = (uint16_t)sum;
    }
}

/* The compiler makes straight code of each number of terms. */
static inline void convolve_terms(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                                  size_t stride, size_t terms)
{
    switch (terms) {
    case 1: convolve(out, f, g, stride, 1); break;
    case 2: convolve(out, f, g, stride, 2); break;
    case 3: convolve(out, f, g, stride, 3); break;
    case 4: convolve(out, f, g, stride, 4); break;
    case 5: convolve(out, f, g, stride, 5); break;
    case 6: convolve(out, f, g, stride, 6); break;
    case 7: convolve(out, f, g, stride, 7); break;
    case 8: convolve(out, f, g, stride, 8); break;
    case 9: convolve(out, f, g, stride, 9); break;
    case 10: convolve(out, f, g, stride, 10); break;
    case 11: convolve(out, f, g, stride, 11); break;
    case 12: convolve(out, f, g, stride, 12); break;
    default: convolve(out, f, g, stride, TERMS_MAX); break;
    }
}

/* The 2 s - 1 rows of the product of pieces of s rows. */
static void multiply(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g, size_t stride,
                     size_t s)
{
    for (size_t k = 0; k < s; k++) convolve_terms(out + PRODUCT_LANES * k, f, g + stride * k, stride, k + 1);
    for (size_t k = s; k < 2 * s - 1; k++)
        convolve_terms(out + PRODUCT_LANES * k, f + stride * (k + 1 - s), g + stride * (s - 1), stride, 2 * s - 1 - k);
}

/* Adds even and odd rows. */
static void add_rows(uint16_t *restrict out, const uint16_t *restrict f, size_t s)
{
    for (size_t i = 0; i < s; i++)
        for (size_t p = 0; p < LANES; p++)
            out[LANES * i + p] = (uint16_t)(f[2 * LANES * i + p] + f[2 * LANES * i + LANES + p]);
}

/* ---- Interpolation ---- */

/* One layer of Karatsuba: rows of three blocks of lanes, the products of even parts, of odd parts and of sums, become twice
 * as many rows of one block, and one more. */
static inline void karatsuba_interpolate(uint16_t *restrict out, const uint16_t *restrict in, size_t rows, size_t lanes)
{
    const uint16_t *even = in, *odd_before = NULL;
    for (size_t i = 0; i < rows; i++) {
        const uint16_t *odd = even + lanes, *sum = odd + lanes;
        for (size_t p = 0; p < lanes; p++) {
            out[p] = odd_before ? (uint16_t)(even[p] + odd_before[p]) : even[p];
            out[lanes + p] = (uint16_t)(sum[p] - even[p] - odd[p]);
        }
        odd_before = odd;
        even += 3 * lanes;
        out += 2 * lanes;
    }
    memcpy(out, odd_before, lanes * sizeof *out);
}

/* h = product modulo X^n - 1 from the limbs of 2 limb - 1 coefficients each: even ones stand side by side at even, odd ones
 * at odd, and count limb places further. */
static void fold(lk_cyclic_poly *restrict h, uint16_t *restrict even, const uint16_t *restrict odd, size_t limb,
                 size_t n)
{
    for (size_t i = 0; i < 6 * limb; i++) even[limb + i] = (uint16_t)(even[limb + i] + odd[i]);
    for (size_t i = 0; i < n; i++) h->c[i] = (uint16_t)(even[i] + even[n + i]);
    for (size_t i = n; i < 4 * limb; i++) h->c[i] = 0;
}

static void interpolate(lk_cyclic_poly *restrict h, uint16_t *restrict a, uint16_t *restrict b, size_t n)
{
    const size_t s = lk_cyclic_units(n), limb = 16 * s;
    uint16_t limbs[7][8], columns[POINTS][8];
    karatsuba_interpolate(b, a, 2 * s - 1, LANES);
    karatsuba_interpolate(a, b, 4 * s - 1, LANES / 3);
    karatsuba_interpolate(b, a, 8 * s - 1, LANES / 9);
    karatsuba_interpolate(a, b, 16 * s - 1, POINTS);
    memset(a + POINTS * (2 * limb - 1), 0, POINTS * sizeof *a);

    uint16_t *even = b, *odd = a + POINTS * 2 * limb;
    for (size_t j = 0; j < 2 * limb; j += 8) {
        lk_toom_transpose(columns, (const uint16_t(*)[POINTS])(a + POINTS * j));
        lk_toom_interpolate(limbs[0], limbs[4], 8, (const uint16_t(*)[8])columns);
        for (size_t k = 0; k < 7; k++)
            memcpy((k % 2 == 0 ? even + limb * k : odd + limb * (k - 1)) + j, limbs[k], sizeof limbs[k]);
    }
    fold(h, even, odd, limb, n);
}

void lk_cyclic_product_c(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                         void *restrict scratch)
{
    const size_t s = lk_cyclic_units(n);
    uint16_t *first = scratch, *second = first + FIRST * s;
    const uint16_t *left = f, *right = g;
    multiply(first, left, right, 2 * LANES, s);
    multiply(first + LANES, left + LANES, right + LANES, 2 * LANES, s);
    add_rows(second, left, s);
    add_rows(second + LANES * s, right, s);
    multiply(first + 2 * LANES, second, second + LANES * s, LANES, s);
    interpolate(h, first, second, n);
}
