// The registers around the streams: a bus with pauses on one side, a source and a sink with pauses on the other.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Vlatkem_axil.h"
#include "bench.h"
#include "core/state.h"

namespace
{

constexpr unsigned depth = 8; // words that wait each way
enum Register {
    Id,
    Version = 4,
    Control = 8,
    Status = 12,
    ReqLow = 16,
    ReqHigh = 20,
    ReqLast = 24,
    RspLow = 28,
    RspHigh = 32
};
constexpr uint32_t zeroize_bit = 1u << 31, response_bit = 1, idle_bit = 2;
constexpr unsigned okay = 0, error = 2;

struct Beat {
    uint64_t data;
    bool last;
    bool operator==(const Beat &other) const
    {
        return data == other.data && last == other.last;
    }
};

struct Write {
    unsigned address;
    uint32_t data;
    unsigned strobes = 15;
};

struct Answer {
    unsigned response;
    uint32_t data;
};

// Chances in percent that a side does its part in a cycle.
struct Pauses {
    unsigned bus = 100, source = 100, sink = 100;
};

class Registers
{
  public:
    explicit Registers(Pauses chosen = {}) : pauses(chosen)
    {
        m.rst_ni = 0;
        m.zeroize_i = m.core_busy_i = m.m_axis_tready = m.s_axis_tvalid = m.s_axis_tlast = 0;
        m.s_axis_tdata = 0;
        idle_bus();
        m.eval();
        EXPECT_FALSE(m.m_axis_tvalid || m.s_axis_tready || m.s_axil_bvalid || m.s_axil_rvalid || m.irq_o);
        bench.reset();
        cycle(); // from here on words are taken
    }

    // Writes and reads that are begun together; each ends when it is answered.
    unsigned write(unsigned address, uint32_t data, unsigned strobes = 15)
    {
        writes.push_back({address, data, strobes});
        return run().first->response;
    }

    Answer read(unsigned address)
    {
        reads.push_back(address);
        return *run().second;
    }

    std::pair<std::optional<Answer>, std::optional<Answer>> run()
    {
        std::optional<Answer> written, got;
        for (unsigned waited = 0; !writes.empty() || !reads.empty(); ++waited) {
            if (waited > 2000) {
                ADD_FAILURE() << "no answer";
                return {Answer{9, 0}, Answer{9, 0}};
            }
            cycle();
            if (write_answer) written = write_answer;
            if (read_answer) got = read_answer;
        }
        return {written, got};
    }

    // A cycle of all sides.
    void cycle()
    {
        const auto before = outputs();
        drive();
        m.eval();
        EXPECT_EQ(outputs(), before) << "an output depends on an input of the same cycle";
        trace += outputs();
        account();
        bench.step();
        m.eval();
    }

    std::string outputs()
    {
        return {static_cast<char>(m.s_axil_awready | m.s_axil_wready << 1 | m.s_axil_bvalid << 2 |
                                  m.s_axil_arready << 3 | m.s_axil_rvalid << 4 | m.m_axis_tvalid << 5 |
                                  m.s_axis_tready << 6),
                static_cast<char>(m.irq_o | m.busy_o << 1 | m.core_zeroize_o << 2 | m.s_axil_bresp << 3 |
                                  m.s_axil_rresp << 5)};
    }

    void idle_bus()
    {
        m.s_axil_awvalid = m.s_axil_wvalid = m.s_axil_bready = m.s_axil_arvalid = m.s_axil_rready = 0;
        m.s_axil_awaddr = m.s_axil_araddr = m.s_axil_wdata = m.s_axil_wstrb = 0;
    }

    Bench<Vlatkem_axil> bench;
    Vlatkem_axil &m = *bench.model;
    Pauses pauses;
    std::deque<Write> writes;
    std::deque<unsigned> reads;
    std::optional<Answer> write_answer, read_answer; // of the last cycle
    std::vector<Beat> sunk;                          // that the core has taken
    std::deque<Beat> source;                         // that it has to send
    std::string trace;

  private:
    // A valid that was high stays; another begins by chance.
    bool offers(bool wanted, bool was)
    {
        return wanted && (was || bench.chance(pauses.bus));
    }

