/* Factors of the NTT and of base multiplication for NEON. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/neon/q3329_factors.h"

#include "arch/aarch64/neon/q3329_constants.h"
#include "arch/q3329_zetas.h"

/* 17^BitRev7(i) modulo q, centred: Z<i> without its R, with R^-1 = 169. */
#define CENTRED(x) ((x) > Q / 2 ? (x)-Q : (x) < -Q / 2 ? (x) + Q : (x))
#define ROOT(i) CENTRED(Z##i * 169 % Q)

/* The inverse of a block's factor is that of the block at the mirrored place, negated. */
#define W(i) (int16_t)(ROOT(i))
#define W_QUOTIENT(i) QUOTIENT(ROOT(i))
#define V(i) (int16_t)(-ROOT(i))
#define V_QUOTIENT(i) QUOTIENT(-ROOT(i))

#define TREE(form, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)                                                        \
    form(a), form(b), form(c), form(d), form(e), form(f), form(g), form(h), form(i), form(j), form(k), form(l),        \
        form(m), form(n), form(o)
#define FOUR(form, a, b, c, d) form(a), form(b), form(c), form(d)
#define TWICE(form, a, b, c, d) FOUR(form, a, b, c, d), FOUR(form, a, b, c, d)
#define LANES(form, a, b, c, d)                                                                                        \
    {                                                                                                                  \
        .w = {TWICE(form, a, b, c, d)}, .w_quotient = { TWICE(form##_QUOTIENT, a, b, c, d) }                           \
    }

const lk_q3329_factors lk_q3329_forward_neon =
    {
        .between = {Q, TREE(W, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)},
        .between_quotient = {QUOTIENT(1), TREE(W_QUOTIENT, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)},
        .within =
            {
                {.halves = LANES(W, 16, 17, 18, 19),
                 .quarters = {LANES(W, 32, 34, 36, 38), LANES(W, 33, 35, 37, 39)},
                 .pairs = {LANES(W, 64, 68, 72, 76), LANES(W, 65, 69, 73, 77), LANES(W, 66, 70, 74, 78),
                           LANES(W, 67, 71, 75, 79)}},
                {.halves = LANES(W, 20, 21, 22, 23),
                 .quarters = {LANES(W, 40, 42, 44, 46), LANES(W, 41, 43, 45, 47)},
                 .pairs = {LANES(W, 80, 84, 88, 92), LANES(W, 81, 85, 89, 93), LANES(W, 82, 86, 90, 94),
                           LANES(W, 83, 87, 91, 95)}},
                {.halves = LANES(W, 24, 25, 26, 27),
                 .quarters = {LANES(W, 48, 50, 52, 54), LANES(W, 49, 51, 53, 55)},
                 .pairs = {LANES(W, 96, 100, 104, 108), LANES(W, 97, 101, 105, 109), LANES(W, 98, 102, 106, 110),
                           LANES(W, 99, 103, 107, 111)}},
                {.halves = LANES(W, 28, 29, 30, 31),
                 .quarters = {LANES(W, 56, 58, 60, 62), LANES(W, 57, 59, 61, 63)},
                 .pairs = {LANES(W, 112, 116, 120, 124), LANES(W, 113, 117, 121, 125), LANES(W, 114, 118, 122, 126),
                           LANES(W, 115, 119, 123, 127)}},
            },
};

const lk_q3329_factors lk_q3329_inverse_neon =
    {
        .between = {Q, TREE(V, 1, 3, 2, 7, 6, 5, 4, 15, 14, 13, 12, 11, 10, 9, 8)},
        .between_quotient = {QUOTIENT(1), TREE(V_QUOTIENT, 1, 3, 2, 7, 6, 5, 4, 15, 14, 13, 12, 11, 10, 9, 8)},
        .within =
            {
                {.halves = LANES(V, 31, 30, 29, 28),
                 .quarters = {LANES(V, 63, 61, 59, 57), LANES(V, 62, 60, 58, 56)},
                 .pairs = {LANES(V, 127, 123, 119, 115), LANES(V, 126, 122, 118, 114), LANES(V, 125, 121, 117, 113),
                           LANES(V, 124, 120, 116, 112)}},
                {.halves = LANES(V, 27, 26, 25, 24),
                 .quarters = {LANES(V, 55, 53, 51, 49), LANES(V, 54, 52, 50, 48)},
                 .pairs = {LANES(V, 111, 107, 103, 99), LANES(V, 110, 106, 102, 98), LANES(V, 109, 105, 101, 97),
                           LANES(V, 108, 104, 100, 96)}},
                {.halves = LANES(V, 23, 22, 21, 20),
                 .quarters = {LANES(V, 47, 45, 43, 41), LANES(V, 46, 44, 42, 40)},
                 .pairs = {LANES(V, 95, 91, 87, 83), LANES(V, 94, 90, 86, 82), LANES(V, 93, 89, 85, 81),
                           LANES(V, 92, 88, 84, 80)}},
                {.halves = LANES(V, 19, 18, 17, 16),
                 .quarters = {LANES(V, 39, 37, 35, 33), LANES(V, 38, 36, 34, 32)},
                 .pairs = {LANES(V, 79, 75, 71, 67), LANES(V, 78, 74, 70, 66), LANES(V, 77, 73, 69, 65),
                           LANES(V, 76, 72, 68, 64)}},
            },
};
