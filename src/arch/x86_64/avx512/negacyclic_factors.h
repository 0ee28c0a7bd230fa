/* Factors of the NTTs modulo Q0 and Q1 for AVX-512, as negacyclic.c wants them in its registers. They are in a file of
 * their own because gcc builds vectors that it knows from immediate values, which takes longer than to load them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_NEGACYCLIC_FACTORS_H
#define LK_ARCH_X86_64_AVX512_NEGACYCLIC_FACTORS_H

#include <stdint.h>

/* Factors w of Montgomery multiplication and w' = w q^-1 mod R. */
typedef struct {
    _Alignas(64) int16_t w[32];
    int16_t w_qinv[32];
} lk_negacyclic_factors;

/* Of the layers of e7, e6 and e5; of those of e4, e3, e2 and e1 for the pair of registers (e6, e5) = 0, 1, 2, 3. */
typedef struct {
    lk_negacyclic_factors wide[7], narrow[4][4];
} lk_negacyclic_ntt_factors;

extern const lk_negacyclic_ntt_factors lk_negacyclic_forward_avx512[2];

/* In the layer of e7 with the scaling, without a factor in lk_negacyclic_scale_avx512. */
extern const lk_negacyclic_ntt_factors lk_negacyclic_inverse_avx512[2];
extern const lk_negacyclic_factors lk_negacyclic_scale_avx512[2];

#endif
