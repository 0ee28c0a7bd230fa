// A fast monotonic clock for spans of tens of nanoseconds: the counter of counter.h, or steady_clock.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_TICKS_H
#define LATKEM_HARNESS_KERNELS_TICKS_H

#include <chrono>
#include <cstdint>

#include "counter.h"

#if defined(LK_COUNTER)
constexpr const char *ticks_source = LK_COUNTER;
inline uint64_t ticks()
{
    return lk_counter();
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
