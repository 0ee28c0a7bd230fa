// The folder of known-answer vectors, which a checkout may lack.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_VECTORS_H
#define LATKEM_TESTS_VECTORS_H

#include <nlohmann/json.hpp>
#include <string>

#include "harness/model/facts.h"
#include "harness/model/hex.h"

// A set's name in the names of files: where the library has a name of its own, the official one.
std::string vectors_name(const SetFacts &set);

bool vectors_present();
nlohmann::json load_json(const std::string &path);
std::vector<std::string> load_lines(const std::string &path);
std::vector<std::string> load_gzip_lines(const std::string &path);

inline Bytes hex_field(const nlohmann::json &object, const char *name)
{
    return from_hex(object.at(name).get<std::string>());
}

#define LATKEM_NEED_VECTORS()                                                                                          \
    if (!vectors_present()) GTEST_SKIP() << "skipped: no vectors"

#endif
