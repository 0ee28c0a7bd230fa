// How often each operation permutes Keccak states, and in how many calls, that is steps of all lanes at once. Most of the
// time goes there, so a number that grows is a mistake.
//
// The numbers follow from the definition: a hash takes floor(length / rate) + 1 permutations and one for each further
// block of output. For ML-KEM they are known: 27 / 43 / 69 for key generation, 26 / 44 / 70 for encapsulation and as
// many for decapsulation, and 6 / 9 / 12 for the check of H(ek). They hold where each entry of the matrix takes three
// blocks; what the entries of a key take beyond that is found by sampling them here.
// SPDX-License-Identifier: Apache-2.0
#include "internals.h"
#include "model.h"
#include "operations.h"

#include <fstream>
#include <map>
#include <sstream>

namespace
{

struct Counts {
    const char *set;
    size_t keypair, encaps, decaps, check_dk, prepare_ek, prepare_dk, encaps_prepared, decaps_prepared;
};

const Counts expected_counts[] = {
    {"ML-KEM-512", 27, 26, 32, 6, 18, 18, 8, 14},    {"ML-KEM-768", 43, 44, 53, 9, 36, 36, 8, 17},
    {"ML-KEM-1024", 69, 70, 82, 12, 60, 60, 10, 22}, {"Kyber512", 27, 34, 27, 0, 18, 12, 16, 15},
    {"Kyber768", 43, 55, 45, 0, 36, 27, 19, 18},     {"Kyber1024", 69, 84, 71, 0, 60, 48, 24, 23},
    {"Kyber512-90s", 0, 0, 0, 0, 0, 0, 0, 0},        {"Kyber768-90s", 0, 0, 0, 0, 0, 0, 0, 0},
    {"Kyber1024-90s", 0, 0, 0, 0, 0, 0, 0, 0},       {"LightSaber", 20, 28, 22, 0, 15, 10, 13, 12},
    {"Saber", 37, 48, 39, 0, 31, 23, 17, 16},        {"FireSaber", 56, 69, 58, 0, 50, 40, 19, 18},
    {"NTRU-HPS-2048-509", 0, 2, 8, 0, 0, 0, 2, 8},   {"NTRU-HPS-2048-677", 0, 3, 11, 0, 0, 0, 3, 11},
    {"NTRU-HPS-4096-821", 0, 3, 13, 0, 0, 0, 3, 13}, {"NTRU-HRSS-701", 0, 3, 12, 0, 0, 0, 3, 12},
};

// Calls with two, three, four and eight lanes, where each entry of the matrix takes three blocks. With one lane a call is a
// permutation.
struct Calls {
    const char *set;
    size_t lanes, keypair, encaps, decaps, encaps_prepared, decaps_prepared, encaps_batch, decaps_batch;
};

const Calls expected_calls[] = {
    {"ML-KEM-512", 2, 16, 14, 16, 5, 7, 144, 176},   {"ML-KEM-512", 3, 13, 10, 12, 4, 6, 96, 118},
    {"ML-KEM-512", 4, 12, 9, 9, 3, 6, 74, 89},       {"ML-KEM-512", 8, 10, 9, 6, 3, 6, 40, 46},
    {"ML-KEM-768", 2, 24, 23, 27, 5, 9, 243, 292},   {"ML-KEM-768", 3, 18, 16, 18, 4, 9, 162, 195},
    {"ML-KEM-768", 4, 19, 12, 15, 3, 9, 122, 147},   {"ML-KEM-768", 8, 13, 11, 9, 2, 9, 63, 74},
    {"ML-KEM-1024", 2, 37, 36, 42, 6, 12, 386, 452}, {"ML-KEM-1024", 3, 27, 25, 28, 4, 12, 259, 301},
    {"ML-KEM-1024", 4, 27, 19, 21, 4, 12, 193, 227}, {"ML-KEM-1024", 8, 16, 15, 12, 3, 12, 107, 116},
    {"Kyber512", 2, 16, 22, 14, 13, 8, 192, 149},    {"Kyber512", 3, 13, 18, 10, 12, 7, 128, 101},
    {"Kyber512", 4, 12, 16, 9, 11, 7, 97, 75},       {"Kyber512", 8, 10, 16, 7, 11, 7, 55, 41},
    {"Kyber768", 2, 24, 34, 24, 16, 10, 309, 249},   {"Kyber768", 3, 18, 27, 16, 15, 10, 206, 166},
    {"Kyber768", 4, 19, 23, 13, 14, 10, 155, 126},   {"Kyber768", 8, 13, 21, 10, 13, 10, 84, 64},
    {"Kyber1024", 2, 37, 50, 37, 20, 13, 470, 392},  {"Kyber1024", 3, 27, 38, 25, 18, 13, 314, 262},
    {"Kyber1024", 4, 27, 33, 19, 18, 13, 235, 197},  {"Kyber1024", 8, 16, 28, 13, 17, 13, 146, 105},
    {"LightSaber", 2, 14, 18, 12, 13, 7, 158, 122},  {"LightSaber", 3, 14, 17, 11, 13, 7, 111, 82},
    {"LightSaber", 4, 16, 17, 11, 13, 7, 83, 62},    {"LightSaber", 8, 14, 17, 11, 13, 7, 46, 33},
    {"Saber", 2, 28, 29, 24, 17, 10, 269, 219},      {"Saber", 3, 28, 29, 24, 17, 10, 184, 147},
    {"Saber", 4, 32, 33, 24, 17, 10, 143, 108},      {"Saber", 8, 28, 29, 24, 17, 10, 81, 63},
    {"FireSaber", 2, 45, 45, 41, 19, 12, 390, 331},  {"FireSaber", 3, 45, 45, 41, 19, 12, 259, 215},
    {"FireSaber", 4, 51, 52, 41, 19, 12, 201, 163},  {"FireSaber", 8, 45, 45, 41, 19, 12, 121, 99},
};

// Permutations, one for each lane in use: the same on every backend.
size_t permutations, calls;
void (*original_permute)(uint64_t *states, size_t used);

void permute(uint64_t *states, size_t used)
{
    permutations += used;
    calls++;
    original_permute(states, used);
}

class KeccakCount : public Operations
{
  protected:
    void SetUp() override
    {
        Operations::SetUp();
        backend_ = *lk_backend_current();
        keccak_ = *backend_.symmetric.keccak;
        original_permute = keccak_.permute;
        keccak_.permute = permute;
        backend_.symmetric.keccak = &keccak_;
        lk_backend_force(&backend_);
        for (const Counts &row : expected_counts)
            if (std::string(row.set) == set().name) expected_ = &row;
        ASSERT_NE(expected_, nullptr) << "no counts for " << set().name;
        for (const Calls &row : expected_calls)
            if (std::string(row.set) == set().name && row.lanes == keccak_.lanes) expected_steps_ = &row;
        ASSERT_TRUE(expected_steps_ || keccak_.lanes == 1 || expected_->keypair == 0)
            << "no calls for " << set().name << " with " << keccak_.lanes << " lanes";
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
        calls = 0;
        run();
        if (expected_steps_) {
            EXPECT_EQ(calls, expected_steps_->*operation);
        }
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

    // Keys whose matrix takes three blocks for each entry.
    void make_plain_keys()
    {
        unsigned number = 0;
        do make_keys(number++);
        while (further_blocks() > 0);
    }

    const Counts *expected_ = nullptr;
    const Calls *expected_steps_ = nullptr; // nullptr with one lane

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
    lk_keccak_kernels keccak_;
};

TEST_P(KeccakCount, OfEveryOperation)
{
    for (unsigned number = 0; number < 20; number++) {
        make_keys(number);
        const size_t further = further_blocks();
        expect(expected_->keypair + further, [&] { run_keypair(); });
        expect(expected_->encaps + further, [&] { run_encaps(); });
        expect(expected_->decaps + further, [&] { run_decaps(); });
        expect(expected_->decaps + further, [&] { run_decaps_rejecting(); });
        expect(0, [&] { run_check_ek(); });
        expect(expected_->check_dk, [&] { run_check_dk(); });
        expect(expected_->prepare_ek + further, [&] { run_prepare_ek(); });
        expect(expected_->prepare_dk + further, [&] { run_prepare_dk(); });
        expect(expected_->encaps_prepared, [&] { run_encaps_prepared(); });
        expect(expected_->decaps_prepared, [&] { run_decaps_prepared(); });
    }
}

class NtruKeccakCount : public KeccakCount
{
};

// The hash of what was decrypted and the one for rejection do not wait for each other.
TEST_P(NtruKeccakCount, HashesOfADecapsulationShareTheLanes)
{
    if (lk_backend_current()->symmetric.keccak->lanes == 1) GTEST_SKIP() << "skipped: this backend has one lane";
    expect(expected_->decaps, [&] { run_decaps(); });
    EXPECT_EQ(calls, expected_->decaps - expected_->encaps);
}

TEST_P(KeccakCount, OfBatches)
{
    const size_t further = further_blocks();
    expect(batch * (expected_->encaps + further), [&] { run_encaps_batch(); });
    expect(batch * (expected_->decaps + further), [&] { run_decaps_batch(); });
}

TEST_P(KeccakCount, CallsOfEveryOperation)
{
    make_plain_keys();
    expect_calls(&Calls::keypair, [&] { run_keypair(); });
    expect_calls(&Calls::encaps, [&] { run_encaps(); });
    expect_calls(&Calls::decaps, [&] { run_decaps(); });
    expect_calls(&Calls::encaps_prepared, [&] { run_encaps_prepared(); });
    expect_calls(&Calls::decaps_prepared, [&] { run_decaps_prepared(); });
    expect_calls(&Calls::encaps_batch, [&] { run_encaps_batch(); });
    expect_calls(&Calls::decaps_batch, [&] { run_decaps_batch(); });
}

// Rows of the page's two tables, in the words of Markdown.
std::string permutation_row(const char *set, const Counts &of)
{
    std::ostringstream row;
    row << "| " << set << " | " << of.keypair << " | " << of.encaps << " | " << of.decaps << " | " << of.check_dk
        << " | " << of.encaps_prepared << " | " << of.decaps_prepared << " |";
    return row.str();
}

// The rows of a set stand together, with two, three, four and eight lanes.
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
    for (const Counts &of : expected_counts) rows[of.set] = permutation_row(of.set, of);
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
LATKEM_FOR_CASES(NtruKeccakCount, [](const SetFacts &set) { return set.family == Family::ntru; });

} // namespace
