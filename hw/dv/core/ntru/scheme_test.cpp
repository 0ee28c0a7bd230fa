// Bytes that no honest side sends, and traces over all data. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "Vcore.h"
#include "core/requests.h"
#include "latkem/derand.h"

namespace
{

class Ntru : public testing::Test
{
  protected:
    void answers_it(const Words &request, const std::string &what)
    {
        EXPECT_EQ(core.run(request).words, golden_response(request)) << what;
    }

    // A decapsulation with some bytes of dk or of ct replaced.
    Words with_bytes(const CoreSet &set, size_t object, size_t from, size_t count, uint8_t value)
    {
        Words request = requests.decaps(set.index);
        const size_t at = object == 0 ? 1 : 1 + set.dk;
        for (size_t i = from; i < from + count; ++i) {
            uint64_t &word = request[at + i / 8];
            word = (word & ~(uint64_t{0xff} << 8 * (i % 8))) | static_cast<uint64_t>(value) << 8 * (i % 8);
        }
        return request;
    }

    // The values of ready, valid and busy while the core answers the requests, with right results.
    std::vector<uint8_t> traced(const std::vector<Words> &queue)
    {
        core.trace.clear();
        core.tracing = true;
        const auto responses = core.run(queue);
        core.tracing = false;
        EXPECT_EQ(responses.size(), queue.size());
        for (size_t i = 0; i < responses.size(); ++i) EXPECT_TRUE(answers(responses[i].words, queue[i]));
        return core.trace;
    }

    Core<Vcore> core;
    Requests requests;
};

// Bytes of 243 and more in f and f3, and polynomials that are zero or alike throughout.
TEST_F(Ntru, TakesAnyKey)
{
    for (const CoreSet &set : core_sets) {
        const size_t dk = latkem_dk_bytes(golden_set(set.index)),
                     trits = (dk - 32 - latkem_ek_bytes(golden_set(set.index))) / 2;
        for (unsigned value : {0u, 121u, 242u, 243u, 255u}) {
            answers_it(with_bytes(set, 0, 0, trits, static_cast<uint8_t>(value)), "f");
            answers_it(with_bytes(set, 0, trits, trits, static_cast<uint8_t>(value)), "f3");
            answers_it(with_bytes(set, 0, 2 * trits, dk - 32 - 2 * trits, static_cast<uint8_t>(value)), "1/h");
            answers_it(with_bytes(set, 0, 0, dk, static_cast<uint8_t>(value)), "all of dk");
        }
    }
}

// Ciphertexts that are zero (of HRSS it is a good one), all ones, or no multiple of x - 1 once unpacked.
TEST_F(Ntru, TakesAnyCiphertext)
{
    for (const CoreSet &set : core_sets) {
        const size_t ct = latkem_ct_bytes(golden_set(set.index));
        for (unsigned value : {0u, 1u, 0x55u, 0x80u, 0xffu})
            answers_it(with_bytes(set, 1, 0, ct, static_cast<uint8_t>(value)), "ct");
        for (unsigned bit = 0; bit < 8; ++bit)
            answers_it(with_bytes(set, 1, ct - 1, 1, static_cast<uint8_t>(1u << bit)), "the last byte of ct");
    }
}

// Samples that sort in no time, samples alike, and of weight zero.
TEST_F(Ntru, TakesAnySample)
{
    for (const CoreSet &set : core_sets)
        for (uint64_t value : {uint64_t{0}, ~uint64_t{0}, uint64_t{0x5555555555555555}, uint64_t{0x8000000000000001}}) {
            for (unsigned operation : {Keygen, Encaps}) {
                Words request = requests.any(operation, set.index);
                std::fill(request.begin() + 1 + (operation == Encaps ? static_cast<ptrdiff_t>(set.ek) : 0),
                          request.end(), value);
                answers_it(request, "a sample of one word");
            }
        }
}

// Padding behind an object counts for nothing.
TEST_F(Ntru, IgnoresPadding)
{
    for (const CoreSet &set : core_sets) {
        const latkem_kem *kem = golden_set(set.index);
        const auto pad = [](Words &request, size_t last, size_t bytes) {
            if (bytes % 8 != 0) request.at(last) |= ~uint64_t{0} << 8 * (bytes % 8);
        };
        Words encaps = requests.encaps(set.index), decaps = requests.decaps(set.index);
        const Words first = core.run(encaps).words, second = core.run(decaps).words;
        pad(encaps, set.ek, latkem_ek_bytes(kem));
        pad(encaps, set.encaps, latkem_coins_bytes(kem));
        pad(decaps, set.dk, latkem_dk_bytes(kem));
        pad(decaps, set.decaps, latkem_ct_bytes(kem));
        EXPECT_EQ(core.run(encaps).words, first);
        EXPECT_EQ(core.run(decaps).words, second);
    }
}

// Requests with other contents throughout, in all pairs of operations.
TEST_F(Ntru, TracesAreEqualOverAllData)
{
    for (const CoreSet &set : core_sets)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned next : {Keygen, Encaps, Decaps}) {
                const auto queue = [&](bool good) {
                    std::vector<Words> made = {requests.any(operation, set.index), requests.any(next, set.index)};
                    for (Words &request : made)
                        if (!good) request = requests.replaced(request, 1, request.size() - 1);
                    return made;
                };
                const auto first = traced(queue(true));
                EXPECT_TRUE(traced(queue(true)) == first) << set.name << " operations " << operation << next;
                EXPECT_TRUE(traced(queue(false)) == first) << set.name << " operations " << operation << next;
            }
}

} // namespace
