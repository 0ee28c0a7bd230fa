/* Constant-time selection and comparison, and the one way to declare a value public.
 *
 * Everything here runs in time that depends on lengths alone. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_BASE_CT_H
#define LK_BASE_CT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(LATKEM_CT_CHECK)
#include <valgrind/memcheck.h>
#endif

/* lk_barrier returns x and hides its value from the optimiser. A mask of secrets goes through it last: a compiler that
 * knows only 0 and -1 to be possible may branch on which of them it is. */
static inline uint32_t lk_barrier(uint32_t x)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(x));
    return x;
#else
    volatile uint32_t v = x;
    return v;
#endif
}

/* lk_barrier64 is lk_barrier for 64 bits. */
static inline uint64_t lk_barrier64(uint64_t x)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(x));
    return x;
#else
    volatile uint64_t v = x;
    return v;
#endif
}

/* lk_ct_nonzero returns 0xFFFFFFFF if x is not 0, else 0. The first barrier hides that this is a comparison of x, the
 * second that the result is one of two. */
static inline uint32_t lk_ct_nonzero(uint32_t x)
{
    return lk_barrier((uint32_t)0 - (lk_barrier(x | ((uint32_t)0 - x)) >> 31));
}

/* lk_ct_differ returns 0xFFFFFFFF if the buffers differ in any of their len bytes, else 0. Words are compared where
 * there are any: a ciphertext is long enough to feel it. */
static inline uint32_t lk_ct_differ(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t acc = 0, x, y;
    size_t i = 0;
    for (; i + sizeof x <= len; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        acc |= x ^ y;
    }
    for (; i < len; i++) acc |= (uint64_t)(a[i] ^ b[i]);
    return lk_ct_nonzero((uint32_t)(acc | acc >> 32));
}

/* lk_ct_move copies len bytes from src to dst if mask is 0xFFFFFFFF and leaves dst as it is if mask is 0. */
static inline void lk_ct_move(uint8_t *dst, const uint8_t *src, size_t len, uint32_t mask)
{
    const uint8_t m = (uint8_t)lk_barrier(mask);
    for (size_t i = 0; i < len; i++) dst[i] = (uint8_t)(dst[i] ^ (m & (dst[i] ^ src[i])));
}

/* lk_declassify declares len bytes public although they were computed from secrets. Each use says why. It does nothing
 * but tell the secret-independence check (tests/ct). */
static inline void lk_declassify(const void *p, size_t len)
{
#if defined(LATKEM_CT_CHECK)
    VALGRIND_MAKE_MEM_DEFINED(p, len);
#else
    (void)p;
    (void)len;
#endif
}

#endif
