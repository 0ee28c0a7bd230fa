// The way of a request of NTRU through the memory of words. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "Vlatkem_ntru_ring.h"
#include "bench.h"

namespace
{

constexpr unsigned slots = 448, none = 4095; // no word is kept

class NtruRing : public testing::Test
{
  protected:
    NtruRing()
    {
        m.clear_i = m.start_i = m.word_valid_i = m.store_ready_i = m.wanted_i = m.wipe_ready_i = 0;
        bench.reset();
    }

    // In a hundred cycles so many in which each side is ready.
    struct Chances {
        unsigned valid, store, wanted, wipe;
    };

    // Passes so many words, each to the next place; those below `keep` are overwritten.
    void passes(unsigned words, unsigned keep, const Chances &chances)
    {
        std::vector<int> memory(slots, -1); // the word at a place
        unsigned stored = 0, fetched = 0, wiped = 0;
        const unsigned spent = words < keep ? words : keep;
        m.keep_i = keep;
        m.clear_i = 1;
        bench.step();
        m.clear_i = 0;
        for (unsigned cycle = 0; fetched < words || wiped < spent; ++cycle) {
            ASSERT_LT(cycle, 100 * words + 1000) << "stored " << stored << ", fetched " << fetched;
            m.start_i = bench.chance(3);
            m.word_valid_i = stored < words && bench.chance(chances.valid);
            m.store_ready_i = bench.chance(chances.store);
            m.wanted_i = bench.chance(chances.wanted);
            m.wipe_ready_i = bench.chance(chances.wipe);
            m.eval();
            ASSERT_FALSE(m.start_i && (m.word_ready_o || m.store_valid_o));
            ASSERT_FALSE(m.store_valid_o && (m.wipe_valid_o || !m.word_valid_i));
            ASSERT_EQ(m.word_ready_o && m.word_valid_i, m.store_valid_o && m.store_ready_i);
            if (m.fetch_o) {
                ASSERT_TRUE(m.wanted_i && m.raddr_o == fetched % slots);
                ASSERT_EQ(memory[fetched % slots], static_cast<int>(fetched));
                ++fetched;
            }
            if (m.store_valid_o && m.store_ready_i) {
                ASSERT_EQ(m.store_addr_o, stored % slots);
                ASSERT_EQ(memory[stored % slots], -1) << "a word that is not overwritten lies there";
                memory[stored % slots] = static_cast<int>(stored);
                ++stored;
            }
            if (m.wipe_valid_o && m.wipe_ready_i) {
                ASSERT_TRUE(wiped < fetched && wiped < spent);
                ASSERT_EQ(m.wipe_addr_o, wiped % slots);
                memory[wiped % slots] = -1;
                ++wiped;
            }
            bench.step();
        }
        for (int i = 0; i < 5; ++i, bench.step()) ASSERT_FALSE(m.wipe_valid_o);
    }

    Bench<Vlatkem_ntru_ring> bench;
    Vlatkem_ntru_ring &m = *bench.model;
};

const unsigned lengths[] = {1, 5, 447, 448, 449, 642, 1000};

TEST_F(NtruRing, PassesEveryWordOnce)
{
    for (unsigned words : lengths)
        for (unsigned valid : {100u, 40u})
            for (unsigned wanted : {100u, 40u})
                for (unsigned wipe : {100u, 15u}) passes(words, none, {valid, 100, wanted, wipe});
    passes(1000, none, {100, 50, 100, 100});
}

// A full ring with words that are not wanted for long, or an empty one.
TEST_F(NtruRing, WaitsAtEitherEnd)
{
    passes(1000, none, {100, 100, 5, 100});
    passes(1000, none, {100, 100, 100, 5});
    passes(1000, none, {5, 100, 100, 100});
}

TEST_F(NtruRing, KeepsWhatIsKept)
{
    for (unsigned keep : {0u, 1u, 201u, 349u, 446u}) passes(447, keep, {100, 100, 60, 60});
}

} // namespace
