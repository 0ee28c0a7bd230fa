/* Vectors for division steps in AVX2. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_DIVSTEPS_H
#define LK_ARCH_X86_64_AVX2_DIVSTEPS_H

#include <immintrin.h>

#define WORDS 4
#define V __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define LOW_WORD(x) ((uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(x)))
#define SHIFT_DOWN(x) shift_down_by_one(x)

/* The words above, and 0 above the last. */
static inline __m256i shift_down_by_one(__m256i x)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i above = _mm256_blend_epi32(_mm256_permute4x64_epi64(x, 0x39), zero, 0xC0);
    return _mm256_or_si256(_mm256_srli_epi64(x, 1), _mm256_slli_epi64(above, 63));
}

typedef struct {
    __m256i add, minus, swap;
} masks;

#define MASKS_OF(c)                                                                                                    \
    {                                                                                                                  \
        _mm256_set1_epi64x((long long)(c)->add), _mm256_set1_epi64x((long long)(c)->minus),                            \
            _mm256_set1_epi64x((long long)(c)->swap)                                                                   \
    }

#endif
