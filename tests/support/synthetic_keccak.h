// Keccak's kernels for any number of lanes, by the definition. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_SYNTHETIC_KECCAK_H
#define LATKEM_TESTS_SYNTHETIC_KECCAK_H

#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "harness/kernels/internals.h"
#include "harness/model/keccak_f.h"

// The number of lanes in use at each permutation since it was last cleared.
inline std::vector<size_t> used_lanes;

// Kernels of L lanes by the definition. They spoil what the contract lets them spoil, and check what it promises them.
template <size_t L> struct Synthetic {
    static size_t permute(uint64_t *states, size_t used)
    {
        EXPECT_EQ(reinterpret_cast<uintptr_t>(states) % LK_ALIGN, 0u);
        EXPECT_TRUE(used >= 1 && used <= L) << used;
        used_lanes.push_back(used);
        for (size_t l = 0; l < L; l++) {
            KeccakState a;
            for (size_t w = 0; w < 25; w++) a[w] = states[w * L + l];
            a = keccak_f(a);
            if (l >= used) a.fill(0xdeadbeefdeadbeef);
            for (size_t w = 0; w < 25; w++) states[w * L + l] = a[w];
        }
        return used;
    }

    static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t *seed, const uint64_t *ends, size_t last)
    {
        EXPECT_TRUE(in != 0 && in >> L == 0) << in;
        EXPECT_TRUE(last == 16 || last == 20) << last;
        for (size_t l = 0; l < L; l++) {
            if (!(in >> l & 1)) continue;
            for (size_t w = 0; w < 25; w++) states[w * L + l] = 0;
            for (size_t i = 0; i < 32; i++) states[i / 8 * L + l] |= static_cast<uint64_t>(seed[i]) << 8 * (i % 8);
            states[4 * L + l] = ends[l];
            states[last * L + l] = uint64_t{1} << 63;
        }
    }

    static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
    {
        EXPECT_EQ(fresh >> L, 0u);
        for (size_t l = 0; l < L; l++) {
            const bool is_fresh = fresh >> l & 1;
            EXPECT_LE(words[l], 21);
            EXPECT_TRUE(words[l] > 0 || !is_fresh) << "fresh without a block";
            for (size_t w = 0; is_fresh && w < 25; w++) states[w * L + l] = 0;
            for (size_t i = 0; i < 8 * size_t{words[l]}; i++)
                states[i / 8 * L + l] ^= static_cast<uint64_t>(blocks[l][i]) << 8 * (i % 8);
        }
    }

    static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
    {
        for (size_t l = 0; l < L; l++) {
            EXPECT_LE(words[l], 21);
            for (size_t i = 0; i < 8 * size_t{words[l]}; i++)
                blocks[l][i] = static_cast<uint8_t>(states[i / 8 * L + l] >> 8 * (i % 8));
        }
        return std::accumulate(words, words + L, size_t{0});
    }

    static constexpr lk_keccak_kernels table = {L, L > 1, 0, permute, absorb_seed, absorb, squeeze};
    static constexpr lk_keccak_kernels with_narrow = {L, 1, L / 2, permute, absorb_seed, absorb, squeeze};
};

#endif
