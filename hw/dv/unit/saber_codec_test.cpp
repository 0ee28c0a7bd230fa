// The units of Saber's core between streams and coefficients: the sampler of A and s, the decoder and the encoder,
// against section 2 of its specification. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "Vlatkem_saber_decoder.h"
#include "Vlatkem_saber_encoder.h"
#include "Vlatkem_saber_sampler.h"
#include "bench.h"
#include "wide.h"

namespace
{

struct Set {
    unsigned l, mu, et, h2;
    unsigned packed() const // saber_set_t
    {
        return l << 7 | mu << 3 | et;
    }
};
constexpr Set sets[] = {{2, 10, 3, 196}, {3, 8, 4, 228}, {4, 6, 6, 252}};

constexpr unsigned secret_slot = 24, width = 13;
using Bytes = std::vector<uint8_t>;
using Poly = std::array<int, 256>;

unsigned bits_at(const Bytes &bytes, size_t at, size_t count)
{
    unsigned value = 0;
    for (size_t i = 0; i < count; ++i) value |= static_cast<unsigned>(bytes.at((at + i) / 8) >> (at + i) % 8 & 1) << i;
    return value;
}

uint64_t word_of(const Bytes &bytes, size_t i)
{
    uint64_t word = 0;
    for (size_t j = 0; j < 8; ++j) word |= static_cast<uint64_t>(bytes.at(8 * i + j)) << 8 * j;
    return word;
}

template <class Model> Bytes random_bytes(Bench<Model> &bench, size_t count)
{
    Bytes bytes(count);
    for (uint8_t &byte : bytes) byte = bench.chance(5) ? 0xff : static_cast<uint8_t>(bench.random());
    return bytes;
}

class SaberSampler : public testing::Test
{
  protected:
    // Feeds the words of a stream in blocks of 21; checks every coefficient, and that each polynomial is done once.
    void sample(const Set &set, bool of_secret, bool pauses)
    {
        const size_t polynomials = of_secret ? set.l : set.l * set.l;
        const size_t bits = of_secret ? set.mu : width;
        const Bytes stream = random_bytes(bench, (32 * bits * polynomials + 167) / 168 * 168);
        std::map<unsigned, Poly> found;
        std::vector<unsigned> done;
        m.params_i = set.packed();
        m.valid_i = m.first_i = 0;
        bench.step();
        for (size_t i = 0; i < stream.size() / 8 + 40;) {
            const bool valid = i < stream.size() / 8 && !(pauses && bench.chance(30));
            m.valid_i = valid;
            m.first_i = valid && i == 0;
            m.secret_i = of_secret;
            m.word_i = valid ? word_of(stream, i) : bench.random();
            i += valid || i >= stream.size() / 8;
            m.eval();
            const bool announced = m.x_next_o;
            bench.step();
            EXPECT_EQ(m.x_we_o, announced);
            if (m.x_we_o)
                for (unsigned j = 0; j < 16; ++j)
                    found[m.x_slot_o][16 * m.x_index_o + j] = static_cast<int>(get(m.x_wdata_o, width, j));
            if (m.done_o) done.push_back(m.done_slot_o);
        }
        ASSERT_EQ(done.size(), polynomials);
        for (size_t p = 0; p < polynomials; ++p) {
            const auto slot = static_cast<unsigned>(of_secret ? secret_slot + p : 4 * (p / set.l) + p % set.l);
            EXPECT_EQ(done[p], slot);
            for (size_t t = 0; t < 256; ++t) {
                const size_t at = bits * (256 * p + t);
                unsigned want = bits_at(stream, at, bits);
                if (of_secret) {
                    const unsigned half = set.mu / 2;
                    want = static_cast<unsigned>(__builtin_popcount(want & ((1u << half) - 1)) -
                                                 __builtin_popcount(want >> half)) &
                           0x1fff;
                }
                ASSERT_EQ(found[slot][t], static_cast<int>(want)) << "polynomial " << p << ", coefficient " << t;
            }
        }
    }

    SaberSampler()
    {
        m.clear_i = m.valid_i = m.first_i = 0;
        bench.reset();
    }

