// The banks of NTRU's polynomials, read as groups and as elements. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "Vlatkem_ntru_feeder.h"
#include "bench.h"
#include "unit/ntru.h"
#include "wide.h"

namespace
{

constexpr unsigned streams = STREAMS;
enum Bank : unsigned { F, G, A, V };

class NtruFeeder : public testing::Test
{
  protected:
    struct Row {
        unsigned number;
        bool last;
        std::array<unsigned, group_size> values;

        bool operator==(const Row &other) const
        {
            return number == other.number && last == other.last && values == other.values;
        }
    };

    NtruFeeder()
    {
        m.clear_i = m.wipe_i = m.wipe_addr_i = m.trits_we_i = m.coeffs_we_i = m.whole_i = m.negate_i = 0;
        m.start_i = m.bank_i = m.raw_i = m.down_i = m.beside_i = m.further_i = m.elements_take_i = 0;
        bench.reset();
        for (int i = 0; i < 4; ++i, step()) EXPECT_FALSE(m.group_valid_o || m.elements_valid_o) << "after a reset";
        for (unsigned bank : {F, G, A, V}) {
            kept[bank].resize(groups * group_size);
            for (unsigned g = 0; g < groups; ++g) write(bank, g);
        }
        m.whole_i = 3;
    }

    void step()
    {
        bench.step();
        m.start_i = m.trits_we_i = m.coeffs_we_i = 0;
    }

    // Of trits noise behind the coefficients that they have; of coefficients zeros, as regrouping leaves them.
    void put_group(unsigned bank, unsigned group)
    {
        const bool trits = bank <= G;
        (trits ? m.trits_we_i : m.coeffs_we_i) = 1 << bank % 2;
        (trits ? m.trits_group_i : m.coeffs_group_i) = group;
        for (unsigned i = 0; i < group_size; ++i) {
            const unsigned at = group_size * group + i;
            const unsigned value = trits ? bench.random() % 3 : at < n ? value_at(at) : 0;
            kept[bank][at] = trits ? (at < n - 1 ? (value == 2 ? q - 1 : value) : 0) : value;
            trits ? put(m.trits_i, 2, i, value) : put(m.coeffs_i, log_q, i, value);
        }
    }

    void write(unsigned bank, unsigned group)
    {
        put_group(bank, group);
        step();
    }

    unsigned value_at(unsigned at)
    {
        return at == 0 || at == n - 1 ? q - 1 : bench.random() % q;
    }

    void start(unsigned bank, bool raw, bool down, bool beside, unsigned further)
    {
        m.start_i = 1;
        m.bank_i = bank;
        m.raw_i = raw;
        m.down_i = down;
        m.beside_i = beside;
        m.further_i = further;
        step();
    }

    // The output of a bank: coefficients with an even index less than zero where it is negated.
    unsigned given(unsigned bank, unsigned at)
    {
        const unsigned value = kept[bank][at];
        return bank <= G && (m.negate_i >> bank & 1) != 0 && at % 2 == 0 ? -value % q : value;
    }

    std::vector<Row> whole_groups(unsigned bank, bool down)
    {
        std::vector<Row> found;
        start(bank, true, down, false, 0);
        for (unsigned cycle = 0; cycle < groups + 10; ++cycle) {
            if (m.group_valid_o) {
                found.push_back({m.group_number_o, m.group_last_o != 0, {}});
                for (unsigned i = 0; i < group_size; ++i) found.back().values[i] = get(m.group_o, log_q, i);
            }
            EXPECT_FALSE(m.elements_valid_o);
            step();
        }
        return found;
    }

