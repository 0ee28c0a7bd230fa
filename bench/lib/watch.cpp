// Wall time beside the thread's CPU time, and Linux's account of stolen time: see watch.h.
// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace
{

// Time that a block may lack before it counts as disturbed: the timer interrupt's, and a part of the block.
constexpr double tolerated_ns = 5000, tolerated_part = 0.01;

int64_t now_ns(clockid_t clock)
{
    timespec time = {};
    clock_gettime(clock, &time);
    return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

} // namespace

Stopwatch::Stopwatch() : cpu_begin_(now_ns(CLOCK_THREAD_CPUTIME_ID))
{
    wall_begin_ = now_ns(CLOCK_MONOTONIC);
}

void Stopwatch::stop()
{
    const int64_t wall = now_ns(CLOCK_MONOTONIC);
    const int64_t cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
    wall_ns_ = static_cast<double>(wall - wall_begin_);
    cpu_ns_ = static_cast<double>(cpu - cpu_begin_);
}

bool Stopwatch::disturbed() const
{
    return wall_ns_ - cpu_ns_ > tolerated_ns + tolerated_part * wall_ns_;
}

std::optional<double> stolen_seconds(int core)
{
    const std::string wanted = core < 0 ? "cpu" : "cpu" + std::to_string(core);
    std::ifstream file("/proc/stat");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        double user, nice, system, idle, iowait, irq, softirq, steal;
        words >> name >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
        if (name == wanted && words) return steal / static_cast<double>(sysconf(_SC_CLK_TCK));
    }
    return std::nullopt;
}
