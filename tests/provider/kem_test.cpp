// Keys and KEMs of every set, against the library itself. SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <latkem/hybrid.h>
#include <openssl/core_names.h>
#include <openssl/err.h>

#include <thread>

#include "openssl.h"

namespace
{

class Kem : public EverySet
{
  protected:
    // The library's key pair and encapsulation of a seed and coins.
    void SetUp() override
    {
        seed = random_bytes(std::string("seed of ") + set().name, latkem_seed_bytes(kem()));
        coins = random_bytes(std::string("coins of ") + set().name, latkem_coins_bytes(kem()));
        ek.resize(latkem_ek_bytes(kem()));
        dk.resize(latkem_dk_bytes(kem()));
        ct.resize(latkem_ct_bytes(kem()));
        ss.resize(latkem_ss_bytes(kem()));
        ASSERT_EQ(latkem_keypair_derand(kem(), ek.data(), dk.data(), seed.data(), seed.size()), 0);
        ASSERT_EQ(latkem_encaps_derand(kem(), ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size()),
                  0);
    }
    void TearDown() override
    {
        EXPECT_EQ(ERR_peek_error(), 0u) << refusal();
    }

    Key public_key() const
    {
        return from_data(library, set(), EVP_PKEY_PUBLIC_KEY, {}, {}, ek);
    }

    Bytes seed, coins, ek, dk, ct, ss;
};

TEST_P(Kem, IsTheLibrarys)
{
    const Key key = generate(library, set(), seed);
    ASSERT_TRUE(key);
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PUB_KEY), ek);
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PRIV_KEY), dk);
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY), ek);
    const Encapsulated out = encapsulate(library, key, coins);
    EXPECT_EQ(out.ct, ct);
    EXPECT_EQ(out.ss, ss);
    EXPECT_EQ(decapsulate(library, key, ct), ss);
}

TEST_P(Kem, IsRandomWithoutSeedAndCoins)
{
    const Key key = generate(library, set()), other = generate(library, set());
    ASSERT_TRUE(key && other);
    EXPECT_NE(EVP_PKEY_eq(key.get(), other.get()), 1);
    const Key again = generate(library, set(), octets(key, "seed"));
    EXPECT_EQ(EVP_PKEY_eq(again.get(), key.get()) == 1, set().oid != nullptr) << "its seed is kept";
    ERR_clear_error();
    const Encapsulated one = encapsulate(library, key), two = encapsulate(library, key);
    EXPECT_NE(one.ct, two.ct);
    EXPECT_NE(one.ss, two.ss);
    EXPECT_EQ(decapsulate(library, key, one.ct), one.ss);
    EXPECT_EQ(decapsulate(library, key, two.ct), two.ss);
    EXPECT_NE(decapsulate(library, other, one.ct), one.ss);
    ERR_clear_error();
}

TEST_P(Kem, CoinsServeOnce)
{
    const Key key = generate(library, set(), seed);
    const Operation o(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), nullptr));
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("ikme", coins.data(), coins.size()),
                                 OSSL_PARAM_construct_end()};
    Bytes first(ct.size()), second(ct.size()), secret(ss.size());
    size_t ct_length = ct.size(), ss_length = ss.size();
    ASSERT_EQ(EVP_PKEY_encapsulate_init(o.get(), params), 1);
    ASSERT_EQ(EVP_PKEY_encapsulate(o.get(), first.data(), &ct_length, secret.data(), &ss_length), 1);
    ASSERT_EQ(EVP_PKEY_encapsulate(o.get(), second.data(), &ct_length, secret.data(), &ss_length), 1);
    EXPECT_EQ(first, ct);
    EXPECT_NE(second, ct);
}

TEST_P(Kem, SaysItsParameters)
{
    const Key key = generate(library, set(), seed);
    EXPECT_EQ(number(key, OSSL_PKEY_PARAM_BITS), set().strength);
    EXPECT_EQ(number(key, OSSL_PKEY_PARAM_SECURITY_BITS), set().security_bits);
    EXPECT_EQ(number(key, OSSL_PKEY_PARAM_MAX_SIZE), int(ct.size()));
    EXPECT_EQ(EVP_PKEY_get_bits(key.get()), set().strength);
    EXPECT_EQ(EVP_PKEY_get_security_bits(key.get()), set().security_bits);
    EXPECT_EQ(EVP_PKEY_get_size(key.get()), int(ct.size()));
    EXPECT_TRUE(EVP_PKEY_is_a(key.get(), set().name));
    EXPECT_EQ(set().oid && EVP_PKEY_is_a(key.get(), set().oid), set().oid != nullptr);
    // A seed is a part of the keys that have files.
    EXPECT_EQ(octets(key, "seed"), set().oid ? seed : Bytes());
    ERR_clear_error();
}

