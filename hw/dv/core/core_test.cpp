// The core against liblatkem. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "Vcore.h"
#include "core/requests.h"
#include "core/state.h"
#include "model/sponge.h"

namespace
{

bool long_form()
{
    return std::getenv("LATKEM_HW_LONG") != nullptr;
}
const char *golden_name(unsigned set)
{
    return latkem_kem_name(golden_set(set));
}

class WholeCore : public testing::Test
{
  protected:
    Bytes random_bytes(size_t count)
    {
        Bytes bytes(count);
        for (auto &byte : bytes) byte = static_cast<uint8_t>(core.random());
        return bytes;
    }

    Words keygen_request(unsigned set)
    {
        return make_request(Keygen, set, 0x1234, {random_bytes(64)});
    }

    Words encaps_request(unsigned set)
    {
        const Words dk = golden_response(keygen_request(set));
        return make_request(Encaps, set, 0xbeef,
                            {bytes_of(dk, 1 + Requests::ek_at(set), Requests::ek_words(set)), random_bytes(32)});
    }

    Words decaps_request(unsigned set)
    {
        const Words dk = golden_response(keygen_request(set));
        const Words ct = golden_response(make_request(
            Encaps, set, 0, {bytes_of(dk, 1 + Requests::ek_at(set), Requests::ek_words(set)), random_bytes(32)}));
        return make_request(Decaps, set, 0x7777, {bytes_of(dk, 1, dk.size() - 1), bytes_of(ct, 1, ct.size() - 5)});
    }

    Words request(unsigned operation, unsigned set)
    {
        return operation == Keygen   ? keygen_request(set)
               : operation == Encaps ? encaps_request(set)
                                     : decaps_request(set);
    }

    Core<Vcore> core;
};

} // namespace

// Latency and interval that acceptance allows, for keygen, encaps and decaps.
struct Limits {
    unsigned cycles[3];
};

const std::map<std::string, Limits> limits = {
    {"ML-KEM-512", {{760, 960, 1350}}}, {"ML-KEM-768", {{1160, 1360, 1880}}}, {"ML-KEM-1024", {{1750, 1980, 2480}}},
    {"Kyber512", {{760, 1080, 1350}}},  {"Kyber768", {{1160, 1480, 1880}}},   {"Kyber1024", {{1750, 2100, 2480}}}};

const char *const operations[] = {"", "keygen", "encaps", "decaps"};

// Nothing in a request makes an entry of A longer than three blocks: rho is the one of the answer or of ek.
bool three_blocks(const Words &request)
{
    const unsigned operation = request[0] & 0xf, set = request[0] >> 8 & 0xff;
    const size_t k = set_of(set).rank;
    const Words source = operation == Keygen ? golden_response(request) : request;
    const size_t at = 1 + Requests::ek_words(set) - 4 + (operation == Encaps ? 0 : Requests::ek_at(set));
    for (uint8_t a = 0; a < k; ++a)
        for (uint8_t b = 0; b < k; ++b)
            if (entry_blocks(bytes_of(source, at, 4), a, b) > 3) return false;
    return true;
}

TEST_F(WholeCore, AnswersAsLiblatkemDoes)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (int i = 0; i < (long_form() ? 300 : 12); ++i) {
                const Words words = request(operation, set);
                ASSERT_EQ(core.run(words).words, golden_response(words))
                    << golden_name(set) << " " << operations[operation];
            }
}

