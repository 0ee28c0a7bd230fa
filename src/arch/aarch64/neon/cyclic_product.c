/* Multiplication modulo X^n - 1 for NEON, in 16-bit words; 13 bits of them come out right.
 *
 * A polynomial has 64 s places. Toom-Cook splits it into four limbs of 16 s places (ring/toom_formulas.h). The
 * values at a place, seven and one of padding, are a row: a register. Between Toom-Cook's evaluation and its
 * interpolation every lane is on its own: four layers of Karatsuba halve the rows until products of s by s rows are
 * left. Three of them are part of the evaluation, which makes 27 pieces of 2 s rows.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/cyclic.h"
#include "arch/compilers.h"

/* Halving keeps the highest bit. */
#define TOOM_WORD uint16x8_t
#define PLUS(x, y) vaddq_u16(x, y)
#define MINUS(x, y) vsubq_u16(x, y)
#define SHL(x, n) vshlq_n_u16(x, n)
#define SHR(x, n) vshrq_n_u16(x, n)
#define ADD_SHL(x, y, n) vmlaq_n_u16(x, y, 1 << (n))
#define SUB_SHL(x, y, n) vmlsq_n_u16(x, y, 1 << (n))
#define HALF_SUM(x, y) vhaddq_u16(x, y)
#define HALF_DIFFERENCE(x, y) vhsubq_u16(x, y)
#define TIMES(x, c) vmulq_n_u16(x, c)
#include "ring/toom_formulas.h"

enum { LANES = 8, TOOM_VALUES = 7, PIECES = 27, S_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT };

/* Bytes for each unit. Scratch memory holds the products of the pieces, later that of the polynomials, first as rows
 * and behind them as 128 s places; in evaluations the values at Toom-Cook's points. */
enum {
    ROW = LANES * sizeof(uint16_t),
    EVALUATED_UNIT = PIECES * 2 * ROW,
    PRODUCTS_UNIT = PIECES * 4 * ROW,
    ROWS_UNIT = 32 * ROW,
    UNFOLDED_UNIT = 128 * sizeof(uint16_t)
};
_Static_assert((size_t)EVALUATED_UNIT <= LK_CYCLIC_EVALUATED_UNIT, "");
_Static_assert((size_t)PRODUCTS_UNIT <= LK_CYCLIC_SCRATCH_UNIT, "");
_Static_assert((size_t)ROWS_UNIT + UNFOLDED_UNIT <= PRODUCTS_UNIT, "");

#define PRODUCT_ROW uint16x8_t
#define PRODUCT_WORD uint16_t
#define PRODUCT_OF(name) name##_u16
#include "arch/aarch64/neon/products.h"

/* ---- Evaluation ---- */

/* The eight values of eight places become eight rows. */
static inline void store_values(uint16_t *rows, const uint16x8_t values[8])
{
    uint32x4x4_t low, high;
    for (size_t k = 0; k < 4; k++) {
        low.val[k] = vreinterpretq_u32_u16(vzip1q_u16(values[2 * k], values[2 * k + 1]));
        high.val[k] = vreinterpretq_u32_u16(vzip2q_u16(values[2 * k], values[2 * k + 1]));
    }
    vst4q_u32((uint32_t *)rows, low);
    vst4q_u32((uint32_t *)(rows + 4 * LANES), high);
}

static inline void evaluate_toom(uint16_t *restrict rows, const uint16_t *restrict f, size_t limb)
{
    for (size_t j = 0; j < limb; j += LANES) {
        uint16x8_t values[8];
        lk_toom_values(values, load(f + j), load(f + limb + j), load(f + 2 * limb + j), load(f + 3 * limb + j));
        values[7] = values[6];
        store_values(rows + LANES * j, values);
    }
}

/* Stores two rows of three pieces, a block apart, and goes on to the next three, a step that the empty assembly hides:
 * compilers would keep a pointer to each piece. An instruction for two rows reaches three blocks from one pointer. */
