// Keys as FIPS 203 section 7 checks them, and values that are not reduced. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "Vcore.h"
#include "core/requests.h"

namespace
{

constexpr unsigned q = 3329;

class MlKem : public testing::Test
{
  protected:
    static int rounds()
    {
        return std::getenv("LATKEM_HW_LONG") != nullptr ? 200 : 8;
    }

    size_t below(size_t bound)
    {
        return requests.random() % bound;
    }

    Core<Vcore> core;
    Requests requests;
};

// A coefficient of q or more in ek.
TEST_F(MlKem, ChecksTheModulus)
{
    for (const CoreSet &set : core_sets)
        for (int i = 0; i < rounds(); ++i) {
            Words request = requests.encaps(set.index);
            auto t = unpacked(request, 1, set.secret, scheme::secret_bits);
            t[i == 0 ? 0 : i == 1 ? t.size() - 1 : below(t.size())] = i % 2 ? 4095 : q;
            const Words altered = packed(t, scheme::secret_bits);
            std::copy(altered.begin(), altered.end(), request.begin() + 1);
            const Response response = core.run(request);
            EXPECT_EQ(response.words, golden_response(request));
            EXPECT_EQ(response.status(), set.checks_keys ? BadEk : Ok) << set.name;
        }
}

// A bit of ek or of H(ek) in dk.
TEST_F(MlKem, ChecksTheHash)
{
    for (const CoreSet &set : core_sets)
        for (int i = 0; i < rounds(); ++i) {
            Words request = requests.decaps(set.index);
            const size_t ek = 1 + set.secret, words = set.ek + 4;
            request[i == 0 ? ek : i == 1 ? ek + words - 1 : ek + below(words)] ^= uint64_t{1} << below(64);
            const Response response = core.run(request);
            EXPECT_EQ(response.words, golden_response(request));
            EXPECT_EQ(response.status(), set.checks_keys ? BadDk : Ok) << set.name;
        }
}

// s in dk counts modulo q.
TEST_F(MlKem, ReducesTheSecret)
{
    for (const CoreSet &set : core_sets)
        for (int i = 0; i < rounds(); ++i) {
            Words request = requests.decaps(set.index);
            for (size_t w = 1; w <= set.secret; ++w) request[w] |= requests.random() & requests.random();
            EXPECT_EQ(core.run(request).words, golden_response(request)) << set.name;
        }
}

} // namespace
