// Secrets of hybrids do not stay behind on the stack, in our frames and in those of libcrypto below: see
// tests/api/wipe_test.cpp. libcrypto's heap is not seen here.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "harness/model/crypto.h"
#include "hybrid_parts.h"
#include "leaving_libcrypto.h"
#include "own_stack.h"
#include "secrets.h"

namespace
{

class HybridWipe : public HybridTest
{
  protected:
    void SetUp() override
    {
        HybridTest::SetUp();
        if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
        Stream stream(std::string("hybrid wipe ") + set().name);
        seed_ = stream.bytes(sizes().seed);
        coins_ = stream.bytes(sizes().coins);
        keys_ = keypair(seed_);
        encapsulation_ = encaps(keys_.ek, coins_);
        add_randomness();
        add_mlkem();
        secrets_.add("ss", encapsulation_.ss);
    }

    // As bytes, and as libcrypto's numbers have them in memory.
    void add_number(const std::string &name, const Bytes &number)
    {
        secrets_.add(name, number);
        secrets_.add(name + " as a number", Bytes(number.rbegin(), number.rend()));
    }

    void add_randomness()
    {
        const size_t expanded = find_facts(facts_->mlkem)->sizes.seed + sizes().coins - 32;
        const Bytes seed = hashes() ? shake256(seed_, expanded) : seed_;
        secrets_.add("seed", seed_);
        d_and_z_ = slice(seed, 0, 64);
        add_number("private key of the group", slice(seed, 64, group().scalar));
        add_number("ephemeral key of the group", slice(coins_, 32, group().scalar));
    }

    // ML-KEM's derived values, of the key generation and of the encapsulation.
    void add_mlkem()
    {
        const SetFacts &mlkem = *find_facts(facts_->mlkem);
        const latkem_kem *known = latkem_kem_find(mlkem.name);
        Bytes ek(mlkem.sizes.ek), dk(mlkem.sizes.dk), ct(mlkem.sizes.ct), ss(32);
        const Bytes m = slice(coins_, 0, 32);
        ASSERT_EQ(latkem_keypair_derand(known, ek.data(), dk.data(), d_and_z_.data(), 64), LATKEM_OK);
        ASSERT_EQ(latkem_encaps_derand(known, ct.data(), ss.data(), ek.data(), ek.size(), m.data(), 32), LATKEM_OK);
        add_key_generation(secrets_, mlkem, d_and_z_);
        add_decapsulation_key(secrets_, mlkem, dk);
        add_encapsulation(secrets_, mlkem, ek, m);
        secrets_.add("ss of ML-KEM", ss);
        if (!hashes())
            add_number("ss of the group", slice(encapsulation_.ss, facts_->group_first ? 0 : 32, group().scalar));
    }

    void expect_clean(const char *what, const std::function<int()> &operation)
    {
        const LeavingLibcrypto leaving;
        int rc = -1;
        for (int i = 0; i < 2; i++) stack_.run([&] { rc = operation(); }); // the first finds what libcrypto makes once
        EXPECT_EQ(rc, LATKEM_OK) << what;
        EXPECT_EQ(secrets_.search(stack_.deepest(), stack_.depth()), "") << "left on the stack by " << what;
    }

    Bytes seed_, coins_, d_and_z_;
    KeyPair keys_;
    Encapsulation encapsulation_;
    Secrets secrets_;
    OwnStack stack_;
};

TEST_P(HybridWipe, SingleOperations)
{
    Bytes ek(sizes().ek), dk(sizes().dk), ct(sizes().ct), ss(sizes().ss);
    expect_clean("key generation",
                 [&] { return latkem_keypair_derand(kem, ek.data(), dk.data(), seed_.data(), seed_.size()); });
    expect_clean("encapsulation", [&] {
        return latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins_.data(), coins_.size());
    });
    expect_clean("decapsulation",
                 [&] { return latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size()); });
    expect_clean("a check", [&] { return latkem_check_dk(kem, dk.data(), dk.size()); });
    EXPECT_EQ(ss, encapsulation_.ss);
}

TEST_P(HybridWipe, PreparedKeys)
{
    Prepared ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    Bytes ct(sizes().ct), ss(sizes().ss);
    expect_clean("preparation", [&] { return latkem_prepare_dk(kem, dk.data(), keys_.dk.data(), keys_.dk.size()); });
    ASSERT_EQ(latkem_prepare_ek(kem, ek.data(), keys_.ek.data(), keys_.ek.size()), LATKEM_OK);
    expect_clean("encapsulation", [&] {
        RecordingRng rng{coins_};
        return latkem_encaps_prepared_rng(kem, ct.data(), ss.data(), ek.data(), RecordingRng::fill, &rng);
    });
    expect_clean("decapsulation",
                 [&] { return latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), dk.data()); });
    EXPECT_EQ(ss, encapsulation_.ss);
}

TEST_P(HybridWipe, Batches)
{
    constexpr size_t n = 3;
    Bytes seeds, coins, eks(n * sizes().ek), dks(n * sizes().dk), cts(n * sizes().ct), sss(n * sizes().ss);
    for (size_t i = 0; i < n; i++) {
        seeds = seeds + seed_;
        coins = coins + coins_;
    }
    expect_clean("key generation", [&] {
        RecordingRng rng{seeds};
        return latkem_keypair_batch_rng(kem, n, eks.data(), dks.data(), RecordingRng::fill, &rng);
    });
    expect_clean("encapsulation", [&] {
        RecordingRng rng{coins};
        return latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), eks.data(), RecordingRng::fill, &rng);
    });
    expect_clean("decapsulation", [&] { return latkem_decaps_batch(kem, n, sss.data(), cts.data(), dks.data()); });
    EXPECT_EQ(slice(sss, 2 * sizes().ss, sizes().ss), encapsulation_.ss);
}

LATKEM_FOR_EVERY_CASE(HybridWipe);

} // namespace
