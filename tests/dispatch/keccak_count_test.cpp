// How often each operation permutes Keccak states, and in how many calls, that is steps of all lanes at once. Most of
// the time goes there, so a number that grows is a mistake.
//
// The numbers follow from the definition: a hash takes floor(length / rate) + 1 permutations and one for each further
// block of output. For ML-KEM they are known: 27 / 43 / 69 for key generation, 26 / 44 / 70 for encapsulation and as
// many for decapsulation, and 6 / 9 / 12 for the check of H(ek). They hold where each entry of the matrix takes three
// blocks; what the entries of a key take beyond that is found by sampling them here.
// SPDX-License-Identifier: Apache-2.0
#include "harness/kernels/internals.h"
#include "harness/model/kem.h"
#include "operations.h"
#include "synthetic_keccak.h"

#include <fstream>
#include <map>
#include <sstream>

namespace
{

struct Counts {
    size_t keypair, encaps, decaps, check_dk, prepare_ek, prepare_dk, encaps_prepared, decaps_prepared;
};

enum Rate : size_t { sha3_512 = 72, sha3_256 = 136, shake256 = 136, shake128 = 168 };

// Permutations of one hash.
size_t hash(Rate rate, size_t input, size_t output = 1)
{
    return input / rate + (output + rate - 1) / rate;
}

// Permutations of the streams of a set: the matrix, the noise of a key pair and that of a ciphertext.
struct Streams {
    size_t matrix, key_noise, ct_noise;
};

Streams streams(const SetFacts &set)
{
    const size_t k = set.ring.rank, noise = 32 * set.ring.noise_bits; // bytes for a polynomial
    if (set.family == Family::saber) {
        const size_t secret = hash(shake128, 32, k * noise);
        return {hash(shake128, 32, k * k * 416), secret, secret};
    }
    const size_t vector = k * hash(shake256, 33, noise), errors = (k + 1) * hash(shake256, 33, 128);
    return {3 * k * k, 2 * vector, vector + errors};
}

Counts ntru_counts(const SetFacts &set)
{
    const size_t message = 2 * ((set.ring.n - 1 + 4) / 5);
    const size_t encaps = hash(sha3_256, message), decaps = encaps + hash(sha3_256, 32 + set.sizes.ct);
    return {0, encaps, decaps, 0, 0, 0, encaps, decaps};
}

// ML-KEM checks H(ek) and hashes ct into the rejected secret; the others hash their coins, ct and the secret.
Counts counts_of(const SetFacts &set)
{
    if (set.family == Family::kyber_90s) return {};
    if (set.family == Family::ntru) return ntru_counts(set);
    const Streams of = streams(set);
    const bool checks = checks_keys(set);
    const size_t h_ek = hash(sha3_256, set.sizes.ek), g = hash(sha3_512, 64);
    const size_t ct = checks ? hash(shake256, 32 + set.sizes.ct) : hash(sha3_256, set.sizes.ct) + hash(sha3_256, 64);
    Counts counts{};
    counts.keypair = 1 + of.matrix + of.key_noise + h_ek;
    counts.check_dk = checks ? h_ek : 0;
    counts.prepare_ek = h_ek + of.matrix;
    counts.prepare_dk = counts.check_dk + of.matrix;
    counts.encaps_prepared = g + of.ct_noise + (checks ? 0 : hash(sha3_256, 32) + ct);
    counts.decaps_prepared = g + of.ct_noise + ct;
    counts.encaps = counts.prepare_ek + counts.encaps_prepared;
    counts.decaps = counts.prepare_dk + counts.decaps_prepared;
    return counts;
}

// Calls with two, three, four and eight lanes, where each entry of the matrix takes three blocks. With one lane a call
// is a permutation. A set without a row may take any number that its permutations fit in.
struct Calls {
    const char *set;
    size_t lanes, keypair, encaps, decaps, encaps_prepared, decaps_prepared, encaps_batch, decaps_batch;

