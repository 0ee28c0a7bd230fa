/* Multiplication modulo X^256 + 1 in portable C, in 16-bit words of which 13 bits come out right (toom.h).
 *
 * Toom-Cook with four limbs, then four layers of Karatsuba, all of them striding: a layer splits by the exponent's lowest
 * digit, f(X) = f0(X^k) + X f1(X^k) + ..., so that every product is negacyclic again and no layer doubles its length
 * (Becker et al., ePrint 2021/998). What remains are 7 * 81 products of four coefficients each, independent of
 * each other.
 *
 * Evaluation is linear, and so is interpolation: inner_product interpolates once, after the sum.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ring/pow2/portable.h"
#include "ring/pow2/toom.h"

enum {
    LIMB = LK_NEGACYCLIC_N / 4, /* coefficients of a limb */
    POINTS = LK_TOOM_POINTS,
    LANES = LK_TOOM_LANES,
    ROWS = 8 /* coefficients of an evaluated polynomial's pieces */
};

/* Row i holds coefficient i of all pieces. The fourth layer is left to the multiplication, which saves memory. */
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

void lk_negacyclic_evaluate_c(void *restrict e, const lk_negacyclic_poly *restrict f, void *restrict scratch)
{
    evaluated *rows = e;
    toom_values *values = scratch;
    lk_toom_evaluate(values->at, f->c, LIMB);
    for (size_t i = 0; i < ROWS; i++) lk_karatsuba_evaluate(rows->at[i], values->at[8 * i]);
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
        lk_toom_transpose(columns, (const uint16_t(*)[POINTS])(a + POINTS * j));
        lk_toom_interpolate(h + j, b + 8 * POINTS + j, LIMB, (const uint16_t(*)[8])columns);
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
