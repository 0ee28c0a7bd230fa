// Causes that took the core away from this thread: other programs, the hypervisor, long interrupts.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_WATCH_H
#define LATKEM_BENCH_WATCH_H

#include <cstdint>
#include <optional>

// A stopwatch that says whether the thread had the core all the while. The thread's CPU time stops while another
// thread runs and, where Linux sees the hypervisor's steal time, while another machine does.
class Stopwatch
{
  public:
    Stopwatch();

    // Reads both clocks; to be called once, right after the work.
    void stop();

    double wall_ns() const
    {
        return wall_ns_;
    }
    bool disturbed() const;

  private:
    int64_t wall_begin_, cpu_begin_;
    double wall_ns_ = 0, cpu_ns_ = 0;
};

// Seconds that the hypervisor has given to other machines, of one core or, for core < 0, of all since the system started.
// Nothing if Linux does not say it.
std::optional<double> stolen_seconds(int core);

#endif
