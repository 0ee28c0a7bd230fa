/* Multiplication modulo X^n - 1 for NEON, in 16-bit words of which 13 bits come out right.
 *
 * A polynomial has 64 s places. Toom-Cook splits it into four limbs of 16 s places (ring/pow2/toom.h has the points). Its
 * values at a place, seven and one of padding, are a row: one register. From there on everything is done on rows, for every
 * lane on its own: four layers of Karatsuba, which halve blocks of rows, leave products of s by s rows. Three of them are
 * part of the evaluation.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/cyclic.h"
#include "ring/pow2/toom.h"

#define UNROLL _Pragma("GCC unroll 32")
#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    LANES = 8,
    POINTS = 7,
    BLOCKS = 8,  /* of 2 s rows, the values of a limb */
    PIECES = 27, /* by three layers of Karatsuba */
    S_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT
};

/* Bytes for each unit. Scratch memory holds the product's rows and behind them those of sums' products, or the product before
 * it is folded; in evaluations the values of a limb. */
enum {
    ROW = LANES * sizeof(uint16_t),
    EVALUATED_UNIT = PIECES * 2 * ROW,
    PRODUCT_UNIT = 32 * ROW,
    MIDDLE_UNIT = (16 + 8 + 4) * ROW,
    UNFOLDED_UNIT = 2 * LK_CYCLIC_UNIT * sizeof(uint16_t)
};
_Static_assert((size_t)EVALUATED_UNIT <= LK_CYCLIC_EVALUATED_UNIT_NEON, "");
_Static_assert((size_t)PRODUCT_UNIT + MIDDLE_UNIT <= LK_CYCLIC_SCRATCH_UNIT_NEON, "");
_Static_assert((size_t)UNFOLDED_UNIT <= MIDDLE_UNIT, "");

static inline uint16x8_t load(const uint16_t *p)
{
    return vld1q_u16(p);
}

static inline void store(uint16_t *p, uint16x8_t v)
{
    vst1q_u16(p, v);
}

static inline uint16x8_t add(uint16x8_t x, uint16x8_t y)
{
    return vaddq_u16(x, y);
}

static inline uint16x8_t sub(uint16x8_t x, uint16x8_t y)
{
    return vsubq_u16(x, y);
}

static ALWAYS_INLINE void load_rows(uint16x8_t *v, const uint16_t *p, size_t s)
{
    UNROLL
    for (size_t i = 0; i < s; i++) v[i] = load(p + LANES * i);
}

static ALWAYS_INLINE void store_rows(uint16_t *p, const uint16x8_t *v, size_t s)
{
    UNROLL
    for (size_t i = 0; i < s; i++) store(p + LANES * i, v[i]);
}

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
        const uint16x8_t f0 = load(f + j), f1 = load(f + limb + j), f2 = load(f + 2 * limb + j),
                         f3 = load(f + 3 * limb + j);
        const uint16x8_t even = add(f0, f2), odd = add(f1, f3);
        const uint16x8_t even_half = vshlq_n_u16(vmlaq_n_u16(f2, f0, 4), 1), odd_half = vmlaq_n_u16(f3, f1, 4);
        const uint16x8_t doubled = vmlaq_n_u16(vmlaq_n_u16(vmlaq_n_u16(f0, f1, 2), f2, 4), f3, 8);
        const uint16x8_t values[8] = {
            f0, add(even, odd), sub(even, odd), add(even_half, odd_half), sub(even_half, odd_half), doubled, f3, f3};
        store_values(rows + LANES * j, values);
    }
}

static ALWAYS_INLINE void store_pair(uint16_t **p, const uint16x8_t v[2], size_t stride)
{
    store_rows(*p, v, 2);
    *p += stride;
    __asm__("" : "+r"(*p));
}

static ALWAYS_INLINE void add_pair(uint16x8_t sum[2], const uint16x8_t f[2], const uint16x8_t g[2])
{
    sum[0] = add(f[0], g[0]);
    sum[1] = add(f[1], g[1]);
}

/* Two rows each of the nine pieces of four blocks. */
static ALWAYS_INLINE void evaluate_four(uint16_t **p, const uint16x8_t v[4][2], size_t stride)
{
    uint16x8_t sums[3][2];
    add_pair(sums[0], v[0], v[1]);
    store_pair(p, v[0], stride);
    store_pair(p, v[1], stride);
    store_pair(p, sums[0], stride);
    add_pair(sums[1], v[2], v[3]);
    store_pair(p, v[2], stride);
    store_pair(p, v[3], stride);
    store_pair(p, sums[1], stride);
    add_pair(sums[2], v[0], v[2]);
    store_pair(p, sums[2], stride);
    add_pair(sums[2], v[1], v[3]);
    store_pair(p, sums[2], stride);
    add_pair(sums[2], sums[0], sums[1]);
    store_pair(p, sums[2], stride);
}

