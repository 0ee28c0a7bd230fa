/* Multiplication modulo X^256 + 1 in portable C, in 16-bit words of which 13 bits come out right.
 *
 * Toom-Cook with four limbs, then four layers of Karatsuba, all of them striding: a layer splits by the exponent's lowest
 * digit, f(X) = f0(X^k) + X f1(X^k) + ..., so that every product is negacyclic again and no layer doubles its length
 * (Becker et al., ePrint 2021/998). What remains are 7 * 81 products of four coefficients each, independent of
 * each other: the loops run over them side by side, which compilers turn into vector instructions without shuffles.
 *
 * Evaluation is linear, and so is interpolation: inner_product interpolates once, after the sum. Karatsuba divides by
 * nothing. Toom-Cook's interpolation divides by 8 at most, so 3 of the 16 bits are lost and no more.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ring/pow2/portable.h"

enum {
    LIMB = LK_NEGACYCLIC_N / 4, /* coefficients of a limb */
    POINTS = 8,                 /* Toom-Cook's seven and one of padding, for vectors of eight */
    ROWS = 8,                   /* coefficients of an evaluated polynomial's pieces */
    LANES = 27 * POINTS         /* pieces, by three layers of Karatsuba */
};

/* Row i holds coefficient i of all pieces. Lane 72 d2 + 24 d1 + 8 d0 + e is at Karatsuba's points d and Toom-Cook's point
 * e; point 0 is the even part, 1 the odd part, 2 their sum. The fourth layer is left to the multiplication, which saves
 * memory. */
typedef struct {
    uint16_t at[ROWS][LANES];
} evaluated;

/* Row j holds coefficient j of a polynomial's values at Toom-Cook's points. */
typedef struct {
    uint16_t at[LIMB][POINTS];
} toom_values;

/* Row i holds coefficient i of the products of even parts, of odd parts and of their sums. */
typedef struct {
    uint16_t at[ROWS / 2][3 * LANES];
} products;

/* Two buffers that the layers of interpolation use in turn. */
typedef struct {
    products sums;
    evaluated other;
} scratch_memory;

_Static_assert(sizeof(evaluated) == LK_NEGACYCLIC_EVALUATED_BYTES_C, "");
_Static_assert(sizeof(scratch_memory) == LK_NEGACYCLIC_SCRATCH_BYTES_C, "");

/* ---- Evaluation ---- */

/* At 0, 1, -1, 1/2, -1/2 (these two times 8), 2 and infinity. The padding repeats the last: of eight variables stored side
 * by side compilers make shuffles. */
static void toom_evaluate(toom_values *restrict values, const uint16_t *restrict f)
{
    for (size_t j = 0; j < LIMB; j++) {
        const uint16_t f0 = f[j], f1 = f[LIMB + j], f2 = f[2 * LIMB + j], f3 = f[3 * LIMB + j];
        const uint16_t even = (uint16_t)(f0 + f2), odd = (uint16_t)(f1 + f3);
        const uint16_t even_half = (uint16_t)(8 * f0 + 2 * f2), odd_half = (uint16_t)(4 * f1 + f3);
        values->at[j][0] = f0;
        values->at[j][1] = (uint16_t)(even + odd);
        values->at[j][2] = (uint16_t)(even - odd);
        values->at[j][3] = (uint16_t)(even_half + odd_half);
        values->at[j][4] = (uint16_t)(even_half - odd_half);
        values->at[j][5] = (uint16_t)(f0 + 2 * f1 + 4 * f2 + 8 * f3);
        values->at[j][6] = f3;
        values->at[j][7] = f3;
    }
}

/* Three layers of Karatsuba on eight rows, at in: behind each pair of blocks of lanes goes the block of their sums. */
static void karatsuba_evaluate(uint16_t out[restrict LANES], const uint16_t in[restrict 8 * POINTS])
{
    enum { W0 = POINTS, W1 = 3 * W0, W2 = 3 * W1 };
    for (size_t d = 0; d < 4; d++) {
        uint16_t *block = out + W2 * (d >> 1) + W1 * (d & 1);
        const uint16_t *even = in + 2 * W0 * d, *odd = even + W0;
        for (size_t p = 0; p < W0; p++) {
            block[p] = even[p];
            block[W0 + p] = odd[p];
            block[2 * W0 + p] = (uint16_t)(even[p] + odd[p]);
        }
    }
    for (size_t d = 0; d < 2; d++) {
        uint16_t *block = out + W2 * d;
        for (size_t p = 0; p < W1; p++) block[2 * W1 + p] = (uint16_t)(block[p] + block[W1 + p]);
    }
    for (size_t p = 0; p < W2; p++) out[2 * W2 + p] = (uint16_t)(out[p] + out[W2 + p]);
}

