// The Saber study: which share of each operation's time is spent in which function of the Saber document.
//
// Functions are not kernels: Keccak serves GenMatrix, GenSecret and the hashes, and the products serve MatrixVectorMul
// and InnerProd. An operation calls the same kernels in the same order whatever its inputs, so each call's function is
// found once, in a run whose Keccak states are watched, and the timed runs note nothing but times.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <stdexcept>

// C's rules for initialisers are not C++'s.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
extern "C" {
#include "api/kem.h"
#include "scheme/saber/params.h"
}
#pragma GCC diagnostic pop
#include "profiler.h"

namespace
{

enum Function { GEN_MATRIX, GEN_SECRET, MATRIX_VECTOR_MUL, INNER_PROD, PACKING, SHA3_256, SHA3_512, RANDOMNESS, COUNT };
constexpr std::array<const char *, COUNT> function_names = {"GenMatrix", "GenSecret", "MatrixVectorMul", "InnerProd",
                                                            "packing",   "SHA3-256",  "SHA3-512",        "randomness"};

// The parts of one call's time that belong to each function; 1 in all.
using Weights = std::array<double, COUNT>;

Weights all_of(Function function)
{
    Weights weights = {};
    weights[function] = 1;
    return weights;
}

// ---- Whose states Keccak works on ----

// A lane that a call of a Keccak kernel works on. A job keeps its mark from one permutation to the next, whatever lane it
// is in, for the state's last word lies in the capacity, where nothing is absorbed; a state where it is zero is a new one.
// The first block of a new state, or the last bit of its padding, ends at the rate.
struct Lane {
    size_t number;
    uint64_t mark_before, mark_after;
    size_t filled; // words of the state up to the last that is not zero, before a permutation
    bool fresh;
};

// A copy of a backend that notes the lanes of each call of a Keccak kernel. One of these at a time.
class KeccakWitness
{
  public:
    explicit KeccakWitness(const lk_backend &below) : backend_(below), table_(*below.symmetric.keccak)
    {
        kernels = below.symmetric.keccak;
        seen.clear();
        table_.permute = permute;
        table_.absorb = absorb;
        table_.squeeze = squeeze;
        backend_.symmetric.keccak = &table_;
    }
    KeccakWitness(const KeccakWitness &) = delete;
    KeccakWitness &operator=(const KeccakWitness &) = delete;

    const lk_backend &backend() const
    {
        return backend_;
    }
    // The lanes of each call, in order.
    static const std::vector<std::vector<Lane>> &calls()
    {
        return seen;
    }

  private:
    static uint64_t mark(const uint64_t *states, size_t lane)
    {
        return states[(LK_KECCAK_WORDS - 1) * kernels->lanes + lane];
    }
    static void note(const uint64_t *states, const uint8_t *words, uint32_t fresh)
    {
        std::vector<Lane> &lanes = seen.emplace_back();
        for (size_t i = 0; i < kernels->lanes; i++)
            if (words[i] > 0) lanes.push_back({i, mark(states, i), mark(states, i), 0, (fresh >> i & 1) != 0});
    }
    static size_t filled(const uint64_t *states, size_t lane)
    {
        size_t words = LK_KECCAK_WORDS;
        while (words > 0 && states[(words - 1) * kernels->lanes + lane] == 0) words--;
        return words;
    }
    static void permute(uint64_t *states, size_t used)
    {
        std::vector<Lane> lanes;
        for (size_t i = 0; i < used; i++) lanes.push_back({i, mark(states, i), 0, filled(states, i), false});
        kernels->permute(states, used);
        for (Lane &lane : lanes) lane.mark_after = mark(states, lane.number);
        seen.push_back(lanes);
    }
    static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
    {
        note(states, words, fresh);
        kernels->absorb(states, blocks, words, fresh);
    }
    static void squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
    {
        note(states, words, 0);
        kernels->squeeze(blocks, states, words);
    }

    static inline const lk_keccak_kernels *kernels = nullptr;
    static inline std::vector<std::vector<Lane>> seen;
    lk_backend backend_;
    lk_keccak_kernels table_;
};

// A hash computation that was seen.
struct Job {
    uint64_t mark;
    size_t rate, permutations; // rate in words
};

// Follows the hash computations of an operation through the lanes.
class JobTracker
{
  public:
    // The jobs that a call works for.
    std::vector<size_t> serve(const std::vector<Lane> &lanes, bool permutes)
    {
        std::vector<size_t> served;
        for (const Lane &lane : lanes) {
            if (lane.fresh) {
                started_[lane.number] = jobs_.size();
                jobs_.push_back({0, 0, 0});
            }
            const bool young = lane.fresh || (permutes && lane.mark_before == 0);
            const size_t job = young ? started_[lane.number] : find(lane.mark_before);
            if (permutes) {
                if (young) jobs_[job].rate = lane.filled;
                jobs_[job].mark = lane.mark_after;
                jobs_[job].permutations++;
            }
            served.push_back(job);
        }
        return served;
    }
    const std::vector<Job> &jobs() const
    {
        return jobs_;
    }

