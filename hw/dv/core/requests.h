// Requests with random contents that a core answers with a result. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_REQUESTS_H
#define LATKEM_HW_REQUESTS_H

#include <algorithm>
#include <random>

#include "core/core.h"
#include "model/golden.h"
#include "scheme.h"

// The same sequence in every run that begins with the same number.
class Requests
{
  public:
    explicit Requests(uint64_t begin = 1) : random(begin)
    {
    }

    // Words of a dk that are secret from its beginning on; ek is behind them if it is there.
    static size_t ek_at(unsigned set)
    {
        return set_of(set).secret;
    }
    static size_t ek_words(unsigned set)
    {
        return set_of(set).ek;
    }
    static size_t dk_words(unsigned set)
    {
        return set_of(set).dk;
    }

    Words words(size_t count)
    {
        Words all(count);
        for (auto &word : all) word = random();
        return all;
    }

    Words keygen(unsigned set)
    {
        return packet(Keygen, set, {words(set_of(set).keygen)});
    }

    Words encaps(unsigned set)
    {
        return encaps_of(set, ek_of(result(keygen(set)), set));
    }

    Words encaps_of(unsigned set, const Words &ek)
    {
        return packet(Encaps, set, {ek, words(set_of(set).encaps - ek.size())});
    }

    Words decaps(unsigned set)
    {
        return decaps_of(set, result(keygen(set)));
    }

    // Of a key pair, as key generation answers it, and a ciphertext that was made for it.
    Words decaps_of(unsigned set, const Words &keys)
    {
        const Words ct = part(result(encaps_of(set, ek_of(keys, set))), 0, set_of(set).ct);
        return packet(Decaps, set, {dk_of(keys, set), ct});
    }

    Words any(unsigned operation, unsigned set)
    {
        return operation == Keygen ? keygen(set) : operation == Encaps ? encaps(set) : decaps(set);
    }

    // The request with other words in place of some.
    Words replaced(Words request, size_t at, size_t count)
    {
        for (size_t w = at; w < at + count; ++w) request.at(w) = random();
        return request;
    }

    // The request with other secrets for the same public data: another z of key generation, other coins, another s and z
    // of dk.
    Words other_secrets(Words request)
    {
        const CoreSet &set = set_of(request);
        if (operation_of(request) == Keygen) return replaced(request, request.size() - 4, 4);
        if (operation_of(request) == Encaps) return replaced(request, 1 + set.ek, set.encaps - set.ek);
        const Words s = scheme::any_secret(set, random);
        std::copy(s.begin(), s.end(), request.begin() + 1);
        return replaced(request, 1 + set.dk - 4, 4);
    }

    static Words part(const Words &from, size_t at, size_t count)
    {
        const auto first = from.begin() + static_cast<ptrdiff_t>(at);
        return Words(first, first + static_cast<ptrdiff_t>(count));
    }

    // The objects of the response.
    static Words result(const Words &request)
    {
        const Words response = golden_response(request);
        return part(response, 1, response.size() - 1);
    }

    // Of what key generation answers.
    static Words ek_of(const Words &keys, unsigned set)
    {
        return part(keys, set_of(set).pair ? 0 : ek_at(set), ek_words(set));
    }
    static Words dk_of(const Words &keys, unsigned set)
    {
        return set_of(set).pair ? part(keys, ek_words(set), dk_words(set)) : keys;
    }

    std::mt19937_64 random;

  private:
    Words packet(unsigned operation, unsigned set, std::initializer_list<Words> objects)
    {
        Words request = {command_word(operation, set, random() & 0xffff)};
        for (const auto &object : objects) request.insert(request.end(), object.begin(), object.end());
        return request;
    }
};

// Whether a response answers the request: as liblatkem does, but for an ss that may be anything.
inline testing::AssertionResult answers(Words response, const Words &request)
{
    const Words expected = golden_response(request);
    if (expected.size() > 4 && response.size() == expected.size() && !scheme::specifies_ss(request))
        std::copy(expected.end() - 4, expected.end(), response.end() - 4);
    if (response == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << testing::PrintToString(response) << " is not "
                                       << testing::PrintToString(expected);
}

#endif