/* Behind the two halves of a piece goes their sum: of 8 blocks 27. */
static ALWAYS_INLINE void evaluate_karatsuba(uint16_t *pieces, const uint16_t *blocks, size_t stride)
{
    uint16x8_t low[4][2], high[4][2];
    UNROLL
    for (size_t k = 0; k < 4; k++, blocks += stride) load_rows(low[k], blocks, 2);
    UNROLL
    for (size_t k = 0; k < 4; k++, blocks += stride) load_rows(high[k], blocks, 2);
    evaluate_four(&pieces, low, stride);
    evaluate_four(&pieces, high, stride);
    UNROLL
    for (size_t k = 0; k < 4; k++) add_pair(low[k], low[k], high[k]);
    evaluate_four(&pieces, low, stride);
}

void lk_cyclic_evaluate_neon(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    const size_t s = lk_cyclic_units(n), block = 2 * LANES * s;
    uint16_t *pieces = e, *rows = scratch;
    evaluate_toom(rows, f->c, 16 * s);
    for (size_t i = 0; i < block; i += 2 * LANES) evaluate_karatsuba(pieces + i, rows + i, block);
}

/* ---- Products of rows ---- */

/* Compilers would keep rows that are loaded again later, more than there are registers, and spill. */
static ALWAYS_INLINE void forget_memory(void)
{
    __asm__ volatile("" ::: "memory");
}

static ALWAYS_INLINE void add_rows(uint16x8_t *v, const uint16_t *p, size_t s)
{
    UNROLL
    for (size_t i = 0; i < s; i++) v[i] = add(v[i], load(p + LANES * i));
}

/* sums + rows k and k + 1 of f g, or row k alone. */
static ALWAYS_INLINE void add_products(uint16x8_t sums[2], const uint16x8_t *f, const uint16x8_t *g, size_t s, size_t k,
                                       size_t rows)
{
    UNROLL
    for (size_t i = 0; i < s; i++) {
        UNROLL
        for (size_t r = 0; r < rows; r++)
            if (i <= k + r && k + r < s + i) sums[r] = vmlaq_u16(sums[r], f[i], g[k + r - i]);
    }
}

/* out = f g for s rows each, and a last row of 0. */
static ALWAYS_INLINE void multiply_halves(uint16_t *restrict out, const uint16x8_t *f, const uint16x8_t *g, size_t s)
{
    UNROLL
    for (size_t k = 0; k < 2 * s; k += 2) {
        uint16x8_t sums[2] = {vdupq_n_u16(0), vdupq_n_u16(0)};
        add_products(sums, f, g, s, k, 2);
        store(out + LANES * k, sums[0]);
        store(out + LANES * (k + 1), sums[1]);
    }
}

/* The end of Karatsuba for rows k and k + 1 of each quarter: f and g are the halves' sums, whose product the upper quarters
 * take up as it is made. */
static ALWAYS_INLINE void combine_halves(uint16_t *restrict out, const uint16x8_t *f, const uint16x8_t *g, size_t s,
                                         size_t k, size_t rows)
{
    uint16_t *second = out + LANES * (s + k), *third = second + LANES * s;
    uint16x8_t low[2], high[2], difference[2], sums[2] = {vdupq_n_u16(0), vdupq_n_u16(0)};
    load_rows(difference, second, rows);
    load_rows(low, third, rows);
    UNROLL
    for (size_t r = 0; r < rows; r++) difference[r] = sub(difference[r], low[r]);
    load_rows(low, out + LANES * k, rows);
    load_rows(high, third + LANES * s, rows);
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        low[r] = sub(difference[r], low[r]);
        high[r] = add(difference[r], high[r]);
    }
    add_products(low, f, g, s, k, rows);
    UNROLL
    for (size_t r = 0; r < rows; r++) store(second + LANES * r, low[r]);
    add_products(sums, f, g, s, s + k, rows);
    UNROLL
    for (size_t r = 0; r < rows; r++) store(third + LANES * r, sub(sums[r], high[r]));
}