TEST_P(Kem, APublicKeyHasNoSecret)
{
    const Key key = public_key();
    ASSERT_TRUE(key);
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PUB_KEY), ek);
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PRIV_KEY), Bytes());
    EXPECT_EQ(octets(key, "seed"), Bytes());
    ERR_clear_error();
    EXPECT_EQ(encapsulate(library, key, coins).ct, ct);
    EXPECT_EQ(decapsulate(library, key, ct), Bytes());
    EXPECT_EQ(refusal(), "the key has not the part that is needed");
}

TEST_P(Kem, RefusesWrongLengths)
{
    const Key key = generate(library, set(), seed);
    for (size_t length : {size_t{1}, ct.size() - 1, ct.size() + 1}) {
        Bytes wrong = ct;
        wrong.resize(length);
        EXPECT_EQ(decapsulate(library, key, wrong), Bytes()) << length;
        EXPECT_EQ(refusal(), "wrong length") << length;
    }
    for (size_t length : {size_t{1}, coins.size() - 1, coins.size() + 1}) {
        EXPECT_EQ(encapsulate(library, key, random_bytes("", length)).ct, Bytes()) << length;
        EXPECT_EQ(refusal(), "a parameter is of the wrong type or length") << length;
    }
    for (size_t length : {size_t{1}, seed.size() - 1, seed.size() + 1}) {
        EXPECT_FALSE(generate(library, set(), random_bytes("", length))) << length;
        EXPECT_EQ(refusal(), "a parameter is of the wrong type or length") << length;
    }
}

TEST_P(Kem, RefusesSmallBuffers)
{
    const Key key = generate(library, set(), seed);
    const Operation o(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), nullptr));
    Bytes to(ct.size(), 0xaa), secret(ss.size(), 0xaa);
    size_t ct_length = ct.size() - 1, ss_length = ss.size();
    ASSERT_EQ(EVP_PKEY_encapsulate_init(o.get(), nullptr), 1);
    EXPECT_NE(EVP_PKEY_encapsulate(o.get(), to.data(), &ct_length, secret.data(), &ss_length), 1);
    EXPECT_EQ(refusal(), "the output's buffer is too small");
    ct_length = ct.size();
    ss_length = ss.size() - 1;
    EXPECT_NE(EVP_PKEY_encapsulate(o.get(), to.data(), &ct_length, secret.data(), &ss_length), 1);
    EXPECT_EQ(refusal(), "the output's buffer is too small");
    ASSERT_EQ(EVP_PKEY_decapsulate_init(o.get(), nullptr), 1);
    ss_length = ss.size() - 1;
    EXPECT_NE(EVP_PKEY_decapsulate(o.get(), secret.data(), &ss_length, ct.data(), ct.size()), 1);
    EXPECT_EQ(refusal(), "the output's buffer is too small");
    EXPECT_EQ(to, Bytes(ct.size(), 0xaa));
    EXPECT_EQ(secret, Bytes(ss.size(), 0xaa));
}

TEST_P(Kem, AContextIsCopied)
{
    const Key key = generate(library, set(), seed);
    const Operation o(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), nullptr));
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("ikme", coins.data(), coins.size()),
                                 OSSL_PARAM_construct_end()};
    ASSERT_EQ(EVP_PKEY_encapsulate_init(o.get(), params), 1);
    const Operation copy(EVP_PKEY_CTX_dup(o.get()));
    ASSERT_TRUE(copy);
    for (const Operation *of : {&o, &copy}) {
        Bytes to(ct.size()), secret(ss.size());
        size_t ct_length = ct.size(), ss_length = ss.size();
        ASSERT_EQ(EVP_PKEY_encapsulate(of->get(), to.data(), &ct_length, secret.data(), &ss_length), 1);
        EXPECT_EQ(to, ct);
    }
}

