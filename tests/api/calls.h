// Every operation of the API that takes buffers, as one table, so that a test of misuse or of memory covers them all.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_CALLS_H
#define LATKEM_TESTS_CALLS_H

#include <algorithm>
#include <array>

#include "kem_test.h"

enum Buffer {
    EK,
    DK,
    CT,
    SS,
    SEED,
    COINS,
    PREPARED_EK,
    PREPARED_DK,
    MESSAGE1,
    STATE,
    UAKE_MESSAGE2,
    AKE_MESSAGE2,
    KEY,
    HEADER,
    VECTOR,
    CT1,
    CT2,
    ENCAPS_STATE,
    WORKSPACE,
    BUFFERS
};

// The arguments of a call; a test alters what it wants to be wrong.
struct Arguments {
    const latkem_kem *kem = nullptr;
    std::array<uint8_t *, BUFFERS> at{};
    std::array<size_t, BUFFERS> length{};
    size_t n = 0; // elements of a batch
    latkem_rng_fn *fill = RecordingRng::fill;
    RecordingRng rng{};
};

struct Call {
    const char *name;
    size_t elements; // more than 1 for batches
    std::vector<Buffer> outputs, inputs, lengths;
    bool takes_rng, is_deterministic;
    int (*run)(Arguments &a);
    std::vector<Buffer> wiped = {};   // inputs that the call wipes, unless their length is wrong
    std::vector<Buffer> used_up = {}; // inputs that the call wipes when it succeeds

    bool is_batch() const
    {
        return elements > 1;
    }
    bool is_exchange() const
    {
        return changes(MESSAGE1) || changes(KEY);
    }
    std::vector<Buffer> buffers() const
    {
        std::vector<Buffer> all = outputs;
        all.insert(all.end(), inputs.begin(), inputs.end());
        return all;
    }
    std::vector<Buffer> changed() const
    {
        std::vector<Buffer> all = outputs;
        all.insert(all.end(), wiped.begin(), wiped.end());
        all.insert(all.end(), used_up.begin(), used_up.end());
        return all;
    }
    bool changes(Buffer buffer) const
    {
        const std::vector<Buffer> all = changed();
        return std::find(all.begin(), all.end(), buffer) != all.end();
    }
    bool zeroes_on_errors(Buffer buffer) const
    {
        return changes(buffer) && std::find(used_up.begin(), used_up.end(), buffer) == used_up.end();
    }
};

void PrintTo(const Call &call, std::ostream *os);
std::vector<Call> calls_of(const SetFacts &set);

// How many elements the batches of the table have.
constexpr size_t batch_elements = 3;

// A set of buffers for one call with valid inputs and poisoned outputs. Poison is before and behind each buffer;
// byte buffers start at the given offset from an aligned address.
class CallMemory
{
  public:
    CallMemory(const SetFacts &set, const latkem_kem *kem, const Call &call, size_t offset = 0);

    Arguments arguments();

    // Again, after a call that has used some up.
    void fill_inputs();

    Bytes content(Buffer buffer) const;
    bool guards_intact(Buffer buffer) const;
    testing::AssertionResult outputs_zeroed() const;
    testing::AssertionResult outputs_untouched() const;

    // The outputs after LATKEM_ERR_ARGUMENT: zeros, in a batch the old bytes.
    testing::AssertionResult outputs_refused() const
    {
        return call_.is_batch() ? outputs_untouched() : outputs_zeroed();
    }

    static constexpr uint8_t poison = 0xa7;

  private:
    static constexpr size_t guard = 64;
    struct Area {
        Prepared storage;
        size_t start, size;
    };

    void put(Buffer buffer, const Bytes &content);

    const Call call_;
    const latkem_kem *kem_;
    Sizes sizes_;
    std::vector<Area> areas_;
};

#endif
