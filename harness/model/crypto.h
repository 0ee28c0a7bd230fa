// Hash functions and AES for the tests, written apart from the library so that a mistake there is not repeated here.
// Plain and neither fast nor constant-time.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_CRYPTO_H
#define LATKEM_HARNESS_MODEL_CRYPTO_H

#include <array>
#include <string>

#include "hex.h"

// A Keccak sponge (FIPS 202), or with the last 12 of its rounds that of TurboSHAKE (RFC 9861): absorb any number of times, then squeeze any number of times.
class Sponge
{
  public:
    Sponge(size_t rate, uint8_t suffix, int rounds = 24) : rate_(rate), suffix_(suffix), rounds_(rounds)
    {
    }
    void absorb(const uint8_t *data, size_t length);
    void absorb(const Bytes &data)
    {
        absorb(data.data(), data.size());
    }
    void squeeze(uint8_t *out, size_t length);
    Bytes squeeze(size_t length);

  private:
    void xor_byte(size_t position, uint8_t value);
    void permute();

    std::array<uint64_t, 25> lanes_{};
    size_t rate_, position_ = 0;
    uint8_t suffix_;
    int rounds_;
    bool squeezing_ = false;
};

struct Shake128 : Sponge {
    Shake128() : Sponge(168, 0x1f)
    {
    }
};

Bytes sha3_256(const Bytes &message);
Bytes sha3_512(const Bytes &message);
Bytes shake256(const Bytes &message, size_t length);
Bytes sha256(const Bytes &message);
Bytes sha256(const std::string &message);
Bytes sha384(const Bytes &message);
Bytes sha512(const Bytes &message);

// One block of AES-256 (FIPS 197).
class Aes256
{
  public:
    explicit Aes256(const Bytes &key);
    std::array<uint8_t, 16> encrypt(const std::array<uint8_t, 16> &block) const;

  private:
    std::array<std::array<uint8_t, 16>, 15> round_keys_;
};

// The key stream of AES-256-CTR with a 12-byte nonce and a 32-bit big-endian block counter from 0.
Bytes aes256_ctr(const Bytes &key, const Bytes &nonce, size_t length);

// The AES-256-CTR DRBG of the NIST submission packages (SP 800-90A without derivation function).
class Drbg
{
  public:
    explicit Drbg(const Bytes &entropy);
    void fill(uint8_t *out, size_t length);
    Bytes bytes(size_t length);
    static int callback(void *drbg, uint8_t *out, size_t length); // a latkem_rng_fn

  private:
    std::array<uint8_t, 16> next_block();
    void update(const Bytes &data);

    Bytes key_ = Bytes(32, 0);
    std::array<uint8_t, 16> counter_{};
};

#endif
