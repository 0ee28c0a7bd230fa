// The golden model: what a core answers to a request, by liblatkem. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_GOLDEN_H
#define LATKEM_HW_GOLDEN_H

#include <string>
#include <vector>

#include "core/core.h"
#include "core_sets.h"
#include "latkem/latkem.h"

// The core's set at an index of `latkem list`.
const CoreSet &set_of(unsigned index);
const latkem_kem *golden_set(unsigned index);

// The response's words to a request of any length and content.
Words golden_response(const Words &request, unsigned ops = core_ops, unsigned sets = core_set_bits);

// Words that follow the command of a valid request.
size_t golden_request_words(unsigned operation, unsigned set);

Words words_of(const std::vector<uint8_t> &bytes);
std::vector<uint8_t> bytes_of(const Words &words, size_t from, size_t count);

// A request of the command and objects.
Words make_request(unsigned operation, unsigned set, unsigned tag, std::initializer_list<std::vector<uint8_t>> objects);

#endif
