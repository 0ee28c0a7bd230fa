/* Factors of the NTT and of base multiplication for NEON, as the kernels want them in their registers.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_Q3329_FACTORS_H
#define LK_ARCH_AARCH64_NEON_Q3329_FACTORS_H

#include <stdint.h>

/* One factor w of Barrett multiplication for each of four blocks of 16 coefficients, and its w' (q3329_constants.h);
 * twice, for first and second coefficients of a pair. */
typedef struct {
    _Alignas(16) int16_t w[8];
    int16_t w_quotient[8];
} lk_q3329_lanes;

typedef struct {
    /* Of the layers between blocks of 16: factors 1 to 15 are a binary tree. Place 0 holds q and the w' of 1. */
    _Alignas(16) int16_t between[16];
    int16_t between_quotient[16];

    /* Of the layers within blocks, for each four blocks: one factor of the layer that joins halves of blocks, two of
     * the next, four of the one that joins pairs. */
    struct {
        lk_q3329_lanes halves, quarters[2], pairs[4];
    } within[4];
} lk_q3329_factors;

extern const lk_q3329_factors lk_q3329_forward_neon, lk_q3329_inverse_neon;

#endif
