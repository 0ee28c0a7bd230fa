/* Exchanges of index bits between registers for transforms on 16-bit words, AVX2.
 *
 * They take a and b, where the register bit is 0 and 1, and give what has 0 and 1 in another bit, written as (register
 * bit; bits of the place from the most significant on). Each takes itself back. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_EXCHANGE_H
#define LK_ARCH_X86_64_AVX2_EXCHANGE_H

#include <immintrin.h>

/* (r; x, ...) to (x; r, ...) */
static inline void exchange_halves(__m256i *a, __m256i *b)
{
    const __m256i t = *a;
    *a = _mm256_permute2x128_si256(t, *b, 0x20);
    *b = _mm256_permute2x128_si256(t, *b, 0x31);
}

/* (r; x, y, ...) to (y; x, r, ...) */
static inline void exchange_quarters(__m256i *a, __m256i *b)
{
    const __m256i t = *a;
    *a = _mm256_unpacklo_epi64(t, *b);
    *b = _mm256_unpackhi_epi64(t, *b);
}

/* (r; x, y, z, ...) to (z; x, y, r, ...) */
static inline void exchange_eighths(__m256i *a, __m256i *b)
{
    const __m256i t = *a;
    *a = _mm256_blend_epi32(t, _mm256_slli_epi64(*b, 32), 0xAA);
    *b = _mm256_blend_epi32(_mm256_srli_epi64(t, 32), *b, 0xAA);
}

#endif
