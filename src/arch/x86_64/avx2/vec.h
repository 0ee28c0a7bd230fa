/* The vocabulary of kernels that are the same for AVX2 and AVX-512, here for AVX2: vectors of 16-bit words. Names that
 * end in 32 take the vector as words of so many bits. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_VEC_H
#define LK_ARCH_X86_64_AVX2_VEC_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef __m256i vec;

enum { LANES = 16 };

static inline vec v_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void v_store(void *p, vec x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

static inline vec v_zero(void)
{
    return _mm256_setzero_si256();
}

static inline vec v_set(int c)
{
    return _mm256_set1_epi16((short)c);
}

static inline vec v_and(vec x, vec y)
{
    return _mm256_and_si256(x, y);
}

static inline vec v_xor(vec x, vec y)
{
    return _mm256_xor_si256(x, y);
}

static inline vec v_add(vec x, vec y)
{
    return _mm256_add_epi16(x, y);
}

static inline vec v_sub(vec x, vec y)
{
    return _mm256_sub_epi16(x, y);
}

static inline vec v_mullo(vec x, vec y)
{
    return _mm256_mullo_epi16(x, y);
}

static inline vec v_mulhi(vec x, vec y)
{
    return _mm256_mulhi_epi16(x, y);
}

static inline vec v_mulhrs(vec x, vec y)
{
    return _mm256_mulhrs_epi16(x, y);
}

static inline vec v_min_unsigned(vec x, vec y)
{
    return _mm256_min_epu16(x, y);
}

static inline vec v_shl(vec x, unsigned n)
{
    return _mm256_slli_epi16(x, (int)n);
}

static inline vec v_shr(vec x, unsigned n)
{
    return _mm256_srli_epi16(x, (int)n);
}

static inline vec v_sar(vec x, unsigned n)
{
    return _mm256_srai_epi16(x, (int)n);
}

/* Of 32-bit words, which are pairs of words: sums, sums of the products of pairs, and halves moved to the other half,
 * with zeros in their place. */
static inline vec v_add32(vec x, vec y)
{
    return _mm256_add_epi32(x, y);
}

static inline vec v_madd(vec x, vec y)
{
    return _mm256_madd_epi16(x, y);
}

static inline vec v_low_to_high(vec x)
{
    return _mm256_slli_epi32(x, 16);
}

static inline vec v_high_to_low(vec x)
{
    return _mm256_srli_epi32(x, 16);
}

/* The low half of each 32-bit word from low, the high half from high. */
static inline vec v_halves(vec low, vec high)
{
    return _mm256_blend_epi16(low, high, 0xAA);
}

static inline vec v_swap_halves(vec x)
{
    return _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(x, 0xB1), 0xB1);
}

/* Blocks of 128 bits that are so many bytes apart. */
static inline vec v_blocks(const void *p, size_t bytes)
{
    const __m128i *first = p, *second = (const __m128i *)((const char *)p + bytes);
    return _mm256_loadu2_m128i(second, first);
}

/* Interleave the lower or the upper halves of blocks, by 16, 32 or 64 bits. */
#define V_UNPACK_LOW(bits, x, y) _mm256_unpacklo_epi##bits(x, y)
#define V_UNPACK_HIGH(bits, x, y) _mm256_unpackhi_epi##bits(x, y)

/* ---- Signed 32-bit words ---- */

static inline vec v_set32(int32_t c)
{
    return _mm256_set1_epi32(c);
}

static inline vec v_min32(vec x, vec y)
{
    return _mm256_min_epi32(x, y);
}

static inline vec v_max32(vec x, vec y)
{
    return _mm256_max_epi32(x, y);
}

static inline vec v_numbers32(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

/* Word numbers[i] of x at place i. */
static inline vec v_permute32(vec x, vec numbers)
{
    return _mm256_permutevar8x32_epi32(x, numbers);
}

/* A choice of words: those of x that have a bit. */
typedef vec v_mask32;

static inline v_mask32 v_with_bit32(vec x, int32_t bit)
{
    return _mm256_cmpeq_epi32(v_and(x, v_set32(bit)), v_set32(bit));
}

/* y where the mask has the word, else x. */
static inline vec v_choose32(vec x, vec y, v_mask32 mask)
{
    return _mm256_blendv_epi8(x, y, mask);
}

#endif
