/* Factors of the NTT and of base multiplication for AVX-512, as q3329.c wants them in its registers. They are in a file
 * of their own because gcc builds vectors that it knows from immediate values, which takes longer than to load them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_Q3329_FACTORS_H
#define LK_ARCH_X86_64_AVX512_Q3329_FACTORS_H

#include <stdint.h>

/* Factors w of Montgomery multiplication and w' = w q^-1 mod R. */
typedef struct {
    _Alignas(64) int16_t w[32];
    int16_t w_qinv[32];
} lk_q3329_factors;

/* Factors of the layers of i7, i6 and i5. */
extern const lk_q3329_factors lk_q3329_wide_avx512[7];

/* Factors of the layers of i4, i3, i2 and i1 for the pair of registers (i6, i5) = 0, 1, 2, 3. */
extern const lk_q3329_factors lk_q3329_narrow_avx512[4][4];

/* Factors of the cache of base multiplication, for two registers each: gamma of a pair of values in the first register
 * in the low half of a 32-bit word, that of a pair in the second in the high half. */
extern const lk_q3329_factors lk_q3329_gammas_avx512[4];

#endif
