/* Keccak with AVX2: four states in 256-bit registers, with the instructions in an order of their own (keccak_ordered.c),
 * a single one in general registers with BMI's rotation and and-not. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/keccak_ordered.h"
#include "arch/x86_64/keccak_ymm.h"
#include "arch/x86_64/tables.h"
#include "symmetric/keccak/single.h"

enum { STATES = 4 };

/* Sets a row's words of the lanes that are all ones. */
static inline void set_lanes(uint64_t *row, __m256i lanes, __m256i x)
{
    store_row(row, _mm256_blendv_epi8(load_row(row), x, lanes));
}

static void permute_x1(uint64_t *states)
{
    uint64_t s[LK_KECCAK_WORDS];
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) s[w] = states[w * STATES];
    lk_keccak_single(s);
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) states[w * STATES] = s[w];
}

static size_t permute(uint64_t *states, size_t used)
{
    if (used == 1)
        permute_x1(states);
    else
        lk_keccak_permute_x4_avx2(states);
    return used;
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    const __m256i lanes = lane_mask(in);
    for (size_t w = 0; w < 4; w++) set_lanes(states + w * STATES, lanes, _mm256_set1_epi64x(load_word(seed + 8 * w)));
    set_lanes(states + 4 * STATES, lanes, _mm256_loadu_si256((const __m256i *)ends));
    for (size_t w = 5; w < LK_KECCAK_WORDS; w++) set_lanes(states + w * STATES, lanes, _mm256_setzero_si256());
    set_lanes(states + last * STATES, lanes, _mm256_set1_epi64x(INT64_MIN));
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    absorb_ymm(states, STATES, blocks, words, fresh);
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    squeeze_ymm(blocks, states, STATES, words);
    return words[0] + words[1] + words[2] + words[3];
}

const lk_keccak_kernels lk_keccak_avx2 = {
    .lanes = 4,
    .permute = permute,
    .absorb_seed = absorb_seed,
    .absorb = absorb,
    .squeeze = squeeze,
};