    void drive()
    {
        aw_ = offers(!writes.empty() && !aw_passed_, aw_);
        w_ = offers(!writes.empty() && !w_passed_, w_);
        ar_ = offers(!reads.empty() && !ar_passed_, ar_);
        m.s_axil_awvalid = aw_;
        m.s_axil_awaddr = aw_ ? writes.front().address : bench.random() & 0xfff;
        m.s_axil_wvalid = w_;
        m.s_axil_wdata = w_ ? writes.front().data : noise();
        m.s_axil_wstrb = w_ ? writes.front().strobes : 15;
        m.s_axil_arvalid = ar_;
        m.s_axil_araddr = ar_ ? reads.front() : static_cast<unsigned>(RspHigh);
        m.s_axil_bready = bench.chance(pauses.bus);
        m.s_axil_rready = bench.chance(pauses.bus);
        m.m_axis_tready = bench.chance(pauses.sink);
        send_ = !source.empty() && (send_ || bench.chance(pauses.source));
        m.s_axis_tvalid = send_;
        m.s_axis_tdata = send_ ? source.front().data : noise();
        m.s_axis_tlast = send_ ? source.front().last : 1;
    }

    // The wires may have anything while nothing is offered.
    uint64_t noise()
    {
        return bench.random();
    }

    void account()
    {
        write_answer = read_answer = {};
        if (aw_ && m.s_axil_awready) aw_passed_ = true, aw_ = false;
        if (w_ && m.s_axil_wready) w_passed_ = true, w_ = false;
        if (ar_ && m.s_axil_arready) ar_passed_ = true, ar_ = false;
        if (m.s_axil_bvalid && m.s_axil_bready) {
            EXPECT_TRUE(aw_passed_ && w_passed_) << "an answer to no write";
            write_answer = Answer{m.s_axil_bresp, 0};
            writes.pop_front();
            aw_passed_ = w_passed_ = false;
        }
        if (m.s_axil_rvalid && m.s_axil_rready) {
            EXPECT_TRUE(ar_passed_) << "an answer to no read";
            read_answer = Answer{m.s_axil_rresp, m.s_axil_rdata};
            reads.pop_front();
            ar_passed_ = false;
        }
        if (m.m_axis_tvalid && m.m_axis_tready) sunk.push_back({m.m_axis_tdata, m.m_axis_tlast != 0});
        if (send_ && m.s_axis_tready) {
            source.pop_front();
            send_ = false;
        }
    }

