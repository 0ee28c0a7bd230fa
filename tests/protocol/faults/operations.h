// Every operation of liblatkem-protocol that calls libcrypto, described in one way: how it begins, what it writes,
// which secrets it knows. Tests that make libcrypto fail, and that look for what is left behind, go through all.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROTOCOL_OPERATIONS_H
#define LATKEM_TESTS_PROTOCOL_OPERATIONS_H

#include <latkem/latkem.h>

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/hex.h"

using Outputs = std::vector<Bytes>;

struct Operation {
    std::string name;
    std::vector<size_t> outputs; // their sizes
    std::function<int(Outputs &out)> call;
    int refusal = 0;                                                   // its error where libcrypto refuses an input
    int result = 0;                                                    // what it returns where nothing fails
    std::function<void()> begin = [] {};                               // before each call
    std::function<std::string()> fault = [] { return std::string(); }; // what is wrong with its state after an error
    bool apart = false;          // after an error some outputs may be right, not all
    bool calls_libcrypto = true; // a function that can fail
    bool takes_memory = true;    // of libcrypto
    std::vector<std::pair<std::string, Bytes>> secrets = {};
    std::vector<Bytes> shares = {}; // that it makes of its secrets for everyone to see

    // Begins, and gives outputs that are full of something.
    Outputs fresh() const;

    // The fault in the outputs after an error, where `right` are those of a call that succeeds; or nothing.
    std::string output_fault(const Outputs &out, const Outputs &right) const;
};

void PrintTo(const Operation &operation, std::ostream *os);

// All of them, always in the same order. They need their inputs first, so that this calls the library. Another number gives
// other secrets; what a peer sends is the same for each.
std::vector<Operation> operations(int number = 1);

// Bytes that only their owner knows.
Bytes secret(const std::string &label, size_t length, int number);

// The group's part of a hybrid's ek or ct; of other sets nothing. And the object with a point that is off its curve.
Bytes share_in(const latkem_kem *kem, const Bytes &object);
Bytes with_bad_share(const latkem_kem *kem, Bytes object);

// An entry in libcrypto's error queue, and what has become of it: nothing, or what is wrong with the queue.
void raise_entry();
std::string queue_fault();

// For the names of tests: letters, digits and '_'.
std::string plain(const std::string &name);

// The secret parts of ML-KEM's dk, s and z (FIPS 203 algorithm 16), as secrets of an operation.
void add_dk(Operation &operation, const std::string &whose, const Bytes &dk);

// Of each part of the library, in a file of its own.
void add_crypto(std::vector<Operation> &all, int number);
void add_hybrids(std::vector<Operation> &all, int number);
void add_keyfiles(std::vector<Operation> &all, int number);
void add_noise(std::vector<Operation> &all, int number);
void add_hpke(std::vector<Operation> &all, int number);

#endif
