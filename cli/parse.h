// Judges the command's input in memory without any I/O: hex text, and the raw bytes of keys, ciphertexts and seeds.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_PARSE_H
#define LATKEM_CLI_PARSE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <latkem/latkem.h>

#include "buffer.h"

enum class Object { ek, dk, ct, seed };

const char *object_name(Object object);
size_t object_bytes(const latkem_kem *kem, Object object);

// object_fault says in words what is wrong with the bytes as an object of the set, or returns "" if they are fine.
// The length of every object is checked; an ek and a dk also pass the library's key checks.
std::string object_fault(const latkem_kem *kem, Object object, const uint8_t *data, size_t size);

// parse_hex decodes hex text of either case, without spaces or prefix, into out and returns "", or says what is wrong
// with the text without quoting it (it may be secret) and leaves out empty.
std::string parse_hex(std::string_view text, Buffer &out);

// nearest returns the candidate that the name was meant to be: one that differs by a slip or two of the keyboard, the
// nearest first; "" if there is none.
std::string nearest(std::string_view name, const std::vector<std::string> &candidates);

// suggest_set does so for sets, where case and punctuation do not count, or returns NULL.
const latkem_kem *suggest_set(std::string_view name);

#endif
