// Known-answer files: those of the folder LATKEM_VECTORS_DIR, else those of tests/vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_VECTORS_H
#define LATKEM_TESTS_VECTORS_H

#include <nlohmann/json.hpp>
#include <string>

#include "harness/model/facts.h"
#include "harness/model/hex.h"

bool has_vectors(const std::string &path);
nlohmann::json load_json(const std::string &path);
std::vector<std::string> load_lines(const std::string &path);

inline Bytes hex_field(const nlohmann::json &object, const char *name)
{
    return from_hex(object.at(name).get<std::string>());
}

#endif
