// The sorter of NTRU-HPS's fixed_type: order, timing, residues. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "Vlatkem_ntru_sorter.h"
#include "bench.h"
#include "core/state.h"

namespace
{

using Words = std::vector<int32_t>;
constexpr int32_t lowest = std::numeric_limits<int32_t>::min(), highest = std::numeric_limits<int32_t>::max();

class NtruSorter : public testing::Test
{
  protected:
    struct Sorted {
        std::string tags, trace; // a digit for each word; for each cycle after the first word's whether one comes out
        uint64_t last_in = 0;    // the cycle of the last word
    };

    Bench<Vlatkem_ntru_sorter> bench;
    Vlatkem_ntru_sorter &m = *bench.model;

    void SetUp() override
    {
        m.clear_i = m.wipe_i = m.valid_i = 0;
        m.word_i = m.wipe_addr_i = 0;
        bench.reset();
        const Words words = filled([&](int) { return random(); });
        ASSERT_EQ(sort(words).tags, tags_of(words)) << "after a reset";
        wipe(28);
    }

    // Clears for `before` cycles, then wipes as long as it clears, every address in some order.
    void wipe(unsigned before)
    {
        clear(before);
        m.clear_i = m.wipe_i = 1;
        for (unsigned i = 0; i < 512; ++i) {
            m.wipe_addr_i = i * 5 % 512;
            bench.step();
        }
        m.clear_i = m.wipe_i = 0;
        m.wipe_addr_i = 0;
        steps(8);
    }

    void clear(unsigned cycles)
    {
        m.clear_i = 1;
        steps(cycles);
        m.clear_i = 0;
    }

    void steps(unsigned count)
    {
        for (unsigned i = 0; i < count; ++i) bench.step();
    }

    // The inputs of one cycle; a word without valid_i is noise.
    void put(bool valid, int32_t word)
    {
        m.valid_i = valid;
        m.word_i = static_cast<uint32_t>(word);
        bench.step();
        m.valid_i = 0;
        m.word_i = 0;
    }

    // In as many cycles of a hundred as `density` a word comes.
    Sorted sort(const Words &words, unsigned density = 100)
    {
        Sorted sorted;
        std::mt19937_64 pauses{density};
        for (size_t in = 0; sorted.tags.size() < words.size() && sorted.trace.size() < 100000;) {
            const bool valid = in < words.size() && pauses() % 100 < density;
            sorted.last_in = valid ? sorted.trace.size() : sorted.last_in;
            put(valid, valid ? words[in] : static_cast<int32_t>(0xa5a5a5a5));
            in += valid;
            sorted.trace += m.valid_o ? '1' : '0';
            if (m.valid_o) sorted.tags += static_cast<char>('0' + m.tag_o);
        }
        return sorted;
    }

    static std::string tags_of(Words words)
    {
        std::sort(words.begin(), words.end());
        std::string tags;
        for (int32_t word : words) tags += static_cast<char>('0' + (word & 3));
        return tags;
    }

    // All but the time.
    std::string state()
    {
        m.eval();
        bench.context_.time(0);
        return state_bytes(m);
    }

    int32_t random()
    {
        return static_cast<int32_t>(bench.random());
    }

    Words filled(const std::function<int32_t(int)> &word)
    {
        Words words(COUNT);
        for (int i = 0; i < COUNT; ++i) words[i] = word(i);
        return words;
    }