TEST_F(WholeCore, KeepsToItsCycles)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            std::vector<Words> requests;
            while (requests.size() < 3) {
                const Words words = request(operation, set);
                if (three_blocks(words)) requests.push_back(words);
            }
            const auto queued = core.run(requests);
            ASSERT_EQ(queued.size(), 3u);
            const uint64_t latency = queued[0].latency(), interval = queued[1].command - queued[0].command;
            const unsigned limit = limits.at(golden_name(set)).cycles[operation - 1];
            EXPECT_LE(latency, limit) << golden_name(set) << " " << operations[operation];
            EXPECT_LE(interval, limit * 11 / 10) << golden_name(set) << " " << operations[operation];
            EXPECT_EQ(queued[1].latency(), latency);
            EXPECT_EQ(queued[2].latency(), latency);
            EXPECT_EQ(queued[2].command - queued[1].command, interval);
            printf("{\"set\": \"%s\", \"operation\": \"%s\", \"cycles\": %u, \"interval\": %u}\n", golden_name(set),
                   operations[operation], static_cast<unsigned>(latency), static_cast<unsigned>(interval));
        }
}

// Equal for every rho of three blocks an entry; at most 64 cycles more for each further block.
TEST_F(WholeCore, DependsOnRhoAlone)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            uint64_t usual = 0;
            for (int i = 0; i < (long_form() ? 400 : 25); ++i) {
                const Words words = request(operation, set);
                const uint64_t latency = core.run(words).latency();
                if (three_blocks(words)) {
                    if (usual == 0) usual = latency;
                    ASSERT_EQ(latency, usual) << golden_name(set) << " " << operations[operation];
                } else if (usual != 0) {
                    EXPECT_GE(latency, usual);
                    EXPECT_LE(latency, usual + 64 * 3) << golden_name(set) << " " << operations[operation];
                }
            }
        }
}

// Every edge of ready, valid and busy is the same whatever the secrets are.
TEST_F(WholeCore, TracesAreEqualOverSecrets)
{
    for (unsigned set : core_set_indices) {
        const Bytes d = random_bytes(32);
        const Words decaps = decaps_request(set), encaps = encaps_request(set);
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            std::vector<uint8_t> first;
            for (int i = 0; i < 5; ++i) {
                Words words;
                // Keygen: the same d, and so rho, with another z. Encaps: another m. Decaps: other s, z and ct.
                if (operation == Keygen) {
                    words = make_request(Keygen, set, 1, {d, random_bytes(32)});
                } else if (operation == Encaps) {
                    words = encaps;
                    for (size_t w = words.size() - 4; w < words.size(); ++w) words[w] = core.random();
                } else {
                    words = decaps;
                    for (size_t w = 1; i > 0 && w <= Requests::ek_at(set); ++w) words[w] = core.random();
                    for (size_t w = 1 + Requests::dk_words(set) - 4; i > 1 && w < words.size(); ++w)
                        words[w] = core.random();
                }
                core.tracing = true;
                core.trace.clear();
                ASSERT_EQ(core.run(words).words, golden_response(words));
                core.tracing = false;
                if (first.empty()) first = core.trace;
                ASSERT_EQ(core.trace, first) << golden_name(set) << " " << operations[operation] << " " << i;
            }
        }
    }
}

TEST_F(WholeCore, RejectsAlteredCiphertexts)
{
    for (unsigned set : core_set_indices) {
        const Words words = decaps_request(set);
        const size_t ct = 1 + Requests::dk_words(set), step = long_form() ? 1 : 17;
        const Words good = golden_response(words);
        for (size_t w = ct; w < words.size(); w += w + 1 == words.size() ? 1 : std::min(step, words.size() - 1 - w)) {
            Words altered = words;
            altered[w] ^= uint64_t{1} << core.random() % 64;
            const Response response = core.run(altered);
            ASSERT_EQ(response.words, golden_response(altered)) << golden_name(set) << " word " << w;
            ASSERT_NE(response.words, good);
        }
    }
}