// A server of TLS gets a key without parts, and then the client's share for it.
TEST_P(Kem, AnEmptyKeyTakesOneShare)
{
    const Key key = empty_key(library, set());
    ASSERT_TRUE(key);
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PUB_KEY), Bytes());
    EXPECT_EQ(encapsulate(library, key).ct, Bytes());
    EXPECT_EQ(refusal(), "the key has not the part that is needed");
    Bytes bad = ek;
    bad.pop_back();
    EXPECT_NE(EVP_PKEY_set1_encoded_public_key(key.get(), bad.data(), bad.size()), 1);
    EXPECT_EQ(refusal(), "wrong length");
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(key.get(), ek.data(), ek.size()), 1);
    EXPECT_EQ(encapsulate(library, key, coins).ct, ct);
    EXPECT_NE(EVP_PKEY_set1_encoded_public_key(key.get(), ek.data(), ek.size()), 1);
    EXPECT_EQ(refusal(), "the key is complete and takes no other public key");
    EXPECT_EQ(encapsulate(library, key, coins).ct, ct);
}

// A coefficient that is not below q, at the beginning and near the end: ML-KEM's part is first or last, and the seed of A
// and an X25519 share are behind its coefficients.
TEST_P(Kem, RefusesAnInvalidShare)
{
    const Key key = empty_key(library, set());
    for (size_t at : {size_t{0}, ek.size() - 66}) {
        Bytes bad = ek;
        bad[at] = bad[at + 1] = 0xff;
        EXPECT_NE(EVP_PKEY_set1_encoded_public_key(key.get(), bad.data(), bad.size()), 1);
        EXPECT_EQ(refusal(), "invalid public key");
        EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PUB_KEY), Bytes());
        ERR_clear_error();
    }
}

TEST_P(Kem, KeysAreCopiedAndCompared)
{
    const Key key = generate(library, set(), seed), other = generate(library, set()), pub = public_key();
    const Key copy(EVP_PKEY_dup(key.get()));
    ASSERT_TRUE(copy);
    EXPECT_EQ(EVP_PKEY_eq(key.get(), copy.get()), 1);
    EXPECT_EQ(EVP_PKEY_eq(key.get(), pub.get()), 1);
    EXPECT_NE(EVP_PKEY_eq(key.get(), other.get()), 1);
    EXPECT_EQ(octets(copy, OSSL_PKEY_PARAM_PRIV_KEY), dk);
    EXPECT_EQ(decapsulate(library, copy, ct), ss);
    ERR_clear_error();
}

TEST_P(Kem, KeysAreChecked)
{
    const Key key = generate(library, set(), seed), pub = public_key();
    const Operation whole(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), nullptr));
    const Operation half(EVP_PKEY_CTX_new_from_pkey(library.get(), pub.get(), nullptr));
    EXPECT_EQ(EVP_PKEY_check(whole.get()), 1);
    EXPECT_EQ(EVP_PKEY_public_check(whole.get()), 1);
    EXPECT_EQ(EVP_PKEY_private_check(whole.get()), 1);
    EXPECT_EQ(EVP_PKEY_pairwise_check(whole.get()), 1);
    EXPECT_EQ(EVP_PKEY_public_check(half.get()), 1);
    EXPECT_NE(EVP_PKEY_check(half.get()), 1);
    ERR_clear_error();
}

TEST_P(Kem, KeysGoOutAndIn)
{
    const Key key = generate(library, set(), seed);
    OSSL_PARAM *params = nullptr;
    EVP_PKEY *back = nullptr;
    ASSERT_EQ(EVP_PKEY_todata(key.get(), EVP_PKEY_KEYPAIR, &params), 1);
    const Operation o(EVP_PKEY_CTX_new_from_name(library.get(), set().name, nullptr));
    ASSERT_EQ(EVP_PKEY_fromdata_init(o.get()), 1);
    ASSERT_EQ(EVP_PKEY_fromdata(o.get(), &back, EVP_PKEY_KEYPAIR, params), 1);
    OSSL_PARAM_free(params);
    const Key owned(back);
    EXPECT_EQ(octets(owned, OSSL_PKEY_PARAM_PRIV_KEY), dk);
    EXPECT_EQ(octets(owned, "seed"), set().oid ? seed : Bytes());
    EXPECT_EQ(decapsulate(library, owned, ct), ss);
    ERR_clear_error();
}

