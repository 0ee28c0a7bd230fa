// OpenSSL's objects with owners, and a library context with latkem's provider. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROVIDER_OPENSSL_H
#define LATKEM_TESTS_PROVIDER_OPENSSL_H

#include <gtest/gtest.h>
#include <latkem/latkem.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/model/hex.h"

template <auto release> struct Releaser {
    template <typename Object> void operator()(Object *object) const
    {
        release(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using Operation = std::unique_ptr<EVP_PKEY_CTX, Releaser<EVP_PKEY_CTX_free>>;
using Memory = std::unique_ptr<BIO, Releaser<BIO_free_all>>;

// A library context of its own, with OpenSSL's default provider and latkem's.
class Library
{
  public:
    Library();
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    OSSL_LIB_CTX *get() const
    {
        return context_;
    }
    OSSL_PROVIDER *latkem() const
    {
        return latkem_;
    }

  private:
    OSSL_LIB_CTX *context_;
    OSSL_PROVIDER *default_, *latkem_;
};

// A set that the provider offers.
struct Offered {
    const char *name;
    int strength, security_bits;
    const char *group; // of TLS; or NULL
    const char *oid;   // of its files; or NULL
    bool is_hybrid;
};
extern const std::vector<Offered> offered;
const latkem_kem *kem_of(const Offered &set);
void PrintTo(const Offered &set, std::ostream *os);

// The same bytes for the same label.
Bytes random_bytes(const std::string &label, size_t length);

// Keys of latkem's provider; all are NULL if OpenSSL fails. generate takes a seed, or an empty one for randomness.
Key generate(const Library &library, const Offered &set, const Bytes &seed = {});
Key empty_key(const Library &library, const Offered &set);
Key from_data(const Library &library, const Offered &set, int selection, const Bytes &seed, const Bytes &priv,
              const Bytes &pub);

// A parameter, or nothing if the key does not answer.
Bytes octets(const Key &key, const char *parameter);
int number(const Key &key, const char *parameter);

// With coins, or without for randomness. Both parts are empty if OpenSSL fails.
struct Encapsulated {
    Bytes ct, ss;
};
Encapsulated encapsulate(const Library &library, const Key &key, const Bytes &coins = {});
Bytes decapsulate(const Library &library, const Key &key, const Bytes &ct);

// The reason of the newest error in the queue, if the provider has put it there; then the queue is empty.
std::string refusal();

// One for all tests that need no other: OpenSSL numbers a provider's errors anew with each loading, and has 127 numbers.
const Library &shared_library();

// A test for each offered set.
class EverySet : public testing::TestWithParam<Offered>
{
  protected:
    const Offered &set() const
    {
        return GetParam();
    }
    const latkem_kem *kem() const
    {
        return kem_of(GetParam());
    }
    const Library &library = shared_library();
};
std::string set_name(const testing::TestParamInfo<Offered> &info);

#define FOR_EVERY_SET(suite) INSTANTIATE_TEST_SUITE_P(Every, suite, testing::ValuesIn(offered), set_name)

#endif
