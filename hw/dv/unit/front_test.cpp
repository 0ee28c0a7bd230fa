// The stream front end between a source, a sink and a toy core. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "Vlatkem_front.h"
#include "bench.h"
#include "core/state.h"

namespace
{

// The parameters of the model (CMakeLists.txt).
constexpr unsigned ops = 5, sets = 0x8042;
constexpr unsigned good_ops[] = {1, 3}, good_sets[] = {1, 6, 15};

// The toy core's lengths: from one word on.
unsigned request_words(unsigned op, unsigned set)
{
    return op == 1 ? set + 1 : 2 * set + 3;
}
unsigned response_words(unsigned op, unsigned set)
{
    return op == 3 ? set + 1 : set + 9;
}

enum Status { Ok, BadCommand, BadLength, BadEk, BadDk };

struct Request {
    std::vector<uint64_t> beats;
    Status core_status = Ok;
    std::vector<uint64_t> reply; // what the core has to say
    bool starts = false, aborts = false;
    size_t given = 0; // words that the core is given
    std::vector<uint64_t> response;
};

Request make_request(uint64_t command, size_t words, Status core_status, std::mt19937_64 &random)
{
    Request r;
    r.core_status = core_status;
    r.beats.push_back(command);
    for (size_t i = 0; i < words; ++i) r.beats.push_back(random());
    const unsigned op = command & 15, set = command >> 8 & 255;
    const bool good = op >= 1 && op <= 3 && (ops >> (op - 1) & 1) && set < 16 && (sets >> set & 1) &&
                      (command >> 4 & 15) == 0 && command >> 32 == 0;
    Status status = BadCommand;
    if (good) {
        const size_t right = request_words(op, set);
        r.starts = words > 0;
        r.aborts = r.starts && words != right;
        if (r.starts) r.given = r.aborts ? std::min(words, right) - 1 : right;
        status = words == right ? core_status : BadLength;
        for (size_t i = 0; i < response_words(op, set); ++i) r.reply.push_back(random());
    }
    r.response.push_back((command & 0xffffff00) | static_cast<uint64_t>(op) << 32 | status);
    if (status == Ok) r.response.insert(r.response.end(), r.reply.begin(), r.reply.end());
    return r;
}

uint64_t command_of(unsigned op, unsigned set, unsigned tag)
{
    return op | set << 8 | static_cast<uint64_t>(tag) << 16;
}

struct Pauses {
    unsigned source = 100, sink = 100, word = 100, reply = 100, result = 100;
};

class Front
{
  public:
    explicit Front(Pauses pauses = {}, unsigned wipe = 5, unsigned tidy = 0) : pauses_(pauses), wipe_(wipe), tidy_(tidy)
    {
        m.zeroize_i = m.s_axis_tvalid = m.s_axis_tlast = m.m_axis_tready = m.word_ready_i = 0;
        m.result_valid_i = m.result_status_i = m.reply_valid_i = 0;
        m.s_axis_tdata = m.reply_i = 0;
        m.core_busy_i = 1;
        m.core_tidying_i = 0;
        reset();
    }

    void reset()
    {
        m.rst_ni = 0;
        m.eval();
        EXPECT_FALSE(m.s_axis_tready || m.m_axis_tvalid);
        forget();
        bench.reset();
    }

    // Takes a new queue of requests; what was under way must have been answered or forgotten.
    void queue(std::vector<Request> requests)
    {
        requests_ = std::move(requests);
        sent_ = answered_ = beat_ = answer_ = 0;
        commands = first_words = ends = {};
    }

    void run()
    {
        const uint64_t begin = bench.edges;
        while (answered_ < requests_.size() || m.busy_o) {
            if (bench.edges - begin >
                400 + 200 * requests_.size() * 100 /
                          std::min({pauses_.source, pauses_.sink, pauses_.word, pauses_.reply, pauses_.result})) {
                ADD_FAILURE() << "no end after " << answered_ << " responses";
                return;
            }
            cycle();
            if (::testing::Test::HasFailure()) return;
        }
        EXPECT_EQ(sent_, requests_.size());
        EXPECT_FALSE(running_);
    }

    void cycle(bool zeroize = false)
    {
        const auto before = outputs();
        drive(zeroize);
        EXPECT_EQ(outputs(), before) << "an output depends on an input of the same cycle";
        check_streams();
        if (m.start_o) start();
        check_core(zeroize);
        const Events passed = events();
        bench.step();
        account_streams(passed, zeroize);
        account_core(passed);
        if (zeroize) zeroized();
    }

