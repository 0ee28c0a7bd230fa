/* Vectors for division steps in AVX2. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_DIVSTEPS_H
#define LK_ARCH_X86_64_AVX2_DIVSTEPS_H

#include <immintrin.h>

#include "arch/x86_64/avx2/vec.h"

#define WORDS 4
#define DEALT 1
#define SHIFT_DOWN(x) _mm256_srlv_epi64(_mm256_permute4x64_epi64(x, 0x39), _mm256_set_epi64x(1, 0, 0, 0))

typedef struct {
    __m256i add, minus, swap;
} masks;

#define MASKS_OF(c)                                                                                                    \
    {                                                                                                                  \
        _mm256_set1_epi64x((long long)(c)->add), _mm256_set1_epi64x((long long)(c)->minus),                            \
            _mm256_set1_epi64x((long long)(c)->swap)                                                                   \
    }

#endif
