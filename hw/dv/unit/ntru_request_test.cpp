// The units that cut NTRU's requests into groups, and make trits and coefficients of them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Vlatkem_ntru_cutter.h"
#include "Vlatkem_ntru_unpack.h"
#include "bench.h"
#include "unit/ntru.h"
#include "wide.h"

namespace
{

enum Part : unsigned { None, Coeffs, Trits, Sample, Fields, Z }; // part_e
enum Operation : unsigned { Keygen, Encaps, Decaps };

using Bytes = std::vector<uint8_t>;
using Data = std::array<uint32_t, 3>; // 65 bits
constexpr unsigned degree = n - 1, coeff_bytes = (log_q * degree + 7) / 8;

struct Group {
    Part part;
    bool index;
    unsigned number;
    bool last;
    Data data;

    bool operator==(const Group &other) const
    {
        return part == other.part && index == other.index && number == other.number && last == other.last &&
               data == other.data;
    }
};

// One part of a request: its bits, those of a group, and how many groups.
struct Piece {
    Part part;
    bool index;
    unsigned bits, group_bits, count;
    bool align;
};

std::vector<Piece> pieces(Operation operation)
{
    const Piece sample{Sample, false, 8 * degree, 40, packed_groups, false};
    const auto second = [&](bool align) {
        return hrss ? Piece{Sample, true, 8 * degree, 40, packed_groups, align}
                    : Piece{Fields, true, 30 * degree, 30, degree, align};
    };
    const auto trits = [](bool index) { return Piece{Trits, index, 8 * packed_groups, 8, packed_groups, false}; };
    const auto coeffs = [](bool index, bool align) {
        return Piece{Coeffs, index, 8 * coeff_bytes, log_q * group_size, groups, align};
    };
    const auto z = [](bool align) { return Piece{Z, false, 256, 64, 4, align}; };
    switch (operation) {
    case Keygen: return {sample, second(true), z(false)};
    case Encaps: return {coeffs(true, true), sample, second(false)};
    default: return {trits(false), trits(true), coeffs(false, false), z(true), coeffs(true, false)};
    }
}

size_t request_words(Operation operation)
{
    size_t bits = 0;
    for (const Piece &piece : pieces(operation)) {
        bits += piece.bits;
        if (piece.align) bits = (bits + 63) / 64 * 64;
    }
    return (bits + 63) / 64;
}

std::vector<Group> groups_of(Operation operation, const std::vector<uint64_t> &words)
{
    std::vector<Group> all;
    size_t at = 0;
    for (const Piece &piece : pieces(operation)) {
        const size_t end = at + piece.bits;
        for (unsigned number = 0; number < piece.count; ++number) {
            Group group{piece.part, piece.index, number, number + 1 == piece.count, {}};
            for (unsigned i = 0; i < piece.group_bits && at < end; ++i, ++at)
                group.data[i / 32] |= static_cast<uint32_t>(words[at / 64] >> at % 64 & 1) << i % 32;
            all.push_back(group);
        }
        if (piece.align) at = (at + 63) / 64 * 64;
    }
    return all;
}

std::vector<uint64_t> filled(size_t count, const std::function<uint64_t(size_t)> &word)
{
    std::vector<uint64_t> words(count);
    for (size_t i = 0; i < count; ++i) words[i] = word(i);
    return words;
}

class NtruCutter : public testing::Test
{
  protected:
    NtruCutter()
    {
        m.clear_i = m.start_i = m.fetch_i = m.keygen_i = m.encaps_i = m.decaps_i = 0;
        m.word_i = 0;
        bench.reset();
        EXPECT_TRUE(m.part_o == None && m.done_o && !m.wanted_o) << "after a reset";
    }

    void begin(Operation operation)
    {
        m.keygen_i = operation == Keygen;
        m.encaps_i = operation == Encaps;
        m.decaps_i = operation == Decaps;
        m.start_i = 1;
        bench.step();
        m.start_i = 0;
    }

    void clear()
    {
        m.clear_i = 1;
        bench.step();
        bench.step();
        m.clear_i = 0;
    }

    // The groups of a request; `waits` says for how many cycles a word is late.
    std::vector<Group> cut(Operation operation, const std::vector<uint64_t> &words,
                           const std::function<unsigned(size_t)> &waits, uint64_t limit = 20000)
    {
        std::vector<Group> found;
        begin(operation);
        size_t at = 0;
        unsigned wait = waits(0);
        for (uint64_t cycle = 0; cycle < limit && !m.done_o; ++cycle) {
            m.eval();
            m.fetch_i = m.wanted_o && at < words.size() && wait == 0;
            if (wait != 0 && m.wanted_o) --wait;
            const bool comes = m.fetch_i;
            bench.step();
            m.word_i = comes ? words[at] : bench.random();
            if (comes) wait = waits(++at);
            if (m.part_o == None) continue;
            Group group{static_cast<Part>(m.part_o), m.index_o != 0, m.group_o, m.last_o != 0, {}};
            for (size_t i = 0; i < group.data.size(); ++i) group.data[i] = m.data_o[i];
            found.push_back(group);
        }
        m.fetch_i = 0;
        EXPECT_TRUE(limit < 20000 || at == words.size()) << "a word is left";
        return found;
    }