    Bench<Vlatkem_front> bench;
    Vlatkem_front &m = *bench.model;
    std::vector<uint64_t> commands, first_words, ends; // numbers of edges

  private:
    // The inputs at the next edge.
    struct Events {
        bool in, out, word, reply, start, abort, finish;
    };

    std::array<uint64_t, 5> outputs() const
    {
        return {m.s_axis_tready, m.m_axis_tvalid, m.m_axis_tdata, m.m_axis_tlast, m.busy_o};
    }

    // The next request to answer, if any.
    const Request *now() const
    {
        return answered_ < requests_.size() ? &requests_[answered_] : nullptr;
    }

    // ---- Drive: what is offered stays until it is taken ----

    void drive(bool zeroize)
    {
        m.zeroize_i = zeroize;
        offers_ = (offers_ || bench.chance(pauses_.source)) && sent_ < requests_.size();
        m.s_axis_tvalid = offers_;
        m.s_axis_tdata = offers_ ? requests_[sent_].beats[beat_] : 0;
        m.s_axis_tlast = offers_ && beat_ + 1 == requests_[sent_].beats.size();
        m.m_axis_tready = bench.chance(pauses_.sink);
        drive_core();
        m.eval();
    }

    void drive_core()
    {
        m.core_busy_i = busy_ > 0;
        m.core_tidying_i = busy_ == 0 && tidying_ > 0;
        m.word_ready_i = bench.chance(pauses_.word);
        m.request_words_i = request_words(m.op_o, set_);
        m.response_words_i = response_words(m.op_o, set_);
        knows_ = running_ && m.received_o && (knows_ || bench.chance(pauses_.result));
        m.result_valid_i = knows_;
        m.result_status_i = knows_ ? core_.core_status : 0;
        replies_ = running_ && replied_ < core_.reply.size() && (replies_ || bench.chance(pauses_.reply));
        m.reply_valid_i = replies_;
        m.reply_i = replies_ ? core_.reply[replied_] : 0;
    }

    // ---- Check ----

    void check_streams() const
    {
        if (m.s_axis_tready) {
            EXPECT_TRUE(beat_ > 0 || busy_ == 0) << "takes a command while the core wipes";
        }
        if (!m.word_valid_o && !m.abort_o) {
            EXPECT_TRUE(m.word_o == 0 || inside_ > 0);
        }
        if (outstanding_) {
            EXPECT_TRUE(m.busy_o);
        }
        if (busy_ > 0 || tidying_ > 0) {
            EXPECT_TRUE(m.busy_o) << "the core wipes";
        }
        if (m.m_axis_tvalid) {
            check_beat();
        } else {
            EXPECT_EQ(m.m_axis_tdata, 0u);
            EXPECT_FALSE(waits_);
        }
    }

    void check_beat() const
    {
        EXPECT_TRUE(outstanding_);
        EXPECT_EQ(sent_, answered_ + 1) << "responds before the request's end";
        if (now() == nullptr) return;
        EXPECT_EQ(m.m_axis_tdata, now()->response[answer_]) << "beat " << answer_ << " of response " << answered_;
        EXPECT_EQ(m.m_axis_tlast, answer_ + 1 == now()->response.size());
    }

    // The core takes up what the front end says to begin.
    void start()
    {
        ASSERT_TRUE(now() != nullptr && now()->starts && !started_ && busy_ == 0);
        running_ = started_ = true;
        given_ = replied_ = 0;
        core_ = *now();
        EXPECT_EQ(m.op_o, core_.beats[0] & 15);
        EXPECT_EQ(set_, core_.beats[0] >> 8 & 15);
    }

    void check_core(bool zeroize) const
    {
        if (m.word_valid_o) {
            EXPECT_TRUE(running_ && given_ < core_.given);
            EXPECT_EQ(m.word_o, core_.beats[1 + given_]);
        }
        if (m.abort_o && !zeroize) {
            EXPECT_TRUE(core_.aborts && running_ && given_ == core_.given);
        }
        if (m.received_o) {
            EXPECT_TRUE(running_ && !core_.aborts && given_ == core_.given);
        }
        if (m.reply_valid_i && m.reply_ready_o) {
            EXPECT_TRUE(core_.core_status == Ok);
        }
        if (m.finish_o && !zeroize) {
            EXPECT_TRUE(running_ && answered_ > 0 && !outstanding_);
        }
    }

