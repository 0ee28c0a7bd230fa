// Key files written again, from elements that can be put together wrongly, and what must be true of a file that is read.
// Tests and the fuzz target fuzz_keyfile share it. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_KEYFILE_MODEL_H
#define LATKEM_TESTS_KEYFILE_MODEL_H

#include <latkem/latkem.h>

#include <string>

#include "harness/model/hex.h"

// An element of DER or, on request, of an encoding that is not DER.
struct Element {
    enum Length { minimal, in_more_bytes, off, indefinite };

    int tag;       // -1: the content alone
    Bytes content; // before the parts
    std::vector<Element> parts = {};
    Length length = minimal;
    int off_by = 0;

    Bytes encode() const;
};

// A set with an encoding, and a key of it.
struct KeyOfSet {
    const latkem_kem *kem;
    Bytes oid, seed, dk, ek;
    bool is_mlkem;
};

// The sets that have an encoding, each with a key pair that is the same in every run.
const std::vector<KeyOfSet> &keys_of_sets();

struct Extras {
    bool attributes, public_key;
};

Element public_file(const KeyOfSet &key);
Element private_file(const KeyOfSet &key, int form, Extras extras);

// The result of a file. A complaint, or an empty one if what is promised holds: with an error nothing is given; a file
// that is accepted is, byte for byte, what the model writes for the key that was given (but for the attributes), is
// written again to the same bytes, and its seed gives its dk.
struct Verdict {
    int error;
    std::string complaint;
};

Verdict try_private(const Bytes &der);
Verdict try_public(const Bytes &der);

// Makes a file as an input says, right or wrong in up to some places of its structure and its bytes, and reads it.
Verdict try_mutation(const Bytes &input);

#endif