    // Of every kind, with names that say which one failed.
    std::vector<std::pair<std::string, Words>> kinds()
    {
        std::vector<std::pair<std::string, Words>> all{
            {"random", filled([&](int) { return random(); })},
            {"ascending", filled([](int i) { return lowest + 5 * i; })},
            {"descending", filled([](int i) { return highest - 5 * i; })},
            {"equal", filled([](int) { return -2; })},
            {"extreme", filled([&](int) { return (random() & 1) != 0 ? lowest + (random() & 1) : highest - 2; })},
            {"few", filled([&](int) { return random() % 5; })},
            {"around zero", filled([&](int) { return random() % COUNT; })},
            {"up and down", filled([](int i) { return 3 * std::min(i, COUNT - i) - COUNT; })},
            {"down and up", filled([](int i) { return 3 * std::max(i, COUNT - i) - COUNT; })},
        };
        for (int shift = 1; shift < COUNT; shift += 1 + COUNT / 16)
            all.emplace_back("rotated by " + std::to_string(shift),
                             filled([&](int i) { return (i + shift) % COUNT * 7 - COUNT; }));
        return all;
    }
};

TEST_F(NtruSorter, SortsEveryKind)
{
    for (const auto &[name, words] : kinds()) {
        ASSERT_EQ(sort(words).tags, tags_of(words)) << name;
        ASSERT_EQ(sort(words, 40).tags, tags_of(words)) << name << ", with pauses";
    }
}

// One after the other without a pause: the next sort begins in the cycle behind the last word.
TEST_F(NtruSorter, SortsRandomWords)
{
    for (unsigned i = 0; i < 100; ++i) {
        const Words words = filled([&](int) { return random() >> (i % 30); });
        ASSERT_EQ(sort(words, 100 - i % 90).tags, tags_of(words)) << i;
    }
}

TEST_F(NtruSorter, SortsAllOrdersOfFewWords)
{
    if (COUNT > 6) GTEST_SKIP() << "too many orders";
    for (int values = 1; values <= COUNT; ++values) {
        Words words = filled([&](int i) { return i % values - 2; });
        std::sort(words.begin(), words.end());
        do {
            ASSERT_EQ(sort(words).tags, tags_of(words));
            ASSERT_EQ(sort(words, 50).tags, tags_of(words));
        } while (std::next_permutation(words.begin(), words.end()));
    }
}

TEST_F(NtruSorter, TimeDependsOnValidAlone)
{
    for (unsigned density : {100u, 60u, 7u}) {
        const std::string trace = sort(filled([&](int) { return random(); }), density).trace;
        for (const auto &[name, words] : kinds()) ASSERT_TRUE(sort(words, density).trace == trace) << name;
    }
}

TEST_F(NtruSorter, TakesTheCyclesStated)
{
    const Sorted sorted = sort(filled([&](int) { return random(); }));
    const size_t first_out = sorted.trace.find('1');
    RecordProperty("first_out_after_last_in", static_cast<int>(first_out - sorted.last_in));
    RecordProperty("cycles", static_cast<int>(sorted.trace.size()));
    EXPECT_EQ(sorted.trace.find('0', first_out), std::string::npos) << "words come out one a cycle";
    EXPECT_EQ(sorted.trace.size(), CYCLES);
}

// In the cycle behind the last word the state is that of a sorter which never saw a word but zero.
TEST_F(NtruSorter, HoldsNothingWhenAllIsOut)
{
    LATKEM_NEEDS_STATE();
    sort(Words(COUNT));
    bench.step();
    const std::string empty = state();
    for (unsigned density : {100u, 50u}) {
        for (const auto &[name, words] : kinds()) {
            sort(words, density);
            ASSERT_FALSE(state() == empty) << "the last word shows";
            bench.step();
            ASSERT_TRUE(state() == empty) << name;
        }
    }
}

TEST_F(NtruSorter, ForgetsWhenCleared)
{
    const std::string empty = state();
    const Words words = filled([&](int) { return random(); });
    const Sorted whole = sort(words);
    const auto begin = [&](size_t cycles) {
        for (size_t i = 0; i < cycles; ++i) put(i < words.size(), i < words.size() ? words[i] : 0);
    };
    for (size_t cycles = 1; cycles < whole.trace.size(); cycles += 1 + COUNT / 8) {
        for (bool wiped : {false, true}) {
            begin(cycles);
            wiped ? wipe(cycles % 2 == 0 ? 0 : 28) : clear(28);
            ASSERT_TRUE(!wiped || state() == empty) << cycles;
            const Sorted again = sort(words);
            ASSERT_EQ(again.tags, whole.tags) << cycles;
            ASSERT_TRUE(again.trace == whole.trace) << cycles;
        }
    }
}

// Registers alone: no word has come to a memory.
TEST_F(NtruSorter, ForgetsInOneCycle)
{
    const std::string empty = state();
    for (size_t cycles : {1, 2}) {
        for (size_t i = 0; i < cycles; ++i) put(true, lowest + 1);
        clear(1);
        ASSERT_TRUE(state() == empty) << cycles;
    }
}

} // namespace
