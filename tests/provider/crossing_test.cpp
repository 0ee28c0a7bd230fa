// Keys that cross between latkem's provider and OpenSSL's own, which 3.5 and newer have. SPDX-License-Identifier: Apache-2.0
#include <openssl/err.h>

#include "openssl.h"

namespace
{

constexpr const char *own = "provider=default", *ours = "provider=latkem";

Key made_by(const Library &library, const char *provider, const char *name)
{
    const Operation o(EVP_PKEY_CTX_new_from_name(library.get(), name, provider));
    EVP_PKEY *key = nullptr;
    if (o && EVP_PKEY_keygen_init(o.get()) == 1) EVP_PKEY_generate(o.get(), &key);
    return Key(key);
}

Encapsulated encapsulated_by(const Library &library, const char *provider, const Key &key)
{
    const Operation o(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), provider));
    size_t ct_length = 0, ss_length = 0;
    if (!o || EVP_PKEY_encapsulate_init(o.get(), nullptr) != 1 ||
        EVP_PKEY_encapsulate(o.get(), nullptr, &ct_length, nullptr, &ss_length) != 1)
        return {};
    Encapsulated out = {Bytes(ct_length), Bytes(ss_length)};
    if (EVP_PKEY_encapsulate(o.get(), out.ct.data(), &ct_length, out.ss.data(), &ss_length) != 1) return {};
    return out;
}

Bytes decapsulated_by(const Library &library, const char *provider, const Key &key, const Bytes &ct)
{
    const Operation o(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), provider));
    size_t length = 0;
    if (!o || EVP_PKEY_decapsulate_init(o.get(), nullptr) != 1 ||
        EVP_PKEY_decapsulate(o.get(), nullptr, &length, ct.data(), ct.size()) != 1)
        return {};
    Bytes ss(length);
    return EVP_PKEY_decapsulate(o.get(), ss.data(), &length, ct.data(), ct.size()) == 1 ? ss : Bytes();
}

// OpenSSL's own hybrids with P-256 and P-384 do not cross, because OpenSSL cannot export their private keys.
TEST(Crossing, EachProviderTakesTheOthersKeys)
{
    const Library library;
    for (const char *name : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768"})
        for (const char *maker : {own, ours})
            for (const char *sender : {own, ours})
                for (const char *receiver : {own, ours}) {
                    SCOPED_TRACE(testing::Message() << name << ' ' << maker << ' ' << sender << ' ' << receiver);
                    const Key key = made_by(library, maker, name);
                    ASSERT_TRUE(key);
                    const Encapsulated out = encapsulated_by(library, sender, key);
                    ASSERT_FALSE(out.ss.empty());
                    EXPECT_EQ(decapsulated_by(library, receiver, key, out.ct), out.ss);
                }
    ERR_clear_error();
}

} // namespace
