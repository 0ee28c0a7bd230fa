/* Factors of the NTT and of base multiplication for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/q3329_factors.h"

#include "arch/x86_64/q3329_constants.h"

#define EVERYWHERE(i) .w = {X16(W, i)}, .w_qinv = {X16(W_QINV, i)}

/* Rows of lane bits, the most significant first: (i6), (i6, i3), (i6, i3, i2). */
#define HALVES(a, b) .w = {X8(W, a), X8(W, b)}, .w_qinv = {X8(W_QINV, a), X8(W_QINV, b)}
#define FOUR4(form, a, b, c, d) X4(form, a), X4(form, b), X4(form, c), X4(form, d)
#define QUARTERS(a, b, c, d) .w = {FOUR4(W, a, b, c, d)}, .w_qinv = {FOUR4(W_QINV, a, b, c, d)}
#define FOUR2(form, a, b, c, d) X2(form, a), X2(form, b), X2(form, c), X2(form, d)
#define EIGHTHS(a, b, c, d, e, f, g, h)                                                                                \
    .w = {FOUR2(W, a, b, c, d), FOUR2(W, e, f, g, h)}, .w_qinv = {FOUR2(W_QINV, a, b, c, d), FOUR2(W_QINV, e, f, g, h)}

const lk_q3329_factors lk_q3329_first_avx2 = {EVERYWHERE(1)};

const lk_q3329_factors lk_q3329_wide_avx2[2][7] = {
    {{EVERYWHERE(2)},
     {EVERYWHERE(4)},
     {EVERYWHERE(5)},
     {EVERYWHERE(8)},
     {EVERYWHERE(9)},
     {EVERYWHERE(10)},
     {EVERYWHERE(11)}},
    {{EVERYWHERE(3)},
     {EVERYWHERE(6)},
     {EVERYWHERE(7)},
     {EVERYWHERE(12)},
     {EVERYWHERE(13)},
     {EVERYWHERE(14)},
     {EVERYWHERE(15)}},
};

const lk_q3329_factors lk_q3329_narrow_avx2[8][3] = {
    {{HALVES(16, 20)}, {QUARTERS(32, 33, 40, 41)}, {EIGHTHS(64, 65, 66, 67, 80, 81, 82, 83)}},
    {{HALVES(17, 21)}, {QUARTERS(34, 35, 42, 43)}, {EIGHTHS(68, 69, 70, 71, 84, 85, 86, 87)}},
    {{HALVES(18, 22)}, {QUARTERS(36, 37, 44, 45)}, {EIGHTHS(72, 73, 74, 75, 88, 89, 90, 91)}},
    {{HALVES(19, 23)}, {QUARTERS(38, 39, 46, 47)}, {EIGHTHS(76, 77, 78, 79, 92, 93, 94, 95)}},
    {{HALVES(24, 28)}, {QUARTERS(48, 49, 56, 57)}, {EIGHTHS(96, 97, 98, 99, 112, 113, 114, 115)}},
    {{HALVES(25, 29)}, {QUARTERS(50, 51, 58, 59)}, {EIGHTHS(100, 101, 102, 103, 116, 117, 118, 119)}},
    {{HALVES(26, 30)}, {QUARTERS(52, 53, 60, 61)}, {EIGHTHS(104, 105, 106, 107, 120, 121, 122, 123)}},
    {{HALVES(27, 31)}, {QUARTERS(54, 55, 62, 63)}, {EIGHTHS(108, 109, 110, 111, 124, 125, 126, 127)}},
};

/* gamma_i of algorithm 12 is zeta for even i and -zeta for odd i. */
#define GAMMAS(form, i, j) form(Z##i), form(Z##j), form(-Z##i), form(-Z##j)
#define GAMMA_HALF(form, a, b, c, d) GAMMAS(form, a, c), GAMMAS(form, b, d)
#define GAMMA_ROW(a, b, c, d, e, f, g, h)                                                                              \
    .w = {GAMMA_HALF(W, a, b, e, f), GAMMA_HALF(W, c, d, g, h)},                                                       \
    .w_qinv = {GAMMA_HALF(W_QINV, a, b, e, f), GAMMA_HALF(W_QINV, c, d, g, h)}

const lk_q3329_factors lk_q3329_gammas_avx2[8] = {
    {GAMMA_ROW(64, 65, 66, 67, 68, 69, 70, 71)},         {GAMMA_ROW(72, 73, 74, 75, 76, 77, 78, 79)},
    {GAMMA_ROW(80, 81, 82, 83, 84, 85, 86, 87)},         {GAMMA_ROW(88, 89, 90, 91, 92, 93, 94, 95)},
    {GAMMA_ROW(96, 97, 98, 99, 100, 101, 102, 103)},     {GAMMA_ROW(104, 105, 106, 107, 108, 109, 110, 111)},
    {GAMMA_ROW(112, 113, 114, 115, 116, 117, 118, 119)}, {GAMMA_ROW(120, 121, 122, 123, 124, 125, 126, 127)},
};
