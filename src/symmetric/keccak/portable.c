/* Keccak-f[1600] in portable C, one lane (FIPS 202 section 3.3). SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/keccak/kernels.h"

#include <string.h>

#include "base/bytes.h"

const uint64_t lk_keccak_round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000, 0x000000000000808B,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008A, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000A, 0x000000008000808B, 0x800000000000008B, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

#define ROTL(x, n) (((x) << (n)) | ((x) >> ((64 - (n)) & 63)))

/* Row y of rho, pi and chi of the new state e: B[x,y] is word s of the old state a with theta's d and rotation r, for
 * (s, r) = (s0, r0) to (s4, r4). */
#define ROW(e, a, y, s0, r0, s1, r1, s2, r2, s3, r3, s4, r4)                                                           \
    do {                                                                                                               \
        const uint64_t b0 = ROTL((a)[s0] ^ d[(s0) % 5], r0), b1 = ROTL((a)[s1] ^ d[(s1) % 5], r1);                     \
        const uint64_t b2 = ROTL((a)[s2] ^ d[(s2) % 5], r2), b3 = ROTL((a)[s3] ^ d[(s3) % 5], r3);                     \
        const uint64_t b4 = ROTL((a)[s4] ^ d[(s4) % 5], r4);                                                           \
        (e)[5 * (y) + 0] = b0 ^ (~b1 & b2);                                                                            \
        (e)[5 * (y) + 1] = b1 ^ (~b2 & b3);                                                                            \
        (e)[5 * (y) + 2] = b2 ^ (~b3 & b4);                                                                            \
        (e)[5 * (y) + 3] = b3 ^ (~b4 & b0);                                                                            \
        (e)[5 * (y) + 4] = b4 ^ (~b0 & b1);                                                                            \
    } while (0)

#define COLUMN(a, x) ((a)[x] ^ (a)[(x) + 5] ^ (a)[(x) + 10] ^ (a)[(x) + 15] ^ (a)[(x) + 20])

/* One round from state a to state e. Unrolled into single variables: with loops, gcc keeps the state in memory and
 * takes a sixth longer. */
#define ROUND(e, a, rc)                                                                                                \
    do {                                                                                                               \
        const uint64_t c0 = COLUMN(a, 0), c1 = COLUMN(a, 1), c2 = COLUMN(a, 2), c3 = COLUMN(a, 3), c4 = COLUMN(a, 4);  \
        const uint64_t d[5] = {c4 ^ ROTL(c1, 1), c0 ^ ROTL(c2, 1), c1 ^ ROTL(c3, 1), c2 ^ ROTL(c4, 1),                 \
                               c3 ^ ROTL(c0, 1)};                                                                      \
        ROW(e, a, 0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);                                                             \
        ROW(e, a, 1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);                                                             \
        ROW(e, a, 2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);                                                               \
        ROW(e, a, 3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);                                                            \
        ROW(e, a, 4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);                                                             \
        (e)[0] ^= (rc);                                                                                                \
    } while (0)

static void permute(uint64_t *states, size_t used)
{
    uint64_t a[25], e[25];
    (void)used;
    memcpy(a, states, sizeof a);
    for (int round = 0; round < 24; round += 2) {
        ROUND(e, a, lk_keccak_round_constants[round]);
        ROUND(a, e, lk_keccak_round_constants[round + 1]);
    }
    memcpy(states, a, sizeof a);
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    if (words[0] == 0) return;
    if (fresh) memset(states, 0, LK_KECCAK_WORDS * sizeof *states);
    for (size_t w = 0; w < words[0]; w++) states[w] ^= lk_load64_le(blocks[0] + 8 * w);
}

static void squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    for (size_t w = 0; w < words[0]; w++) lk_store64_le(blocks[0] + 8 * w, states[w]);
}

const lk_keccak_kernels lk_keccak_portable = {
    .lanes = 1,
    .permute = permute,
    .absorb = absorb,
    .squeeze = squeeze,
};
