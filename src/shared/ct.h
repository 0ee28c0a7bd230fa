/* Constant-time selection and comparison, and the one way to declare a value public.
 *
 * Everything here runs in time that depends on lengths alone. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SHARED_CT_H
#define LK_SHARED_CT_H

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

/* lk_barrier64 and lk_barrier_size are lk_barrier for 64 bits and for those of a register. */
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

static inline size_t lk_barrier_size(size_t x)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(x));
    return x;
#else
    volatile size_t v = x;
    return v;
#endif
}

/* lk_below returns i if i < n, else 0, by arithmetic: a processor that guesses wrongly that i is below reads at 0. */
static inline size_t lk_below(size_t i, size_t n)
{
    return i & (0 - (size_t)(lk_barrier_size(i) < n));
}

/* lk_ct_nonzero returns 0xFFFFFFFF if x is not 0, else 0. The first barrier hides that this is a comparison of x, the
 * second that the result is one of two. */
static inline uint32_t lk_ct_nonzero(uint32_t x)
{
    return lk_barrier((uint32_t)0 - (lk_barrier(x | ((uint32_t)0 - x)) >> 31));
}

/* lk_ct_less returns 0xFFFFFFFF if a < b, else 0. Compilers make one instruction of the comparison, or one for a vector, but
 * for Thumb-1 (Cortex-M0) a branch. */
static inline uint32_t lk_ct_less(int32_t a, int32_t b)
{
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1
    return (uint32_t)(((int64_t)a - b) >> 63);
#else
    return (uint32_t)0 - (uint32_t)(a < b);
#endif
}

/* The halves of a word that is as wide as a register, one ORed to the other. */
static inline uint32_t lk_ct_fold(size_t x)
{
    return (uint32_t)x | (uint32_t)((uint64_t)x >> 8 * (sizeof x - sizeof(uint32_t)));
}

/* Before a loop over the words of ciphertexts, which are long enough to feel it. clang unrolls unasked. */
#if defined(__GNUC__) && !defined(__clang__)
#define LK_CT_UNROLL _Pragma("GCC unroll 4")
#else
#define LK_CT_UNROLL
#endif

/* lk_ct_differ returns 0xFFFFFFFF if the buffers differ in any of their len bytes, else 0. Words are compared where
 * there are any. */
static inline uint32_t lk_ct_differ(const uint8_t *a, const uint8_t *b, size_t len)
{
    size_t acc = 0, x, y;
    while (len & (sizeof x - 1)) {
        len--;
        acc |= (size_t)(a[len] ^ b[len]);
    }
    LK_CT_UNROLL
    for (size_t i = 0; i < len; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        acc |= x ^ y;
    }
    return lk_ct_nonzero(lk_ct_fold(acc));
}

/* lk_ct_same returns 0xFFFFFFFF if the buffers agree in all of their len bytes, a multiple of 8, else 0. It is what
 * lk_ct_differ is not, found in another way: a bit stays set as long as all words agree in it. A count of the words that are
 * equal takes half as long again. */
static inline uint32_t lk_ct_same(const uint8_t *a, const uint8_t *b, size_t len)
{
    size_t agree = ~(size_t)0, x, y;
    LK_CT_UNROLL
    for (size_t i = 0; i < len; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        agree &= ~(x ^ y);
    }
    return ~lk_ct_nonzero(lk_ct_fold(~agree));
}

/* lk_ct_move copies len bytes, a multiple of 8, from src to dst if both masks are 0xFFFFFFFF, and leaves dst as it is if
 * one is 0. Each word meets one mask after the other, so that there is no single place at which both are met. */
static inline void lk_ct_move(uint8_t *dst, const uint8_t *src, size_t len, uint32_t mask1, uint32_t mask2)
{
    const size_t first = (size_t)(int32_t)lk_barrier(mask1), second = (size_t)(int32_t)lk_barrier(mask2);
    size_t x, y;
    for (size_t i = 0; i < len; i += sizeof x) {
        memcpy(&x, dst + i, sizeof x);
        memcpy(&y, src + i, sizeof y);
        x ^= lk_barrier_size((x ^ y) & first) & second;
        memcpy(dst + i, &x, sizeof x);
    }
}

/* lk_declassify declares len bytes public although they were computed from secrets. Each use says why. It does nothing
 * but inform the secret-independence check (tests/ct). */
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
