// libcrypto's memory fails at every allocation, one at a time: each operation fails with all outputs zeroed, or does
// without the memory and is right. Memory that libcrypto itself then loses is its own matter.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/latkem.h>

#include "libcrypto_heap.h"
#include "operations.h"

namespace
{

class Memory : public testing::TestWithParam<Operation>
{
};

TEST_P(Memory, EachAllocationFails)
{
    const Operation &operation = GetParam();
    Outputs right = operation.fresh();
    ASSERT_EQ(operation.call(right), operation.result);
    int failures = 0;
    bool reached = true;
    for (uint64_t at = 1; reached && !HasFailure(); at++) {
        SCOPED_TRACE("allocation " + std::to_string(at));
        Outputs out = operation.fresh();
        raise_entry();
        libcrypto_heap::fail_at(at);
        const int error = operation.call(out);
        reached = libcrypto_heap::failed();
        libcrypto_heap::fail_at(0);
        EXPECT_EQ(queue_fault(), "");
        failures += error != operation.result;
        if (error == operation.result) {
            EXPECT_EQ(out, right);
        } else {
            EXPECT_TRUE(error == LATKEM_ERR_CRYPTO || error == operation.refusal) << latkem_strerror(error);
            EXPECT_EQ(operation.fault(), "");
            EXPECT_EQ(operation.output_fault(out, right), "");
        }
    }
    EXPECT_EQ(failures > 0, operation.takes_memory);
    Outputs again = operation.fresh();
    EXPECT_EQ(operation.call(again), operation.result);
    EXPECT_EQ(again, right);
}

std::string name_of(const testing::TestParamInfo<Operation> &info)
{
    return plain(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Operations, Memory, testing::ValuesIn(operations()), name_of);

} // namespace
