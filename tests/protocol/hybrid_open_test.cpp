// Opened hybrids: the results of the hybrid that was opened, with nothing of libcrypto but from the context that was given.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/hpke.h>
#include <latkem/keyfile.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include <functional>
#include <map>

#include "opened_hybrid.h"

namespace
{

constexpr size_t batch = 5;

// Keys and a ciphertext of a hybrid, with the randomness that they are made of.
struct Inputs {
    Bytes seed, coins, ek, dk, ct, ss;

    explicit Inputs(const latkem_kem *kem)
        : ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem)), ct(latkem_ct_bytes(kem)), ss(latkem_ss_bytes(kem))
    {
        Stream stream(std::string("opened ") + latkem_kem_name(kem));
        seed = stream.bytes(latkem_seed_bytes(kem));
        coins = stream.bytes(latkem_coins_bytes(kem));
        EXPECT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), LATKEM_OK);
        EXPECT_EQ(latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size()),
                  LATKEM_OK);
    }
};

// An operation's error and outputs.
struct Result {
    int error;
    Bytes outputs;

    bool operator==(const Result &other) const
    {
        return error == other.error && outputs == other.outputs;
    }
};

std::ostream &operator<<(std::ostream &os, const Result &result)
{
    return os << latkem_strerror(result.error) << ": " << to_hex(result.outputs);
}

using Call = std::function<int(uint8_t *first, uint8_t *second)>;

Result result_of(size_t first_size, size_t second_size, const Call &call)
{
    Bytes first(first_size, 0xee), second(second_size, 0xee);
    const int error = call(first.data(), second.data());
    return {error, first + second};
}

Bytes times(const Bytes &one, size_t n)
{
    Bytes all;
    for (size_t i = 0; i < n; i++) all = all + one;
    return all;
}

using Results = std::map<std::string, Result>;

void add_singles(Results &all, const latkem_kem *kem, const Inputs &in)
{
    const size_t ek = in.ek.size(), dk = in.dk.size(), ct = in.ct.size(), ss = in.ss.size();
    all["keypair"] = result_of(ek, dk, [&](uint8_t *to_ek, uint8_t *to_dk) {
        return latkem_keypair_derand(kem, to_ek, to_dk, in.seed.data(), in.seed.size());
    });
    all["encaps"] = result_of(ct, ss, [&](uint8_t *to_ct, uint8_t *to_ss) {
        return latkem_encaps_derand(kem, to_ct, to_ss, in.ek.data(), ek, in.coins.data(), in.coins.size());
    });
    all["decaps"] = result_of(ss, 0, [&](uint8_t *to_ss, uint8_t *) {
        return latkem_decaps(kem, to_ss, in.ct.data(), ct, in.dk.data(), dk);
    });
    all["check_ek"] = {latkem_check_ek(kem, in.ek.data(), ek), {}};
    all["check_dk"] = {latkem_check_dk(kem, in.dk.data(), dk), {}};
}

// Of a key that could not be prepared there is nothing but the error; the storage is zeroed then.
void add_prepared(Results &all, const latkem_kem *kem, const Inputs &in)
{
    Prepared ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    const int ek_error = latkem_prepare_ek(kem, ek.data(), in.ek.data(), in.ek.size());
    const int dk_error = latkem_prepare_dk(kem, dk.data(), in.dk.data(), in.dk.size());
    all["prepare_ek"] = {ek_error, ek_error ? ek.bytes() : Bytes()};
    all["prepare_dk"] = {dk_error, dk_error ? dk.bytes() : Bytes()};
    if (!ek_error)
        all["encaps_prepared"] = result_of(in.ct.size(), in.ss.size(), [&](uint8_t *to_ct, uint8_t *to_ss) {
            RecordingRng rng{in.coins};
            return latkem_encaps_prepared_rng(kem, to_ct, to_ss, ek.data(), RecordingRng::fill, &rng);
        });
    if (!dk_error)
        all["decaps_prepared"] = result_of(in.ss.size(), 0, [&](uint8_t *to_ss, uint8_t *) {
            return latkem_decaps_prepared(kem, to_ss, in.ct.data(), in.ct.size(), dk.data());
        });
}