    // ---- Account ----

    Events events()
    {
        if (m.word_valid_o && given_ == 0 && first_words.size() < commands.size()) first_words.push_back(bench.edges);
        set_ = m.next_set_o;
        return {m.s_axis_tvalid && m.s_axis_tready,
                m.m_axis_tvalid && m.m_axis_tready,
                m.word_valid_o && m.word_ready_i,
                m.reply_valid_i && m.reply_ready_o,
                m.start_o != 0,
                m.abort_o != 0,
                m.finish_o != 0};
    }

    void account_core(const Events &passed)
    {
        if (busy_ > 0)
            --busy_;
        else if (tidying_ > 0)
            --tidying_;
        if (passed.start) tidying_ = 0;
        given_ += passed.word;
        replied_ += passed.reply;
        if (passed.reply) replies_ = false;
        if (passed.abort || passed.finish) {
            knows_ = running_ = false;
            busy_ = wipe_;
            tidying_ = passed.finish ? tidy_ : 0;
        }
    }

    void account_streams(const Events &passed, bool zeroize)
    {
        waits_ = m.m_axis_tvalid && !passed.out && !zeroize;
        inside_ += passed.in;
        if (passed.start) inside_ = std::max<size_t>(inside_, 1) - 1;
        if (passed.in) account_word();
        if (passed.out && ++answer_ == requests_[answered_].response.size()) account_answer();
    }

    void account_word()
    {
        offers_ = false;
        if (beat_ == 0) {
            commands.push_back(bench.edges);
            outstanding_ = true;
            started_ = false;
        }
        if (++beat_ == requests_[sent_].beats.size()) {
            beat_ = 0;
            ++sent_;
        }
    }

    void account_answer()
    {
        EXPECT_EQ(started_, requests_[answered_].starts);
        EXPECT_TRUE(!running_ || replied_ == 0 || replied_ == requests_[answered_].reply.size());
        ends.push_back(bench.edges);
        answer_ = 0;
        ++answered_;
        outstanding_ = false;
        inside_ = 0;
    }

    void zeroized()
    {
        forget();
        EXPECT_TRUE(m.busy_o);
        EXPECT_FALSE(m.s_axis_tready || m.m_axis_tvalid);
    }

    void forget()
    {
        running_ = started_ = offers_ = knows_ = replies_ = waits_ = outstanding_ = false;
        inside_ = 0;
        busy_ = wipe_;
        tidying_ = 0;
        requests_.clear();
        sent_ = answered_ = beat_ = answer_ = given_ = replied_ = 0;
    }

    Pauses pauses_;
    unsigned wipe_, tidy_, busy_ = 0, tidying_ = 0, set_ = 0;
    std::vector<Request> requests_;
    Request core_; // what the core works at
    size_t sent_ = 0, answered_ = 0, beat_ = 0, answer_ = 0, given_ = 0, replied_ = 0, inside_ = 0;
    bool running_ = false, started_ = false, offers_ = false, knows_ = false, replies_ = false, waits_ = false;
    bool outstanding_ = false;
};

size_t residue(Front &front, const Request &request)
{
    const std::string state = state_bytes(*front.bench.model);
    size_t found = 0;
    for (const auto &words : {std::vector<uint64_t>(request.beats.begin() + 1, request.beats.end()), request.reply})
        for (uint64_t word : words)
            found += state.find(std::string(reinterpret_cast<const char *>(&word), 8)) != std::string::npos;
    return found;
}

std::mt19937_64 seeded(3);

} // namespace

TEST(Front, EveryGoodCommand)
{
    std::vector<Request> requests;
    for (unsigned op : good_ops)
        for (unsigned set : good_sets)
            for (Status status : {Ok, BadEk, BadDk})
                requests.push_back(
                    make_request(command_of(op, set, seeded() & 0xffff), request_words(op, set), status, seeded));
    Front front;
    front.queue(requests);
    front.run();
}

