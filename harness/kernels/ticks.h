// A fast monotonic clock for spans of tens of nanoseconds: the constant-rate counter that user programs can read, or
// steady_clock. Both reads wait for the instructions before them, so that a span holds all of its work.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_TICKS_H
#define LATKEM_HARNESS_KERNELS_TICKS_H

#include <chrono>
#include <cstdint>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#if defined(__x86_64__) || defined(__i386__)
constexpr const char *ticks_source = "time stamp counter";
inline uint64_t ticks()
{
    _mm_lfence();
    return __rdtsc();
}
#elif defined(__aarch64__)
constexpr const char *ticks_source = "virtual counter (cntvct_el0)";
inline uint64_t ticks()
{
    uint64_t count;
    asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
}
#else
constexpr const char *ticks_source = "steady_clock";
inline uint64_t ticks()
{
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
#endif

// nanoseconds_per_tick compares the counter with steady_clock over a twentieth of a second.
inline double nanoseconds_per_tick()
{
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const uint64_t first = ticks();
    while (Clock::now() - start < std::chrono::milliseconds(50)) {
    }
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    return time.count() / static_cast<double>(ticks() - first);
}

#endif
