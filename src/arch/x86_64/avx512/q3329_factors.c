/* Factors of the NTT and of base multiplication for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/q3329_factors.h"

#include "arch/x86_64/q3329_constants.h"

#define EVERYWHERE(i) .w = {X32(W, i)}, .w_qinv = {X32(W_QINV, i)}

/* Rows of lane bits, the most significant first: (i7), (i4, i7), (i4, i7, i3), (i4, i7, i3, i2). */
#define HALVES(a, b) .w = {X16(W, a), X16(W, b)}, .w_qinv = {X16(W_QINV, a), X16(W_QINV, b)}
#define FOUR8(form, a, b, c, d) X8(form, a), X8(form, b), X8(form, c), X8(form, d)
#define QUARTERS(a, b, c, d) .w = {FOUR8(W, a, b, c, d)}, .w_qinv = {FOUR8(W_QINV, a, b, c, d)}
#define FOUR4(form, a, b, c, d) X4(form, a), X4(form, b), X4(form, c), X4(form, d)
#define EIGHT4(form, a, b, c, d, e, f, g, h) FOUR4(form, a, b, c, d), FOUR4(form, e, f, g, h)
#define EIGHTHS(a, b, c, d, e, f, g, h)                                                                                \
    .w = {EIGHT4(W, a, b, c, d, e, f, g, h)}, .w_qinv = {EIGHT4(W_QINV, a, b, c, d, e, f, g, h)}
#define FOUR2(form, a, b, c, d) X2(form, a), X2(form, b), X2(form, c), X2(form, d)
#define EIGHT2(form, a, b, c, d, e, f, g, h) FOUR2(form, a, b, c, d), FOUR2(form, e, f, g, h)
#define SIXTEENTHS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                     \
    .w = {EIGHT2(W, a, b, c, d, e, f, g, h), EIGHT2(W, i, j, k, l, m, n, o, p)},                                       \
    .w_qinv = {EIGHT2(W_QINV, a, b, c, d, e, f, g, h), EIGHT2(W_QINV, i, j, k, l, m, n, o, p)}

const lk_q3329_factors lk_q3329_wide_avx512[7] = {
    {EVERYWHERE(1)}, {EVERYWHERE(2)}, {EVERYWHERE(3)}, {EVERYWHERE(4)},
    {EVERYWHERE(5)}, {EVERYWHERE(6)}, {EVERYWHERE(7)},
};

const lk_q3329_factors lk_q3329_narrow_avx512[4][4] = {
    {
        {HALVES(8, 12)},
        {QUARTERS(16, 24, 17, 25)},
        {EIGHTHS(32, 33, 48, 49, 34, 35, 50, 51)},
        {SIXTEENTHS(64, 65, 66, 67, 96, 97, 98, 99, 68, 69, 70, 71, 100, 101, 102, 103)},
    },
    {
        {HALVES(9, 13)},
        {QUARTERS(18, 26, 19, 27)},
        {EIGHTHS(36, 37, 52, 53, 38, 39, 54, 55)},
        {SIXTEENTHS(72, 73, 74, 75, 104, 105, 106, 107, 76, 77, 78, 79, 108, 109, 110, 111)},
    },
    {
        {HALVES(10, 14)},
        {QUARTERS(20, 28, 21, 29)},
        {EIGHTHS(40, 41, 56, 57, 42, 43, 58, 59)},
        {SIXTEENTHS(80, 81, 82, 83, 112, 113, 114, 115, 84, 85, 86, 87, 116, 117, 118, 119)},
    },
    {
        {HALVES(11, 15)},
        {QUARTERS(22, 30, 23, 31)},
        {EIGHTHS(44, 45, 60, 61, 46, 47, 62, 63)},
        {SIXTEENTHS(88, 89, 90, 91, 120, 121, 122, 123, 92, 93, 94, 95, 124, 125, 126, 127)},
    },
};

/* gamma_i of algorithm 12 is zeta for even i and -zeta for odd i. */
#define GAMMAS(form, i, j) form(Z##i), form(Z##j), form(-Z##i), form(-Z##j)
#define GAMMA_HALF(form, a, b, c, d, i, j, k, l)                                                                       \
    GAMMAS(form, a, i), GAMMAS(form, b, j), GAMMAS(form, c, k), GAMMAS(form, d, l)
#define GAMMA_ROW(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                      \
    .w = {GAMMA_HALF(W, a, b, c, d, i, j, k, l), GAMMA_HALF(W, e, f, g, h, m, n, o, p)},                               \
    .w_qinv = {GAMMA_HALF(W_QINV, a, b, c, d, i, j, k, l), GAMMA_HALF(W_QINV, e, f, g, h, m, n, o, p)}

const lk_q3329_factors lk_q3329_gammas_avx512[4] = {
    {GAMMA_ROW(64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79)},
    {GAMMA_ROW(80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95)},
    {GAMMA_ROW(96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111)},
    {GAMMA_ROW(112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127)},
};
