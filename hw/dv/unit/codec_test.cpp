// The decoder and the encoder against the definitions of FIPS 203, for every value. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <vector>

#include "Vdecoder.h"
#include "Vencoder.h"
#include "bench.h"
#include "core/state.h"

namespace
{

constexpr unsigned q = 3329;
using Poly = std::array<unsigned, 256>;

unsigned compress(unsigned d, unsigned x)
{
    return d == 12 ? x : ((x << (d + 1)) + q) / (2 * q) % (1u << d);
}
unsigned decompress(unsigned d, unsigned y)
{
    return d == 12 ? y % q : (2 * q * y + (1u << d)) >> (d + 1);
}

std::vector<uint64_t> pack(unsigned d, const Poly &values)
{
    std::vector<uint64_t> words(4 * d);
    for (size_t bit = 0; bit < 256 * d; ++bit)
        words[bit / 64] |= static_cast<uint64_t>(values[bit / d] >> bit % d & 1) << bit % 64;
    return words;
}

void set_coefficients(uint32_t *wide, const unsigned *values)
{
    for (size_t bit = 0; bit < 96; ++bit) {
        if (bit % 32 == 0) wide[bit / 32] = 0;
        wide[bit / 32] |= (values[bit / 12] >> bit % 12 & 1) << bit % 32;
    }
}

unsigned coefficient(const uint32_t *wide, size_t i)
{
    unsigned value = 0;
    for (size_t bit = 0; bit < 12; ++bit) value |= (wide[(12 * i + bit) / 32] >> (12 * i + bit) % 32 & 1) << bit;
    return value;
}

// Polynomials with coefficients that run through 0 .. count - 1.
std::vector<Poly> all_values(unsigned count)
{
    std::vector<Poly> polys((count + 255) / 256);
    for (unsigned i = 0; i < polys.size() * 256; ++i) polys[i / 256][i % 256] = i % count;
    return polys;
}

struct DecodeJob {
    unsigned d, to_c, slot;
    Poly values;
};

// Some cycles of a job with words of `random`, then a cycle of clear_i.
void begin_and_clear(Bench<Vdecoder> &bench, unsigned d, unsigned cycles, std::mt19937_64 &random)
{
    auto &m = *bench.model;
    for (unsigned i = 0; i <= cycles; ++i) {
        m.job_valid_i = 1;
        m.job_i = d << 5;
        m.word_valid_i = bench.chance(80);
        m.word_i = random();
        m.load_next_v_i = m.load_next_c_i = bench.chance(60);
        m.clear_i = i == cycles;
        bench.step();
    }
    m.clear_i = m.job_valid_i = m.word_valid_i = m.load_next_v_i = m.load_next_c_i = 0;
    m.word_i = 0;
    m.eval();
    EXPECT_TRUE(m.idle_o);
}

struct Times {
    uint64_t first; // from the word that completes a group, or from the first read, to what leaves first
    uint64_t all;
};

// Runs the jobs and checks every group.
Times decode(const std::vector<DecodeJob> &jobs, unsigned word_chance, unsigned load_chance, unsigned before = 0)
{
    Bench<Vdecoder> bench;
    auto &m = *bench.model;
    m.clear_i = m.job_valid_i = m.word_valid_i = m.load_next_v_i = m.load_next_c_i = 0;
    bench.reset();
    std::mt19937_64 random(before);
    if (before > 0) begin_and_clear(bench, jobs.back().d, before, random);
    size_t words_in = 0;
    uint64_t complete = 0, first = 0;
    std::deque<uint64_t> words;
    for (const auto &job : jobs)
        for (uint64_t word : pack(job.d, job.values)) words.push_back(word);
    size_t given = 0, done = 0, group = 0;
    bool offered = false;
    bool takes_v = false, takes_c = false; // a load to V, or C, is accepted in this cycle
    const uint64_t begin = bench.edges;
    while (done < jobs.size()) {
        if (bench.edges - begin > 100000) {
            ADD_FAILURE() << "the decoder does not end";
            break;
        }
        m.job_valid_i = given < jobs.size();
        if (m.job_valid_i) m.job_i = jobs[given].d << 5 | jobs[given].to_c << 4 | jobs[given].slot;
        offered = offered || bench.chance(word_chance);
        m.word_valid_i = offered && !words.empty();
        m.word_i = m.word_valid_i ? words.front() : bench.random();
        m.load_next_v_i = bench.chance(load_chance);
        m.load_next_c_i = bench.chance(load_chance);
        m.eval();
        if (m.load_valid_o && first == 0) first = bench.edges;
        const bool job_passes = m.job_valid_i && m.job_ready_o, word_passes = m.word_valid_i && m.word_ready_o;
        if (m.load_valid_o && (m.load_to_c_o ? takes_c : takes_v)) {
            const DecodeJob &job = jobs[done];
            EXPECT_EQ(m.load_slot_o, job.slot);
            EXPECT_EQ(m.load_to_c_o, job.to_c);
            EXPECT_EQ(m.load_index_o, group);
            bool over = false;
            for (size_t i = 0; i < 8; ++i) {
                const unsigned value = job.values[8 * group + i];
                EXPECT_EQ(coefficient(m.load_data_o.data(), i), decompress(job.d, value)) << job.d << " " << value;
                over |= job.d == 12 && value >= q;
            }
            EXPECT_EQ(m.out_of_range_o, over);
            EXPECT_EQ(m.done_o, group == 31);
            done += m.done_o;
            group = (group + 1) % 32;
        } else {
            EXPECT_FALSE(m.done_o || m.out_of_range_o);
        }
        if (given > done) {
            EXPECT_FALSE(m.idle_o);
        }
        takes_v = m.load_next_v_i;
        takes_c = m.load_next_c_i;
        bench.step();
        given += job_passes;
        if (word_passes) {
            words.pop_front();
            offered = false;
            if (++words_in == (jobs[0].d + 7) / 8) complete = bench.edges;
        }
    }
    m.job_valid_i = m.word_valid_i = 0;
    bench.step();
    EXPECT_TRUE(m.idle_o);
    EXPECT_TRUE(words.empty());
    return {first - complete, bench.edges - begin};
}

struct EncodeJob {
    unsigned d, slot, operand, operand_slot, negate, message;
    Poly x, y;
    std::array<uint8_t, 32> m;
};

// As above, with operands of `random`.
void begin_and_clear(Bench<Vencoder> &bench, unsigned d, unsigned cycles, std::mt19937_64 &random)
{
    auto &m = *bench.model;
    std::array<unsigned, 16> operands = {};
    for (unsigned i = 0; i <= cycles; ++i) {
        m.job_valid_i = 1;
        m.job_i = d << 12 | 2 | (d < 12);
        m.read_ready_i = bench.chance(80);
        for (auto &operand : operands) operand = random() % q;
        set_coefficients(m.read_x_i.data(), &operands[0]);
        set_coefficients(m.read_y_i.data(), &operands[8]);
        m.message_byte_i = random() & 255;
        m.clear_i = i == cycles;
        bench.step();
    }
    operands = {};
    set_coefficients(m.read_x_i.data(), &operands[0]);
    set_coefficients(m.read_y_i.data(), &operands[8]);
    m.clear_i = m.job_valid_i = m.read_ready_i = m.message_byte_i = 0;
    m.eval();
    EXPECT_TRUE(m.idle_o);
}

Times encode(const std::vector<EncodeJob> &jobs, unsigned read_chance, unsigned before = 0)
{
    constexpr size_t latency = 2;
    uint64_t first_read = 0, first_word = 0;
    Bench<Vencoder> bench;
    auto &m = *bench.model;
    m.clear_i = m.job_valid_i = m.read_ready_i = 0;
    bench.reset();
    std::mt19937_64 random(before);
    if (before > 0) begin_and_clear(bench, jobs.back().d, before, random);
    struct Read {
        size_t job, group;
        bool valid;
    };
    std::deque<Read> pipeline(latency, Read{0, 0, false});
    size_t given = 0, reading = 0, group = 0, done = 0, word = 0;
    uint8_t byte = 0;
    std::vector<uint64_t> expected;
    const uint64_t begin = bench.edges;
    while (done < jobs.size()) {
        if (bench.edges - begin > 100000) {
            ADD_FAILURE() << "the encoder does not end";
            break;
        }
        m.job_valid_i = given < jobs.size();
        if (m.job_valid_i) {
            const EncodeJob &job = jobs[given];
            m.job_i = job.d << 12 | job.slot << 8 | job.operand << 6 | job.operand_slot << 2 | job.negate << 1 |
                      job.message;
        }
        m.read_ready_i = bench.chance(read_chance);
        const Read due = pipeline.front();
        pipeline.pop_front();
        if (due.valid) {
            set_coefficients(m.read_x_i.data(), &jobs[due.job].x[8 * due.group]);
            set_coefficients(m.read_y_i.data(), &jobs[due.job].y[8 * due.group]);
        } else {
            set_coefficients(m.read_x_i.data(), &jobs[0].x[0]);
        }
        m.message_byte_i = byte;
        m.eval();
        byte = due.valid ? jobs[due.job].m[m.message_index_o] : 0x5a;
        const bool job_passes = m.job_valid_i && m.job_ready_o, granted = m.read_valid_o && m.read_ready_i;
        pipeline.push_back({reading, group, granted});
        if (granted) {
            if (first_read == 0) first_read = bench.edges;
            EXPECT_EQ(m.read_index_o, group);
            EXPECT_EQ(m.read_slot_o, jobs[reading].slot);
            EXPECT_EQ(m.read_operand_o, jobs[reading].operand);
            EXPECT_EQ(m.read_operand_slot_o, jobs[reading].operand_slot);
            group = (group + 1) % 32;
            reading += group == 0;
        }
        if (m.word_valid_o) {
            if (first_word == 0) first_word = bench.edges;
            const EncodeJob &job = jobs[done];
            if (word == 0) {
                Poly sums;
                for (size_t i = 0; i < 256; ++i) {
                    unsigned c = job.y[i] + (job.negate ? q - job.x[i] : job.x[i]);
                    if (job.message && (job.m[i / 8] >> i % 8 & 1)) c += 1665;
                    sums[i] = compress(job.d, c % q);
                }
                expected = pack(job.d, sums);
            }
            EXPECT_EQ(m.word_o, expected[word]) << "d " << job.d << " word " << word;
            EXPECT_EQ(m.word_last_o, word + 1 == expected.size());
            word = m.word_last_o ? 0 : word + 1;
            done += m.word_last_o;
        }
        if (given > done) {
            EXPECT_FALSE(m.idle_o);
        }
        bench.step();
        given += job_passes;
    }
    m.job_valid_i = 0;
    bench.step();
    EXPECT_TRUE(m.idle_o);
    return {first_word - first_read, bench.edges - begin};
}

const std::array<unsigned, 5> widths = {4, 5, 10, 11, 12};

// After clear_i, and `rest` cycles later, the state is the same whatever was inside.
template <class Model> void expect_nothing_left(unsigned d, unsigned rest)
{
    for (unsigned cycles = 1; cycles < 50; ++cycles) {
        std::string states[2];
        for (unsigned i : {0, 1}) {
            Bench<Model> bench;
            bench.reset();
            std::mt19937_64 random(i);
            begin_and_clear(bench, d, cycles, random);
            for (unsigned j = 0; j < rest; ++j) bench.step();
            states[i] = state_bytes(*bench.model);
        }
        ASSERT_EQ(states[0], states[1]) << d << " " << cycles;
    }
}

} // namespace

