/* Masks for the ends of arrays. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_FIRST_OF_H
#define LK_ARCH_X86_64_AVX512_FIRST_OF_H

#include <stddef.h>
#include <stdint.h>

/* first_of returns a mask of those of most <= 64 places, the first at place at of an array of all, that the array
 * has. */
static inline uint64_t first_of(size_t all, size_t at, size_t most)
{
    const size_t rest = all > at ? all - at : 0, count = rest < most ? rest : most;
    return count == 0 ? 0 : UINT64_MAX >> (64 - count);
}

#endif
