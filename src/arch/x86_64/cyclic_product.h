/* Multiplication modulo X^n - 1 in vectors of 16-bit words, for any vector instructions; 13 bits of a word come out
 * right.
 *
 * A polynomial has 64 s places. Toom-Cook splits it into four limbs of 16 s places (ring/toom_formulas.h), two
 * layers of Karatsuba each limb into four quarters of 4 s. That makes 63 pieces, which are transposed: row r holds
 * coefficient r of all of them. There, two more layers of Karatsuba leave products of s by s coefficients, for every
 * lane on its own. The products' rows are transposed back, and everything else is done along the places.
 *
 * The file that includes this has included its backend's vec.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_CYCLIC_PRODUCT_H
#define LK_ARCH_X86_64_CYCLIC_PRODUCT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arch/compilers.h"
#include "ring/cyclic/kernels.h"

#define TOOM_WORD vec
#define PLUS(x, y) v_add(x, y)
#define MINUS(x, y) v_sub(x, y)
#define SHL(x, n) v_shl(x, n)
#define SHR(x, n) v_shr(x, n)
#define ADD_SHL(x, y, n) v_add(x, v_shl(y, n))
#define SUB_SHL(x, y, n) v_sub(x, v_shl(y, n))
#define HALF_SUM(x, y) v_shr(v_add(x, y), 1)
#define HALF_DIFFERENCE(x, y) v_shr(v_sub(x, y), 1)
#define TIMES(x, c) v_mullo(x, v_set(c))
#include "ring/toom_formulas.h"

enum {
    PIECES = 64, /* the last is 0 */
    TOOM_VALUES = 7,
    COLUMNS = PIECES / LANES,
    PER_POINT = 9 /* pieces */
};

/* Bytes for each unit. An evaluated polynomial is COLUMNS matrices of 4 s rows of LANES words. Scratch memory holds the
 * product's rows and later its limbs, its values at Toom-Cook's points in two parts, and a square of pieces; before
 * there are values, the inner layers of Karatsuba have their place. */
enum {
    EVALUATED_UNIT = 4 * PIECES * sizeof(uint16_t),
    ROWS_UNIT = 2 * EVALUATED_UNIT,
    VALUES_UNIT = 32 * TOOM_VALUES * sizeof(uint16_t),
    SQUARE_UNIT = PIECES * LANES * sizeof(uint16_t) / 8, /* the smallest n has 8 units */
    SCRATCH_UNIT = ROWS_UNIT + 2 * VALUES_UNIT + SQUARE_UNIT
};

_Static_assert((size_t)EVALUATED_UNIT <= LK_CYCLIC_EVALUATED_UNIT_MAX, "");
_Static_assert(12 * LANES * sizeof(uint16_t) <= 2 * (size_t)VALUES_UNIT, "multiply_column's spare rows");

/* Columns of LANES words, from the first on, a multiple of 8, become rows. */
static ALWAYS_INLINE void transpose_from(size_t first, uint16_t *restrict out, size_t out_stride,
                                         const uint16_t *restrict in, size_t in_stride)
{
    for (size_t c = first; c < LANES; c += 8) {
        vec a[8], b[8];
        for (size_t r = 0; r < 8; r++) a[r] = v_blocks(in + c + in_stride * r, 8 * in_stride * sizeof *in);
        for (size_t r = 0; r < 8; r += 2) {
            b[r] = V_UNPACK_LOW(16, a[r], a[r + 1]);
            b[r + 1] = V_UNPACK_HIGH(16, a[r], a[r + 1]);
        }
        for (size_t r = 0; r < 8; r += 4)
            for (size_t k = 0; k < 2; k++) {
                a[r + 2 * k] = V_UNPACK_LOW(32, b[r + k], b[r + 2 + k]);
                a[r + 2 * k + 1] = V_UNPACK_HIGH(32, b[r + k], b[r + 2 + k]);
            }
        for (size_t k = 0; k < 4; k++) {
            v_store(out + out_stride * (c + 2 * k), V_UNPACK_LOW(64, a[k], a[4 + k]));
            v_store(out + out_stride * (c + 2 * k + 1), V_UNPACK_HIGH(64, a[k], a[4 + k]));
        }
    }
}

