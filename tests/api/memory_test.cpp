// The calls' effects on memory: no byte outside an output changes, inputs stay as they are, and any alignment will do.
// SPDX-License-Identifier: Apache-2.0
#include "calls.h"

namespace
{

class Memory : public KemTest
{
};

TEST_P(Memory, RedZonesAndInputsUnchanged)
{
    for (const Call &call : calls_of(set())) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        std::vector<Bytes> before;
        for (Buffer b : call.inputs) before.push_back(memory.content(b));
        ASSERT_EQ(call.run(a), LATKEM_OK) << call.name;
        for (size_t i = 0; i < call.inputs.size(); i++) {
            const Buffer b = call.inputs[i];
            const Bytes expected = call.changes(b) ? Bytes(before[i].size()) : before[i];
            EXPECT_EQ(memory.content(b), expected) << call.name << ", buffer " << b;
        }
        for (int b = 0; b < BUFFERS; b++)
            EXPECT_TRUE(memory.guards_intact(static_cast<Buffer>(b))) << call.name << ", buffer " << b;
    }
}

TEST_P(Memory, RedZonesOnFailure)
{
    for (const Call &call : calls_of(set()))
        for (Buffer wrong : call.lengths) {
            CallMemory memory(set(), kem, call);
            Arguments a = memory.arguments();
            a.length[wrong] = 0;
            ASSERT_EQ(call.run(a), LATKEM_ERR_LENGTH) << call.name;
            for (int b = 0; b < BUFFERS; b++)
                EXPECT_TRUE(memory.guards_intact(static_cast<Buffer>(b))) << call.name << ", buffer " << b;
        }
}

// Every output byte is written: two runs on different poison would differ otherwise, so compare with poison directly. A
// random byte equals the poison once in 256, hence runs of 8.
TEST_P(Memory, OutputsAreWrittenWhole)
{
    const Bytes untouched(8, CallMemory::poison);
    for (const Call &call : calls_of(set())) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        ASSERT_EQ(call.run(a), LATKEM_OK) << call.name;
        for (Buffer b : call.outputs) {
            if (b == PREPARED_EK || b == PREPARED_DK) continue; // padding may be in prepared keys
            const Bytes content = memory.content(b);
            for (size_t i = 0; i + 8 <= content.size(); i++)
                ASSERT_NE(slice(content, i, 8), untouched) << call.name << ", buffer " << b << ", byte " << i;
        }
    }
}

TEST_P(Memory, AnyAlignment)
{
    for (const Call &call : calls_of(set())) {
        CallMemory aligned(set(), kem, call);
        Arguments a = aligned.arguments();
        ASSERT_EQ(call.run(a), LATKEM_OK) << call.name;
        for (size_t offset = 1; offset < 8; offset++) {
            CallMemory unaligned(set(), kem, call, offset);
            Arguments u = unaligned.arguments();
            EXPECT_EQ(call.run(u), LATKEM_OK) << call.name << ", offset " << offset;
            for (Buffer b : call.outputs) {
                EXPECT_TRUE(unaligned.guards_intact(b)) << call.name << ", buffer " << b << ", offset " << offset;
                if (!call.is_deterministic) continue;
                EXPECT_EQ(unaligned.content(b), aligned.content(b))
                    << call.name << ", buffer " << b << ", offset " << offset;
            }
        }
    }
}

LATKEM_FOR_EVERY_CASE(Memory);

} // namespace
