// The kernel profiler: which share of each operation's time is spent in which kernel.
//
// Every pointer of a backend's tables is replaced by a wrapper that times the call, and the copy is put in force with
// lk_backend_force(). Rounds with the library's own tables alternate with rounds with the interposed ones. What the
// timers cost is measured on a kernel that does nothing and taken off.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernel_list.h"
#include "options.h"
#include "ticks.h"
#include "workload.h"

namespace
{

enum { OPERATIONS_PER_ROUND = 4, CALIBRATION_ROUNDS = 101, CALIBRATION_CALLS = 1000 };

struct Account {
    const char *family = nullptr, *name = nullptr;
    uint64_t calls = 0, ticks = 0;
};

// The time of one call, without the calls of other kernels inside it.
class Span
{
  public:
    explicit Span(Account &account) : account_(account), outer_(innermost), start_(ticks())
    {
        innermost = this;
    }
    ~Span()
    {
        const uint64_t time = ticks() - start_;
        account_.calls++;
        account_.ticks += time - inner_;
        if (outer_ != nullptr) outer_->inner_ += time;
        innermost = outer_;
    }
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;

  private:
    static inline Span *innermost = nullptr;
    Account &account_;
    Span *outer_;
    uint64_t inner_ = 0;
    uint64_t start_;
};

// A kernel of the same type that calls the interposed one.
template <auto Member> struct Timed;
template <class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...)> struct Timed<Member> {
    static inline Result (*kernel)(Arguments...) = nullptr;
    static inline Account account;

    static Result call(Arguments... arguments)
    {
        const Span span(account);
        return kernel(arguments...);
    }
    static void interpose(Table &table)
    {
        kernel = table.*Member;
        if (kernel != nullptr) table.*Member = call;
    }
};

// A copy of a backend with a timer on each kernel. The timers are global: one of these at a time.
class InterposedBackend
{
  public:
    explicit InterposedBackend(const lk_backend &original) : backend_(original), original_(original)
    {
        for_each_family([&](auto family) {
            auto &slot = family.in(backend_);
            auto &table = std::get<std::decay_t<decltype(*slot)>>(tables_);
            table = *slot;
            slot = &table;
            std::apply([&](auto... kernel) { (interpose(family, kernel, table), ...); }, family.list.kernels);
        });
    }
    InterposedBackend(const InterposedBackend &) = delete;
    InterposedBackend &operator=(const InterposedBackend &) = delete;

    const lk_backend *interposed() const
    {
        return &backend_;
    }
    const lk_backend *original() const
    {
        return &original_;
    }
    const std::vector<Account *> &accounts() const
    {
        return accounts_;
    }

  private:
    template <class Table, auto Member> void interpose(Family<Table>, Kernel<Member> kernel, Table &table)
    {
        Timed<Member>::interpose(table);
        Timed<Member>::account = {Family<Table>::name, kernel.name};
        accounts_.push_back(&Timed<Member>::account);
    }

    lk_backend backend_;
    const lk_backend &original_;
    std::tuple<lk_q3329_kernels, lk_negacyclic_kernels, lk_cyclic_kernels, lk_ternary_kernels, lk_keccak_kernels,
               lk_aes_kernels, lk_sha2_kernels>
        tables_;
    std::vector<Account *> accounts_;
};

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

// What a timer costs a call, in ticks: within the span that it reports, and altogether.
struct TimerCost {
    double inside, altogether;
};

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
    using Nothing = Timed<&NoKernels::nothing>;
    const NoKernels plain = {do_nothing};
    NoKernels timed = plain;
    Nothing::interpose(timed);
    std::vector<double> inside, altogether;
    for (size_t i = 0; i < CALIBRATION_ROUNDS; i++) {
        Nothing::account = {};
        const double added = static_cast<double>(time_calls(timed)) - static_cast<double>(time_calls(plain));
        altogether.push_back(added / CALIBRATION_CALLS);
        inside.push_back(static_cast<double>(Nothing::account.ticks) / CALIBRATION_CALLS);
    }
    return {median(inside), median(altogether)};
}

// One round's mean ticks for an operation, and those of its kernels where they are interposed.
struct Round {
    double total = 0;
    std::vector<double> kernels;
};

class Profiler
{
  public:
    Profiler(Workload &w, const Operation &operation, const InterposedBackend &backend)
        : w_(w), operation_(operation), backend_(backend), calls_(backend.accounts().size())
    {
    }

    // Which of the two goes first changes, for the second finds its inputs in the cache.
    void round(size_t number)
    {
        const size_t step = OPERATIONS_PER_ROUND * number;
        if (number % 2 == 0) plain_.push_back(run(backend_.original(), step));
        interposed_.push_back(run_interposed(step));
        if (number % 2 == 1) plain_.push_back(run(backend_.original(), step));
    }

    nlohmann::ordered_json report(const TimerCost &timer, double nanoseconds) const;

  private:
    Round run(const lk_backend *backend, size_t step);
    Round run_interposed(size_t step);
    void require(int result) const;

    Workload &w_;
    const Operation &operation_;
    const InterposedBackend &backend_;
    std::vector<Round> plain_, interposed_;
    std::vector<uint64_t> calls_;
};

