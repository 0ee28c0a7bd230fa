/* Factors of the NTTs modulo Q0 and Q1 for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/negacyclic_factors.h"

#include "arch/x86_64/negacyclic_constants.h"

#define ROW(places, ...)                                                                                               \
    {                                                                                                                  \
        .w = {places(W, __VA_ARGS__)}, .w_qinv = { places(W_QINV, __VA_ARGS__) }                                       \
    }

/* Rows for pair i of registers: 0 to 3 in the half e7 = 0, 4 to 7 in the other. Bits of the place, the most significant
 * first: (e6), (e6, e3), (e6, e3, e2). */
#define FIRST(layer, i) ((1 << (layer)) + ((1 << (layer)) / 16) * ((i) + 4 * ((i) / 4)))
#define HALVES(form, f, q, i) X8(form, f, q, FIRST(4, i)), X8(form, f, q, FIRST(4, i) + 4)
#define QUARTERS(form, f, q, i) RUN2_X4(form, f, q, FIRST(5, i)), RUN2_X4(form, f, q, FIRST(5, i) + 8)
#define EIGHTHS(form, f, q, i) RUN4_X2(form, f, q, FIRST(6, i)), RUN4_X2(form, f, q, FIRST(6, i) + 16)

#define PAIR(f, q, i)                                                                                                  \
    {                                                                                                                  \
        ROW(HALVES, f, q, i), ROW(QUARTERS, f, q, i), ROW(EIGHTHS, f, q, i)                                            \
    }
#define PAIRS(f, q, i)                                                                                                 \
    {                                                                                                                  \
        PAIR(f, q, i), PAIR(f, q, i + 1), PAIR(f, q, i + 2), PAIR(f, q, i + 3)                                         \
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
        .narrow = {PAIRS(f, q, 0), PAIRS(f, q, 4)},                                                                    \
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
