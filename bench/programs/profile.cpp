// The kernel profiler: which share of each operation's time is spent in which kernel.
// SPDX-License-Identifier: Apache-2.0
#include "profiler.h"

namespace
{

void split_by_kernel(const std::vector<Call> &calls, std::vector<Part> &parts)
{
    for (const Call &call : calls) {
        parts[call.kernel].calls++;
        parts[call.kernel].ticks += static_cast<double>(call.ticks);
    }
}

std::vector<Profiler> make(Workload &w, const TimedBackend &backend)
{
    std::vector<Profiler> profilers;
    profilers.reserve(core_operations.size());
    for (const Operation &operation : core_operations)
        profilers.emplace_back(w, operation, operation, backend, backend.names().size(), split_by_kernel);
    return profilers;
}

nlohmann::ordered_json row(const Profiler &profiler, const Profile &profile, const TimedBackend &backend)
{
    nlohmann::ordered_json row = profiler.head(profile), &kernels = row["kernels"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < profile.parts.size(); i++) {
        const auto &[calls, ns] = profile.parts[i];
        if (calls == 0) continue;
        kernels.push_back({{"family", backend.names()[i].family},
                           {"name", backend.names()[i].kernel},
                           {"calls", calls},
                           {"ns", ns},
                           {"share", ns / profile.corrected}});
    }
    row["other_ns"] = profile.other;
    row["other_share"] = profile.other / profile.corrected;
    return row;
}

} // namespace

int main(int argc, char **argv)
{
    const Profilers profilers = {"The share of each operation's time that each kernel takes.",
                                 "profiles",
                                 120,
                                 [](const latkem_kem *) { return true; },
                                 make,
                                 row};
    return profile_main(argc, argv, profilers);
}
