/* The checks of a call's buffers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_API_BUFFERS_H
#define LK_API_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

/* A buffer of a call; one of 0 bytes, as in a batch of none, may be NULL. */
typedef struct {
    const void *at;
    size_t bytes;
} lk_buffer;

static inline int lk_overlap(lk_buffer a, lk_buffer b)
{
    const uintptr_t x = (uintptr_t)a.at, y = (uintptr_t)b.at;
    return x <= y ? y - x < a.bytes : x - y < b.bytes;
}

/* lk_bad_buffers returns 1 if one of count buffers is NULL, or if one of the first `outputs` shares a byte with another: most
 * operations read inputs and outputs again after they have written. Else 0. */
static inline int lk_bad_buffers(const lk_buffer *buffers, size_t count, size_t outputs)
{
    for (size_t i = 0; i < count; i++)
        if (!buffers[i].at && buffers[i].bytes > 0) return 1;
    for (size_t out = 0; out < outputs; out++)
        for (size_t i = out + 1; i < count; i++)
            if (lk_overlap(buffers[out], buffers[i])) return 1;
    return 0;
}

#endif