void lk_negacyclic_evaluate_c(void *restrict e, const lk_negacyclic_poly *restrict f, void *restrict scratch)
{
    evaluated *rows = e;
    toom_values *values = scratch;
    toom_evaluate(values, f->c);
    for (size_t i = 0; i < ROWS; i++) karatsuba_evaluate(rows->at[i], values->at[8 * i]);
}

/* ---- Multiplication ---- */

/* Adds the product modulo Z^4 + 1 of two pieces' parts. Unsigned words of 32 bits wrap where int would overflow. */
static inline void multiply_quad(uint16_t *sum, uint32_t f0, uint32_t f1, uint32_t f2, uint32_t f3, uint32_t g0,
                                 uint32_t g1, uint32_t g2, uint32_t g3)
{
    enum { ROW = 3 * LANES };
    sum[0 * ROW] = (uint16_t)(sum[0 * ROW] + f0 * g0 - f1 * g3 - f2 * g2 - f3 * g1);
    sum[1 * ROW] = (uint16_t)(sum[1 * ROW] + f0 * g1 + f1 * g0 - f2 * g3 - f3 * g2);
    sum[2 * ROW] = (uint16_t)(sum[2 * ROW] + f0 * g2 + f1 * g1 + f2 * g0 - f3 * g3);
    sum[3 * ROW] = (uint16_t)(sum[3 * ROW] + f0 * g3 + f1 * g2 + f2 * g1 + f3 * g0);
}

static void multiply_parts(uint16_t *restrict sums, const uint16_t *restrict f, const uint16_t *restrict g)
{
    enum { ROW = 2 * LANES };
    for (size_t p = 0; p < LANES; p++)
        multiply_quad(sums + p, f[p], f[ROW + p], f[2 * ROW + p], f[3 * ROW + p], g[p], g[ROW + p], g[2 * ROW + p],
                      g[3 * ROW + p]);
}

static void multiply_sums(uint16_t *restrict sums, const uint16_t *restrict f, const uint16_t *restrict g)
{
    enum { ROW = LANES };
    for (size_t p = 0; p < LANES; p++) {
        const uint16_t f0 = (uint16_t)(f[0 * ROW + p] + f[1 * ROW + p]),
                       f1 = (uint16_t)(f[2 * ROW + p] + f[3 * ROW + p]);
        const uint16_t f2 = (uint16_t)(f[4 * ROW + p] + f[5 * ROW + p]),
                       f3 = (uint16_t)(f[6 * ROW + p] + f[7 * ROW + p]);
        const uint16_t g0 = (uint16_t)(g[0 * ROW + p] + g[1 * ROW + p]),
                       g1 = (uint16_t)(g[2 * ROW + p] + g[3 * ROW + p]);
        const uint16_t g2 = (uint16_t)(g[4 * ROW + p] + g[5 * ROW + p]),
                       g3 = (uint16_t)(g[6 * ROW + p] + g[7 * ROW + p]);
        multiply_quad(sums + p, f0, f1, f2, f3, g0, g1, g2, g3);
    }
}

/* The fourth layer of Karatsuba: even and odd rows apart, then their sums. */
static void multiply_add(products *sums, const evaluated *f, const evaluated *g)
{
    multiply_parts(&sums->at[0][0], f->at[0], g->at[0]);
    multiply_parts(&sums->at[0][LANES], f->at[1], g->at[1]);
    multiply_sums(&sums->at[0][2 * LANES], f->at[0], g->at[0]);
}

/* ---- Interpolation ---- */

/* One layer of Karatsuba: rows of three blocks of lanes, the products of even parts, of odd parts and of sums, become
 * twice as many rows of one block. The product of the odd parts counts once more, one even row further, and comes back
 * with its sign changed behind the last. */
static inline void karatsuba_interpolate(uint16_t *restrict out, const uint16_t *restrict in, size_t rows, size_t lanes)
{
    const uint16_t *last = in + 3 * lanes * (rows - 1) + lanes;
    for (size_t p = 0; p < lanes; p++) {
        out[p] = (uint16_t)(in[p] - last[p]);
        out[lanes + p] = (uint16_t)(in[2 * lanes + p] - in[p] - in[lanes + p]);
    }
    for (size_t i = 1; i < rows; i++) {
        const uint16_t *before = in + lanes;
        in += 3 * lanes;
        out += 2 * lanes;
        for (size_t p = 0; p < lanes; p++) {
            out[p] = (uint16_t)(in[p] + before[p]);
            out[lanes + p] = (uint16_t)(in[2 * lanes + p] - in[p] - in[lanes + p]);
        }
    }
}

/* Eight coefficients of the values at Toom-Cook's points: the same numbers with those of one point side by side. */
static void transpose(uint16_t out[restrict POINTS][8], const uint16_t in[restrict 8][POINTS])
{
    for (size_t i = 0; i < 8; i++) {
        out[i][0] = in[0][i];
        out[i][1] = in[1][i];
        out[i][2] = in[2][i];
        out[i][3] = in[3][i];
        out[i][4] = in[4][i];
        out[i][5] = in[5][i];
        out[i][6] = in[6][i];
        out[i][7] = in[7][i];
    }
}

