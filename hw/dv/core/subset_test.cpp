// Cores with cleared bits of Ops and Sets do what is left, in the cycles of the whole core, and refuse the rest. With
// further parameters they take cycles of their own.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "Vcore.h"
#include "core/requests.h"

static const char *const operations[] = {"", "keygen", "encaps", "decaps"};

// The cycles that are kept for an operation of the whole core.
static uint64_t kept_cycles(const std::string &name)
{
    std::ostringstream text;
    text << std::ifstream(LATKEM_HW_CYCLES).rdbuf();
    const size_t row = text.str().find("\"" + name + "\"");
    const size_t cycles = text.str().find("\"cycles\":", row);
    return cycles == std::string::npos ? 0 : std::stoull(text.str().substr(cycles + 9));
}

// The latency without further parameters, or with them.
static uint64_t expected_cycles(const std::string &set, unsigned operation)
{
    const std::string further = SUBSET_FURTHER;
    if (further.empty()) return kept_cycles(set + " " + operations[operation]);
    return scheme::further_cycles.at(further).at(set)[operation - 1].first;
}

TEST(Subset, DoesWhatIsLeftAndRefusesTheRest)
{
    std::map<std::pair<std::string, unsigned>, uint64_t>
        fastest; // an entry of the matrix with a fourth block takes longer
    Core<Vcore> core;
    Requests requests;
    for (int round = 0; round < 8; ++round)
        for (unsigned set : core_set_indices)
            for (unsigned operation : {Keygen, Encaps, Decaps}) {
                const Words request = requests.any(operation, set);
                const Words expected = golden_response(request, SUBSET_OPS, SUBSET_SETS);
                const bool built = SUBSET_SETS >> set & 1 && SUBSET_OPS >> (operation - 1) & 1;
                EXPECT_EQ(expected[0] & 0xff, built ? Ok : BadCommand);
                const auto response = core.run(request);
                ASSERT_EQ(response.words, expected) << "set " << set << " operation " << operation;
                if (!built) continue;
                uint64_t &best = fastest.try_emplace({set_of(set).name, operation}, response.latency()).first->second;
                best = std::min(best, response.latency());
            }
    for (const auto &[done, cycles] : fastest)
        EXPECT_EQ(cycles, expected_cycles(done.first, done.second)) << done.first << " " << operations[done.second];
}

// Of a queue of equal operations.
TEST(Subset, KeepsToItsIntervals)
{
    if (std::string(SUBSET_FURTHER).empty()) GTEST_SKIP() << "without further parameters no intervals are kept of it";
    Core<Vcore> core;
    Requests requests;
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            if (!(SUBSET_SETS >> set & 1 && SUBSET_OPS >> (operation - 1) & 1)) continue;
            Words request = requests.any(operation, set);
            while (scheme::further_blocks(request)) request = requests.any(operation, set); // those take longer
            const auto queued = core.run(std::vector<Words>(3, request));
            ASSERT_EQ(queued.size(), 3u);
            const uint64_t interval = queued[1].command - queued[0].command;
            EXPECT_EQ(queued[2].command - queued[1].command, interval);
            EXPECT_EQ(interval, scheme::further_cycles.at(SUBSET_FURTHER).at(set_of(set).name)[operation - 1].second)
                << set_of(set).name << " " << operations[operation];
        }
}