void add_batches(Results &all, const latkem_kem *kem, const Inputs &in)
{
    all["keypair_batch"] = result_of(batch * in.ek.size(), batch * in.dk.size(), [&](uint8_t *eks, uint8_t *dks) {
        RecordingRng rng{times(in.seed, batch)};
        return latkem_keypair_batch_rng(kem, batch, eks, dks, RecordingRng::fill, &rng);
    });
    all["encaps_batch"] = result_of(batch * in.ct.size(), batch * in.ss.size(), [&](uint8_t *cts, uint8_t *sss) {
        RecordingRng rng{times(in.coins, batch)};
        return latkem_encaps_batch_rng(kem, batch, cts, sss, times(in.ek, batch).data(), RecordingRng::fill, &rng);
    });
    all["decaps_batch"] = result_of(batch * in.ss.size(), 0, [&](uint8_t *sss, uint8_t *) {
        return latkem_decaps_batch(kem, batch, sss, times(in.ct, batch).data(), times(in.dk, batch).data());
    });
}

Results results_of(const latkem_kem *kem, const Inputs &in)
{
    Results all;
    add_singles(all, kem, in);
    add_prepared(all, kem, in);
    add_batches(all, kem, in);
    return all;
}

bool has(const std::string &name, const char *part)
{
    return name.find(part) != std::string::npos;
}

// Each test is about one hybrid.
class HybridOpen : public testing::TestWithParam<size_t>
{
  protected:
    void SetUp() override
    {
        ERR_clear_error();
        ERR_put_error(ERR_LIB_USER, 0, 77, __FILE__, __LINE__);
    }
    // libcrypto's error queue is as it was.
    void TearDown() override
    {
        EXPECT_EQ(ERR_GET_REASON(ERR_get_error()), 77);
        EXPECT_EQ(ERR_get_error(), 0u);
    }

    const latkem_kem *const row = latkem_hybrid_at(GetParam());
    const Inputs in{row};
};

TEST_P(HybridOpen, IsTheHybridThatWasOpened)
{
    const LibraryContext context("default");
    const OpenedHybrid opened(row, context.get());
    ASSERT_NE(opened.kem, row);
    EXPECT_STREQ(latkem_kem_name(opened.kem), latkem_kem_name(row));
    EXPECT_STREQ(latkem_kem_family(opened.kem), latkem_kem_family(row));
    EXPECT_EQ(latkem_kem_level(opened.kem), latkem_kem_level(row));
    EXPECT_EQ(latkem_kem_is_standard(opened.kem), latkem_kem_is_standard(row));
    EXPECT_EQ(latkem_stack_bytes(opened.kem), latkem_stack_bytes(row));
    EXPECT_EQ(latkem_stack_bytes_batch(opened.kem), latkem_stack_bytes_batch(row));
    EXPECT_EQ(latkem_tls_group(opened.kem), latkem_tls_group(row));
    EXPECT_EQ(latkem_hpke_kem_id(opened.kem), latkem_hpke_kem_id(row));
    EXPECT_EQ(results_of(opened.kem, in), results_of(row, in));
}

TEST_P(HybridOpen, NullIsTheDefaultContext)
{
    const OpenedHybrid opened(row, nullptr);
    EXPECT_EQ(results_of(opened.kem, in), results_of(row, in));
}

