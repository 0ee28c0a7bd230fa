// The bench of cores against a core that breaks the rules: each break is seen. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "core/requests.h"
#include "model/stand_in.h"

namespace
{

class TheBench : public testing::Test
{
  protected:
    // Runs two requests with pauses; says what failed first on the way.
    std::string run(Fault fault)
    {
        testing::TestPartResultArray seen;
        StandIn::fault = fault;
        Core<StandIn> core;
        Requests requests;
        const std::vector<Words> queue = {requests.keygen(set.index), requests.encaps(set.index)};
        testing::ScopedFakeTestPartResultReporter reporter(
            testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &seen);
        const auto responses = core.run(queue, 80, 50, 6000);
        correct = responses.size() == 2;
        for (size_t i = 0; correct && i < queue.size(); ++i) correct = responses[i].words == golden_response(queue[i]);
        return seen.size() == 0 ? "" : seen.GetTestPartResult(0).message();
    }

    static constexpr const CoreSet &set = core_sets[0];
    bool correct = false;
};

} // namespace

TEST_F(TheBench, AcceptsACoreWithoutFault)
{
    EXPECT_EQ(run(Fault::None), "");
    EXPECT_TRUE(correct);
}

TEST_F(TheBench, SeesAWrongAnswer)
{
    for (Fault fault : {Fault::WrongBit, Fault::ShortAnswer}) {
        EXPECT_EQ(run(fault), "");
        EXPECT_FALSE(correct);
    }
}

TEST_F(TheBench, SeesBrokenRules)
{
    const std::pair<Fault, const char *> broken[] = {
        {Fault::TakesBack, "taken back"},         {Fault::ChangesData, "has changed"},
        {Fault::ChangesLast, "held_last_"},       {Fault::AnswersEarly, "before the request's end"},
        {Fault::NotBusy, "idle after a command"}, {Fault::NoAnswer, "no answer"},
        {Fault::NoEnd, "busy for more than"}};
    for (const auto &[fault, message] : broken) {
        const std::string failure = run(fault);
        EXPECT_NE(failure.find(message), std::string::npos) << message << ": " << failure;
    }
}

// Latency, interval and the end of busy_o are counted as edges: a command and its words in, 20 cycles, a header and dk
// out, 30 cycles.
TEST_F(TheBench, CountsEdges)
{
    StandIn::fault = Fault::None;
    Core<StandIn> core;
    Requests requests;
    const std::vector<Words> queue = {requests.keygen(set.index), requests.keygen(set.index)};
    const auto responses = core.run(queue);
    ASSERT_EQ(responses.size(), 2u);
    EXPECT_EQ(responses[0].latency(), set.keygen + 20 + 1 + set.dk + (set.pair ? set.ek : 0));
    EXPECT_EQ(responses[1].latency(), responses[0].latency());
    EXPECT_EQ(responses[1].command - responses[0].command, responses[0].latency() + 30 + 1);
    EXPECT_EQ(responses[1].idle - responses[1].last, 30u);
}
