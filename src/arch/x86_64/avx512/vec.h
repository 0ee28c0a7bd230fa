/* The vocabulary of kernels that are the same for AVX2 and AVX-512, here for AVX-512: vectors of 16-bit words. Names that
 * end in 32 or 64 take the vector as words of so many bits. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_VEC_H
#define LK_ARCH_X86_64_AVX512_VEC_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef __m512i vec;

enum { LANES = 32 };

static inline vec v_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

static inline void v_store(void *p, vec x)
{
    _mm512_storeu_si512(p, x);
}

static inline vec v_load_aligned(const void *p)
{
    return _mm512_load_si512(p);
}

static inline void v_store_aligned(void *p, vec x)
{
    _mm512_store_si512(p, x);
}

static inline vec v_zero(void)
{
    return _mm512_setzero_si512();
}

static inline vec v_set(int c)
{
    return _mm512_set1_epi16((short)c);
}

static inline vec v_and(vec x, vec y)
{
    return _mm512_and_si512(x, y);
}

static inline vec v_xor(vec x, vec y)
{
    return _mm512_xor_si512(x, y);
}

static inline vec v_add(vec x, vec y)
{
    return _mm512_add_epi16(x, y);
}

static inline vec v_sub(vec x, vec y)
{
    return _mm512_sub_epi16(x, y);
}

static inline vec v_mullo(vec x, vec y)
{
    return _mm512_mullo_epi16(x, y);
}

static inline vec v_mulhi(vec x, vec y)
{
    return _mm512_mulhi_epi16(x, y);
}

static inline vec v_mulhrs(vec x, vec y)
{
    return _mm512_mulhrs_epi16(x, y);
}

static inline vec v_min_unsigned(vec x, vec y)
{
    return _mm512_min_epu16(x, y);
}

static inline vec v_shl(vec x, unsigned n)
{
    return _mm512_slli_epi16(x, n);
}

static inline vec v_shr(vec x, unsigned n)
{
    return _mm512_srli_epi16(x, n);
}

static inline vec v_sar(vec x, unsigned n)
{
    return _mm512_srai_epi16(x, n);
}

/* Of 32-bit words, which are pairs of words: sums, sums of the products of pairs, and halves moved to the other half,
 * with zeros in their place. */
static inline vec v_add32(vec x, vec y)
{
    return _mm512_add_epi32(x, y);
}

static inline vec v_madd(vec x, vec y)
{
    return _mm512_madd_epi16(x, y);
}

static inline vec v_low_to_high(vec x)
{
    return _mm512_slli_epi32(x, 16);
}

static inline vec v_high_to_low(vec x)
{
    return _mm512_srli_epi32(x, 16);
}

/* The low half of each 32-bit word from low, the high half from high. */
static inline vec v_halves(vec low, vec high)
{
    return _mm512_mask_blend_epi16(0xAAAAAAAA, low, high);
}

static inline vec v_swap_halves(vec x)
{
    return _mm512_rol_epi32(x, 16);
}

/* Blocks of 128 bits that are so many bytes apart. */
static inline vec v_blocks(const void *p, size_t bytes)
{
    const char *first = p, *third = first + 2 * bytes;
    const __m128i a = _mm_loadu_si128((const __m128i *)first), b = _mm_loadu_si128((const __m128i *)(first + bytes));
    const __m128i c = _mm_loadu_si128((const __m128i *)third), d = _mm_loadu_si128((const __m128i *)(third + bytes));
    const __m512i two = _mm512_inserti64x2(_mm512_castsi128_si512(a), b, 1);
    return _mm512_inserti64x2(_mm512_inserti64x2(two, c, 2), d, 3);
}

/* Interleave the lower or the upper halves of blocks, by 16, 32 or 64 bits. */
#define V_UNPACK_LOW(bits, x, y) _mm512_unpacklo_epi##bits(x, y)
#define V_UNPACK_HIGH(bits, x, y) _mm512_unpackhi_epi##bits(x, y)

/* ---- Signed 32-bit words ---- */

static inline vec v_set32(int32_t c)
{
    return _mm512_set1_epi32(c);
}

static inline vec v_min32(vec x, vec y)
{
    return _mm512_min_epi32(x, y);
}

static inline vec v_max32(vec x, vec y)
{
    return _mm512_max_epi32(x, y);
}

static inline vec v_numbers32(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Word numbers[i] of x at place i. */
static inline vec v_permute32(vec x, vec numbers)
{
    return _mm512_permutexvar_epi32(numbers, x);
}

/* A choice of words: those of x that have a bit. */
typedef __mmask16 v_mask32;

static inline v_mask32 v_with_bit32(vec x, int32_t bit)
{
    return _mm512_test_epi32_mask(x, v_set32(bit));
}

/* y where the mask has the word, else x. */
static inline vec v_choose32(vec x, vec y, v_mask32 mask)
{
    return _mm512_mask_mov_epi32(x, mask, y);
}

/* ---- 64-bit words ---- */

static inline vec v_set64(uint64_t c)
{
    return _mm512_set1_epi64((long long)c);
}

/* x ^ y ^ z, and x ^ (~y & z) */
#define V_XOR3(x, y, z) _mm512_ternarylogic_epi64(x, y, z, 0x96)
#define V_CHI(x, y, z) _mm512_ternarylogic_epi64(x, y, z, 0xD2)

/* To the left, n a literal. */
#define V_ROL64(x, n) ((n) == 0 ? (x) : _mm512_rol_epi64(x, n))

#endif
