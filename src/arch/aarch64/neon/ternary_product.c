/* Multiplication modulo (3, Phi) for NEON. Residues 0, 1, 2 are bytes, and four of them a word: a polynomial at 2^8.
 *
 * The product of two words has 64 bits and seven coefficients, which are sums of at most four products. Each of these is
 * at most 4, so the products of s words and s words add up to bytes of at most 16 s, without a carry: s is 8, 11 or 13.
 * Two residues that are added fit as well.
 *
 * A polynomial has 16 s words. Three layers of Karatsuba make 27 pieces of 2 s words, and one of padding. Four pieces
 * are a group: a register is a row, a word of each. The fourth layer has the differences of halves in place of sums, so
 * that it only adds. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/ternary.h"
#include "arch/compilers.h"

enum { ROW = 16, LANES = 4, NINE = 9, GROUPS = 7, S_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT };

/* Bytes for each unit. Scratch memory holds both factors' groups and those of the products; the product, of 128 s
 * places, goes where the factors were. */
enum { FACTOR_UNIT = GROUPS * 2 * ROW, PRODUCTS_UNIT = 2 * FACTOR_UNIT, UNFOLDED_UNIT = 128 };
_Static_assert((size_t)PRODUCTS_UNIT + 2 * FACTOR_UNIT <= LK_TERNARY_SCRATCH_UNIT, "");
_Static_assert((size_t)UNFOLDED_UNIT <= 2 * FACTOR_UNIT, "");

#define PRODUCT_ROW uint8x16_t
#define PRODUCT_WORD uint8_t
#define PRODUCT_OF(name) name##_u8
#include "arch/aarch64/neon/products.h"

/* ---- Modulo 3 ---- */

static inline uint8x16x2_t residues(void)
{
    const uint8x16x2_t table = {
        {{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}, {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}}};
    return table;
}

/* Of any byte: 16 is 1 modulo 3, and the sum of the halves is 30 at most. */
static inline uint8x16_t reduce(uint8x16_t x)
{
    return vqtbl2q_u8(residues(), vsraq_n_u8(vandq_u8(x, vdupq_n_u8(15)), x, 4));
}

static inline uint8x16_t add_mod3(uint8x16_t x, uint8x16_t y)
{
    return vqtbl1q_u8(residues().val[0], add(x, y));
}

/* x - y = x + 2 y. */
static inline uint8x16_t sub_mod3(uint8x16_t x, uint8x16_t y)
{
    return vqtbl1q_u8(residues().val[0], vmlaq_u8(x, y, vdupq_n_u8(2)));
}

/* ---- Evaluation ---- */

/* Four blocks and, behind two of them, their sum, in two layers. */
static ALWAYS_INLINE void evaluate_four(uint8x16_t pieces[NINE], const uint8x16_t v[4])
{
    pieces[0] = v[0];
    pieces[1] = v[1];
    pieces[2] = add_mod3(v[0], v[1]);
    pieces[3] = v[2];
    pieces[4] = v[3];
    pieces[5] = add_mod3(v[2], v[3]);
    pieces[6] = add_mod3(v[0], v[2]);
    pieces[7] = add_mod3(v[1], v[3]);
    pieces[8] = add_mod3(pieces[6], pieces[7]);
}

/* Four words of four pieces become four rows. */
static ALWAYS_INLINE void store_group(uint8_t *rows, const uint8x16_t *first, const uint8x16_t last)
{
    const uint32x4x4_t group = {{vreinterpretq_u32_u8(first[0]), vreinterpretq_u32_u8(first[1]),
                                 vreinterpretq_u32_u8(first[2]), vreinterpretq_u32_u8(last)}};
    vst4q_u32((uint32_t *)rows, group);
}

/* Four words of each piece, from the 8 blocks of 2 s words. */
static ALWAYS_INLINE void evaluate_words(uint8_t *rows, const uint8_t *f, const size_t s)
{
    const size_t block = 8 * s, group = 2 * ROW * s;
    uint8x16_t low[4], high[4], pieces[3 * NINE];
    UNROLL
    for (size_t k = 0; k < 4; k++) low[k] = load(f + block * k);
    evaluate_four(pieces, low);
    UNROLL
    for (size_t k = 0; k < 4; k++) high[k] = load(f + block * (4 + k));
    evaluate_four(pieces + NINE, high);
    UNROLL
    for (size_t k = 0; k < 4; k++) low[k] = add_mod3(low[k], high[k]);
    evaluate_four(pieces + 2 * NINE, low);
    UNROLL
    for (size_t k = 0; k + 1 < GROUPS; k++) store_group(rows + group * k, pieces + LANES * k, pieces[LANES * k + 3]);
    store_group(rows + group * (GROUPS - 1), pieces + LANES * (GROUPS - 1), pieces[3 * NINE - 1]);
}

