// The golden model of a core, by liblatkem's public interface. SPDX-License-Identifier: Apache-2.0
#include "model/golden.h"

#include <stdexcept>

#include "latkem/derand.h"

const latkem_kem *golden_set(unsigned index)
{
    return latkem_kem_at(set_of(index).index);
}

const CoreSet &set_of(unsigned index)
{
    for (const CoreSet &set : core_sets)
        if (set.index == index) return set;
    throw std::out_of_range("the core has no set " + std::to_string(index));
}

Words words_of(const std::vector<uint8_t> &bytes)
{
    Words words((bytes.size() + 7) / 8);
    for (size_t i = 0; i < bytes.size(); ++i) words[i / 8] |= static_cast<uint64_t>(bytes[i]) << 8 * (i % 8);
    return words;
}

std::vector<uint8_t> bytes_of(const Words &words, size_t from, size_t count)
{
    std::vector<uint8_t> bytes(8 * count);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(words.at(from + i / 8) >> 8 * (i % 8));
    return bytes;
}

Words packed(const std::vector<unsigned> &values, unsigned bits)
{
    Words words((values.size() * bits + 63) / 64);
    for (size_t at = 0; at < values.size() * bits; ++at)
        words[at / 64] |= static_cast<uint64_t>(values[at / bits] >> at % bits & 1) << at % 64;
    return words;
}

std::vector<unsigned> unpacked(const Words &words, size_t from, size_t count, unsigned bits)
{
    std::vector<unsigned> values(64 * count / bits);
    for (size_t at = 0; at < values.size() * bits; ++at)
        values[at / bits] |= static_cast<unsigned>(words.at(from + at / 64) >> at % 64 & 1) << at % bits;
    return values;
}

Words make_request(unsigned operation, unsigned set, unsigned tag, std::initializer_list<std::vector<uint8_t>> objects)
{
    Words request = {command_word(operation, set, tag)};
    for (const auto &object : objects)
        for (uint64_t word : words_of(object)) request.push_back(word);
    return request;
}

size_t golden_request_words(unsigned operation, unsigned set)
{
    const CoreSet &known = set_of(set);
    return operation == Keygen ? known.keygen : operation == Encaps ? known.encaps : known.decaps;
}

namespace
{

// The objects of a request, one after the other: each begins at a word, and what is left of its last one is padding.
class Objects
{
  public:
    explicit Objects(const Words &request) : words_(request)
    {
    }

    std::vector<uint8_t> next(size_t size)
    {
        const size_t count = (size + 7) / 8;
        auto bytes = bytes_of(words_, at_, count);
        at_ += count;
        bytes.resize(size);
        return bytes;
    }

  private:
    const Words &words_;
    size_t at_ = 1; // behind the command
};

} // namespace

Words golden_response(const Words &request, unsigned ops, unsigned sets)
{
    const uint64_t command = request.at(0);
    const unsigned operation = command & 0xf, set = command >> 8 & 0xff;
    Words response = {(command & 0xffffff00) | static_cast<uint64_t>(operation) << 32};
    const auto fail = [&](Status status) {
        response[0] |= status;
        return Words{response[0]};
    };
    const auto add = [&](const std::vector<uint8_t> &bytes) {
        for (uint64_t word : words_of(bytes)) response.push_back(word);
    };
    if (operation < Keygen || operation > Decaps || !(ops >> (operation - 1) & 1) || set >= 16 || !(sets >> set & 1) ||
        (command & 0xf0) != 0 || command >> 32 != 0)
        return fail(BadCommand);
    if (request.size() - 1 != golden_request_words(operation, set)) return fail(BadLength);
    const latkem_kem *kem = golden_set(set);
    Objects objects(request);
    std::vector<uint8_t> ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem)), ct(latkem_ct_bytes(kem)),
        ss(latkem_ss_bytes(kem));
    if (operation == Keygen) {
        std::vector<uint8_t> seed;
        for (unsigned length : set_of(set).draws) {
            const auto drawn = objects.next(length);
            seed.insert(seed.end(), drawn.begin(), drawn.end());
        }
        latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size());
        if (set_of(set).pair) add(ek);
        add(dk);
    } else if (operation == Encaps) {
        ek = objects.next(ek.size());
        const auto coins = objects.next(latkem_coins_bytes(kem));
        if (latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size()) != 0)
            return fail(BadEk);
        add(ct);
        add(ss);
    } else {
        dk = objects.next(dk.size());
        ct = objects.next(ct.size());
        if (latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size()) != 0) return fail(BadDk);
        add(ss);
    }
    return response;
}
