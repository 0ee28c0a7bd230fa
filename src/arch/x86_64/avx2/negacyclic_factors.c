/* Factors of the NTTs modulo Q0 and Q1 for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/negacyclic_factors.h"

#include "arch/x86_64/negacyclic_constants.h"

#define ROW(places, ...)                                                                                               \
    {                                                                                                                  \
        .w = {places(W, __VA_ARGS__)}, .w_qinv = { places(W_QINV, __VA_ARGS__) }                                       \
    }

/* Rows for pair i of the registers of a half. Bits of the place, the most significant first: (e6), (e6, e3), (e6, e3, e2). */
#define HALVES(form, f, q, half, i) X8(form, f, q, 16 + 8 * (half) + (i)), X8(form, f, q, 20 + 8 * (half) + (i))
#define QUARTERS(form, f, q, half, i)                                                                                  \
    RUN2_X4(form, f, q, 32 + 16 * (half) + 2 * (i)), RUN2_X4(form, f, q, 40 + 16 * (half) + 2 * (i))
#define EIGHTHS(form, f, q, half, i)                                                                                   \
    RUN4_X2(form, f, q, 64 + 32 * (half) + 4 * (i)), RUN4_X2(form, f, q, 80 + 32 * (half) + 4 * (i))

#define PAIR(f, q, half, i)                                                                                            \
    {                                                                                                                  \
        ROW(HALVES, f, q, half, i), ROW(QUARTERS, f, q, half, i), ROW(EIGHTHS, f, q, half, i)                          \
    }
#define PAIRS(f, q, half)                                                                                              \
    {                                                                                                                  \
        PAIR(f, q, half, 0), PAIR(f, q, half, 1), PAIR(f, q, half, 2), PAIR(f, q, half, 3)                             \
    }
#define WIDE(f, q, half)                                                                                               \
    {                                                                                                                  \
        ROW(X16, f, q, 2 + (half)), ROW(X16, f, q, 4 + 2 * (half)), ROW(X16, f, q, 5 + 2 * (half)),                    \
            ROW(X16, f, q, 8 + 4 * (half)), ROW(X16, f, q, 9 + 4 * (half)), ROW(X16, f, q, 10 + 4 * (half)),           \
            ROW(X16, f, q, 11 + 4 * (half)),                                                                           \
    }
#define NTT(first_f, f, q)                                                                                             \
    {                                                                                                                  \
        .first = ROW(X16, first_f, q, 1), .wide = {WIDE(f, q, 0), WIDE(f, q, 1)},                                      \
        .narrow = {PAIRS(f, q, 0), PAIRS(f, q, 1)},                                                                    \
    }

const lk_negacyclic_ntt_factors lk_negacyclic_forward_avx2[PRIMES] = {
    NTT(FORWARD_Q0, FORWARD_Q0, Q0),
    NTT(FORWARD_Q1, FORWARD_Q1, Q1),
};

const lk_negacyclic_ntt_factors lk_negacyclic_inverse_avx2[PRIMES] = {
    NTT(SCALED_Q0, INVERSE_Q0, Q0),
    NTT(SCALED_Q1, INVERSE_Q1, Q1),
};

const lk_negacyclic_factors lk_negacyclic_scale_avx2[PRIMES] = {
    ROW(X16, SCALED_Q0, Q0, 0),
    ROW(X16, SCALED_Q1, Q1, 0),
};
