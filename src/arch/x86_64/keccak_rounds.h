/* Keccak-f[1600] on vectors of lanes (FIPS 202 section 3.3), for any vector instructions.
 *
 * The file that includes this has included its backend's vec.h. Rounds work in place: before round i of four, word w =
 * x + 5y of the state is at x + 5 (p x + q y) with (p, q) = (0, 1), (1, 2), (3, 4), (2, 3). A row of the new state then
 * takes the places of the five words that it is made of, columns stay columns, and after four rounds every word is back,
 * so that compilers keep all in the same registers. The words are an array s[25] that is only indexed with constants,
 * also in FOR_ALL_WORDS, because compilers keep an array that they see in a loop in memory.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_KECCAK_ROUNDS_H
#define LK_ARCH_X86_64_KECCAK_ROUNDS_H

#include "symmetric/keccak/kernels.h"

/* Interleaved states: a vector has a word of each. */
enum { STATES = sizeof(vec) / sizeof(uint64_t) };

#define AT(p, q, w) s[(w) % 5 + 5 * (((p) * ((w) % 5) + (q) * ((w) / 5)) % 5)]

#define COLUMN(x) V_XOR3(V_XOR3(s[x], s[(x) + 5], s[(x) + 10]), s[(x) + 15], s[(x) + 20])

#define THETA(x, left, right)                                                                                          \
    do {                                                                                                               \
        const vec turned = V_ROL64(right, 1);                                                                          \
        s[x] = V_XOR3(s[x], left, turned);                                                                             \
        s[(x) + 5] = V_XOR3(s[(x) + 5], left, turned);                                                                 \
        s[(x) + 10] = V_XOR3(s[(x) + 10], left, turned);                                                               \
        s[(x) + 15] = V_XOR3(s[(x) + 15], left, turned);                                                               \
        s[(x) + 20] = V_XOR3(s[(x) + 20], left, turned);                                                               \
    } while (0)

/* Row y of rho, pi and chi: B[x,y] is word wx rotated by rx. */
#define ROW(p, q, np, nq, y, w0, r0, w1, r1, w2, r2, w3, r3, w4, r4)                                                   \
    do {                                                                                                               \
        const vec b0 = V_ROL64(AT(p, q, w0), r0), b1 = V_ROL64(AT(p, q, w1), r1), b2 = V_ROL64(AT(p, q, w2), r2);      \
        const vec b3 = V_ROL64(AT(p, q, w3), r3), b4 = V_ROL64(AT(p, q, w4), r4);                                      \
        AT(np, nq, 5 * (y) + 0) = V_CHI(b0, b1, b2);                                                                   \
        AT(np, nq, 5 * (y) + 1) = V_CHI(b1, b2, b3);                                                                   \
        AT(np, nq, 5 * (y) + 2) = V_CHI(b2, b3, b4);                                                                   \
        AT(np, nq, 5 * (y) + 3) = V_CHI(b3, b4, b0);                                                                   \
        AT(np, nq, 5 * (y) + 4) = V_CHI(b4, b0, b1);                                                                   \
    } while (0)

#define ROUND(p, q, np, nq, rc)                                                                                        \
    do {                                                                                                               \
        const vec c0 = COLUMN(0), c1 = COLUMN(1), c2 = COLUMN(2), c3 = COLUMN(3), c4 = COLUMN(4);                      \
        THETA(0, c4, c1);                                                                                              \
        THETA(1, c0, c2);                                                                                              \
        THETA(2, c1, c3);                                                                                              \
        THETA(3, c2, c4);                                                                                              \
        THETA(4, c3, c0);                                                                                              \
        ROW(p, q, np, nq, 0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);                                                     \
        s[0] = v_xor(s[0], v_set64(rc));                                                                               \
        ROW(p, q, np, nq, 1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);                                                     \
        ROW(p, q, np, nq, 2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);                                                       \
        ROW(p, q, np, nq, 3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);                                                    \
        ROW(p, q, np, nq, 4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);                                                     \
    } while (0)

/* rc points to the constants of the four rounds. */
#define FOUR_ROUNDS(rc)                                                                                                \
    do {                                                                                                               \
        ROUND(0, 1, 1, 2, (rc)[0]);                                                                                    \
        ROUND(1, 2, 3, 4, (rc)[1]);                                                                                    \
        ROUND(3, 4, 2, 3, (rc)[2]);                                                                                    \
        ROUND(2, 3, 0, 1, (rc)[3]);                                                                                    \
    } while (0)

#define FOR_ALL_WORDS(DO)                                                                                              \
    do {                                                                                                               \
        DO(0), DO(1), DO(2), DO(3), DO(4), DO(5), DO(6), DO(7), DO(8), DO(9), DO(10), DO(11), DO(12);                  \
        DO(13), DO(14), DO(15), DO(16), DO(17), DO(18), DO(19), DO(20), DO(21), DO(22), DO(23), DO(24);                \
    } while (0)

#define LOAD(w) s[w] = v_load_aligned(states + (w)*STATES)
#define STORE(w) v_store_aligned(states + (w)*STATES, s[w])

/* Permutes all STATES of them. */
static inline void permute_vectors(uint64_t *states)
{
    vec s[LK_KECCAK_WORDS];
    FOR_ALL_WORDS(LOAD);
    for (size_t round = 0; round < 24; round += 4) FOUR_ROUNDS(lk_keccak_round_constants + round);
    FOR_ALL_WORDS(STORE);
}

#endif
