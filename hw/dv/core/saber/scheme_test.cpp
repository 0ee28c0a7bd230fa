// Keys of Saber at the bounds and beyond them, and traces over all data. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "Vcore.h"
#include "core/requests.h"
#include "model/sponge.h"

namespace
{

constexpr unsigned q = 8192, p = 1024, n = 256;
constexpr unsigned q_bits = 13, p_bits = 10;
constexpr unsigned h1 = 4;

using Vector = std::vector<unsigned>; // of polynomials, one after the other, modulo q or p

Bytes sha3_256(const Bytes &message)
{
    return Sponge(136, 0x06, message).squeeze(32);
}

// gen_A: rows of polynomials.
Vector matrix(const CoreSet &set, const Bytes &seed)
{
    const size_t bytes = 32 * q_bits * set.rank * set.rank;
    return unpacked(words_of(Sponge(168, 0x1f, seed).squeeze(bytes)), 0, bytes / 8, q_bits);
}

// Adds a product modulo X^256 + 1.
void multiply_add(unsigned *sum, const unsigned *a, const unsigned *b)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) sum[(i + j) % n] += (i + j < n ? 1u : ~0u) * a[i] * b[j];
}

// b of the key with the secret s: each polynomial ((A^T s + h1) mod q) >> 3.
Vector public_vector(const CoreSet &set, const Bytes &seed, const Vector &s)
{
    const Vector a = matrix(set, seed);
    Vector b(n * set.rank);
    for (size_t i = 0; i < set.rank; ++i)
        for (size_t j = 0; j < set.rank; ++j) multiply_add(&b[n * i], &a[n * (set.rank * j + i)], &s[n * j]);
    for (unsigned &value : b) value = (value + h1) % q >> (q_bits - p_bits);
    return b;
}

class Saber : public testing::Test
{
  protected:
    Bytes bytes(size_t count)
    {
        return bytes_of(requests.words(count / 8), 0, count / 8);
    }

    Bytes ek_of(const Vector &b, const Bytes &seed)
    {
        Bytes ek = bytes_of(packed(b, p_bits), 0, b.size() * p_bits / 64);
        ek.insert(ek.end(), seed.begin(), seed.end());
        return ek;
    }

    // s || ek || H(ek) || z
    Words dk_of(const Vector &s, const Bytes &ek)
    {
        Words dk = packed(s, q_bits);
        for (const Bytes &next : {ek, sha3_256(ek), bytes(32)})
            for (uint64_t word : words_of(next)) dk.push_back(word);
        return dk;
    }