    Bench<Vlatkem_ntru_cutter> bench;
    Vlatkem_ntru_cutter &m = *bench.model;
};

TEST_F(NtruCutter, CutsEveryPart)
{
    for (Operation operation : {Keygen, Encaps, Decaps, Keygen, Decaps, Encaps})
        for (unsigned kind = 0; kind < 4; ++kind) {
            const auto words = filled(request_words(operation), [&](size_t i) {
                return std::array<uint64_t, 4>{bench.random(), ~uint64_t{0}, 0, uint64_t{i % 2 - 1}}[kind];
            });
            ASSERT_TRUE(cut(operation, words, [](size_t) { return 0; }) == groups_of(operation, words))
                << "operation " << operation << ", kind " << kind;
        }
}

// Each word in turn is late, or any is.
TEST_F(NtruCutter, WaitsForEveryWord)
{
    for (Operation operation : {Keygen, Encaps, Decaps}) {
        const auto words = filled(request_words(operation), [&](size_t) { return bench.random(); });
        const auto want = groups_of(operation, words);
        for (size_t late = 0; late < words.size(); ++late)
            for (unsigned cycles : {1u, 4u})
                ASSERT_TRUE(cut(operation, words, [&](size_t i) { return i == late ? cycles : 0; }) == want)
                    << "operation " << operation << ", word " << late;
        for (unsigned most : {1u, 2u, 5u})
            ASSERT_TRUE(cut(operation, words, [&](size_t) { return bench.random() % (most + 1); }) == want)
                << "operation " << operation;
    }
}

TEST_F(NtruCutter, BeginsAnewWhenCleared)
{
    for (Operation operation : {Keygen, Encaps, Decaps})
        for (uint64_t cycles : {1, 2, 3, 50, 101, 250}) {
            const auto words = filled(request_words(operation), [&](size_t) { return bench.random(); });
            cut(
                operation, words, [](size_t) { return 0; }, cycles);
            clear();
            EXPECT_TRUE(m.part_o == None && !m.wanted_o && m.done_o);
            for (size_t i = 0; i < 3; ++i) EXPECT_EQ(m.data_o[i], 0u);
            ASSERT_TRUE(cut(operation, words, [](size_t) { return 0; }) == groups_of(operation, words)) << cycles;
        }
}

// The result of unpacking, in the order of each kind.
struct Unpacked {
    struct Row {
        bool index;
        unsigned number;
        bool last;
        std::array<unsigned, group_size> values;

        bool operator==(const Row &other) const
        {
            return index == other.index && number == other.number && last == other.last && values == other.values;
        }
    };
    std::vector<Row> trits, coeffs;
    std::vector<uint32_t> fields;
    std::vector<std::pair<unsigned, uint64_t>> z;
    unsigned padding = 0; // pulses
};

Unpacked unpacked(const std::vector<Group> &request)
{
    constexpr unsigned weight = q / 8 - 2;
    Unpacked all;
    unsigned sum = 0;
    for (const Group &group : request) {
        Unpacked::Row row{group.index, group.number, group.last, {}};
        unsigned rest = group.data[0] & 0xff;
        for (unsigned i = 0; i < group_size; ++i, rest /= 3) {
            const unsigned at = group_size * group.number + i;
            if (at >= degree) break;
            if (group.part == Trits) row.values[i] = rest % 3;
            if (group.part == Sample) row.values[i] = get(group.data, 8, i) % 3;
            if (group.part == Coeffs) row.values[i] = get(group.data, log_q, i);
        }
        if (group.part == Coeffs) {
            for (unsigned value : row.values) sum += value;
            if (group.index && group.last) {
                row.values[degree % group_size] = -sum % q;
                for (size_t bit = log_q * (degree % group_size); bit < 65; ++bit)
                    if (bit_of(group.data, bit) != 0) all.padding = 1;
            }
            if (group.last) sum = 0;
            all.coeffs.push_back(row);
        }
        if (group.part == Trits || group.part == Sample) all.trits.push_back(row);
        const unsigned tag = group.number < weight / 2 ? 1 : group.number < weight ? 2 : 0;
        if (group.part == Fields) all.fields.push_back(group.data[0] << 2 | tag);
        if (group.part == Z) all.z.emplace_back(group.number, uint64_t{group.data[1]} << 32 | group.data[0]);
    }
    return all;
}

class NtruUnpack : public testing::Test
{
  protected:
    NtruUnpack()
    {
        m.clear_i = 0;
        put_nothing();
        bench.reset();
        EXPECT_FALSE(m.trits_valid_o || m.field_valid_o || m.z_valid_o || m.padding_o) << "after a reset";
        for (int i = 0; i < 3; ++i, bench.step()) EXPECT_FALSE(m.coeffs_valid_o) << "after a reset";
    }