static inline void transpose(uint16_t *restrict out, size_t out_stride, const uint16_t *restrict in, size_t in_stride)
{
    transpose_from(0, out, out_stride, in, in_stride);
}

/* Vectors begin at multiples of LANES; the last one of length words ends with them, and repeats some. */
static inline size_t begin_of(size_t at, size_t length)
{
    return at + LANES <= length ? at : length - LANES;
}

/* ---- Evaluation ---- */

static inline void evaluate_place(vec values[TOOM_VALUES], const uint16_t *f, size_t limb)
{
    lk_toom_values(values, v_load(f), v_load(f + limb), v_load(f + 2 * limb), v_load(f + 3 * limb));
}

/* The nine pieces of four quarters. */
static inline void evaluate_karatsuba(uint16_t *out, vec q0, vec q1, vec q2, vec q3)
{
    const vec q01 = v_add(q0, q1), q23 = v_add(q2, q3);
    v_store(out, q0);
    v_store(out + LANES, q1);
    v_store(out + 2 * LANES, q2);
    v_store(out + 3 * LANES, q3);
    v_store(out + 4 * LANES, q01);
    v_store(out + 5 * LANES, q23);
    v_store(out + 6 * LANES, v_add(q0, q2));
    v_store(out + 7 * LANES, v_add(q1, q3));
    v_store(out + 8 * LANES, v_add(q01, q23));
}

static ALWAYS_INLINE void evaluate_limbs(uint16_t *restrict e, const uint16_t *restrict f, size_t s,
                                         uint16_t *restrict square)
{
    const size_t quarter = 4 * s, limb = 16 * s;
    v_store(square + LANES * (PIECES - 1), v_zero());
    for (size_t at = 0; at < quarter; at += LANES) {
        const size_t begin = begin_of(at, quarter);
        vec values[4][TOOM_VALUES];
        for (size_t k = 0; k < 4; k++) evaluate_place(values[k], f + quarter * k + begin, limb);
        for (size_t p = 0; p < TOOM_VALUES; p++)
            evaluate_karatsuba(square + LANES * PER_POINT * p, values[0][p], values[1][p], values[2][p], values[3][p]);
        for (size_t c = 0; c < COLUMNS; c++) {
            uint16_t *rows = e + LANES * (quarter * c + begin);
            const uint16_t *pieces = square + LANES * LANES * c;
            if (LANES < 32 || begin == at)
                transpose(rows, LANES, pieces, LANES);
            else /* what repeats need not be written twice, which pays for long vectors */
                transpose_from((at - begin) & ~(size_t)7, rows, LANES, pieces, LANES);
        }
    }
}

/* ---- Products of columns ---- */

/* out = f g for s rows each and 2 s - 1 rows of out. Bounds that compilers know make straight code of each s. */
static ALWAYS_INLINE void multiply_rows(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                                        size_t s)
{
    UNROLL
    for (size_t k = 0; k < 2 * s - 1; k++) {
        vec sum = v_zero();
        UNROLL
        for (size_t i = 0; i < s; i++)
            if (i <= k && k < s + i) sum = v_add(sum, v_mullo(v_load(f + LANES * i), v_load(g + LANES * (k - i))));
        v_store(out + LANES * k, sum);
    }
}

static void multiply_8(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g)
{
    multiply_rows(out, f, g, 8);
}

static void multiply_11(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g)
{
    multiply_rows(out, f, g, 11);
}

static void multiply_13(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g)
{
    multiply_rows(out, f, g, 13);
}

typedef void multiply_fn(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g);

static inline void add_rows(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g, size_t rows)
{
    for (size_t i = 0; i < LANES * rows; i += LANES) v_store(out + i, v_add(v_load(f + i), v_load(g + i)));
}

