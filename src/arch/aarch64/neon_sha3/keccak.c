/* Keccak on two lanes with the instructions of FEAT_SHA3. If both lanes have a word, two words of two lanes are
 * transposed in registers. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/keccak_lanes.h"
#include "arch/aarch64/tables.h"

enum { LANES = 2 };

/* The permutations in assembly, of as many of the first lanes; they are given lk_keccak_round_constants. */
void lk_keccak_permute_x2_sha3(uint64_t *states, const uint64_t *round_constants);

static size_t permute(uint64_t *states, size_t used)
{
    lk_keccak_permute_x2_sha3(states, lk_keccak_round_constants);
    return used;
}

/* Both lanes at once. */
static void seed_lanes(uint64_t *states, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    for (size_t w = 0; w < 4; w++) vst1q_u64(states + LANES * w, vdupq_n_u64(load_word(seed + 8 * w)));
    vst1q_u64(states + LANES * 4, vld1q_u64(ends));
    _Pragma("GCC unroll 20") for (size_t w = 5; w < LK_KECCAK_WORDS; w++) vst1q_u64(states + LANES * w, vdupq_n_u64(0));
    vst1q_u64(states + LANES * last, vdupq_n_u64((uint64_t)1 << 63));
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    if (in == 3) {
        seed_lanes(states, seed, ends, last);
        return;
    }
    for (size_t l = 0; l < LANES; l++)
        if (in >> l & 1) seed_lane(states + l, LANES, seed, ends[l], last);
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    const size_t n0 = words[0], n1 = words[1], common = n0 < n1 ? n0 : n1;
    const uint8_t *a = blocks[0], *b = blocks[1];
    uint64_t *rows = states;
    if (fresh) clear_lanes(states, LANES, fresh);
    for (size_t turns = common / 4; turns > 0; turns--, rows += 4 * LANES, a += 32, b += 32) {
        const uint64x2_t a01 = load_words(a), a23 = load_words(a + 16), b01 = load_words(b), b23 = load_words(b + 16);
        add_to(rows, vzip1q_u64(a01, b01));
        add_to(rows + LANES, vzip2q_u64(a01, b01));
        add_to(rows + 2 * LANES, vzip1q_u64(a23, b23));
        add_to(rows + 3 * LANES, vzip2q_u64(a23, b23));
    }
    const size_t done = common & ~(size_t)3;
    absorb_lane(rows, LANES, a, n0 - done);
    absorb_lane(rows + 1, LANES, b, n1 - done);
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    const size_t n0 = words[0], n1 = words[1], common = n0 < n1 ? n0 : n1;
    uint8_t *a = blocks[0], *b = blocks[1];
    const uint64_t *rows = states;
    for (size_t turns = common / 4; turns > 0; turns--, rows += 4 * LANES, a += 32, b += 32) {
        const uint64x2_t r0 = vld1q_u64(rows), r1 = vld1q_u64(rows + LANES);
        const uint64x2_t r2 = vld1q_u64(rows + 2 * LANES), r3 = vld1q_u64(rows + 3 * LANES);
        store_words(a, vzip1q_u64(r0, r1));
        store_words(a + 16, vzip1q_u64(r2, r3));
        store_words(b, vzip2q_u64(r0, r1));
        store_words(b + 16, vzip2q_u64(r2, r3));
    }
    const size_t done = common & ~(size_t)3;
    squeeze_lane(a, rows, LANES, n0 - done);
    squeeze_lane(b, rows + 1, LANES, n1 - done);
    return n0 + n1;
}

const lk_keccak_kernels lk_keccak_sha3 = {
    .lanes = 2,
    .pairs = 1,
    .permute = permute,
    .absorb_seed = absorb_seed,
    .absorb = absorb,
    .squeeze = squeeze,
};
