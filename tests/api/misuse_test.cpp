// Wrong lengths, NULL arguments, batches that cannot be and buffers that overlap, for every call: the right error, no
// crash, and zeroed outputs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "calls.h"

namespace
{

class Misuse : public KemTest
{
};

std::vector<size_t> wrong_lengths(size_t right)
{
    std::vector<size_t> wrong = {0, 1, right - 1, right + 1, 2 * right, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + right};
    if (SIZE_MAX > UINT32_MAX) wrong.push_back(right + static_cast<size_t>(UINT64_C(1) << 32));
    return wrong;
}

TEST_P(Misuse, ValidArgumentsSucceed)
{
    for (const Call &call : calls_of(set())) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        EXPECT_EQ(call.run(a), LATKEM_OK) << call.name;
    }
}

TEST_P(Misuse, WrongLength)
{
    for (const Call &call : calls_of(set()))
        for (Buffer buffer : call.lengths) {
            CallMemory probe(set(), kem, call);
            for (size_t length : wrong_lengths(probe.arguments().length[buffer])) {
                CallMemory memory(set(), kem, call);
                Arguments a = memory.arguments();
                a.length[buffer] = length;
                EXPECT_EQ(call.run(a), LATKEM_ERR_LENGTH)
                    << call.name << ", buffer " << buffer << ", length " << length;
                EXPECT_TRUE(memory.outputs_zeroed()) << call.name << ", buffer " << buffer << ", length " << length;
                EXPECT_TRUE(a.rng.requests.empty()) << call.name;
            }
        }
}

// The lengths of another set are wrong too.
TEST_P(Misuse, LengthsOfAnotherSet)
{
    for (const SetFacts &other : all_facts()) {
        if (other.sizes.ek == sizes().ek) continue;
        const Bytes ek(other.sizes.ek), dk(other.sizes.dk);
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), LATKEM_ERR_LENGTH) << other.name;
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), LATKEM_ERR_LENGTH) << other.name;
    }
}

TEST_P(Misuse, NullKem)
{
    for (const Call &call : calls_of(set())) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        a.kem = nullptr;
        EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name;
    }
}

TEST_P(Misuse, NullInput)
{
    for (const Call &call : calls_of(set()))
        for (Buffer buffer : call.inputs) {
            CallMemory memory(set(), kem, call);
            Arguments a = memory.arguments();
            a.at[buffer] = nullptr;
            EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name << ", buffer " << buffer;
            EXPECT_TRUE(memory.outputs_refused()) << call.name << ", buffer " << buffer;
        }
}

TEST_P(Misuse, NullOutput)
{
    for (const Call &call : calls_of(set()))
        for (Buffer missing : call.outputs) {
            CallMemory memory(set(), kem, call);
            Arguments a = memory.arguments();
            a.at[missing] = nullptr;
            EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name << ", buffer " << missing;
            if (call.is_batch()) {
                EXPECT_TRUE(memory.outputs_untouched()) << call.name << ", buffer " << missing;
                continue;
            }
            for (Buffer other : call.outputs) {
                if (other == missing) continue;
                EXPECT_TRUE(all_zero(memory.content(other))) << call.name << ", buffer " << other;
            }
        }
}

TEST_P(Misuse, NullRng)
{
    for (const Call &call : calls_of(set())) {
        if (!call.takes_rng) continue;
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        a.fill = nullptr;
        EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name;
        EXPECT_TRUE(memory.outputs_refused()) << call.name;
    }
}

// ---- Batches of more elements than there can be ----

class TooLarge : public KemTest
{
  protected:
    // Calls check(call, expect_refused) for each operation on batches. expect_refused(n, missing) runs it on n
    // elements, without the buffer `missing` unless that is BUFFERS.
    template <class Check> void for_every_batch(Check check)
    {
        for (const Call &call : calls_of(set())) {
            if (!call.is_batch()) continue;
            SCOPED_TRACE(call.name);
            CallMemory memory(set(), kem, call);
            check(call, [&](size_t n, size_t missing) {
                Arguments a = memory.arguments();
                a.n = n;
                if (missing < BUFFERS) a.at[missing] = nullptr;
                EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << "n = " << n << ", without buffer " << missing;
                EXPECT_TRUE(memory.outputs_untouched()) << "n = " << n << ", without buffer " << missing;
                for (int b = 0; b < BUFFERS; b++)
                    EXPECT_TRUE(memory.guards_intact(static_cast<Buffer>(b))) << "n = " << n << ", buffer " << b;
            });
        }
    }
};

// The library takes the largest of ek, dk and ct for the largest object.
TEST_P(TooLarge, SharedSecretsAreNotLarge)
{
    EXPECT_LE(sizes().ss, std::max({sizes().ek, sizes().dk, sizes().ct}));
}

// Bytes that do not fit size_t, or wrap to few, or to more than an object can have.
TEST_P(TooLarge, Overflow)
{
    for_every_batch([&](const Call &, auto expect_refused) {
        for (size_t size : {sizes().dk, sizes().ek, sizes().ct, sizes().ss})
            for (size_t n : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 2, SIZE_MAX / size + 1, SIZE_MAX / size + 2,
                             SIZE_MAX / size, PTRDIFF_MAX / size + 1, PTRDIFF_MAX / sizes().dk + 1})
                expect_refused(n, BUFFERS);
    });
}

