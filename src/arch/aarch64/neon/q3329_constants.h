/* Constants of the kernels of Z_3329[X]/(X^256 + 1) for NEON. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_Q3329_CONSTANTS_H
#define LK_ARCH_AARCH64_NEON_Q3329_CONSTANTS_H

#include <stdint.h>

#include "ring/q3329/kernels.h"

enum {
    Q = LK_Q3329,
    N = LK_Q3329_N,
    R_MOD_Q = -1044 /* R = 2^16, the factor of Montgomery reduction */
};

/* A constant factor w of Barrett multiplication goes with w' = round(w 2^15 / q): the product of a and w modulo q is a
 * w - q round(a w' / 2^15), the first the low half of a product, the quotient by sqrdmulh (Becker, Hwang, Kannwischer,
 * Yang, Yang, ePrint 2021/986). With e = |w 2^15 / q - w'| <= 1/2 its absolute value is at most q (1/2 + |a| e / 2^15):
 * for any a at most q, for |a| <= b q at most (0.5 + 0.051 b) q. */
#define QUOTIENT(w) (int16_t)((65536 * (w) + ((w) > 0 ? Q : -Q)) / (2 * Q))

#endif
