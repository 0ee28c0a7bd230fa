// TLS 1.3 with every group, in both roles, and with a first share that the server does not take.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>
#include <openssl/err.h>

#include <thread>

#include "handshake.h"

namespace
{

class Handshake : public EverySet
{
};

TEST_P(Handshake, NegotiatesTheGroup)
{
    EXPECT_EQ(Tls(library, set().group, set().group).handshake(), latkem_tls_group(kem()));
    EXPECT_EQ(ERR_peek_error(), 0u);
}

TEST_P(Handshake, NegotiatesTheGroupAfterARetry)
{
    EXPECT_EQ(Tls(library, std::string("X25519:") + set().group, set().group).handshake(), latkem_tls_group(kem()));
    const char *other = set().group == std::string("MLKEM512") ? "MLKEM768" : "MLKEM512";
    EXPECT_EQ(Tls(library, std::string(other) + ":" + set().group, set().group).handshake(), latkem_tls_group(kem()));
}

TEST_P(Handshake, GoesOnWithoutTheGroup)
{
    constexpr unsigned x25519 = 0x1d;
    const std::string both = std::string(set().group) + ":X25519";
    EXPECT_EQ(Tls(library, both, "X25519").handshake() & 0xffff, NID_X25519) << x25519;
    EXPECT_EQ(Tls(library, set().group, "X25519").handshake(), 0u) << "they have no group in common";
    ERR_clear_error();
}

TEST_P(Handshake, RunsInManyThreads)
{
    const Tls tls(library, set().group, set().group);
    std::vector<std::thread> threads;
    std::vector<int> done(8);
    for (int &result : done)
        threads.emplace_back([&] {
            for (int i = 0; i < 4; i++) result += tls.handshake() == latkem_tls_group(kem());
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(done, std::vector<int>(done.size(), 4));
}

INSTANTIATE_TEST_SUITE_P(Every, Handshake, testing::ValuesIn([] {
                             std::vector<Offered> sets;
                             for (const Offered &set : offered)
                                 if (set.group) sets.push_back(set);
                             return sets;
                         }()),
                         set_name);

} // namespace
