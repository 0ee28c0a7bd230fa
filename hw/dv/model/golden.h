// The golden model: what a core answers to a request, by liblatkem. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_GOLDEN_H
#define LATKEM_HW_GOLDEN_H

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/core.h"
#include "core_sets.h"
#include "latkem/latkem.h"

// By further parameter and set: latency and interval of keygen, encaps and decaps.
using FurtherCycles = std::map<std::string, std::map<std::string, std::array<std::pair<unsigned, unsigned>, 3>>>;

// The core's set at an index of `latkem list`.
const CoreSet &set_of(unsigned index);
const latkem_kem *golden_set(unsigned index);

// Those that a command names.
inline unsigned operation_of(const Words &request)
{
    return request.at(0) & 0xf;
}
inline const CoreSet &set_of(const Words &request)
{
    return set_of(request.at(0) >> 8 & 0xff);
}

// The response's words to a request of any length and content.
Words golden_response(const Words &request, unsigned ops = core_ops, unsigned sets = core_set_bits);

// Words that follow the command of a valid request.
size_t golden_request_words(unsigned operation, unsigned set);

Words words_of(const std::vector<uint8_t> &bytes);
std::vector<uint8_t> bytes_of(const Words &words, size_t from, size_t count);

// Values of so many bits one after the other, the lowest bit first; the last word is filled with zeros.
Words packed(const std::vector<unsigned> &values, unsigned bits);
std::vector<unsigned> unpacked(const Words &words, size_t from, size_t count, unsigned bits);

// A request of the command and objects.
Words make_request(unsigned operation, unsigned set, unsigned tag, std::initializer_list<std::vector<uint8_t>> objects);

#endif