#ifdef OPENSSL_IS_AWSLC
TEST_P(HybridOpen, OtherContextsAreRefused)
{
    Prepared storage(latkem_hybrid_bytes());
    int other = 0;
    const latkem_kem *kem = row;
    EXPECT_EQ(latkem_hybrid_open(&kem, storage.data(), row, reinterpret_cast<ossl_lib_ctx_st *>(&other)),
              LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(kem, nullptr);
    EXPECT_TRUE(all_zero(storage.bytes()));
}
#else
// The default context has no algorithm then, as the row shows.
TEST_P(HybridOpen, NothingIsOfTheDefaultContext)
{
    const LibraryContext context("default");
    const OpenedHybrid opened(row, context.get());
    const Results right = results_of(row, in);
    ASSERT_EQ(EVP_set_default_properties(nullptr, "provider=none"), 1);
    const Results others = results_of(row, in), own = results_of(opened.kem, in);
    ASSERT_EQ(EVP_set_default_properties(nullptr, ""), 1);
    EXPECT_EQ(own, right);
    const bool works_without = has(latkem_kem_name(row), "SecP"); // points need no provider
    EXPECT_EQ(others.at("decaps").error, works_without ? LATKEM_OK : LATKEM_ERR_CRYPTO);
}

// An operation's demand on a context without providers. The arithmetic of points is in none, but has random numbers on
// some machines.
enum class Demand { none, points, algorithms };

Demand demand_of(const latkem_kem *kem, const std::string &operation)
{
    const bool x25519 = has(latkem_kem_name(kem), "25519") || has(latkem_kem_name(kem), "X-Wing");
    const bool hashes = latkem_dk_bytes(kem) == 32;
    if (operation == "check_ek" || operation == "prepare_ek") return x25519 ? Demand::none : Demand::points;
    if (operation == "check_dk" || operation == "prepare_dk") return hashes ? Demand::algorithms : Demand::none;
    return x25519 || hashes ? Demand::algorithms : Demand::points;
}

void expect_demand(Demand demand, const Result &result, const Result &right)
{
    if (demand == Demand::none || (demand == Demand::points && result.error == LATKEM_OK)) {
        EXPECT_EQ(result, right);
        return;
    }
    EXPECT_EQ(result.error, LATKEM_ERR_CRYPTO);
    EXPECT_TRUE(all_zero(result.outputs));
}

TEST_P(HybridOpen, ContextWithoutProviders)
{
    const LibraryContext context("null");
    const OpenedHybrid opened(row, context.get());
    const Results right = results_of(row, in), results = results_of(opened.kem, in);
    for (const auto &[name, result] : results) {
        SCOPED_TRACE(name);
        expect_demand(demand_of(row, name), result, right.at(name));
    }
}

TEST_P(HybridOpen, FetchesWhatItNeedsFromProvidersThatComeLater)
{
    LibraryContext context("counting");
    const int before = CountingProvider::asked;
    const OpenedHybrid opened(row, context.get());
    EXPECT_EQ(CountingProvider::asked, before) << "by opening";
    const Results without = results_of(opened.kem, in);
    EXPECT_EQ(CountingProvider::asked > before, without.at("decaps").error != LATKEM_OK);
    context.load("default");
    EXPECT_EQ(results_of(opened.kem, in), results_of(row, in));
}
#endif

TEST_P(HybridOpen, ClosedStorageIsZeroed)
{
    Prepared storage(latkem_hybrid_bytes());
    for (int round = 0; round < 2; round++) {
        const latkem_kem *kem = nullptr;
        ASSERT_EQ(latkem_hybrid_open(&kem, storage.data(), row, nullptr), LATKEM_OK);
        EXPECT_FALSE(all_zero(storage.bytes()));
        for (int times = 0; times < 2; times++) {
            latkem_hybrid_close(storage.data());
            EXPECT_TRUE(all_zero(storage.bytes()));
        }
    }
}

TEST_P(HybridOpen, BadArguments)
{
    const OpenedHybrid other(row, nullptr);
    Prepared storage(latkem_hybrid_bytes());
    auto *const bytes = static_cast<uint8_t *>(storage.data());
    for (const latkem_kem *bad : {static_cast<const latkem_kem *>(nullptr), latkem_kem_find("ML-KEM-768"), other.kem}) {
        const latkem_kem *kem = row;
        std::fill_n(bytes, storage.size(), uint8_t{0xee});
        EXPECT_EQ(latkem_hybrid_open(&kem, bytes, bad, nullptr), LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(kem, nullptr);
        EXPECT_TRUE(all_zero(storage.bytes()));
    }
    std::fill_n(bytes, storage.size(), uint8_t{0xee});
    EXPECT_EQ(latkem_hybrid_open(nullptr, bytes, row, nullptr), LATKEM_ERR_ARGUMENT);
    EXPECT_TRUE(all_zero(storage.bytes()));
    std::fill_n(bytes, storage.size(), uint8_t{0xee});
    EXPECT_EQ(latkem_hybrid_open(reinterpret_cast<const latkem_kem **>(bytes), bytes, row, nullptr),
              LATKEM_ERR_ARGUMENT);
    EXPECT_TRUE(all_zero(storage.bytes()));
    const latkem_kem *kem = row;
    EXPECT_EQ(latkem_hybrid_open(&kem, nullptr, row, nullptr), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(kem, nullptr);
}

Result public_file(const latkem_kem *kem, const Inputs &in)
{
    Bytes der(LATKEM_PUBLIC_KEY_DER_MAX, 0xee);
    size_t len = der.size();
    const int error = latkem_public_key_write(kem, der.data(), &len, in.ek.data(), in.ek.size());
    return {error, slice(der, 0, len)};
}

Result private_file(const latkem_kem *kem, const Inputs &in)
{
    Bytes der(LATKEM_PRIVATE_KEY_DER_MAX, 0xee);
    size_t len = der.size();
    const int error = latkem_private_key_write(kem, LATKEM_FORM_SEED, der.data(), &len, in.seed.data(), in.seed.size());
    return {error, slice(der, 0, len)};
}

// Of X-Wing; other hybrids have none.
TEST_P(HybridOpen, KeyFiles)
{
    const OpenedHybrid opened(row, nullptr);
    EXPECT_EQ(public_file(opened.kem, in), public_file(row, in));
    EXPECT_EQ(private_file(opened.kem, in), private_file(row, in));
    EXPECT_EQ(public_file(row, in).error, has(latkem_kem_name(row), "X-Wing") ? LATKEM_OK : LATKEM_ERR_ARGUMENT);
}

// Both ends of HPKE, the sender with one row and the recipient with another; a secret that the recipient exports.
Result hpke(const latkem_kem *sends, const latkem_kem *receives, const Inputs &in)
{
    const unsigned kdf = LATKEM_HPKE_HKDF_SHA256, aead = LATKEM_HPKE_EXPORT_ONLY;
    Prepared sender(latkem_hpke_bytes()), recipient(latkem_hpke_bytes());
    Bytes enc(in.ct.size()), exported(32);
    int error = latkem_hpke_sender_derand(sender.data(), enc.data(), sends, kdf, aead, in.ek.data(), in.ek.size(),
                                          nullptr, 0, in.coins.data(), in.coins.size());
    if (!error)
        error = latkem_hpke_recipient(recipient.data(), receives, kdf, aead, enc.data(), enc.size(), in.seed.data(),
                                      in.seed.size(), nullptr, 0);
    if (!error) error = latkem_hpke_export(recipient.data(), exported.data(), exported.size(), nullptr, 0);
    return {error, enc + exported};
}

Result derived_keypair(const latkem_kem *kem)
{
    const uint8_t ikm[32] = {1, 2, 3};
    return result_of(latkem_ek_bytes(kem), latkem_seed_bytes(kem), [&](uint8_t *ek, uint8_t *sk) {
        return latkem_hpke_derive_keypair(kem, ek, sk, ikm, sizeof ikm);
    });
}

TEST_P(HybridOpen, Hpke)
{
    const LibraryContext context("default");
    const OpenedHybrid opened(row, context.get());
    const Result right = hpke(row, row, in);
    EXPECT_EQ(right.error, latkem_hpke_kem_id(row) ? LATKEM_OK : LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(hpke(opened.kem, row, in), right);
    EXPECT_EQ(hpke(row, opened.kem, in), right);
    EXPECT_EQ(derived_keypair(opened.kem), derived_keypair(row));
}

std::string name_of(const testing::TestParamInfo<size_t> &info)
{
    std::string name = latkem_kem_name(latkem_hybrid_at(info.param));
    for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, HybridOpen, testing::Range<size_t>(0, 6), name_of);

} // namespace
