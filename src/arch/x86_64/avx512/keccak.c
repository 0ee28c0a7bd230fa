/* Keccak with AVX-512: eight states in 512-bit registers, up to four in 256-bit registers. All 25 words of the states
 * stay in registers. The instructions for four states are in an order of their own (keccak_ordered.c). A single state
 * has a kernel of its own (keccak_x1.c). SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "arch/compilers.h"
#include "arch/x86_64/avx512/keccak_ordered.h"
#include "arch/x86_64/avx512/keccak_x1.h"
#include "arch/x86_64/avx512/vec.h"
#include "arch/x86_64/keccak_rounds.h"
#include "arch/x86_64/keccak_ymm.h"
#include "arch/x86_64/tables.h"

/* The truth table of x ? y : z for vpternlog. */
enum { CHOICE = 0xCA };

static size_t permute(uint64_t *states, size_t used)
{
    if (used == 1)
        lk_keccak_permute_x1_avx512(states);
    else if (used <= 4)
        lk_keccak_permute_x4_avx512(states);
    else
        permute_vectors(states);
    return used;
}

/* For cores that take 512-bit registers in two passes: four states take less time than the five registers of one. */
static size_t permute_halves(uint64_t *states, size_t used)
{
    if (used <= 4)
        lk_keccak_permute_x4_avx512(states);
    else
        lk_keccak_permute_x8_avx512(states);
    return used;
}

/* For Zen 5, where one state, four and eight take the same time. */
static size_t permute_zen5(uint64_t *states, size_t used)
{
    if (used <= 4)
        lk_keccak_permute_x4_zen5(states);
    else
        lk_keccak_permute_x8_zen5(states);
    return used;
}

/* Words of lanes in a row, where `lanes` is all ones. The whole row is stored, because a load has to wait for a masked
 * store to the same place. */
static inline void clear_lanes(uint64_t *row, __m512i lanes)
{
    _mm512_store_si512(row, _mm512_andnot_si512(lanes, _mm512_load_si512(row)));
}

static inline void set_lanes(uint64_t *row, __m512i lanes, __m512i x)
{
    _mm512_store_si512(row, _mm512_ternarylogic_epi64(lanes, x, _mm512_load_si512(row), CHOICE));
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    const __m512i lanes = _mm512_maskz_set1_epi64((__mmask8)in, -1);
    UNROLL
    for (size_t w = 0; w < 4; w++) set_lanes(states + w * STATES, lanes, _mm512_set1_epi64(load_word(seed + 8 * w)));
    set_lanes(states + 4 * STATES, lanes, _mm512_loadu_si512(ends));
    UNROLL
    for (size_t w = 5; w < LK_KECCAK_WORDS; w++) clear_lanes(states + w * STATES, lanes);
    set_lanes(states + last * STATES, lanes, _mm512_set1_epi64(INT64_MIN));
}

/* Of 128-bit pieces: piece i of a, b, c, d becomes r[2 i]. */
static inline void transpose_pieces(__m512i *r, __m512i a, __m512i b, __m512i c, __m512i d)
{
    const __m512i ab02 = _mm512_shuffle_i64x2(a, b, 0x88), ab13 = _mm512_shuffle_i64x2(a, b, 0xDD);
    const __m512i cd02 = _mm512_shuffle_i64x2(c, d, 0x88), cd13 = _mm512_shuffle_i64x2(c, d, 0xDD);
    r[0] = _mm512_shuffle_i64x2(ab02, cd02, 0x88);
    r[2] = _mm512_shuffle_i64x2(ab13, cd13, 0x88);
    r[4] = _mm512_shuffle_i64x2(ab02, cd02, 0xDD);
    r[6] = _mm512_shuffle_i64x2(ab13, cd13, 0xDD);
}

/* Word j of r[i] becomes word i of r[j]. */
static inline void transpose8(__m512i r[8])
{
    const __m512i lo01 = _mm512_unpacklo_epi64(r[0], r[1]), hi01 = _mm512_unpackhi_epi64(r[0], r[1]);
    const __m512i lo23 = _mm512_unpacklo_epi64(r[2], r[3]), hi23 = _mm512_unpackhi_epi64(r[2], r[3]);
    const __m512i lo45 = _mm512_unpacklo_epi64(r[4], r[5]), hi45 = _mm512_unpackhi_epi64(r[4], r[5]);
    const __m512i lo67 = _mm512_unpacklo_epi64(r[6], r[7]), hi67 = _mm512_unpackhi_epi64(r[6], r[7]);
    transpose_pieces(r, lo01, lo23, lo45, lo67);
    transpose_pieces(r + 1, hi01, hi23, hi45, hi67);
}

