// Key files through OpenSSL, against the library's own (keyfile.h). SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/x509.h>

#include "openssl.h"

namespace
{

constexpr const char *passphrase = "a passphrase", *wrong_passphrase = "another one";

class Files : public EverySet
{
  protected:
    void SetUp() override
    {
        seed = random_bytes(std::string("file of ") + set().name, latkem_seed_bytes(kem()));
        key = generate(library, set(), seed);
        ASSERT_TRUE(key);
    }

    // The library's own files.
    Bytes public_file() const
    {
        const Bytes ek = octets(key, OSSL_PKEY_PARAM_PUB_KEY);
        Bytes der(LATKEM_PUBLIC_KEY_DER_MAX);
        size_t length = der.size();
        EXPECT_EQ(latkem_public_key_write(kem(), der.data(), &length, ek.data(), ek.size()), 0);
        der.resize(length);
        return der;
    }
    Bytes private_file(int form, const Bytes &from) const
    {
        Bytes der(LATKEM_PRIVATE_KEY_DER_MAX);
        size_t length = der.size();
        EXPECT_EQ(latkem_private_key_write(kem(), form, der.data(), &length, from.data(), from.size()), 0);
        der.resize(length);
        return der;
    }

    Bytes encoded(int selection, const char *output, const char *structure, const char *cipher = nullptr) const
    {
        OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(key.get(), selection, output, structure, "provider=latkem");
        unsigned char *at = nullptr;
        size_t length = 0;
        if (cipher) {
            OSSL_ENCODER_CTX_set_cipher(e, cipher, nullptr);
            OSSL_ENCODER_CTX_set_passphrase(e, reinterpret_cast<const unsigned char *>(passphrase), strlen(passphrase));
        }
        Bytes out;
        if (OSSL_ENCODER_to_data(e, &at, &length) == 1) out.assign(at, at + length);
        OPENSSL_free(at);
        OSSL_ENCODER_CTX_free(e);
        return out;
    }

    Key decoded(const Bytes &file, int selection, const char *words = nullptr) const
    {
        EVP_PKEY *found = nullptr;
        OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(&found, nullptr, nullptr, nullptr, selection, library.get(),
                                                            nullptr);
        if (words) OSSL_DECODER_CTX_set_passphrase(d, reinterpret_cast<const unsigned char *>(words), strlen(words));
        const unsigned char *at = file.data();
        size_t length = file.size();
        const int ok = OSSL_DECODER_from_data(d, &at, &length);
        OSSL_DECODER_CTX_free(d);
        if (ok != 1) EVP_PKEY_free(found);
        return Key(ok == 1 ? found : nullptr);
    }

