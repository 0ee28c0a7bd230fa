// The unit that makes groups of NTRU's elements. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "Vlatkem_ntru_regroup.h"
#include "bench.h"
#include "wide.h"

namespace
{

constexpr unsigned elements = ELEMENTS, streams = STREAMS, width = 13, group_size = 5;
constexpr unsigned groups = (elements + group_size - 1) / group_size;
// With two streams the first element that comes is none, because the number of elements is odd.
constexpr bool skips = elements % streams != 0;

class NtruRegroup : public testing::Test
{
  protected:
    NtruRegroup()
    {
        m.clear_i = m.begin_i = m.valid_i = m.skip_i = 0;
        bench.reset();
        for (int i = 0; i < 3; ++i, bench.step()) EXPECT_FALSE(m.group_valid_o) << "after a reset";
    }

    unsigned random()
    {
        return bench.random() % (1u << width);
    }

    void begin()
    {
        m.begin_i = 1;
        bench.step();
        m.begin_i = 0;
    }

    void regroups(unsigned pauses)
    {
        std::vector<unsigned> all(groups * group_size), found;
        for (unsigned i = 0; i < elements; ++i) all[i] = random();
        begin();
        unsigned at = 0, number = 0;
        for (unsigned cycle = 0; cycle < elements * 20 + 20 && number < groups; ++cycle) {
            m.valid_i = at < elements && !bench.chance(pauses);
            m.skip_i = skips && at == 0;
            for (unsigned i = 0; i < streams; ++i) {
                const bool none = !m.valid_i || (m.skip_i && i == 0);
                put(m.elements_i, width, i, none ? random() : all[at++]);
            }
            bench.step();
            if (!m.group_valid_o) continue;
            ASSERT_EQ(m.group_number_o, number++);
            ASSERT_EQ(m.group_last_o, number == groups);
            for (unsigned i = 0; i < group_size; ++i) found.push_back(get(m.group_o, width, i));
        }
        m.valid_i = 0;
        for (int i = 0; i < 9; ++i) {
            bench.step();
            ASSERT_FALSE(m.group_valid_o) << "behind the last group";
        }
        ASSERT_EQ(found, all);
    }

    Bench<Vlatkem_ntru_regroup> bench;
    Vlatkem_ntru_regroup &m = *bench.model;
};

TEST_F(NtruRegroup, MakesGroups)
{
    for (unsigned pauses : {0u, 20u, 50u, 90u, 0u}) regroups(pauses);
}

TEST_F(NtruRegroup, BeginsAnewWhenCleared)
{
    for (unsigned cycles = 1; cycles < 12; ++cycles) {
        begin();
        m.valid_i = 1;
        for (unsigned i = 0; i < cycles; ++i) bench.step();
        m.valid_i = 0;
        m.clear_i = 1;
        bench.step();
        m.clear_i = 0;
        for (unsigned i = 0; i < group_size; ++i) EXPECT_EQ(get(m.group_o, width, i), 0u);
        for (int i = 0; i < 5; ++i) {
            EXPECT_FALSE(m.group_valid_o);
            bench.step();
        }
        regroups(30);
    }
}

} // namespace
