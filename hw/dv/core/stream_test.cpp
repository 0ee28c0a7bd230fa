// The streams of a core at the edges of their rules: paths, pauses, busy_o, and what time may depend on.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "Vcore.h"
#include "core/requests.h"

namespace
{

class Streams : public testing::Test
{
  protected:
    using Model = Vcore;

    struct Outputs {
        unsigned busy, ready, valid, last;
        uint64_t data;
        bool operator==(const Outputs &o) const
        {
            return busy == o.busy && ready == o.ready && valid == o.valid && last == o.last && data == o.data;
        }
    };

    Outputs outputs()
    {
        model.eval();
        return {model.busy_o, model.s_axis_tready, model.m_axis_tvalid, model.m_axis_tlast, model.m_axis_tdata};
    }

    // Sends a request; `offer` and `accept` decide in every cycle whether a word is offered and a beat taken. An
    // offered word stays. `each` sees every cycle, with its number.
    Words exchange(const Words &request, const std::function<bool(size_t word)> &offer,
                   const std::function<bool(size_t beat)> &accept, const std::function<void(uint64_t)> &each = nullptr)
    {
        size_t word = 0;
        core.responses.clear();
        model.s_axis_tvalid = 0;
        Words got;
        for (uint64_t cycle = 0; core.responses.empty(); ++cycle) {
            if (!model.s_axis_tvalid) model.s_axis_tvalid = word < request.size() && offer(word);
            model.s_axis_tdata = model.s_axis_tvalid ? request[word] : 0;
            model.s_axis_tlast = model.s_axis_tvalid && word + 1 == request.size();
            model.m_axis_tready = accept(got.size());
            if (each) each(cycle);
            model.eval();
            const bool in = model.s_axis_tvalid && model.s_axis_tready;
            if (model.m_axis_tvalid && model.m_axis_tready) got.push_back(model.m_axis_tdata);
            core.tick();
            if (in) {
                ++word;
                model.s_axis_tvalid = 0;
            }
            if (cycle > 100000) {
                ADD_FAILURE() << "no answer";
                break;
            }
        }
        model.m_axis_tready = 0;
        core.wait_idle(2048);
        return got;
    }

    static bool always(size_t)
    {
        return true;
    }

    Requests requests{5};
    Core<Model> core;
    Model &model = *core.model;
};

// In every cycle of an operation no output moves when an input does.
TEST_F(Streams, NoPathFromInputsToOutputs)
{
    for (unsigned operation : {Keygen, Encaps, Decaps}) {
        const Words request = requests.any(operation, core_set_indices[0]);
        const auto each = [&](uint64_t cycle) {
            const Outputs before = outputs();
            const auto toggled = [&](auto &input, const char *name) {
                const auto held = input;
                input = static_cast<std::decay_t<decltype(input)>>(sizeof input == 8 ? ~held : !held);
                EXPECT_EQ(outputs(), before) << name << " in cycle " << cycle;
                input = held;
            };
            toggled(model.s_axis_tvalid, "s_axis_tvalid");
            toggled(model.s_axis_tdata, "s_axis_tdata");
            toggled(model.s_axis_tlast, "s_axis_tlast");
            toggled(model.m_axis_tready, "m_axis_tready");
            toggled(model.zeroize_i, "zeroize_i");
            EXPECT_EQ(outputs(), before);
        };
        const auto some = [&](size_t) { return requests.random() % 3 != 0; };
        EXPECT_EQ(exchange(request, some, some, each), golden_response(request));
    }
}

// A sink with a ready that comes only after valid, and a source that waits for ready.
TEST_F(Streams, ValidDoesNotWaitForReady)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            const Words request = requests.any(operation, set);
            const auto offer = [&](size_t) { return outputs().ready != 0; };
            const auto accept = [&](size_t) { return outputs().valid != 0; };
            EXPECT_EQ(exchange(request, offer, accept), golden_response(request)) << set << " " << operation;
        }
}

// One long pause before a word of the request or a beat of the response.
TEST_F(Streams, LongPauses)
{
    for (unsigned operation : {Keygen, Encaps, Decaps})
        for (bool in : {true, false}) {
            const Words request = requests.any(operation, core_set_indices[0]), expected = golden_response(request);
            const size_t all = in ? request.size() : expected.size();
            for (size_t at : {size_t{0}, size_t{1}, all / 3, all - 2, all - 1}) {
                unsigned left = 3000;
                const std::function<bool(size_t)> pause = [&](size_t index) {
                    if (index == at && left > 0) {
                        --left;
                        return false;
                    }
                    return true;
                };
                EXPECT_EQ(in ? exchange(request, pause, always) : exchange(request, always, pause), expected)
                    << operation << (in ? " word " : " beat ") << at;
            }
        }
}

TEST_F(Streams, BusyFromTheCommandToTheWipesEnd)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (Status status : {Ok, BadLength}) {
                Words request = requests.any(operation, set);
                if (status == BadLength) request.pop_back();
                uint64_t passed = 0;
                const auto each = [&](uint64_t) {
                    const Outputs now = outputs();
                    EXPECT_EQ(now.busy, passed > 0);
                    passed += model.s_axis_tvalid && now.ready;
                };
                EXPECT_EQ(exchange(request, always, always, each)[0] & 0xff, status);
                // Idle for good: nothing moves.
                for (int i = 0; i < 3000; ++i) {
                    core.tick();
                    ASSERT_FALSE(model.busy_o || model.m_axis_tvalid);
                }
            }
}

// The same pauses, other secrets: the same cycles, also where the answer is an error.
TEST_F(Streams, TracesWithPausesAndErrors)
{
    for (unsigned set : core_set_indices) {
        const Words good = requests.decaps(set);
        Words bad_dk = good, bad_length = good;
        bad_dk[Requests::dk_words(set) - 5] ^= 1; // H(ek)
        bad_length.pop_back();
        for (Words request : {good, bad_dk, bad_length}) {
            std::vector<uint8_t> first;
            for (int i = 0; i < 4; ++i) {
                const size_t ct = 1 + Requests::dk_words(set);
                if (i > 0) request = requests.other_secrets(request);
                if (i > 1) request = requests.replaced(request, ct, request.size() - ct);
                core.trace.clear();
                core.tracing = true;
                core.Bench<Model>::random.seed(set);
                EXPECT_EQ(core.run(request, 60, 40).words, golden_response(request));
                core.tracing = false;
                if (i == 0) first = core.trace;
                EXPECT_TRUE(core.trace == first) << "set " << set << " request " << i;
            }
        }
    }
}

} // namespace
