/* The common part of the portable multiplications modulo powers of 2: Toom-Cook with four limbs and three layers of
 * Karatsuba, in 16-bit words; 13 bits of them come out right.
 *
 * The limbs' values at Toom-Cook's points are side by side, and behind them the values at Karatsuba's. All of it is
 * loops over rows of independent lanes, which compilers turn into vector instructions without shuffles.
 *
 * Karatsuba divides by nothing. Toom-Cook's interpolation divides by 8 at most, so 3 of the 16 bits are lost and no
 * more. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TOOM_H
#define LK_RING_TOOM_H

#include <stddef.h>
#include <stdint.h>

#define TOOM_WORD uint16_t
#define PLUS(x, y) (uint16_t)((x) + (y))
#define MINUS(x, y) (uint16_t)((x) - (y))
#define SHL(x, n) (uint16_t)((x) << (n))
#define SHR(x, n) (uint16_t)((x) >> (n))
#define ADD_SHL(x, y, n) (uint16_t)((x) + ((y) << (n)))
#define SUB_SHL(x, y, n) (uint16_t)((x) - ((y) << (n)))
#define HALF_SUM(x, y) SHR(PLUS(x, y), 1)
#define HALF_DIFFERENCE(x, y) SHR(MINUS(x, y), 1)
#define TIMES(x, c) (uint16_t)((uint32_t)(c) * (x))
#include "ring/toom_formulas.h"

enum {
    LK_TOOM_POINTS = 8,                 /* Toom-Cook's seven and one of padding, for vectors of eight */
    LK_TOOM_LANES = 27 * LK_TOOM_POINTS /* by three layers of Karatsuba */
};

/* ---- Evaluation ---- */

/* Values at Toom-Cook's points for each coefficient of the limbs, which are limb words apart. The padding repeats the
 * last: of eight variables stored side by side compilers make shuffles. */
static inline void lk_toom_evaluate(uint16_t (*restrict values)[LK_TOOM_POINTS], const uint16_t *restrict f,
                                    size_t limb)
{
    for (size_t j = 0; j < limb; j++) {
        uint16_t v[7];
        lk_toom_values(v, f[j], f[limb + j], f[2 * limb + j], f[3 * limb + j]);
        values[j][0] = v[0];
        values[j][1] = v[1];
        values[j][2] = v[2];
        values[j][3] = v[3];
        values[j][4] = v[4];
        values[j][5] = v[5];
        values[j][6] = v[6];
        values[j][7] = v[6];
    }
}

/* Three layers of Karatsuba on eight rows, at in: behind each pair of blocks of lanes goes the block of their sums.
 * Lane 72 d2 + 24 d1 + 8 d0 + e is at Karatsuba's points d and Toom-Cook's point e; point 0 is the even part, 1 the odd
 * part, 2 their sum. */
static inline void lk_karatsuba_evaluate(uint16_t out[restrict LK_TOOM_LANES],
                                         const uint16_t in[restrict 8 * LK_TOOM_POINTS])
{
    enum { W0 = LK_TOOM_POINTS, W1 = 3 * W0, W2 = 3 * W1 };
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

/* ---- Interpolation ---- */

/* Eight coefficients of the values at Toom-Cook's points: the same numbers with those of one point side by side. */
static inline void lk_toom_transpose(uint16_t out[restrict LK_TOOM_POINTS][8],
                                     const uint16_t in[restrict 8][LK_TOOM_POINTS])
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

/* Eight coefficients each of the product's limbs c0 ... c6 from those of its values w: c0 to c3 to low, stride words
 * apart, c4 to c6 to high. */
static inline void lk_toom_interpolate(uint16_t *restrict low, uint16_t *restrict high, size_t stride,
                                       const uint16_t w[restrict LK_TOOM_POINTS][8])
{
    for (size_t i = 0; i < 8; i++) {
        LK_TOOM_LIMBS(w[0][i], w[1][i], w[2][i], w[3][i], w[4][i], w[5][i], w[6][i]);
        low[i] = c0;
        low[stride + i] = c1;
        low[2 * stride + i] = c2;
        low[3 * stride + i] = c3;
        high[i] = c4;
        high[stride + i] = c5;
        high[2 * stride + i] = c6;
    }
}

#undef TOOM_WORD
#undef PLUS
#undef MINUS
#undef SHL
#undef SHR
#undef ADD_SHL
#undef SUB_SHL
#undef HALF_SUM
#undef HALF_DIFFERENCE
#undef TIMES

#endif
