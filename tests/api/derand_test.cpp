// The deterministic forms: the same inputs give the same outputs, and every byte of them counts.
// SPDX-License-Identifier: Apache-2.0
#include "kem_test.h"
#include "model.h"

namespace
{

class Derand : public KemTest
{
};

TEST_P(Derand, Reproducible)
{
    Stream stream("derand");
    const Bytes seed = stream.bytes(sizes().seed), coins = stream.bytes(sizes().coins);
    const KeyPair first = keypair(seed), second = keypair(seed);
    EXPECT_EQ(first.ek, second.ek);
    EXPECT_EQ(first.dk, second.dk);
    const Encapsulation one = encaps(first.ek, coins), two = encaps(first.ek, coins);
    EXPECT_EQ(one.ct, two.ct);
    EXPECT_EQ(one.ss, two.ss);
    EXPECT_EQ(decaps(first.dk, one.ct), one.ss);
}

TEST_P(Derand, EveryByteOfTheSeedCounts)
{
    Stream stream("derand");
    const Bytes seed = stream.bytes(sizes().seed);
    const KeyPair keys = keypair(seed);
    for (size_t i = 0; i < seed.size(); i++) {
        Bytes other = seed;
        other[i] ^= 0x80;
        EXPECT_NE(keypair(other).dk, keys.dk) << "byte " << i;
    }
}

TEST_P(Derand, EveryByteOfTheCoinsCounts)
{
    Stream stream("derand");
    const KeyPair keys = keypair(stream);
    const Bytes coins = stream.bytes(sizes().coins);
    const Encapsulation e = encaps(keys.ek, coins);
    for (size_t i = 0; i < coins.size(); i++) {
        Bytes other = coins;
        other[i] ^= 0x80;
        const Encapsulation changed = encaps(keys.ek, other);
        EXPECT_NE(changed.ct, e.ct) << "byte " << i;
        EXPECT_NE(changed.ss, e.ss) << "byte " << i;
    }
}

TEST_P(Derand, DkHoldsEkItsHashAndZ)
{
    Stream stream("derand");
    const Bytes seed = stream.bytes(sizes().seed);
    const KeyPair keys = keypair(seed);
    EXPECT_EQ(slice(keys.dk, dk_ek_offset(set()), sizes().ek), keys.ek);
    EXPECT_EQ(slice(keys.dk, dk_hash_offset(set()), 32), hash_h(set(), keys.ek));
    EXPECT_EQ(dk_rejection_seed(keys.dk), slice(seed, seed.size() - 32, 32));
}

TEST_P(Derand, ManyRoundTrips)
{
    Stream stream("round trips");
    for (int i = 0; i < 100; i++) {
        const KeyPair keys = keypair(stream);
        const Encapsulation e = encaps(keys.ek, stream.bytes(sizes().coins));
        ASSERT_EQ(to_hex(decaps(keys.dk, e.ct)), to_hex(e.ss)) << "round " << i;
    }
}

LATKEM_FOR_EVERY_CASE(Derand);

} // namespace
