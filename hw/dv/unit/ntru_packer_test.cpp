// The unit that packs NTRU's trits to words: pack_S3 of one polynomial behind the other.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "Vlatkem_ntru_packer.h"
#include "bench.h"
#include "wide.h"

namespace
{

constexpr unsigned group_size = 5;
using Group = unsigned; // base 3, the first trit lowest
using Bytes = std::vector<uint8_t>;

class NtruPacker : public testing::Test
{
  protected:
    NtruPacker()
    {
        m.clear_i = m.word_ready_i = 0;
        idle();
        bench.reset();
        EXPECT_TRUE(m.idle_o && !m.word_valid_o) << "after a reset";
        clear();
    }

    void idle()
    {
        m.begin_i = m.group_valid_i = 0;
        m.group_flush_i = bench.random() & 1;
        m.addr_i = bench.random() & 511;
        m.byte_i = bench.random() & 7;
        put_trits(bench.random() % 243);
    }

    void put_trits(Group value)
    {
        for (unsigned i = 0; i < group_size; ++i, value /= 3) put(m.group_i, 2, i, value % 3);
    }

    void clear()
    {
        m.clear_i = 1;
        bench.step();
        bench.step();
        m.clear_i = 0;
        memory.clear();
    }

    // One edge; a word that waits is taken after `stall` cycles.
    void step()
    {
        m.eval();
        m.word_ready_i = m.word_valid_o && waited >= stall;
        waited = m.word_valid_o && !m.word_ready_i ? waited + 1 : 0;
        if (m.word_ready_i) {
            EXPECT_EQ(memory.count(m.word_addr_o), 0u) << "written twice: " << m.word_addr_o;
            memory[m.word_addr_o] = m.word_o;
        }
        bench.step();
        idle();
    }

    void begin(unsigned addr, unsigned byte)
    {
        m.begin_i = 1;
        m.addr_i = addr;
        m.byte_i = byte;
        step();
    }

    // Groups one a cycle, but the last one when no word waits: it may send another one sooner than eight cycles later.
    void pack(const std::vector<Group> &values, bool flush, unsigned pauses)
    {
        for (size_t i = 0; i < values.size(); ++i) {
            while (bench.chance(pauses)) step();
            for (int settled = 0; flush && i + 1 == values.size() && settled < 3; step())
                settled = m.word_valid_o ? 0 : settled + 1;
            m.group_valid_i = 1;
            m.group_flush_i = flush && i + 1 == values.size();
            put_trits(values[i]);
            step();
        }
    }

    void finish()
    {
        for (int i = 0; i < 20; ++i) step();
        EXPECT_TRUE(m.idle_o);
    }

    std::vector<Group> random(size_t count)
    {
        std::vector<Group> values(count);
        for (Group &value : values) value = bench.random() % 243;
        return values;
    }

    // The words from `addr` on, and no others, are these bytes and zeros.
    void holds(unsigned addr, const Bytes &bytes)
    {
        ASSERT_EQ(memory.size(), (bytes.size() + 7) / 8);
        for (size_t i = 0; i < memory.size() * 8; ++i) {
            ASSERT_EQ(memory.count(addr + i / 8), 1u);
            ASSERT_EQ(memory[addr + i / 8] >> 8 * (i % 8) & 0xff, i < bytes.size() ? bytes[i] : 0u) << "byte " << i;
        }
    }

    static Bytes behind(const std::vector<Group> &first, const std::vector<Group> &second)
    {
        Bytes bytes(first.begin(), first.end());
        bytes.insert(bytes.end(), second.begin(), second.end());
        return bytes;
    }

    Bench<Vlatkem_ntru_packer> bench;
    Vlatkem_ntru_packer &m = *bench.model;
    std::map<unsigned, uint64_t> memory;
    unsigned stall = 0, waited = 0;
};

// Bytes of a polynomial: those of the sets, and each number modulo eight.
const std::vector<size_t> lengths = {102, 136, 164, 140, 9, 10, 11, 12, 13, 14, 15, 16, 17};

// As encapsulation does: the second one follows.
TEST_F(NtruPacker, PacksOneBehindTheOther)
{
    for (size_t length : lengths)
        for (unsigned pauses : {0u, 50u})
            for (stall = 0; stall < 8; ++stall) {
                memory.clear();
                const auto first = random(length), second = random(length);
                begin(100, 0);
                pack(first, false, pauses);
                pack(second, true, pauses);
                finish();
                holds(100, behind(first, second));
            }
}

// As decapsulation does: the second one first; its first word waits for the end of the first one.
TEST_F(NtruPacker, PacksTheSecondFirst)
{
    for (size_t length : lengths)
        for (unsigned pauses : {0u, 50u})
            for (stall = 0; stall < 8; ++stall) {
                memory.clear();
                const auto first = random(length), second = random(length);
                begin(static_cast<unsigned>(100 + length / 8), length % 8);
                pack(second, true, pauses);
                finish();
                begin(100, 0);
                pack(first, true, pauses);
                finish();
                holds(100, behind(first, second));
                // Nothing of that word is in one that is flushed next.
                memory.clear();
                begin(100, 0);
                pack({1, 2, 3}, true, pauses);
                finish();
                holds(100, {1, 2, 3});
            }
}

// As key generation does: nothing is flushed, and the bytes that have not been sent are shown.
TEST_F(NtruPacker, ShowsWhatIsNotSent)
{
    for (size_t length : lengths) {
        memory.clear();
        const auto first = random(length), second = random(length);
        begin(100, 0);
        pack(first, false, 20);
        pack(second, false, 20);
        finish();
        Bytes bytes = behind(first, second);
        for (size_t i = 0; i < bytes.size() % 8; ++i)
            ASSERT_EQ(m.seam_o >> 8 * i & 0xff, bytes[bytes.size() / 8 * 8 + i]);
        bytes.resize(bytes.size() / 8 * 8);
        holds(100, bytes);
    }
}

TEST_F(NtruPacker, PacksEveryGroup)
{
    std::vector<Group> all(243);
    for (Group i = 0; i < 243; ++i) all[i] = i;
    begin(0, 0);
    pack(all, true, 0);
    finish();
    holds(0, Bytes(all.begin(), all.end()));
}

TEST_F(NtruPacker, ForgetsWhenCleared)
{
    stall = 3;
    for (size_t count : {1, 7, 8, 9, 17})
        for (unsigned byte : {0u, 5u}) {
            begin(50, byte);
            pack(random(count), false, 0);
            clear();
            EXPECT_TRUE(m.idle_o && !m.word_valid_o && m.word_o == 0 && m.seam_o == 0);
            const auto first = random(11), second = random(11);
            begin(101, 3);
            pack(second, true, 0);
            finish();
            begin(100, 0);
            pack(first, true, 0);
            finish();
            holds(100, behind(first, second));
        }
}

} // namespace
