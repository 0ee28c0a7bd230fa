// Batches of hybrids: each element has the result of the single operation, and what is wrong with one harms no other.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>

#include <thread>

#include "hybrid_parts.h"

namespace
{

constexpr size_t most = 9;

// An operation's result, zeros on an error.
struct Element {
    int error;
    Bytes outputs;
};

class HybridBatch : public HybridTest
{
  protected:
    void SetUp() override
    {
        HybridTest::SetUp();
        Stream stream(std::string("hybrid batch ") + set().name);
        for (size_t i = 0; i < most; i++) {
            seeds_.push_back(stream.bytes(sizes().seed));
            coins_.push_back(stream.bytes(sizes().coins));
            keys_.push_back(keypair(seeds_[i]));
            encapsulations_.push_back(encaps(keys_[i].ek, coins_[i]));
        }
    }

    // A share that every operation refuses.
    void spoil_share(Bytes &object, size_t mlkem_part) const
    {
        const size_t at = group_at(mlkem_part), length = object.size() - mlkem_part;
        if (x25519())
            std::fill_n(object.begin() + static_cast<std::ptrdiff_t>(at), length, uint8_t{0});
        else
            object[at + length - 1] ^= 1;
    }
    // H(ek), of a set that has it in dk.
    void spoil_mlkem_dk(Bytes &dk) const
    {
        dk[mlkem_at(sizes().dk, latkem_dk_bytes(mlkem())) + latkem_dk_bytes(mlkem()) - 40] ^= 1;
    }

    Element single_encaps(const Bytes &ek, const Bytes &coins) const
    {
        Bytes ct(sizes().ct, 0xee), ss(sizes().ss, 0xee);
        const int error = latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(),
                                               coins.size());
        return {error, ct + ss};
    }
    Element single_decaps(const Bytes &ct, const Bytes &dk) const
    {
        Bytes ss(sizes().ss, 0xee);
        const int error = latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size());
        return {error, ss};
    }

    // Runs a batch and compares it with single results.
    void check_encaps(const std::vector<Bytes> &eks) const
    {
        const size_t n = eks.size();
        Bytes joined, supply, cts(n * sizes().ct, 0xee), sss(n * sizes().ss, 0xee);
        std::vector<size_t> requests;
        int first = 0;
        for (size_t i = 0; i < n; i++) {
            joined = joined + eks[i];
            supply = supply + coins_[i];
            requests.insert(requests.end(), set().encaps_requests.begin(), set().encaps_requests.end());
        }
        RecordingRng rng{supply};
        const int error = latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), joined.data(), RecordingRng::fill,
                                                  &rng);
        EXPECT_EQ(rng.requests, requests);
        for (size_t i = 0; i < n; i++) {
            const Element one = single_encaps(eks[i], coins_[i]);
            EXPECT_EQ(to_hex(slice(cts, i * sizes().ct, sizes().ct) + slice(sss, i * sizes().ss, sizes().ss)),
                      to_hex(one.outputs))
                << i << " of " << n;
            if (first == 0) first = one.error;
        }
        EXPECT_EQ(error, first);
    }
    void check_decaps(const std::vector<Bytes> &cts, const std::vector<Bytes> &dks) const
    {
        const size_t n = cts.size();
        Bytes joined_cts, joined_dks, sss(n * sizes().ss, 0xee);
        int first = 0;
        for (size_t i = 0; i < n; i++) {
            joined_cts = joined_cts + cts[i];
            joined_dks = joined_dks + dks[i];
        }
        const int error = latkem_decaps_batch(kem, n, sss.data(), joined_cts.data(), joined_dks.data());
        for (size_t i = 0; i < n; i++) {
            const Element one = single_decaps(cts[i], dks[i]);
            EXPECT_EQ(to_hex(slice(sss, i * sizes().ss, sizes().ss)), to_hex(one.outputs)) << i << " of " << n;
            if (first == 0) first = one.error;
        }
        EXPECT_EQ(error, first);
    }

    // Decapsulates a batch that is right but for one place.
    void expect_decaps_harms(size_t bad, int error, const std::vector<Bytes> &cts, const std::vector<Bytes> &dks) const
    {
        const size_t n = cts.size();
        Bytes joined_cts, joined_dks, sss(n * sizes().ss, 0xee), expected;
        for (size_t i = 0; i < n; i++) {
            joined_cts = joined_cts + cts[i];
            joined_dks = joined_dks + dks[i];
            expected = expected + (i == bad ? Bytes(sizes().ss) : encapsulations_[i].ss);
        }
        EXPECT_EQ(latkem_decaps_batch(kem, n, sss.data(), joined_cts.data(), joined_dks.data()), error);
        EXPECT_EQ(to_hex(sss), to_hex(expected));
    }

    std::vector<Bytes> eks(size_t n) const
    {
        std::vector<Bytes> all;
        for (size_t i = 0; i < n; i++) all.push_back(keys_[i].ek);
        return all;
    }
    std::vector<Bytes> dks(size_t n) const
    {
        std::vector<Bytes> all;
        for (size_t i = 0; i < n; i++) all.push_back(keys_[i].dk);
        return all;
    }
    std::vector<Bytes> cts(size_t n) const
    {
        std::vector<Bytes> all;
        for (size_t i = 0; i < n; i++) all.push_back(encapsulations_[i].ct);
        return all;
    }

    std::vector<Bytes> seeds_, coins_;
    std::vector<KeyPair> keys_;
    std::vector<Encapsulation> encapsulations_;
};

