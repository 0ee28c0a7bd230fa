// The core against liblatkem. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "Vcore.h"
#include "core/requests.h"
#include "core/state.h"
#include "temporaries.h"

namespace
{

bool long_form()
{
    return std::getenv("LATKEM_HW_LONG") != nullptr;
}
const char *golden_name(unsigned set)
{
    return latkem_kem_name(golden_set(set));
}

class WholeCore : public testing::Test
{
  protected:
    Words request(unsigned operation, unsigned set)
    {
        return requests.any(operation, set);
    }

    Core<Vcore> core;
    Requests requests;
};

} // namespace

const char *const operations[] = {"", "keygen", "encaps", "decaps"};

TEST_F(WholeCore, AnswersAsLiblatkemDoes)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (int i = 0; i < (long_form() ? 300 : 12); ++i) {
                const Words words = request(operation, set);
                ASSERT_EQ(core.run(words).words, golden_response(words))
                    << golden_name(set) << " " << operations[operation];
            }
}

TEST_F(WholeCore, KeepsToItsCycles)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            std::vector<Words> queue;
            while (queue.size() < 3) {
                const Words words = request(operation, set);
                if (scheme::further_blocks(words) == 0) queue.push_back(words);
            }
            const auto queued = core.run(queue);
            ASSERT_EQ(queued.size(), 3u);
            const uint64_t latency = queued[0].latency(), interval = queued[1].command - queued[0].command;
            const unsigned limit = scheme::limits.at(golden_name(set))[operation - 1];
            EXPECT_LE(latency, limit) << golden_name(set) << " " << operations[operation];
            EXPECT_LE(interval, limit * 11 / 10) << golden_name(set) << " " << operations[operation];
            EXPECT_EQ(queued[1].latency(), latency);
            EXPECT_EQ(queued[2].latency(), latency);
            EXPECT_EQ(queued[2].command - queued[1].command, interval);
            printf("{\"set\": \"%s\", \"operation\": \"%s\", \"cycles\": %u, \"interval\": %u}\n", golden_name(set),
                   operations[operation], static_cast<unsigned>(latency), static_cast<unsigned>(interval));
        }
}

// Equal for every request without further blocks; at most 64 cycles more for each of them.
TEST_F(WholeCore, TakesTheTimeOfItsBlocks)
{
    unsigned most = 0;
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            uint64_t usual = 0;
            for (int i = 0; i < (long_form() ? 400 : 25); ++i) {
                const Words words = request(operation, set);
                const unsigned further = scheme::further_blocks(words);
                if (further > 0 && usual == 0) continue;
                const uint64_t latency = core.run(words).latency();
                if (usual == 0) usual = latency;
                EXPECT_GE(latency, usual) << golden_name(set) << " " << operations[operation];
                EXPECT_LE(latency, usual + 64 * further) << golden_name(set) << " " << operations[operation];
                most = std::max(most, further);
            }
        }
    EXPECT_EQ(most >= 2, scheme::has_further_blocks);
}

// Every edge of ready, valid and busy is the same whatever the secrets are.
TEST_F(WholeCore, TracesAreEqualOverSecrets)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            Words words = request(operation, set);
            std::vector<uint8_t> first;
            for (int i = 0; i < 5; ++i) {
                if (i > 0) words = requests.other_secrets(words);
                if (i > 1 && operation == Decaps)
                    words = requests.replaced(words, 1 + Requests::dk_words(set), set_of(set).ct);
                core.tracing = true;
                core.trace.clear();
                ASSERT_EQ(core.run(words).words, golden_response(words));
                core.tracing = false;
                if (first.empty()) first = core.trace;
                ASSERT_EQ(core.trace, first) << golden_name(set) << " " << operations[operation] << " " << i;
            }
        }
}

TEST_F(WholeCore, RejectsAlteredCiphertexts)
{
    for (unsigned set : core_set_indices) {
        const Words words = request(Decaps, set);
        const size_t ct = 1 + Requests::dk_words(set), step = long_form() ? 1 : 17;
        const Words good = golden_response(words);
        for (size_t w = ct; w < words.size(); w += w + 1 == words.size() ? 1 : std::min(step, words.size() - 1 - w)) {
            Words altered = words;
            const size_t left = latkem_ct_bytes(golden_set(set)) - 8 * (w - ct); // what is behind it is padding
            altered[w] ^= uint64_t{1} << requests.random() % (8 * std::min<size_t>(8, left));
            const Response response = core.run(altered);
            ASSERT_EQ(response.words, golden_response(altered)) << golden_name(set) << " word " << w;
            ASSERT_NE(response.words, good);
        }
    }
}

TEST_F(WholeCore, RefusesCommands)
{
    const Words good = request(Encaps, core_set_indices[0]);
    for (unsigned operation = 0; operation < 16; ++operation)
        for (unsigned set = 0; set < 256; set += set < 16 ? 1 : 23) {
            const Words words = {command_word(operation, set, 0xabcd), 1, 2, 3};
            EXPECT_EQ(core.run(words).words, golden_response(words)) << operation << " " << set;
        }
    for (unsigned bit = 4; bit < 64; ++bit) {
        Words words = good;
        words[0] ^= uint64_t{1} << bit;
        EXPECT_EQ(core.run(words).words, golden_response(words)) << "bit " << bit;
    }
    EXPECT_EQ(core.run(good).words, golden_response(good));
}

