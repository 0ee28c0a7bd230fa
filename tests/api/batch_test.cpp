// Batches: each element has the result of the single operation, and a bad key harms only itself. That keys and
// encapsulations are those of the randomness drawn for them is for randomness_test.cpp.
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "harness/model/kem.h"
#include "kem_test.h"
#include "system_rng.h"

namespace
{

// All numbers up to more than twice the lanes of any backend.
std::vector<size_t> many_sizes()
{
    std::vector<size_t> sizes;
    for (size_t n = 0; n <= 20; n++) sizes.push_back(n);
    sizes.push_back(64);
    if (emulated()) sizes = {0, 1, 2, 3, 5, 8, 11, 20};
    return sizes;
}
std::vector<size_t> few_sizes()
{
    return deep() ? many_sizes() : std::vector<size_t>{0, 1, 9};
}

constexpr size_t canary_length = 32;
constexpr uint8_t canary = 0xee;

// An output array with a canary behind it.
struct Output {
    Bytes bytes;
    explicit Output(size_t size) : bytes(size + canary_length, canary)
    {
    }
    uint8_t *data()
    {
        return bytes.data();
    }
    Bytes tail() const
    {
        return slice(bytes, bytes.size() - canary_length, canary_length);
    }
};

const Bytes intact(canary_length, canary);

class Batch : public KemTest
{
  protected:
    struct Elements {
        Bytes eks, dks, cts;
        std::vector<Bytes> secrets;
    };

    // Every third ciphertext is altered, so that rejected elements are among the others.
    Elements elements(size_t n) const
    {
        Stream stream("batch");
        Elements all;
        for (size_t i = 0; i < n; i++) {
            const KeyPair keys = keypair(stream);
            Encapsulation e = encaps(keys.ek, stream.bytes(sizes().coins));
            if (i % 3 == 2) {
                e.ct[stream.below(e.ct.size())] ^= 4;
                e.ss = rejection_secret(set(), keys.dk, e.ct);
            }
            all.eks = all.eks + keys.ek;
            all.dks = all.dks + keys.dk;
            all.cts = all.cts + e.ct;
            all.secrets.push_back(e.ss);
        }
        return all;
    }

    static Bytes element(const Bytes &array, size_t i, size_t size)
    {
        return slice(array, i * size, size);
    }
};

TEST_P(Batch, DecapsAgreesWithSingleOperations)
{
    const Elements in = elements(many_sizes().back());
    for (size_t n : many_sizes()) {
        Output sss(n * sizes().ss);
        ASSERT_EQ(latkem_decaps_batch(kem, n, sss.data(), in.cts.data(), in.dks.data()), LATKEM_OK) << n;
        for (size_t i = 0; i < n; i++)
            EXPECT_EQ(to_hex(element(sss.bytes, i, sizes().ss)), to_hex(in.secrets[i])) << i << " of " << n;
        EXPECT_EQ(sss.tail(), intact) << n;
    }
}

TEST_P(Batch, EncapsRoundTrip)
{
    const Elements in = elements(few_sizes().back());
    for (size_t n : few_sizes()) {
        Output cts(n * sizes().ct), sss(n * sizes().ss);
        ASSERT_EQ(latkem_encaps_batch(kem, n, cts.data(), sss.data(), in.eks.data()), LATKEM_OK) << n;
        std::set<Bytes> different;
        for (size_t i = 0; i < n; i++) {
            const Bytes ss = element(sss.bytes, i, sizes().ss);
            EXPECT_EQ(to_hex(decaps(element(in.dks, i, sizes().dk), element(cts.bytes, i, sizes().ct))), to_hex(ss))
                << i << " of " << n;
            different.insert(ss);
        }
        EXPECT_EQ(different.size(), n);
        EXPECT_EQ(cts.tail(), intact) << n;
        EXPECT_EQ(sss.tail(), intact) << n;
    }
}

// The same key in every element: the coins must differ all the same.
TEST_P(Batch, EncapsToOneKeyDrawsFreshCoins)
{
    constexpr size_t n = 9;
    const Elements one = elements(1);
    Bytes eks, cts(n * sizes().ct), sss(n * sizes().ss);
    for (size_t i = 0; i < n; i++) eks = eks + one.eks;
    ASSERT_EQ(latkem_encaps_batch(kem, n, cts.data(), sss.data(), eks.data()), LATKEM_OK);
    std::set<Bytes> different;
    for (size_t i = 0; i < n; i++) different.insert(element(cts, i, sizes().ct));
    EXPECT_EQ(different.size(), n);
}

TEST_P(Batch, KeypairsWork)
{
    Stream stream("batch");
    for (size_t n : few_sizes()) {
        Output eks(n * sizes().ek), dks(n * sizes().dk);
        ASSERT_EQ(latkem_keypair_batch(kem, n, eks.data(), dks.data()), LATKEM_OK) << n;
        std::set<Bytes> different;
        for (size_t i = 0; i < n; i++) {
            const Bytes ek = element(eks.bytes, i, sizes().ek), dk = element(dks.bytes, i, sizes().dk);
            EXPECT_EQ(key_fault(set(), ek, dk), "") << i << " of " << n;
            EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), LATKEM_OK) << i << " of " << n;
            const Encapsulation e = encaps(ek, stream.bytes(sizes().coins));
            EXPECT_EQ(to_hex(decaps(dk, e.ct)), to_hex(e.ss)) << i << " of " << n;
            different.insert(ek);
            different.insert(dk_rejection_seed(dk));
        }
        EXPECT_EQ(different.size(), 2 * n) << "every ek and every z is new";
        EXPECT_EQ(eks.tail(), intact) << n;
        EXPECT_EQ(dks.tail(), intact) << n;
    }
}

