/* Keccak on three interleaved states, for backends that bring the permutations. If all lanes have a word, two words of
 * three lanes are transposed in registers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_KECCAK_THREE_LANES_H
#define LK_ARCH_AARCH64_KECCAK_THREE_LANES_H

#include "arch/aarch64/keccak_lanes.h"

enum { LANES = 3 };

/* A permutation in assembly, of as many of the first lanes as it is made for; it is given lk_keccak_round_constants. */
typedef void permute_fn(uint64_t *states, const uint64_t *round_constants);

permute_fn lk_keccak_permute_x1_lazy;

/* Permutes the lanes in use: the first alone, two or three; returns used. Inlined, where the permutations are known. */
static inline size_t permute_by(uint64_t *states, size_t used, permute_fn *alone, permute_fn *two, permute_fn *three)
{
    if (used == 1)
        alone(states, lk_keccak_round_constants);
    else if (used == 2)
        two(states, lk_keccak_round_constants);
    else
        three(states, lk_keccak_round_constants);
    return used;
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    for (size_t l = 0; l < LANES; l++)
        if (in >> l & 1) seed_lane(states + l, LANES, seed, ends[l], last);
}

/* XORs two words of each of a, b, c into two rows. */
static inline void absorb_two(uint64_t *rows, const uint8_t *a, const uint8_t *b, const uint8_t *c)
{
    const uint64x2_t a01 = load_words(a), b01 = load_words(b), c01 = load_words(c);
    add_to(rows, vzip1q_u64(a01, b01));
    add_to(rows + 2, low_high(c01, a01));
    add_to(rows + 4, vzip2q_u64(b01, c01));
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    const size_t least = words[0] < words[1] ? words[0] : words[1];
    const size_t transposed = (least < words[2] ? least : words[2]) & ~(size_t)3;
    if (fresh) clear_lanes(states, LANES, fresh);
    for (size_t w = 0; w < transposed; w += 4) {
        const uint8_t *a = blocks[0] + 8 * w, *b = blocks[1] + 8 * w, *c = blocks[2] + 8 * w;
        absorb_two(states + LANES * w, a, b, c);
        absorb_two(states + LANES * (w + 2), a + 16, b + 16, c + 16);
    }
    for (size_t l = 0; l < LANES; l++)
        if (words[l] > transposed)
            absorb_lane(states + LANES * transposed + l, LANES, blocks[l] + 8 * transposed, words[l] - transposed);
}

/* Loads and half as many stores for each lane, which a transposition could hardly better. */
static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    for (size_t l = 0; l < LANES; l++) squeeze_lane(blocks[l], states + l, LANES, words[l]);
    return words[0] + words[1] + words[2];
}

/* A backend's table. pay_together: as .pairs of the contract. */
#define THREE_LANES(permute_used, pay_together)                                                                        \
    {                                                                                                                  \
        .lanes = LANES, .pairs = (pay_together), .permute = (permute_used), .absorb_seed = absorb_seed,                \
        .absorb = absorb, .squeeze = squeeze                                                                           \
    }

#endif
