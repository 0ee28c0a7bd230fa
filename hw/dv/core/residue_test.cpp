// The state of a core after an operation, and during the next, does not depend on the operation's secrets, in any form:
// the states after two operations are compared byte by byte. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "Vcore.h"
#include "core/requests.h"
#include "core/state.h"
#include "temporaries.h"

namespace
{

// s of a key pair as the polynomial unit has it: of each bank, pairs of coefficients that follow each other. The word of
// number d3 d2 d1 w0 lies in bank {w0, d3 ^ d2 ^ d1} at address {d3, d2} (docs/hardware.md).
Pieces in_banks(const Words &dk, const CoreSet &set)
{
    Pieces pieces;
    const auto s = unpacked(dk, 0, set.secret, scheme::secret_bits);
    for (size_t polynomial = 0; polynomial < set.rank; ++polynomial)
        for (size_t bank = 0; bank < 8; ++bank) {
            std::vector<uint32_t> row;
            for (size_t address = 0; address < 16; ++address) {
                const size_t d3 = address >> 2, d2 = address & 3, d1 = (bank & 3) ^ d3 ^ d2;
                const unsigned *pair = &s[256 * polynomial + 2 * (32 * d3 + 8 * d2 + 2 * d1 + (bank >> 2))];
                row.push_back(pair[0] | pair[1] << scheme::secret_bits);
            }
            pieces.add(row.data(), 4 * row.size(), scheme::secret_piece, 4);
        }
    return pieces;
}

// A key generation, and the pieces of its secrets: the seeds, and s in both forms in which the core has it.
struct KeyPair {
    Words request;
    Pieces seeds, words, banks;

    explicit KeyPair(const Words &asked) : request(asked)
    {
        const Words dk = Requests::dk_of(Requests::result(asked), set_of(asked).index);
        seeds.add(&request[1], 8 * (request.size() - 1), 8, 8);
        // Without the words that have bytes of z, where all of dk is secret.
        const size_t s = set_of(asked).secret - (set_of(asked).pair ? 5 : 0);
        words.add(dk.data(), 8 * s, scheme::secret_piece, 8);
        banks = in_banks(dk, set_of(asked));
    }

    bool leaves_s(const std::string &state) const
    {
        return words.held_in(state) + banks.held_in(state) > 0;
    }
    bool leaves_any(const std::string &state) const
    {
        return seeds.held_in(state) > 0 || leaves_s(state);
    }
};

const std::set<size_t> none; // places where states differ

// Bytes of a register that compares words. During the next request it still has what a public word's bits were.
constexpr size_t comparison = 2;

// Operations on other public data, by which places of public data are known: so many that every byte differs once.
constexpr int samples = 12;

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

    static void idle(Core<Vcore> &core)
    {
        for (int i = 0; i < 1200; ++i) core.tick();
    }

    static States after(const Words &request, Status status = Ok)
    {
        Core<Vcore> core;
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
        Core<Vcore> core;
        core.begin(request, cycles);
        core.interrupt(zeroize, 1);
        return state_of(*core.model);
    }

    struct Sight {
        uint64_t since; // how many edges
        std::string state;
    };

    // The states while the requests follow each other at once: so many edges after the first response's last beat, and from
    // then on at every edge of `step`.
    static std::vector<Sight> sights(const std::vector<Words> &queue, uint64_t begin, uint64_t step)
    {
        std::vector<Sight> all;
        Core<Vcore> core;
        idle(core);
        core.watch = [&] {
            if (core.responses.empty()) return;
            const uint64_t since = core.edges - core.responses[0].last;
            if (since >= begin && (since - begin) % step == 0) all.push_back({since, state_of(*core.model)});
        };
        core.run(queue);
        return all;
    }

    static std::set<size_t> differences(const std::string &a, const std::string &b)
    {
        std::set<size_t> found;
        EXPECT_EQ(a.size(), b.size());
        for (size_t i = 0; i < a.size() && i < b.size(); ++i)
            if (a[i] != b[i]) found.insert(i);
        return found;
    }

    // Edges from the last beat of a response to the start of the next operation, which is as long.
    static uint64_t next_begins(const Words &request)
    {
        Core<Vcore> core;
        idle(core);
        const uint64_t latency = core.run(request).latency();
        const auto both = core.run(std::vector<Words>{request, request});
        return both[1].last - both[0].last - latency;
    }

    // Edges between two looks at the state.
    static uint64_t step()
    {
        return std::getenv("LATKEM_HW_LONG") != nullptr ? 16 : 61;
    }

    // The places where the states after encapsulations with different ek differ.
    std::set<size_t> public_parts(unsigned set)
    {
        std::set<size_t> parts;
        const std::string one = after(requests.encaps(set)).later;
        for (int i = 0; i < samples; ++i) parts.merge(differences(one, after(requests.encaps(set)).later));
        return parts;
    }