TEST_F(WholeCore, ChecksKeys)
{
    for (unsigned set : core_set_indices) {
        const size_t k = set_of(set).rank;
        for (int i = 0; i < (long_form() ? 200 : 8); ++i) {
            // A coefficient of q or more in ek
            Words encaps = encaps_request(set);
            const size_t c = i == 0 ? 0 : i == 1 ? 256 * k - 1 : core.random() % (256 * k);
            auto bytes = bytes_of(encaps, 1, encaps.size() - 1);
            const unsigned value = i % 2 ? 4095 : 3329;
            for (unsigned bit = 0; bit < 12; ++bit) {
                const size_t at = 12 * c + bit;
                bytes[at / 8] = static_cast<uint8_t>((bytes[at / 8] & ~(1 << at % 8)) | (value >> bit & 1) << at % 8);
            }
            const Words packed = words_of(bytes);
            std::copy(packed.begin(), packed.end(), encaps.begin() + 1);
            const Response bad_ek = core.run(encaps);
            EXPECT_EQ(bad_ek.words, golden_response(encaps));
            EXPECT_EQ(bad_ek.status(), set_of(set).fips203 ? BadEk : Ok);
            // A bit of ek or of H(ek) in dk
            Words decaps = decaps_request(set);
            const size_t w = i == 0   ? 1 + Requests::ek_at(set)
                             : i == 1 ? 1 + Requests::dk_words(set) - 5
                                      : 1 + Requests::ek_at(set) + core.random() % (Requests::ek_words(set) + 4);
            decaps[w] ^= uint64_t{1} << core.random() % 64;
            const Response bad_dk = core.run(decaps);
            EXPECT_EQ(bad_dk.words, golden_response(decaps));
            EXPECT_EQ(bad_dk.status(), set_of(set).fips203 ? BadDk : Ok);
            // Unreduced s in dk counts modulo q
            Words unreduced = decaps_request(set);
            for (size_t s = 1; s <= Requests::ek_at(set); ++s) unreduced[s] |= core.random() & core.random();
            EXPECT_EQ(core.run(unreduced).words, golden_response(unreduced));
        }
    }
}

TEST_F(WholeCore, RefusesCommands)
{
    const Words good = request(Encaps, 1);
    for (unsigned operation = 0; operation < 16; ++operation)
        for (unsigned set = 0; set < 256; set += set < 16 ? 1 : 23) {
            const Words words = {command_word(operation, set, 0xabcd), 1, 2, 3};
            EXPECT_EQ(core.run(words).words, golden_response(words)) << operation << " " << set;
        }
    for (unsigned bit = 4; bit < 64; ++bit) {
        Words words = good;
        words[0] ^= uint64_t{1} << bit;
        EXPECT_EQ(core.run(words).words, golden_response(words)) << "bit " << bit;
    }
    EXPECT_EQ(core.run(good).words, golden_response(good));
}

TEST_F(WholeCore, RefusesLengths)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            const Words good = request(operation, set);
            const size_t step = long_form() || operation == Keygen ? 1 : 29;
            for (size_t length = 1; length <= good.size() + 8; length += length + 9 > good.size() ? 1 : step) {
                Words words = good;
                words.resize(length, 0x5555);
                ASSERT_EQ(core.run(words).words, golden_response(words))
                    << golden_name(set) << " " << operations[operation] << " " << length;
            }
            // As long again as the counter of words, and longer
            for (size_t length : {good.size() + 1024, size_t{5000}}) {
                Words words = good;
                words.resize(length, 0x5555);
                EXPECT_EQ(core.run(words).words, golden_response(words)) << length;
            }
            EXPECT_EQ(core.run(good).words, golden_response(good));
        }
}

// Of two errors the lower code; and neither is there in the next answer.
TEST_F(WholeCore, ReportsTheLowestStatus)
{
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Encaps, Decaps})
            for (bool late : {false, true}) {
                const Words good = request(operation, set);
                Words words = good;
                if (operation == Encaps)
                    words[1] |= 0xfff;
                else
                    words[1 + Requests::dk_words(set) - 8] ^= 1;
                words.resize(words.size() + (late ? 1 : -1));
                const Response response = core.run(words);
                EXPECT_EQ(response.status(), BadLength);
                EXPECT_EQ(response.words, golden_response(words));
                EXPECT_EQ(core.run(good).words, golden_response(good));
            }
}