/* The end of Karatsuba: out has the products of the lower and of the upper halves, middle that of the sums, each in 2 h
 * rows without the last. */
static inline void combine(uint16_t *restrict out, uint16_t *restrict middle, size_t h)
{
    uint16_t *second = out + LANES * h, *third = second + LANES * h, *last = third + LANES * h;
    v_store(third - LANES, v_zero());
    v_store(last + LANES * (h - 1), v_zero());
    v_store(middle + LANES * (2 * h - 1), v_zero());
    for (size_t i = 0; i < LANES * h; i += LANES) {
        const vec difference = v_sub(v_load(second + i), v_load(third + i));
        v_store(second + i, v_add(difference, v_sub(v_load(middle + i), v_load(out + i))));
        v_store(third + i, v_sub(v_load(middle + LANES * h + i), v_add(difference, v_load(last + i))));
    }
}

/* 2 s rows each; spare has 4 s rows. */
static inline void multiply_halves(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                                   uint16_t *restrict spare, size_t s, multiply_fn *multiply)
{
    uint16_t *f_sums = spare, *g_sums = spare + LANES * s, *middle = spare + 2 * LANES * s;
    add_rows(f_sums, f, f + LANES * s, s);
    add_rows(g_sums, g, g + LANES * s, s);
    multiply(out, f, g);
    multiply(out + LANES * 2 * s, f + LANES * s, g + LANES * s);
    multiply(middle, f_sums, g_sums);
    combine(out, middle, s);
}

/* 4 s rows each; spare has 12 s rows. */
static inline void multiply_column(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                                   uint16_t *restrict spare, size_t s, multiply_fn *multiply)
{
    uint16_t *f_sums = spare, *g_sums = spare + LANES * 2 * s, *middle = spare + LANES * 4 * s;
    uint16_t *inner = spare + LANES * 8 * s;
    add_rows(f_sums, f, f + LANES * 2 * s, 2 * s);
    add_rows(g_sums, g, g + LANES * 2 * s, 2 * s);
    multiply_halves(out, f, g, inner, s, multiply);
    multiply_halves(out + LANES * 4 * s, f + LANES * 2 * s, g + LANES * 2 * s, inner, s, multiply);
    multiply_halves(middle, f_sums, g_sums, inner, s, multiply);
    combine(out, middle, 2 * s);
}

/* ---- Interpolation ---- */

/* Of the nine products of a point, at LANES places of 8 s, the seven coefficients of Karatsuba's result, which are 4 s
 * places apart: even ones side by side at even, odd ones at odd. */
static inline void interpolate_karatsuba(uint16_t *restrict even, uint16_t *restrict odd, const uint16_t *restrict in,
                                         size_t s)
{
    const vec p0 = v_load(in), p1 = v_load(in + LANES), p2 = v_load(in + 2 * LANES), p3 = v_load(in + 3 * LANES);
    const vec p01 = v_load(in + 4 * LANES), p23 = v_load(in + 5 * LANES), p02 = v_load(in + 6 * LANES),
              p13 = v_load(in + 7 * LANES), all = v_load(in + 8 * LANES);
    const vec c1 = v_sub(v_sub(p01, p0), p1), c5 = v_sub(v_sub(p23, p2), p3);
    const vec c02 = v_sub(p02, p0), c24 = v_sub(p13, p3), p12 = v_sub(p1, p2);
    v_store(even, p0);
    v_store(odd, c1);
    v_store(even + 8 * s, v_add(c02, p12));
    v_store(odd + 8 * s, v_sub(v_sub(all, p02), v_add(p13, v_add(c1, c5))));
    v_store(even + 16 * s, v_sub(c24, p12));
    v_store(odd + 16 * s, c5);
    v_store(even + 24 * s, p3);
}

static inline void interpolate_toom(vec c[TOOM_VALUES], const vec w[TOOM_VALUES])
{
    LK_TOOM_LIMBS(w[0], w[1], w[2], w[3], w[4], w[5], w[6]);
    c[0] = c0;
    c[1] = c1;
    c[2] = c2;
    c[3] = c3;
    c[4] = c4;
    c[5] = c5;
    c[6] = c6;
}