/* out = f g for 2 s rows each, and a last row of 0, by Karatsuba. */
static ALWAYS_INLINE void multiply_rows(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                                        size_t s)
{
    uint16x8_t a[S_MAX], b[S_MAX];
    load_rows(a, f, s);
    load_rows(b, g, s);
    multiply_halves(out, a, b, s);
    forget_memory();
    load_rows(a, f + LANES * s, s);
    load_rows(b, g + LANES * s, s);
    multiply_halves(out + LANES * 2 * s, a, b, s);
    forget_memory();
    add_rows(a, f, s);
    add_rows(b, g, s);
    UNROLL
    for (size_t k = 0; k < s; k += 2) combine_halves(out, a, b, s, k, k + 1 < s ? 2 : 1);
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

/* The end of Karatsuba: out has the products of the lower and of the upper halves, middle that of the sums, each in 2 h rows
 * of which the last is 0; h is even. */
static inline void combine(uint16_t *restrict out, const uint16_t *restrict middle, size_t h)
{
    uint16_t *second = out + LANES * h, *third = second + LANES * h, *last = third + LANES * h;
    const uint16_t *middle_last = middle + LANES * h;
    for (size_t i = 0; i < LANES * h; i += LANES * 2) {
        uint16x8_t a[2], b[2], c[2], d[2], e[2], f[2];
        load_rows(a, out + i, 2);
        load_rows(b, second + i, 2);
        load_rows(c, third + i, 2);
        load_rows(d, last + i, 2);
        load_rows(e, middle + i, 2);
        load_rows(f, middle_last + i, 2);
        UNROLL
        for (size_t r = 0; r < 2; r++) {
            const uint16x8_t difference = sub(b[r], c[r]);
            b[r] = add(difference, sub(e[r], a[r]));
            c[r] = sub(f[r], add(difference, d[r]));
        }
        store_rows(second + i, b, 2);
        store_rows(third + i, c, 2);
    }
}

/* Products of 3^layers pieces, of 2^layers blocks; middle has as many rows as out for it. */
static void multiply(uint16_t *out, const uint16_t *f, const uint16_t *g, uint16_t *middle, size_t s, unsigned layers,
                     multiply_fn *multiply_pieces)
{
    static const size_t thirds[] = {0, 1, 3, 9};
    if (layers == 0) {
        multiply_pieces(out, f, g);
        return;
    }
    const size_t in = 2 * LANES * s * thirds[layers], half = 2 * LANES * s << layers;
    uint16_t *inner = middle + half;
    multiply(out, f, g, inner, s, layers - 1, multiply_pieces);
    multiply(out + half, f + in, g + in, inner, s, layers - 1, multiply_pieces);
    multiply(middle, f + 2 * in, g + 2 * in, inner, s, layers - 1, multiply_pieces);
    combine(out, middle, half / 2 / LANES);
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

/* lk_toom_interpolate, in registers: halving sums and differences keep the same bits. */
static inline void interpolate_toom(uint16x8_t c[POINTS], const uint16_t *rows)
{
    uint16x8_t w[8];
    load_values(w, rows);
    const uint16x8_t c0 = w[0], c6 = w[6];
    const uint16x8_t even = vhaddq_u16(w[1], w[2]), odd = vhsubq_u16(w[1], w[2]);
    const uint16x8_t even_half = vhaddq_u16(w[3], w[4]), odd_half = vshrq_n_u16(vhsubq_u16(w[3], w[4]), 1);

    const uint16x8_t c2_c4 = sub(sub(even, c0), c6);
    const uint16x8_t c2_12 = vmlsq_n_u16(vmlsq_n_u16(sub(even_half, c6), c0, 64), c2_c4, 4);
    const uint16x8_t c2 = vmulq_n_u16(vshrq_n_u16(c2_12, 2), LK_INVERSE_3);
    const uint16x8_t c4 = sub(c2_c4, c2);

    const uint16x8_t even_double = vmlaq_n_u16(vmlaq_n_u16(vmlaq_n_u16(c0, c2, 4), c4, 16), c6, 64);
    const uint16x8_t odd_double = vhsubq_u16(w[5], even_double);
    const uint16x8_t sum9 = vmlsq_n_u16(add(odd_half, odd_double), odd, 8), difference15 = sub(odd_half, odd_double);
    const uint16x8_t sum = vmulq_n_u16(sum9, LK_INVERSE_9);
    const uint16x8_t c1 = vshrq_n_u16(vmlaq_n_u16(sum, difference15, LK_INVERSE_15), 1);
    c[0] = c0;
    c[1] = c1;
    c[2] = c2;
    c[3] = sub(odd, sum);
    c[4] = c4;
    c[5] = sub(sum, c1);
    c[6] = c6;
}

/* The product's 128 s places from its values in 32 s rows: limbs are 16 s places apart and twice as long. */
static inline void interpolate(uint16_t *restrict out, const uint16_t *restrict rows, size_t limb)
{
    for (size_t j = 0; j < limb; j += LANES) {
        uint16x8_t low[POINTS], high[POINTS];
        interpolate_toom(low, rows + LANES * j);
        interpolate_toom(high, rows + LANES * (limb + j));
        store(out + j, low[0]);
        for (size_t k = 1; k < POINTS; k++) store(out + limb * k + j, add(low[k], high[k - 1]));
        store(out + limb * POINTS + j, high[POINTS - 1]);
    }
}

/* h = product modulo X^n - 1. */
static inline void fold(lk_cyclic_poly *restrict h, const uint16_t *restrict product, size_t n, size_t places)
{
    for (size_t i = 0; i < places; i += 4 * LANES) {
        uint16x8_t v[4];
        load_rows(v, product + i, 4);
        add_rows(v, product + n + i, 4);
        store_rows(h->c + i, v, 4);
    }
    memset(h->c + n, 0, (places - n) * sizeof *h->c);
}

void lk_cyclic_product_neon(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                            void *restrict scratch)
{
    const size_t s = lk_cyclic_units(n);
    uint16_t *rows = scratch, *middle = rows + PRODUCT_UNIT / 2 * s;
    multiply(rows, f, g, middle, s, 3, s == 8 ? multiply_8 : s == 11 ? multiply_11 : multiply_13);
    interpolate(middle, rows, 16 * s);
    fold(h, middle, n, LK_CYCLIC_UNIT * s);
}