    Bytes seed;
    Key key;
};

TEST_P(Files, AreTheLibrarys)
{
    EXPECT_EQ(encoded(EVP_PKEY_PUBLIC_KEY, "DER", "SubjectPublicKeyInfo"), public_file());
    EXPECT_EQ(encoded(EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo"), private_file(LATKEM_FORM_SEED, seed));
}

TEST_P(Files, AreReadAgain)
{
    for (const char *output : {"DER", "PEM"}) {
        const Key pub = decoded(encoded(EVP_PKEY_PUBLIC_KEY, output, "SubjectPublicKeyInfo"), EVP_PKEY_PUBLIC_KEY);
        ASSERT_TRUE(pub);
        EXPECT_EQ(EVP_PKEY_eq(pub.get(), key.get()), 1);
        const Key priv = decoded(encoded(EVP_PKEY_KEYPAIR, output, "PrivateKeyInfo"), EVP_PKEY_KEYPAIR);
        ASSERT_TRUE(priv);
        EXPECT_EQ(octets(priv, "seed"), seed);
        EXPECT_EQ(octets(priv, OSSL_PKEY_PARAM_PRIV_KEY), octets(key, OSSL_PKEY_PARAM_PRIV_KEY));
    }
    ERR_clear_error();
}

TEST_P(Files, AreEncrypted)
{
    for (const char *structure : {"PrivateKeyInfo", "EncryptedPrivateKeyInfo"})
        for (const char *output : {"DER", "PEM"}) {
            SCOPED_TRACE(std::string(structure) + " " + output);
            const Bytes file = encoded(EVP_PKEY_KEYPAIR, output, structure, "AES-256-CBC");
            ASSERT_FALSE(file.empty());
            EXPECT_EQ(std::search(file.begin(), file.end(), seed.begin(), seed.end()), file.end());
            const Key back = decoded(file, EVP_PKEY_KEYPAIR, passphrase);
            ASSERT_TRUE(back);
            EXPECT_EQ(octets(back, "seed"), seed);
            EXPECT_FALSE(decoded(file, EVP_PKEY_KEYPAIR, wrong_passphrase));
        }
    ERR_clear_error();
    EXPECT_EQ(encoded(EVP_PKEY_KEYPAIR, "DER", "EncryptedPrivateKeyInfo"), Bytes());
    EXPECT_EQ(refusal(), "no cipher to encrypt the key with");
    EXPECT_EQ(encoded(EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo", "no-such-cipher"), Bytes())
        << "and never in the clear";
    ERR_clear_error();
}

TEST_P(Files, HaveTheFormOfTheKey)
{
    if (set().is_hybrid) return;
    const Bytes dk = octets(key, OSSL_PKEY_PARAM_PRIV_KEY);
    const Bytes both = private_file(LATKEM_FORM_BOTH, seed), expanded = private_file(LATKEM_FORM_EXPANDED, dk);
    const Key seeded = decoded(both, EVP_PKEY_KEYPAIR);
    ASSERT_TRUE(seeded);
    EXPECT_EQ(octets(seeded, "seed"), seed);
    key = decoded(expanded, EVP_PKEY_KEYPAIR);
    ASSERT_TRUE(key);
    EXPECT_EQ(octets(key, "seed"), Bytes());
    EXPECT_EQ(octets(key, OSSL_PKEY_PARAM_PRIV_KEY), dk);
    // A key without a seed is written expanded, whatever the configuration asks for.
    EXPECT_EQ(encoded(EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo"), expanded);
    ERR_clear_error();
}

TEST_P(Files, ArePrinted)
{
    const Bytes text = encoded(EVP_PKEY_KEYPAIR, "TEXT", nullptr);
    const std::string words(text.begin(), text.end());
    EXPECT_EQ(words.rfind(std::string(set().name) + " Private-Key:\nseed:\n    ", 0), 0u) << words.substr(0, 60);
    EXPECT_NE(words.find("\nek:\n    "), std::string::npos);
    const Bytes shown = encoded(EVP_PKEY_PUBLIC_KEY, "TEXT", nullptr);
    const std::string pub(shown.begin(), shown.end());
    EXPECT_EQ(pub.rfind(std::string(set().name) + " Public-Key:\nek:\n    ", 0), 0u) << pub.substr(0, 60);
    EXPECT_EQ(words.substr(words.find("ek:")), pub.substr(pub.find("ek:")));
}

// OpenSSL 3.5 and newer have decoders too, which take files that ours refuse.
bool is_from(const Library &library, const Key &key)
{
    return key && EVP_PKEY_get0_provider(key.get()) == library.latkem();
}

// The bytes of a file that are not the key itself, and its length: no change of them is taken for the same key.
TEST_P(Files, DamageIsRefused)
{
    const Bytes pub = public_file(), priv = private_file(LATKEM_FORM_SEED, seed);
    for (const auto &[file, selection] : {std::pair{pub, EVP_PKEY_PUBLIC_KEY}, std::pair{priv, EVP_PKEY_KEYPAIR}}) {
        for (size_t at = 0; at < 30; at++) {
            Bytes changed = file;
            changed[at] ^= 1;
            const Key found = decoded(changed, selection);
            EXPECT_FALSE(is_from(library, found) && EVP_PKEY_eq(found.get(), key.get()) == 1) << at;
        }
        for (size_t length : {size_t{0}, size_t{1}, size_t{2}, size_t{20}, file.size() / 2, file.size() - 1})
            EXPECT_FALSE(is_from(library, decoded(Bytes(file.begin(), file.begin() + long(length)), selection)))
                << length;
    }
    ERR_clear_error();
}

TEST_P(Files, AnInvalidPublicKeyIsRefused)
{
    Bytes file = public_file();
    file[22] = file[23] = 0xff;
    EXPECT_FALSE(is_from(library, decoded(file, EVP_PKEY_PUBLIC_KEY)));
    ERR_clear_error();
}

INSTANTIATE_TEST_SUITE_P(Every, Files, testing::ValuesIn([] {
                             std::vector<Offered> sets;
                             for (const Offered &set : offered)
                                 if (set.oid) sets.push_back(set);
                             return sets;
                         }()),
                         set_name);

TEST(FilesOfTlsHybrids, AreNone)
{
    const Library library;
    for (const Offered &set : offered) {
        if (set.oid) continue;
        const Key key = generate(library, set);
        OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(key.get(), EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo",
                                                            nullptr);
        EXPECT_EQ(OSSL_ENCODER_CTX_get_num_encoders(e), 0) << set.name;
        OSSL_ENCODER_CTX_free(e);
    }
    ERR_clear_error();
}

// A certificate of an ML-KEM key, signed by another one.
TEST(FilesOfCertificates, HaveAKemKey)
{
    const Library library;
    const Key signer(EVP_PKEY_Q_keygen(library.get(), nullptr, "EC", "P-256"));
    for (const Offered &set : offered) {
        if (!set.oid) continue;
        const Key key = generate(library, set);
        X509 *made = X509_new_ex(library.get(), nullptr);
        X509_gmtime_adj(X509_getm_notBefore(made), 0);
        X509_gmtime_adj(X509_getm_notAfter(made), 3600);
        ASSERT_EQ(X509_set_pubkey(made, key.get()), 1) << set.name;
        ASSERT_GT(X509_sign(made, signer.get(), EVP_sha256()), 0) << set.name;
        unsigned char *der = nullptr;
        const int length = i2d_X509(made, &der);
        const unsigned char *at = der;
        X509 *read = X509_new_ex(library.get(), nullptr);
        ASSERT_TRUE(d2i_X509(&read, &at, length)) << set.name;
        EXPECT_EQ(EVP_PKEY_eq(X509_get0_pubkey(read), key.get()), 1) << set.name;
        EXPECT_EQ(X509_verify(read, signer.get()), 1) << set.name;
        X509_free(read);
        X509_free(made);
        OPENSSL_free(der);
    }
    ERR_clear_error();
}

} // namespace
