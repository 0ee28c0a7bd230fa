/* Erasing secrets. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SHARED_WIPE_H
#define LK_SHARED_WIPE_H

#include <stddef.h>
#include <string.h>

/* lk_wipe sets len bytes to zero in a way that the optimiser keeps. */
static inline void lk_wipe(void *p, size_t len)
{
#if defined(__GNUC__) || defined(__clang__)
    memset(p, 0, len);
    __asm__ __volatile__("" : : "r"(p) : "memory");
#else
    volatile unsigned char *v = p;
    while (len--) *v++ = 0;
#endif
}

#endif
