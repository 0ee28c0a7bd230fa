// Random requests, good and bad, in queues with random pauses, resets and zeroisations, without end: what the core answers
// is what liblatkem answers. SPDX-License-Identifier: Apache-2.0
//
//   soak [--seconds N] [--seed N]
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "Vcore.h"
#include "core/requests.h"

namespace
{

double seconds = 5;
uint64_t seed = 1;

class Soak : public testing::Test
{
  protected:
    uint64_t below(uint64_t bound)
    {
        return requests.random() % bound;
    }
    bool chance(unsigned percent)
    {
        return below(100) < percent;
    }
    size_t from_to(size_t from, size_t to)
    {
        return from + below(to - from);
    }

    void flip(uint64_t &word)
    {
        word ^= uint64_t{1} << below(64);
    }

    // A request that differs in one respect, or in none, from a good one.
    Words request()
    {
        const auto operation = static_cast<unsigned>(from_to(Keygen, Decaps + 1));
        const auto set = core_set_indices[below(std::size(core_set_indices))];
        Words words = requests.any(operation, set);
        const size_t s = Requests::ek_at(set), ct = 1 + Requests::dk_words(set);
        switch (below(12)) {
        case 0: // a command that may be none
            flip(words[0]);
            break;
        case 1: // a length: any, or one near the right one
            words.resize(chance(50) ? from_to(1, words.size() + 9) : words.size() - 1 + 2 * below(2),
                         requests.random());
            break;
        case 2: // ek, or anything else, with a bit changed
            flip(words[from_to(1, words.size())]);
            break;
        case 3: // a word with many ones: coefficients of q and more
            words[from_to(1, words.size())] |= requests.random();
            break;
        case 4:
        case 5: // a ciphertext with one bit changed
            if (operation == Decaps) flip(words[from_to(ct, words.size())]);
            break;
        case 6: // any ciphertext
            for (size_t w = ct; operation == Decaps && w < words.size(); ++w) words[w] = requests.random();
            break;
        case 7: // any s, in range or not
            if (operation == Decaps)
                words = chance(50) ? requests.other_secrets(words) : requests.replaced(words, 1, s);
            break;
        case 8: // extreme contents
            for (size_t w = from_to(1, words.size()); w < words.size(); ++w) words[w] = below(2) - 1;
            break;
        default: break;
        }
        return words;
    }

    unsigned density()
    {
        const unsigned all[] = {100, 100, 90, 50, 20, 4};
        return all[below(6)];
    }

    // Begins a request and forgets it by reset or by zeroisation.
    void interrupt()
    {
        const Words words = request();
        auto &model = *core.model;
        const unsigned in = density(), out = density();
        size_t word = 0;
        for (uint64_t cycles = from_to(1, 3000); cycles > 0; --cycles) {
            if (word < words.size() && !model.s_axis_tvalid) model.s_axis_tvalid = chance(in);
            model.s_axis_tdata = word < words.size() ? words[word] : 0;
            model.s_axis_tlast = word + 1 == words.size();
            model.m_axis_tready = chance(out);
            model.eval();
            const bool passes = model.s_axis_tvalid && model.s_axis_tready;
            core.tick();
            if (passes) {
                ++word;
                model.s_axis_tvalid = 0;
            }
        }
        core.interrupt(chance(50), static_cast<unsigned>(from_to(1, 4)));
    }

    void round()
    {
        if (chance(10)) interrupt();
        std::vector<Words> queue;
        for (size_t length = from_to(1, 6); length > 0; --length) queue.push_back(request());
        const auto responses = core.run(queue, density(), density());
        ASSERT_EQ(responses.size(), queue.size());
        for (size_t i = 0; i < queue.size(); ++i) {
            ASSERT_TRUE(answers(responses[i].words, queue[i])) << std::hex << "command " << queue[i][0] << std::dec;
            ++statuses[responses[i].status()];
        }
    }

    Requests requests{seed};
    Core<Vcore> core;
    uint64_t statuses[256] = {};
};

TEST_F(Soak, AnswersAsLiblatkemDoes)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    uint64_t rounds = 0;
    double shown = 0, passed = 0;
    for (; passed < seconds && !HasFailure(); ++rounds) {
        round();
        passed = std::chrono::duration<double>(Clock::now() - begin).count();
        if (terminal && passed >= shown + 1) {
            shown = passed;
            (void)fprintf(stderr, "\r%.0f of %.0f s, %lu queues, %lu cycles ", passed, seconds,
                          static_cast<unsigned long>(rounds), static_cast<unsigned long>(core.edges));
        }
    }
    if (terminal) (void)fprintf(stderr, "\n");
    printf("seed %lu, %lu queues, %lu cycles; statuses", static_cast<unsigned long>(seed),
           static_cast<unsigned long>(rounds), static_cast<unsigned long>(core.edges));
    for (unsigned status = Ok; status <= BadDk; ++status)
        printf(" %u: %lu%s", status, static_cast<unsigned long>(statuses[status]), status == BadDk ? "\n" : ",");
}

} // namespace

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 < argc && name == "--seconds") {
            seconds = std::strtod(argv[i + 1], nullptr);
        } else if (i + 1 < argc && name == "--seed") {
            seed = std::strtoull(argv[i + 1], nullptr, 0);
        } else {
            (void)fprintf(stderr, "usage: %s [--seconds N] [--seed N]\n", argv[0]);
            return 2;
        }
    }
    return RUN_ALL_TESTS();
}
