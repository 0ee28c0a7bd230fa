// The parts of an operation's time: rounds with timers on its kernels alternate with rounds without. The cost of the
// timers is measured on a kernel that does nothing, and subtracted. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_PROFILER_H
#define LATKEM_BENCH_PROFILER_H

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report_main.h"
#include "timers.h"
#include "workload.h"

// The cost of a timer for a call, in ticks: within the span that it reports, and altogether.
struct TimerCost {
    double inside, altogether;
};

// A part of an operation: how many timed calls belong to it, whole or shared with other parts, and their ticks.
struct Part {
    double calls = 0, ticks = 0;
};

// The mean ticks of one operation and of its parts.
struct Round {
    double total = 0;
    std::vector<Part> parts;
};

// The results of a profiler, in nanoseconds. corrected is interposed less what the timers cost, and the sum of the
// parts and of other, which is what no timer saw.
struct Profile {
    struct Time {
        double calls, ns;
    };
    double total, interposed, corrected, other;
    std::vector<Time> parts;
};

class Profiler
{
  public:
    // Gives each call of one operation, or of several, to the part or parts that it belongs to: the weights are 1 in all.
    using Split = std::function<void(const std::vector<Call> &calls, std::vector<Part> &parts)>;

    // timed is the operation as it runs with timers: it may time more than its kernels.
    Profiler(Workload &w, const Operation &plain, const Operation &timed, const TimedBackend &backend, size_t parts,
             Split split)
        : w_(w), plain_(plain), timed_(timed), backend_(backend), parts_(parts), split_(std::move(split))
    {
    }

    void round(size_t number);
    Profile result(const TimerCost &timer, double nanoseconds) const;

    // "set", "operation", "backend" and the times of a profile, as every program's rows begin.
    nlohmann::ordered_json head(const Profile &profile) const;

  private:
    Round run(const Operation &operation, const lk_backend &backend, size_t step);
    Round run_timed(size_t step);
    void require(int result) const;

    Workload &w_;
    Operation plain_, timed_;
    const TimedBackend &backend_;
    size_t parts_;
    Split split_;
    std::vector<Round> without_, with_;
};

// profile_main is main() of a program of profilers. For each set that is wanted, on each backend, make returns a
// profiler for each operation, and row makes what is added to the JSON's list of that name from each.
struct Profilers {
    std::string title, list;
    unsigned rounds; // the default of --rounds
    std::function<bool(const latkem_kem *kem)> wanted;
    std::function<std::vector<Profiler>(Workload &w, const TimedBackend &backend)> make;
    std::function<nlohmann::ordered_json(const Profiler &profiler, const Profile &profile, const TimedBackend &backend)>
        row;
};
int profile_main(int argc, char **argv, const Profilers &profilers);

#endif
