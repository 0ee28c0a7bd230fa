/* Exchanges of index bits between registers for transforms on 16-bit words, AVX-512.
 *
 * They take a and b, where the register bit is 0 and 1, and give what has 0 and 1 in another bit, written as (register
 * bit; bits of the place from the most significant on). Each takes itself back. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_EXCHANGE_H
#define LK_ARCH_X86_64_AVX512_EXCHANGE_H

#include <immintrin.h>

/* (r; x, ...) to (x; r, ...) */
static inline void exchange_halves(__m512i *a, __m512i *b)
{
    const __m512i t = *a;
    *a = _mm512_shuffle_i64x2(t, *b, 0x44);
    *b = _mm512_shuffle_i64x2(t, *b, 0xEE);
}

/* (r; x, y, z, ...) to (z; x, y, r, ...) */
static inline void exchange_eighths(__m512i *a, __m512i *b)
{
    const __m512i t = *a;
    *a = _mm512_unpacklo_epi64(t, *b);
    *b = _mm512_unpackhi_epi64(t, *b);
}

/* (r; w, x, y, z, ...) to (z; w, x, y, r, ...) */
static inline void exchange_sixteenths(__m512i *a, __m512i *b)
{
    const __m512i t = *a;
    *a = _mm512_mask_shuffle_epi32(t, 0xAAAA, *b, _MM_PERM_CCAA);
    *b = _mm512_mask_shuffle_epi32(*b, 0x5555, t, _MM_PERM_DDBB);
}

#endif
