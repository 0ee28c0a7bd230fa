/* Masks of division steps in AVX-512. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_DIVSTEPS_H
#define LK_ARCH_X86_64_AVX512_DIVSTEPS_H

#include <immintrin.h>

#include "shared/ct.h"

typedef struct {
    __mmask8 add, minus, swap;
} masks;

/* The barriers keep compilers from taking the chain of general registers through mask registers, which triples its
 * time. */
#define MASKS_OF(c)                                                                                                    \
    {                                                                                                                  \
        (__mmask8) lk_barrier((uint32_t)(c)->add), (__mmask8)lk_barrier((uint32_t)(c)->minus),                         \
            (__mmask8)lk_barrier((uint32_t)(c)->swap)                                                                  \
    }

#endif