void Profiler::require(int result) const
{
    if (result == LATKEM_OK) return;
    throw std::runtime_error(std::string(latkem_kem_name(w_.kem)) + ' ' + operation_.name + ": " +
                             describe_failure(result));
}

Round Profiler::run(const lk_backend *backend, size_t step)
{
    lk_backend_force(backend);
    int result = LATKEM_OK;
    const uint64_t start = ticks();
    for (size_t i = 0; i < OPERATIONS_PER_ROUND && result == LATKEM_OK; i++) result = operation_.run(w_, step + i);
    const double time = static_cast<double>(ticks() - start);
    lk_backend_force(backend_.original());
    require(result);
    return {time / OPERATIONS_PER_ROUND, {}};
}

Round Profiler::run_interposed(size_t step)
{
    for (Account *account : backend_.accounts()) account->calls = account->ticks = 0;
    Round round = run(backend_.interposed(), step);
    for (size_t i = 0; i < calls_.size(); i++) {
        calls_[i] += backend_.accounts()[i]->calls;
        round.kernels.push_back(static_cast<double>(backend_.accounts()[i]->ticks) / OPERATIONS_PER_ROUND);
    }
    require(operation_.verify(w_, step + OPERATIONS_PER_ROUND - 1));
    return round;
}

// The means over the quieter half of the rounds.
Round mean_of_quieter_half(std::vector<Round> rounds)
{
    std::sort(rounds.begin(), rounds.end(), [](const Round &a, const Round &b) { return a.total < b.total; });
    rounds.resize((rounds.size() + 1) / 2);
    Round mean = {0, std::vector<double>(rounds[0].kernels.size())};
    const double count = static_cast<double>(rounds.size());
    for (const Round &round : rounds) {
        mean.total += round.total / count;
        for (size_t i = 0; i < mean.kernels.size(); i++) mean.kernels[i] += round.kernels[i] / count;
    }
    return mean;
}

nlohmann::ordered_json Profiler::report(const TimerCost &timer, double nanoseconds) const
{
    const Round plain = mean_of_quieter_half(plain_), interposed = mean_of_quieter_half(interposed_);
    const double operations = static_cast<double>(OPERATIONS_PER_ROUND * interposed_.size());
    const double all_calls = static_cast<double>(std::accumulate(calls_.begin(), calls_.end(), uint64_t{0}));
    const double corrected = interposed.total - timer.altogether * all_calls / operations;

    nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
    double other = corrected;
    for (size_t i = 0; i < calls_.size(); i++) {
        if (calls_[i] == 0) continue;
        const double calls = static_cast<double>(calls_[i]) / operations;
        const double time = interposed.kernels[i] - timer.inside * calls;
        const Account &account = *backend_.accounts()[i];
        other -= time;
        kernels.push_back({{"family", account.family},
                           {"name", account.name},
                           {"calls", calls},
                           {"ns", time * nanoseconds},
                           {"share", time / corrected}});
    }
    return {{"set", latkem_kem_name(w_.kem)},
            {"operation", operation_.name},
            {"backend", backend_.original()->name},
            {"total_ns", plain.total * nanoseconds},
            {"interposed_ns", interposed.total * nanoseconds},
            {"corrected_ns", corrected * nanoseconds},
            {"kernels", kernels},
            {"other_ns", other * nanoseconds},
            {"other_share", other / corrected}};
}

const lk_backend &find_backend(const std::string &name)
{
    for (size_t i = 0; const lk_backend *backend = lk_backend_list(i); i++)
        if (backend->name == name) return *backend;
    throw std::runtime_error("no backend " + name);
}

// The three operations of a set take turns, so that a disturbance does not fall on one of them alone.
void profile_set(const Options &options, const latkem_kem *kem, const lk_backend &original, const TimerCost &timer,
                 double nanoseconds, nlohmann::ordered_json &profiles)
{
    lk_backend_force(&original);
    Workload w(kem);
    const InterposedBackend backend(original);
    std::vector<Profiler> profilers;
    profilers.reserve(core_operations.size());
    for (const Operation &operation : core_operations) profilers.emplace_back(w, operation, backend);
    for (unsigned round = 0; round < options.rounds; round++)
        for (Profiler &profiler : profilers) profiler.round(round);
    for (const Profiler &profiler : profilers) profiles.push_back(profiler.report(timer, nanoseconds));
}

void profile(const Options &options, nlohmann::ordered_json &report)
{
    const double nanoseconds = nanoseconds_per_tick();
    const TimerCost timer = calibrate();
    report["timer"] = {{"source", ticks_source},
                       {"ns_per_tick", nanoseconds},
                       {"inside_ns_per_call", timer.inside * nanoseconds},
                       {"ns_per_call", timer.altogether * nanoseconds}};
    nlohmann::ordered_json &profiles = report["profiles"] = nlohmann::ordered_json::array();
    for (const std::string &name : options.backends)
        for (const latkem_kem *kem : options.sets)
            profile_set(options, kem, find_backend(name), timer, nanoseconds, profiles);
    lk_backend_force(nullptr);
}

} // namespace

int main(int argc, char **argv)
{
    return report_main(argc, argv, "The share of each operation's time that each kernel takes.", 120, profile);
}
