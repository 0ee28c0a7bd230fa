// Requests with random contents that a core answers with a result. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_REQUESTS_H
#define LATKEM_HW_REQUESTS_H

#include <random>

#include "core/core.h"
#include "model/golden.h"

// The same sequence in every run that begins with the same number.
class Requests
{
  public:
    explicit Requests(uint64_t begin = 1) : random(begin)
    {
    }

    static size_t rank(unsigned set)
    {
        return set_of(set).rank;
    }

    // Where ek begins in dk, in words, and how many there are.
    static size_t ek_at(unsigned set)
    {
        return dk_words(set) - ek_words(set) - 8; // H(ek) and z come behind it
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
        const Words dk = result(keygen(set));
        return packet(Encaps, set, {part(dk, ek_at(set), ek_words(set)), words(4)});
    }

    Words decaps(unsigned set)
    {
        const Words dk = result(keygen(set));
        const Words sent = result(packet(Encaps, set, {part(dk, ek_at(set), ek_words(set)), words(4)}));
        return packet(Decaps, set, {dk, part(sent, 0, sent.size() - 4)});
    }

    Words any(unsigned operation, unsigned set)
    {
        return operation == Keygen ? keygen(set) : operation == Encaps ? encaps(set) : decaps(set);
    }

    std::mt19937_64 random;

  private:
    static Words part(const Words &from, size_t at, size_t count)
    {
        const auto first = from.begin() + static_cast<ptrdiff_t>(at);
        return Words(first, first + static_cast<ptrdiff_t>(count));
    }

    static Words result(const Words &request)
    {
        const Words response = golden_response(request);
        return part(response, 1, response.size() - 1);
    }

    Words packet(unsigned operation, unsigned set, std::initializer_list<Words> objects)
    {
        Words request = {command_word(operation, set, random() & 0xffff)};
        for (const auto &object : objects) request.insert(request.end(), object.begin(), object.end());
        return request;
    }
};

#endif