TEST(Decoder, EveryValue)
{
    for (unsigned d : widths) {
        std::vector<DecodeJob> jobs;
        for (const Poly &values : all_values(1u << d)) jobs.push_back({d, d % 2, d, values});
        decode(jobs, 100, 100);
    }
}

TEST(Decoder, WidthsInTurnWithPauses)
{
    std::mt19937_64 random(1);
    for (unsigned chance : {100, 70, 20}) {
        std::vector<DecodeJob> jobs;
        for (unsigned i = 0; i < 20; ++i) {
            const unsigned d = widths[random() % 5];
            DecodeJob job = {d, i % 2, i % 16, {}};
            for (auto &value : job.values) value = random() % (1u << d);
            jobs.push_back(job);
        }
        decode(jobs, chance, 100);
        decode(jobs, 100, chance);
        decode(jobs, chance, chance);
    }
}

TEST(Decoder, TimesAreExact)
{
    for (unsigned d : widths) {
        for (unsigned jobs : {1, 4}) {
            const Times times = decode(std::vector<DecodeJob>(jobs, {d, 0, 0, {}}), 100, 100);
            // A word a cycle, or a group where a word holds more. A group of one word waits for no other.
            const unsigned alone = d < 8;
            EXPECT_EQ(times.first, 4 + alone) << d;
            const unsigned pauses = alone * (jobs - 1); // a cycle between jobs, hidden where words are awaited
            EXPECT_EQ(times.all, jobs * std::max(4 * d, 32u) + pauses + 6 + alone) << d << " " << jobs;
        }
    }
}

