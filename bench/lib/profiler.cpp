// The profiler: see profiler.h. SPDX-License-Identifier: Apache-2.0
#include "profiler.h"

#include <latkem/backend.h>

#include <algorithm>
#include <stdexcept>

namespace
{

enum { OPERATIONS_PER_ROUND = 4, CALIBRATION_ROUNDS = 101, CALIBRATION_CALLS = 1000 };

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

struct NoKernels {
    void (*nothing)(lk_poly *);
};

void do_nothing(lk_poly *)
{
    asm volatile("" ::: "memory");
}

uint64_t time_calls(const NoKernels &table)
{
    void (*volatile const *kernel)(lk_poly *) = &table.nothing;
    const uint64_t start = ticks();
    for (size_t i = 0; i < CALIBRATION_CALLS; i++) (*kernel)(nullptr);
    return ticks() - start;
}

TimerCost calibrate()
{
    const NoKernels plain = {do_nothing};
    NoKernels timed = plain;
    Wrapped<Span, &NoKernels::nothing>::interpose(timed, 0, "nothing");
    std::vector<double> inside, altogether;
    for (size_t i = 0; i < CALIBRATION_ROUNDS; i++) {
        call_log.clear();
        const double added = static_cast<double>(time_calls(timed)) - static_cast<double>(time_calls(plain));
        altogether.push_back(added / CALIBRATION_CALLS);
        uint64_t reported = 0;
        for (const Call &call : call_log) reported += call.ticks;
        inside.push_back(static_cast<double>(reported) / CALIBRATION_CALLS);
    }
    return {median(inside), median(altogether)};
}

// The means over the quieter half of the rounds.
Round mean_of_quieter_half(std::vector<Round> rounds)
{
    std::sort(rounds.begin(), rounds.end(), [](const Round &a, const Round &b) { return a.total < b.total; });
    rounds.resize((rounds.size() + 1) / 2);
    Round mean = {0, std::vector<Part>(rounds[0].parts.size())};
    for (const Round &round : rounds) {
        mean.total += round.total;
        for (size_t i = 0; i < mean.parts.size(); i++) {
            mean.parts[i].calls += round.parts[i].calls;
            mean.parts[i].ticks += round.parts[i].ticks;
        }
    }
    const double count = static_cast<double>(rounds.size());
    mean.total /= count;
    for (Part &part : mean.parts) {
        part.calls /= count;
        part.ticks /= count;
    }
    return mean;
}

const lk_backend &find_backend(const std::string &name)
{
    for (size_t i = 0; const lk_backend *backend = lk_backend_list(i); i++)
        if (backend->name == name) return *backend;
    throw std::runtime_error("no backend " + name);
}

} // namespace

void Profiler::require(int result) const
{
    if (result == LATKEM_OK) return;
    throw std::runtime_error(std::string(latkem_kem_name(w_.kem)) + ' ' + plain_.name + ": " +
                             describe_failure(result));
}

// Which of the two goes first changes, for the second finds its inputs in the cache.
void Profiler::round(size_t number)
{
    const size_t step = OPERATIONS_PER_ROUND * number;
    if (number % 2 == 0) without_.push_back(run(plain_, backend_.original(), step));
    with_.push_back(run_timed(step));
    if (number % 2 == 1) without_.push_back(run(plain_, backend_.original(), step));
}

Round Profiler::run(const Operation &operation, const lk_backend &backend, size_t step)
{
    lk_backend_force(&backend);
    int result = LATKEM_OK;
    const uint64_t start = ticks();
    for (size_t i = 0; i < OPERATIONS_PER_ROUND && result == LATKEM_OK; i++) result = operation.run(w_, step + i);
    const double time = static_cast<double>(ticks() - start);
    lk_backend_force(&backend_.original());
    require(result);
    return {time / OPERATIONS_PER_ROUND, {}};
}

Round Profiler::run_timed(size_t step)
{
    call_log.clear();
    Round round = run(timed_, backend_.interposed(), step);
    round.parts.resize(parts_);
    split_(call_log, round.parts);
    for (Part &part : round.parts) {
        part.calls /= OPERATIONS_PER_ROUND;
        part.ticks /= OPERATIONS_PER_ROUND;
    }
    require(timed_.verify(w_, step + OPERATIONS_PER_ROUND - 1));
    return round;
}

Profile Profiler::result(const TimerCost &timer, double nanoseconds) const
{
    const Round without = mean_of_quieter_half(without_), with = mean_of_quieter_half(with_);
    Profile profile = {without.total * nanoseconds, with.total * nanoseconds, with.total * nanoseconds, 0, {}};
    for (const Part &part : with.parts) {
        profile.corrected -= timer.altogether * part.calls * nanoseconds;
        profile.parts.push_back({part.calls, (part.ticks - timer.inside * part.calls) * nanoseconds});
    }
    profile.other = profile.corrected;
    for (const Profile::Time &part : profile.parts) profile.other -= part.ns;
    return profile;
}

nlohmann::ordered_json Profiler::head(const Profile &profile) const
{
    return {{"set", latkem_kem_name(w_.kem)},      {"operation", plain_.name},
            {"backend", backend_.original().name}, {"total_ns", profile.total},
            {"interposed_ns", profile.interposed}, {"corrected_ns", profile.corrected}};
}

namespace
{

// The operations of a set take turns, so that a disturbance does not fall on one of them alone.
void profile_set(const Profilers &profilers, unsigned rounds, const latkem_kem *kem, const lk_backend &original,
                 const TimerCost &timer, double nanoseconds, nlohmann::ordered_json &rows)
{
    lk_backend_force(&original);
    Workload w(kem);
    const TimedBackend backend(original);
    std::vector<Profiler> all = profilers.make(w, backend);
    for (unsigned round = 0; round < rounds; round++)
        for (Profiler &profiler : all) profiler.round(round);
    for (const Profiler &profiler : all)
        rows.push_back(profilers.row(profiler, profiler.result(timer, nanoseconds), backend));
}

void profile_all(const Profilers &profilers, const Options &options, nlohmann::ordered_json &report)
{
    const double nanoseconds = nanoseconds_per_tick();
    const TimerCost timer = calibrate();
    report["timer"] = {{"source", ticks_source},
                       {"ns_per_tick", nanoseconds},
                       {"inside_ns_per_call", timer.inside * nanoseconds},
                       {"ns_per_call", timer.altogether * nanoseconds}};
    nlohmann::ordered_json &rows = report[profilers.list] = nlohmann::ordered_json::array();
    for (const std::string &name : options.backends)
        for (const latkem_kem *kem : options.sets)
            if (profilers.wanted(kem))
                profile_set(profilers, options.rounds, kem, find_backend(name), timer, nanoseconds, rows);
    lk_backend_force(nullptr);
}

} // namespace

int profile_main(int argc, char **argv, const Profilers &profilers)
{
    return report_main(
        argc, argv, profilers.title, profilers.rounds,
        [&](const Options &options, nlohmann::ordered_json &report) { profile_all(profilers, options, report); });
}