/* The values at Toom-Cook's points of the product, 32 s places each, in two parts. Karatsuba's odd coefficients begin 4
 * s places on and end 4 s before the end. */
static inline void values_of_rows(uint16_t *restrict even, uint16_t *restrict odd, const uint16_t *restrict rows,
                                  size_t s, uint16_t *restrict square)
{
    const size_t quarter = 4 * s, length = 8 * s, all = 32 * s;
    for (size_t at = 0; at < quarter; at += LANES)
        for (size_t p = 0; p < TOOM_VALUES; p++) {
            v_store(odd + all * p + begin_of(at, quarter), v_zero());
            v_store(odd + all * (p + 1) - quarter + begin_of(at, quarter), v_zero());
        }
    for (size_t at = 0; at < length; at += LANES) {
        const size_t begin = begin_of(at, length);
        for (size_t c = 0; c < COLUMNS; c++)
            transpose(square + LANES * LANES * c, LANES, rows + LANES * (length * c + begin), LANES);
        for (size_t p = 0; p < TOOM_VALUES; p++)
            interpolate_karatsuba(even + all * p + begin, odd + all * p + quarter + begin,
                                  square + LANES * PER_POINT * p, s);
    }
}

/* The limbs of the product, 32 s places each and 16 s places apart: even ones side by side at even, odd ones at odd. */
static inline void limbs_of_values(uint16_t *restrict even, uint16_t *restrict odd, const uint16_t *restrict first,
                                   const uint16_t *restrict second, size_t s)
{
    const size_t all = 32 * s;
    for (size_t i = 0; i < all; i += LANES) {
        vec values[TOOM_VALUES], limbs[TOOM_VALUES];
        for (size_t p = 0; p < TOOM_VALUES; p++)
            values[p] = v_add(v_load(first + all * p + i), v_load(second + all * p + i));
        interpolate_toom(limbs, values);
        for (size_t k = 0; k < TOOM_VALUES; k++) v_store((k % 2 == 0 ? even : odd) + all * (k / 2) + i, limbs[k]);
    }
}

/* h = the limbs' sum modulo X^n - 1. */
static inline void fold(lk_cyclic_poly *restrict h, uint16_t *restrict even, const uint16_t *restrict odd, size_t s,
                        size_t n)
{
    for (size_t i = 0; i < 96 * s; i += LANES)
        v_store(even + 16 * s + i, v_add(v_load(even + 16 * s + i), v_load(odd + i)));
    for (size_t i = 0; i < 64 * s; i += LANES) v_store(h->c + i, v_add(v_load(even + i), v_load(even + n + i)));
    memset(h->c + n, 0, (64 * s - n) * sizeof *h->c);
}

static inline void multiply_evaluated(lk_cyclic_poly *restrict h, const uint16_t *restrict f,
                                      const uint16_t *restrict g, size_t n, uint16_t *restrict scratch)
{
    const size_t s = lk_cyclic_units(n), column = 4 * LANES * s;
    uint16_t *rows = scratch, *even = rows + ROWS_UNIT / 2 * s, *odd = even + VALUES_UNIT / 2 * s,
             *square = odd + VALUES_UNIT / 2 * s;
    multiply_fn *multiply = s == 8 ? multiply_8 : s == 11 ? multiply_11 : multiply_13;
    for (size_t c = 0; c < COLUMNS; c++)
        multiply_column(rows + 2 * column * c, f + column * c, g + column * c, even, s, multiply);
    values_of_rows(even, odd, rows, s, square);
    limbs_of_values(rows, rows + 128 * s, even, odd, s);
    fold(h, rows, rows + 128 * s, s, n);
}

/* ---- Kernels ---- */

static void evaluate(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    evaluate_limbs(e, f->c, lk_cyclic_units(n), scratch);
}

static void product(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                    void *restrict scratch)
{
    multiply_evaluated(h, f, g, n, scratch);
}

#endif
