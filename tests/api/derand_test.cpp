// The deterministic forms: the same inputs give the same outputs, and every byte of them counts.
//
// NTRU's seed and coins are the samples themselves, not what a hash function stretches, and the low bits of the words that
// Sample_fixed_type sorts need not change their order. There the model of the sampling says what counts.
// SPDX-License-Identifier: Apache-2.0
#include "harness/model/kem.h"
#include "harness/model/ntru.h"
#include "kem_test.h"

namespace
{

class Derand : public KemTest
{
  protected:
    using Sample = ntru::Pair (*)(const ntru::Parameters &p, const Bytes &in);

    // Calls check(other, counts) with the input after a change of each of its bytes, of NTRU's samples every seventh:
    // that meets all places of the words to be sorted, and ntru_test.cpp compares the samples as a whole. A third of
    // these unless the tests are deep, on emulated CPUs a tenth.
    template <class Check> void for_every_byte(const Bytes &input, Sample sample, Check check) const
    {
        size_t counting = 0, changed = 0;
        for (size_t i = 0; i < input.size() && !HasFailure(); changed++) {
            Bytes other = input;
            other[i] ^= 0x80;
            const bool counts = sample_changes(sample, input, other);
            SCOPED_TRACE("byte " + std::to_string(i));
            check(other, counts);
            counting += counts;
            i += (is_sample(input, i) ? 7 : 1) * (deep() ? 1 : emulated() ? 10 : 3);
        }
        EXPECT_GE(3 * counting, changed);
    }

  private:
    bool sample_changes(Sample sample, const Bytes &input, const Bytes &other) const
    {
        if (set().family != Family::ntru) return true;
        const ntru::Parameters p(set());
        const ntru::Pair before = sample(p, input), after = sample(p, other);
        return before.first != after.first || before.second != after.second ||
               slice(input, sizes().coins, input.size() - sizes().coins) !=
                   slice(other, sizes().coins, input.size() - sizes().coins);
    }

    bool is_sample(const Bytes &input, size_t i) const
    {
        return set().family == Family::ntru && i + 7 < input.size() - 32;
    }
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
    for_every_byte(seed, &ntru::sample_fg,
                   [&](const Bytes &other, bool counts) { EXPECT_EQ(keypair(other).dk != keys.dk, counts); });
}

TEST_P(Derand, EveryByteOfTheCoinsCounts)
{
    Stream stream("derand");
    const KeyPair keys = keypair(stream);
    const Bytes coins = stream.bytes(sizes().coins);
    const Encapsulation e = encaps(keys.ek, coins);
    for_every_byte(coins, &ntru::sample_rm, [&](const Bytes &other, bool counts) {
        const Encapsulation changed = encaps(keys.ek, other);
        EXPECT_EQ(changed.ct != e.ct, counts);
        EXPECT_EQ(changed.ss != e.ss, counts);
    });
}

TEST_P(Derand, KeysBelongTogetherAndDkEndsWithZ)
{
    Stream stream("derand");
    const Bytes seed = stream.bytes(sizes().seed);
    const KeyPair keys = keypair(seed);
    EXPECT_EQ(key_fault(set(), keys.ek, keys.dk), "");
    EXPECT_EQ(dk_rejection_seed(keys.dk), slice(seed, seed.size() - 32, 32));
}

TEST_P(Derand, ManyRoundTrips)
{
    Stream stream("round trips");
    for (int i = 0; i < (emulated() ? 20 : 100); i++) {
        const KeyPair keys = keypair(stream);
        const Encapsulation e = encaps(keys.ek, stream.bytes(sizes().coins));
        ASSERT_EQ(to_hex(decaps(keys.dk, e.ct)), to_hex(e.ss)) << "round " << i;
    }
}

LATKEM_FOR_EVERY_CASE(Derand);

} // namespace
