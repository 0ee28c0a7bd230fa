// The simulated core as a command. SPDX-License-Identifier: Apache-2.0
//
//   hw_sim            a request a line on standard input, its 64-bit words in hexadecimal with spaces between them; the
//                     response in the same form on standard output, its cycles on standard error
//   hw_sim --cycles   JSON: for every set and operation latency, interval, and the cycles from the last beat to idle,
//                     where every entry of the matrix takes three blocks
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "Vcore.h"
#include "core/requests.h"

namespace
{

void print_cycles()
{
    const char *const operations[] = {"keygen", "encaps", "decaps"};
    Core<Vcore> core;
    Requests requests;
    const char *separator = "[\n";
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            std::vector<Words> queue(24);
            for (Words &request : queue) request = requests.any(operation, set);
            const auto responses = core.run(queue);
            // More blocks take longer, and most requests need none.
            uint64_t latency = ~uint64_t{0}, interval = latency;
            for (size_t i = 0; i + 1 < responses.size(); ++i) {
                latency = std::min(latency, responses[i].latency());
                interval = std::min(interval, responses[i + 1].command - responses[i].command);
            }
            const Response last = core.run(queue[0]);
            printf("%s  {\"set\": \"%s\", \"operation\": \"%s\", \"latency\": %" PRIu64 ", \"interval\": %" PRIu64
                   ", \"idle\": %" PRIu64 "}",
                   separator, latkem_kem_name(golden_set(set)), operations[operation - 1], latency, interval,
                   last.idle - last.last);
            separator = ",\n";
        }
    printf("\n]\n");
}

int answer_requests()
{
    Core<Vcore> core;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream text(line);
        text >> std::hex;
        Words request;
        for (uint64_t word; text >> word;) request.push_back(word);
        if (!text.eof()) {
            (void)fprintf(stderr, "hw_sim: a word is not hexadecimal\n");
            return 1;
        }
        if (request.empty()) continue;
        const Response response = core.run(request);
        for (size_t i = 0; i < response.words.size(); ++i)
            printf("%016" PRIx64 "%c", response.words[i], i + 1 == response.words.size() ? '\n' : ' ');
        (void)fflush(stdout);
        (void)fprintf(stderr, "%" PRIu64 " cycles\n", response.latency());
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    const bool cycles = argc == 2 && std::string(argv[1]) == "--cycles";
    if (argc > 1 && !cycles) {
        (void)fprintf(stderr, "usage: %s [--cycles]\n", argv[0]);
        return 2;
    }
    int result = 0;
    if (cycles)
        print_cycles();
    else
        result = answer_requests();
    // The findings of the bench on the way.
    return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? 1 : result;
}