TEST_P(Kem, KeysComeFromTheirParts)
{
    const Bytes known_seed = set().oid ? seed : Bytes();
    for (bool with_seed : {false, true})
        for (bool with_priv : {false, true})
            for (bool with_pub : {false, true}) {
                const Key key = from_data(library, set(), EVP_PKEY_KEYPAIR, with_seed ? known_seed : Bytes(),
                                          with_priv ? dk : Bytes(), with_pub ? ek : Bytes());
                const bool has_seed = with_seed && set().oid;
                // A curve's public part is not in the private one; X-Wing's private key is its seed.
                const bool is_private = has_seed || (with_priv && (!set().is_hybrid || set().oid || with_pub));
                const bool is_public = !has_seed && !with_priv && with_pub;
                SCOPED_TRACE(testing::Message() << with_seed << with_priv << with_pub);
                ASSERT_EQ(key != nullptr, is_private || is_public);
                EXPECT_EQ(key ? octets(key, OSSL_PKEY_PARAM_PUB_KEY) : Bytes(), key ? ek : Bytes());
                EXPECT_EQ(is_private ? decapsulate(library, key, ct) : ss, ss);
                ERR_clear_error();
            }
}

TEST_P(Kem, PartsMustBelongTogether)
{
    const Key other = generate(library, set());
    const Bytes other_ek = octets(other, OSSL_PKEY_PARAM_PUB_KEY), other_dk = octets(other, OSSL_PKEY_PARAM_PRIV_KEY);
    EXPECT_FALSE(from_data(library, set(), EVP_PKEY_KEYPAIR, {}, dk, other_ek));
    EXPECT_EQ(refusal(), "the parts of the key do not belong together");
    if (set().oid) {
        EXPECT_FALSE(from_data(library, set(), EVP_PKEY_KEYPAIR, seed, other_dk, {}));
        EXPECT_EQ(refusal(), "the parts of the key do not belong together");
        EXPECT_FALSE(from_data(library, set(), EVP_PKEY_KEYPAIR, seed, {}, other_ek));
        EXPECT_EQ(refusal(), "the parts of the key do not belong together");
    }
    for (size_t length : {size_t{1}, dk.size() - 1, dk.size() + 1}) {
        Bytes wrong = dk;
        wrong.resize(length);
        EXPECT_FALSE(from_data(library, set(), EVP_PKEY_KEYPAIR, {}, wrong, ek)) << length;
        EXPECT_EQ(refusal(), "wrong length") << length;
    }
}

TEST_P(Kem, ServesManyThreads)
{
    const Key key = generate(library, set(), seed);
    std::vector<std::thread> threads;
    std::vector<int> agreed(8);
    for (int &result : agreed)
        threads.emplace_back([&] {
            for (int i = 0; i < 10; i++) {
                const Key own = generate(library, set());
                const Encapsulated to_all = encapsulate(library, key), to_own = encapsulate(library, own);
                result += !to_all.ss.empty() && decapsulate(library, key, to_all.ct) == to_all.ss &&
                          decapsulate(library, own, to_own.ct) == to_own.ss;
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(agreed, std::vector<int>(agreed.size(), 10));
}

FOR_EVERY_SET(Kem);

// ML-KEM's implicit rejection is no error, and the curve's refusal is one.
TEST(KemOfACurve, RefusesABadPoint)
{
    const Library library;
    for (const Offered &set : offered) {
        if (!set.is_hybrid) continue;
        const Key key = generate(library, set);
        Encapsulated out = encapsulate(library, key);
        const bool curve_first = std::string(set.name).rfind("SecP", 0) == 0;
        const size_t share = curve_first ? 0 : out.ct.size() - 32;
        Bytes changed = out.ct;
        changed[curve_first ? out.ct.size() - 1 : 0] ^= 1;
        const Bytes ss = decapsulate(library, key, changed);
        EXPECT_EQ(ss.size(), out.ss.size()) << set.name;
        EXPECT_NE(ss, out.ss) << set.name;
        std::fill(out.ct.begin() + long(share), out.ct.begin() + long(share) + 32, 0);
        EXPECT_EQ(decapsulate(library, key, out.ct), Bytes()) << set.name;
        EXPECT_EQ(refusal(), "ciphertext without a valid point") << set.name;
    }
}

} // namespace
