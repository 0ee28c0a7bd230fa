// Hybrids that are opened in a library context of libcrypto, and contexts with a provider, which AWS-LC does not have.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROTOCOL_OPENED_HYBRID_H
#define LATKEM_TESTS_PROTOCOL_OPENED_HYBRID_H

#include <latkem/hybrid.h>
#include <openssl/crypto.h>
#ifndef OPENSSL_IS_AWSLC
#include <openssl/core_dispatch.h>
#include <openssl/provider.h>
#endif

#include "kem_test.h"

#ifdef OPENSSL_IS_AWSLC
// The only context that AWS-LC has.
struct LibraryContext {
    explicit LibraryContext(const char * /*provider*/)
    {
    }
    ossl_lib_ctx_st *get() const
    {
        return nullptr;
    }
};
#else
// A provider, "counting", without an algorithm. It counts how often it is asked for some.
struct CountingProvider {
    inline static int asked = 0;

    // Before it can be loaded.
    static int add(OSSL_LIB_CTX *context)
    {
        return OSSL_PROVIDER_add_builtin(context, "counting", begin);
    }

  private:
    static const OSSL_ALGORITHM *query(void *, int, int *no_cache)
    {
        asked++;
        *no_cache = 1;
        return nullptr;
    }
    static int begin(const OSSL_CORE_HANDLE *, const OSSL_DISPATCH *, const OSSL_DISPATCH **functions, void **)
    {
        static const OSSL_DISPATCH all[] = {{OSSL_FUNC_PROVIDER_QUERY_OPERATION, reinterpret_cast<void (*)()>(query)},
                                            {0, nullptr}};
        *functions = all;
        return 1;
    }
};

// A context of libcrypto with a provider: "default", "counting", or "null", which has no algorithm.
class LibraryContext
{
  public:
    explicit LibraryContext(const char *provider) : context_(OSSL_LIB_CTX_new())
    {
        EXPECT_EQ(CountingProvider::add(context_), 1);
        load(provider);
    }
    ~LibraryContext()
    {
        OSSL_PROVIDER_unload(provider_);
        OSSL_LIB_CTX_free(context_);
    }
    LibraryContext(const LibraryContext &) = delete;
    LibraryContext &operator=(const LibraryContext &) = delete;

    void load(const char *provider)
    {
        OSSL_PROVIDER_unload(provider_);
        provider_ = OSSL_PROVIDER_load(context_, provider);
        EXPECT_NE(provider_, nullptr) << provider;
    }
    OSSL_LIB_CTX *get() const
    {
        return context_;
    }

  private:
    OSSL_LIB_CTX *context_;
    OSSL_PROVIDER *provider_ = nullptr;
};

#endif

// A hybrid in a context, NULL for the default one.
class OpenedHybrid
{
  public:
    OpenedHybrid(const latkem_kem *hybrid, ossl_lib_ctx_st *context) : storage_(latkem_hybrid_bytes())
    {
        EXPECT_EQ(latkem_hybrid_open(&kem, storage_.data(), hybrid, context), LATKEM_OK);
    }
    ~OpenedHybrid()
    {
        latkem_hybrid_close(storage_.data());
    }
    OpenedHybrid(const OpenedHybrid &) = delete;
    OpenedHybrid &operator=(const OpenedHybrid &) = delete;

    const latkem_kem *kem = nullptr;

  private:
    Prepared storage_;
};

#endif
