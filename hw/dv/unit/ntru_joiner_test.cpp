// The unit that joins NTRU's groups of coefficients, and words, to words. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "Vlatkem_ntru_joiner.h"
#include "bench.h"
#include "unit/ntru.h"
#include "wide.h"

namespace
{

using Words = std::vector<uint64_t>;
using Written = std::vector<std::pair<unsigned, uint64_t>>; // addresses and words

// Behind `fill` bits the coefficients but for number n - 1, to a whole byte, then words; to a whole word.
Words joined(uint64_t begun, unsigned fill, const Polynomial &a, const Words &behind)
{
    std::vector<bool> bits;
    const auto add = [&](uint64_t value, unsigned count) {
        for (unsigned i = 0; i < count; ++i) bits.push_back((value >> i & 1) != 0);
    };
    add(begun, fill);
    for (unsigned i = 0; i + 1 < n; ++i) add(a[i], log_q);
    while (bits.size() % 8 != 0) bits.push_back(false);
    for (uint64_t word : behind) add(word, 64);
    Words words((bits.size() + 63) / 64);
    for (size_t i = 0; i < bits.size(); ++i) words[i / 64] |= uint64_t{bits[i]} << i % 64;
    return words;
}

class NtruJoiner : public testing::Test
{
  protected:
    NtruJoiner()
    {
        m.clear_i = 0;
        idle();
        bench.reset();
        for (int i = 0; i < 3; ++i) step();
        EXPECT_TRUE(found.empty()) << "after a reset";
    }

    void idle()
    {
        m.begin_i = m.coeffs_valid_i = m.coeffs_last_i = m.word_valid_i = m.flush_i = 0;
        m.addr_i = bench.random() & 511;
        m.fill_i = bench.random() & 63;
        m.begun_i = bench.random();
        m.word_i = bench.random();
        for (unsigned i = 0; i < group_size; ++i) put(m.coeffs_i, log_q, i, bench.random() % q);
    }

    void step()
    {
        bench.step();
        idle();
        if (m.word_valid_o) found.emplace_back(m.word_addr_o, m.word_o);
    }

    void put_group(const Polynomial &a, unsigned group)
    {
        m.coeffs_valid_i = 1;
        m.coeffs_last_i = group + 1 == groups;
        // Behind coefficient n - 1 there are zeros, as regrouping leaves them.
        for (unsigned i = 0; i < group_size; ++i)
            put(m.coeffs_i, log_q, i, group_size * group + i < n ? a[group_size * group + i] : 0);
    }

    void begin(unsigned addr, unsigned fill, uint64_t begun)
    {
        m.begin_i = 1;
        m.addr_i = addr;
        m.fill_i = fill;
        m.begun_i = begun;
        step();
        found.clear();
    }

    // Groups come in every other cycle at most.
    Written join(unsigned addr, unsigned fill, uint64_t begun, const Polynomial &a, const Words &behind,
                 unsigned pauses)
    {
        begin(addr, fill, begun);
        for (unsigned g = 0; g < groups; ++g) {
            put_group(a, g);
            m.flush_i = g + 1 == groups && behind.empty();
            step();
            do step();
            while (bench.chance(pauses));
        }
        for (size_t i = 0; i < behind.size(); ++i) {
            m.word_valid_i = 1;
            m.word_i = behind[i];
            m.flush_i = i + 1 == behind.size();
            step();
        }
        for (int i = 0; i < 4; ++i) step();
        return found;
    }

    void joins(unsigned fill, const Polynomial &a, const Words &behind, unsigned pauses)
    {
        const unsigned addr = bench.random() % 300;
        const uint64_t begun = fill == 0 ? 0 : bench.random() >> (64 - fill);
        const Words want = joined(begun, fill, a, behind);
        const Written written = join(addr, fill, begun, a, behind, pauses);
        ASSERT_EQ(written.size(), want.size());
        for (size_t i = 0; i < want.size(); ++i) {
            ASSERT_EQ(written[i].first, addr + i);
            ASSERT_EQ(written[i].second, want[i]) << "word " << i << " behind " << fill << " bits";
        }
    }

    Polynomial random()
    {
        Polynomial a(n);
        for (unsigned &value : a) value = bench.random() % q;
        return a;
    }

    Bench<Vlatkem_ntru_joiner> bench;
    Vlatkem_ntru_joiner &m = *bench.model;
    Written found;
};

TEST_F(NtruJoiner, JoinsBehindAnyByte)
{
    for (unsigned pauses : {0u, 50u})
        for (unsigned fill = 0; fill < 64; fill += 8) {
            joins(fill, random(), {}, pauses);
            joins(fill, random(), {bench.random(), bench.random(), bench.random(), bench.random()}, pauses);
            joins(fill, random(), {0, ~uint64_t{0}, 0, ~uint64_t{0}}, pauses);
        }
}

TEST_F(NtruJoiner, JoinsExtremes)
{
    for (unsigned value : extremes)
        for (unsigned fill : {0u, 32u}) joins(fill, Polynomial(n, value), {}, 0);
    for (unsigned at : {0u, 4u, 5u, n - 3, n - 2, n - 1}) joins(0, single(at, q - 1), {~uint64_t{0}}, 0);
}

TEST_F(NtruJoiner, ForgetsWhenCleared)
{
    for (unsigned count : {1u, 2u, 7u, groups}) {
        begin(7, 24, 0xffffff);
        for (unsigned g = 0; g < count; ++g) {
            put_group(random(), g);
            step();
            step();
        }
        m.clear_i = 1;
        step();
        m.clear_i = 0;
        found.clear();
        for (int i = 0; i < 4; ++i) {
            m.flush_i = 1;
            step();
        }
        ASSERT_TRUE(found.empty() && m.word_o == 0);
        m.clear_i = 1;
        step();
        m.clear_i = 0;
        joins(8, random(), {}, 0);
    }
}

} // namespace
