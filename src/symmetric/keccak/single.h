/* Keccak-f[1600] of one state in general registers (FIPS 202 section 3.3), for the portable kernels and for machines
 * with compilers that have better instructions for it. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_SINGLE_H
#define LK_SYMMETRIC_KECCAK_SINGLE_H

#include "symmetric/keccak/kernels.h"

#define TURNED(x, n) (((x) << (n)) | ((x) >> ((64 - (n)) & 63)))

/* Row y of rho, pi and chi of the new state e: B[x,y] is word s of the old state a with theta's d and rotation r, for
 * (s, r) = (s0, r0) to (s4, r4). */
#define NEW_ROW(e, a, y, s0, r0, s1, r1, s2, r2, s3, r3, s4, r4)                                                       \
    do {                                                                                                               \
        const uint64_t b0 = TURNED((a)[s0] ^ d[(s0) % 5], r0), b1 = TURNED((a)[s1] ^ d[(s1) % 5], r1);                 \
        const uint64_t b2 = TURNED((a)[s2] ^ d[(s2) % 5], r2), b3 = TURNED((a)[s3] ^ d[(s3) % 5], r3);                 \
        const uint64_t b4 = TURNED((a)[s4] ^ d[(s4) % 5], r4);                                                         \
        (e)[5 * (y) + 0] = b0 ^ (~b1 & b2);                                                                            \
        (e)[5 * (y) + 1] = b1 ^ (~b2 & b3);                                                                            \
        (e)[5 * (y) + 2] = b2 ^ (~b3 & b4);                                                                            \
        (e)[5 * (y) + 3] = b3 ^ (~b4 & b0);                                                                            \
        (e)[5 * (y) + 4] = b4 ^ (~b0 & b1);                                                                            \
    } while (0)

#define PARITY(a, x) ((a)[x] ^ (a)[(x) + 5] ^ (a)[(x) + 10] ^ (a)[(x) + 15] ^ (a)[(x) + 20])

/* One round from state a to state e. Unrolled into single variables: with loops, gcc keeps the state in memory and
 * takes a sixth longer. */
#define WHOLE_ROUND(e, a, rc)                                                                                          \
    do {                                                                                                               \
        const uint64_t c0 = PARITY(a, 0), c1 = PARITY(a, 1), c2 = PARITY(a, 2), c3 = PARITY(a, 3), c4 = PARITY(a, 4);  \
        const uint64_t d[5] = {c4 ^ TURNED(c1, 1), c0 ^ TURNED(c2, 1), c1 ^ TURNED(c3, 1), c2 ^ TURNED(c4, 1),         \
                               c3 ^ TURNED(c0, 1)};                                                                    \
        NEW_ROW(e, a, 0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);                                                         \
        NEW_ROW(e, a, 1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);                                                         \
        NEW_ROW(e, a, 2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);                                                           \
        NEW_ROW(e, a, 3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);                                                        \
        NEW_ROW(e, a, 4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);                                                         \
        (e)[0] ^= (rc);                                                                                                \
    } while (0)

/* Keccak-f[1600], in place. */
static inline void lk_keccak_single(uint64_t a[LK_KECCAK_WORDS])
{
    uint64_t e[LK_KECCAK_WORDS];
    for (size_t round = 0; round < 24; round += 2) {
        WHOLE_ROUND(e, a, lk_keccak_round_constants[round]);
        WHOLE_ROUND(a, e, lk_keccak_round_constants[round + 1]);
    }
}

#endif
