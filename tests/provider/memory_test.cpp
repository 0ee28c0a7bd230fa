// Memory: nothing grows from handshake to handshake, allocations fail one at a time, and freed blocks have no secret.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/x509.h>

#include <algorithm>

#include "handshake.h"
#include "kem_test.h"
#include "libcrypto_heap.h"

namespace
{

// Before main, and so before libcrypto's first allocation.
const bool installed = (libcrypto_heap::install(), true);

class Memory : public EverySet
{
};

TEST_P(Memory, DoesNotGrow)
{
    if (!set().group) return;
    const int first = deep() ? 100 : 10, more = deep() ? 900 : 20;
    const Tls tls(library, set().group, set().group);
    for (int i = 0; i < first; i++) ASSERT_NE(tls.handshake(), 0u);
    const size_t before = libcrypto_heap::live();
    for (int i = 0; i < more; i++) ASSERT_NE(tls.handshake(), 0u);
    EXPECT_EQ(libcrypto_heap::live(), before);
}

// The same for handshakes that the server ends, because a share is not valid.
TEST_P(Memory, RefusalsDoNotGrow)
{
    const Bytes ek = octets(generate(library, set()), "pub");
    Bytes bad = ek;
    bad[0] = bad[1] = 0xff;
    size_t before = 0;
    for (int i = 0; i < 100; i++) {
        if (i == 10) before = libcrypto_heap::live();
        const Key key = empty_key(library, set());
        EXPECT_NE(EVP_PKEY_set1_encoded_public_key(key.get(), bad.data(), bad.size()), 1);
        ERR_clear_error();
    }
    EXPECT_EQ(libcrypto_heap::live(), before);
}

constexpr const char *of_the_provider = "provider/", *of_everybody = "";

// An operation in which each allocation fails once. It fails then, or does without.
void fail_everywhere(const std::string &what, const std::function<bool()> &operation, const char *in_files)
{
    SCOPED_TRACE(what);
    ASSERT_TRUE(operation());
    bool reached = true;
    int failures = 0;
    for (uint64_t at = 1; reached; at++) {
        libcrypto_heap::fail_at(at, in_files);
        failures += !operation();
        reached = libcrypto_heap::failed();
        libcrypto_heap::fail_at(0);
        ERR_clear_error();
    }
    EXPECT_GT(failures, 0);
    EXPECT_TRUE(operation());
}

bool is_encoded(const Key &key, const char *structure, const char *cipher)
{
    OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(key.get(), EVP_PKEY_KEYPAIR, "PEM", structure, nullptr);
    unsigned char *at = nullptr;
    size_t length = 0;
    const bool ready = e && (!cipher ||
                             (OSSL_ENCODER_CTX_set_cipher(e, cipher, nullptr) == 1 &&
                              OSSL_ENCODER_CTX_set_passphrase(e, reinterpret_cast<const uint8_t *>("word"), 4) == 1));
    const bool ok = ready && OSSL_ENCODER_to_data(e, &at, &length) == 1;
    OPENSSL_clear_free(at, length);
    OSSL_ENCODER_CTX_free(e);
    return ok;
}

Key read(const Library &library, const Bytes &file)
{
    EVP_PKEY *key = nullptr;
    OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(&key, nullptr, nullptr, nullptr, EVP_PKEY_KEYPAIR,
                                                        library.get(), nullptr);
    const unsigned char *at = file.data();
    size_t length = file.size();
    if (d) OSSL_DECODER_from_data(d, &at, &length);
    OSSL_DECODER_CTX_free(d);
    return Key(key);
}

TEST_P(Memory, EachAllocationFails)
{
    const char *whose = deep() ? of_everybody : of_the_provider;
    const Bytes seed = random_bytes("seed", latkem_seed_bytes(kem()));
    const Key key = generate(library, set(), seed);
    const Encapsulated sent = encapsulate(library, key);
    const Bytes ek = octets(key, "pub"), dk = octets(key, "priv");
    const auto fails = [&](const char *what, const std::function<bool()> &operation) {
        fail_everywhere(what, operation, whose);
    };
    fails("generation", [&] { return generate(library, set(), seed) != nullptr; });
    fails("import", [&] { return from_data(library, set(), EVP_PKEY_KEYPAIR, {}, dk, ek) != nullptr; });
    fails("encapsulation", [&] { return !encapsulate(library, key).ss.empty(); });
    fails("decapsulation", [&] { return decapsulate(library, key, sent.ct) == sent.ss; });
    fails("copy", [&] { return Key(EVP_PKEY_dup(key.get())) != nullptr; });
    if (!set().oid) return;
    unsigned char *der = nullptr;
    const int length = i2d_PrivateKey(key.get(), &der);
    const Bytes file(der, der + length);
    OPENSSL_free(der);
    fails("file", [&] { return is_encoded(key, "PrivateKeyInfo", nullptr); });
    fails("sealed file", [&] { return is_encoded(key, "EncryptedPrivateKeyInfo", "AES-256-CBC"); });
    fails("reading", [&] { return read(library, file) != nullptr; });
}

TEST(MemoryOfLoading, DoesNotGrow)
{
    size_t before = 0;
    for (int i = 0; i < 10; i++) {
        const Library again;
        generate(again, offered.front());
        if (i == 0) before = libcrypto_heap::live();
        EXPECT_EQ(libcrypto_heap::live(), before) << i;
    }
}

// The provider's own allocations: OpenSSL 3.0 crashes in OSSL_LIB_CTX_new_child if some of its own fail there.
TEST(MemoryOfLoading, EachAllocationFails)
{
    fail_everywhere(
        "loading",
        [] {
            OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
            OSSL_PROVIDER_set_default_search_path(context, PROVIDER_FOLDER);
            OSSL_PROVIDER *provider = OSSL_PROVIDER_load(context, "latkemprovider");
            OSSL_PROVIDER_unload(provider);
            OSSL_LIB_CTX_free(context);
            return provider != nullptr;
        },
        of_the_provider);
}

bool holds(const Bytes &block, const Bytes &secret)
{
    return std::search(block.begin(), block.end(), secret.begin(), secret.end()) != block.end();
}

// Secrets are looked for in pieces, since a block may hold a part of one.
TEST_P(Memory, FreedBlocksHaveNoSecret)
{
    const Bytes seed = random_bytes("seed", latkem_seed_bytes(kem())),
                coins = random_bytes("coins", latkem_coins_bytes(kem()));
    Bytes ek(latkem_ek_bytes(kem())), dk(latkem_dk_bytes(kem())), ct(latkem_ct_bytes(kem())),
        ss(latkem_ss_bytes(kem()));
    ASSERT_EQ(latkem_keypair_derand(kem(), ek.data(), dk.data(), seed.data(), seed.size()), 0);
    ASSERT_EQ(latkem_encaps_derand(kem(), ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size()), 0);
    std::vector<Bytes> pieces;
    for (const Bytes &secret : {seed, coins, dk, ss})
        for (size_t at = 0; at + 16 <= secret.size(); at += 16)
            if (const Bytes piece(secret.begin() + long(at), secret.begin() + long(at) + 16); !holds(ek, piece))
                pieces.push_back(piece);
    const auto operations = [&] {
        Key key = generate(library, set(), seed);
        encapsulate(library, key, coins);
        decapsulate(library, key, ct);
        Key copy(EVP_PKEY_dup(key.get()));
        if (set().oid) is_encoded(key, "PrivateKeyInfo", nullptr);
        if (set().oid) is_encoded(key, "PrivateKeyInfo", "AES-256-CBC");
    };
    operations(); // OpenSSL keeps what it fetches
    const libcrypto_heap::Trace trace = libcrypto_heap::watch(operations);
    EXPECT_GT(trace.freed.size(), 20u);
    for (const Bytes &piece : pieces)
        for (const std::vector<Bytes> *blocks : {&trace.freed, &trace.live})
            for (const Bytes &block : *blocks) ASSERT_FALSE(holds(block, piece)) << block.size();
}

FOR_EVERY_SET(Memory);

} // namespace
