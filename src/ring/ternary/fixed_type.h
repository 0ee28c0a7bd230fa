/* The beginning of Sample_fixed_type as loops that compilers vectorise: portable.c has them, and so has a backend that
 * compiles them again with its instructions. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_FIXED_TYPE_H
#define LK_RING_TERNARY_FIXED_TYPE_H

#include "base/bytes.h"
#include "ring/ternary/kernels.h"

/* Four fields are fifteen bytes, which two overlapping words of 64 bits cover. */
static void lk_ternary_fixed_type_words(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
{
    for (size_t i = 0; i < n - 1; i += 4, in += 15) {
        const uint64_t low = lk_load64_le(in), high = lk_load64_le(in + 7);
        a->c[i] = (int32_t)((uint32_t)low << 2);
        a->c[i + 1] = (int32_t)((uint32_t)(low >> 30) << 2);
        a->c[i + 2] = (int32_t)((uint32_t)(high >> 4) << 2);
        a->c[i + 3] = (int32_t)((uint32_t)(high >> 34) << 2);
    }
    for (size_t i = 0; i < w / 2; i++) a->c[i] |= 1;
    for (size_t i = w / 2; i < w; i++) a->c[i] |= 2;
}

/* Their places in a table. */
#define LK_TERNARY_FIXED_TYPE .fixed_type_words = lk_ternary_fixed_type_words

#endif
