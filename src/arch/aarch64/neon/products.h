/* Steps of products that are made of rows, each a register. The file that includes this defines the type PRODUCT_ROW, the
 * type PRODUCT_WORD of a row's elements, and PRODUCT_OF(name), the intrinsic of that name for these.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_PRODUCTS_H
#define LK_ARCH_AARCH64_NEON_PRODUCTS_H

#include <arm_neon.h>
#include <stddef.h>

#include "arch/compilers.h"

enum { ROW_WORDS = sizeof(PRODUCT_ROW) / sizeof(PRODUCT_WORD) };

static inline PRODUCT_ROW load(const PRODUCT_WORD *p)
{
    return PRODUCT_OF(vld1q)(p);
}

static inline void store(PRODUCT_WORD *p, PRODUCT_ROW v)
{
    PRODUCT_OF(vst1q)(p, v);
}

static inline PRODUCT_ROW add(PRODUCT_ROW x, PRODUCT_ROW y)
{
    return PRODUCT_OF(vaddq)(x, y);
}

static inline PRODUCT_ROW sub(PRODUCT_ROW x, PRODUCT_ROW y)
{
    return PRODUCT_OF(vsubq)(x, y);
}

/* Pairs of rows: two loads or two stores become one instruction if they are side by side. So the empty assembly
 * takes both rows after the loads and before the stores. */
static ALWAYS_INLINE void load_rows(PRODUCT_ROW *v, const PRODUCT_WORD *p, size_t rows)
{
    UNROLL
    for (size_t i = 0; i + 1 < rows; i += 2) {
        PRODUCT_ROW first = load(p + ROW_WORDS * i), second = load(p + ROW_WORDS * (i + 1));
        __asm__("" : "+w"(first), "+w"(second));
        v[i] = first;
        v[i + 1] = second;
    }
    if (rows % 2 == 1) v[rows - 1] = load(p + ROW_WORDS * (rows - 1));
}

static ALWAYS_INLINE void store_rows(PRODUCT_WORD *p, const PRODUCT_ROW *v, size_t rows)
{
    UNROLL
    for (size_t i = 0; i + 1 < rows; i += 2) {
        __asm__("" : : "w"(v[i]), "w"(v[i + 1]));
        store(p + ROW_WORDS * i, v[i]);
        store(p + ROW_WORDS * (i + 1), v[i + 1]);
    }
    if (rows % 2 == 1) store(p + ROW_WORDS * (rows - 1), v[rows - 1]);
}

/* Compilers would keep rows that are loaded again, more than there are registers, and spill. */
static ALWAYS_INLINE void forget_memory(void)
{
    __asm__ volatile("" ::: "memory");
}

/* The end of a layer of Karatsuba: of the blocks of the products of lower and upper halves and of the halves' sums, h of
 * each half, the 4 h blocks of the result. */
static ALWAYS_INLINE void combine(PRODUCT_ROW *out, const PRODUCT_ROW *low, const PRODUCT_ROW *high,
                                  const PRODUCT_ROW *sum, size_t h)
{
    UNROLL
    for (size_t k = 0; k < h; k++) {
        const PRODUCT_ROW difference = sub(low[h + k], high[k]);
        out[k] = low[k];
        out[h + k] = add(difference, sub(sum[k], low[k]));
        out[2 * h + k] = sub(sum[h + k], add(difference, high[h + k]));
        out[3 * h + k] = high[h + k];
    }
}

#endif
