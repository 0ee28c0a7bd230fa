// Timers on the kernels of a backend, and the log of the calls that they timed. A timer does the same for every kernel,
// so that what it costs can be taken off: see profiler.h. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_TIMERS_H
#define LATKEM_BENCH_TIMERS_H

#include <cstdint>
#include <vector>

#include "harness/kernels/interpose.h"
#include "harness/kernels/ticks.h"

// One timed call: the kernel's index among those of for_each_kernel, or a number past them for what else a program
// times, and the call's ticks without those of the calls inside it.
struct Call {
    size_t kernel;
    uint64_t ticks;
};

// The calls since the log was cleared, in the order in which they ended.
inline std::vector<Call> call_log;

// The time from a span's making to its end is one call.
class Span
{
  public:
    explicit Span(size_t kernel) : kernel_(kernel), outer_(innermost), start_(ticks())
    {
        innermost = this;
    }
    ~Span()
    {
        const uint64_t time = ticks() - start_;
        call_log.push_back({kernel_, time - inner_});
        if (outer_ != nullptr) outer_->inner_ += time;
        innermost = outer_;
    }
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;

  private:
    static inline Span *innermost = nullptr;
    size_t kernel_;
    Span *outer_;
    uint64_t inner_ = 0;
    uint64_t start_;
};

using TimedBackend = InterposedBackend<Span>;

#endif