/* The place in a block of the next four words. The last four end with the block, and may overlap those before. */
static ALWAYS_INLINE size_t words_at(size_t i, const size_t block)
{
    return i + ROW <= block ? i : block - ROW;
}

static ALWAYS_INLINE void evaluate(uint8_t *restrict rows, const uint8_t *restrict f, const size_t s)
{
    for (size_t i = 0; i < 8 * s; i += ROW) {
        const size_t at = words_at(i, 8 * s);
        evaluate_words(rows + LANES * at, f + at, s);
    }
}

/* ---- Products of words ---- */

/* Coefficient k of f g, for s words each: of 64 bits, and split into low and high words. */
static ALWAYS_INLINE void multiply_words(uint8x16_t words[2], const uint8x16_t *f, const uint8x16_t *g, const size_t s,
                                         const size_t k)
{
    uint64x2_t first = vdupq_n_u64(0), second = vdupq_n_u64(0);
    UNROLL
    for (size_t i = 0; i < s; i++)
        if (i <= k && k - i < s) {
            const uint32x4_t x = vreinterpretq_u32_u8(f[i]), y = vreinterpretq_u32_u8(g[k - i]);
            first = vmlal_u32(first, vget_low_u32(x), vget_low_u32(y));
            second = vmlal_high_u32(second, x, y);
        }
    const uint32x4_t a = vreinterpretq_u32_u64(first), b = vreinterpretq_u32_u64(second);
    words[0] = vreinterpretq_u8_u32(vuzp1q_u32(a, b));
    words[1] = vreinterpretq_u8_u32(vuzp2q_u32(a, b));
}

/* Row k of f g, and the high words that the next row adds. */
static ALWAYS_INLINE uint8x16_t product_row(uint8x16_t *above, const uint8x16_t *f, const uint8x16_t *g, const size_t s,
                                            const size_t k)
{
    if (k + 1 == 2 * s) return *above;
    uint8x16_t words[2];
    multiply_words(words, f, g, s, k);
    const uint8x16_t row = k == 0 ? words[0] : add(words[0], *above);
    *above = words[1];
    return row;
}

/* out = f g and rows that are added: to the first s rows some of `first`, to the others some of `others`; NULL for none.
 * out may be where such rows are. */
static ALWAYS_INLINE void multiply(uint8_t *out, const uint8x16_t *f, const uint8x16_t *g,
                                   const uint8_t *const first[2], const uint8_t *const others[2], const size_t s)
{
    uint8x16_t above = vdupq_n_u8(0);
    UNROLL
    for (size_t k = 0; k < 2 * s; k += 2) {
        uint8x16_t rows[2];
        UNROLL
        for (size_t r = 0; r < 2; r++) {
            uint8x16_t row = product_row(&above, f, g, s, k + r);
            UNROLL
            for (size_t i = 0; i < 2; i++) {
                if (k + r < s && first[i]) row = add(row, load(first[i] + ROW * (k + r)));
                if (k + r >= s && others[i]) row = add(row, load(others[i] + ROW * (k + r - s)));
            }
            rows[r] = reduce(row);
        }
        store_rows(out + ROW * k, rows, 2);
    }
}

/* a = a - f, b = g - b. */
static ALWAYS_INLINE void take_differences(uint8x16_t *a, uint8x16_t *b, const uint8_t *f, const uint8_t *g,
                                           const size_t s)
{
    UNROLL
    for (size_t i = 0; i < s; i += 2) {
        const size_t rows = i + 1 < s ? 2 : 1;
        uint8x16_t x[2], y[2];
        load_rows(x, f + ROW * i, rows);
        load_rows(y, g + ROW * i, rows);
        UNROLL
        for (size_t r = 0; r < rows; r++) {
            a[i + r] = sub_mod3(a[i + r], x[r]);
            b[i + r] = sub_mod3(y[r], b[i + r]);
        }
    }
}

/* The 4 s rows of f g for 2 s rows each, by Karatsuba: f0 g1 + f1 g0 = f0 g0 + f1 g1 + (f1 - f0) (g0 - g1). The third
 * quarter has the second added to it before both become sums. */
static ALWAYS_INLINE void multiply_rows(uint8_t *restrict out, const uint8_t *restrict f, const uint8_t *restrict g,
                                        const size_t s)
{
    const size_t half = ROW * s;
    const uint8_t *const none[2] = {NULL, NULL}, *const middle[2] = {out + half, NULL};
    const uint8_t *const low[2] = {out, out + 2 * half}, *const high[2] = {out + 2 * half, out + 3 * half};
    uint8x16_t a[S_MAX], b[S_MAX];
    load_rows(a, f, s);
    load_rows(b, g, s);
    multiply(out, a, b, none, none, s);
    forget_memory();
    load_rows(a, f + half, s);
    load_rows(b, g + half, s);
    multiply(out + 2 * half, a, b, middle, none, s);
    forget_memory();
    take_differences(a, b, f, g, s);
    multiply(out + half, a, b, low, high, s);
}

