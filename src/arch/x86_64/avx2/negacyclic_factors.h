/* Factors of the NTTs modulo Q0 and Q1 for AVX2, as negacyclic.c wants them in its registers. They are in a file of
 * their own because gcc builds vectors that it knows from immediate values, which takes longer than to load them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_NEGACYCLIC_FACTORS_H
#define LK_ARCH_X86_64_AVX2_NEGACYCLIC_FACTORS_H

#include <stdint.h>

/* Factors w of Montgomery multiplication and w' = w q^-1 mod R. */
typedef struct {
    _Alignas(32) int16_t w[16];
    int16_t w_qinv[16];
} lk_negacyclic_factors;

/* Of the layer of e7; for the halves e7 = 0 and 1, of those of e6, e5 and e4, and of those of e3, e2 and e1 for the
 * pair of registers (e5, e4) = 0, 1, 2, 3. */
typedef struct {
    lk_negacyclic_factors first, wide[2][7], narrow[2][4][3];
} lk_negacyclic_ntt_factors;

extern const lk_negacyclic_ntt_factors lk_negacyclic_forward_avx2[2];

/* In the layer of e7 with the scaling, without a factor in lk_negacyclic_scale_avx2. */
extern const lk_negacyclic_ntt_factors lk_negacyclic_inverse_avx2[2];
extern const lk_negacyclic_factors lk_negacyclic_scale_avx2[2];

#endif
