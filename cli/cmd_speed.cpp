// `latkem speed`: how long the operations take, at a glance.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/prepared.h>
#include <nlohmann/json.hpp>

#include "buffer.h"
#include "command.h"
#include "console.h"
#include "exchange.h"
#include "failure.h"

namespace
{

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

const CommandHelp help = {"speed", "[SET ...] [--seconds S] [--tiers] [--kex] [--json]", "Time the operations.",
                          R"(Times key generation, encapsulation and decapsulation by the wall clock, in
turns, with fresh keys and ciphertexts for every sample, and checks the results.
The tier "wire" is bytes in, bytes out, all checks on. --tiers adds "prepared" (a
key is checked and expanded once; both steps are timed) and "batch" (16
operations in one call; the time of one). --kex adds the key exchanges "uake" and
"ake" of the sets that have them: their steps, what side A takes for its two
steps, and the bytes of the messages. Each number stands beside its quartiles:
half of the samples lie between q1 and q3. A hybrid's time is mostly that of its
curve, which libcrypto computes.

This is a look, not a measurement to publish: 'make evaluate' runs the full
benchmarks with processor cycles, pinning and rival libraries.

Examples:
  latkem speed ML-KEM-768
  latkem speed ML-KEM-768 --tiers --backend portable
  latkem speed --seconds 0.2 --json > speed.json)",
                          "the results disagreed, or standard output or the random generator failed"};

constexpr size_t batch_size = 16;
constexpr unsigned warm_up_rounds = 3;
constexpr unsigned least_rounds = 5;

// All samples of one operation in nanoseconds.
struct Series {
    std::string tier, operation;
    std::vector<double> ns;

    double quantile(double q) const
    {
        return ns[static_cast<size_t>(std::lround(q * static_cast<double>(ns.size() - 1)))];
    }
};

// The series of one set in order of first appearance.
class Samples
{
  public:
    // time runs one call of the library and keeps what it took, divided by the number of operations in it.
    template <class Call> void time(const char *tier, const char *operation, size_t operations, Call call)
    {
        const auto start = Clock::now();
        const int result = call();
        const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
        require(result, operation);
        if (keeping_) series(tier, operation).ns.push_back(taken.count() / static_cast<double>(operations));
    }
    // sum keeps what the last samples of two operations took together.
    void sum(const char *tier, const char *operation, const char *first, const char *second)
    {
        if (!keeping_) return;
        const double both = series(tier, first).ns.back() + series(tier, second).ns.back();
        series(tier, operation).ns.push_back(both);
    }
    void keep()
    {
        keeping_ = true;
    }
    std::vector<Series> sorted() &&
    {
        for (Series &one : all_) std::sort(one.ns.begin(), one.ns.end());
        return std::move(all_);
    }

  private:
    Series &series(const char *tier, const char *operation)
    {
        for (Series &one : all_)
            if (one.tier == tier && one.operation == operation) return one;
        return all_.emplace_back(Series{tier, operation, {}});
    }

    std::vector<Series> all_;
    bool keeping_ = false;
};

void expect_same(const latkem_kem *kem, const Buffer &a, const Buffer &b)
{
    if (a != b) fail(latkem_kem_name(kem), "encapsulation and decapsulation disagree");
}

// The data of one round; the wire tier makes it and the prepared tier uses it again.
struct Material {
    Buffer ek, dk, ct, ss, recovered;

    explicit Material(const latkem_kem *kem, size_t n = 1)
        : ek(n * latkem_ek_bytes(kem)), dk(n * latkem_dk_bytes(kem)), ct(n * latkem_ct_bytes(kem)),
          ss(n * latkem_ss_bytes(kem)), recovered(n * latkem_ss_bytes(kem))
    {
    }
};

void wire_round(const latkem_kem *kem, Samples &samples, Material &m)
{
    const char *tier = "wire";
    samples.time(tier, "keygen", 1, [&] { return latkem_keypair(kem, m.ek.data(), m.dk.data()); });
    samples.time(tier, "encaps", 1,
                 [&] { return latkem_encaps(kem, m.ct.data(), m.ss.data(), m.ek.data(), m.ek.size()); });
    samples.time(tier, "decaps", 1, [&] {
        return latkem_decaps(kem, m.recovered.data(), m.ct.data(), m.ct.size(), m.dk.data(), m.dk.size());
    });
    expect_same(kem, m.ss, m.recovered);
}

void prepared_round(const latkem_kem *kem, Samples &samples, Material &m)
{
    const char *tier = "prepared";
    Buffer ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    samples.time(tier, "prepare ek", 1, [&] { return latkem_prepare_ek(kem, ek.data(), m.ek.data(), m.ek.size()); });
    samples.time(tier, "prepare dk", 1, [&] { return latkem_prepare_dk(kem, dk.data(), m.dk.data(), m.dk.size()); });
    samples.time(tier, "encaps", 1, [&] { return latkem_encaps_prepared(kem, m.ct.data(), m.ss.data(), ek.data()); });
    samples.time(tier, "decaps", 1,
                 [&] { return latkem_decaps_prepared(kem, m.recovered.data(), m.ct.data(), m.ct.size(), dk.data()); });
    expect_same(kem, m.ss, m.recovered);
}