    void put_nothing()
    {
        m.part_i = None;
        m.index_i = m.last_i = bench.random() & 1;
        m.group_i = bench.random() & 1023;
        for (size_t i = 0; i < 3; ++i) m.data_i[i] = static_cast<uint32_t>(bench.random());
        m.data_i[2] &= 1;
    }

    void put_group(const Group &group)
    {
        m.part_i = group.part;
        m.index_i = group.index;
        m.group_i = group.number;
        m.last_i = group.last;
        for (size_t i = 0; i < 3; ++i) m.data_i[i] = group.data[i];
    }

    template <class Port> Unpacked::Row row(bool index, unsigned number, bool last, const Port &port, size_t width)
    {
        Unpacked::Row found{index, number, last, {}};
        for (unsigned i = 0; i < group_size; ++i) found.values[i] = get(port, width, i);
        return found;
    }

    void step()
    {
        bench.step();
        if (m.trits_valid_o) found.trits.push_back(row(m.trits_index_o, m.trits_group_o, m.trits_last_o, m.trits_o, 2));
        if (m.coeffs_valid_o)
            found.coeffs.push_back(row(m.coeffs_index_o, m.coeffs_group_o, m.coeffs_last_o, m.coeffs_o, log_q));
        if (m.field_valid_o) found.fields.push_back(m.field_o);
        if (m.z_valid_o) found.z.emplace_back(m.z_index_o, m.z_o);
        found.padding += m.padding_o;
        put_nothing();
    }

    void unpacks(Operation operation, const std::vector<uint64_t> &words, unsigned pauses)
    {
        found = {};
        const auto request = groups_of(operation, words);
        for (const Group &group : request) {
            while (bench.chance(pauses)) step();
            put_group(group);
            step();
        }
        for (int i = 0; i < 4; ++i) step();
        const Unpacked want = unpacked(request);
        ASSERT_TRUE(found.trits == want.trits);
        ASSERT_TRUE(found.coeffs == want.coeffs);
        ASSERT_EQ(found.fields, want.fields);
        ASSERT_EQ(found.z, want.z);
        ASSERT_EQ(found.padding, want.padding);
    }

    Bench<Vlatkem_ntru_unpack> bench;
    Vlatkem_ntru_unpack &m = *bench.model;
    Unpacked found;
};

TEST_F(NtruUnpack, UnpacksEveryPart)
{
    for (unsigned pauses : {0u, 40u})
        for (Operation operation : {Keygen, Encaps, Decaps, Decaps, Encaps})
            for (unsigned kind = 0; kind < 5; ++kind)
                unpacks(operation,
                        filled(request_words(operation),
                               [&](size_t i) {
                                   return std::array<uint64_t, 5>{bench.random(), ~uint64_t{0}, 0, 0x8080808080808080,
                                                                  uint64_t{i % 2 - 1}}[kind];
                               }),
                        pauses);
}

// Every byte, also those that no packing gives.
TEST_F(NtruUnpack, UnpacksEveryByte)
{
    for (Operation operation : {Keygen, Decaps})
        for (unsigned shift = 0; shift < 256; shift += 64)
            unpacks(operation,
                    filled(request_words(operation),
                           [&](size_t i) {
                               uint64_t word = 0;
                               for (unsigned j = 0; j < 8; ++j) word |= uint64_t{(8 * i + j + shift) & 0xff} << 8 * j;
                               return word;
                           }),
                    0);
}

// A bit behind the last coefficient of c, each alone.
TEST_F(NtruUnpack, SeesPadding)
{
    const auto words = request_words(Decaps);
    const size_t at = 64 * (words - (coeff_bytes + 7) / 8);
    for (size_t bit = log_q * degree - 1; bit < 8 * coeff_bytes; ++bit) {
        unpacks(Decaps,
                filled(words, [&](size_t i) { return (at + bit) / 64 == i ? uint64_t{1} << (at + bit) % 64 : 0; }), 0);
        EXPECT_EQ(found.padding, bit < log_q * degree ? 0u : 1u);
    }
}

TEST_F(NtruUnpack, ForgetsWhenCleared)
{
    for (Operation operation : {Keygen, Encaps, Decaps}) {
        const auto words = filled(request_words(operation), [&](size_t) { return bench.random(); });
        const auto request = groups_of(operation, words);
        for (size_t count : {size_t{1}, size_t{7}, size_t{groups}, request.size()}) {
            for (size_t i = 0; i < count; ++i) {
                put_group(request[i]);
                step();
            }
            m.clear_i = 1;
            step();
            m.clear_i = 0;
            found = {};
            for (int i = 0; i < 5; ++i) step();
            EXPECT_TRUE(found.trits.empty() && found.coeffs.empty() && found.fields.empty() && found.z.empty());
            unpacks(operation, words, 0);
        }
    }
}

} // namespace
