/* The outputs of a call: where they are, and what becomes of them when the call is refused. src/shared/buffers.h checks
 * them beside the inputs. Nothing here needs libcrypto. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_CALL_OUTPUT_H
#define LKP_CALL_OUTPUT_H

#include <string.h>

#include "shared/buffers.h"

/* An output. Its length is fixed, or the caller's variable, which is its capacity before the call and afterwards the
 * number of bytes that are used or needed. */
typedef struct {
    lk_buffer object; /* the caller's session or context, which a refusal leaves whole; or nothing: of 0 bytes */
    uint8_t *at;
    size_t *len; /* NULL: the length is fixed */
    size_t capacity;
} lkp_output;

/* Whether some bytes share one with the output's object. */
static inline int lkp_lies_in(lk_buffer object, const void *at, size_t len)
{
    return object.at && at && lk_overlap(object, lk_buffer_of(at, len));
}

static inline lkp_output lkp_fixed_output(lk_buffer object, uint8_t *at, size_t len)
{
    return (lkp_output){object, at, NULL, len};
}

/* A length that lies in the object is not read. */
static inline lkp_output lkp_output_of(lk_buffer object, uint8_t *at, size_t *len)
{
    return (lkp_output){object, at, len, len && !lkp_lies_in(object, len, sizeof *len) ? *len : 0};
}

/* The buffers of an output for lk_check_buffers: its bytes, and its length. */
static inline lk_buffer lkp_bytes_of(lkp_output out)
{
    return lk_buffer_of(out.at, out.capacity);
}

static inline lk_buffer lkp_length_of(lkp_output out)
{
    return lk_buffer_of(out.len, sizeof *out.len);
}

/* lkp_say_length stores how many bytes are used or needed, if the caller asks for it. */
static inline void lkp_say_length(lkp_output out, size_t bytes)
{
    if (out.len) *out.len = bytes;
}

/* lkp_fail zeroes len bytes, which may be NULL, and returns error. */
static inline int lkp_fail(int error, void *at, size_t len)
{
    if (at && len > 0) memset(at, 0, len);
    return error;
}

/* lkp_refuse zeroes an output and returns error; the length is `need`: the bytes that the output needs, or 0. Bytes in
 * the object stay, because zeros would leave half of a session there. */
static inline int lkp_refuse(int error, lkp_output out, size_t need)
{
    if (!lkp_lies_in(out.object, out.len, sizeof *out.len)) lkp_say_length(out, need);
    return lkp_lies_in(out.object, out.at, out.capacity) ? error : lkp_fail(error, out.at, out.capacity);
}

#endif