    // With four lanes hashes are not cut into parts, as avx2 has it; with the others they are.
    size_t pairs() const
    {
        return lanes != 4;
    }
};

const Calls expected_calls[] = {
    {"ML-KEM-512", 2, 16, 14, 16, 5, 7, 144, 176},   {"ML-KEM-512", 3, 13, 10, 11, 4, 6, 96, 118},
    {"ML-KEM-512", 4, 12, 9, 8, 3, 6, 74, 88},       {"ML-KEM-512", 8, 10, 9, 6, 3, 6, 40, 46},
    {"ML-KEM-768", 2, 24, 23, 27, 5, 9, 243, 292},   {"ML-KEM-768", 3, 18, 16, 18, 4, 9, 162, 195},
    {"ML-KEM-768", 4, 19, 12, 14, 3, 9, 122, 146},   {"ML-KEM-768", 8, 13, 11, 9, 2, 9, 63, 73},
    {"ML-KEM-1024", 2, 37, 36, 41, 6, 12, 386, 451}, {"ML-KEM-1024", 3, 27, 25, 28, 4, 12, 259, 301},
    {"ML-KEM-1024", 4, 27, 19, 21, 4, 12, 193, 226}, {"ML-KEM-1024", 8, 16, 15, 12, 3, 12, 107, 116},
    {"Kyber512", 2, 16, 22, 14, 13, 8, 192, 149},    {"Kyber512", 3, 13, 18, 10, 12, 7, 128, 100},
    {"Kyber512", 4, 12, 16, 8, 11, 7, 97, 75},       {"Kyber512", 8, 10, 16, 7, 11, 7, 55, 40},
    {"Kyber768", 2, 24, 34, 23, 16, 10, 309, 248},   {"Kyber768", 3, 18, 27, 16, 15, 10, 206, 166},
    {"Kyber768", 4, 19, 23, 12, 14, 10, 155, 124},   {"Kyber768", 8, 13, 21, 10, 13, 10, 84, 63},
    {"Kyber1024", 2, 37, 50, 36, 20, 13, 470, 391},  {"Kyber1024", 3, 27, 38, 25, 18, 13, 314, 261},
    {"Kyber1024", 4, 27, 33, 19, 18, 13, 235, 196},  {"Kyber1024", 8, 16, 28, 13, 17, 13, 146, 103},
    {"LightSaber", 2, 14, 18, 12, 13, 7, 158, 122},  {"LightSaber", 3, 14, 17, 11, 13, 7, 107, 82},
    {"LightSaber", 4, 16, 17, 11, 13, 7, 83, 62},    {"LightSaber", 8, 14, 17, 11, 13, 7, 45, 33},
    {"Saber", 2, 28, 29, 24, 17, 10, 269, 219},      {"Saber", 3, 28, 29, 24, 17, 10, 184, 147},
    {"Saber", 4, 32, 33, 24, 17, 10, 136, 108},      {"Saber", 8, 28, 29, 24, 17, 10, 81, 63},
    {"FireSaber", 2, 45, 45, 41, 19, 12, 390, 331},  {"FireSaber", 3, 45, 45, 41, 19, 12, 259, 215},
    {"FireSaber", 4, 51, 52, 41, 19, 12, 197, 163},  {"FireSaber", 8, 45, 45, 41, 19, 12, 121, 99},
};

// Permutations, one for each lane in use: the same on every backend.
size_t permutations, calls;
size_t (*original_permute)(uint64_t *states, size_t used);

size_t permute(uint64_t *states, size_t used)
{
    permutations += used;
    calls++;
    return original_permute(states, used);
}

class KeccakCount : public Operations
{
  protected:
    void SetUp() override
    {
        Operations::SetUp();
        backend_ = *lk_backend_current();
        count_calls_of(*backend_.symmetric.keccak);
        backend_.symmetric.keccak = &keccak_;
        lk_backend_force(&backend_);
        expected_ = counts_of(set());
        for (const Calls &row : expected_calls)
            if (std::string(row.set) == set().name && row.lanes == keccak_.lanes && row.pairs() == keccak_.pairs)
                expected_steps_ = &row;
    }

    void count_calls_of(const lk_keccak_kernels &kernels)
    {
        keccak_ = kernels;
        original_permute = kernels.permute;
        keccak_.permute = permute;
    }

    // Kernels of the row's lanes by the definition. Of eight lanes four are faster, as in avx512.
    void take_lanes_of(const Calls &row)
    {
        const std::map<size_t, lk_keccak_kernels> tables = {{2, Synthetic<2>::table},
                                                            {3, Synthetic<3>::table},
                                                            {4, Synthetic<4>::table},
                                                            {8, Synthetic<8>::with_narrow}};
        count_calls_of(tables.at(row.lanes));
        keccak_.pairs = row.pairs();
        expected_steps_ = &row;
    }

