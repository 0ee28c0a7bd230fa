/* Factors of the NTT that multiplies modulo X^256 + 1 on NEON.
 *
 * A sum of products is computed over the integers, modulo a prime q; its residue modulo 8192 is the result. Residues of
 * f are taken in [-4096, 4096), so that sums are at most LK_NEGACYCLIC_RANK_MAX 256 4096 LK_NEGACYCLIC_SMALL < q / 2 in
 * absolute value. q is 1 modulo 128, so that X^256 + 1 splits into 64 factors X^4 - gamma, in the order of FIPS 203;
 * and the square of a number so small, plus 1, that the products of the first layer fit 32 bits as they are.
 *
 * A factor w goes with w' = round(2^31 w / q), for Barrett multiplication. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_NEGACYCLIC_FACTORS_H
#define LK_ARCH_AARCH64_NEON_NEGACYCLIC_FACTORS_H

#include <stdint.h>

#include "ring/negacyclic/kernels.h"

enum { LK_NEGACYCLIC_ROOT = 6800, LK_NEGACYCLIC_Q = LK_NEGACYCLIC_ROOT * LK_NEGACYCLIC_ROOT + 1 };

_Static_assert(2 * LK_NEGACYCLIC_RANK_MAX * LK_NEGACYCLIC_N * 4096 * LK_NEGACYCLIC_SMALL < LK_NEGACYCLIC_Q, "unique");
_Static_assert((LK_NEGACYCLIC_Q - 1) % 128 == 0, "roots of order 128");

/* w' for a constant w, -q / 2 < w < q / 2. */
#define LK_NEGACYCLIC_QUOTIENT(w)                                                                                      \
    (int32_t)((((int64_t)(w)*2 + LK_NEGACYCLIC_Q) * 2147483648 + LK_NEGACYCLIC_Q) / (2 * (int64_t)LK_NEGACYCLIC_Q) -   \
              1073741824)

/* Eight factors w, w' of three layers: one of the first, two of the second, four of the third, and in the last place
 * the scaling, where there is one. */
typedef struct {
    _Alignas(16) int32_t of[16];
} lk_negacyclic_factors;

/* Of the layers of X^128, X^64 and X^32, and of those of X^16, X^8 and X^4 for each 32 coefficients. */
typedef struct {
    lk_negacyclic_factors first, second[8];
} lk_negacyclic_ntt_factors;

extern const lk_negacyclic_ntt_factors lk_negacyclic_forward_neon;

/* Their inverses; the one of X^128 with the scaling. */
extern const lk_negacyclic_ntt_factors lk_negacyclic_inverse_neon;

/* gamma of four factors X^4 - gamma each: w, then w'. */
extern const int32_t lk_negacyclic_gammas_neon[16][2][4];

#endif
