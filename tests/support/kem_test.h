// The fixture of tests that run for every parameter set on every backend, and helpers that make keys and randomness.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_KEM_TEST_H
#define LATKEM_TESTS_KEM_TEST_H

#include <gtest/gtest.h>
#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>
#include <latkem/prepared.h>

#include <ostream>

#include "harness/model/crypto.h"
#include "harness/model/facts.h"
#include "harness/model/hex.h"

struct Case {
    const SetFacts *set;
    std::string backend;
};

// Whether LATKEM_TEST_DEEP asks for what takes long too.
bool deep();

// Whether QEMU emulates the CPU that QEMU_CPU names and the tests are not deep: what takes long there has fewer steps.
bool emulated();

void PrintTo(const Case &c, std::ostream *os);

// The set at an index from 0 among those that are tested, NULL past the end: latkem_kem_at, unless the program has a
// function of its own.
const latkem_kem *tested_kem_at(size_t index);

// Every wanted set that is tested, on every backend of the library, on an emulated CPU on at most two.
// A set without facts ends the program.
std::vector<Case> cases(bool (*wanted)(const SetFacts &set));
std::string case_name(const testing::TestParamInfo<Case> &info);

struct KeyPair {
    Bytes ek, dk;
};

struct Encapsulation {
    Bytes ct, ss;
};

// Random-looking bytes that are the same in every run.
class Stream
{
  public:
    explicit Stream(const std::string &label);
    Bytes bytes(size_t length)
    {
        return shake_.squeeze(length);
    }
    size_t below(size_t bound);

  private:
    Shake128 shake_;
};

// A latkem_rng_fn that hands out given bytes, writes down each request, and fails at request number `fail_at`.
struct RecordingRng {
    Bytes supply;
    int fail_at = -1;
    size_t used = 0;
    std::vector<size_t> requests = {};

    static int fill(void *self, uint8_t *out, size_t length);
};

class KemTest : public testing::TestWithParam<Case>
{
  protected:
    void SetUp() override;
    void TearDown() override;

    const SetFacts &set() const
    {
        return *GetParam().set;
    }
    const Sizes &sizes() const
    {
        return set().sizes;
    }

    KeyPair keypair(Stream &stream) const;
    KeyPair keypair(const Bytes &seed) const;
    Encapsulation encaps(const Bytes &ek, const Bytes &coins) const;
    Bytes decaps(const Bytes &dk, const Bytes &ct) const;

    const latkem_kem *kem = nullptr;
};

// Storage for a prepared key, aligned as the library asks.
class Prepared
{
  public:
    explicit Prepared(size_t size)
        : cells_((size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t)), size_(size)
    {
    }
    void *data()
    {
        return cells_.data();
    }
    Bytes bytes() const;
    size_t size() const
    {
        return size_;
    }

  private:
    std::vector<std::max_align_t> cells_;
    size_t size_;
};

testing::AssertionResult all_zero(const Bytes &bytes);

// A build of some parameter sets may have none that a suite wants.
#define LATKEM_FOR_CASES(suite, wanted)                                                                                \
    GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                                              \
    INSTANTIATE_TEST_SUITE_P(Every, suite, testing::ValuesIn(cases(wanted)), case_name)

#define LATKEM_FOR_EVERY_CASE(suite) LATKEM_FOR_CASES(suite, [](const SetFacts &) { return true; })

#endif