    template <class Run> void expect(size_t count, Run run)
    {
        permutations = calls = 0;
        run();
        EXPECT_EQ(permutations, count);
        EXPECT_TRUE(keccak_.lanes > 1 || calls == count) << calls << " calls";
    }

    template <class Run> void expect_calls(size_t Calls::*operation, Run run)
    {
        permutations = calls = 0;
        run();
        if (expected_steps_) {
            EXPECT_EQ(calls, expected_steps_->*operation);
        }
        EXPECT_LE(permutations, calls * keccak_.lanes);
        EXPECT_LE(calls, permutations);
    }

    void expect_calls_of_operations()
    {
        expect_calls(&Calls::keypair, [&] { run_keypair(); });
        expect_calls(&Calls::encaps, [&] { run_encaps(); });
        expect_calls(&Calls::decaps, [&] { run_decaps(); });
        expect_calls(&Calls::encaps_prepared, [&] { run_encaps_prepared(); });
        expect_calls(&Calls::decaps_prepared, [&] { run_decaps_prepared(); });
        if (!batch_fits()) return;
        expect_calls(&Calls::encaps_batch, [&] { run_encaps_batch(); });
        expect_calls(&Calls::decaps_batch, [&] { run_decaps_batch(); });
    }

    // No backend of eight lanes has the portable arithmetic, with which groups of FireSaber exceed every workspace.
    bool batch_fits() const
    {
        return set().name != std::string("FireSaber") || keccak_.lanes < 8 || GetParam().backend != "portable";
    }

    // Blocks of SHAKE128 that the matrix of the key takes beyond three for each entry.
    size_t further_blocks() const
    {
        if (set().family == Family::kyber_90s || set().ring.q != 3329) return 0;
        const Bytes rho = slice(keys.ek, keys.ek.size() - 32, 32);
        size_t further = 0;
        for (uint8_t i = 0; i < set().ring.rank; i++)
            for (uint8_t j = 0; j < set().ring.rank; j++) further += blocks_of_entry(rho, i, j) - 3;
        return further;
    }

    // Keys with a matrix that takes three blocks for each entry.
    void make_plain_keys()
    {
        unsigned number = 0;
        do make_keys(number++);
        while (further_blocks() > 0);
    }

    lk_keccak_kernels keccak_{};
    Counts expected_{};
    const Calls *expected_steps_ = nullptr; // nullptr with one lane, and for some sets

  private:
    static size_t blocks_of_entry(const Bytes &rho, uint8_t i, uint8_t j)
    {
        Shake128 stream;
        stream.absorb(rho + Bytes{j, i});
        size_t blocks = 0, accepted = 0;
        for (; accepted < 256; blocks++)
            for (int16_t value : unpack12(stream.squeeze(168))) accepted += value < 3329;
        return blocks;
    }

