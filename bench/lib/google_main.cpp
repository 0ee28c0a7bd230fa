// main() of the Google Benchmark programs: own options, defaults, context, statistics.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "google_meter.h"
#include "machine.h"

namespace
{

int failures = 0;

// The quantile of a sample by linear interpolation between its order statistics.
double quantile(std::vector<double> sample, double p)
{
    std::sort(sample.begin(), sample.end());
    const double place = p * static_cast<double>(sample.size() - 1);
    const size_t below = static_cast<size_t>(std::floor(place));
    const size_t above = std::min(below + 1, sample.size() - 1);
    return sample[below] + (place - static_cast<double>(below)) * (sample[above] - sample[below]);
}

// The flags of Google Benchmark that hold where the command line does not say otherwise.
std::vector<std::string> default_flags(bool quick)
{
    std::vector<std::string> flags = {"--benchmark_enable_random_interleaving=true",
                                      "--benchmark_display_aggregates_only=true"};
    const std::vector<std::string> effort = quick ? std::vector<std::string>{"--benchmark_repetitions=5",
                                                                             "--benchmark_min_time=0.02",
                                                                             "--benchmark_min_warmup_time=0.005"}
                                                  : std::vector<std::string>{"--benchmark_repetitions=15",
                                                                             "--benchmark_min_time=0.1",
                                                                             "--benchmark_min_warmup_time=0.05"};
    flags.insert(flags.end(), effort.begin(), effort.end());
    return flags;
}

bool initialize_benchmark(const char *program, std::vector<std::string> flags)
{
    std::vector<char *> arguments = {const_cast<char *>(program)};
    for (std::string &flag : flags) arguments.push_back(flag.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    return !benchmark::ReportUnrecognizedArguments(count, arguments.data());
}

void add_context(int core)
{
    for (const auto &[key, value] : machine_context()) benchmark::AddCustomContext(key, value);
    benchmark::AddCustomContext("pinned_to_core", core < 0 ? "no" : std::to_string(core));
}

} // namespace

void register_one(const std::string &name, std::function<void(benchmark::State &)> body)
{
    benchmark::RegisterBenchmark(name.c_str(), std::move(body))
        ->Unit(benchmark::kNanosecond)
        ->ComputeStatistics("q1", [](const std::vector<double> &v) { return quantile(v, 0.25); })
        ->ComputeStatistics("q3", [](const std::vector<double> &v) { return quantile(v, 0.75); });
}

void fail(benchmark::State &state, const std::string &message)
{
    failures++;
    state.SkipWithError(message.c_str());
}

void Meter::report(benchmark::State &state, size_t items) const
{
    const uint64_t cycles = CycleCounter::instance().read() - cycles_;
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - time_;
    const double iterations = static_cast<double>(state.iterations());
    if (CycleCounter::instance().available()) state.counters["cycles"] = static_cast<double>(cycles) / iterations;
    if (items == 1) return;
    state.counters["ns_per_item"] = time.count() / (iterations * static_cast<double>(items));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(items));
}

int main(int argc, char **argv)
{
    CLI::App app("latkem's benchmarks.");
    app.footer("All flags of Google Benchmark are taken too: --benchmark_filter=REGEX, --benchmark_list_tests=true,\n"
               "--benchmark_out=FILE.json --benchmark_out_format=json, --benchmark_repetitions=N, ...");
    app.allow_extras();
    int core = -1;
    bool quick = false;
    app.add_option("--pin", core, "Stay on this core")->envname("LATKEM_BENCH_PIN");
    app.add_flag("--quick", quick, "Fewer and shorter repetitions: 5 of 0.02 s, not 15 of 0.1 s");
    CLI11_PARSE(app, argc, argv);
    try {
        if (core >= 0) pin_to_core(core);
        register_all();
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
    std::vector<std::string> flags = default_flags(quick);
    for (const std::string &flag : app.remaining()) flags.push_back(flag);
    if (!initialize_benchmark(argv[0], flags)) return 2;
    add_context(core);
    const size_t matched = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    if (failures > 0) std::cerr << argv[0] << ": failed: see the rows with ERROR OCCURRED\n";
    return failures == 0 && matched > 0 ? 0 : 1;
}
