// The provider as a whole: what it says of itself, what TLS is offered, loading and unloading, and that nothing of the
// default library context is used. SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <thread>

#include "openssl.h"

namespace
{

TEST(Provider, SaysWhatItIs)
{
    const Library library;
    const char *name = nullptr, *version = nullptr;
    int status = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_NAME, const_cast<char **>(&name), 0),
                           OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_VERSION, const_cast<char **>(&version), 0),
                           OSSL_PARAM_construct_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_construct_end()};
    ASSERT_EQ(OSSL_PROVIDER_get_params(library.latkem(), params), 1);
    EXPECT_STREQ(name, "latkem provider");
    EXPECT_STREQ(version, latkem_version());
    EXPECT_EQ(status, 1);
}

using Group = std::map<std::string, std::string>;

std::string text_of(const OSSL_PARAM &param)
{
    if (param.data_type == OSSL_PARAM_UTF8_STRING) return static_cast<const char *>(param.data);
    long value = 0;
    EXPECT_EQ(OSSL_PARAM_get_long(&param, &value), 1) << param.key;
    return std::to_string(value);
}

int collect(const OSSL_PARAM params[], void *groups)
{
    Group group;
    for (; params->key; params++) group[params->key] = text_of(*params);
    static_cast<std::vector<Group> *>(groups)->push_back(group);
    return 1;
}

TEST(Provider, OffersTlsItsGroups)
{
    const Library library;
    std::vector<Group> found, expected;
    ASSERT_EQ(OSSL_PROVIDER_get_capabilities(library.latkem(), "TLS-GROUP", collect, &found), 1);
    for (const Offered &set : offered)
        if (set.group)
            expected.push_back({{"tls-group-name", set.group},
                                {"tls-group-name-internal", set.group},
                                {"tls-group-alg", set.name},
                                {"tls-group-id", std::to_string(latkem_tls_group(kem_of(set)))},
                                {"tls-group-sec-bits", std::to_string(set.security_bits)},
                                {"tls-group-is-kem", "1"},
                                {"tls-min-tls", "772"},
                                {"tls-max-tls", "0"},
                                {"tls-min-dtls", "-1"},
                                {"tls-max-dtls", "-1"}});
    EXPECT_EQ(found, expected);
    EXPECT_EQ(expected.size(), 6u);
    found.clear();
    OSSL_PROVIDER_get_capabilities(library.latkem(), "TLS-SIGALG", collect, &found);
    EXPECT_TRUE(found.empty());
}

TEST(Provider, OffersNoOtherSet)
{
    const Library library;
    std::vector<std::string> names;
    for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++) names.push_back(latkem_kem_name(kem));
    for (size_t i = 0; const latkem_kem *kem = latkem_hybrid_at(i); i++) names.push_back(latkem_kem_name(kem));
    for (const std::string &name : names) {
        bool is_offered = false;
        for (const Offered &set : offered) is_offered |= name == set.name;
        const Operation o(EVP_PKEY_CTX_new_from_name(library.get(), name.c_str(), nullptr));
        EXPECT_EQ(o != nullptr, is_offered) << name;
        ERR_clear_error();
    }
}

int work(const Library &library)
{
    int agreed = 0;
    for (const Offered &set : offered) {
        const Key key = generate(library, set);
        const Encapsulated out = encapsulate(library, key);
        agreed += !out.ss.empty() && decapsulate(library, key, out.ct) == out.ss;
    }
    return agreed;
}

TEST(Provider, IsLoadedAndUnloadedManyTimes)
{
    for (int i = 0; i < 50; i++) {
        const Library library;
        ASSERT_EQ(work(library), int(offered.size())) << i;
    }
}

TEST(Provider, SeveralThreadsLoadIt)
{
    std::vector<std::thread> threads;
    std::vector<int> agreed(4);
    for (int &result : agreed)
        threads.emplace_back([&result] {
            for (int i = 0; i < 5; i++) {
                const Library library;
                result += work(library);
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(agreed, std::vector<int>(agreed.size(), 5 * int(offered.size())));
}

// A key may outlive the handle of its provider, which the context then still has.
TEST(Provider, KeysOutliveAHandle)
{
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
    OSSL_PROVIDER_set_default_search_path(context, PROVIDER_FOLDER);
    OSSL_PROVIDER *base = OSSL_PROVIDER_load(context, "default");
    OSSL_PROVIDER *latkem = OSSL_PROVIDER_load(context, "latkemprovider");
    ASSERT_TRUE(base && latkem);
    Operation o(EVP_PKEY_CTX_new_from_name(context, "X25519MLKEM768", nullptr));
    EVP_PKEY *key = nullptr;
    ASSERT_EQ(EVP_PKEY_keygen_init(o.get()), 1);
    ASSERT_EQ(EVP_PKEY_generate(o.get(), &key), 1);
    o.reset();
    OSSL_PROVIDER_unload(latkem);
    EXPECT_EQ(EVP_PKEY_get_size(key), 1120);
    EVP_PKEY_free(key);
    OSSL_PROVIDER_unload(base);
    OSSL_LIB_CTX_free(context);
}

int child_result(int (*body)(const Library &), const Library &library)
{
    const pid_t child = fork();
    if (child == 0) _exit(body(library));
    int status = -1;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

TEST(Provider, WorksAfterAFork)
{
    const Library library;
    EXPECT_EQ(work(library), int(offered.size()));
    EXPECT_EQ(child_result(work, library), int(offered.size()));
    EXPECT_EQ(work(library), int(offered.size()));
}

// Parent and child do not draw the same key.
TEST(Provider, AForkDrawsOtherKeys)
{
    const Library library;
    const Offered &set = offered.front();
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const Bytes ek = octets(generate(library, set), OSSL_PKEY_PARAM_PUB_KEY);
        _exit(write(ends[1], ek.data(), ek.size()) == ssize_t(ek.size()) ? 0 : 1);
    }
    const Bytes own = octets(generate(library, set), OSSL_PKEY_PARAM_PUB_KEY);
    Bytes others(own.size());
    ASSERT_EQ(read(ends[0], others.data(), others.size()), ssize_t(others.size()));
    waitpid(child, nullptr, 0);
    EXPECT_NE(own, others);
}

// In a process of its own, in which every fetch from the default context fails.
int work_without_default(const Library &library)
{
    if (EVP_set_default_properties(nullptr, "provider=none") != 1) return 100;
    if (EVP_MD_fetch(nullptr, "SHA3-256", nullptr)) return 101;
    return work(library);
}

TEST(Provider, LeavesTheDefaultContextAlone)
{
    const Library library;
    EXPECT_EQ(child_result(work_without_default, library), int(offered.size()));
}

// Every operation puts at most its own errors into the queue.
TEST(Provider, LeavesNoErrorBehind)
{
    const Library library;
    ERR_clear_error();
    EXPECT_EQ(work(library), int(offered.size()));
    EXPECT_EQ(ERR_peek_error(), 0u);
}

} // namespace
