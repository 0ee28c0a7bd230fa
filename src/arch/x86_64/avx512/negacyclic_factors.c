/* Factors of the NTTs modulo Q0 and Q1 for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/negacyclic_factors.h"

#include "arch/x86_64/negacyclic_constants.h"

#define ROW(places, ...)                                                                                               \
    {                                                                                                                  \
        .w = {places(W, __VA_ARGS__)}, .w_qinv = { places(W_QINV, __VA_ARGS__) }                                       \
    }

/* Rows for pair i of registers. Bits of the place, the most significant first: (e7), (e7, e4), (e7, e4, e3),
 * (e7, e4, e3, e2). */
#define HALVES(form, f, q, i) X16(form, f, q, 8 + (i)), X16(form, f, q, 12 + (i))
#define QUARTERS(form, f, q, i) RUN2_X8(form, f, q, 16 + 2 * (i)), RUN2_X8(form, f, q, 24 + 2 * (i))
#define EIGHTHS(form, f, q, i) RUN4_X4(form, f, q, 32 + 4 * (i)), RUN4_X4(form, f, q, 48 + 4 * (i))
#define SIXTEENTHS(form, f, q, i) RUN8_X2(form, f, q, 64 + 8 * (i)), RUN8_X2(form, f, q, 96 + 8 * (i))

#define PAIR(f, q, i)                                                                                                  \
    {                                                                                                                  \
        ROW(HALVES, f, q, i), ROW(QUARTERS, f, q, i), ROW(EIGHTHS, f, q, i), ROW(SIXTEENTHS, f, q, i)                  \
    }
#define NTT(first, f, q)                                                                                               \
    {                                                                                                                  \
        .wide = {ROW(X32, first, q, 1), ROW(X32, f, q, 2), ROW(X32, f, q, 3), ROW(X32, f, q, 4),                       \
                 ROW(X32, f, q, 5),     ROW(X32, f, q, 6), ROW(X32, f, q, 7)},                                         \
        .narrow = {PAIR(f, q, 0), PAIR(f, q, 1), PAIR(f, q, 2), PAIR(f, q, 3)},                                        \
    }

const lk_negacyclic_ntt_factors lk_negacyclic_forward_avx512[PRIMES] = {
    NTT(FORWARD_Q0, FORWARD_Q0, Q0),
    NTT(FORWARD_Q1, FORWARD_Q1, Q1),
};

const lk_negacyclic_ntt_factors lk_negacyclic_inverse_avx512[PRIMES] = {
    NTT(SCALED_Q0, INVERSE_Q0, Q0),
    NTT(SCALED_Q1, INVERSE_Q1, Q1),
};

const lk_negacyclic_factors lk_negacyclic_scale_avx512[PRIMES] = {
    ROW(X32, SCALED_Q0, Q0, 0),
    ROW(X32, SCALED_Q1, Q1, 0),
};
