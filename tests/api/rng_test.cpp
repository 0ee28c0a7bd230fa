// The caller's random generator: what it is asked for, and what happens when it fails at each request.
// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "kem_test.h"

namespace
{

std::vector<size_t> repeated(const std::vector<size_t> &requests, size_t n)
{
    std::vector<size_t> all;
    for (size_t i = 0; i < n; i++) all.insert(all.end(), requests.begin(), requests.end());
    return all;
}

// Object i of an array of n.
Bytes element(const Bytes &array, size_t i, size_t n)
{
    return slice(array, array.size() / n * i, array.size() / n);
}

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

// The requests of element 0, then those of element 1 and so on, with more elements than any group has; a failure at any of
// them leaves no output.
TEST_P(Rng, BatchRequestsAndAgreesWithDerand)
{
    constexpr size_t n = 10;
    Stream stream("rng of batches");
    const Bytes seeds = stream.bytes(n * sizes().seed), coins = stream.bytes(n * sizes().coins);
    Bytes eks(n * sizes().ek), dks(n * sizes().dk), cts(n * sizes().ct), sss(n * sizes().ss);
    RecordingRng of_keys{seeds}, of_encaps{coins};
    ASSERT_EQ(latkem_keypair_batch_rng(kem, n, eks.data(), dks.data(), RecordingRng::fill, &of_keys), LATKEM_OK);
    ASSERT_EQ(latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), eks.data(), RecordingRng::fill, &of_encaps),
              LATKEM_OK);
    EXPECT_EQ(of_keys.requests, repeated(set().keypair_requests, n));
    EXPECT_EQ(of_encaps.requests, repeated(set().encaps_requests, n));
    for (size_t i = 0; i < n; i++) {
        const KeyPair keys = keypair(element(seeds, i, n));
        EXPECT_EQ(element(eks, i, n), keys.ek) << i;
        EXPECT_EQ(element(dks, i, n), keys.dk) << i;
        const Encapsulation expected = encaps(keys.ek, element(coins, i, n));
        EXPECT_EQ(element(cts, i, n), expected.ct) << i;
        EXPECT_EQ(element(sss, i, n), expected.ss) << i;
    }
}

TEST_P(Rng, BatchFailure)
{
    constexpr size_t n = 10;
    for (size_t fail_at : {size_t{1}, n * set().keypair_requests.size() / 2, n * set().keypair_requests.size()}) {
        RecordingRng rng{Stream("rng").bytes(n * sizes().seed), static_cast<int>(fail_at)};
        Bytes eks(n * sizes().ek, 0xee), dks(n * sizes().dk, 0xee);
        EXPECT_EQ(latkem_keypair_batch_rng(kem, n, eks.data(), dks.data(), RecordingRng::fill, &rng), LATKEM_ERR_RNG);
        EXPECT_EQ(rng.requests.size(), fail_at);
        EXPECT_TRUE(all_zero(eks + dks)) << "failure at request " << fail_at;
    }
}

TEST_P(Rng, PreparedRequestsAndAgreesWithDerand)
{
    Stream stream("rng");
    const KeyPair keys = keypair(stream);
    const Bytes coins = stream.bytes(sizes().coins);
    Prepared prepared(latkem_prepared_ek_bytes(kem));
    ASSERT_EQ(latkem_prepare_ek(kem, prepared.data(), keys.ek.data(), keys.ek.size()), LATKEM_OK);
    RecordingRng rng{coins}, failing{coins, 1};
    Bytes ct(sizes().ct), ss(sizes().ss);
    EXPECT_EQ(latkem_encaps_prepared_rng(kem, ct.data(), ss.data(), prepared.data(), RecordingRng::fill, &rng),
              LATKEM_OK);
    EXPECT_EQ(rng.requests, set().encaps_requests);
    const Encapsulation expected = encaps(keys.ek, coins);
    EXPECT_EQ(to_hex(ct), to_hex(expected.ct));
    EXPECT_EQ(to_hex(ss), to_hex(expected.ss));
    EXPECT_EQ(latkem_encaps_prepared_rng(kem, ct.data(), ss.data(), prepared.data(), RecordingRng::fill, &failing),
              LATKEM_ERR_RNG);
    EXPECT_TRUE(all_zero(ct + ss));
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
