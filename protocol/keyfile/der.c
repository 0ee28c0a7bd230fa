/* DER's tags and lengths. SPDX-License-Identifier: Apache-2.0 */
#include "keyfile/der.h"

#include <string.h>

/* Takes a length: below 128 one byte, else the number of bytes that follow; the first of them is not 0. Four hold more
 * than any file has. 80 alone, the indefinite length of BER, says that none follow, and gives too short a length. */
static int take_length(lkp_der *in, size_t *length)
{
    if (in->len == 0) return 0;
    const size_t first = *in->at, follow = first & 0x7f;
    in->at++;
    in->len--;
    *length = first;
    if (first < 0x80) return 1;
    if (follow > 4 || follow > in->len) return 0;
    *length = 0;
    for (size_t i = 0; i < follow; i++) *length = *length << 8 | in->at[i];
    in->at += follow;
    in->len -= follow;
    /* The shortest form: one byte, or one byte less, would not be enough. */
    return *length >= 0x80 && *length >> 8 * (follow - 1) != 0;
}

int lkp_der_take(lkp_der *in, unsigned tag, lkp_der *content)
{
    size_t length = 0;
    *content = (lkp_der){NULL, 0};
    if (in->len == 0 || *in->at != tag) return 0;
    lkp_der rest = {in->at + 1, in->len - 1};
    if (!take_length(&rest, &length) || length > rest.len) return 0;
    *content = (lkp_der){rest.at, length};
    *in = (lkp_der){rest.at + length, rest.len - length};
    return 1;
}

int lkp_der_take_exactly(lkp_der *in, const void *bytes, size_t len)
{
    if (in->len < len || memcmp(in->at, bytes, len) != 0) return 0;
    in->at += len;
    in->len -= len;
    return 1;
}

/* The bytes behind the first of a length. */
static size_t more_bytes(size_t length)
{
    if (length < 0x80) return 0;
    return length < 0x100 ? 1 : 2;
}

size_t lkp_der_bytes(size_t content)
{
    return 2 + more_bytes(content) + content;
}

uint8_t *lkp_der_put(uint8_t *at, unsigned tag, size_t content)
{
    const size_t more = more_bytes(content);
    *at++ = (uint8_t)tag;
    if (more > 0) *at++ = (uint8_t)(0x80 | more);
    if (more == 2) *at++ = (uint8_t)(content >> 8);
    *at++ = (uint8_t)content;
    return at;
}

uint8_t *lkp_der_copy(uint8_t *at, const void *bytes, size_t len)
{
    memcpy(at, bytes, len);
    return at + len;
}