static ALWAYS_INLINE void store_three(uint16_t **p, const uint16x8_t a[2], const uint16x8_t b[2], const uint16x8_t c[2],
                                      const size_t block)
{
    store_rows(*p, a, 2);
    store_rows(*p + block, b, 2);
    store_rows(*p + 2 * block, c, 2);
    *p += 3 * block;
    __asm__("" : "+r"(*p));
}

static ALWAYS_INLINE void add_pair(uint16x8_t sum[2], const uint16x8_t f[2], const uint16x8_t g[2])
{
    sum[0] = add(f[0], g[0]);
    sum[1] = add(f[1], g[1]);
}

/* Two rows each of the nine pieces of four blocks. */
static ALWAYS_INLINE void evaluate_four(uint16_t **p, const uint16x8_t v[4][2], const size_t block)
{
    uint16x8_t low[2], high[2], even[2], odd[2];
    add_pair(low, v[0], v[1]);
    store_three(p, v[0], v[1], low, block);
    add_pair(high, v[2], v[3]);
    store_three(p, v[2], v[3], high, block);
    add_pair(even, v[0], v[2]);
    add_pair(odd, v[1], v[3]);
    add_pair(low, low, high);
    store_three(p, even, odd, low, block);
}

/* Two rows of each piece: behind two halves goes their sum, in three layers, of 8 blocks of 2 s rows. */
static ALWAYS_INLINE void evaluate_karatsuba(uint16_t *pieces, const uint16_t *blocks, const size_t block)
{
    uint16x8_t low[4][2], high[4][2];
    UNROLL
    for (size_t k = 0; k < 4; k++) load_rows(low[k], blocks + block * k, 2);
    UNROLL
    for (size_t k = 0; k < 4; k++) load_rows(high[k], blocks + block * (4 + k), 2);
    evaluate_four(&pieces, low, block);
    evaluate_four(&pieces, high, block);
    UNROLL
    for (size_t k = 0; k < 4; k++) add_pair(low[k], low[k], high[k]);
    evaluate_four(&pieces, low, block);
}

/* Bounds that compilers know make addresses of the blocks' distances, here, and straight code in multiply. */
static ALWAYS_INLINE void evaluate(uint16_t *restrict pieces, const uint16_t *restrict f, uint16_t *restrict rows,
                                   const size_t s)
{
    const size_t block = 2 * LANES * s;
    evaluate_toom(rows, f, 16 * s);
    for (size_t i = 0; i < block; i += 2 * LANES) evaluate_karatsuba(pieces + i, rows + i, block);
}

/* ---- Products of rows ---- */

static ALWAYS_INLINE void add_rows(uint16x8_t *v, const uint16_t *p, size_t s)
{
    UNROLL
    for (size_t i = 0; i < s; i++) v[i] = add(v[i], load(p + LANES * i));
}

/* To low rows k and k + 1 of f g, or row k alone, are added, to high those s further. Sums of both alternate, because a
 * multiplication has to wait for the last one of its sum. */
static ALWAYS_INLINE void add_products(uint16x8_t low[2], uint16x8_t high[2], const uint16x8_t *f, const uint16x8_t *g,
                                       size_t s, size_t k, size_t rows)
{
    UNROLL
    for (size_t i = 0; i < s; i++) {
        const size_t j = s - 1 - i;
        UNROLL
        for (size_t r = 0; r < rows; r++) {
            if (i <= k + r) low[r] = vmlaq_u16(low[r], f[i], g[k + r - i]);
            if (j > k + r) high[r] = vmlaq_u16(high[r], f[j], g[s + k + r - j]);
        }
    }
}

/* out = f g for s rows each, and a last row of 0; with s rows to be added to the first ones, or NULL. */
static ALWAYS_INLINE void multiply_halves(uint16_t *restrict out, const uint16_t *restrict more, const uint16x8_t *f,
                                          const uint16x8_t *g, size_t s)
{
    UNROLL
    for (size_t k = 0; k < s; k += 2) {
        const size_t rows = k + 1 < s ? 2 : 1;
        uint16x8_t low[2] = {vdupq_n_u16(0), vdupq_n_u16(0)}, high[2] = {vdupq_n_u16(0), vdupq_n_u16(0)};
        if (more) load_rows(low, more + LANES * k, rows);
        add_products(low, high, f, g, s, k, rows);
        store_rows(out + LANES * k, low, rows);
        store_rows(out + LANES * (s + k), high, rows);
    }
}

