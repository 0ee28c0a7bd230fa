/* Inversion modulo (2, Phi) by the method of Itoh and Tsujii: the addition chains.
 *
 * Phi is irreducible modulo 2, so 1/f is f^(2^(n-1) - 2), the square of b_(n-2) with b_m = f^(2^m - 1). From b_1 = f
 * on, b_(k+m) = b_k^(2^m) b_m in twelve products, along an addition chain of n - 2 for which each sum has the last one
 * as a term. A power of 2^m sends X^i to X^(i 2^m), a permutation of bits; products are carry-less. All of it is done
 * modulo 2 and X^n - 1; modulo Phi comes last. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_CYCLIC_FERMAT_H
#define LK_ARCH_CYCLIC_FERMAT_H

#include <stdint.h>

enum { LK_FERMAT_STEPS = 12 };

/* Each sum of the chain is the last one and that with number other, m. Coefficient i of the power of 2^m is coefficient
 * i root modulo n, with root = 2^-m modulo n. */
typedef struct {
    uint16_t other, root;
} lk_fermat_step;

static const lk_fermat_step lk_fermat_509[LK_FERMAT_STEPS] = {{0, 255}, {1, 382}, {2, 350},  {3, 340},
                                                              {4, 57},  {5, 195}, {6, 359},  {5, 195},
                                                              {3, 340}, {0, 255}, {10, 143}, {10, 143}};
static const lk_fermat_step lk_fermat_677[LK_FERMAT_STEPS] = {{0, 339}, {1, 508}, {2, 127},  {3, 558},
                                                              {4, 621}, {5, 428}, {6, 394},  {6, 394},
                                                              {5, 428}, {0, 339}, {10, 234}, {10, 234}};
static const lk_fermat_step lk_fermat_701[LK_FERMAT_STEPS] = {{0, 351}, {1, 526}, {2, 482},  {3, 293},
                                                              {0, 351}, {4, 327}, {5, 514},  {7, 151},
                                                              {8, 369}, {6, 539}, {10, 285}, {10, 285}};
static const lk_fermat_step lk_fermat_821[LK_FERMAT_STEPS] = {{0, 411}, {1, 616}, {2, 154},  {3, 728},
                                                              {4, 439}, {5, 607}, {6, 641},  {7, 381},
                                                              {4, 439}, {0, 411}, {10, 240}, {10, 240}};

#endif