  private:
    size_t find(uint64_t mark) const
    {
        for (size_t i = jobs_.size(); i-- > 0;)
            if (jobs_[i].mark == mark) return i;
        throw std::runtime_error("a Keccak state belongs to no hash computation");
    }

    std::vector<Job> jobs_;
    std::array<size_t, LK_KECCAK_LANES_MAX> started_ = {};
};

// seed_A = SHAKE128(a0) counts as the beginning of GenMatrix. The streams of A and s differ in their lengths.
Function function_of(const Job &job, const lk_saber_params &p)
{
    const auto blocks = [](size_t bytes) { return (bytes + LK_KECCAK_RATE_MAX - 1) / LK_KECCAK_RATE_MAX; };
    const size_t matrix = blocks(p.matrix_bytes), secret = blocks(p.noise_bytes);
    if (job.rate == LK_SHA3_256_RATE / 8) return SHA3_256;
    if (job.rate == LK_SHA3_512_RATE / 8) return SHA3_512;
    if (job.rate == LK_SHAKE128_RATE / 8 && (job.permutations == matrix || job.permutations == 1)) return GEN_MATRIX;
    if (job.rate == LK_SHAKE128_RATE / 8 && job.permutations == secret) return GEN_SECRET;
    throw std::runtime_error("a hash computation that is none of Saber's");
}

// ---- Which product a kernel works for ----

bool begins(const std::string &name, const char *prefix)
{
    return name.rfind(prefix, 0) == 0;
}

// A row of A comes from bytes of 13 bits a coefficient, b and b' from 10: their product is InnerProd. Evaluating the
// secret, which all products share, counts with the first product that follows. Unpacking the stream of A is part of
// GenMatrix, as in the document, and unpacking the secret of dk is packing.
class ProductTracker
{
  public:
    explicit ProductTracker(std::vector<Function> &functions) : functions_(functions)
    {
    }
    void see(size_t call, const std::string &name)
    {
        functions_[call] = PACKING;
        if (begins(name, "evaluate")) {
            const bool secret = name == "evaluate_small";
            if (unpacked_d13_ && !secret) functions_[call - 1] = GEN_MATRIX;
            if (!secret) row_ = unpacked_d13_ ? MATRIX_VECTOR_MUL : INNER_PROD;
            waiting_.push_back(call);
        } else if (name == "inner_product") {
            waiting_.push_back(call);
            for (const size_t factor : waiting_) functions_[factor] = row_;
            waiting_.clear();
            (row_ == INNER_PROD ? inner_products_ : rows_)++;
        } else if (begins(name, "cbd_")) {
            functions_[call] = GEN_SECRET;
        } else if (!begins(name, "pack_") && !begins(name, "unpack_") && !begins(name, "round_") &&
                   !begins(name, "encrypt_") && !begins(name, "decrypt_")) {
            throw std::runtime_error("the kernel " + name + " has no function of Saber");
        }
        unpacked_d13_ = name == "unpack_d13";
    }
    size_t rows() const
    {
        return rows_;
    }
    size_t inner_products() const
    {
        return inner_products_;
    }

