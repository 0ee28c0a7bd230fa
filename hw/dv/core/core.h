// A core under test: drives both streams, numbers the edges, and checks the rules of the streams at every one.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_CORE_H
#define LATKEM_HW_CORE_H

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "bench.h"

using Words = std::vector<uint64_t>;

enum Operation { Keygen = 1, Encaps = 2, Decaps = 3 };
enum Status { Ok = 0, BadCommand = 1, BadLength = 2, BadEk = 3, BadDk = 4 };

struct Response {
    Words words;          // the header first
    uint64_t command = 0; // the edge at which the command passed
    uint64_t last = 0;    // and that of the last beat
    uint64_t idle = 0;    // the first edge after which busy_o is low
    unsigned status() const
    {
        return static_cast<unsigned>(words.at(0) & 0xff);
    }
    uint64_t latency() const
    {
        return last - command;
    }
};

inline uint64_t command_word(unsigned operation, unsigned set, unsigned tag = 0)
{
    return operation | set << 8 | static_cast<uint64_t>(tag) << 16;
}

template <class Model> class Core : public Bench<Model>
{
  public:
    using Bench<Model>::model;
    using Bench<Model>::edges;

    Core()
    {
        reset();
    }

    void reset()
    {
        model->zeroize_i = model->s_axis_tvalid = model->s_axis_tlast = model->m_axis_tready = 0;
        model->s_axis_tdata = 0;
        Bench<Model>::reset();
        forget();
        wait_idle();
    }

    void wait_idle(uint64_t limit = 4096)
    {
        const uint64_t begin = edges;
        while (model->busy_o) {
            tick();
            if (edges - begin > limit) {
                ADD_FAILURE() << "busy for more than " << limit << " cycles";
                return;
            }
        }
    }

    // One edge with the streams as set; checks that a beat that waits stays, and that nothing answers too early.
    void tick()
    {
        model->eval();
        const bool in = model->s_axis_tvalid && model->s_axis_tready,
                   out = model->m_axis_tvalid && model->m_axis_tready;
        if (waiting_) {
            EXPECT_TRUE(model->m_axis_tvalid) << "a beat was taken back";
            EXPECT_EQ(model->m_axis_tdata, held_data_) << "a beat that waits has changed";
            EXPECT_EQ(model->m_axis_tlast, held_last_);
        }
        waiting_ = model->m_axis_tvalid && !model->m_axis_tready;
        held_data_ = model->m_axis_tdata;
        held_last_ = model->m_axis_tlast;
        if (model->m_axis_tvalid) {
            EXPECT_GT(complete_, answered_) << "an answer before the request's end";
        }
        if (tracing)
            trace.push_back(
                static_cast<uint8_t>(model->s_axis_tready | model->m_axis_tvalid << 1 | model->busy_o << 2));
        if (in) {
            if (fresh_) commands_.push_back(edges + 1);
            fresh_ = model->s_axis_tlast;
            complete_ += model->s_axis_tlast;
        }
        if (out) {
            if (response_.words.empty()) response_.command = commands_.empty() ? 0 : commands_.front();
            response_.words.push_back(model->m_axis_tdata);
            if (model->m_axis_tlast) {
                response_.last = edges + 1;
                if (!commands_.empty()) commands_.pop_front();
                ++answered_;
                responses.push_back(response_);
                response_ = {};
            }
        }
        Bench<Model>::step();
        if (in) {
            EXPECT_TRUE(model->busy_o) << "idle after a command";
        }
        if (watch) watch();
    }

    // Feeds the words of requests, each a packet, and collects as many responses.
    std::vector<Response> run(const std::vector<Words> &requests, unsigned in_chance = 100, unsigned out_chance = 100,
                              uint64_t limit = 400000)
    {
        size_t packet = 0, word = 0;
        bool offered = false;
        responses.clear();
        const uint64_t begin = edges;
        while (responses.size() < requests.size()) {
            offered = offered || this->chance(in_chance);
            model->s_axis_tvalid = offered && packet < requests.size();
            if (model->s_axis_tvalid) {
                model->s_axis_tdata = requests[packet][word];
                model->s_axis_tlast = word + 1 == requests[packet].size();
            }
            model->m_axis_tready = this->chance(out_chance);
            model->eval();
            const bool passes = model->s_axis_tvalid && model->s_axis_tready;
            tick();
            if (passes) {
                offered = false;
                if (++word == requests[packet].size()) {
                    ++packet;
                    word = 0;
                }
            }
            if (edges - begin > limit) {
                ADD_FAILURE() << "no answer";
                break;
            }
        }
        model->s_axis_tvalid = 0;
        model->m_axis_tready = 0;
        auto result = responses;
        const uint64_t end = edges;
        wait_idle(2048);
        if (!result.empty()) result.back().idle = edges;
        idle_after_ = edges - end;
        return result;
    }

    Response run(const Words &request, unsigned in_chance = 100, unsigned out_chance = 100)
    {
        const auto all = run(std::vector<Words>{request}, in_chance, out_chance);
        return all.empty() ? Response{{~uint64_t{0}}} : all.front();
    }

    // The first cycles of a request, streams without pauses.
    void begin(const Words &request, uint64_t cycles)
    {
        size_t word = 0;
        for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
            model->s_axis_tvalid = word < request.size();
            model->s_axis_tdata = model->s_axis_tvalid ? request[word] : 0;
            model->s_axis_tlast = word + 1 == request.size();
            model->m_axis_tready = 1;
            model->eval();
            word += model->s_axis_tvalid && model->s_axis_tready;
            tick();
        }
    }

    // Reset, or zeroisation, for some edges, while the streams offer what they last did; then the wipe. A beat may pass
    // at the first edge of zeroisation and at no other.
    void interrupt(bool zeroize, unsigned count)
    {
        model->zeroize_i = zeroize;
        model->rst_ni = zeroize;
        model->eval();
        EXPECT_TRUE(zeroize || !(model->s_axis_tready || model->m_axis_tvalid));
        for (unsigned i = 0; i < count; ++i) {
            Bench<Model>::step();
            EXPECT_FALSE(model->s_axis_tready || model->m_axis_tvalid);
            EXPECT_TRUE(model->busy_o || !zeroize);
        }
        model->zeroize_i = model->s_axis_tvalid = model->m_axis_tready = 0;
        model->rst_ni = 1;
        model->eval();
        forget();
        wait_idle();
    }

    // Forgets what was under way, as the core does on reset and zeroisation.
    void forget()
    {
        commands_.clear();
        response_ = {};
        fresh_ = true;
        waiting_ = false;
        complete_ = answered_ = 0;
    }

    std::vector<Response> responses;
    std::function<void()> watch; // after every edge
    bool tracing = false;
    std::vector<uint8_t> trace;

  private:
    Response response_;
    std::deque<uint64_t> commands_;
    bool fresh_ = true, waiting_ = false;
    uint64_t held_data_ = 0, complete_ = 0, answered_ = 0, idle_after_ = 0;
    unsigned held_last_ = 0;
};

#endif
