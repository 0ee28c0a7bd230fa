/* The checks of a call's buffers, here and in liblatkem-protocol. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SHARED_BUFFERS_H
#define LK_SHARED_BUFFERS_H

#include <latkem/latkem.h>

/* A buffer of a call: where, the bytes that the call takes it to have, and those that the caller says. One of 0 bytes,
 * as in a batch of none, may be NULL. */
typedef struct {
    const void *at;
    size_t bytes, given;
} lk_buffer;

/* lk_buffer_of returns a buffer of the right length. */
static inline lk_buffer lk_buffer_of(const void *at, size_t bytes)
{
    return (lk_buffer){at, bytes, bytes};
}

static inline int lk_overlap(lk_buffer a, lk_buffer b)
{
    const uintptr_t x = (uintptr_t)a.at, y = (uintptr_t)b.at;
    if (a.bytes == 0 || b.bytes == 0) return 0;
    return x <= y ? y - x < a.bytes : x - y < b.bytes;
}

/* lk_check_buffers returns LATKEM_ERR_ARGUMENT if one of count buffers is NULL; else LATKEM_ERR_LENGTH if a length is
 * wrong; else LATKEM_ERR_ARGUMENT if one of the first `outputs` shares a byte with another; else 0. Such buffers are
 * refused because most operations read inputs and outputs again after they have written. */
static inline int lk_check_buffers(const lk_buffer *buffers, size_t count, size_t outputs)
{
    for (size_t i = 0; i < count; i++)
        if (!buffers[i].at && buffers[i].bytes > 0) return LATKEM_ERR_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (buffers[i].given != buffers[i].bytes) return LATKEM_ERR_LENGTH;
    for (size_t out = 0; out < outputs; out++)
        for (size_t i = out + 1; i < count; i++)
            if (lk_overlap(buffers[out], buffers[i])) return LATKEM_ERR_ARGUMENT;
    return 0;
}

#endif
