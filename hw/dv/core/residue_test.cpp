// What a core holds after an operation does not depend on the operation's secrets, in any form: the states after two
// operations are compared byte by byte. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "Vlatkem_mlkem.h"
#include "core/requests.h"
#include "core/state.h"

namespace
{

constexpr unsigned sets = 6;

// Bytes that Verilator's own variables for writes to arrays (__Vlvbound) may differ in. They are no registers; each has
// one byte or two, and no more than two of them lie side by side.
constexpr size_t temporaries = 8, side_by_side = 4;

class Residue : public testing::Test
{
  protected:
    void SetUp() override
    {
        LATKEM_NEEDS_STATE();
    }

    // The state at the first edge with busy_o low, and that after as many idle edges as clear all memories.
    struct States {
        std::string first, later;
        uint64_t latency;
    };

    static void idle(Core<Vlatkem_mlkem> &core)
    {
        for (int i = 0; i < 1200; ++i) core.tick();
    }

    static States after(const Words &request, Status status = Ok)
    {
        Core<Vlatkem_mlkem> core;
        idle(core);
        const Response response = core.run(request);
        EXPECT_EQ(response.status(), status);
        States states;
        states.latency = response.latency();
        states.first = state_of(*core.model);
        idle(core);
        states.later = state_of(*core.model);
        return states;
    }

    // The state after the first cycles of a request, and reset or zeroisation.
    static std::string forgotten(const Words &request, uint64_t cycles, bool zeroize)
    {
        Core<Vlatkem_mlkem> core;
        core.begin(request, cycles);
        core.interrupt(zeroize, 1);
        return state_of(*core.model);
    }

    static bool holds(const std::string &state, const Words &words, size_t at, size_t count)
    {
        const auto found = [&](const uint64_t &word) {
            return state.find(std::string(reinterpret_cast<const char *>(&word), 8)) != std::string::npos;
        };
        const auto first = words.begin() + static_cast<ptrdiff_t>(at);
        return std::any_of(first, first + static_cast<ptrdiff_t>(count), found);
    }

    static std::set<size_t> differences(const std::string &a, const std::string &b)
    {
        std::set<size_t> found;
        EXPECT_EQ(a.size(), b.size());
        for (size_t i = 0; i < a.size() && i < b.size(); ++i)
            if (a[i] != b[i]) found.insert(i);
        return found;
    }

    // Whether no more than Verilator's variables can differ: a word would be a longer run of bytes.
    static testing::AssertionResult temporary(const std::set<size_t> &found)
    {
        size_t run = 0, longest = 0, before = 0;
        for (const size_t at : found) {
            run = run > 0 && at == before + 1 ? run + 1 : 1;
            longest = std::max(longest, run);
            before = at;
        }
        if (found.size() <= temporaries && longest <= side_by_side) return testing::AssertionSuccess();
        return testing::AssertionFailure() << found.size() << " bytes differ, " << longest << " side by side";
    }

    // Other words in place of those of a request.
    Words replaced(Words request, size_t at, size_t count)
    {
        for (size_t w = at; w < at + count; ++w) request.at(w) = requests.random();
        return request;
    }

