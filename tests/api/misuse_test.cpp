// Wrong lengths and NULL arguments, for every call: the right error, no crash, and zeroed outputs.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

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
    for (const Call &call : all_calls()) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        EXPECT_EQ(call.run(a), LATKEM_OK) << call.name;
    }
}

TEST_P(Misuse, WrongLength)
{
    for (const Call &call : all_calls())
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
    for (const Call &call : all_calls()) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        a.kem = nullptr;
        EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name;
    }
}

TEST_P(Misuse, NullInput)
{
    for (const Call &call : all_calls())
        for (Buffer buffer : call.inputs) {
            CallMemory memory(set(), kem, call);
            Arguments a = memory.arguments();
            a.at[buffer] = nullptr;
            EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name << ", buffer " << buffer;
            EXPECT_TRUE(memory.outputs_zeroed()) << call.name << ", buffer " << buffer;
        }
}

TEST_P(Misuse, NullOutput)
{
    for (const Call &call : all_calls())
        for (Buffer missing : call.outputs) {
            CallMemory memory(set(), kem, call);
            Arguments a = memory.arguments();
            a.at[missing] = nullptr;
            EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name << ", buffer " << missing;
            for (Buffer other : call.outputs) {
                if (other == missing) continue;
                EXPECT_TRUE(all_zero(memory.content(other))) << call.name << ", buffer " << other;
            }
        }
}

TEST_P(Misuse, NullRng)
{
    for (const Call &call : all_calls()) {
        if (!call.takes_rng) continue;
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        a.fill = nullptr;
        EXPECT_EQ(call.run(a), LATKEM_ERR_ARGUMENT) << call.name;
        EXPECT_TRUE(memory.outputs_zeroed()) << call.name;
    }
}

LATKEM_FOR_EVERY_CASE(Misuse);

TEST(MisuseOfQueries, NullKem)
{
    EXPECT_EQ(latkem_kem_name(nullptr), nullptr);
    EXPECT_EQ(latkem_kem_level(nullptr), 0);
    for (auto *size : {latkem_ek_bytes, latkem_dk_bytes, latkem_ct_bytes, latkem_ss_bytes, latkem_seed_bytes,
                       latkem_coins_bytes, latkem_prepared_ek_bytes, latkem_prepared_dk_bytes})
        EXPECT_EQ(size(nullptr), 0u);
    EXPECT_EQ(latkem_kem_is_standard(nullptr), 0);
}

} // namespace
