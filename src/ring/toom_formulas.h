/* Toom-Cook's formulas with four limbs, for words of 16 bits or vectors of them. Interpolation divides by 8 at most, so
 * 3 of the 16 bits are lost and no more.
 *
 * The file that includes this defines a type TOOM_WORD and the operations PLUS, MINUS, SHL(x, n) and SHR(x, n);
 * ADD_SHL(x, y, n), which is x + 2^n y, and SUB_SHL likewise; HALF_SUM(x, y) and HALF_DIFFERENCE(x, y), halves rounded
 * down, with any highest bit; and TIMES(x, c) with a constant. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TOOM_FORMULAS_H
#define LK_RING_TOOM_FORMULAS_H

enum {
    LK_INVERSE_3 = 43691, /* modulo 2^16 */
    LK_INVERSE_9 = 36409,
    LK_INVERSE_15 = 61167
};

/* Values of f0 + f1 Y + f2 Y^2 + f3 Y^3 at 0, 1, -1, 1/2, -1/2 (these two times 8), 2 and infinity. */
static inline void lk_toom_values(TOOM_WORD values[7], TOOM_WORD f0, TOOM_WORD f1, TOOM_WORD f2, TOOM_WORD f3)
{
    const TOOM_WORD even = PLUS(f0, f2), odd = PLUS(f1, f3);
    const TOOM_WORD even_half = SHL(ADD_SHL(f2, f0, 2), 1), odd_half = ADD_SHL(f3, f1, 2);
    values[0] = f0;
    values[1] = PLUS(even, odd);
    values[2] = MINUS(even, odd);
    values[3] = PLUS(even_half, odd_half);
    values[4] = MINUS(even_half, odd_half);
    values[5] = ADD_SHL(ADD_SHL(ADD_SHL(f0, f1, 1), f2, 2), f3, 3);
    values[6] = f3;
}

/* Declares the product's limbs c0 to c6, from its values w0 to w6. Comments give the number of right bits where it is
 * below 16; a shift to the right costs one. A macro, because compilers make no vectors of words that pass through
 * arrays. */
#define LK_TOOM_LIMBS(w0, w1, w2, w3, w4, w5, w6)                                                                      \
    const TOOM_WORD c0 = w0, c6 = w6;                                                                                  \
    const TOOM_WORD even = HALF_SUM(w1, w2), odd = HALF_DIFFERENCE(w1, w2); /* c0 + c2 + c4 + c6, c1 + c3 + c5: 15 */  \
    const TOOM_WORD even_half = HALF_SUM(w3, w4);                                                                      \
    const TOOM_WORD odd_half = SHR(HALF_DIFFERENCE(w3, w4), 1);                      /* 16 c1 + 4 c3 + c5: 14 */       \
    const TOOM_WORD c2_c4 = MINUS(MINUS(even, c0), c6);                              /* c2 + c4: 15 */                 \
    const TOOM_WORD c2_12 = SUB_SHL(SUB_SHL(MINUS(even_half, c6), c0, 6), c2_c4, 2); /* 12 c2: 15 */                   \
    const TOOM_WORD c2 = TIMES(SHR(c2_12, 2), LK_INVERSE_3);                         /* 13 */                          \
    const TOOM_WORD c4 = MINUS(c2_c4, c2);                                           /* 13 */                          \
    const TOOM_WORD above = SUB_SHL(SUB_SHL(SUB_SHL(w5, c2, 2), c4, 4), c6, 6);      /* 15 */                          \
    const TOOM_WORD odd_double = HALF_DIFFERENCE(above, c0);                         /* c1 + 4 c3 + 16 c5: 14 */       \
    const TOOM_WORD sum = TIMES(SUB_SHL(PLUS(odd_half, odd_double), odd, 3), LK_INVERSE_9); /* c1 + c5: 14 */          \
    const TOOM_WORD difference = TIMES(MINUS(odd_half, odd_double), LK_INVERSE_15);         /* c1 - c5: 14 */          \
    const TOOM_WORD c1 = HALF_SUM(sum, difference);                                         /* 13 */                   \
    const TOOM_WORD c5 = MINUS(sum, c1);                                                    /* 13 */                   \
    const TOOM_WORD c3 = MINUS(odd, sum)                                                    /* 14 */

#endif