    Requests requests;
};

// Another s and z, so other secrets throughout; ek, ct and the status are the same.
TEST_F(Residue, NothingOfADecapsulation)
{
    for (unsigned set = 0; set < sets; ++set) {
        const Words one = requests.decaps(set);
        const Words other = replaced(replaced(one, 1, Requests::ek_at(set)), 1 + Requests::dk_words(set) - 4, 4);
        EXPECT_TRUE(temporary(differences(after(one).first, after(other).first))) << "set " << set;
    }
}

// Another ct besides; and one that the key accepts.
TEST_F(Residue, NothingOfARejection)
{
    for (unsigned set = 0; set < sets; ++set) {
        const Words one = requests.decaps(set);
        const size_t dk = Requests::dk_words(set);
        const Words other = replaced(one, 1 + dk, one.size() - 1 - dk);
        EXPECT_TRUE(temporary(differences(after(one).later, after(other).later))) << "set " << set;
    }
}

// A key that is refused is as secret as another.
TEST_F(Residue, NothingOfARefusedKey)
{
    for (unsigned set = 0; set < 3; ++set) {
        const Words good = requests.decaps(set);
        const Words one = replaced(good, 1 + Requests::dk_words(set) - 8, 1);
        const Words other = replaced(replaced(one, 1, Requests::ek_at(set)), 1 + Requests::dk_words(set) - 4, 4);
        EXPECT_TRUE(temporary(differences(after(one, BadDk).first, after(other, BadDk).first))) << "set " << set;
    }
}

// Requests that end too early or too late: their seeds, coins, s and z.
TEST_F(Residue, NothingOfAWrongLength)
{
    for (unsigned set = 0; set < sets; ++set)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            const Words good = requests.any(operation, set);
            const size_t end = good.size(), dk = Requests::dk_words(set);
            for (size_t words : {size_t{3}, size_t{7}, end - 1, end + 1, end + 8}) {
                Words one = good;
                one.resize(words, requests.random());
                Words other = one;
                for (size_t w = 1; w < words; ++w)
                    if (operation == Keygen || w >= end || (operation == Encaps && w >= end - 4) ||
                        (operation == Decaps && (w <= Requests::ek_at(set) || (w > dk - 4 && w <= dk))))
                        other[w] = requests.random();
                EXPECT_TRUE(temporary(differences(after(one, BadLength).first, after(other, BadLength).first)))
                    << "set " << set << " operation " << operation << " words " << words;
            }
        }
}

// Another m for the same ek. What differs between two ek is their matrix and t; a key pair leaves no more. Matrices that
// take different times leave different counts.
TEST_F(Residue, NothingButPublicParts)
{
    for (unsigned set = 0; set < sets; ++set) {
        std::set<size_t> parts;
        States last;
        for (int i = 0; i < 8; ++i) {
            const Words one = requests.encaps(set);
            const Words other = replaced(one, one.size() - 4, 4);
            const States states = after(one);
            EXPECT_TRUE(temporary(differences(states.later, after(other).later))) << "set " << set;
            if (i > 0) parts.merge(differences(states.later, last.later));
            last = states;
        }
        const States one = after(requests.keygen(set));
        States other;
        do other = after(requests.keygen(set));
        while (other.latency != one.latency);
        std::set<size_t> more;
        for (size_t at : differences(one.later, other.later))
            if (parts.count(at) == 0) more.insert(at);
        EXPECT_TRUE(temporary(more)) << "set " << set;
    }
}

// Reset or zeroised at any edge: by the end of busy_o nothing is left. Other s and z as above, another m; of a key
// generation another z, and no word of its seeds and its s.
TEST_F(Residue, NothingOfWhatWasForgotten)
{
    const unsigned step = std::getenv("LATKEM_HW_LONG") != nullptr ? 97 : 499;
    for (unsigned set = 0; set < sets; ++set)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned at = 1 + 37 * set; at < 2600; at += step)
                for (bool zeroize : {false, true}) {
                    const Words one = requests.any(operation, set);
                    const size_t ek = Requests::ek_at(set), dk = Requests::dk_words(set);
                    const Words other = operation == Decaps ? replaced(replaced(one, 1, ek), 1 + dk - 4, 4)
                                                            : replaced(one, one.size() - 4, 4);
                    const std::string state = forgotten(one, at, zeroize);
                    EXPECT_TRUE(temporary(differences(state, forgotten(other, at, zeroize))))
                        << "set " << set << " operation " << operation << " at " << at << (zeroize ? ", zeroised" : "");
                    if (operation == Keygen) {
                        EXPECT_FALSE(holds(state, one, 1, 8) || holds(state, golden_response(one), 1, ek))
                            << "set " << set << " at " << at << (zeroize ? ", zeroised" : "");
                    }
                }
}

// The comparison sees secrets that are there: two seeds in the middle of an operation.
TEST_F(Residue, IsSeen)
{
    std::string states[2];
    for (auto &state : states) {
        Core<Vlatkem_mlkem> core;
        Words request = requests.keygen(0);
        request[0] = command_word(Keygen, 0);
        core.begin(request, request.size() + 8);
        state = state_of(*core.model);
    }
    EXPECT_GT(differences(states[0], states[1]).size(), 100u);
}

} // namespace
