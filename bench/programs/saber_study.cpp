// The Saber study as a program: harness/study measures, and here the result becomes a report.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <stdexcept>

// C's rules for initialisers are not C++'s.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
extern "C" {
#include "api/kem.h"
}
#pragma GCC diagnostic pop
#include "harness/study/saber.h"
#include "report_main.h"

namespace
{

using Json = nlohmann::ordered_json;
using Profiles = std::array<lk_study_profile, LK_STUDY_OPERATIONS>;

Json row(const lk_study_profile &profile)
{
    Json row = {{"total_ns", profile.total},
                {"interposed_ns", profile.interposed},
                {"corrected_ns", profile.corrected}},
         &functions = row["functions"] = Json::array();
    const auto add = [&](const char *name, double ns) {
        functions.push_back({{"name", name}, {"ns", ns}, {"share", ns / profile.corrected}});
    };
    for (size_t f = 0; f < LK_STUDY_FUNCTIONS; f++) add(lk_study_function_names[f], profile.functions[f]);
    add("other", profile.other);
    return row;
}

void study_set(const latkem_kem *kem, const std::string &backend, unsigned rounds, const lk_study_timer &timer,
               Json &rows)
{
    Profiles profiles;
    const std::string set = latkem_kem_name(kem);
    if (const char *problem = lk_study_saber(profiles.data(), &timer, kem, backend.c_str(), rounds))
        throw std::runtime_error(set + ": " + problem);
    for (size_t i = 0; i < profiles.size(); i++) {
        Json head = {{"set", set}, {"operation", lk_study_operation_names[i]}, {"backend", backend}};
        head.update(row(profiles[i]));
        rows.push_back(head);
    }
}

void study(const Options &options, Json &report)
{
    lk_study_timer timer;
    lk_study_calibrate(&timer);
    report["timer"] = {{"source", timer.source},
                       {"ns_per_tick", timer.nanoseconds},
                       {"inside_ns_per_call", timer.inside * timer.nanoseconds},
                       {"ns_per_call", timer.altogether * timer.nanoseconds}};
    Json &rows = report["study"] = Json::array();
    for (const std::string &backend : options.backends)
        for (const latkem_kem *kem : options.sets)
            if (kem->scheme == LK_SABER) study_set(kem, backend, options.rounds, timer, rows);
}

} // namespace

int main(int argc, char **argv)
{
    return report_main(argc, argv, "The share of each of Saber's operations that each of its functions takes.", 120,
                       study);
}