/* ---- The end of Karatsuba ---- */

/* Four words each of both halves of a group's products. */
static ALWAYS_INLINE void load_group(uint8x16_t pieces[LANES][2], const uint8_t *rows, const size_t half)
{
    UNROLL
    for (size_t h = 0; h < 2; h++) {
        const uint32x4x4_t words = vld4q_u32((const uint32_t *)(rows + half * h));
        UNROLL
        for (size_t k = 0; k < LANES; k++) pieces[k][h] = vreinterpretq_u8_u32(words.val[k]);
    }
}

/* The eight blocks of the product of four blocks each: from nine products of two blocks. */
static ALWAYS_INLINE void combine_nine(uint8x16_t out[8], uint8x16_t pieces[NINE][2])
{
    uint8x16_t fours[3][4];
    UNROLL
    for (size_t d = 0; d < 3; d++) combine(fours[d], pieces[3 * d], pieces[3 * d + 1], pieces[3 * d + 2], 1);
    combine(out, fours[0], fours[1], fours[2], 2);
}

/* Four words of each of the product's 16 blocks. The pieces' bytes are 2 at most. Three layers make at most 42 of them,
 * with either sign. */
static ALWAYS_INLINE void combine_words(uint8_t *out, const uint8_t *rows, const size_t s)
{
    const size_t half = 2 * ROW * s, group = 2 * half;
    uint8x16_t pieces[LANES * GROUPS][2], low[8], high[8], sum[8], blocks[16];
    UNROLL
    for (size_t k = 0; k < 3; k++) load_group(pieces + LANES * k, rows + group * k, half);
    combine_nine(low, pieces);
    UNROLL
    for (size_t k = 3; k < 5; k++) load_group(pieces + LANES * k, rows + group * k, half);
    combine_nine(high, pieces + NINE);
    UNROLL
    for (size_t k = 5; k < 7; k++) load_group(pieces + LANES * k, rows + group * k, half);
    combine_nine(sum, pieces + 2 * NINE);
    combine(blocks, low, high, sum, 4);
    UNROLL
    for (size_t k = 0; k < 16; k++) vst1q_u8(out + 8 * s * k, blocks[k]);
}

/* The product's 128 s places. */
static ALWAYS_INLINE void combine_groups(uint8_t *restrict out, const uint8_t *restrict rows, const size_t s)
{
    for (size_t i = 0; i < 8 * s; i += ROW) {
        const size_t at = words_at(i, 8 * s);
        combine_words(out + at, rows + LANES * at, s);
    }
}

/* ---- The product ---- */

static ALWAYS_INLINE void unfolded_product(uint8_t *scratch, const uint8_t *f, const uint8_t *g, const size_t s)
{
    uint8_t *first = scratch, *second = first + FACTOR_UNIT * s, *products = second + FACTOR_UNIT * s;
    evaluate(first, f, s);
    evaluate(second, g, s);
    for (size_t k = 0; k < GROUPS; k++)
        multiply_rows(products + 4 * ROW * s * k, first + 2 * ROW * s * k, second + 2 * ROW * s * k, s);
    combine_groups(scratch, products, s);
}

#define PRODUCT(s)                                                                                                     \
    static void unfolded_product_##s(uint8_t *scratch, const uint8_t *f, const uint8_t *g)                             \
    {                                                                                                                  \
        unfolded_product(scratch, f, g, s);                                                                            \
    }

PRODUCT(8)
PRODUCT(11)
PRODUCT(13)

/* Modulo X^n - 1 and Phi. A sum of two places is from -84 to 84, and 90 more is 0 modulo 3. */
static void fold(lk_trits *restrict h, const uint8_t *restrict product, size_t n)
{
    const size_t places = lk_cyclic_places(n);
    const uint8x16_t offset = vdupq_n_u8(90);
    const uint8x16_t last = vdupq_n_u8((uint8_t)(product[n - 1] + product[2 * n - 1]));
    const uint8x16_t more = sub(offset, reduce(add(last, offset)));
    for (size_t i = 0; i < places; i += ROW)
        vst1q_u8(h->c + i, reduce(add(add(load(product + i), load(product + n + i)), more)));
    memset(h->c + n, 0, places - n);
}

void lk_ternary_multiply_neon(lk_trits *restrict h, const lk_trits *f, const lk_trits *g, size_t n,
                              void *restrict scratch)
{
    switch (lk_cyclic_units(n)) {
    case 8: unfolded_product_8(scratch, f->c, g->c); break;
    case 11: unfolded_product_11(scratch, f->c, g->c); break;
    default: unfolded_product_13(scratch, f->c, g->c); break;
    }
    fold(h, scratch, n);
}
