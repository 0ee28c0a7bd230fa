// Rounds of small blocks: see rounds.h. SPDX-License-Identifier: Apache-2.0
#include "rounds.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>
#include <random>
#include <regex>
#include <stdexcept>
#include <utility>

#include "cycles.h"
#include "watch.h"

namespace
{

// A block is as long as this or one call, whichever is more: short, so that most blocks fit between two disturbances.
constexpr double block_ns = 1e6;
// Before a block, this part of its calls is made untimed, which brings code and inputs into the caches.
constexpr size_t warm_part = 4;
// How often a block is timed in one round as long as it is disturbed.
constexpr int attempts = 5;
// Calls that are timed to see how many a block has.
constexpr size_t trial_calls = 3;

struct Sample {
    std::optional<double> ns, cycles; // of one operation
};

// A row with what was measured of it.
class Contestant
{
  public:
    explicit Contestant(Row row) : row_(std::move(row))
    {
    }
    void choose_calls();
    void take_turn();
    nlohmann::ordered_json report() const;

    bool failed() const
    {
        return !error_.empty();
    }
    size_t retaken() const
    {
        return retaken_;
    }
    size_t lost() const
    {
        return static_cast<size_t>(std::count_if(samples_.begin(), samples_.end(), [](auto &s) { return !s.ns; }));
    }

  private:
    template <class Work> void guarded(Work &&work);
    Sample time_block(size_t calls);
    Sample sample();

    Row row_;
    size_t calls_ = 1, next_ = 0, retaken_ = 0;
    std::vector<Sample> samples_;
    std::string error_;
};

// A row that has failed is timed no more.
template <class Work> void Contestant::guarded(Work &&work)
{
    if (failed()) return;
    try {
        work();
    } catch (const std::runtime_error &error) {
        error_ = error.what();
    }
}

Sample Contestant::time_block(size_t calls)
{
    const uint64_t cycles_before = CycleCounter::instance().read();
    Stopwatch watch;
    row_.run(next_, calls);
    watch.stop();
    const uint64_t cycles = CycleCounter::instance().read() - cycles_before;
    next_ += calls;
    if (row_.verify) row_.verify(next_ - 1);
    if (watch.disturbed()) return {};
    const double operations = static_cast<double>(calls * row_.items);
    Sample sample{watch.wall_ns() / operations, std::nullopt};
    if (CycleCounter::instance().available()) sample.cycles = static_cast<double>(cycles) / operations;
    return sample;
}

void Contestant::choose_calls()
{
    guarded([this] {
        row_.prepare();
        row_.run(next_, 1);
        Stopwatch watch;
        row_.run(next_, trial_calls);
        watch.stop();
        const double one_call_ns = std::max(watch.wall_ns() / trial_calls, 1.0);
        calls_ = std::max<size_t>(static_cast<size_t>(block_ns / one_call_ns), 1);
    });
}

Sample Contestant::sample()
{
    row_.run(next_, calls_ / warm_part);
    Sample sample = time_block(calls_);
    for (int i = 1; i < attempts && !sample.ns; i++, retaken_++) sample = time_block(calls_);
    return sample;
}

void Contestant::take_turn()
{
    guarded([this] {
        row_.prepare();
        samples_.push_back(sample());
    });
}

// Rounded to hundredths, which is finer than any clock here.
nlohmann::ordered_json to_json(const std::vector<Sample> &samples, std::optional<double> Sample::*value)
{
    auto list = nlohmann::ordered_json::array();
    for (const Sample &sample : samples) {
        const std::optional<double> &found = sample.*value;
        list.push_back(found ? nlohmann::ordered_json(std::round(*found * 100) / 100) : nlohmann::ordered_json());
    }
    return list;
}

nlohmann::ordered_json Contestant::report() const
{
    nlohmann::ordered_json json = {{"name", row_.name}, {"calls", calls_}, {"items", row_.items}};
    if (failed()) {
        json["error"] = error_;
        return json;
    }
    json["ns"] = to_json(samples_, &Sample::ns);
    if (CycleCounter::instance().available()) json["cycles"] = to_json(samples_, &Sample::cycles);
    return json;
}

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Effort {
    unsigned rounds;
    double seconds; // no round but the first few begins later
};

// So few rounds are recorded however long they take: fewer say nothing of the noise.
constexpr unsigned least_rounds = 5;

// Returns how many rounds were run.
unsigned run_rounds(std::vector<Contestant> &contestants, const Effort &effort)
{
    std::mt19937 generator(std::random_device{}());
    std::vector<Contestant *> order;
    order.reserve(contestants.size());
    for (Contestant &contestant : contestants) order.push_back(&contestant);
    const auto begin = std::chrono::steady_clock::now();
    unsigned done = 0;
    while (done < effort.rounds && (done < least_rounds || seconds_since(begin) < effort.seconds)) {
        std::shuffle(order.begin(), order.end(), generator);
        for (Contestant *contestant : order) contestant->take_turn();
        done++;
    }
    return done;
}

template <class Count> size_t total(const std::vector<Contestant> &contestants, Count count)
{
    size_t sum = 0;
    for (const Contestant &contestant : contestants) sum += count(contestant);
    return sum;
}

std::vector<Contestant> make_contestants(std::vector<Row> rows, const std::string &filter)
{
    const std::regex wanted(filter);
    std::vector<Contestant> contestants;
    for (Row &row : rows)
        if (std::regex_search(row.name, wanted)) contestants.emplace_back(std::move(row));
    if (contestants.empty()) throw std::runtime_error("no row is named like that");
    return contestants;
}

// Returns whether all rows are right.
bool time_all(std::vector<Contestant> contestants, const Effort &effort, int core, nlohmann::ordered_json &report)
{
    const auto begin = std::chrono::steady_clock::now();
    const std::optional<double> stolen = stolen_seconds(core);
    for (Contestant &contestant : contestants) contestant.choose_calls();
    report["rounds"] = run_rounds(contestants, effort);
    report["seconds"] = seconds_since(begin);
    report["retaken_blocks"] = total(contestants, [](const Contestant &c) { return c.retaken(); });
    report["lost_blocks"] = total(contestants, [](const Contestant &c) { return c.lost(); });
    if (stolen) report["stolen_seconds"] = *stolen_seconds(core) - *stolen;
    nlohmann::ordered_json &list = report["rows"] = nlohmann::ordered_json::array();
    for (const Contestant &contestant : contestants) list.push_back(contestant.report());
    return std::none_of(contestants.begin(), contestants.end(), [](const Contestant &c) { return c.failed(); });
}

} // namespace

int rounds_main(int argc, char **argv, const std::string &title,
                const std::function<std::vector<Row>(const Options &)> &make_rows,
                const std::function<void(CLI::App &)> &add_options)
{
    bool right = true;
    double seconds = 3600;
    std::string filter;
    const int status = report_main(
        argc, argv, title, 60,
        [&](const Options &options, nlohmann::ordered_json &report) {
            const Effort effort = {options.rounds, seconds};
            right = time_all(make_contestants(make_rows(options), filter), effort, options.core, report);
        },
        [&](CLI::App &app) {
            app.add_option("--seconds", seconds, "Begin no round later than this")->capture_default_str();
            app.add_option("--filter", filter, "Only rows whose name has a match of this regular expression");
            if (add_options) add_options(app);
        });
    if (status != 0) return status;
    if (!right) std::cerr << argv[0] << ": failed: see the rows with an error\n";
    return right ? 0 : 1;
}