enum {
    INVERSE_3 = 43691, /* modulo 2^16 */
    INVERSE_9 = 36409,
    INVERSE_15 = 61167
};

/* Eight coefficients each of the product's limbs c0 ... c6 from those of its values w: c0 to c3 to the places of the
 * result, c4 to c6 to high. Comments give the number of right bits where it is below 16; a shift to the right costs one. */
static void toom_interpolate(uint16_t *restrict h, uint16_t *restrict high, const uint16_t w[restrict POINTS][8])
{
    for (size_t i = 0; i < 8; i++) {
        const uint16_t c0 = w[0][i], c6 = w[6][i];
        const uint16_t even2 = (uint16_t)(w[1][i] + w[2][i]), odd2 = (uint16_t)(w[1][i] - w[2][i]);
        const uint16_t even_half2 = (uint16_t)(w[3][i] + w[4][i]), odd_half4 = (uint16_t)(w[3][i] - w[4][i]);

        const uint16_t c2_c4 = (uint16_t)((even2 >> 1) - c0 - c6);                       /* c2 + c4: 15 */
        const uint16_t c2_12 = (uint16_t)((even_half2 >> 1) - 64 * c0 - c6 - 4 * c2_c4); /* 12 c2: 15 */
        const uint16_t c2 = (uint16_t)((uint32_t)INVERSE_3 * (c2_12 >> 2));              /* 13 */
        const uint16_t c4 = (uint16_t)(c2_c4 - c2);                                      /* 13 */

        const uint16_t odd_double2 = (uint16_t)(w[5][i] - c0 - 4 * c2 - 16 * c4 - 64 * c6); /* 15 */
        const uint16_t odd = odd2 >> 1;                                                     /* c1 + c3 + c5: 15 */
        const uint16_t odd_half = odd_half4 >> 2;                                           /* 16 c1 + 4 c3 + c5: 14 */
        const uint16_t odd_double = odd_double2 >> 1;                                       /* c1 + 4 c3 + 16 c5: 14 */
        const uint16_t sum9 = (uint16_t)(odd_half + odd_double - 8 * odd);
        const uint16_t difference15 = (uint16_t)(odd_half - odd_double);
        const uint16_t sum = (uint16_t)((uint32_t)INVERSE_9 * sum9);                 /* c1 + c5: 14 */
        const uint16_t c1_2 = (uint16_t)(sum + (uint32_t)INVERSE_15 * difference15); /* 2 c1: 14 */
        const uint16_t c1 = c1_2 >> 1;                                               /* 13 */
        h[i] = c0;
        h[LIMB + i] = c1;
        h[2 * LIMB + i] = c2;
        h[3 * LIMB + i] = (uint16_t)(odd - sum); /* 14 */
        high[i] = c4;
        high[LIMB + i] = (uint16_t)(sum - c1); /* 13 */
        high[2 * LIMB + i] = c6;
    }
}

/* Limbs c4, c5 and c6 of the product go back to limbs 0, 1 and 2 of the result, one place further. */
static void carry(uint16_t *restrict limb, const uint16_t *restrict high)
{
    limb[0] = (uint16_t)(limb[0] - high[LIMB - 1]);
    for (size_t j = 1; j < LIMB; j++) limb[j] = (uint16_t)(limb[j] + high[j - 1]);
}

static void interpolate(uint16_t *restrict h, uint16_t *restrict a, uint16_t *restrict b)
{
    karatsuba_interpolate(b, a, 4, 27 * POINTS);
    karatsuba_interpolate(a, b, 8, 9 * POINTS);
    karatsuba_interpolate(b, a, 16, 3 * POINTS);
    karatsuba_interpolate(a, b, 32, POINTS);
    for (size_t j = 0; j < LIMB; j += 8) {
        uint16_t(*columns)[8] = (uint16_t(*)[8])b;
        transpose(columns, (const uint16_t(*)[POINTS])(a + POINTS * j));
        toom_interpolate(h + j, b + 8 * POINTS + j, (const uint16_t(*)[8])columns);
    }
    for (size_t i = 0; i < 3; i++) carry(h + LIMB * i, b + 8 * POINTS + LIMB * i);
}

void lk_negacyclic_inner_product_c(lk_negacyclic_poly *restrict h, const void *restrict f, const void *restrict g,
                                   size_t l, void *restrict scratch)
{
    scratch_memory *s = scratch;
    const evaluated *left = f, *right = g;
    memset(&s->sums, 0, sizeof s->sums);
    for (size_t i = 0; i < l; i++) multiply_add(&s->sums, &left[i], &right[i]);
    interpolate(h->c, s->sums.at[0], s->other.at[0]);
}