    // The objects that the other side of an operation sees: ek and H(ek), ct, or nothing.
    static Words public_words(const Words &request)
    {
        const CoreSet &set = set_of(request);
        const Words objects = Requests::result(request);
        switch (operation_of(request)) {
        case Keygen: return Requests::part(objects, set.pair ? 0 : set.secret, set.ek + (set.pair ? 0 : 4));
        case Encaps: return Requests::part(objects, 0, set.ct);
        default: return {};
        }
    }

    // Differences that are not in a word that may be seen.
    static std::set<size_t> secret(const std::set<size_t> &found, const std::string &state, const Words &seen)
    {
        const std::set<uint64_t> words(seen.begin(), seen.end());
        const auto is_seen = [&](size_t at) {
            for (size_t from = at < 7 ? 0 : at - 7; from <= at && from + 8 <= state.size(); ++from) {
                uint64_t word;
                std::memcpy(&word, state.data() + from, sizeof word);
                if (words.count(word) != 0) return true;
            }
            return false;
        };
        std::set<size_t> rest;
        for (size_t at : found)
            if (!is_seen(at)) rest.insert(at);
        return rest;
    }

    // Another key generation that takes as long.
    Words equally_long(const Words &request)
    {
        Words other;
        do other = requests.keygen(set_of(request).index);
        while (after(other).latency != after(request).latency);
        other[0] = request[0]; // the tag is echoed
        return other;
    }

    Requests requests;
};

// Another s and z, so other secrets throughout; ek, ct and the status are the same.
TEST_F(Residue, NothingOfADecapsulation)
{
    for (unsigned set : core_set_indices) {
        const Words one = requests.decaps(set);
        const Words other = requests.other_secrets(one);
        EXPECT_EQ(differences(after(one).first, after(other).first), none) << "set " << set;
    }
}

// Another ct besides; and one that the key accepts. Only the place where the core leaves a ct may differ.
TEST_F(Residue, NothingOfARejection)
{
    for (unsigned set : core_set_indices) {
        const Words one = requests.decaps(set);
        const auto other = [&] { return requests.replaced(one, 1 + Requests::dk_words(set), set_of(set).ct); };
        const std::string rejected = after(other()).later;
        std::set<size_t> parts;
        for (int i = 0; scheme::leaves_ct && i < samples; ++i) parts.merge(differences(rejected, after(other()).later));
        std::set<size_t> found;
        for (size_t at : differences(after(one).later, rejected))
            if (parts.count(at) == 0) found.insert(at);
        EXPECT_EQ(found, none) << "set " << set;
    }
}

// A key that is refused is as secret as another.
TEST_F(Residue, NothingOfARefusedKey)
{
    size_t checked = 0;
    for (const CoreSet &set : core_sets) {
        if (!set.checks_keys) continue;
        ++checked;
        const Words one = requests.replaced(requests.decaps(set.index), 1 + set.dk - 8, 1);
        const Words other = requests.other_secrets(one);
        EXPECT_EQ(differences(after(one, BadDk).first, after(other, BadDk).first), none) << "set " << set.index;
    }
    if (checked == 0) GTEST_SKIP() << "no set of this core refuses keys";
}

// Requests that end too early or too late: their seeds, coins, s and z.
TEST_F(Residue, NothingOfAWrongLength)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            const Words good = requests.any(operation, set);
            const size_t end = good.size(), dk = Requests::dk_words(set);
            for (size_t words : {size_t{3}, size_t{7}, end - 1, end + 1, end + 8}) {
                Words one = good;
                one.resize(words, requests.random());
                Words other = one;
                for (size_t w = 1; w < words; ++w)
                    if (operation == Keygen || w >= end || (operation == Encaps && w > set_of(set).ek) ||
                        (operation == Decaps && (w <= Requests::ek_at(set) || (w > dk - 4 && w <= dk))))
                        other[w] = requests.random();
                EXPECT_EQ(differences(after(one, BadLength).first, after(other, BadLength).first), none)
                    << "set " << set << " operation " << operation << " words " << words;
            }
        }
}

