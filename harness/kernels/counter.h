/* The constant-rate counter that user programs can read, for C and C++: lk_counter(), and its name LK_COUNTER, which is not
 * defined where the machine has none. A read waits for the instructions before it, so that a span holds all of its work.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HARNESS_KERNELS_COUNTER_H
#define LATKEM_HARNESS_KERNELS_COUNTER_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#include <x86intrin.h>

#define LK_COUNTER "time stamp counter"
static inline uint64_t lk_counter(void)
{
    _mm_lfence();
    return __rdtsc();
}

#elif defined(__aarch64__)

#define LK_COUNTER "virtual counter (cntvct_el0)"
static inline uint64_t lk_counter(void)
{
    uint64_t count;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
}

#endif

#endif
