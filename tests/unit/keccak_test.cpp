// The Keccak kernels on groups of interleaved states.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <numeric>

#include "backends.h"
#include "guarded.h"
#include "harness/model/keccak_f.h"

namespace
{

class Keccak : public testing::TestWithParam<const lk_backend *>
{
  protected:
    // A group of states with random content.
    struct Group : Guarded<uint64_t> {
        Group(size_t lanes, Random &random) : Guarded(LK_KECCAK_WORDS * lanes, 0), lanes_(lanes)
        {
            for (size_t i = 0; i < LK_KECCAK_WORDS * lanes; i++) out()[i] = random.word();
        }
        KeccakState lane(size_t l)
        {
            KeccakState state;
            for (size_t w = 0; w < state.size(); w++) state[w] = out()[w * lanes_ + l];
            return state;
        }
        std::vector<KeccakState> all()
        {
            std::vector<KeccakState> states;
            for (size_t l = 0; l < lanes_; l++) states.push_back(lane(l));
            return states;
        }
        size_t lanes_;
    };

    using Blocks = std::vector<std::unique_ptr<Guarded<uint8_t>>>;

    // For each lane words[l] words at any alignment; NULL where there are none, as the scheduler has it.
    Blocks make_blocks(const std::vector<uint8_t> &words)
    {
        Blocks blocks;
        for (uint8_t count : words) {
            const Bytes bytes = random.bytes(8 * size_t{count});
            blocks.push_back(std::make_unique<Guarded<uint8_t>>(bytes.data(), bytes.size(), next_byte_offset()));
        }
        return blocks;
    }

    // Word counts for the lanes: each of 0 .. 21 in each lane, every choice of busy lanes with equal and with different
    // counts, and random mixtures.
    std::vector<std::vector<uint8_t>> all_word_counts()
    {
        std::vector<std::vector<uint8_t>> list;
        for (uint8_t count = 0; count <= 21; count++) list.push_back(std::vector<uint8_t>(lanes, count));
        for (size_t busy = 1; busy < size_t{1} << lanes; busy++)
            for (uint8_t count : {9, 17, 21, 0}) {
                std::vector<uint8_t> words(lanes);
                for (size_t l = 0; l < lanes; l++)
                    if (busy >> l & 1) words[l] = count ? count : static_cast<uint8_t>(1 + random.below(21));
                list.push_back(words);
            }
        for (int i = 0; i < 500; i++) {
            std::vector<uint8_t> words(lanes);
            for (uint8_t &w : words) w = static_cast<uint8_t>(random.below(3) == 0 ? 0 : random.below(22));
            list.push_back(words);
        }
        return list;
    }

    const lk_keccak_kernels &kernels = *GetParam()->symmetric.keccak;
    const size_t lanes = kernels.lanes;
    Random random{7};
};

TEST(KeccakDefinition, KnownAnswers)
{
    KeccakState state = keccak_f({});
    EXPECT_EQ(state[0], 0xf1258f7940e1dde7);
    EXPECT_EQ(state[1], 0x84d5ccf933c0478a);
    KeccakState padded = {0x1f};
    padded[20] = 0x8000000000000000;
    EXPECT_EQ(keccak_f(padded)[0], 0x7d828fe8a42b9c7f); // SHAKE128("") starts 7f9c2ba4e88f827d
}

TEST_P(Keccak, LanesAreInRange)
{
    EXPECT_GE(lanes, 1u);
    EXPECT_LE(lanes, static_cast<size_t>(LK_KECCAK_LANES_MAX));
}

TEST_P(Keccak, Permute)
{
    for (size_t used = 1; used <= lanes; used++)
        for (int i = 0; i < 100; i++) {
            Group group(lanes, random);
            if (i == 0) memset(group.out(), 0, LK_KECCAK_WORDS * lanes * sizeof(uint64_t));
            const std::vector<KeccakState> before = group.all();
            ASSERT_EQ(kernels.permute(group.out(), used), used);
            for (size_t l = 0; l < used; l++)
                ASSERT_EQ(group.lane(l), keccak_f(before[l])) << "lane " << l << " of " << used;
        }
}

TEST_P(Keccak, AbsorbSeed)
{
    for (uint32_t in = 0; in >> lanes == 0; in++)
        for (size_t last = 5; last < LK_KECCAK_WORDS; last++) {
            Group group(lanes, random);
            std::vector<KeccakState> expected = group.all();
            const Bytes bytes = random.bytes(32);
            Guarded<uint8_t> seed(bytes.data(), bytes.size(), next_byte_offset());
            std::vector<uint64_t> ends(lanes);
            for (size_t l = 0; l < lanes; l++) {
                ends[l] = random.word();
                if (!(in >> l & 1)) continue;
                expected[l] = {};
                for (size_t i = 0; i < 32; i++) expected[l][i / 8] |= static_cast<uint64_t>(bytes[i]) << 8 * (i % 8);
                expected[l][4] = ends[l];
                expected[l][last] = uint64_t{1} << 63;
            }
            Guarded<uint64_t> guarded_ends(ends.data(), lanes, 0);
            kernels.absorb_seed(group.out(), in, seed.in(), guarded_ends.in(), last);
            for (size_t l = 0; l < lanes; l++) ASSERT_EQ(group.lane(l), expected[l]) << "lane " << l << " of " << in;
        }
}

TEST_P(Keccak, Absorb)
{
    for (const std::vector<uint8_t> &words : all_word_counts()) {
        Group group(lanes, random);
        std::vector<KeccakState> expected = group.all();
        Blocks blocks = make_blocks(words);
        std::vector<const uint8_t *> pointers(lanes, nullptr);
        uint32_t fresh = 0;
        for (size_t l = 0; l < lanes; l++) {
            if (words[l] == 0) continue;
            pointers[l] = blocks[l]->in();
            if (random.word() & 1) {
                fresh |= uint32_t{1} << l;
                expected[l] = {};
            }
            for (size_t i = 0; i < 8 * size_t{words[l]}; i++)
                expected[l][i / 8] ^= static_cast<uint64_t>(pointers[l][i]) << 8 * (i % 8);
        }
        kernels.absorb(group.out(), pointers.data(), words.data(), fresh);
        for (size_t l = 0; l < lanes; l++) ASSERT_EQ(group.lane(l), expected[l]) << "lane " << l;
    }
}

TEST_P(Keccak, Squeeze)
{
    for (const std::vector<uint8_t> &words : all_word_counts()) {
        Group group(lanes, random);
        const std::vector<KeccakState> states = group.all();
        Blocks blocks = make_blocks(words);
        std::vector<uint8_t *> pointers(lanes, nullptr);
        for (size_t l = 0; l < lanes; l++)
            if (words[l] > 0) pointers[l] = blocks[l]->out();
        const size_t sum = std::accumulate(words.begin(), words.end(), size_t{0});
        ASSERT_EQ(kernels.squeeze(pointers.data(), group.in(), words.data()), sum);
        for (size_t l = 0; l < lanes; l++)
            for (size_t i = 0; i < 8 * size_t{words[l]}; i++)
                ASSERT_EQ(pointers[l][i], static_cast<uint8_t>(states[l][i / 8] >> 8 * (i % 8)))
                    << "byte " << i << " of lane " << l;
    }
}

LATKEM_FOR_EVERY_VARIANT(Keccak);

} // namespace
