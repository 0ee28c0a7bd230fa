// Machine facts from Linux's /proc and /sys: see machine.h. SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <latkem/backend.h>
#include <latkem/latkem.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "build_info.h"
#include "cycles.h"

namespace
{

std::string first_line(const std::string &path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// The value of the first line "key : value" of /proc/cpuinfo, or "".
std::string cpuinfo(const std::string &key)
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const size_t colon = line.find(':');
        if (line.compare(0, key.size(), key) != 0 || colon == std::string::npos) continue;
        const size_t start = line.find_first_not_of(' ', colon + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}

std::string cpu_model()
{
    for (const char *key : {"model name", "Model", "CPU part"})
        if (std::string value = cpuinfo(key); !value.empty()) return value;
    return "unknown";
}

// x86 has a flag for it; elsewhere the kernel does not say.
std::string is_virtual()
{
    const std::string flags = cpuinfo("flags");
    if (flags.empty()) return "unknown";
    return flags.find("hypervisor") != std::string::npos ? "yes" : "no";
}

std::string governor()
{
    const std::string line = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    return line.empty() ? "not readable" : line;
}

std::string backends()
{
    std::string names;
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) names += (i > 0 ? " " : "") + std::string(name);
    return names;
}

} // namespace

std::vector<std::pair<std::string, std::string>> machine_context()
{
    return {
        {"compiler", LATKEM_BENCH_COMPILER},
        {"compiler_flags", LATKEM_BENCH_FLAGS},
        {"build_type", LATKEM_BENCH_BUILD_TYPE},
        {"library_version", latkem_version()},
        {"backends", backends()},
        {"cpu_model", cpu_model()},
        {"virtual", is_virtual()},
        {"governor", governor()},
        {"cycles", CycleCounter::instance().description()},
    };
}

#if defined(__linux__)
void pin_to_core(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (core >= 0 && core < CPU_SETSIZE) CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        throw std::runtime_error("cannot pin to core " + std::to_string(core) + ": " + std::strerror(errno));
}
#else
void pin_to_core(int core)
{
    throw std::runtime_error("cannot pin to core " + std::to_string(core) + ": not supported on this system");
}
#endif
