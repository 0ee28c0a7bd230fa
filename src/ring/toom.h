/* What the portable multiplications modulo powers of 2 share: Toom-Cook with four limbs and three layers of Karatsuba,
 * in 16-bit words of which 13 bits come out right.
 *
 * The limbs' values at Toom-Cook's points stand side by side, and so do, behind them, the values at Karatsuba's: all of
 * it is loops over rows of independent lanes, which compilers turn into vector instructions without shuffles.
 *
 * Karatsuba divides by nothing. Toom-Cook's interpolation divides by 8 at most, so 3 of the 16 bits are lost and no
 * more. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TOOM_H
#define LK_RING_TOOM_H

#include <stddef.h>
#include <stdint.h>

enum {
    LK_TOOM_POINTS = 8,                 /* Toom-Cook's seven and one of padding, for vectors of eight */
    LK_TOOM_LANES = 27 * LK_TOOM_POINTS /* by three layers of Karatsuba */
};

/* ---- Evaluation ---- */

/* Values of f0 + f1 Y + f2 Y^2 + f3 Y^3 at 0, 1, -1, 1/2, -1/2 (these two times 8), 2 and infinity for each coefficient
 * of the limbs, which stand limb words apart. The padding repeats the last: of eight variables stored side by side
 * compilers make shuffles. */
static inline void lk_toom_evaluate(uint16_t (*restrict values)[LK_TOOM_POINTS], const uint16_t *restrict f,
                                    size_t limb)
{
    for (size_t j = 0; j < limb; j++) {
        const uint16_t f0 = f[j], f1 = f[limb + j], f2 = f[2 * limb + j], f3 = f[3 * limb + j];
        const uint16_t even = (uint16_t)(f0 + f2), odd = (uint16_t)(f1 + f3);
        const uint16_t even_half = (uint16_t)(8 * f0 + 2 * f2), odd_half = (uint16_t)(4 * f1 + f3);
        values[j][0] = f0;
        values[j][1] = (uint16_t)(even + odd);
        values[j][2] = (uint16_t)(even - odd);
        values[j][3] = (uint16_t)(even_half + odd_half);
        values[j][4] = (uint16_t)(even_half - odd_half);
        values[j][5] = (uint16_t)(f0 + 2 * f1 + 4 * f2 + 8 * f3);
        values[j][6] = f3;
        values[j][7] = f3;
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

enum {
    LK_INVERSE_3 = 43691, /* modulo 2^16 */
    LK_INVERSE_9 = 36409,
    LK_INVERSE_15 = 61167
};

/* Eight coefficients each of the product's limbs c0 ... c6 from those of its values w: c0 to c3 to low, stride words
 * apart, c4 to c6 to high. Comments give the number of right bits where it is below 16; a shift to the right costs
 * one. */
static inline void lk_toom_interpolate(uint16_t *restrict low, uint16_t *restrict high, size_t stride,
                                       const uint16_t w[restrict LK_TOOM_POINTS][8])
{
    for (size_t i = 0; i < 8; i++) {
        const uint16_t c0 = w[0][i], c6 = w[6][i];
        const uint16_t even2 = (uint16_t)(w[1][i] + w[2][i]), odd2 = (uint16_t)(w[1][i] - w[2][i]);
        const uint16_t even_half2 = (uint16_t)(w[3][i] + w[4][i]), odd_half4 = (uint16_t)(w[3][i] - w[4][i]);

        const uint16_t c2_c4 = (uint16_t)((even2 >> 1) - c0 - c6);                       /* c2 + c4: 15 */
        const uint16_t c2_12 = (uint16_t)((even_half2 >> 1) - 64 * c0 - c6 - 4 * c2_c4); /* 12 c2: 15 */
        const uint16_t c2 = (uint16_t)((uint32_t)LK_INVERSE_3 * (c2_12 >> 2));           /* 13 */
        const uint16_t c4 = (uint16_t)(c2_c4 - c2);                                      /* 13 */

        const uint16_t odd_double2 = (uint16_t)(w[5][i] - c0 - 4 * c2 - 16 * c4 - 64 * c6); /* 15 */
        const uint16_t odd = odd2 >> 1;                                                     /* c1 + c3 + c5: 15 */
        const uint16_t odd_half = odd_half4 >> 2;                                           /* 16 c1 + 4 c3 + c5: 14 */
        const uint16_t odd_double = odd_double2 >> 1;                                       /* c1 + 4 c3 + 16 c5: 14 */
        const uint16_t sum9 = (uint16_t)(odd_half + odd_double - 8 * odd);
        const uint16_t difference15 = (uint16_t)(odd_half - odd_double);
        const uint16_t sum = (uint16_t)((uint32_t)LK_INVERSE_9 * sum9);                 /* c1 + c5: 14 */
        const uint16_t c1_2 = (uint16_t)(sum + (uint32_t)LK_INVERSE_15 * difference15); /* 2 c1: 14 */
        const uint16_t c1 = c1_2 >> 1;                                                  /* 13 */
        low[i] = c0;
        low[stride + i] = c1;
        low[2 * stride + i] = c2;
        low[3 * stride + i] = (uint16_t)(odd - sum); /* 14 */
        high[i] = c4;
        high[stride + i] = (uint16_t)(sum - c1); /* 13 */
        high[2 * stride + i] = c6;
    }
}

#endif