  private:
    std::vector<Function> &functions_;
    std::vector<size_t> waiting_; // the factors of the next product
    Function row_ = MATRIX_VECTOR_MUL;
    bool unpacked_d13_ = false;
    size_t rows_ = 0, inner_products_ = 0;
};

// ---- The functions of an operation's calls ----

constexpr size_t random_request = SIZE_MAX; // a call's kernel in the log

struct Attribution {
    std::vector<size_t> kernels;
    std::vector<Weights> weights;
};

// Encapsulation has one product with b; decapsulation another, with b'; both, like key generation, l rows of A.
void check_products(const ProductTracker &products, const std::string &operation, size_t l)
{
    const size_t expected = operation == "keygen" ? 0 : operation == "encaps" ? 1 : 2;
    if (products.rows() != l || products.inner_products() != expected)
        throw std::runtime_error(operation + ": unexpected products");
}

Attribution attribute(const std::vector<Call> &calls, const std::vector<std::vector<Lane>> &keccak,
                      const std::vector<TimedBackend::Name> &names, const lk_saber_params &p,
                      const std::string &operation)
{
    std::vector<Function> functions(calls.size(), RANDOMNESS);
    std::vector<std::vector<size_t>> served(calls.size());
    JobTracker jobs;
    ProductTracker products(functions);
    auto lanes = keccak.begin();
    for (size_t i = 0; i < calls.size(); i++) {
        if (calls[i].kernel == random_request) continue;
        const auto &[family, kernel] = names[calls[i].kernel];
        if (std::string(family) == "keccak")
            served[i] = jobs.serve(*lanes++, std::string(kernel) == "permute");
        else
            products.see(i, kernel);
    }
    check_products(products, operation, p.l);

    Attribution attribution;
    for (size_t i = 0; i < calls.size(); i++) {
        Weights weights = served[i].empty() ? all_of(functions[i]) : Weights{};
        for (const size_t job : served[i])
            weights[function_of(jobs.jobs()[job], p)] += 1.0 / static_cast<double>(served[i].size());
        attribution.kernels.push_back(calls[i].kernel);
        attribution.weights.push_back(weights);
    }
    return attribution;
}

// Runs an operation once under a witness.
Attribution attribute(Workload &w, const Operation &operation, const TimedBackend &backend)
{
    const KeccakWitness witness(backend.interposed());
    call_log.clear();
    lk_backend_force(&witness.backend());
    const int result = operation.run(w, 0);
    lk_backend_force(&backend.original());
    if (result != LATKEM_OK) throw std::runtime_error(describe_failure(result));
    return attribute(call_log, KeccakWitness::calls(), backend.names(),
                     *reinterpret_cast<const lk_saber_params *>(w.kem->row), operation.name);
}

// The calls are those of one operation or of several in a row.
void split(const Attribution &attribution, const std::vector<Call> &calls, std::vector<Part> &parts)
{
    const size_t each = attribution.kernels.size();
    for (size_t i = 0; i < calls.size(); i++) {
        if (calls[i].kernel != attribution.kernels[i % each] || calls.size() % each != 0)
            throw std::runtime_error("the calls of an operation are not the same each time");
        for (size_t f = 0; f < COUNT; f++) {
            const double weight = attribution.weights[i % each][f];
            parts[f].calls += weight;
            parts[f].ticks += weight * static_cast<double>(calls[i].ticks);
        }
    }
}

// ---- The operations: those of the wire tier, with a timer on the random generator ----

int timed_random(void *ctx, uint8_t *out, size_t len)
{
    const Span span(random_request);
    return latkem_system_rng(ctx, out, len);
}

int timed_keygen(Workload &w, size_t)
{
    return latkem_keypair_rng(w.kem, w.out_eks[0], w.out_dks[0], timed_random, nullptr);
}

int timed_encaps(Workload &w, size_t step)
{
    return latkem_encaps_rng(w.kem, w.out_cts[0], w.out_sss[0], w.eks[step % Workload::ring], w.ek_bytes, timed_random,
                             nullptr);
}

Operation timed(Operation operation)
{
    if (std::string(operation.name) == "keygen") operation.run = timed_keygen;
    if (std::string(operation.name) == "encaps") operation.run = timed_encaps;
    return operation;
}

bool is_saber(const latkem_kem *kem)
{
    return kem->scheme == LK_SABER;
}

std::vector<Profiler> make(Workload &w, const TimedBackend &backend)
{
    std::vector<Profiler> profilers;
    for (const Operation &operation : all_operations) {
        if (std::string(operation.tier) != "wire") continue;
        const Attribution attribution = attribute(w, timed(operation), backend);
        profilers.emplace_back(w, operation, timed(operation), backend, COUNT,
                               [attribution](const std::vector<Call> &calls, std::vector<Part> &parts) {
                                   split(attribution, calls, parts);
                               });
    }
    return profilers;
}

nlohmann::ordered_json row(const Profiler &profiler, const Profile &profile, const TimedBackend &)
{
    nlohmann::ordered_json row = profiler.head(profile),
                           &functions = row["functions"] = nlohmann::ordered_json::array();
    const auto add = [&](const char *name, double ns) {
        functions.push_back({{"name", name}, {"ns", ns}, {"share", ns / profile.corrected}});
    };
    for (size_t f = 0; f < COUNT; f++) add(function_names[f], profile.parts[f].ns);
    add("other", profile.other);
    return row;
}

} // namespace

int main(int argc, char **argv)
{
    const Profilers profilers = {
        "The share of each of Saber's operations that each of its functions takes.", "study", 120, is_saber, make, row};
    return profile_main(argc, argv, profilers);
}
