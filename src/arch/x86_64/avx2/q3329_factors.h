/* Factors of the NTT and of base multiplication for AVX2, as q3329.c wants them in its registers. They are in a file of
 * their own because gcc builds vectors that it knows from immediate values, which takes longer than to load them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_Q3329_FACTORS_H
#define LK_ARCH_X86_64_AVX2_Q3329_FACTORS_H

#include <stdint.h>

/* Factors w of Montgomery multiplication and w' = w q^-1 mod R. */
typedef struct {
    _Alignas(32) int16_t w[16];
    int16_t w_qinv[16];
} lk_q3329_factors;

/* Factors of the layer of i7. */
extern const lk_q3329_factors lk_q3329_first_avx2;

/* Factors of the layers of i6, i5 and i4 for each half, i7. */
extern const lk_q3329_factors lk_q3329_wide_avx2[2][7];

/* Factors of the layers of i3, i2 and i1 for each half and each pair of registers, (i7, i5, i4). */
extern const lk_q3329_factors lk_q3329_narrow_avx2[8][3];

/* Factors of the cache of base multiplication, for two registers each: gamma of a pair of values in the first register
 * in the low half of a 32-bit word, that of a pair in the second in the high half. */
extern const lk_q3329_factors lk_q3329_gammas_avx2[8];

#endif
