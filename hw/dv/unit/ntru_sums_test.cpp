// Sums over the trits of NTRU-HRSS. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "Vlatkem_ntru_sums.h"
#include "bench.h"
#include "wide.h"

namespace
{

constexpr unsigned n = 701, group_size = 5;
using Trits = std::vector<unsigned>; // n - 1

class NtruSums : public testing::Test
{
  protected:
    NtruSums()
    {
        m.valid_i = 0;
        m.clear_i = 1;
        bench.step();
        m.clear_i = 0;
        EXPECT_TRUE(m.sum_o == 0 && m.negative_o == 0);
    }

    void sums(bool index, const Trits &trits, unsigned pauses)
    {
        for (unsigned g = 0; g < trits.size() / group_size; ++g) {
            for (m.valid_i = 0; bench.chance(pauses);) bench.step();
            m.valid_i = 1;
            m.index_i = index;
            m.group_i = g;
            for (unsigned i = 0; i < group_size; ++i) put(m.trits_i, 2, i, trits[group_size * g + i]);
            bench.step();
        }
        m.valid_i = 0;
        bench.step();
        int products = 0;
        unsigned sum = 0;
        for (size_t i = 0; i < trits.size(); ++i) {
            const auto value = [&](size_t at) { return trits[at] == 2 ? -1 : static_cast<int>(trits[at]); };
            if (i != 0) products += value(i - 1) * value(i);
            sum += trits[i];
        }
        if (index) ASSERT_EQ(m.sum_o, sum % 3);
        ASSERT_EQ(m.negative_o >> index & 1, products < 0 ? 1 : 0) << products;
    }

    Trits filled(unsigned even, unsigned odd)
    {
        Trits trits(n - 1);
        for (size_t i = 0; i < trits.size(); ++i) trits[i] = i % 2 != 0 ? odd : even;
        return trits;
    }

    Bench<Vlatkem_ntru_sums> bench;
    Vlatkem_ntru_sums &m = *bench.model;
};

TEST_F(NtruSums, AreThoseOfRandomTrits)
{
    for (unsigned i = 0; i < 400; ++i) {
        Trits trits(n - 1);
        for (unsigned &trit : trits) trit = i % 4 == 0 || bench.chance(30) ? bench.random() % 3 : 0;
        sums(i % 2 != 0, trits, i % 3 * 30);
    }
}

// From -699 to 699, and none.
TEST_F(NtruSums, AreThoseOfExtremes)
{
    for (bool index : {true, false, true})
        for (unsigned even = 0; even < 3; ++even)
            for (unsigned odd = 0; odd < 3; ++odd) sums(index, filled(even, odd), 0);
    for (size_t at = 0; at + 1 < n - 1; at += 3)
        for (unsigned other : {1u, 2u}) {
            Trits trits(n - 1);
            trits[at] = 1;
            trits[at + 1] = other;
            sums(at % 2 != 0, trits, 0);
        }
}

} // namespace
