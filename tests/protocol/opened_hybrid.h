// Hybrids that are opened in a library context of libcrypto, and contexts with a provider.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROTOCOL_OPENED_HYBRID_H
#define LATKEM_TESTS_PROTOCOL_OPENED_HYBRID_H

#include <latkem/hybrid.h>
#include <openssl/provider.h>

#include "kem_test.h"

// A context of libcrypto; "null" is a provider without an algorithm.
class LibraryContext
{
  public:
    explicit LibraryContext(const char *provider = nullptr) : context_(OSSL_LIB_CTX_new())
    {
        if (provider) load(provider);
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

// A hybrid in a context, NULL for the default one.
class OpenedHybrid
{
  public:
    OpenedHybrid(const latkem_kem *hybrid, OSSL_LIB_CTX *context) : storage_(latkem_hybrid_bytes())
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