void batch_round(const latkem_kem *kem, Samples &samples, Material &m)
{
    const char *tier = "batch";
    samples.time(tier, "keygen", batch_size,
                 [&] { return latkem_keypair_batch(kem, batch_size, m.ek.data(), m.dk.data()); });
    samples.time(tier, "encaps", batch_size,
                 [&] { return latkem_encaps_batch(kem, batch_size, m.ct.data(), m.ss.data(), m.ek.data()); });
    samples.time(tier, "decaps", batch_size,
                 [&] { return latkem_decaps_batch(kem, batch_size, m.recovered.data(), m.ct.data(), m.dk.data()); });
    expect_same(kem, m.ss, m.recovered);
}

// A's static keys are those of the wire tier too.
void exchange_round(const latkem_kem *kem, Kex kind, Samples &samples, const Material &m)
{
    const char *tier = kex_name(kind);
    Exchange exchange(kem, kind);
    samples.time(tier, "start", 1, [&] { return exchange.start(m.ek); });
    samples.time(tier, "reply", 1, [&] { return exchange.reply(m.dk, m.ek); });
    samples.time(tier, "finish", 1, [&] { return exchange.finish(m.dk); });
    samples.sum(tier, "side A", "start", "finish");
    if (exchange.key_a != exchange.key_b) fail(latkem_kem_name(kem), "the two sides of an exchange disagree");
}

// Bytes of messages 1 and 2 of an exchange.
std::pair<size_t, size_t> message_bytes(const latkem_kem *kem, Kex kind)
{
    const Exchange exchange(kem, kind);
    return {exchange.message1.size(), exchange.message2.size()};
}

struct Options {
    std::vector<std::string> sets;
    std::string backend;
    double seconds = 1;
    bool tiers = false;
    bool kex = false;
    bool json = false;
};

std::vector<Series> measure(const latkem_kem *kem, const Options &options)
{
    Samples samples;
    Material single(kem), many(kem, batch_size);
    const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
    for (unsigned round = 0; round < warm_up_rounds + least_rounds || Clock::now() < end; round++) {
        if (round == warm_up_rounds) samples.keep();
        wire_round(kem, samples, single);
        if (options.tiers) {
            prepared_round(kem, samples, single);
            batch_round(kem, samples, many);
        }
        if (options.kex && has_exchanges(kem))
            for (Kex kind : {Kex::uake, Kex::ake}) exchange_round(kem, kind, samples, single);
    }
    return std::move(samples).sorted();
}

void print_rows(const latkem_kem *kem, const std::vector<Series> &all)
{
    for (const Series &one : all)
        print(format("%-18s %-9s %-10s %10.2f %10.2f %10.2f %12.0f %9zu\n", latkem_kem_name(kem), one.tier.c_str(),
                     one.operation.c_str(), one.quantile(0.5) / 1e3, one.quantile(0.25) / 1e3, one.quantile(0.75) / 1e3,
                     1e9 / one.quantile(0.5), one.ns.size()));
    flush_output();
}

void print_messages(const latkem_kem *kem)
{
    for (Kex kind : {Kex::uake, Kex::ake}) {
        const auto [first, second] = message_bytes(kem, kind);
        print(format("%-18s %-9s messages of %zu and %zu bytes; side B is reply\n", latkem_kem_name(kem),
                     kex_name(kind), first, second));
    }
    flush_output();
}

ordered_json describe_messages(const latkem_kem *kem)
{
    ordered_json all = {{"set", latkem_kem_name(kem)}};
    for (Kex kind : {Kex::uake, Kex::ake}) {
        const auto [first, second] = message_bytes(kem, kind);
        all[kex_name(kind)] = {first, second};
    }
    return all;
}

ordered_json describe(const latkem_kem *kem, const Series &one)
{
    return {{"set", latkem_kem_name(kem)},
            {"tier", one.tier},
            {"operation", one.operation},
            {"samples", one.ns.size()},
            {"median_ns", one.quantile(0.5)},
            {"q1_ns", one.quantile(0.25)},
            {"q3_ns", one.quantile(0.75)},
            {"min_ns", one.quantile(0)},
            {"operations_per_second", 1e9 / one.quantile(0.5)}};
}

void speed(const Options &options)
{
    const auto kems = find_sets(options.sets);
    use_backend(options.backend);
    ordered_json all = {{"version", latkem_version()}, {"backend", latkem_backend_name()}, {"clock", "wall"}};
    if (!options.json)
        print(format("latkem %s, backend %s, microseconds by the wall clock\n\n"
                     "SET                TIER      OPERATION      median         q1         q3  per second   samples\n",
                     latkem_version(), latkem_backend_name()));
    flush_output();
    const Progress progress(options.seconds * static_cast<double>(kems.size()) > 2);
    for (size_t i = 0; i < kems.size(); i++) {
        progress.show(format("timing %s (%zu of %zu)", latkem_kem_name(kems[i]), i + 1, kems.size()));
        const std::vector<Series> series = measure(kems[i], options);
        progress.show("");
        if (!options.json) print_rows(kems[i], series);
        for (const Series &one : series) all["results"].push_back(describe(kems[i], one));
        if (!options.kex || !has_exchanges(kems[i])) continue;
        if (!options.json) print_messages(kems[i]);
        all["message_bytes"].push_back(describe_messages(kems[i]));
    }
    if (options.json) print(all.dump(2) + "\n");
}

} // namespace

void add_speed(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options] { speed(*options); });
    add_sets(command, options->sets);
    add_seconds(command, "--seconds", options->seconds, "time for each set (default: 1)");
    add_flag(command, "--tiers", options->tiers, "time prepared keys and batches too");
    add_flag(command, "--kex", options->kex, "time the key exchanges too, where there are any");
    add_backend(command, options->backend);
    add_json(command, options->json);
}
