/* Absorption and squeezing for the first four lanes of a group in 256-bit registers, a row's stride being the group's
 * lanes. If the busy lanes all have a word, four words of four lanes are transposed in registers; further words of one
 * lane are moved one by one. Contract: symmetric/keccak/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_KECCAK_YMM_H
#define LK_ARCH_X86_64_KECCAK_YMM_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "symmetric/keccak/kernels.h"

static inline __m256i load_row(const uint64_t *row)
{
    return _mm256_load_si256((const __m256i *)row);
}

static inline void store_row(uint64_t *row, __m256i x)
{
    _mm256_store_si256((__m256i *)row, x);
}

static inline long long load_word(const uint8_t *p)
{
    long long word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* All ones in each lane with its bit set. */
static inline __m256i lane_mask(uint32_t lanes)
{
    const __m256i bits = _mm256_set_epi64x(8, 4, 2, 1);
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(lanes), bits), bits);
}

/* r[i], word j to r[j], word i. */
static inline void transpose4(__m256i r[4])
{
    const __m256i lo01 = _mm256_unpacklo_epi64(r[0], r[1]), hi01 = _mm256_unpackhi_epi64(r[0], r[1]);
    const __m256i lo23 = _mm256_unpacklo_epi64(r[2], r[3]), hi23 = _mm256_unpackhi_epi64(r[2], r[3]);
    r[0] = _mm256_permute2x128_si256(lo01, lo23, 0x20);
    r[1] = _mm256_permute2x128_si256(hi01, hi23, 0x20);
    r[2] = _mm256_permute2x128_si256(lo01, lo23, 0x31);
    r[3] = _mm256_permute2x128_si256(hi01, hi23, 0x31);
}

/* The number of words that all busy lanes have; 0 if only one lane is busy, which is served better by itself. */
static inline size_t common_words(const uint8_t *words)
{
    size_t common = LK_KECCAK_WORDS, busy = 0;
    for (size_t l = 0; l < 4; l++) {
        if (words[l] == 0) continue;
        busy++;
        if (words[l] < common) common = words[l];
    }
    return busy > 1 ? common : 0;
}

static inline void absorb_ymm(uint64_t *states, size_t stride, const uint8_t *const *blocks, const uint8_t *words,
                              uint32_t fresh)
{
    static const uint8_t zeros[LK_KECCAK_RATE_MAX];
    const uint8_t *from[4];
    const size_t common = common_words(words);
    size_t w = 0;
    for (size_t l = 0; l < 4; l++) from[l] = words[l] > 0 ? blocks[l] : zeros;
    if (fresh) {
        const __m256i cleared = lane_mask(fresh);
        for (size_t i = 0; i < LK_KECCAK_WORDS; i++)
            store_row(states + i * stride, _mm256_andnot_si256(cleared, load_row(states + i * stride)));
    }
    for (; w + 4 <= common; w += 4) {
        __m256i r[4];
        for (size_t l = 0; l < 4; l++) r[l] = _mm256_loadu_si256((const __m256i *)(from[l] + 8 * w));
        transpose4(r);
        for (size_t i = 0; i < 4; i++) {
            uint64_t *row = states + (w + i) * stride;
            store_row(row, _mm256_xor_si256(load_row(row), r[i]));
        }
    }
    for (; w < common; w++) {
        uint64_t *row = states + w * stride;
        const __m256i word = _mm256_set_epi64x(load_word(from[3] + 8 * w), load_word(from[2] + 8 * w),
                                               load_word(from[1] + 8 * w), load_word(from[0] + 8 * w));
        store_row(row, _mm256_xor_si256(load_row(row), word));
    }
    for (size_t l = 0; l < 4; l++) {
        const __m256i mask = lane_mask((uint32_t)1 << l);
        for (size_t i = common; i < words[l]; i++) {
            uint64_t *row = states + i * stride;
            const __m256i word = _mm256_and_si256(mask, _mm256_set1_epi64x(load_word(from[l] + 8 * i)));
            store_row(row, _mm256_xor_si256(load_row(row), word));
        }
    }
}

/* Words first to last - 1 of lane l, one by one. */
static inline void squeeze_lane(uint8_t *block, const uint64_t *states, size_t stride, size_t l, size_t first,
                                size_t last)
{
    for (size_t w = first; w < last; w++) memcpy(block + 8 * w, states + w * stride + l, 8);
}

static inline void squeeze_ymm(uint8_t *const *blocks, const uint64_t *states, size_t stride, const uint8_t *words)
{
    const size_t transposed = common_words(words) & ~(size_t)3;
    for (size_t w = 0; w < transposed; w += 4) {
        __m256i r[4];
        for (size_t i = 0; i < 4; i++) r[i] = load_row(states + (w + i) * stride);
        transpose4(r);
        for (size_t l = 0; l < 4; l++)
            if (words[l] > 0) _mm256_storeu_si256((__m256i *)(blocks[l] + 8 * w), r[l]);
    }
    for (size_t l = 0; l < 4; l++) squeeze_lane(blocks[l], states, stride, l, transposed, words[l]);
}

#endif
