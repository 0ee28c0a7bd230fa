// What the two Google Benchmark programs share: registration, the meter around a timing loop, and failures.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_GOOGLE_METER_H
#define LATKEM_BENCH_GOOGLE_METER_H

#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <string>

#include "cycles.h"

// register_all is defined by each program and registers its benchmarks with register_one; google_main.cpp calls it.
void register_all();
void register_one(const std::string &name, std::function<void(benchmark::State &)> body);

// fail ends a benchmark with an error, and the program with exit status 1.
void fail(benchmark::State &state, const std::string &message);

// A meter is made right before the timing loop and read right after it. It adds the counter cycles, per iteration,
// where there is one, and ns_per_item where one iteration makes more than one item.
class Meter
{
  public:
    Meter() : cycles_(CycleCounter::instance().read()), time_(std::chrono::steady_clock::now())
    {
    }
    void report(benchmark::State &state, size_t items) const;

  private:
    uint64_t cycles_;
    std::chrono::steady_clock::time_point time_;
};

#endif