    bool aw_ = false, w_ = false, ar_ = false, send_ = false;
    bool aw_passed_ = false, w_passed_ = false, ar_passed_ = false;
};

unsigned space(uint32_t status)
{
    return status >> 8 & 255;
}
unsigned words(uint32_t status)
{
    return status >> 16 & 255;
}
unsigned pending(uint32_t status)
{
    return status >> 24 & 3;
}
bool busy(uint32_t status)
{
    return status & 1;
}
bool last(uint32_t status)
{
    return status & 2;
}

// Queues the two writes of a word.
void put(Registers &r, Beat beat)
{
    ASSERT_EQ(r.write(ReqLow, static_cast<uint32_t>(beat.data)), okay);
    ASSERT_EQ(r.write(beat.last ? ReqLast : ReqHigh, beat.data >> 32), okay);
}

TEST(Axil, EachAddressIsARegisterOrAnError)
{
    Registers r;
    const std::map<unsigned, uint32_t> readable = {
        {Id, 0x4c4b454d}, {Version, 1u << 16 | depth}, {Control, 0}, {Status, depth << 8}};
    ASSERT_EQ(r.write(Status, 3u << 24), okay);
    for (unsigned address = 0; address < 4096; ++address) {
        const auto [response, data] = r.read(address);
        const auto found = readable.find(address);
        ASSERT_EQ(response, found == readable.end() ? error : okay) << address;
        ASSERT_EQ(data, found == readable.end() ? 0 : found->second) << address;
    }
    r.pauses.sink = 0;
    for (unsigned address = 0; address < 4096; ++address) {
        const bool writable = address % 4 == 0 && address >= Control && address <= ReqLast;
        ASSERT_EQ(r.write(address, 0), writable ? okay : error) << address;
    }
    EXPECT_EQ(space(r.read(Status).data), depth - 2); // ReqHigh and ReqLast
}

TEST(Axil, WritesOfPartsDoNothing)
{
    Registers r;
    r.pauses.sink = 0;
    for (unsigned strobes = 0; strobes < 15; ++strobes) {
        for (unsigned address : {Control, Status, ReqLow, ReqHigh, ReqLast})
            ASSERT_EQ(r.write(address, ~0u, strobes), error) << address;
    }
    EXPECT_EQ(r.read(Status).data, idle_bit << 24 | depth << 8); // idle since the reset
    EXPECT_EQ(r.read(Control).data, 0u);
}

TEST(Axil, AFullQueueRefusesAndAnEmptyOneHasNothing)
{
    Registers r;
    r.pauses.sink = 0;
    std::vector<Beat> beats;
    for (unsigned i = 0; i < depth; ++i) {
        EXPECT_EQ(space(r.read(Status).data), depth - i);
        beats.push_back({r.bench.random(), i % 3 == 0});
        put(r, beats.back());
    }
    EXPECT_EQ(space(r.read(Status).data), 0u);
    for (unsigned address : {ReqHigh, ReqLast}) EXPECT_EQ(r.write(address, 5), error);
    r.pauses.sink = 100;
    while (r.sunk.size() < depth) r.cycle();
    EXPECT_EQ(r.sunk, beats);
    for (unsigned address : {RspLow, RspHigh}) {
        const auto [response, data] = r.read(address);
        EXPECT_EQ(response, error);
        EXPECT_EQ(data, 0u);
    }
}

TEST(Axil, ResponsesAreReadInOrderAndTheCoreWaits)
{
    Registers r;
    std::vector<Beat> beats;
    for (unsigned i = 0; i < 3 * depth; ++i) beats.push_back({r.bench.random(), i % 5 == 4});
    r.source.assign(beats.begin(), beats.end());
    for (unsigned i = 0; i < 2 * depth; ++i) r.cycle();
    EXPECT_EQ(r.source.size(), 2 * depth);
    for (const Beat &beat : beats) {
        const uint32_t status = r.read(Status).data;
        EXPECT_GT(words(status), 0u);
        EXPECT_EQ(last(status), beat.last);
        for (unsigned twice = 0; twice < 2; ++twice) EXPECT_EQ(r.read(RspLow).data, beat.data & 0xffffffff);
        EXPECT_EQ(r.read(RspHigh).data, beat.data >> 32);
    }
    EXPECT_EQ(words(r.read(Status).data), 0u);
}

// Requests and responses at the same time, with pauses everywhere: none is lost, made, changed or overtaken.
TEST(Axil, RandomTrafficKeepsAllWords)
{
    for (const Pauses pauses : {Pauses{}, {40, 30, 30}, {90, 100, 10}, {100, 10, 100}, {15, 100, 100}}) {
        Registers r(pauses);
        std::vector<Beat> sent, answers, got;
        uint64_t low = 0;
        for (unsigned i = 0; i < 600; ++i) answers.push_back({r.bench.random(), r.bench.chance(20)});
        r.source.assign(answers.begin(), answers.end());
        while (sent.size() < 600 || got.size() < answers.size()) {
            ASSERT_LT(r.bench.edges, 400000u) << "no end";
            const uint32_t status = r.read(Status).data;
            const bool writes = sent.size() < 600 && r.bench.chance(80), reads = r.bench.chance(80);
            const Beat beat = {r.bench.random(), r.bench.chance(20)};
            for (unsigned half = 0; half < 2; ++half) {
                const unsigned high = beat.last ? ReqLast : ReqHigh;
                if (writes) r.writes.push_back({half ? high : ReqLow, static_cast<uint32_t>(beat.data >> 32 * half)});
                if (reads) r.reads.push_back(half ? RspHigh : RspLow);
                const auto [written, read] = r.run();
                if (writes) {
                    // There was room for a word if the status said so; there may be some since.
                    if (half == 0 || space(status) > 0) ASSERT_EQ(written->response, okay);
                    if (half == 1 && written->response == okay) sent.push_back(beat);
                }
                if (!reads) continue;
                if (words(status) > 0) ASSERT_EQ(read->response, okay);
                if (read->response != okay) ASSERT_EQ(read->data, 0u);
                if (half == 0) low = read->response == okay ? read->data : ~0ull;
                if (half == 1 && read->response == okay) {
                    // A word that came between the reads of its halves has its lower one as expected.
                    if (low == ~0ull) low = answers[got.size()].data & 0xffffffff;
                    got.push_back({low | static_cast<uint64_t>(read->data) << 32, answers[got.size()].last});
                }
            }
        }
        while (r.sunk.size() < sent.size() && r.bench.edges < 400000) r.cycle();
        EXPECT_TRUE(r.sunk == sent);
        EXPECT_TRUE(got == answers);
    }
}

TEST(Axil, AResponseInterruptsOnce)
{
    Registers r;
    r.write(Status, 3u << 24);
    r.source = {{1, false}, {2, true}, {3, true}};
    while (!r.source.empty()) r.cycle();
    EXPECT_FALSE(r.m.irq_o) << "not enabled";
    EXPECT_EQ(pending(r.read(Status).data), response_bit);
    ASSERT_EQ(r.write(Control, response_bit), okay);
    r.cycle();
    EXPECT_TRUE(r.m.irq_o);
    r.write(Status, idle_bit << 24);
    r.cycle();
    EXPECT_TRUE(r.m.irq_o) << "another cause was acknowledged";
    r.write(Status, response_bit << 24);
    r.cycle();
    EXPECT_FALSE(r.m.irq_o);
    r.source = {{4, false}};
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    EXPECT_TRUE(r.m.irq_o);
    r.write(Status, response_bit << 24);
    r.source = {{5, true}}; // no first word
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    EXPECT_FALSE(r.m.irq_o);
    EXPECT_EQ(r.read(Control).data, response_bit);
}

// The response that comes at the edge of an acknowledgement stays pending, at whatever distance the two are.
TEST(Axil, NoInterruptIsLost)
{
    for (unsigned distance = 0; distance < 12; ++distance) {
        Registers r;
        r.write(Control, response_bit);
        r.source = {{1, true}};
        while (!r.m.irq_o) r.cycle();
        r.writes.push_back({Status, response_bit << 24});
        bool down = false;
        for (unsigned i = 0; i < 20; ++i) {
            if (i == distance) r.source = {{2, true}};
            r.cycle();
            down = down || !r.m.irq_o;
        }
        EXPECT_EQ(words(r.read(Status).data), 2u);
        EXPECT_EQ(down, !r.m.irq_o || distance > 1) << distance;
        EXPECT_EQ(static_cast<bool>(r.m.irq_o), distance >= 1) << distance;
    }
}

TEST(Axil, IdleInterruptsWhenNothingIsLeft)
{
    Registers r;
    r.write(Status, 3u << 24);
    r.write(Control, idle_bit);
    put(r, {7, true});
    r.m.core_busy_i = 1;
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    EXPECT_TRUE(busy(r.read(Status).data));
    r.source = {{8, true}};
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    r.m.core_busy_i = 0;
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    EXPECT_FALSE(r.m.irq_o) << "a response waits";
    EXPECT_TRUE(busy(r.read(Status).data));
    r.read(RspHigh);
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    EXPECT_TRUE(r.m.irq_o);
    EXPECT_EQ(pending(r.read(Status).data), response_bit | idle_bit);
    EXPECT_FALSE(busy(r.read(Status).data));
    for (unsigned i = 0; i < 4; ++i) r.cycle();
    EXPECT_FALSE(r.m.busy_o);
}

class AxilZeroize : public ::testing::TestWithParam<bool>
{
  protected:
    // By the register's bit or by the pin.
    void zeroize()
    {
        if (GetParam()) {
            EXPECT_EQ(r.write(Control, zeroize_bit), okay);
            return;
        }
        r.m.zeroize_i = 1;
        r.cycle();
        r.m.zeroize_i = 0;
        r.cycle();
    }