// Another m for the same ek. Two ek differ in their matrix and t; a key pair leaves no more. Matrices that
// take different times leave different counts.
TEST_F(Residue, NothingButPublicParts)
{
    for (unsigned set : core_set_indices) {
        std::set<size_t> parts;
        States last;
        for (int i = 0; i < samples; ++i) {
            const Words one = requests.encaps(set);
            const Words other = requests.other_secrets(one);
            const States states = after(one);
            EXPECT_EQ(differences(states.later, after(other).later), none) << "set " << set;
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
        EXPECT_EQ(more, none) << "set " << set;
    }
}

// When the response has passed, s is gone in both forms, or a few edges later. d and z are not yet.
TEST_F(Residue, NothingOfAKeyPairThatHasBeenSent)
{
    for (unsigned set : core_set_indices) {
        const KeyPair one(requests.keygen(set));
        const uint64_t stays = scheme::s_stays(CORE_FURTHER, set_of(set));
        const std::string state = sights({one.request}, stays, step()).front().state;
        EXPECT_FALSE(one.leaves_s(state)) << "set " << set;
    }
}

// The next operation begins when the secrets of the one before are overwritten: from then on nothing that it does meets one.
// Other secrets are as above: another z, m, or s and z.
TEST_F(Residue, NothingDuringTheNextRequest)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned next : {Keygen, Encaps, Decaps}) {
                const Words one = requests.any(operation, set), second = requests.any(next, set);
                const Words other = requests.other_secrets(one);
                const Words seen = public_words(one);
                const uint64_t begin = next_begins(one);
                const auto some = sights({one, second}, begin, step()), others = sights({other, second}, begin, step());
                ASSERT_EQ(some.size(), others.size());
                for (size_t i = 0; i < some.size() && !HasFailure(); ++i) {
                    const std::string &state = some[i].state;
                    EXPECT_LE(secret(differences(state, others[i].state), state, seen).size(), comparison)
                        << "set " << set << " operations " << operation << ' ' << next << " edge " << some[i].since;
                }
            }
}

// Of d and what grows from it: no word of d, z and s, no pair of s in the banks, and no difference but in public words, and
// where the matrix and t of an encapsulation lie too.
TEST_F(Residue, NothingOfAKeyPairDuringTheNextRequest)
{
    for (unsigned set : core_set_indices) {
        const std::set<size_t> parts = public_parts(set);
        const KeyPair one(requests.keygen(set)), other(equally_long(one.request));
        const uint64_t begin = next_begins(one.request);
        for (unsigned next : {0u, 1u * Keygen, 1u * Encaps, 1u * Decaps}) {
            std::vector<Words> queue = {one.request}, others = {other.request};
            if (next != 0) {
                queue.push_back(requests.any(next, set));
                others.push_back(queue.back());
            }
            const auto some = sights(queue, begin, step()), more = sights(others, begin, step());
            for (size_t i = 0; i < some.size() && !HasFailure(); ++i) {
                const std::string &state = some[i].state;
                EXPECT_FALSE(one.leaves_any(state));
                std::set<size_t> found;
                for (size_t at : secret(differences(state, more.at(i).state), state, public_words(one.request)))
                    if (parts.count(at) == 0) found.insert(at);
                EXPECT_LE(found.size(), comparison);
                if (HasFailure())
                    ADD_FAILURE() << "set " << set << ", then operation " << next << ", edge " << some[i].since;
            }
        }
    }
}

// Reset or zeroised at any edge: by the end of busy_o nothing is left. Other s and z as above, another m; of a key
// generation another z, and no word of its seeds and its s.
TEST_F(Residue, NothingOfWhatWasForgotten)
{
    const unsigned step = std::getenv("LATKEM_HW_LONG") != nullptr ? 97 : 499;
    unsigned begin = 1;
    for (unsigned set : core_set_indices) {
        const unsigned end = scheme::limits.at(set_of(set).name)[2] + 120;
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned at = begin; at < end; at += step)
                for (bool zeroize : {false, true}) {
                    const Words one = requests.any(operation, set);
                    const std::string state = forgotten(one, at, zeroize);
                    EXPECT_EQ(differences(state, forgotten(requests.other_secrets(one), at, zeroize)), none)
                        << "set " << set << " operation " << operation << " at " << at << (zeroize ? ", zeroised" : "");
                    if (operation == Keygen) {
                        EXPECT_FALSE(KeyPair(one).leaves_any(state))
                            << "set " << set << " at " << at << (zeroize ? ", zeroised" : "");
                    }
                }
        begin += 37;
    }
}

// The comparison sees secrets that are there: two seeds in the middle of an operation.
TEST_F(Residue, IsSeen)
{
    std::string states[2];
    for (auto &state : states) {
        Core<Vcore> core;
        Words request = requests.keygen(core_set_indices[0]);
        request[0] = command_word(Keygen, core_set_indices[0]);
        core.begin(request, request.size() + 8);
        state = state_of(*core.model);
    }
    EXPECT_GT(differences(states[0], states[1]).size(), 100u);
}

// s is found where it is: in the banks when half of a key generation is done, if it has polynomials that lie there, and in
// the memory of words when it is encoded.
TEST_F(Residue, IsSeenInBothForms)
{
    for (unsigned set : core_set_indices) {
        const KeyPair one(requests.keygen(set));
        Core<Vcore> core;
        idle(core);
        bool in_words = false, in_unit = set_of(set).rank == 0;
        core.watch = [&] {
            if (core.edges % 20 != 0) return;
            const std::string state = state_of(*core.model);
            in_words |= one.words.held_in(state) > 0;
            in_unit |= one.banks.held_in(state) > 0;
        };
        core.run(one.request);
        EXPECT_TRUE(in_words && in_unit) << "set " << set;
    }
}

} // namespace