TEST(Front, EveryBadCommand)
{
    std::vector<Request> requests;
    for (size_t words : {0, 1, 2, 9}) {
        for (unsigned op = 0; op < 16; ++op)
            for (unsigned set = 0; set < 256; ++set)
                requests.push_back(make_request(command_of(op, set, seeded() & 0xffff), words, Ok, seeded));
        for (unsigned bit = 0; bit < 64; ++bit)
            requests.push_back(make_request(command_of(1, 1, 0xa5c3) ^ uint64_t{1} << bit, words, Ok, seeded));
    }
    Front front;
    front.queue(requests);
    front.run();
}

TEST(Front, EveryLength)
{
    for (unsigned chance : {100, 60}) {
        std::vector<Request> requests;
        for (unsigned op : good_ops)
            for (unsigned set : good_sets)
                for (size_t words = 0; words < request_words(op, set) + 10u; ++words)
                    requests.push_back(make_request(command_of(op, set, words), words, words % 2 ? Ok : BadEk, seeded));
        Front front({chance, chance, chance, chance, chance});
        front.queue(requests);
        front.run();
    }
}

TEST(Front, PausesChangeNothing)
{
    for (unsigned i = 0; i < 60; ++i) {
        auto chance = [] { return std::array<unsigned, 4>{100, 75, 40, 12}[seeded() % 4]; };
        std::vector<Request> requests;
        for (unsigned j = 0; j < 25; ++j) {
            const unsigned op = good_ops[seeded() % 2], set = good_sets[seeded() % 3];
            const size_t words = request_words(op, set) + (seeded() % 4 == 0 ? seeded() % 3 : 0);
            requests.push_back(make_request(command_of(op, set, j), words, seeded() % 3 == 0 ? BadDk : Ok, seeded));
        }
        Front front({chance(), chance(), chance(), chance(), chance()}, seeded() % 9 + 1, seeded() % 9);
        front.queue(requests);
        front.run();
    }
}

TEST(Front, TimesAreExact)
{
    const unsigned op = 3, set = 15, in = request_words(op, set), out = response_words(op, set);
    std::vector<Request> requests;
    for (unsigned i = 0; i < 4; ++i) requests.push_back(make_request(command_of(op, set, i), in, Ok, seeded));
    constexpr unsigned wipe = 5;
    Front front({}, wipe);
    front.queue(requests);
    front.run();
    for (size_t i = 0; i < requests.size(); ++i) {
        // The first word is there in the cycle after the one in which it passes.
        EXPECT_EQ(front.first_words[i] - front.commands[i], 1u);
        // A beat a cycle either way; from the last word in to the header four edges, if the core knows at once.
        EXPECT_EQ(front.ends[i] - front.commands[i], in + out + 4);
        // From the response's end: one edge to `finish_o`, the wipe, one to ready, one to pass.
        if (i > 0) {
            EXPECT_EQ(front.commands[i] - front.ends[i - 1], 1 + wipe + 2);
        }
    }
}

TEST(Front, ZeroizeAndResetAtEveryPhase)
{
    for (bool zeroize : {true, false}) {
        for (unsigned chance : {100, 70}) {
            for (size_t too_many : {0, 2}) {
                Front front({chance, chance, chance, chance, chance});
                const Request request = make_request(command_of(1, 6, 7), request_words(1, 6) + too_many, Ok, seeded);
                for (unsigned phase = 0; phase < 60; ++phase) {
                    front.queue({request, request});
                    for (unsigned i = 0; i < phase; ++i) front.cycle();
                    if (zeroize) {
                        for (unsigned i = 0; i < 1 + phase % 3; ++i) front.cycle(true);
                        front.cycle();
                        EXPECT_EQ(residue(front, request), 0u) << phase;
                    } else {
                        front.reset();
                    }
                    front.queue({make_request(command_of(3, 1, phase), request_words(3, 1), Ok, seeded)});
                    front.run();
                    ASSERT_FALSE(HasFailure()) << phase;
                }
            }
        }
    }
}

TEST(Front, KeepsNoWord)
{
    LATKEM_NEEDS_STATE();
    for (unsigned chance : {100, 50, 20}) {
        for (size_t words : {request_words(3, 6), request_words(3, 6) - 1, request_words(3, 6) + 3}) {
            Front front({100, chance, chance, 100, 100});
            const Request request = make_request(command_of(3, 6, 9), words, Ok, seeded);
            front.queue({request});
            for (unsigned i = 0; i < 12; ++i) front.cycle();
            EXPECT_GT(residue(front, request), 0u); // the search finds what is there
            front.run();
            front.cycle();
            EXPECT_EQ(residue(front, request), 0u);
        }
    }
}