    Registers r;
};
INSTANTIATE_TEST_SUITE_P(By, AxilZeroize, ::testing::Bool());

TEST_P(AxilZeroize, ForgetsAllWords)
{
    r.pauses.sink = 0;
    for (unsigned i = 0; i < 3; ++i) put(r, {r.bench.random(), false});
    r.write(ReqLow, 0x12345678);
    r.source = {{1, false}, {2, false}};
    while (!r.source.empty()) r.cycle();
    r.trace.clear();
    zeroize();
    unsigned pulses = 0;
    for (size_t i = 1; i < r.trace.size(); i += 2) pulses += r.trace[i] >> 2 & 1;
    EXPECT_EQ(pulses, 1u) << "cycles in which the core is zeroised";
    const uint32_t status = r.read(Status).data;
    EXPECT_EQ(space(status), depth);
    EXPECT_EQ(words(status), 0u);
    EXPECT_EQ(pending(status) & response_bit, 0u);
    EXPECT_EQ(r.write(ReqHigh, 9), okay);
    r.pauses.sink = 100;
    while (r.sunk.empty()) r.cycle();
    EXPECT_EQ(r.sunk[0].data, 9ull << 32) << "a half was kept";
    r.source = {{3, true}}; // after a response that was cut off: a first word again
    while (!r.source.empty()) r.cycle();
    r.cycle();
    EXPECT_EQ(pending(r.read(Status).data) & response_bit, response_bit);
}

TEST(Axil, AWriteThatWaitsIsForgottenAndAReadEmptied)
{
    Registers r;
    r.source = {{~0ull, true}};
    while (!r.source.empty()) r.cycle();
    r.pauses.bus = 0;
    r.idle_bus();
    // By hand: data without an address, and a read with an answer that is not taken.
    r.m.s_axil_wvalid = r.m.s_axil_arvalid = 1;
    r.m.s_axil_wdata = 0x87654321;
    r.m.s_axil_wstrb = 15;
    r.m.s_axil_araddr = RspLow;
    r.bench.step();
    r.m.s_axil_wvalid = r.m.s_axil_arvalid = 0;
    r.m.eval();
    EXPECT_TRUE(r.m.s_axil_rvalid);
    EXPECT_EQ(r.m.s_axil_rdata, ~0u);
    r.m.zeroize_i = 1;
    r.bench.step();
    r.m.zeroize_i = 0;
    r.bench.step();
    r.m.eval();
    EXPECT_TRUE(r.m.s_axil_rvalid);
    EXPECT_EQ(r.m.s_axil_rdata, 0u);
    r.m.s_axil_awvalid = r.m.s_axil_bready = 1;
    r.m.s_axil_awaddr = ReqLow;
    for (unsigned i = 0; i < 3 && !r.m.s_axil_bvalid; ++i) {
        r.bench.step();
        r.m.s_axil_awvalid = 0;
        r.m.eval();
    }
    EXPECT_TRUE(r.m.s_axil_bvalid);
    EXPECT_EQ(r.m.s_axil_bresp, error);
}

struct Seen {
    std::string state, trace;
};

// A request and a response of other words, one way or another; then all that can be said about them.
Seen after(uint64_t seed, bool zeroize)
{
    Registers r({60, 60, 60});
    std::mt19937_64 secret(seed);
    for (unsigned i = 0; i < 20; ++i) {
        r.source.push_back({secret(), i == 19});
        r.writes.push_back({ReqLow, static_cast<uint32_t>(secret())});
        r.writes.push_back({i == 19 ? ReqLast : ReqHigh, static_cast<uint32_t>(secret())});
    }
    for (unsigned i = 0; i < 40; ++i) r.reads.push_back(i % 2 ? RspHigh : RspLow);
    for (unsigned i = 0; zeroize ? i < 50 : !r.writes.empty() || !r.reads.empty() || !r.source.empty(); ++i) {
        if (i > 10000) {
            ADD_FAILURE() << "no end";
            break;
        }
        r.cycle();
    }
    r.idle_bus();
    r.m.m_axis_tready = 1;
    r.m.s_axis_tvalid = r.m.s_axis_tlast = 0;
    r.m.zeroize_i = zeroize;
    if (zeroize) r.bench.step();
    r.m.zeroize_i = 0;
    r.m.s_axil_rready = r.m.s_axil_bready = 1;
    // Values on the wires while nothing is offered are not taken.
    r.m.s_axil_wdata = secret();
    r.m.s_axis_tdata = secret();
    for (unsigned i = 0; i < 20; ++i) r.bench.step();
    EXPECT_FALSE(r.m.busy_o);
    r.m.s_axil_wdata = 0;
    r.m.s_axis_tdata = 0;
    r.m.eval();
    return {state_bytes(r.m), r.trace};
}

TEST(Axil, NothingStaysOfWordsThatPassedAndTimeIsTheSame)
{
    for (const bool zeroize : {false, true}) {
        const Seen one = after(1, zeroize), other = after(2, zeroize);
        EXPECT_TRUE(one.trace == other.trace);
        EXPECT_TRUE(one.state == other.state) << "zeroised: " << zeroize;
    }
}

} // namespace
