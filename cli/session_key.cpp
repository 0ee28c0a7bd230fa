// A session key on its way: how long it takes to make a key pair, to encrypt a session key of 228 bytes to its owner,
// and to decrypt it. The encryption is that of `latkem seal` in memory: KEM, HKDF-SHA-256, AES-256-GCM.
//
// A round does each step many times and counts as its mean; a row describes the rounds. A program of its own, for
// `make evaluate`: it measures the command's code, and no user of the command needs it.
// SPDX-License-Identifier: Apache-2.0
#if defined(__linux__)
#include <sched.h>
#endif

#include <latkem/backend.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "sealed.h"

namespace
{

constexpr size_t session_key_bytes = 228;
constexpr size_t key_pairs = 64; // in use at a time, so that they stay in the second-level cache
constexpr unsigned repetitions = 1000, quick_repetitions = 50;

struct KeyPair {
    explicit KeyPair(const latkem_kem *kem) : ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem))
    {
    }
    Buffer ek, dk, sealed;
};

// One set with one backend; fresh key pairs in each round.
class Case
{
  public:
    Case(const latkem_kem *kem, std::string backend) : kem_(kem), backend_(std::move(backend))
    {
        for (size_t i = 0; i < key_pairs; i++) owners_.emplace_back(kem);
    }
    void round(unsigned count);
    void report(nlohmann::ordered_json &rows) const;

  private:
    using Step = void (Case::*)(KeyPair &);
    void keygen(KeyPair &owner)
    {
        if (latkem_keypair(kem_, owner.ek.data(), owner.dk.data()) != LATKEM_OK)
            throw std::runtime_error("no key pair could be made");
    }
    void encrypt(KeyPair &owner)
    {
        owner.sealed = seal_bytes(kem_, Cipher::aes_256_gcm, owner.ek, session_key_);
    }
    void decrypt(KeyPair &owner)
    {
        if (open_bytes(kem_, owner.dk, owner.sealed) != session_key_)
            throw std::runtime_error("another session key was decrypted");
    }
    double mean_ms(Step step, unsigned count);

    const latkem_kem *kem_;
    std::string backend_;
    Buffer session_key_{session_key_bytes, 0x5a};
    std::vector<KeyPair> owners_;
    std::vector<double> keygen_ms_, encrypt_ms_, decrypt_ms_;
};

// In processor time, so that it is comparable with the program in Java on a busy machine too.
double Case::mean_ms(Step step, unsigned count)
{
    const std::clock_t begin = std::clock();
    for (unsigned i = 0; i < count; i++) (this->*step)(owners_[i % key_pairs]);
    return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / count;
}

void Case::round(unsigned count)
{
    if (latkem_backend_use(backend_.c_str()) != LATKEM_OK) throw std::runtime_error("cannot use " + backend_);
    keygen_ms_.push_back(mean_ms(&Case::keygen, count));
    encrypt_ms_.push_back(mean_ms(&Case::encrypt, count));
    decrypt_ms_.push_back(mean_ms(&Case::decrypt, count));
}

// The value below which that share of the sorted values lies, interpolated between two of them.
double quantile(const std::vector<double> &sorted, double share)
{
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(position);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void Case::report(nlohmann::ordered_json &rows) const
{
    for (const auto &[step, rounds] :
         {std::pair("keygen", &keygen_ms_), std::pair("encrypt", &encrypt_ms_), std::pair("decrypt", &decrypt_ms_)}) {
        std::vector<double> ms = *rounds;
        std::sort(ms.begin(), ms.end());
        rows.push_back({{"set", latkem_kem_name(kem_)},
                        {"backend", backend_},
                        {"step", step},
                        {"min_ms", ms.front()},
                        {"mean_ms", std::accumulate(ms.begin(), ms.end(), 0.0) / static_cast<double>(ms.size())},
                        {"max_ms", ms.back()},
                        {"median_ms", quantile(ms, 0.5)},
                        {"q1_ms", quantile(ms, 0.25)},
                        {"q3_ms", quantile(ms, 0.75)}});
    }
}

struct Options {
    std::vector<std::string> sets, backends;
    unsigned rounds = 30;
    bool quick = false;
    int core = -1;
    std::string out;
};

std::vector<Case> make_cases(const Options &options)
{
    std::vector<Case> cases;
    for (const std::string &backend : options.backends)
        for (const std::string &set : options.sets) cases.emplace_back(latkem_kem_find(set.c_str()), backend);
    return cases;
}

// The cases take turns in each round, so that a slow minute does not fall on one of them.
nlohmann::ordered_json measure_all(const Options &options)
{
    const unsigned count = options.quick ? quick_repetitions : repetitions;
    for (Case &warm_up : make_cases(options)) warm_up.round(key_pairs);
    std::vector<Case> cases = make_cases(options);
    for (unsigned i = 0; i < options.rounds; i++)
        for (Case &one : cases) one.round(count);
    nlohmann::ordered_json report = {{"rounds", options.rounds}, {"repetitions", count}};
    nlohmann::ordered_json &rows = report["results"] = nlohmann::ordered_json::array();
    for (const Case &one : cases) one.report(rows);
    return report;
}

std::vector<std::string> names(const char *(*at)(size_t))
{
    std::vector<std::string> all;
    for (size_t i = 0; const char *name = at(i); i++) all.emplace_back(name);
    return all;
}

const char *set_at(size_t i)
{
    const latkem_kem *kem = latkem_kem_at(i);
    return kem == nullptr ? nullptr : latkem_kem_name(kem);
}

void add_options(CLI::App &app, Options &options)
{
    options.sets = names(set_at);
    options.backends = names(latkem_backend_at);
    app.add_option("--set", options.sets, "Only these parameter sets")->check(CLI::IsMember(names(set_at)));
    app.add_option("--backend", options.backends, "Only these backends")
        ->check(CLI::IsMember(names(latkem_backend_at)));
    app.add_option("--rounds", options.rounds, "Rounds of each measurement")
        ->capture_default_str()
        ->check(CLI::Range(1u, 100000u));
    app.add_flag("--quick", options.quick, "50 repetitions of each step in a round instead of 1000");
    app.add_option("--pin", options.core, "Stay on this core")->envname("LATKEM_BENCH_PIN");
    app.add_option("--out", options.out, "Write the JSON here instead of to standard output");
}

void pin_to_core([[maybe_unused]] int core)
{
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (core < CPU_SETSIZE) CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return;
#endif
    throw std::runtime_error("cannot pin to core " + std::to_string(core));
}

void write(const nlohmann::ordered_json &report, const std::string &path)
{
    std::ofstream file;
    if (!path.empty()) file.open(path);
    std::ostream &out = path.empty() ? std::cout : file;
    out << report.dump(1) << std::endl;
    if (!out) throw std::runtime_error("cannot write " + (path.empty() ? "to standard output" : path));
}

} // namespace

int main(int argc, char **argv)
{
    CLI::App app("A session key of 228 bytes: key pair, encryption, decryption, in milliseconds.");
    Options options;
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        if (options.core >= 0) pin_to_core(options.core);
        write(measure_all(options), options.out);
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}
