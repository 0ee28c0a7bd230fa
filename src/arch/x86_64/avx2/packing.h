/* Between strings of d bits a coefficient, 256 of them where not stated, and registers of 16 coefficients, 3 <= d <= 13,
 * for AVX2.
 *
 * Each half of a register has 8 coefficients, which are d bytes, and each quarter four, in 64 bits.
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

/* Whether each coefficient lies in two bytes, the one in which it begins and the next. */
static inline int fits_two_bytes(unsigned d)
{
    return d <= 10 || d == 12;
}

/* For coefficient j of each half that begins after skip bytes: the byte in which it begins and the next. */
static inline short bytes_of(unsigned j, unsigned skip, unsigned d)
{
    const unsigned first = skip + j * d / 8;
    return (short)(first | (first + 1) << 8);
}

/* The factor that takes coefficient j from its place in these to the top of a word. */
static inline short to_top(unsigned j, unsigned d)
{
    return (short)(1u << (16 - d - j * d % 8));
}

#define EACH_OF_HALF(f, ...)                                                                                           \
    f(0, __VA_ARGS__), f(1, __VA_ARGS__), f(2, __VA_ARGS__), f(3, __VA_ARGS__), f(4, __VA_ARGS__), f(5, __VA_ARGS__),  \
        f(6, __VA_ARGS__), f(7, __VA_ARGS__)
#define EACH_WORD(f, ...) _mm256_setr_epi16(EACH_OF_HALF(f, __VA_ARGS__), EACH_OF_HALF(f, __VA_ARGS__))

/* The coefficients of 2 d bytes of a string of any length, as words. 16 bytes are read for each half: skip bytes before
 * it, and 16 - d - skip behind it. Otherwise than in two bytes, four coefficients are taken apart twice; for odd d the
 * second group of four begins in the middle of a byte. */
static inline __m256i load_words(const uint8_t *in, unsigned skip, unsigned d)
{
    const int pair = 2 * (int)d, odd = 4 * (int)(d & 1);
    const uint8_t *at = in - skip;
    const __m128i low = _mm_loadu_si128((const __m128i *)at), high = _mm_loadu_si128((const __m128i *)(at + d));
    const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    if (fits_two_bytes(d)) {
        const __m256i places = skip == 0 ? EACH_WORD(bytes_of, 0, d) : EACH_WORD(bytes_of, 16 - d, d);
        const __m256i words = _mm256_shuffle_epi8(bytes, places);
        return _mm256_srli_epi16(_mm256_mullo_epi16(words, EACH_WORD(to_top, d)), 16 - (int)d);
    }
    const __m256i groups = _mm256_shuffle_epi8(bytes, groups_from(skip, d));
    const __m256i fours = _mm256_srlv_epi64(groups, _mm256_setr_epi64x(0, odd, 0, odd));
    const __m256i pairs = _mm256_blend_epi32(fours, _mm256_slli_epi64(fours, 32 - pair), 0xAA);
    const __m256i words = _mm256_blend_epi16(pairs, _mm256_slli_epi32(pairs, 16 - (int)d), 0xAA);
    return _mm256_and_si256(words, _mm256_set1_epi16((short)((1 << d) - 1)));
}

/* The coefficients of the i-th 2 d bytes at in. Nothing before them is read at first, nothing behind them later. */
static inline __m256i load_packed(const uint8_t *in, size_t i, unsigned d)
{
    return load_words(in + 2 * d * i, i < near_end(d) ? 0 : 16 - d, d);
}

/* For each half: of four pairs, each in 32 bits, the d/4 bytes in use. Beyond them, none. */
static inline char byte_of_pair(unsigned i, unsigned d)
{
    const unsigned bytes = d / 4, pair = (i >= bytes) + (i >= 2 * bytes) + (i >= 3 * bytes);
    return (char)(i < 4 * bytes ? 4 * pair + i - pair * bytes : 0x80);
}

/* The words, below 2^d, as d bytes in each half: pairs into 32 bits, with whole bytes taken together, or pairs
 * of pairs into 64, these into 128. */
static inline __m256i pack_words(__m256i words, unsigned d)
{
    const int gap = 32 - 2 * (int)d, rest = 64 - 4 * (int)d;
    const __m256i pairs = _mm256_madd_epi16(words, _mm256_set1_epi32(1 | 1 << (16 + d)));
    if (d % 4 == 0) {
        const __m128i used = _mm_setr_epi8(EACH_OF_HALF(byte_of_pair, d), byte_of_pair(8, d), byte_of_pair(9, d),
                                           byte_of_pair(10, d), byte_of_pair(11, d), byte_of_pair(12, d),
                                           byte_of_pair(13, d), byte_of_pair(14, d), byte_of_pair(15, d));
        return _mm256_shuffle_epi8(pairs, _mm256_broadcastsi128_si256(used));
    }
    const __m256i left = _mm256_sllv_epi32(pairs, _mm256_set1_epi64x(gap));
    const __m256i fours = _mm256_srli_epi64(left, gap);
    const __m256i low = _mm256_slli_epi64(_mm256_bsrli_epi128(fours, 8), 64 - rest);
    const __m256i high = _mm256_srlv_epi64(fours, _mm256_setr_epi64x(0, rest, 0, rest));
    return _mm256_or_si256(low, high);
}

/* Stores what pack_words made; 16 - d bytes behind its 2 d are overwritten. */
static inline void store_halves(uint8_t *out, __m256i packed, unsigned d)
{
    _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(packed));
    _mm_storeu_si128((__m128i *)(out + d), _mm256_extracti128_si256(packed, 1));
}

/* Stores the words as the i-th 2 d bytes at out. Bytes behind them are overwritten, except near the buffer's end. */
static inline void store_packed(uint8_t *out, size_t i, __m256i words, unsigned d)
{
    const __m256i packed = pack_words(words, d);
    if (d == 12) { /* 16 bytes and 8: no more than is wanted */
        const __m256i close = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
        _mm_storeu_si128((__m128i *)(out + 24 * i), _mm256_castsi256_si128(close));
        _mm_storel_epi64((__m128i *)(out + 24 * i + 16), _mm256_extracti128_si256(close, 1));
        return;
    }
    uint8_t end[32], *at = i >= 16 - near_end(d) ? end : out + 2 * d * i;
    store_halves(at, packed, d);
    if (at == end) memcpy(out + 2 * d * i, end, 2 * d);
}

#endif
