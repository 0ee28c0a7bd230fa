/* Between strings of d bits a coefficient and registers of 32 coefficients, 3 <= d <= 13, for AVX-512.
 *
 * A register is 4 d bytes, a quarter of it, four coefficients in 64 bits, for d/2. Bytes beyond a buffer's end
 * are masked out. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_PACKING_H
#define LK_ARCH_X86_64_AVX512_PACKING_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

static inline __mmask64 first_bytes(unsigned count)
{
    return UINT64_MAX >> (64 - count);
}

/* Eight indices of consecutive bytes. */
static inline long long bytes_from(unsigned first)
{
    return 0x0706050403020100 + 0x0101010101010101 * (long long)first;
}

/* Positions of the low and the high byte of a word that begins at a bit, counted around within 64. */
static inline uint64_t word_from(unsigned bit)
{
    return (bit & 63) | ((bit + 8) & 63) << 8;
}

/* The same for the words of four coefficients of d bits from a bit on. */
static inline long long words_from(unsigned bit, unsigned d)
{
    return (long long)(word_from(bit) | word_from(bit + d) << 16 | word_from(bit + 2 * d) << 32 |
                       word_from(bit + 3 * d) << 48);
}

/* Words with bits that shift ... shift + d - 1 are coefficients, with other bits around them, from the first 4 d bytes.
 * For odd d every second group of four begins in the middle of a byte. */
static inline __m512i unpack_words(__m512i bytes, unsigned d, unsigned shift)
{
    const unsigned g = d / 2, odd = d & 1;
    const __m512i groups = _mm512_setr_epi64(bytes_from(0), bytes_from(g), bytes_from(d), bytes_from(d + g),
                                             bytes_from(2 * d), bytes_from(2 * d + g), bytes_from(3 * d),
                                             bytes_from(3 * d + g));
    const long long even_words = words_from(0 - shift, d), odd_words = words_from(4 * odd - shift, d);
    const __m512i words = _mm512_setr_epi64(even_words, odd_words, even_words, odd_words, even_words, odd_words,
                                            even_words, odd_words);
    return _mm512_multishift_epi64_epi8(words, _mm512_permutexvar_epi8(groups, bytes));
}

/* The same from the i-th 4 d bytes at in. */
static inline __m512i load_shifted(const uint8_t *in, size_t i, unsigned d, unsigned shift)
{
    return unpack_words(_mm512_maskz_loadu_epi8(first_bytes(4 * d), in + 4 * d * i), d, shift);
}

static inline __m512i load_packed(const uint8_t *in, size_t i, unsigned d)
{
    return load_shifted(in, i, d, 0);
}

/* Words below 2^d as 4 d bytes, with zeros behind them: pairs into 32 bits, pairs of pairs into 64, these into 128, and
 * then the bytes that are in use, close together. */
static inline __m512i pack_words(__m512i words, unsigned d)
{
    const int gap = 32 - 2 * (int)d, rest = 64 - 4 * (int)d;
    const __m512i pairs = _mm512_madd_epi16(words, _mm512_set1_epi32(1 | 1 << (16 + d)));
    const __m512i left = _mm512_sllv_epi32(pairs, _mm512_set1_epi64(gap));
    const __m512i fours = _mm512_srlv_epi64(left, _mm512_set1_epi64(gap));
    const __m512i low = _mm512_sllv_epi64(_mm512_bsrli_epi128(fours, 8), _mm512_set1_epi64(64 - rest));
    const __m512i high = _mm512_srlv_epi64(fours, _mm512_setr_epi64(0, rest, 0, rest, 0, rest, 0, rest));
    const uint64_t used = ((uint64_t)1 << d) - 1;
    return _mm512_maskz_compress_epi8(used | used << 16 | used << 32 | used << 48, _mm512_or_si512(low, high));
}

/* Stores the words as the i-th 4 d bytes at out. */
static inline void store_packed(uint8_t *out, size_t i, __m512i words, unsigned d)
{
    _mm512_mask_storeu_epi8(out + 4 * d * i, first_bytes(4 * d), pack_words(words, d));
}

#endif
