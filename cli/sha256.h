// SHA-256 (FIPS 180-4), by OpenSSL's libcrypto, which wipes its state.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_SHA256_H
#define LATKEM_CLI_SHA256_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/types.h>

using Sha256Digest = std::array<uint8_t, 32>;

// All functions throw Failure when libcrypto fails.
class Sha256
{
  public:
    Sha256();
    void update(const uint8_t *data, size_t size);
    void update(std::string_view data);
    void digest(uint8_t *out); // writes 32 bytes and ends the hash, as hex_digest does; call one of the two once
    std::string hex_digest();  // in lower case

  private:
    struct Free {
        void operator()(EVP_MD_CTX *context) const;
    };
    std::unique_ptr<EVP_MD_CTX, Free> context_;
};

Sha256Digest sha256(const uint8_t *data, size_t size);

#endif