TEST_P(HybridBatch, KeypairsAreTheSingleOnes)
{
    for (size_t n = 1; n <= most; n++) {
        Bytes supply, all_eks(n * sizes().ek, 0xee), all_dks(n * sizes().dk, 0xee);
        std::vector<size_t> requests;
        for (size_t i = 0; i < n; i++) {
            supply = supply + seeds_[i];
            requests.insert(requests.end(), set().keypair_requests.begin(), set().keypair_requests.end());
        }
        RecordingRng rng{supply};
        ASSERT_EQ(latkem_keypair_batch_rng(kem, n, all_eks.data(), all_dks.data(), RecordingRng::fill, &rng),
                  LATKEM_OK);
        EXPECT_EQ(rng.requests, requests);
        for (size_t i = 0; i < n; i++) {
            EXPECT_EQ(to_hex(slice(all_eks, i * sizes().ek, sizes().ek)), to_hex(keys_[i].ek)) << i << " of " << n;
            EXPECT_EQ(to_hex(slice(all_dks, i * sizes().dk, sizes().dk)), to_hex(keys_[i].dk)) << i << " of " << n;
        }
    }
}

TEST_P(HybridBatch, EncapsulationsAndSecretsAreTheSingleOnes)
{
    for (size_t n = 1; n <= most; n++) {
        check_encaps(eks(n));
        check_decaps(cts(n), dks(n));
    }
}

// One bad key at each place, of either part, and one beside another.
TEST_P(HybridBatch, BadEkHarmsOnlyItself)
{
    for (size_t bad = 0; bad < 5; bad++) {
        std::vector<Bytes> share = eks(5), coefficient = eks(5), both = eks(5);
        spoil_share(share[bad], latkem_ek_bytes(mlkem()));
        coefficient[bad] = with_coefficient(coefficient[bad], 0, 4095);
        spoil_share(both[bad], latkem_ek_bytes(mlkem()));
        both[(bad + 1) % 5] = with_coefficient(both[(bad + 1) % 5], 0, 4095);
        for (const std::vector<Bytes> &keys : {share, coefficient, both}) {
            EXPECT_EQ(single_encaps(keys[bad], coins_[bad]).error, LATKEM_ERR_EK);
            check_encaps(keys);
        }
    }
}

TEST_P(HybridBatch, BadDkOrCtHarmsOnlyItself)
{
    for (size_t bad = 0; bad < 5; bad++) {
        std::vector<Bytes> keys = dks(5), shares = cts(5), rejected = cts(5);
        if (!hashes()) spoil_mlkem_dk(keys[bad]);
        spoil_share(shares[bad], latkem_ct_bytes(mlkem()));
        rejected[bad][mlkem_at(sizes().ct, latkem_ct_bytes(mlkem())) + 7] ^= 1;
        EXPECT_EQ(single_decaps(shares[bad], dks(5)[bad]).error, LATKEM_ERR_CT);
        EXPECT_EQ(single_decaps(rejected[bad], dks(5)[bad]).error, LATKEM_OK);
        EXPECT_EQ(single_decaps(cts(5)[bad], keys[bad]).error, hashes() ? LATKEM_OK : LATKEM_ERR_DK);
        check_decaps(cts(5), keys);
        check_decaps(shares, dks(5));
        check_decaps(rejected, dks(5));
        std::swap(keys[bad], keys[(bad + 2) % 5]);
        check_decaps(shares, keys);
    }
}

// A share of each kind at each place of a batch of encapsulations or decapsulations.
TEST_P(HybridBatch, BadShareAtEachPlaceHarmsThatPlaceAlone)
{
    const size_t n = deep() ? most : 5;
    const std::vector<BadShare> kinds = bad_shares(group());
    for (size_t bad = 0; bad < n; bad++)
        for (size_t kind = deep() ? 0 : bad; kind < kinds.size(); kind += deep() ? 1 : n) {
            SCOPED_TRACE(kinds[kind].kind + " at " + std::to_string(bad));
            std::vector<Bytes> keys = eks(n), wires = cts(n);
            keys[bad] = with_group_part(keys[bad], latkem_ek_bytes(mlkem()), kinds[kind].share);
            wires[bad] = with_group_part(wires[bad], latkem_ct_bytes(mlkem()), kinds[kind].share);
            EXPECT_EQ(single_encaps(keys[bad], coins_[bad]).error, LATKEM_ERR_EK);
            check_encaps(keys);
            expect_decaps_harms(bad, LATKEM_ERR_CT, wires, dks(n));
        }
}

