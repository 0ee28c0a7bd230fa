/* Factors of the NTT modulo LK_NEGACYCLIC_Q. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/neon/negacyclic_factors.h"

enum { Q = LK_NEGACYCLIC_Q };

/* c zeta^BitRev6(i) mod q, centred, from the powers zeta^1, zeta^2, zeta^4 ... zeta^32. */
#define STEP(x, i, bit, power) ((x) * (((i) >> (bit)) & 1 ? (int64_t)(power) : 1) % Q)
#define POWER(c, z1, z2, z4, z8, z16, z32, i)                                                                          \
    STEP(STEP(STEP(STEP(STEP(STEP((int64_t)(c), i, 0, z32), i, 1, z16), i, 2, z8), i, 3, z4), i, 4, z2), i, 5, z1)
#define CENTRED(x) (((x) + Q / 2) % Q - Q / 2)

/* zeta = 640780, a root of order 128, and its inverse. */
#define FORWARD(i) CENTRED(POWER(1, 640780, 34039521, 16371289, 35325261, 12931226, LK_NEGACYCLIC_ROOT, i))
#define INVERSE_TIMES(c, i)                                                                                            \
    CENTRED(POWER(c, 29263084, 27471851, 27764779, 35927498, 16145102, Q - LK_NEGACYCLIC_ROOT, i))
#define INVERSE(i) INVERSE_TIMES(1, i)

/* The inverse's last factors, those for i = 0 and 1, scale: the inverse leaves 2^6, base multiplication 2^-32, and both
 * factors of a product begin with 2^3. */
#define SCALED(i) INVERSE_TIMES(1 << (32 - 6 - 3 - 3), i)

#define PAIR(w) (int32_t)(w), LK_NEGACYCLIC_QUOTIENT(w)
#define LAYERS(first, f, i)                                                                                            \
    PAIR(first(i)), PAIR(f(2 * (i))), PAIR(f(2 * (i) + 1)), PAIR(f(4 * (i))), PAIR(f(4 * (i) + 1)),                    \
        PAIR(f(4 * (i) + 2)), PAIR(f(4 * (i) + 3))
#define BLOCK(f, i)                                                                                                    \
    {                                                                                                                  \
        .of = {LAYERS(f, f, i)},                                                                                       \
    }
#define BLOCKS(f)                                                                                                      \
    {                                                                                                                  \
        BLOCK(f, 8), BLOCK(f, 9), BLOCK(f, 10), BLOCK(f, 11), BLOCK(f, 12), BLOCK(f, 13), BLOCK(f, 14), BLOCK(f, 15)   \
    }

const lk_negacyclic_ntt_factors lk_negacyclic_forward_neon = {.first = BLOCK(FORWARD, 1), .second = BLOCKS(FORWARD)};

const lk_negacyclic_ntt_factors lk_negacyclic_inverse_neon = {
    .first = {.of = {LAYERS(SCALED, INVERSE, 1), PAIR(SCALED(0))}},
    .second = BLOCKS(INVERSE),
};

/* The last layer's factors and their negatives. */
#define FOUR(form, i) form(FORWARD(i)), form(-FORWARD(i)), form(FORWARD((i) + 1)), form(-FORWARD((i) + 1))
#define GAMMAS(i)                                                                                                      \
    {                                                                                                                  \
        {FOUR((int32_t), i)}, {FOUR(LK_NEGACYCLIC_QUOTIENT, i)},                                                       \
    }

const int32_t lk_negacyclic_gammas_neon[16][2][4] = {
    GAMMAS(32), GAMMAS(34), GAMMAS(36), GAMMAS(38), GAMMAS(40), GAMMAS(42), GAMMAS(44), GAMMAS(46),
    GAMMAS(48), GAMMAS(50), GAMMAS(52), GAMMAS(54), GAMMAS(56), GAMMAS(58), GAMMAS(60), GAMMAS(62),
};
