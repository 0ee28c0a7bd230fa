// A counter of CPU cycles spent in user space by the calling thread, where the system gives one. Time stamp counters
// run at a constant rate of their own and are not used in its place. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_CYCLES_H
#define LATKEM_BENCH_CYCLES_H

#include <cstdint>
#include <string>

class CycleCounter
{
  public:
    // The counter of the thread that asks first.
    static CycleCounter &instance();

    bool available() const
    {
        return descriptor_ >= 0;
    }
    const std::string &description() const
    {
        return description_;
    } // "perf_event", or why there is none
    uint64_t read() const;

    CycleCounter(const CycleCounter &) = delete;
    CycleCounter &operator=(const CycleCounter &) = delete;

  private:
    CycleCounter();
    ~CycleCounter();

    int descriptor_ = -1;
    std::string description_;
};

#endif