// Bad keys at given places: at each place alone, at two of them, and at all.
class BatchWithBadKeys : public Batch
{
  protected:
    using Places = std::set<size_t>;

    static constexpr size_t most = 17;

    void SetUp() override
    {
        Batch::SetUp();
        in_ = elements(most);
    }

    template <class Check> void for_every_place(Check check)
    {
        for (size_t n : {size_t{9}, most}) {
            if (emulated() && n == most) continue;
            Places all;
            for (size_t bad = 0; bad < n && !HasFailure(); bad++) {
                all.insert(bad);
                SCOPED_TRACE("element " + std::to_string(bad) + " of " + std::to_string(n));
                check(n, Places{bad});
                check(n, Places{bad, (bad + 5) % n});
            }
            check(n, all);
        }
    }

    // The fault moves through ek with the place: a value of q or more at any coefficient.
    Bytes bad_eks(size_t n, const Places &places) const
    {
        Bytes eks = slice(in_.eks, 0, n * sizes().ek);
        for (size_t place : places) {
            uint8_t *pair = &eks[place * sizes().ek + 3 * (place * 37 % (128 * set().ring.rank))];
            if (place % 2 == 0) {
                pair[0] = 0xff;
                pair[1] |= 0x0f;
            } else {
                pair[1] |= 0xf0;
                pair[2] = 0xff;
            }
        }
        return eks;
    }

    // The hash in dk or the ek in dk.
    Bytes bad_dks(size_t n, const Places &places) const
    {
        Bytes dks = slice(in_.dks, 0, n * sizes().dk);
        for (size_t place : places) {
            const size_t at = place % 2 == 0 ? dk_hash_offset(set()) + place : dk_ek_offset(set()) + 41 * place;
            dks[place * sizes().dk + at] ^= static_cast<uint8_t>(1 << place % 8);
        }
        return dks;
    }

    Elements in_;
};

TEST_P(BatchWithBadKeys, EkHarmsOnlyItself)
{
    LATKEM_NEEDS_SYSTEM_RNG();
    const Bytes coins = Stream("bad ek").bytes(most * sizes().coins);
    std::vector<Encapsulation> good;
    for (size_t i = 0; i < most; i++)
        good.push_back(encaps(element(in_.eks, i, sizes().ek), element(coins, i, sizes().coins)));
    for_every_place([&](size_t n, const Places &bad) {
        const Bytes eks = bad_eks(n, bad);
        Output cts(n * sizes().ct), sss(n * sizes().ss);
        const SystemRng rng(coins);
        EXPECT_EQ(latkem_encaps_batch(kem, n, cts.data(), sss.data(), eks.data()), LATKEM_ERR_EK);
        for (size_t i = 0; i < n; i++) {
            const Bytes result = element(cts.bytes, i, sizes().ct) + element(sss.bytes, i, sizes().ss);
            EXPECT_EQ(to_hex(result), to_hex(bad.count(i) ? Bytes(result.size()) : good[i].ct + good[i].ss)) << i;
        }
        EXPECT_EQ(cts.tail() + sss.tail(), intact + intact);
    });
}

TEST_P(BatchWithBadKeys, DkHarmsOnlyItself)
{
    for_every_place([&](size_t n, const Places &bad) {
        const Bytes dks = bad_dks(n, bad);
        Output sss(n * sizes().ss);
        EXPECT_EQ(latkem_decaps_batch(kem, n, sss.data(), in_.cts.data(), dks.data()), LATKEM_ERR_DK);
        for (size_t i = 0; i < n; i++) {
            const Bytes ss = element(sss.bytes, i, sizes().ss);
            EXPECT_EQ(to_hex(ss), to_hex(bad.count(i) ? Bytes(sizes().ss) : in_.secrets[i])) << i;
        }
        EXPECT_EQ(sss.tail(), intact);
    });
}

LATKEM_FOR_EVERY_CASE(Batch);
LATKEM_FOR_CASES(BatchWithBadKeys, checks_keys);

} // namespace
