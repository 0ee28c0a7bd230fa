// Cycles by Linux's perf_event_open: see cycles.h. SPDX-License-Identifier: Apache-2.0
#include "cycles.h"

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

CycleCounter &CycleCounter::instance()
{
    static CycleCounter counter;
    return counter;
}

#if defined(__linux__)

CycleCounter::CycleCounter()
{
    perf_event_attr attributes = {};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_CPU_CYCLES;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.pinned = 1; // counts all the time or fails: no scaled estimates
    descriptor_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    description_ = available() ? "perf_event, user space"
                               : std::string("not available: perf_event_open: ") + strerror(errno);
}

CycleCounter::~CycleCounter()
{
    if (available()) close(descriptor_);
}

uint64_t CycleCounter::read() const
{
    uint64_t count = 0;
    if (!available() || ::read(descriptor_, &count, sizeof count) != sizeof count) return 0;
    return count;
}

#else

CycleCounter::CycleCounter() : description_("not available: no perf_event on this system")
{
}
CycleCounter::~CycleCounter() = default;
uint64_t CycleCounter::read() const
{
    return 0;
}

#endif
