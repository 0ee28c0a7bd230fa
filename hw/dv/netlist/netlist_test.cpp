// The netlist of a core against liblatkem. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iterator>

#include "Vcore.h"
#include "core/core.h"
#include "core/requests.h"

namespace
{

// One that the core without parameters and the core of its name have.
constexpr unsigned set = core_set_indices[std::size(core_set_indices) > 1 ? 1 : 0];

class Netlist : public testing::Test
{
  protected:
    void answers(const Words &request)
    {
        EXPECT_EQ(core.run(request).words, golden_response(request));
    }

    Core<Vcore> core;
    Requests requests;
};

TEST_F(Netlist, Keygen)
{
    answers(requests.keygen(set));
}

TEST_F(Netlist, Encaps)
{
    answers(requests.encaps(set));
}

// Of a ciphertext as it was sent, and of an altered one: the key of implicit rejection.
TEST_F(Netlist, Decaps)
{
    Words request = requests.decaps(set);
    answers(request);
    const Words good = golden_response(request);
    request.back() ^= 1;
    ASSERT_NE(golden_response(request), good);
    answers(request);
}

} // namespace
