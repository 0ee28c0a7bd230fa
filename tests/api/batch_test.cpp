// Batches: each element has the result of the single operation, and a bad key harms only itself.
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "kem_test.h"
#include "model.h"

namespace
{

constexpr size_t batch_sizes[] = {0, 1, 2, 3, 7, 8, 9, 17, 64};
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

    // Every third ciphertext is altered, so that rejected elements stand among the others.
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

    Bytes element(const Bytes &array, size_t i, size_t size) const
    {
        return slice(array, i * size, size);
    }
};

TEST_P(Batch, DecapsAgreesWithSingleOperations)
{
    for (size_t n : batch_sizes) {
        const Elements in = elements(n);
        Output sss(n * sizes().ss);
        ASSERT_EQ(latkem_decaps_batch(kem, n, sss.data(), in.cts.data(), in.dks.data()), LATKEM_OK) << n;
        for (size_t i = 0; i < n; i++)
            EXPECT_EQ(to_hex(element(sss.bytes, i, sizes().ss)), to_hex(in.secrets[i])) << i << " of " << n;
        EXPECT_EQ(sss.tail(), intact) << n;
    }
}

TEST_P(Batch, EncapsRoundTrip)
{
    for (size_t n : batch_sizes) {
        const Elements in = elements(n);
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
    for (size_t n : batch_sizes) {
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

class BatchWithBadKey : public Batch
{
};

TEST_P(BatchWithBadKey, EkHarmsOnlyItself)
{
    constexpr size_t n = 9;
    for (size_t bad : {size_t{0}, size_t{4}, n - 1}) {
        Elements in = elements(n);
        in.eks[bad * sizes().ek] = 0xff;
        in.eks[bad * sizes().ek + 1] |= 0x0f;
        Bytes cts(n * sizes().ct, canary), sss(n * sizes().ss, canary);
        EXPECT_EQ(latkem_encaps_batch(kem, n, cts.data(), sss.data(), in.eks.data()), LATKEM_ERR_EK);
        for (size_t i = 0; i < n; i++) {
            const Bytes ct = element(cts, i, sizes().ct), ss = element(sss, i, sizes().ss);
            if (i == bad) {
                EXPECT_TRUE(all_zero(ct + ss)) << "element " << i;
            } else {
                EXPECT_EQ(to_hex(decaps(element(in.dks, i, sizes().dk), ct)), to_hex(ss)) << "element " << i;
            }
        }
    }
}

TEST_P(BatchWithBadKey, DkHarmsOnlyItself)
{
    constexpr size_t n = 9;
    for (size_t bad : {size_t{0}, size_t{4}, n - 1}) {
        Elements in = elements(n);
        in.dks[bad * sizes().dk + dk_hash_offset(set())] ^= 1;
        Bytes sss(n * sizes().ss, canary);
        EXPECT_EQ(latkem_decaps_batch(kem, n, sss.data(), in.cts.data(), in.dks.data()), LATKEM_ERR_DK);
        for (size_t i = 0; i < n; i++) {
            const Bytes ss = element(sss, i, sizes().ss);
            EXPECT_EQ(to_hex(ss), to_hex(i == bad ? Bytes(sizes().ss) : in.secrets[i])) << "element " << i;
        }
    }
}

LATKEM_FOR_EVERY_CASE(Batch);
LATKEM_FOR_CASES(BatchWithBadKey, checks_keys);

} // namespace
