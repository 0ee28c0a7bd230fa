// The core of ML-KEM and Kyber against liblatkem. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vlatkem_mlkem.h"
#include "core/core.h"
#include "model/golden.h"

namespace
{

constexpr unsigned sets = 6;
using Bytes = std::vector<uint8_t>;

class MlkemCore : public testing::Test
{
  protected:
    Bytes random_bytes(size_t count)
    {
        Bytes bytes(count);
        for (auto &byte : bytes) byte = static_cast<uint8_t>(core.random());
        return bytes;
    }

    Words keygen_request(unsigned set) { return make_request(Keygen, set, 0x1234, {random_bytes(64)}); }

    Words encaps_request(unsigned set)
    {
        const Words dk = golden_response(keygen_request(set));
        const size_t k = set % 3 + 2;
        return make_request(Encaps, set, 0xbeef, {bytes_of(dk, 1 + 48 * k, 48 * k + 4), random_bytes(32)});
    }

    Words decaps_request(unsigned set)
    {
        const Words dk = golden_response(keygen_request(set));
        const size_t k = set % 3 + 2;
        const Words ct = golden_response(make_request(Encaps, set, 0, {bytes_of(dk, 1 + 48 * k, 48 * k + 4), random_bytes(32)}));
        return make_request(Decaps, set, 0x7777, {bytes_of(dk, 1, dk.size() - 1), bytes_of(ct, 1, ct.size() - 5)});
    }

    Words request(unsigned operation, unsigned set)
    {
        return operation == Keygen ? keygen_request(set) : operation == Encaps ? encaps_request(set) : decaps_request(set);
    }

    Core<Vlatkem_mlkem> core;
};

} // namespace

TEST_F(MlkemCore, AnswersAsLiblatkemDoes)
{
    for (unsigned set = 0; set < sets; ++set)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (int i = 0; i < 3; ++i) {
                const Words words = request(operation, set);
                const Response response = core.run(words);
                const Words expected = golden_response(words);
                ASSERT_EQ(response.words.size(), expected.size()) << "set " << set << " operation " << operation;
                for (size_t w = 0; w < expected.size(); ++w)
                    EXPECT_EQ(response.words[w], expected[w]) << "set " << set << " operation " << operation << " word " << w;
                printf("set %u operation %u: %d cycles, idle after %d\n", set, operation, (int)response.latency(), (int)(response.idle - response.last));
            }
}