/* The end of Karatsuba for rows k and k + 1 of each quarter, or row k alone. The third quarter has been added to the
 * second; the outer quarters are added, and the product of the differences f and g. */
static ALWAYS_INLINE void combine_halves(uint16_t *out, const uint16x8_t *f, const uint16x8_t *g, size_t s, size_t k,
                                         size_t rows)
{
    uint16_t *first = out + LANES * k, *second = first + LANES * s, *third = second + LANES * s,
             *last = third + LANES * s;
    uint16x8_t both[2], low[2], high[2];
    load_rows(both, third, rows);
    load_rows(low, first, rows);
    load_rows(high, last, rows);
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        low[r] = add(low[r], both[r]);
        high[r] = add(high[r], both[r]);
    }
    add_products(low, high, f, g, s, k, rows);
    store_rows(second, low, rows);
    store_rows(third, high, rows);
}

/* out = f g for 2 s rows each, and a last row of 0, by Karatsuba: f0 g1 + f1 g0 = f0 g0 + f1 g1 + (f1 - f0) (g0 -
 * g1). */
static ALWAYS_INLINE void multiply_rows(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                                        size_t s)
{
    const size_t half = LANES * s;
    uint16x8_t a[S_MAX], b[S_MAX];
    load_rows(a, f, s);
    load_rows(b, g, s);
    multiply_halves(out, NULL, a, b, s);
    forget_memory();
    load_rows(a, f + half, s);
    load_rows(b, g + half, s);
    multiply_halves(out + 2 * half, out + half, a, b, s);
    forget_memory();
    UNROLL
    for (size_t i = 0; i < s; i += 2) {
        const size_t rows = i + 1 < s ? 2 : 1;
        uint16x8_t x[2], y[2];
        load_rows(x, f + LANES * i, rows);
        load_rows(y, g + LANES * i, rows);
        UNROLL
        for (size_t r = 0; r < rows; r++) {
            a[i + r] = sub(a[i + r], x[r]);
            b[i + r] = sub(y[r], b[i + r]);
        }
    }
    UNROLL
    for (size_t k = 0; k < s; k += 2) combine_halves(out, a, b, s, k, k + 1 < s ? 2 : 1);
}

/* One row of each of the eight blocks of the product of four blocks each: from nine products of two blocks. */
static ALWAYS_INLINE void combine_nine(uint16x8_t out[8], const uint16_t *products, size_t block)
{
    uint16x8_t in[3][2], fours[3][4];
    UNROLL
    for (size_t d = 0; d < 3; d++) {
        UNROLL
        for (size_t i = 0; i < 6; i++) in[i / 2][i % 2] = load(products + block * (6 * d + i));
        combine(fours[d], in[0], in[1], in[2], 1);
    }
    combine(out, fours[0], fours[1], fours[2], 2);
}

/* In place: 27 products of 4 s rows become one of 32 s. */
static ALWAYS_INLINE void combine_rows(uint16_t *rows, size_t s)
{
    const size_t block = 2 * LANES * s;
    for (size_t i = 0; i < block; i += LANES) {
        uint16x8_t low[8], high[8], sum[8], out[16];
        combine_nine(low, rows + i, block);
        combine_nine(high, rows + 18 * block + i, block);
        combine_nine(sum, rows + 36 * block + i, block);
        combine(out, low, high, sum, 4);
        UNROLL
        for (size_t k = 0; k < 16; k++) store(rows + block * k + i, out[k]);
    }
}

/* The product's 32 s rows. */
static ALWAYS_INLINE void multiply(uint16_t *restrict rows, const uint16_t *restrict f, const uint16_t *restrict g,
                                   size_t s)
{
    for (size_t k = 0; k < PIECES; k++)
        multiply_rows(rows + 4 * LANES * s * k, f + 2 * LANES * s * k, g + 2 * LANES * s * k, s);
    combine_rows(rows, s);
}

