// Keys of hybrids that are refused: every kind of bad part is an error of every way in, and leaves nothing in the storage of a
// prepared key. SPDX-License-Identifier: Apache-2.0
#include "hybrid_parts.h"

namespace
{

class HybridPrepare : public HybridTest
{
  protected:
    void SetUp() override
    {
        HybridTest::SetUp();
        Stream stream(std::string("hybrid prepare ") + set().name);
        coins_ = stream.bytes(sizes().coins);
        keys_ = keypair(stream.bytes(sizes().seed));
        encapsulation_ = encaps(keys_.ek, coins_);
    }

    // A storage that has held a good key does not hold a bad one.
    void expect_ek_refused(const std::string &kind, const Bytes &ek)
    {
        SCOPED_TRACE(kind);
        Prepared prepared(latkem_prepared_ek_bytes(kem));
        Bytes ct(sizes().ct, 0xee), ss(sizes().ss, 0xee);
        ASSERT_EQ(latkem_prepare_ek(kem, prepared.data(), keys_.ek.data(), keys_.ek.size()), LATKEM_OK);
        EXPECT_EQ(latkem_prepare_ek(kem, prepared.data(), ek.data(), ek.size()), LATKEM_ERR_EK);
        EXPECT_TRUE(all_zero(prepared.bytes()));
        EXPECT_EQ(latkem_encaps_prepared(kem, ct.data(), ss.data(), prepared.data()), LATKEM_ERR_PREPARED);
        EXPECT_TRUE(all_zero(ct + ss));
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), LATKEM_ERR_EK);
        Bytes again_ct(sizes().ct, 0xee), again_ss(sizes().ss, 0xee);
        EXPECT_EQ(latkem_encaps_derand(kem, again_ct.data(), again_ss.data(), ek.data(), ek.size(), coins_.data(),
                                       coins_.size()),
                  LATKEM_ERR_EK);
        EXPECT_TRUE(all_zero(again_ct + again_ss));
    }

    void expect_dk_refused(const std::string &kind, const Bytes &dk)
    {
        SCOPED_TRACE(kind);
        Prepared prepared(latkem_prepared_dk_bytes(kem));
        Bytes ss(sizes().ss, 0xee), again(sizes().ss, 0xee);
        const Bytes &ct = encapsulation_.ct;
        ASSERT_EQ(latkem_prepare_dk(kem, prepared.data(), keys_.dk.data(), keys_.dk.size()), LATKEM_OK);
        EXPECT_EQ(latkem_prepare_dk(kem, prepared.data(), dk.data(), dk.size()), LATKEM_ERR_DK);
        EXPECT_TRUE(all_zero(prepared.bytes()));
        EXPECT_EQ(latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), prepared.data()), LATKEM_ERR_PREPARED);
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), LATKEM_ERR_DK);
        EXPECT_EQ(latkem_decaps(kem, again.data(), ct.data(), ct.size(), dk.data(), dk.size()), LATKEM_ERR_DK);
        EXPECT_TRUE(all_zero(ss + again));
    }

    void expect_ct_refused(const std::string &kind, const Bytes &ct)
    {
        SCOPED_TRACE(kind);
        Prepared prepared(latkem_prepared_dk_bytes(kem));
        Bytes ss(sizes().ss, 0xee), again(sizes().ss, 0xee);
        ASSERT_EQ(latkem_prepare_dk(kem, prepared.data(), keys_.dk.data(), keys_.dk.size()), LATKEM_OK);
        EXPECT_EQ(latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), prepared.data()), LATKEM_ERR_CT);
        EXPECT_EQ(latkem_decaps(kem, again.data(), ct.data(), ct.size(), keys_.dk.data(), keys_.dk.size()),
                  LATKEM_ERR_CT);
        EXPECT_TRUE(all_zero(ss + again));
    }

    Bytes coins_;
    KeyPair keys_;
    Encapsulation encapsulation_;
};

TEST_P(HybridPrepare, BadShareOfEk)
{
    for (const BadShare &bad : bad_shares(group()))
        expect_ek_refused(bad.kind, with_group_part(keys_.ek, latkem_ek_bytes(mlkem()), bad.share));
}

TEST_P(HybridPrepare, BadShareOfCt)
{
    for (const BadShare &bad : bad_shares(group()))
        expect_ct_refused(bad.kind, with_group_part(encapsulation_.ct, latkem_ct_bytes(mlkem()), bad.share));
}

// The first and the last coefficient of each polynomial, of both places in three bytes; the least and the largest value.
TEST_P(HybridPrepare, BadCoefficientOfEk)
{
    const size_t polynomials = (latkem_ek_bytes(mlkem()) - 32) / 384;
    for (size_t i = 0; i < polynomials; i++)
        for (size_t at : {256 * i, 256 * i + 255})
            for (unsigned value : {3329u, 4095u})
                expect_ek_refused(std::to_string(value) + " at " + std::to_string(at),
                                  with_coefficient(keys_.ek, at, value));
    const Bytes largest = with_coefficient(keys_.ek, 0, 3328);
    EXPECT_EQ(latkem_check_ek(kem, largest.data(), largest.size()), LATKEM_OK);
}

// Of a set that has the scalar and H(ek) in dk: a seed is never bad.
TEST_P(HybridPrepare, BadPartOfDk)
{
    if (hashes()) return;
    const size_t part = latkem_dk_bytes(mlkem());
    for (const Bytes &scalar : bad_scalars(group()))
        expect_dk_refused("scalar " + to_hex(scalar), with_group_part(keys_.dk, part, scalar));
    for (size_t back : {64, 33}) {
        Bytes dk = keys_.dk;
        dk[mlkem_at(dk.size(), part) + part - back] ^= 1;
        expect_dk_refused("H(ek)", dk);
    }
}

LATKEM_FOR_EVERY_CASE(HybridPrepare);

} // namespace