// A NULL argument beside an n that may be nonsense too.
TEST_P(TooLarge, NullAndAnyNumber)
{
    for_every_batch([&](const Call &call, auto expect_refused) {
        for (Buffer missing : call.buffers())
            for (size_t n : {size_t{1}, size_t{1} << 20, PTRDIFF_MAX / sizes().dk, SIZE_MAX / sizes().ek + 1, SIZE_MAX})
                expect_refused(n, missing);
    });
}

// ---- Overlaps ----

// Two buffers of a call, the second at any distance from the start of the first, which keeps the alignment of prepared
// keys.
class Neighbours
{
  public:
    using Distance = std::ptrdiff_t;

    Neighbours(CallMemory &memory, Buffer first, Buffer second)
        : memory_(memory), first_{first, memory.content(first)}, second_{second, memory.content(second)},
          margin_((second_.content.size() + 15) / 16 * 16), storage_(2 * margin_ + first_.content.size())
    {
    }

    Buffer second() const
    {
        return second_.buffer;
    }
    std::vector<Distance> sharing() const
    {
        return {1 - second_.size(), -1, 0, 1, first_.size() / 2, first_.size() - 1};
    }
    std::vector<Distance> touching() const
    {
        return {-second_.size(), first_.size()};
    }

    int run(const Call &call, Arguments a, Distance distance)
    {
        memory_.fill_inputs();
        std::memset(storage_.data(), CallMemory::poison, storage_.size());
        first_.at = static_cast<Distance>(margin_);
        second_.at = first_.at + distance;
        for (const Place *place : {&first_, &second_}) {
            a.at[place->buffer] = static_cast<uint8_t *>(storage_.data()) + place->at;
            std::memcpy(a.at[place->buffer], place->content.data(), place->content.size());
        }
        before_ = storage_.bytes();
        return call.run(a);
    }

    // An output of the two is zeroed, in a batch not even that; nothing else is touched.
    testing::AssertionResult refused(const Call &call) const
    {
        Bytes expected = before_;
        for (const Place *place : {&first_, &second_})
            if (!call.is_batch() && call.zeroes_on_errors(place->buffer))
                std::fill_n(expected.begin() + place->at, place->size(), uint8_t{0});
        if (storage_.bytes() == expected) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "memory is not as a refused call leaves it";
    }

  private:
    struct Place {
        Buffer buffer;
        Bytes content;
        Distance at = 0;
        Distance size() const
        {
            return static_cast<Distance>(content.size());
        }
    };

    CallMemory &memory_;
    Place first_, second_;
    size_t margin_;
    Prepared storage_;
    Bytes before_;
};

class Overlap : public KemTest
{
  protected:
    // Every output with every other buffer.
    template <class Check> void for_every_pair(Check check)
    {
        for (const Call &call : calls_of(set())) {
            CallMemory memory(set(), kem, call);
            for (Buffer output : call.changed())
                for (Buffer other : call.buffers()) {
                    if (other == output) continue;
                    memory.fill_inputs();
                    SCOPED_TRACE(std::string(call.name) + ", buffers " + std::to_string(output) + " and " +
                                 std::to_string(other));
                    const bool is_prepared = other == PREPARED_EK || other == PREPARED_DK;
                    Neighbours pair(memory, is_prepared ? other : output, is_prepared ? output : other);
                    check(call, memory.arguments(), pair);
                }
        }
    }
};

TEST_P(Overlap, IsRefused)
{
    for_every_pair([](const Call &call, const Arguments &a, Neighbours &pair) {
        for (Neighbours::Distance distance : pair.sharing()) {
            EXPECT_EQ(pair.run(call, a, distance), LATKEM_ERR_ARGUMENT) << "distance " << distance;
            EXPECT_TRUE(pair.refused(call)) << "distance " << distance;
        }
    });
}

TEST_P(Overlap, NeighboursAreNone)
{
    for_every_pair([](const Call &call, const Arguments &a, Neighbours &pair) {
        for (Neighbours::Distance distance : pair.touching())
            EXPECT_EQ(pair.run(call, a, distance), LATKEM_OK) << "distance " << distance;
    });
}

// An input that is a byte too short ends where an output begins. Its length is wrong.
TEST_P(Overlap, ShortInputHasNone)
{
    for_every_pair([](const Call &call, Arguments a, Neighbours &pair) {
        for (Buffer input : call.lengths) {
            if (input != pair.second()) continue;
            a.length[input]--;
            EXPECT_EQ(pair.run(call, a, pair.sharing().front()), LATKEM_ERR_LENGTH);
        }
    });
}

LATKEM_FOR_EVERY_CASE(Misuse);
LATKEM_FOR_EVERY_CASE(TooLarge);
LATKEM_FOR_EVERY_CASE(Overlap);

TEST(MisuseOfQueries, NullKem)
{
    EXPECT_EQ(latkem_kem_name(nullptr), nullptr);
    EXPECT_EQ(latkem_kem_family(nullptr), nullptr);
    EXPECT_EQ(latkem_kem_level(nullptr), 0);
    for (auto *size : {latkem_ek_bytes, latkem_dk_bytes, latkem_ct_bytes, latkem_ss_bytes, latkem_seed_bytes,
                       latkem_coins_bytes, latkem_prepared_ek_bytes, latkem_prepared_dk_bytes})
        EXPECT_EQ(size(nullptr), 0u);
    EXPECT_EQ(latkem_kem_is_standard(nullptr), 0);
}

} // namespace