typedef struct {
    void (*evaluate)(uint16_t *restrict pieces, const uint16_t *restrict f, uint16_t *restrict rows);
    void (*multiply)(uint16_t *restrict rows, const uint16_t *restrict f, const uint16_t *restrict g);
} functions;

#define FUNCTIONS(s)                                                                                                   \
    static void evaluate_##s(uint16_t *restrict pieces, const uint16_t *restrict f, uint16_t *restrict rows)           \
    {                                                                                                                  \
        evaluate(pieces, f, rows, s);                                                                                  \
    }                                                                                                                  \
    static void multiply_##s(uint16_t *restrict rows, const uint16_t *restrict f, const uint16_t *restrict g)          \
    {                                                                                                                  \
        multiply(rows, f, g, s);                                                                                       \
    }                                                                                                                  \
    static const functions functions_##s = {evaluate_##s, multiply_##s};

FUNCTIONS(8)
FUNCTIONS(11)
FUNCTIONS(13)

static inline const functions *functions_for(size_t s)
{
    return s == 8 ? &functions_8 : s == 11 ? &functions_11 : &functions_13;
}

void lk_cyclic_evaluate_neon(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    functions_for(lk_cyclic_units(n))->evaluate(e, f->c, scratch);
}

/* ---- Interpolation ---- */

/* The inverse of store_values. */
static inline void load_values(uint16x8_t values[8], const uint16_t *rows)
{
    const uint32x4x4_t low = vld4q_u32((const uint32_t *)rows), high = vld4q_u32((const uint32_t *)(rows + 4 * LANES));
    for (size_t k = 0; k < 4; k++) {
        const uint16x8_t a = vreinterpretq_u16_u32(low.val[k]), b = vreinterpretq_u16_u32(high.val[k]);
        values[2 * k] = vuzp1q_u16(a, b);
        values[2 * k + 1] = vuzp2q_u16(a, b);
    }
}

static inline void interpolate_toom(uint16x8_t c[TOOM_VALUES], const uint16_t *rows)
{
    uint16x8_t w[8];
    load_values(w, rows);
    LK_TOOM_LIMBS(w[0], w[1], w[2], w[3], w[4], w[5], w[6]);
    c[0] = c0;
    c[1] = c1;
    c[2] = c2;
    c[3] = c3;
    c[4] = c4;
    c[5] = c5;
    c[6] = c6;
}

/* The product's 128 s places from its values in 32 s rows: limbs are 16 s places apart and twice as long. */
static inline void interpolate(uint16_t *restrict out, const uint16_t *restrict rows, size_t limb)
{
    for (size_t j = 0; j < limb; j += LANES) {
        uint16x8_t low[TOOM_VALUES], high[TOOM_VALUES];
        interpolate_toom(low, rows + LANES * j);
        interpolate_toom(high, rows + LANES * (limb + j));
        store(out + j, low[0]);
        for (size_t k = 1; k < TOOM_VALUES; k++) store(out + limb * k + j, add(low[k], high[k - 1]));
        store(out + limb * TOOM_VALUES + j, high[TOOM_VALUES - 1]);
    }
}

/* h = product modulo X^n - 1. */
static inline void fold(lk_cyclic_poly *restrict h, const uint16_t *restrict product, size_t n, size_t places)
{
    for (size_t i = 0; i < places; i += 8 * LANES) {
        uint16x8_t v[8];
        load_rows(v, product + i, 8);
        add_rows(v, product + n + i, 8);
        store_rows(h->c + i, v, 8);
    }
    memset(h->c + n, 0, (places - n) * sizeof *h->c);
}

void lk_cyclic_product_neon(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                            void *restrict scratch)
{
    const size_t s = lk_cyclic_units(n);
    uint16_t *rows = scratch, *unfolded = rows + ROWS_UNIT / 2 * s;
    functions_for(s)->multiply(rows, f, g);
    interpolate(unfolded, rows, 16 * s);
    fold(h, unfolded, n, LK_CYCLIC_UNIT * s);
}