TEST_F(WholeCore, RefusesLengths)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            const Words good = request(operation, set);
            const size_t step = long_form() || operation == Keygen ? 1 : 29;
            for (size_t length = 1; length <= good.size() + 8; length += length + 9 > good.size() ? 1 : step) {
                Words words = good;
                words.resize(length, 0x5555);
                ASSERT_EQ(core.run(words).words, golden_response(words))
                    << golden_name(set) << " " << operations[operation] << " " << length;
            }
            // As long again as the counter of words, and longer
            for (size_t length : {good.size() + 1024, size_t{5000}}) {
                Words words = good;
                words.resize(length, 0x5555);
                EXPECT_EQ(core.run(words).words, golden_response(words)) << length;
            }
            EXPECT_EQ(core.run(good).words, golden_response(good));
        }
}

// Of two errors the lower code; and neither is there in the next answer.
TEST_F(WholeCore, ReportsTheLowestStatus)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Encaps, Decaps})
            for (bool late : {false, true}) {
                const Words good = request(operation, set);
                Words words = good;
                if (operation == Encaps)
                    words[1] |= 0xfff;
                else
                    words[1 + Requests::dk_words(set) - 8] ^= 1;
                words.resize(words.size() + (late ? 1 : -1));
                const Response response = core.run(words);
                EXPECT_EQ(response.status(), BadLength);
                EXPECT_EQ(response.words, golden_response(words));
                EXPECT_EQ(core.run(good).words, golden_response(good));
            }
}

TEST_F(WholeCore, TakesRequestsInAnyOrder)
{
    std::vector<Words> queue;
    const unsigned kinds = 3 * std::size(core_set_indices);
    for (unsigned first = 0; first < kinds; ++first)
        for (unsigned second = 0; second < kinds; second += long_form() ? 1 : 5) {
            queue.push_back(request(first % 3 + 1, core_set_indices[first / 3]));
            queue.push_back(request(second % 3 + 1, core_set_indices[second / 3]));
        }
    queue.insert(queue.begin() + 5, {command_word(Encaps, core_set_indices[0])});
    const auto responses = core.run(queue, 100, 100, 4000000);
    ASSERT_EQ(responses.size(), queue.size());
    for (size_t i = 0; i < queue.size(); ++i) ASSERT_EQ(responses[i].words, golden_response(queue[i])) << i;
}

TEST_F(WholeCore, PausesChangeNothing)
{
    for (auto [in, out] : {std::pair{50u, 100u}, {100u, 50u}, {30u, 30u}, {5u, 100u}, {100u, 5u}, {10u, 10u}})
        for (unsigned set : core_set_indices)
            for (unsigned operation : {Keygen, Encaps, Decaps}) {
                const Words words = request(operation, set);
                ASSERT_EQ(core.run(words, in, out).words, golden_response(words))
                    << golden_name(set) << " " << operations[operation] << " " << in << " " << out;
            }
}

// Reset or zeroised in any phase, the core forgets the operation and does the next one right. The streams go on, so that
// the edge may be one at which a beat passes.
TEST_F(WholeCore, ForgetsAtAnyTime)
{
    const size_t sets = std::size(core_set_indices);
    for (size_t i = 0; i < sets; i += 2)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned at = 1, step = long_form() ? 97 : 419; at < 3000; at += step)
                for (bool zeroize : {false, true}) {
                    core.begin(request(operation, core_set_indices[i]), at);
                    core.interrupt(zeroize, at % 3 + 1);
                    const Words next = request(at % 3 + 1, core_set_indices[(i + at) % sets]);
                    ASSERT_EQ(core.run(next).words, golden_response(next))
                        << operations[operation] << " at " << at << (zeroize ? ", zeroised" : ", reset");
                }
}

// After an operation the whole state of the simulation holds no piece of its secrets.
TEST_F(WholeCore, LeavesNoSecrets)
{
    LATKEM_NEEDS_STATE();
    const auto add = [](Pieces &pieces, const Words &from, size_t at, size_t count) {
        if (count > 0) pieces.add(&from.at(at), 8 * count, 8, 8);
    };
    const auto add_dk = [&](Pieces &pieces, const Words &from, size_t at, const CoreSet &set) {
        pieces.add(&from.at(at), 8 * set.secret, scheme::secret_piece, 8);
        add(pieces, from, at + set.secret, set.dk - set.secret);
    };
    for (const CoreSet &set : core_sets)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (bool refused : {false, true}) {
                Words words = request(operation, set.index);
                if (refused) words.push_back(0);
                const Words answer = golden_response(words);
                Pieces secret;
                if (operation == Keygen) add(secret, words, 1, set.keygen);
                if (operation == Encaps) add(secret, words, 1 + set.ek, set.encaps - set.ek);
                if (operation == Decaps) add_dk(secret, words, 1, set);
                if (!refused && operation == Keygen) add_dk(secret, answer, set.pair ? 1 + set.ek : 1, set);
                if (!refused && operation != Keygen) add(secret, answer, answer.size() - 4, 4);
                const Response response = core.run(words);
                ASSERT_EQ(response.words, answer);
                EXPECT_EQ(secret.held_in(state_of(*core.model)), 0u)
                    << set.name << " " << operations[operation] << (refused ? ", refused" : "");
            }
    // The search finds what is there: the request's last words in the middle of an operation.
    Pieces coins;
    const Words words = request(Encaps, core_set_indices[0]);
    add(coins, words, words.size() - 4, 4);
    size_t held = 0;
    core.watch = [&] {
        if (core.edges % 16 == 0) held = std::max(held, coins.held_in(state_of(*core.model)));
    };
    core.run(words);
    EXPECT_EQ(held, 4u);
}
