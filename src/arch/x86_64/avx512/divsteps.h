/* Vectors for division steps in AVX-512. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_DIVSTEPS_H
#define LK_ARCH_X86_64_AVX512_DIVSTEPS_H

#include <immintrin.h>

#include "base/ct.h"

#define WORDS 8
#define V __m512i
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, x) _mm512_storeu_si512(p, x)
#define LOW_WORD(x) ((uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(x)))
#define SHIFT_DOWN(x) _mm512_shrdi_epi64(x, _mm512_alignr_epi64(_mm512_setzero_si512(), x, 1), 1)

typedef struct {
    __mmask8 add, minus, swap;
} masks;

/* The barriers keep compilers from taking the chain of general registers through mask registers, which triples its time. */
#define MASKS_OF(c)                                                                                                    \
    {                                                                                                                  \
        (__mmask8) lk_barrier((uint32_t)(c)->add), (__mmask8)lk_barrier((uint32_t)(c)->minus),                         \
            (__mmask8)lk_barrier((uint32_t)(c)->swap)                                                                  \
    }

#endif