    lk_backend backend_;
};

TEST_P(KeccakCount, OfEveryOperation)
{
    for (unsigned number = 0; number < 20; number++) {
        make_keys(number);
        const size_t further = further_blocks();
        expect(expected_.keypair + further, [&] { run_keypair(); });
        expect(expected_.encaps + further, [&] { run_encaps(); });
        expect(expected_.decaps + further, [&] { run_decaps(); });
        expect(expected_.decaps + further, [&] { run_decaps_rejecting(); });
        expect(0, [&] { run_check_ek(); });
        expect(expected_.check_dk, [&] { run_check_dk(); });
        expect(expected_.prepare_ek + further, [&] { run_prepare_ek(); });
        expect(expected_.prepare_dk + further, [&] { run_prepare_dk(); });
        expect(expected_.encaps_prepared, [&] { run_encaps_prepared(); });
        expect(expected_.decaps_prepared, [&] { run_decaps_prepared(); });
    }
}

class PartsKeccakCount : public KeccakCount
{
};

// Each part hashes what its rows need, and the second checks H(ek).
TEST_P(PartsKeccakCount, OfEveryPart)
{
    const Streams of = streams(set());
    const size_t h_ek = hash(sha3_256, set().sizes.ek), g = hash(sha3_512, 64), ct2_noise = 1;
    expect(h_ek, [&] { run_ek_split(); });
    expect(h_ek, [&] { run_ek_join(); });
    expect(g + of.matrix + further_blocks() + of.ct_noise - ct2_noise, [&] { run_encaps1(); });
    expect(h_ek + g + of.key_noise / 2 + ct2_noise, [&] { run_encaps2(); });
}

class NtruKeccakCount : public KeccakCount
{
};

// The hash of what was decrypted and the one for rejection do not wait for each other.
TEST_P(NtruKeccakCount, HashesOfADecapsulationShareTheLanes)
{
    if (lk_backend_current()->symmetric.keccak->lanes == 1) GTEST_SKIP() << "skipped: this backend has one lane";
    expect(expected_.decaps, [&] { run_decaps(); });
    EXPECT_EQ(calls, expected_.decaps - expected_.encaps);
}

TEST_P(KeccakCount, OfBatches)
{
    const size_t further = further_blocks();
    expect(batch * (expected_.encaps + further), [&] { run_encaps_batch(); });
    expect(batch * (expected_.decaps + further), [&] { run_decaps_batch(); });
}

TEST_P(KeccakCount, CallsOfEveryOperation)
{
    make_plain_keys();
    expect_calls_of_operations();
}

// A backend of one lane is enough for the counts of any number.
TEST_P(KeccakCount, CallsWithAnyLanes)
{
    if (keccak_.lanes > 1) return;
    make_plain_keys();
    for (const Calls &row : expected_calls) {
        if (row.set != std::string(set().name)) continue;
        SCOPED_TRACE(std::to_string(row.lanes) + " lanes");
        take_lanes_of(row);
        expect_calls_of_operations();
    }
}

// Rows of the page's two tables, in the words of Markdown.
std::string permutation_row(const char *set, const Counts &of)
{
    std::ostringstream row;
    row << "| " << set << " | " << of.keypair << " | " << of.encaps << " | " << of.decaps << " | " << of.check_dk
        << " | " << of.encaps_prepared << " | " << of.decaps_prepared << " |";
    return row.str();
}

// The rows of a set are together, with two, three, four and eight lanes.
std::string call_row(const Calls *rows)
{
    std::ostringstream row;
    row << "| " << rows->set << " |";
    for (size_t Calls::*operation : {&Calls::keypair, &Calls::encaps, &Calls::decaps, &Calls::encaps_prepared,
                                     &Calls::decaps_prepared, &Calls::encaps_batch, &Calls::decaps_batch}) {
        for (int i = 0; i < 4; i++) row << " " << rows[i].*operation;
        row << " |";
    }
    return row.str();
}

using Rows = std::map<std::string, std::string>; // by set

Rows permutation_rows()
{
    Rows rows;
    for (const SetFacts &set : all_facts()) rows[set.name] = permutation_row(set.name, counts_of(set));
    return rows;
}

Rows call_rows()
{
    Rows rows;
    for (const Calls *of = expected_calls; of != std::end(expected_calls); of += 4) rows[of->set] = call_row(of);
    return rows;
}

// How many rows there are in the page's table of that name. A set may be left out; what the page says of one is right.
size_t check_table(const std::string &name, const Rows &rows)
{
    std::ifstream page(LATKEM_KECCAK_PAGE);
    std::string line;
    while (std::getline(page, line) && line != "<!-- " + name + " -->") continue;
    size_t checked = 0;
    while (std::getline(page, line) && line != "<!-- end -->") {
        const auto row = rows.find(line.substr(2, line.find(" |", 2) - 2));
        if (row == rows.end()) continue;
        EXPECT_EQ(line, row->second);
        checked++;
    }
    return checked;
}

TEST(KeccakPage, ShowsTheCounts)
{
    EXPECT_GT(check_table("permutations", permutation_rows()), 0U);
    EXPECT_GT(check_table("calls", call_rows()), 0U);
}

LATKEM_FOR_EVERY_CASE(KeccakCount);
LATKEM_FOR_CASES(PartsKeccakCount, has_parts);
LATKEM_FOR_CASES(NtruKeccakCount, [](const SetFacts &set) { return set.family == Family::ntru; });

} // namespace
