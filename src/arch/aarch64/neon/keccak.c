/* Keccak on two lanes: how blocks enter and leave the interleaved states, and which permutation serves. Where both lanes
 * have a word, two words of two lanes are transposed in registers. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/symmetric.h"
#include "symmetric/keccak/kernels.h"
#include "symmetric/keccak/portable.h"

enum { LANES = 2 };

void lk_keccak_permute_neon(uint64_t *states, size_t used)
{
    if (used == 1)
        lk_keccak_permute_x1_neon(states, lk_keccak_round_constants);
    else
        lk_keccak_permute_x2_neon(states, lk_keccak_round_constants);
}

void lk_keccak_permute_sha3(uint64_t *states, size_t used)
{
    (void)used;
    lk_keccak_permute_x2_sha3(states, lk_keccak_round_constants);
}

static inline uint64x2_t load_words(const uint8_t *p)
{
    return vreinterpretq_u64_u8(vld1q_u8(p));
}

static inline void store_words(uint8_t *p, uint64x2_t x)
{
    vst1q_u8(p, vreinterpretq_u8_u64(x));
}

static inline uint64x2_t load_row(const uint8_t *a, const uint8_t *b)
{
    return vreinterpretq_u64_u8(vcombine_u8(vld1_u8(a), vld1_u8(b)));
}

static inline void add_row(uint64_t *row, uint64x2_t x)
{
    vst1q_u64(row, veorq_u64(vld1q_u64(row), x));
}

/* XORs the words of a and b into the rows. Four at a time, for all messages have a multiple of four and one. */
static inline void absorb_rows(uint64_t *rows, const uint8_t *a, const uint8_t *b, size_t words)
{
    for (; words >= 4; words -= 4, rows += 4 * LANES, a += 32, b += 32) {
        const uint64x2_t a01 = load_words(a), a23 = load_words(a + 16), b01 = load_words(b), b23 = load_words(b + 16);
        add_row(rows, vzip1q_u64(a01, b01));
        add_row(rows + LANES, vzip2q_u64(a01, b01));
        add_row(rows + 2 * LANES, vzip1q_u64(a23, b23));
        add_row(rows + 3 * LANES, vzip2q_u64(a23, b23));
    }
    for (; words > 0; words--, rows += LANES, a += 8, b += 8) add_row(rows, load_row(a, b));
}

static inline void squeeze_rows(uint8_t *a, uint8_t *b, const uint64_t *rows, size_t words)
{
    for (; words >= 4; words -= 4, rows += 4 * LANES, a += 32, b += 32) {
        const uint64x2_t r0 = vld1q_u64(rows), r1 = vld1q_u64(rows + LANES);
        const uint64x2_t r2 = vld1q_u64(rows + 2 * LANES), r3 = vld1q_u64(rows + 3 * LANES);
        store_words(a, vzip1q_u64(r0, r1));
        store_words(a + 16, vzip1q_u64(r2, r3));
        store_words(b, vzip2q_u64(r0, r1));
        store_words(b + 16, vzip2q_u64(r2, r3));
    }
    for (; words > 0; words--, rows += LANES, a += 8, b += 8) {
        memcpy(a, rows, 8);
        memcpy(b, rows + 1, 8);
    }
}

/* The words of one lane; rows begins with its first. */
static inline void squeeze_lane(uint8_t *block, const uint64_t *rows, size_t words)
{
    for (; words >= 4; words -= 4, rows += 4 * LANES, block += 32)
        for (size_t i = 0; i < 4; i++) memcpy(block + 8 * i, rows + LANES * i, 8);
    for (; words > 0; words--, rows += LANES, block += 8) memcpy(block, rows, 8);
}

/* Five words a turn, which compilers unroll. */
static inline void clear(uint64_t *states, uint32_t lanes)
{
    uint64_t *lane = states + (lanes >> 1);
    for (size_t y = 0; y < LK_KECCAK_WORDS; y += 5)
        for (size_t x = 0; x < 5; x++) {
            if (lanes == 3)
                vst1q_u64(states + LANES * (x + y), vdupq_n_u64(0));
            else
                lane[LANES * (x + y)] = 0;
        }
}

void lk_keccak_absorb_neon(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    static const uint8_t zeros[LK_KECCAK_RATE_MAX];
    const size_t n0 = words[0], n1 = words[1], common = n0 < n1 ? n0 : n1;
    if (fresh) clear(states, fresh);
    absorb_rows(states, blocks[0], blocks[1], common);
    if (n0 > common) absorb_rows(states + LANES * common, blocks[0] + 8 * common, zeros, n0 - common);
    if (n1 > common) absorb_rows(states + LANES * common, zeros, blocks[1] + 8 * common, n1 - common);
}

void lk_keccak_squeeze_neon(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    const size_t n0 = words[0], n1 = words[1], common = n0 < n1 ? n0 : n1;
    squeeze_rows(blocks[0], blocks[1], states, common);
    if (n0 > common) squeeze_lane(blocks[0] + 8 * common, states + LANES * common, n0 - common);
    if (n1 > common) squeeze_lane(blocks[1] + 8 * common, states + LANES * common + 1, n1 - common);
}
