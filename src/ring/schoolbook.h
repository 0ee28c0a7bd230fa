/* The common part of the small build's multiplications modulo powers of 2: coefficient by coefficient, four of the
 * product at a time, which stay in registers with the four of the left-hand factor that they meet. No memory is needed.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_SCHOOLBOOK_H
#define LK_RING_SCHOOLBOOK_H

#include <stddef.h>
#include <stdint.h>

/* h[t] += f[t - j] g[j] for j from 0 to count - 1, a multiple of 4, in words of 32 bits, which wrap. f[-count] is
 * readable. */
#define LK_SCHOOLBOOK_RUN(name, factor)                                                                                \
    static inline void name(uint32_t h[4], const uint16_t *f, const factor *g, size_t count)                           \
    {                                                                                                                  \
        const factor *end = g + count;                                                                                 \
        uint32_t h0 = h[0], h1 = h[1], h2 = h[2], h3 = h[3];                                                           \
        uint32_t f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], x;                                                        \
        for (; g < end; g += 4) {                                                                                      \
            x = (uint32_t)g[0];                                                                                        \
            h0 += f0 * x, h1 += f1 * x, h2 += f2 * x, h3 += f3 * x;                                                    \
            x = (uint32_t)g[1];                                                                                        \
            f3 = f[-1];                                                                                                \
            h0 += f3 * x, h1 += f0 * x, h2 += f1 * x, h3 += f2 * x;                                                    \
            x = (uint32_t)g[2];                                                                                        \
            f2 = f[-2];                                                                                                \
            h0 += f2 * x, h1 += f3 * x, h2 += f0 * x, h3 += f1 * x;                                                    \
            x = (uint32_t)g[3];                                                                                        \
            f1 = f[-3];                                                                                                \
            h0 += f1 * x, h1 += f2 * x, h2 += f3 * x, h3 += f0 * x;                                                    \
            f -= 4;                                                                                                    \
            f0 = f[0];                                                                                                 \
        }                                                                                                              \
        h[0] = h0, h[1] = h1, h[2] = h2, h[3] = h3;                                                                    \
    }

LK_SCHOOLBOOK_RUN(lk_schoolbook_bytes, int8_t)
LK_SCHOOLBOOK_RUN(lk_schoolbook_words, uint16_t)

#endif
