// A model of the sealed file, written from docs/sealed-format.md alone: neither the command's code nor libcrypto is in it.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_CLI_SEALED_MODEL_H
#define LATKEM_TESTS_CLI_SEALED_MODEL_H

#include <string>

#include "harness/model/hex.h"

// The parts of a sealed file.
struct ModelFile {
    uint8_t version, cipher; // as in the header
    std::string set;
    Bytes ek, ct, ss, content;
    uint64_t first = 0; // the number of the first chunk
};

struct ModelKeys {
    Bytes chunks, commitment; // version 1 has no commitment
};

ModelKeys model_keys(const ModelFile &file);
Bytes model_seal(const ModelFile &file);

#endif
