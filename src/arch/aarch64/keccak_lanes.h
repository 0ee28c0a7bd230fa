/* Absorption and squeezing of interleaved Keccak states lane by lane, and what all lanes together need. rows points to
 * a word of the lane or of all lanes, stride is their number. Messages have a multiple of four words and one (FIPS 202:
 * 9, 17, 21; seeds: 5), so that loops take four a turn. Contract: symmetric/keccak/kernels.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_KECCAK_LANES_H
#define LK_ARCH_AARCH64_KECCAK_LANES_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "symmetric/keccak/kernels.h"

static inline uint64_t load_word(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static inline void store_word(uint8_t *p, uint64_t word)
{
    memcpy(p, &word, sizeof word);
}

static inline uint64x2_t load_words(const uint8_t *p)
{
    return vreinterpretq_u64_u8(vld1q_u8(p));
}

static inline void store_words(uint8_t *p, uint64x2_t x)
{
    vst1q_u8(p, vreinterpretq_u8_u64(x));
}

static inline void add_to(uint64_t *rows, uint64x2_t x)
{
    vst1q_u64(rows, veorq_u64(vld1q_u64(rows), x));
}

/* The low word of a and the high word of b. */
static inline uint64x2_t low_high(uint64x2_t a, uint64x2_t b)
{
    return vcopyq_laneq_u64(a, 1, b, 1);
}

static inline void absorb_lane(uint64_t *rows, size_t stride, const uint8_t *block, size_t words)
{
    for (; words >= 4; words -= 4, rows += 4 * stride, block += 32) {
        const uint64_t w0 = load_word(block), w1 = load_word(block + 8);
        const uint64_t w2 = load_word(block + 16), w3 = load_word(block + 24);
        rows[0] ^= w0;
        rows[stride] ^= w1;
        rows[2 * stride] ^= w2;
        rows[3 * stride] ^= w3;
    }
    for (; words > 0; words--, rows += stride, block += 8) *rows ^= load_word(block);
}

static inline void squeeze_lane(uint8_t *block, const uint64_t *rows, size_t stride, size_t words)
{
    for (; words >= 4; words -= 4, rows += 4 * stride, block += 32) {
        const uint64_t w0 = rows[0], w1 = rows[stride], w2 = rows[2 * stride], w3 = rows[3 * stride];
        store_word(block, w0);
        store_word(block + 8, w1);
        store_word(block + 16, w2);
        store_word(block + 24, w3);
    }
    for (; words > 0; words--, rows += stride, block += 8) memcpy(block, rows, 8);
}

/* Clears the states of the lanes with bits that are set; there are stride. */
static inline void clear_lanes(uint64_t *states, size_t stride, uint32_t lanes)
{
    if (lanes == ((uint32_t)1 << stride) - 1) {
        _Pragma("GCC unroll 75") for (size_t i = 0; i + 1 < LK_KECCAK_WORDS * stride; i += 2)
            vst1q_u64(states + i, vdupq_n_u64(0));
        if (LK_KECCAK_WORDS * stride % 2) states[LK_KECCAK_WORDS * stride - 1] = 0;
        return;
    }
    for (size_t l = 0; l < stride; l++, states++) {
        if (!(lanes >> l & 1)) continue;
        _Pragma("GCC unroll 25") for (size_t w = 0; w < LK_KECCAK_WORDS; w++) states[w * stride] = 0;
    }
}

/* Makes the state of one lane that has absorbed a seed (contract: absorb_seed). */
static inline void seed_lane(uint64_t *rows, size_t stride, const uint8_t seed[32], uint64_t end, size_t last)
{
    for (size_t w = 0; w < 4; w++) rows[w * stride] = load_word(seed + 8 * w);
    rows[4 * stride] = end;
    _Pragma("GCC unroll 20") for (size_t w = 5; w < LK_KECCAK_WORDS; w++) rows[w * stride] = 0;
    rows[last * stride] = (uint64_t)1 << 63;
}

#endif