    // The core answers as liblatkem does, which accepts the ciphertext: a wrong m' would be seen.
    void accepts(const CoreSet &set, const Words &dk, const std::string &what)
    {
        const Words ek = Requests::part(dk, set.secret, set.ek);
        const Words sent = requests.encaps_of(set.index, ek);
        const Words answer = golden_response(sent);
        Words request = {command_word(Decaps, set.index)};
        for (const Words &object : {dk, Requests::part(answer, 1, set.ct)})
            request.insert(request.end(), object.begin(), object.end());
        const Words expected = golden_response(request);
        ASSERT_TRUE(std::equal(expected.begin() + 1, expected.end(), answer.end() - 4)) << set.name << " " << what;
        EXPECT_EQ(core.run(sent).words, answer) << set.name << ", encapsulation, " << what;
        EXPECT_EQ(core.run(request).words, expected) << set.name << ", decapsulation, " << what;
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

    // One good request, or one with other contents throughout.
    Words request(unsigned operation, const CoreSet &set, bool good)
    {
        const Words made = requests.any(operation, set.index);
        return good ? made : requests.replaced(made, 1, made.size() - 1);
    }

    Core<Vcore> core;
    Requests requests;
};

// All coefficients at either bound, in all signs, with the public key that belongs to them.
TEST_F(Saber, SecretsAtTheirBounds)
{
    for (const CoreSet &set : core_sets) {
        const auto at = [&](bool negative) { return scheme::coefficient((negative ? -1 : 1) * int(set.secret_max)); };
        const std::pair<const char *, std::function<bool(size_t)>> signs[] = {
            {"all +mu/2", [](size_t) { return false; }},
            {"all -mu/2", [](size_t) { return true; }},
            {"alternating", [](size_t i) { return i % 2 != 0; }},
            {"alternating polynomials", [](size_t i) { return i / n % 2 != 0; }},
            {"halves", [](size_t i) { return i % n >= n / 2; }}};
        for (const auto &[what, negative] : signs) {
            Vector s(n * set.rank);
            for (size_t i = 0; i < s.size(); ++i) s[i] = at(negative(i));
            const Bytes seed = bytes(32);
            accepts(set, dk_of(s, ek_of(public_vector(set, seed, s), seed)), what);
        }
    }
}

// b at its bounds. b = 1023 is -1, and its product with s' is noise that decryption forgives, as s = 0 adds none.
TEST_F(Saber, PublicKeysAtTheirBounds)
{
    for (const CoreSet &set : core_sets) {
        const Vector zero(n * set.rank);
        accepts(set, dk_of(zero, ek_of(Vector(zero.size(), p - 1), bytes(32))), "b = 1023, s = 0");
        accepts(set, dk_of(zero, ek_of(zero, bytes(32))), "b = 0, s = 0");
    }
}

// b and b' at their bounds with s at its own: the ciphertext is rejected, all in the same time.
TEST_F(Saber, AllAtTheirBounds)
{
    for (const CoreSet &set : core_sets) {
        std::vector<uint8_t> first;
        for (const int sign : {1, -1})
            for (const unsigned b : {0u, p / 2, p - 1})
                for (const uint64_t ct : {uint64_t{0}, ~uint64_t{0}}) {
                    const Vector s(n * set.rank, scheme::coefficient(sign * static_cast<int>(set.secret_max)));
                    Words request = {command_word(Decaps, set.index)};
                    for (const Words &object : {dk_of(s, ek_of(Vector(s.size(), b), bytes(32))), Words(set.ct, ct)})
                        request.insert(request.end(), object.begin(), object.end());
                    const auto trace = traced({request});
                    if (first.empty()) first = trace;
                    EXPECT_TRUE(trace == first) << set.name;
                }
    }
}

// Every ek of the right length is one, and its values come as they are.
TEST_F(Saber, TakesAnyPublicKey)
{
    for (const CoreSet &set : core_sets)
        for (const uint64_t word : {uint64_t{0}, ~uint64_t{0}, 0x5555555555555555u, 0xffffffff00000000u}) {
            const Words request = requests.encaps_of(set.index, Words(set.ek, word));
            EXPECT_EQ(core.run(request).words, golden_response(request)) << set.name << std::hex << word;
        }
}

// H(pk) is read from dk, not computed: another is no error, and a ciphertext is rejected that would be accepted.
TEST_F(Saber, ReadsTheHashOfThePublicKey)
{
    for (const CoreSet &set : core_sets)
        for (size_t w = set.dk - 8; w < set.dk - 4; ++w) {
            const Words good = requests.decaps(set.index);
            const Words request = requests.replaced(good, 1 + w, 1);
            ASSERT_NE(golden_response(request)[1], golden_response(good)[1]);
            EXPECT_EQ(core.run(request).words, golden_response(request)) << set.name;
        }
}

// Beyond its bounds s gives an ss that nobody specifies, in the same time, and the next answer is right.
TEST_F(Saber, SecretsOutOfRange)
{
    for (const CoreSet &set : core_sets) {
        const Words good = requests.decaps(set.index);
        const auto usual = traced({good});
        for (int i = 0; i < 8; ++i) {
            Words request = requests.replaced(good, 1, set.secret);
            if (i == 0) std::fill_n(request.begin() + 1, set.secret, ~uint64_t{0} / 3);
            ASSERT_FALSE(scheme::specifies_ss(request));
            EXPECT_TRUE(traced({request}) == usual) << set.name;
            EXPECT_EQ(core.run(good).words, golden_response(good)) << set.name;
        }
    }
}

// Cycle by cycle, ready, valid and busy are the same for all keys, seeds, coins and ciphertexts, good and bad.
TEST_F(Saber, TracesAreEqualOverAllData)
{
    for (const CoreSet &set : core_sets)
        for (unsigned operation : {Keygen, Encaps, Decaps}) {
            const auto first = traced({request(operation, set, true)});
            for (int i = 1; i < 7; ++i)
                EXPECT_TRUE(traced({request(operation, set, i % 2 == 0)}) == first)
                    << set.name << " operation " << operation << " request " << i;
            for (const uint64_t word : {uint64_t{0}, ~uint64_t{0}}) {
                Words extreme = request(operation, set, true);
                std::fill(extreme.begin() + 1, extreme.end(), word);
                EXPECT_TRUE(traced({extreme}) == first) << set.name << " operation " << operation << std::hex << word;
            }
        }
}

// So they are where one operation follows another at once.
TEST_F(Saber, TracesOfQueuesAreEqualOverAllData)
{
    for (const CoreSet &set : core_sets)
        for (unsigned operation : {Keygen, Encaps, Decaps})
            for (unsigned next : {Keygen, Encaps, Decaps}) {
                const auto queue = [&](bool good) {
                    return std::vector<Words>{request(operation, set, good), request(next, set, !good)};
                };
                const auto first = traced(queue(true));
                EXPECT_TRUE(traced(queue(false)) == first) << set.name << " operations " << operation << next;
            }
}

} // namespace