    // Takes so many elements; after each step `then` may write.
    void gives(
        unsigned bank, bool beside, unsigned passes, unsigned pauses, const std::function<void()> &then = [] {})
    {
        start(bank, false, false, beside, passes - 1);
        then();
        const unsigned places = beside ? n + 1 : (n + streams - 1) / streams * streams;
        for (unsigned pass = 0; pass < passes; ++pass)
            for (unsigned at = 0; at < places; at += streams) {
                unsigned cycles = 0;
                for (; !m.elements_valid_o || bench.chance(pauses); then(), ++cycles) {
                    ASSERT_LT(cycles, 10000u) << "no elements";
                    step();
                }
                for (unsigned i = 0; i < streams; ++i) {
                    const int place = static_cast<int>(at + i) - (beside ? 1 : 0);
                    const unsigned want = place < 0 || place >= static_cast<int>(n) ? 0 : given(bank, place);
                    ASSERT_EQ(get(m.elements_o, log_q, i), want) << "pass " << pass << ", place " << place;
                }
                ASSERT_TRUE(beside || (m.elements_last_o != 0) == (at + streams >= n)) << at;
                m.elements_take_i = 1;
                step();
                m.elements_take_i = 0;
                then();
            }
        for (int i = 0; i < 8 && !beside; ++i, step()) ASSERT_FALSE(m.elements_valid_o) << "behind the last pass";
    }

    void clear()
    {
        m.clear_i = 1;
        step();
        m.clear_i = 0;
    }

    Bench<Vlatkem_ntru_feeder> bench;
    Vlatkem_ntru_feeder &m = *bench.model;
    std::array<Polynomial, 4> kept;
};

TEST_F(NtruFeeder, GivesWholeGroups)
{
    for (unsigned negate = 0; negate < 4; ++negate)
        for (unsigned bank : {F, G, A, V})
            for (bool down : {false, true}) {
                m.negate_i = negate;
                std::vector<Row> want;
                for (unsigned at = 0; at < groups; ++at) {
                    want.push_back({down ? groups - 1 - at : at, at + 1 == groups, {}});
                    for (unsigned i = 0; i < group_size; ++i)
                        want.back().values[i] = given(bank, group_size * want.back().number + i);
                }
                ASSERT_TRUE(whole_groups(bank, down) == want) << "bank " << bank << ", down " << down;
            }
}

TEST_F(NtruFeeder, GivesElements)
{
    for (unsigned pauses : {0u, 50u, 90u})
        for (unsigned bank : {F, G, A, V}) {
            m.negate_i = bench.random() & 3;
            for (unsigned passes : {1u, 2u, 4u, full + 1}) gives(bank, false, passes, pauses);
            gives(bank, true, 1, pauses);
            clear();
        }
}

// Trits are read while they are written, and wait for what has not been.
TEST_F(NtruFeeder, WaitsForTritsToBeWritten)
{
    for (unsigned bank : {F, G})
        for (unsigned chance : {5u, 30u, 100u}) {
            clear();
            m.whole_i = 3 & ~(1u << bank);
            m.negate_i = 0;
            unsigned group = 0;
            gives(bank, false, 2, 10, [&] {
                if (group == packed_groups) m.whole_i = 3;
                if (group < packed_groups && bench.chance(chance)) put_group(bank, group++);
            });
            ASSERT_EQ(group, packed_groups);
        }
}

TEST_F(NtruFeeder, IsWiped)
{
    m.wipe_i = 1;
    for (unsigned addr = 0; addr < 256; ++addr) {
        m.wipe_addr_i = addr;
        step();
    }
    m.wipe_i = 0;
    for (auto &bank : kept) bank.assign(groups * group_size, 0);
    for (unsigned bank : {F, G, A, V}) gives(bank, false, 1, 0);
}

TEST_F(NtruFeeder, BeginsAnewWhenCleared)
{
    for (unsigned cycles : {1u, 2u, 3u, 20u})
        for (bool raw : {false, true}) {
            start(A, raw, false, false, full);
            for (unsigned i = 0; i < cycles; ++i) step();
            clear();
            for (int i = 0; i < 4; ++i, step()) EXPECT_FALSE(m.group_valid_o || m.elements_valid_o);
            gives(V, false, 1, 0);
        }
}

} // namespace
