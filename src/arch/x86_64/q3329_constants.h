/* Constants of the kernels of Z_3329[X]/(X^256 + 1) for x86-64. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_Q3329_CONSTANTS_H
#define LK_ARCH_X86_64_Q3329_CONSTANTS_H

#include "arch/q3329_zetas.h"
#include "ring/q3329/kernels.h"

enum {
    Q = LK_Q3329,
    N = LK_Q3329_N,
    QINV = -3327,             /* q^-1 mod R, centred; R = 2^16 */
    BARRETT = 20159,          /* round(2^26 / q) */
    R2_MOD_Q = 1353,          /* R^2 mod q */
    R2_OVER_128_MOD_Q = 1441, /* R^2 / 128 mod q: scales by 1/128 and by R */
    HALF_Q = (Q - 1) / 2
};

/* A factor w of Montgomery multiplication goes with w' = w q^-1 mod R. */
#define W(w) (int16_t)(w)
#define W_QINV(w) (int16_t)(QINV * (w))

/* The factor Z<i>, or its w', in 2, 4, 8 ... places. */
#define X2(form, i) form(Z##i), form(Z##i)
#define X4(form, i) X2(form, i), X2(form, i)
#define X8(form, i) X4(form, i), X4(form, i)
#define X16(form, i) X8(form, i), X8(form, i)
#define X32(form, i) X16(form, i), X16(form, i)

#endif
