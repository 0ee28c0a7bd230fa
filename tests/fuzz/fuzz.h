// Shared by the fuzz targets: how an input is read, the objects of each set that it starts from, how a target fails.
//
// An input's first bytes choose the set and the mode, so even a short one reaches deep: most seeds are two bytes long.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_FUZZ_H
#define LATKEM_TESTS_FUZZ_H

#include <latkem/derand.h>
#include <latkem/latkem.h>

#include "harness/model/facts.h"
#include "harness/model/hex.h"

// Ends the program with a message, which libFuzzer reports as a crash.
void must(bool condition, const char *what);

class Input
{
  public:
    Input(const uint8_t *data, size_t size) : data_(data), size_(size)
    {
    }
    bool empty() const
    {
        return size_ == 0;
    }
    uint8_t byte();             // 0 once the input is used up
    Bytes bytes(size_t length); // filled with zeros
    Bytes rest()
    {
        return bytes(size_);
    }

  private:
    const uint8_t *data_;
    size_t size_;
};

// A set with a key pair and its encapsulation, the same in every run.
struct Objects {
    const latkem_kem *kem;
    const SetFacts *facts;
    Bytes ek, dk, ct, ss;

    bool is_mlkem() const
    {
        return facts->family == Family::mlkem;
    }
};

const Objects &choose_set(Input &input);

enum Mode : uint8_t {
    mode_raw_key = 1,      // the key is bytes of the input, not a good key
    mode_raw_ct = 2,       // the same for the ciphertext
    mode_repair_hash = 4,  // H(ek) in dk is made right at the end
    mode_other_lengths = 8 // lengths differ by up to 128 bytes, as the input says
};

// An object as the mode says; raw bytes and the change of length come from the input.
Bytes choose_object(Input &input, const Bytes &good, bool raw, uint8_t mode);

// Each three bytes of the input change one byte of the object: its distance from the begin or, with the highest bit
// set, from the end, and what it is XORed with.
void patch(Input &input, Bytes &object, size_t most);

// Writes H of the ek in dk where it belongs, if the length is right and the set's dk has one.
void repair_hash(const Objects &set, Bytes &dk);

// The expectation from the checks of FIPS 203 section 7 and the lengths: the result of operations.
int expected_ek_result(const Objects &set, const Bytes &ek);
int expected_dk_result(const Objects &set, const Bytes &dk);

// The same for latkem_check_ek and latkem_check_dk, which for NTRU also ask for the one form that key generation writes.
int expected_ek_check(const Objects &set, const Bytes &ek);
int expected_dk_check(const Objects &set, const Bytes &dk);

bool is_zero(const Bytes &bytes);

#endif
