/* The end of a program that has met a mistake of the library's. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SHARED_TRAP_H
#define LK_SHARED_TRAP_H

#include <stdlib.h>

static inline _Noreturn void lk_trap(void)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_trap();
#else
    abort();
#endif
}

/* LK_CHECK ends the program if a condition does not hold. A build with NDEBUG, as CMake's Release is, does not ask. */
#if defined(NDEBUG)
#define LK_CHECK(condition) ((void)0)
#else
#define LK_CHECK(condition) ((condition) ? (void)0 : lk_trap())
#endif

#endif