TEST(Decoder, WorksAfterClear)
{
    for (unsigned d : widths)
        for (unsigned before = 1; before < 50; ++before) decode({{d, 0, 1, all_values(1u << d)[0]}}, 100, 100, before);
}

TEST(Decoder, ClearLeavesNothing)
{
    for (unsigned d : widths) expect_nothing_left<Vdecoder>(d, 3);
}

TEST(Encoder, EveryValue)
{
    for (unsigned d : {1, 4, 5, 10, 11, 12}) {
        std::vector<EncodeJob> jobs;
        for (const Poly &values : all_values(q)) jobs.push_back({d, 3, 0, 5, 0, 0, values, {}, {}});
        encode(jobs, 100);
    }
}

TEST(Encoder, SumsDifferencesAndMessages)
{
    std::mt19937_64 random(2);
    for (unsigned chance : {100, 60, 15}) {
        std::vector<EncodeJob> jobs;
        for (unsigned i = 0; i < 40; ++i) {
            EncodeJob job = {std::array<unsigned, 6>{1, 4, 5, 10, 11, 12}[random() % 6],
                             i % 16,
                             i % 3,
                             i % 7,
                             i & 1,
                             i >> 1 & 1,
                             {},
                             {},
                             {}};
            if (job.d == 12) job.message = 0;
            for (auto &byte : job.m) byte = static_cast<uint8_t>(random());
            for (size_t k = 0; k < 256; ++k) {
                const std::array<unsigned, 4> extremes = {0, 1, q - 1, 1664};
                job.x[k] = k % 3 == 0 ? extremes[random() % 4] : random() % q;
                job.y[k] = k % 5 == 0 ? extremes[random() % 4] : random() % q;
            }
            jobs.push_back(job);
        }
        encode(jobs, chance);
    }
}

TEST(Encoder, TimesAreExact)
{
    for (unsigned d : {1, 4, 5, 10, 11, 12}) {
        for (unsigned jobs : {1, 4}) {
            const Times times = encode(std::vector<EncodeJob>(jobs, {d, 0, 0, 0, 0, 0, {}, {}, {}}), 100);
            EXPECT_EQ(times.first, 8 + (8 + d - 1) / d - 1) << d; // a word takes 8 / d groups
            // A cycle between jobs, which words of more than 8 bits hide.
            const unsigned pauses = d > 8 ? 0 : jobs - 1;
            EXPECT_EQ(times.all, jobs * std::max(4 * d, 32u) + pauses + 10u) << d << " " << jobs;
        }
    }
}

TEST(Encoder, WorksAfterClear)
{
    const Poly values = all_values(q)[5];
    for (unsigned d : {1, 4, 5, 10, 11, 12})
        for (unsigned before = 1; before < 50; ++before) encode({{d, 3, 0, 5, 0, 0, values, {}, {}}}, 100, before);
}

TEST(Encoder, ClearLeavesNothing)
{
    for (unsigned d : {1, 4, 5, 10, 11, 12}) expect_nothing_left<Vencoder>(d, 8);
}
