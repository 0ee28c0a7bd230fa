// The AES-256-CTR DRBG of the NIST known-answer tests (SP 800-90A without derivation function).
// Its whole output is public test data, so its AES may and does use table look-ups; never use it for keys.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_DRBG_H
#define LATKEM_CLI_DRBG_H

#include <array>
#include <cstddef>
#include <cstdint>

class KatDrbg
{
  public:
    using Seed = std::array<uint8_t, 48>;
    explicit KatDrbg(const Seed &entropy);

    // Each call updates the state at its end: one call for 64 bytes differs from two for 32.
    void fill(uint8_t *out, size_t size);

    // The same as a latkem_rng_fn; drbg points to a KatDrbg.
    static int fill_callback(void *drbg, uint8_t *out, size_t size);

  private:
    using Block = std::array<uint8_t, 16>;
    Block next_block();
    void update(const Seed &data);

    std::array<uint8_t, 32> key_{};
    Block counter_{};
};

// aes256_encrypt encrypts one block (FIPS 197) in variable time.
std::array<uint8_t, 16> aes256_encrypt(const std::array<uint8_t, 32> &key, const std::array<uint8_t, 16> &block);

#endif
