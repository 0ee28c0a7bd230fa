// The tests of the API in this program are about opened hybrids. libcrypto's default context has no algorithm in it, and
// counts how often it is asked for one. SPDX-License-Identifier: Apache-2.0
#include <latkem/keyfile.h>

#include <memory>

#include "opened_hybrid.h"

namespace
{

struct World {
    OSSL_PROVIDER *const only_provider = load_alone();
    const LibraryContext context{"default"};
    std::vector<std::unique_ptr<OpenedHybrid>> hybrids;

    World()
    {
        for (size_t i = 0; latkem_hybrid_at(i); i++)
            hybrids.push_back(std::make_unique<OpenedHybrid>(latkem_hybrid_at(i), context.get()));
    }
    ~World()
    {
        OSSL_PROVIDER_unload(only_provider);
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;

  private:
    // The default context loads no other then, neither from a configuration nor for want of one.
    static OSSL_PROVIDER *load_alone()
    {
        if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr) != 1) return nullptr;
        return CountingProvider::add(nullptr) == 1 ? OSSL_PROVIDER_load(nullptr, "counting") : nullptr;
    }
};

const World &world()
{
    static const World only;
    return only;
}

// Every step of an exchange; the error of the first that fails.
int exchange(const latkem_kem *kem)
{
    constexpr size_t n = 2;
    const Bytes randomness(n * 192, 1);
    Bytes eks(n * latkem_ek_bytes(kem)), dks(n * latkem_dk_bytes(kem)), cts(n * latkem_ct_bytes(kem));
    Bytes sss(n * latkem_ss_bytes(kem));
    RecordingRng seeds{randomness}, coins{randomness};
    int error = latkem_keypair_batch_rng(kem, n, eks.data(), dks.data(), RecordingRng::fill, &seeds);
    if (!error) error = latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), eks.data(), RecordingRng::fill, &coins);
    return error ? error : latkem_decaps_batch(kem, n, sss.data(), cts.data(), dks.data());
}

TEST(DefaultContext, HasNoAlgorithm)
{
    EXPECT_NE(world().only_provider, nullptr);
    const int before = CountingProvider::asked;
    EXPECT_EQ(exchange(latkem_hybrid_find("X-Wing")), LATKEM_ERR_CRYPTO);
    EXPECT_GT(CountingProvider::asked, before);
}

TEST(DefaultContext, IsAskedForNothing)
{
    for (const auto &hybrid : world().hybrids) {
        const int before = CountingProvider::asked;
        EXPECT_EQ(exchange(hybrid->kem), LATKEM_OK);
        EXPECT_EQ(CountingProvider::asked, before) << latkem_kem_name(hybrid->kem);
    }
}

// A public key of X-Wing is checked without libcrypto.
TEST(DefaultContext, IsNotUsedForKeyFiles)
{
    const latkem_kem *kem = world().hybrids.at(3)->kem, *read = nullptr;
    ASSERT_STREQ(latkem_kem_name(kem), "X-Wing");
    const Bytes seed(latkem_seed_bytes(kem), 1);
    Bytes ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem)), der(LATKEM_PUBLIC_KEY_DER_MAX), again(ek.size());
    size_t der_len = der.size(), ek_len = again.size();
    ASSERT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), LATKEM_OK);
    EXPECT_EQ(latkem_public_key_write(kem, der.data(), &der_len, ek.data(), ek.size()), LATKEM_OK);
    EXPECT_EQ(latkem_public_key_read(&read, again.data(), &ek_len, der.data(), der_len), LATKEM_OK);
    EXPECT_EQ(again, ek);
    EXPECT_EQ(read, latkem_hybrid_find("X-Wing"));
}

} // namespace

const latkem_kem *tested_kem_at(size_t index)
{
    const auto &hybrids = world().hybrids;
    return index < hybrids.size() ? hybrids[index]->kem : nullptr;
}