// Of a set that has the scalar in dk.
TEST_P(HybridBatch, BadScalarAtEachPlaceHarmsThatPlaceAlone)
{
    if (hashes()) return;
    for (const Bytes &scalar : bad_scalars(group()))
        for (size_t n : deep() ? std::vector<size_t>{2, 5, most} : std::vector<size_t>{5})
            for (size_t bad = 0; bad < n; bad++) {
                SCOPED_TRACE(to_hex(scalar) + " at " + std::to_string(bad) + " of " + std::to_string(n));
                std::vector<Bytes> keys = dks(n);
                keys[bad] = with_group_part(keys[bad], latkem_dk_bytes(mlkem()), scalar);
                expect_decaps_harms(bad, LATKEM_ERR_DK, cts(n), keys);
            }
}

// The generator fails at each request, or gives an element no scalar: all outputs are zeroed.
TEST_P(HybridBatch, RngFailure)
{
    constexpr size_t n = 5;
    Bytes joined, supply;
    for (size_t i = 0; i < n; i++) {
        joined = joined + keys_[i].ek;
        supply = supply + coins_[i];
    }
    for (size_t fail_at = 1; fail_at <= n * set().encaps_requests.size(); fail_at++) {
        Bytes cts(n * sizes().ct, 0xee), sss(n * sizes().ss, 0xee);
        RecordingRng rng{supply, static_cast<int>(fail_at)};
        EXPECT_EQ(latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), joined.data(), RecordingRng::fill, &rng),
                  LATKEM_ERR_RNG);
        EXPECT_EQ(rng.requests.size(), fail_at);
        EXPECT_TRUE(all_zero(cts + sss)) << fail_at;
    }
    for (size_t bad = 0; bad < n && !x25519(); bad++) {
        Bytes none = supply, cts(n * sizes().ct, 0xee), sss(n * sizes().ss, 0xee), keys = joined;
        std::fill_n(none.begin() + static_cast<std::ptrdiff_t>(bad * sizes().coins + 32), sizes().coins - 32,
                    uint8_t{0});
        keys[group_at(latkem_ek_bytes(mlkem()))] = 6; // a bad key before it does not hide it
        RecordingRng rng{none};
        EXPECT_EQ(latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), keys.data(), RecordingRng::fill, &rng),
                  LATKEM_ERR_RNG);
        EXPECT_TRUE(all_zero(cts + sss)) << bad;
    }
}

// Changes in every region of ct: what the group refuses is an error, everything else another secret.
TEST_P(HybridBatch, EveryRegionOfCtCounts)
{
    const size_t part = latkem_ct_bytes(mlkem()), share = group_at(part), length = sizes().ct - part;
    for (size_t i = 0; i < sizes().ct; i += i % 31 == 0 ? 7 : 48) {
        Bytes ct = encapsulations_[0].ct;
        ct[i] ^= 4;
        const Element altered = single_decaps(ct, keys_[0].dk);
        const bool refused = !x25519() && i >= share && i < share + length;
        EXPECT_EQ(altered.error, refused ? LATKEM_ERR_CT : LATKEM_OK) << "byte " << i;
        EXPECT_NE(altered.outputs, encapsulations_[0].ss) << "byte " << i;
    }
}

// If the secrets are side by side, each part has its own.
TEST_P(HybridBatch, PartsOfASecretAreIndependent)
{
    if (hashes()) return;
    const size_t part = latkem_ct_bytes(mlkem());
    Bytes ct = encapsulations_[0].ct, mine = encapsulations_[0].ss;
    ct[mlkem_at(sizes().ct, part)] ^= 1;
    const Bytes ss = single_decaps(ct, keys_[0].dk).outputs;
    const size_t secret = mine.size() - 32, group = group_at(32), lattice = mlkem_at(mine.size(), 32);
    EXPECT_EQ(slice(ss, group, secret), slice(mine, group, secret));
    EXPECT_NE(slice(ss, lattice, 32), slice(mine, lattice, 32));
}

TEST_P(HybridBatch, Threads)
{
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (int &count : wrong)
        threads.emplace_back([&] {
            for (int round = 0; round < 2; round++)
                for (size_t i = 0; i < 3; i++) {
                    const Element e = single_encaps(keys_[i].ek, coins_[i]);
                    count += e.outputs != encapsulations_[i].ct + encapsulations_[i].ss;
                    Bytes bad = encapsulations_[i].ct;
                    spoil_share(bad, latkem_ct_bytes(mlkem()));
                    count += single_decaps(bad, keys_[i].dk).error != LATKEM_ERR_CT;
                    count += single_decaps(encapsulations_[i].ct, keys_[i].dk).outputs != encapsulations_[i].ss;
                }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4));
}

LATKEM_FOR_EVERY_CASE(HybridBatch);

} // namespace
