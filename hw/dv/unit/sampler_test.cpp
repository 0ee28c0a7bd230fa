// The rejection sampler of ML-KEM alone. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "Vlatkem_mlkem_sampler.h"
#include "bench.h"

static constexpr unsigned q = 3329;

// Streams that no hash gives: how many candidates are below q, and where the 256th lies.
TEST(Sampler, CraftedStreams)
{
    Bench<Vlatkem_mlkem_sampler> bench;
    auto &m = *bench.model;
    m.clear_i = m.valid_i = 0;
    bench.reset();
    for (unsigned pattern = 0; pattern < 300; ++pattern) {
        // Candidates: all good; all bad for some blocks; the last ones placed at random.
        std::vector<unsigned> candidates;
        const unsigned bad_blocks = pattern % 4, percent = pattern < 20 ? 100 : 30 + bench.random() % 70;
        for (unsigned i = 0; i < 112 * bad_blocks; ++i) candidates.push_back(i % 2 ? 4095 : q);
        std::array<int, 256> expected;
        size_t good = 0;
        while (good < 256 || candidates.size() % 112 != 0) {
            const bool accepted = pattern % 5 == 0 ? candidates.size() % 2 == pattern % 2 || good < 255
                                                   : bench.chance(percent);
            candidates.push_back(static_cast<unsigned>(accepted ? (bench.chance(10) ? q - 1 : bench.random() % q)
                                                                : q + bench.random() % (4096 - q)));
            if (candidates.back() < q && good < 256) expected[good++] = static_cast<int>(candidates.back());
        }
        std::array<int, 256> got{};
        int writes = 0;
        const auto collect = [&] {
            m.eval();
            if (m.we_o) {
                ++writes;
                for (unsigned j = 0; j < 96; ++j)
                    got[(m.waddr_o & 31) * 8 + j / 12] |= (m.wdata_o[j / 32] >> j % 32 & 1) << j % 12;
                EXPECT_EQ(m.waddr_o >> 5, pattern % 16);
            }
        };
        const size_t words = candidates.size() * 12 / 64;
        for (size_t w = 0; w < words; ++w) {
            m.valid_i = 1;
            m.first_i = w == 0;
            m.block_i = w % 21 == 0;
            m.slot_i = pattern % 16;
            m.word_i = 0;
            for (size_t bit = 0; bit < 64; ++bit) {
                const size_t at = 64 * w + bit;
                m.word_i |= static_cast<uint64_t>(candidates[at / 12] >> at % 12 & 1) << bit;
            }
            collect();
            bench.step();
        }
        m.valid_i = 0;
        for (int i = 0; i < 6; ++i) {
            collect();
            bench.step();
        }
        EXPECT_EQ(writes, 32) << pattern;
        EXPECT_EQ(got, expected) << pattern;
    }
}