/* Which of the words first to first + 7 a lane with so many words has. */
static inline __mmask8 words_from(uint8_t words, size_t first)
{
    return (__mmask8)((((uint32_t)1 << words) - 1) >> first);
}

/* At most 8 * 21. */
static inline size_t sum_of(const uint8_t words[8])
{
    uint64_t all;
    memcpy(&all, words, sizeof all);
    return all * UINT64_C(0x0101010101010101) >> 56;
}

static inline int upper_half_idle(const uint8_t *words)
{
    return (words[4] | words[5] | words[6] | words[7]) == 0;
}

static inline size_t most_words(const uint8_t *words)
{
    size_t most = 0;
    for (size_t l = 0; l < STATES; l++)
        if (words[l] > most) most = words[l];
    return most;
}

/* Lane l, if it is the only one with words, else STATES. */
static inline size_t only_lane(const uint8_t *words)
{
    size_t l = 0;
    while (l < STATES && words[l] == 0) l++;
    return l < STATES && (uint64_t)load_word(words) == (uint64_t)words[l] << 8 * l ? l : STATES;
}

static void absorb_lane(uint64_t *states, size_t l, const uint8_t *block, size_t words)
{
    const __mmask8 lane = (__mmask8)((uint32_t)1 << l);
    for (size_t w = 0; w < words; w++) {
        uint64_t *row = states + w * STATES;
        const __m512i x = _mm512_load_si512(row), word = _mm512_set1_epi64(load_word(block + 8 * w));
        _mm512_store_si512(row, _mm512_mask_xor_epi64(x, lane, x, word));
    }
}

/* Eight words of eight lanes at a time. Masked loads read no byte behind a block; where a lane has none of the words,
 * they are pointed at memory that is there, for faults that masks suppress are slow. */
static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    const size_t only = only_lane(words);
    if (only < STATES && !fresh) {
        absorb_lane(states, only, blocks[only], words[only]);
        return;
    }
    if (upper_half_idle(words)) {
        absorb_ymm(states, STATES, blocks, words, fresh);
        return;
    }
    if (fresh) {
        const __mmask8 kept = (__mmask8)~fresh;
        for (size_t w = 0; w < LK_KECCAK_WORDS; w++)
            _mm512_store_si512(states + w * STATES, _mm512_maskz_load_epi64(kept, states + w * STATES));
    }
    for (size_t w = 0, most = most_words(words); w < most; w += 8) {
        __m512i r[STATES];
        for (size_t l = 0; l < STATES; l++) {
            const __mmask8 mask = words_from(words[l], w);
            r[l] = _mm512_maskz_loadu_epi64(mask, mask ? (const void *)(blocks[l] + 8 * w) : states);
        }
        transpose8(r);
        for (size_t i = 0; i < 8; i++) {
            uint64_t *row = states + (w + i) * STATES;
            _mm512_store_si512(row, _mm512_xor_si512(_mm512_load_si512(row), r[i]));
        }
    }
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    if (upper_half_idle(words)) {
        squeeze_ymm(blocks, states, STATES, words);
        return sum_of(words);
    }
    for (size_t w = 0, most = most_words(words); w < most; w += 8) {
        __m512i r[STATES];
        for (size_t i = 0; i < 8; i++) r[i] = _mm512_load_si512(states + (w + i) * STATES);
        transpose8(r);
        for (size_t l = 0; l < STATES; l++) {
            const __mmask8 mask = words_from(words[l], w);
            if (mask) _mm512_mask_storeu_epi64(blocks[l] + 8 * w, mask, r[l]);
        }
    }
    return sum_of(words);
}

#define EIGHT_LANES(permutation, narrow_lanes)                                                                         \
    {                                                                                                                  \
        .lanes = 8, .pairs = 1, .narrow = (narrow_lanes), .permute = (permutation), .absorb_seed = absorb_seed,        \
        .absorb = absorb, .squeeze = squeeze,                                                                          \
    }

const lk_keccak_kernels lk_keccak_avx512 = EIGHT_LANES(permute, 4);
const lk_keccak_kernels lk_keccak_avx512_halves = EIGHT_LANES(permute_halves, 4);
const lk_keccak_kernels lk_keccak_avx512_zen5 = EIGHT_LANES(permute_zen5, 0);
