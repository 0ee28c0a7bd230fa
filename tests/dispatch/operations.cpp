// Every operation of the public API: see operations.h.
// SPDX-License-Identifier: Apache-2.0
#include "operations.h"

namespace
{

Bytes repeat(const Bytes &bytes, size_t times)
{
    Bytes all;
    for (size_t i = 0; i < times; i++) all = all + bytes;
    return all;
}

} // namespace

void Operations::SetUp()
{
    KemTest::SetUp();
    make_keys(0);
}

void Operations::make_keys(unsigned number)
{
    Stream stream("operations " + std::to_string(number));
    seed_ = stream.bytes(sizes().seed);
    coins_ = stream.bytes(sizes().coins);
    keys = keypair(seed_);
    encapsulation = encaps(keys.ek, coins_);
    altered_ = encapsulation.ct;
    altered_[0] ^= 1;
    prepared_ek_ = std::make_unique<Prepared>(latkem_prepared_ek_bytes(kem));
    prepared_dk_ = std::make_unique<Prepared>(latkem_prepared_dk_bytes(kem));
    run_prepare_ek();
    run_prepare_dk();
    if (!has_parts(set())) return;
    parts_ = split(kem, keys.ek);
    first_ = encaps1(kem, parts_.header, coins_);
}

void Operations::run_keypair()
{
    const KeyPair again = keypair(seed_);
    EXPECT_EQ(again.ek, keys.ek);
    EXPECT_EQ(again.dk, keys.dk);
}

void Operations::run_encaps()
{
    const Encapsulation again = encaps(keys.ek, coins_);
    EXPECT_EQ(again.ct, encapsulation.ct);
    EXPECT_EQ(again.ss, encapsulation.ss);
}

void Operations::run_decaps()
{
    EXPECT_EQ(decaps(keys.dk, encapsulation.ct), encapsulation.ss);
}

void Operations::run_decaps_rejecting()
{
    EXPECT_NE(decaps(keys.dk, altered_), encapsulation.ss);
}

void Operations::run_check_ek()
{
    EXPECT_EQ(latkem_check_ek(kem, keys.ek.data(), keys.ek.size()), LATKEM_OK);
}

void Operations::run_check_dk()
{
    EXPECT_EQ(latkem_check_dk(kem, keys.dk.data(), keys.dk.size()), LATKEM_OK);
}

void Operations::run_prepare_ek()
{
    EXPECT_EQ(latkem_prepare_ek(kem, prepared_ek_->data(), keys.ek.data(), keys.ek.size()), LATKEM_OK);
}

void Operations::run_prepare_dk()
{
    EXPECT_EQ(latkem_prepare_dk(kem, prepared_dk_->data(), keys.dk.data(), keys.dk.size()), LATKEM_OK);
}

void Operations::run_encaps_prepared()
{
    Bytes ct(sizes().ct), ss(sizes().ss);
    EXPECT_EQ(latkem_encaps_prepared(kem, ct.data(), ss.data(), prepared_ek_->data()), LATKEM_OK);
}

void Operations::run_decaps_prepared()
{
    Bytes ss(sizes().ss);
    const Bytes &ct = encapsulation.ct;
    EXPECT_EQ(latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), prepared_dk_->data()), LATKEM_OK);
    EXPECT_EQ(ss, encapsulation.ss);
}

void Operations::run_ek_split()
{
    const KeyParts again = split(kem, keys.ek);
    EXPECT_EQ(again.header + again.vector, parts_.header + parts_.vector);
}

void Operations::run_ek_join()
{
    EXPECT_EQ(join(kem, parts_), keys.ek);
}

void Operations::run_encaps1()
{
    EXPECT_EQ(encaps1(kem, parts_.header, coins_).state, first_.state);
}

void Operations::run_encaps2()
{
    EXPECT_EQ(first_.ct1 + encaps2(kem, first_.state, parts_.vector), encapsulation.ct);
}

void Operations::run_keypair_batch()
{
    Bytes eks(batch * sizes().ek), dks(batch * sizes().dk);
    EXPECT_EQ(latkem_keypair_batch(kem, batch, eks.data(), dks.data()), LATKEM_OK);
}

void Operations::run_encaps_batch()
{
    Bytes cts(batch * sizes().ct), sss(batch * sizes().ss);
    EXPECT_EQ(latkem_encaps_batch(kem, batch, cts.data(), sss.data(), repeat(keys.ek, batch).data()), LATKEM_OK);
}

void Operations::run_decaps_batch()
{
    Bytes sss(batch * sizes().ss);
    EXPECT_EQ(latkem_decaps_batch(kem, batch, sss.data(), repeat(encapsulation.ct, batch).data(),
                                  repeat(keys.dk, batch).data()),
              LATKEM_OK);
    EXPECT_EQ(sss, repeat(encapsulation.ss, batch));
}