TEST_F(WholeCore, TakesRequestsInAnyOrder)
{
    std::vector<Words> requests;
    const unsigned kinds = 3 * std::size(core_set_indices);
    for (unsigned first = 0; first < kinds; ++first)
        for (unsigned second = 0; second < kinds; second += long_form() ? 1 : 5) {
            requests.push_back(request(first % 3 + 1, core_set_indices[first / 3]));
            requests.push_back(request(second % 3 + 1, core_set_indices[second / 3]));
        }
    requests.insert(requests.begin() + 5, {command_word(Encaps, 0)});
    const auto responses = core.run(requests, 100, 100, 4000000);
    ASSERT_EQ(responses.size(), requests.size());
    for (size_t i = 0; i < requests.size(); ++i) ASSERT_EQ(responses[i].words, golden_response(requests[i])) << i;
}

TEST_F(WholeCore, PausesChangeNothing)
{
    for (auto [in, out] : {std::pair{50u, 100u}, {100u, 50u}, {30u, 30u}, {5u, 100u}, {100u, 5u}, {10u, 10u}})
        for (unsigned set : core_set_indices)
            for (unsigned operation : {Keygen, Encaps, Decaps}) {
                const Words words = request(operation, set);
                ASSERT_EQ(core.run(words, in, out).words, golden_response(words))
                    << golden_name(set) << " " << operations[operation] << " " << in << " " << out;
            }
}

// Reset or zeroised in any phase, the core forgets the operation and does the next one right. The streams go on, so that
// the edge may be one at which a beat passes.
TEST_F(WholeCore, ForgetsAtAnyTime)
{
    for (unsigned set : {0u, 2u, 4u})
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned at = 1, step = long_form() ? 97 : 419; at < 3000; at += step)
                for (bool zeroize : {false, true}) {
                    core.begin(request(operation, set), at);
                    core.interrupt(zeroize, at % 3 + 1);
                    const Words next = request(at % 3 + 1, core_set_indices[(set + at) % std::size(core_set_indices)]);
                    ASSERT_EQ(core.run(next).words, golden_response(next))
                        << operations[operation] << " at " << at << (zeroize ? ", zeroised" : ", reset");
                }
}

// After an operation the whole state of the simulation holds no eight bytes of its secrets in a row.
TEST_F(WholeCore, LeavesNoSecrets)
{
    LATKEM_NEEDS_STATE();
    const auto pieces = [](const std::string &content, const Words &secret) {
        size_t found = 0;
        for (uint64_t word : secret)
            found += content.find(std::string(reinterpret_cast<const char *>(&word), 8)) != std::string::npos;
        return found;
    };
    for (unsigned set : core_set_indices)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (bool refused : {false, true}) {
                Words words = request(operation, set);
                if (refused) words.push_back(0);
                Words secret;
                const Words answer = golden_response(words);
                if (operation == Encaps)
                    secret.assign(words.end() - 4, words.end());
                else
                    secret.assign(words.begin() + 1,
                                  operation == Decaps ? words.begin() + 1 + Requests::dk_words(set) : words.end());
                if (!refused && operation == Keygen) secret.insert(secret.end(), answer.begin() + 1, answer.end());
                if (!refused && operation != Keygen) secret.insert(secret.end(), answer.end() - 4, answer.end());
                secret.erase(std::remove(secret.begin(), secret.end(), 0), secret.end());
                const Response response = core.run(words);
                ASSERT_EQ(response.words, answer);
                EXPECT_EQ(pieces(state_of(*core.model), secret), 0u)
                    << golden_name(set) << " " << operations[operation] << (refused ? ", refused" : "");
            }
    // The search finds what is there: the request's words in the middle of an operation.
    const Words words = request(Encaps, 0);
    core.begin(words, 200);
    EXPECT_EQ(pieces(state_of(*core.model), Words(words.end() - 4, words.end())), 4u);
}
