// The caller's random generator: what it is asked for, and what happens when it fails at each request.
// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "kem_test.h"

namespace
{

class Rng : public KemTest
{
  protected:
    int keypair_rng(RecordingRng &rng, Bytes &ek, Bytes &dk) const
    {
        return latkem_keypair_rng(kem, ek.data(), dk.data(), RecordingRng::fill, &rng);
    }

    int encaps_rng(RecordingRng &rng, Bytes &ct, Bytes &ss, const Bytes &ek) const
    {
        return latkem_encaps_rng(kem, ct.data(), ss.data(), ek.data(), ek.size(), RecordingRng::fill, &rng);
    }
};

TEST_P(Rng, KeypairRequestsAndAgreesWithDerand)
{
    Stream stream("rng");
    const Bytes seed = stream.bytes(sizes().seed);
    RecordingRng rng{seed};
    Bytes ek(sizes().ek), dk(sizes().dk);
    EXPECT_EQ(keypair_rng(rng, ek, dk), LATKEM_OK);
    EXPECT_EQ(rng.requests, set().keypair_requests);
    const KeyPair expected = keypair(seed);
    EXPECT_EQ(to_hex(ek), to_hex(expected.ek));
    EXPECT_EQ(to_hex(dk), to_hex(expected.dk));
}

TEST_P(Rng, EncapsRequestsAndAgreesWithDerand)
{
    Stream stream("rng");
    const KeyPair keys = keypair(stream);
    const Bytes coins = stream.bytes(sizes().coins);
    RecordingRng rng{coins};
    Bytes ct(sizes().ct), ss(sizes().ss);
    EXPECT_EQ(encaps_rng(rng, ct, ss, keys.ek), LATKEM_OK);
    EXPECT_EQ(rng.requests, set().encaps_requests);
    const Encapsulation expected = encaps(keys.ek, coins);
    EXPECT_EQ(to_hex(ct), to_hex(expected.ct));
    EXPECT_EQ(to_hex(ss), to_hex(expected.ss));
}

TEST_P(Rng, KeypairFailure)
{
    for (size_t fail_at = 1; fail_at <= set().keypair_requests.size(); fail_at++) {
        RecordingRng rng{Stream("rng").bytes(sizes().seed), static_cast<int>(fail_at)};
        Bytes ek(sizes().ek, 0xee), dk(sizes().dk, 0xee);
        EXPECT_EQ(keypair_rng(rng, ek, dk), LATKEM_ERR_RNG) << "failure at request " << fail_at;
        EXPECT_EQ(rng.requests.size(), fail_at);
        EXPECT_TRUE(all_zero(ek));
        EXPECT_TRUE(all_zero(dk));
    }
}

TEST_P(Rng, EncapsFailure)
{
    Stream stream("rng");
    const KeyPair keys = keypair(stream);
    for (size_t fail_at = 1; fail_at <= set().encaps_requests.size(); fail_at++) {
        RecordingRng rng{stream.bytes(sizes().coins), static_cast<int>(fail_at)};
        Bytes ct(sizes().ct, 0xee), ss(sizes().ss, 0xee);
        EXPECT_EQ(encaps_rng(rng, ct, ss, keys.ek), LATKEM_ERR_RNG) << "failure at request " << fail_at;
        EXPECT_EQ(rng.requests.size(), fail_at);
        EXPECT_TRUE(all_zero(ct));
        EXPECT_TRUE(all_zero(ss));
    }
}

// Any non-zero return is a failure, whatever its sign and low bits.
TEST_P(Rng, AnyNonZeroReturnIsFailure)
{
    for (int value : {1, -1, 256, 65536, INT_MIN, INT_MAX}) {
        auto fail = [](void *ctx, uint8_t *, size_t) { return *static_cast<int *>(ctx); };
        Bytes ek(sizes().ek, 0xee), dk(sizes().dk, 0xee);
        EXPECT_EQ(latkem_keypair_rng(kem, ek.data(), dk.data(), fail, &value), LATKEM_ERR_RNG) << value;
        EXPECT_TRUE(all_zero(ek + dk));
    }
}

// The operating system's generator gives a different key and ciphertext each time.
TEST_P(Rng, OperatingSystem)
{
    Bytes ek[2] = {Bytes(sizes().ek), Bytes(sizes().ek)}, dk[2] = {Bytes(sizes().dk), Bytes(sizes().dk)};
    Bytes ct[2] = {Bytes(sizes().ct), Bytes(sizes().ct)}, ss[2] = {Bytes(sizes().ss), Bytes(sizes().ss)};
    for (int i = 0; i < 2; i++) {
        ASSERT_EQ(latkem_keypair(kem, ek[i].data(), dk[i].data()), LATKEM_OK);
        ASSERT_EQ(latkem_encaps(kem, ct[i].data(), ss[i].data(), ek[0].data(), sizes().ek), LATKEM_OK);
        EXPECT_EQ(decaps(dk[0], ct[i]), ss[i]);
    }
    EXPECT_NE(ek[0], ek[1]);
    EXPECT_NE(slice(dk[0], sizes().dk - 32, 32), slice(dk[1], sizes().dk - 32, 32)) << "z";
    EXPECT_NE(ct[0], ct[1]);
    EXPECT_NE(ss[0], ss[1]);
}

LATKEM_FOR_EVERY_CASE(Rng);

} // namespace