    Bench<Vlatkem_saber_sampler> bench;
    Vlatkem_saber_sampler &m = *bench.model;
};

TEST_F(SaberSampler, AllSets)
{
    for (const Set &set : sets)
        for (bool pauses : {false, true})
            for (bool of_secret : {true, false, false, true}) sample(set, of_secret, pauses);
}

TEST_F(SaberSampler, ForgetsOnClear)
{
    for (unsigned cycles : {1u, 5u, 30u}) {
        m.params_i = sets[0].packed();
        for (unsigned i = 0; i < cycles; ++i) {
            m.valid_i = 1;
            m.first_i = i == 0;
            m.secret_i = 1;
            m.word_i = bench.random();
            bench.step();
        }
        m.valid_i = 0;
        m.clear_i = 1;
        bench.step();
        m.clear_i = 0;
        for (unsigned i = 0; i < 10; ++i) {
            EXPECT_FALSE(m.x_we_o || m.done_o);
            bench.step();
        }
        sample(sets[1], false, false);
    }
}

TEST(SaberDecoder, UnpacksAllWidths)
{
    Bench<Vlatkem_saber_decoder> bench;
    Vlatkem_saber_decoder &m = *bench.model;
    m.clear_i = m.job_valid_i = m.word_valid_i = m.load_next_i = 0;
    bench.reset();
    for (unsigned in : {100u, 40u})
        for (unsigned out : {100u, 50u})
            for (unsigned round = 0; round < 20; ++round) {
                const unsigned d = std::array<unsigned, 5>{3, 4, 6, 10, 13}[round % 5], slot = bench.random() % 32;
                const Bytes packed = random_bytes(bench, 32 * d);
                Poly found{};
                size_t word = 0, loaded = 0;
                bool offered = true, done = false, next = false;
                for (unsigned cycle = 0; cycle < 2000 && !done; ++cycle) {
                    m.job_valid_i = offered;
                    m.job_i = d << 5 | slot;
                    m.word_valid_i = word < 4 * d && bench.chance(in);
                    m.word_i = m.word_valid_i ? word_of(packed, word) : 0;
                    const bool accepts = next;
                    next = bench.chance(out);
                    m.load_next_i = next;
                    m.eval();
                    offered = offered && !m.job_ready_o;
                    word += m.word_valid_i && m.word_ready_o;
                    if (m.load_we_o) {
                        EXPECT_TRUE(accepts || cycle == 0);
                        EXPECT_EQ(m.load_slot_o, slot);
                        EXPECT_EQ(m.load_index_o, loaded);
                        for (unsigned j = 0; j < 8; ++j)
                            found[8 * loaded + j] = static_cast<int>(get(m.load_data_o, width, j));
                        ++loaded;
                    }
                    done = m.done_o;
                    bench.step();
                }
                ASSERT_TRUE(done);
                ASSERT_EQ(loaded, 32u);
                for (size_t t = 0; t < 256; ++t)
                    ASSERT_EQ(found[t], static_cast<int>(bits_at(packed, d * t, d))) << d << " bits, coefficient " << t;
            }
}

enum Rounding { None, Row, C, Message };

TEST(SaberEncoder, RoundsAndPacks)
{
    Bench<Vlatkem_saber_encoder> bench;
    Vlatkem_saber_encoder &m = *bench.model;
    m.clear_i = m.job_valid_i = m.read_ready_i = 0;
    bench.reset();
    for (const Set &set : sets)
        for (unsigned chance : {100u, 40u})
            for (Rounding rounding : {None, Row, C, Message, Row, Message, C, None}) {
                Poly x, c;
                for (int &v : x) v = static_cast<int>(bench.random() % (rounding == Message ? 1u << set.et : 8192u));
                for (int &v : c) v = bench.chance(10) ? 8191 : static_cast<int>(bench.random() % 8192);
                const Bytes message = random_bytes(bench, 32);
                const unsigned d = rounding == None ? 13 : rounding == Row ? 10 : rounding == C ? set.et : 1;
                m.params_i = set.packed();
                // The grant of so many cycles ago.
                std::deque<int> granted(12, -1);
                unsigned message_index = 0;
                std::vector<uint64_t> words;
                bool offered = true, last = false;
                for (unsigned cycle = 0; cycle < 3000 && !last; ++cycle) {
                    m.job_valid_i = offered;
                    m.job_i = static_cast<unsigned>(rounding) << 9 | 28u << 4 | 5u;
                    m.read_ready_i = bench.chance(chance);
                    m.message_byte_i = message[message_index];
                    for (unsigned j = 0; j < 8; ++j) {
                        put(m.read_x_i, width, j, granted[2] < 0 ? 0 : static_cast<unsigned>(x[8 * granted[2] + j]));
                        put(m.read_c_i, width, j, granted[10] < 0 ? 0 : static_cast<unsigned>(c[8 * granted[10] + j]));
                    }
                    m.eval();
                    message_index = m.message_index_o;
                    offered = offered && !m.job_ready_o;
                    if (m.read_valid_o) {
                        EXPECT_EQ(m.read_slot_o, 28);
                        EXPECT_EQ(m.read_acc_o, 5);
                        EXPECT_EQ(m.read_x_o, rounding == None || rounding == Message);
                        EXPECT_EQ(m.read_c_o, rounding != None);
                    }
                    granted.push_front(m.read_valid_o && m.read_ready_i ? m.read_index_o : -1);
                    granted.pop_back();
                    if (m.word_valid_o) words.push_back(m.word_o);
                    last = m.word_last_o;
                    bench.step();
                }
                ASSERT_TRUE(last);
                ASSERT_EQ(words.size(), 4 * d);
                Bytes packed(32 * d);
                for (size_t i = 0; i < packed.size(); ++i)
                    packed[i] = static_cast<uint8_t>(words[i / 8] >> 8 * (i % 8));
                for (size_t t = 0; t < 256; ++t) {
                    const unsigned m_t = message[t / 8] >> t % 8 & 1;
                    const auto sum = static_cast<unsigned>(c[t]), own = static_cast<unsigned>(x[t]);
                    unsigned want = own;
                    if (rounding == Row) want = ((sum + 4) & 8191) >> 3;
                    if (rounding == C) want = ((sum - 512 * m_t + 4) & 1023) >> (10 - set.et);
                    if (rounding == Message) want = ((sum + set.h2 - (own << (10 - set.et))) & 1023) >> 9;
                    ASSERT_EQ(bits_at(packed, d * t, d), want) << "rounding " << rounding << ", coefficient " << t;
                }
            }
}

} // namespace
