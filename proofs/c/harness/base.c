/* Constant-time helpers and byte order. SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "prove.h"
#include "shared/ct.h"
#include "shared/wipe.h"

enum { MOST = 20 };

void prove_nonzero(void)
{
    const uint32_t x = nondet_u32();
    CLAIM(lk_ct_nonzero(x) == (x ? 0xFFFFFFFF : 0), "all ones if x is not 0, else 0");
}

void prove_differ(void)
{
    uint8_t a[MOST], b[MOST];
    ANY(a);
    ANY(b);
    const size_t len = nondet_below(MOST + 1), from = nondet_below(MOST + 1 - len);
    int differ = 0;
    for (size_t i = 0; i < len; i++) differ |= a[from + i] != b[i];
    CLAIM(lk_ct_differ(a + from, b, len) == (differ ? 0xFFFFFFFF : 0), "all ones if a byte differs, else 0");
}

void prove_same(void)
{
    uint8_t a[MOST], b[MOST];
    ANY(a);
    ANY(b);
    const size_t len = 8 * nondet_below(MOST / 8 + 1), from = nondet_below(MOST + 1 - len);
    int differ = 0;
    for (size_t i = 0; i < len; i++) differ |= a[from + i] != b[i];
    CLAIM(lk_ct_same(a + from, b, len) == (differ ? 0 : 0xFFFFFFFF), "all ones if no byte differs, else 0");
}

void prove_move(void)
{
    uint8_t dst[MOST], before[MOST], src[MOST];
    ANY(dst);
    ANY(src);
    memcpy(before, dst, MOST);
    const size_t len = 8 * nondet_below(MOST / 8 + 1), i = nondet_below(MOST);
    const int first = nondet_int() & 1, second = nondet_int() & 1;
    lk_ct_move(dst, src, len, first ? 0xFFFFFFFF : 0, second ? 0xFFFFFFFF : 0);
    CLAIM(dst[i] == (first && second && i < len ? src[i] : before[i]),
          "src if both masks are set, else what was there");
}

void prove_wipe(void)
{
    uint8_t bytes[MOST], before[MOST];
    ANY(bytes);
    memcpy(before, bytes, MOST);
    const size_t len = nondet_below(MOST + 1), from = nondet_below(MOST + 1 - len), i = nondet_below(MOST);
    lk_wipe(bytes + from, len);
    CLAIM(bytes[i] == (i >= from && i - from < len ? 0 : before[i]), "len bytes are 0, the others as they were");
}

/* The value of len bytes, the first one the lowest or the highest. */
static uint64_t value_of(const uint8_t *p, size_t len, int first_is_lowest)
{
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) value = value << 8 | p[first_is_lowest ? len - 1 - i : i];
    return value;
}

void prove_bytes(void)
{
    uint8_t in[8], out[8];
    const uint64_t x = nondet_u64();
    ANY(in);
    CLAIM(lk_load16_le(in) == value_of(in, 2, 1), "16 bits, little-endian");
    CLAIM(lk_load32_le(in) == value_of(in, 4, 1), "32 bits, little-endian");
    CLAIM(lk_load64_le(in) == value_of(in, 8, 1), "64 bits, little-endian");
    CLAIM(lk_load32_be(in) == value_of(in, 4, 0), "32 bits, big-endian");
    CLAIM(lk_load64_be(in) == value_of(in, 8, 0), "64 bits, big-endian");
    lk_store32_le(out, (uint32_t)x);
    CLAIM(value_of(out, 4, 1) == (uint32_t)x, "32 bits stored, little-endian");
    lk_store64_le(out, x);
    CLAIM(value_of(out, 8, 1) == x, "64 bits stored, little-endian");
    lk_store32_be(out, (uint32_t)x);
    CLAIM(value_of(out, 4, 0) == (uint32_t)x, "32 bits stored, big-endian");
    lk_store64_be(out, x);
    CLAIM(value_of(out, 8, 0) == x, "64 bits stored, big-endian");
}
