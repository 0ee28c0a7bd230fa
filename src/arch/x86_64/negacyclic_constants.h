/* Constants of the kernels of Z_8192[X]/(X^256 + 1) for x86-64.
 *
 * A sum of products is computed over the integers: modulo two primes of 13 bits by number theoretic transforms, then by
 * the Chinese remainder theorem. Its residue modulo 8192 is the result. Residues of f are taken in [-4096, 4096), so
 * that sums are at most LK_NEGACYCLIC_RANK_MAX 256 4096 LK_NEGACYCLIC_SMALL < Q0 Q1 / 2 in absolute value.
 *
 * Arithmetic modulo a prime q is signed Montgomery with R = 2^16. Both primes are 1 modulo 256, so that X^256 + 1
 * splits into 128 factors X^2 - gamma, in the order of FIPS 203. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_NEGACYCLIC_CONSTANTS_H
#define LK_ARCH_X86_64_NEGACYCLIC_CONSTANTS_H

#include "ring/negacyclic/kernels.h"

enum {
    N = LK_NEGACYCLIC_N,
    PRIMES = 2,
    Q0 = 7681,
    Q1 = 7937,
    Q0_INVERSE = -256, /* R / Q0 mod Q1 */
    ROUNDING = 4,      /* round(2^15 / q) for both: round(a ROUNDING / 2^15) is about a / q */
};

_Static_assert(2 * LK_NEGACYCLIC_RANK_MAX * N * 4096 * LK_NEGACYCLIC_SMALL < Q0 * Q1, "sums are unique");

/* q^-1 mod R: (q - 1)^2 is a multiple of R. */
#define QINV(q) (2 - (q))
_Static_assert((Q0 - 1) % 256 == 0 && (Q1 - 1) % 256 == 0, "QINV");

/* x mod q, centred; x >= 0. */
#define CENTRED(q, x) (((x) + (q) / 2) % (q) - (q) / 2)

/* c zeta^BitRev7(i) mod q from the powers zeta^1, zeta^2, zeta^4 ... zeta^64: bit 0 of i has the last. */
#define STEP(x, q, i, bit, power) ((x) * (((i) >> (bit)) & 1 ? (power) : 1) % (q))
#define POWER(q, c, z1, z2, z4, z8, z16, z32, z64, i)                                                                  \
    STEP(STEP(STEP(STEP(STEP(STEP(STEP(c, q, i, 0, z64), q, i, 1, z32), q, i, 2, z16), q, i, 3, z8), q, i, 4, z4), q,  \
              i, 5, z2),                                                                                               \
         q, i, 6, z1)

/* The factors of the transforms, zeta^BitRev7(i) R with zeta = 198 and 71, roots of order 256, and their inverses. */
#define POWER_Q0(c, i) POWER(Q0, c, 198, 799, 878, 2784, 527, 1213, 4298, i)
#define POWER_Q1(c, i) POWER(Q1, c, 71, 5041, 5344, 1010, 4164, 4488, 5975, i)
#define INVERSE_POWER_Q0(c, i) POWER(Q0, c, 1125, 5941, 1286, 2381, 583, 1925, 3383, i)
#define INVERSE_POWER_Q1(c, i) POWER(Q1, c, 2124, 3160, 854, 7049, 2781, 3323, 1962, i)

enum { R_MOD_Q0 = 4088, R_MOD_Q1 = 2040 };

#define FORWARD_Q0(i) CENTRED(Q0, POWER_Q0(R_MOD_Q0, i))
#define FORWARD_Q1(i) CENTRED(Q1, POWER_Q1(R_MOD_Q1, i))
#define INVERSE_Q0(i) CENTRED(Q0, INVERSE_POWER_Q0(R_MOD_Q0, i))
#define INVERSE_Q1(i) CENTRED(Q1, INVERSE_POWER_Q1(R_MOD_Q1, i))

/* The inverse's last factors, those for i = 0 and 1, scale by R / 128 too, as base multiplication leaves R^-1. */
enum { R2_OVER_128_MOD_Q0 = 3824, R2_OVER_128_MOD_Q1 = 4733 };

#define SCALED_Q0(i) CENTRED(Q0, INVERSE_POWER_Q0(R2_OVER_128_MOD_Q0, i))
#define SCALED_Q1(i) CENTRED(Q1, INVERSE_POWER_Q1(R2_OVER_128_MOD_Q1, i))

/* A factor w of Montgomery multiplication, f(i), goes with w' = w q^-1 mod R. */
#define W(f, q, i) (int16_t)(f(i))
#define W_QINV(f, q, i) (int16_t)(QINV(q) * f(i))

/* Either in 2, 4, 8 ... places. */
#define X2(form, f, q, i) form(f, q, i), form(f, q, i)
#define X4(form, f, q, i) X2(form, f, q, i), X2(form, f, q, i)
#define X8(form, f, q, i) X4(form, f, q, i), X4(form, f, q, i)
#define X16(form, f, q, i) X8(form, f, q, i), X8(form, f, q, i)
#define X32(form, f, q, i) X16(form, f, q, i), X16(form, f, q, i)

/* Those for i, i + 1 ... in as many places each. */
#define RUN2_X4(form, f, q, i) X4(form, f, q, i), X4(form, f, q, (i) + 1)
#define RUN4_X2(form, f, q, i)                                                                                         \
    X2(form, f, q, i), X2(form, f, q, (i) + 1), X2(form, f, q, (i) + 2), X2(form, f, q, (i) + 3)
#define RUN2_X8(form, f, q, i) X8(form, f, q, i), X8(form, f, q, (i) + 1)
#define RUN4_X4(form, f, q, i) RUN2_X4(form, f, q, i), RUN2_X4(form, f, q, (i) + 2)
#define RUN8_X2(form, f, q, i) RUN4_X2(form, f, q, i), RUN4_X2(form, f, q, (i) + 4)

#endif
