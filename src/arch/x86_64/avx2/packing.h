/* Between strings of d bits a coefficient, 256 of them, and registers of 16 coefficients, 3 <= d <= 13, for AVX2.
 *
 * Each half of a register has 8 coefficients, which stand for d bytes, and each quarter four, in 64 bits.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_PACKING_H
#define LK_ARCH_X86_64_AVX2_PACKING_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight indices of consecutive bytes. */
static inline long long bytes_from(unsigned first)
{
    return 0x0706050403020100 + 0x0101010101010101 * (long long)first;
}

/* For each half that begins after skip bytes: the bytes of its four first coefficients and of its four last. */
static inline __m256i groups_from(unsigned skip, unsigned d)
{
    const long long first = bytes_from(skip), last = bytes_from(skip + d / 2);
    return _mm256_setr_epi64x(first, last, first, last);
}

/* Registers at each end of a string beyond which 16 bytes from one of their halves would reach. */
static inline size_t near_end(unsigned d)
{
    return d < 4 ? 3 : 2;
}

/* Words whose d low bits are coefficients, with other bits above them, from the i-th 2 d bytes at in. Each half is
 * loaded with what stands before it, so that nothing beyond the end is read, or at first with what stands behind it.
 * For odd d the second group of four begins in the middle of a byte. */
static inline __m256i load_packed(const uint8_t *in, size_t i, unsigned d)
{
    const int pair = 2 * (int)d, odd = 4 * (int)(d & 1);
    const unsigned skip = i < near_end(d) ? 0 : 16 - d;
    const uint8_t *at = in + 2 * d * i - skip;
    const __m128i low = _mm_loadu_si128((const __m128i *)at), high = _mm_loadu_si128((const __m128i *)(at + d));
    const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    const __m256i groups = _mm256_shuffle_epi8(bytes, groups_from(skip, d));
    const __m256i fours = _mm256_srlv_epi64(groups, _mm256_setr_epi64x(0, odd, 0, odd));
    const __m256i pairs = _mm256_blend_epi32(fours, _mm256_slli_epi64(fours, 32 - pair), 0xAA);
    return _mm256_blend_epi16(pairs, _mm256_slli_epi32(pairs, 16 - (int)d), 0xAA);
}

/* The words, below 2^d, as d bytes in each half: pairs into 32 bits, pairs of pairs into 64, these into 128. */
static inline __m256i pack(__m256i words, unsigned d)
{
    const int gap = 32 - 2 * (int)d, rest = 64 - 4 * (int)d;
    const __m256i pairs = _mm256_madd_epi16(words, _mm256_set1_epi32(1 | 1 << (16 + d)));
    const __m256i left = _mm256_sllv_epi32(pairs, _mm256_set1_epi64x(gap));
    const __m256i fours = _mm256_srli_epi64(left, gap);
    const __m256i low = _mm256_slli_epi64(_mm256_bsrli_epi128(fours, 8), 64 - rest);
    const __m256i high = _mm256_srlv_epi64(fours, _mm256_setr_epi64x(0, rest, 0, rest));
    return _mm256_or_si256(low, high);
}

/* Stores the words as the i-th 2 d bytes at out. Bytes behind them are overwritten, except near the buffer's end. */
static inline void store_packed(uint8_t *out, size_t i, __m256i words, unsigned d)
{
    const __m256i packed = pack(words, d);
    uint8_t end[32], *at = i >= 16 - near_end(d) ? end : out + 2 * d * i;
    _mm_storeu_si128((__m128i *)at, _mm256_castsi256_si128(packed));
    _mm_storeu_si128((__m128i *)(at + d), _mm256_extracti128_si256(packed, 1));
    if (at == end) memcpy(out + 2 * d * i, end, 2 * d);
}

#endif
