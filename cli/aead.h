// The authenticated encryption of a stream in chunks, and the derivation of its keys; OpenSSL's libcrypto does the work.
//
// The chunks follow STREAM (Hoang, Reyhanitabar, Rogaway, Vizár 2015): the nonce of a chunk is its number and whether it
// is the last, so that no chunk verifies at another place, and no last chunk can be missing or be followed by more.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_AEAD_H
#define LATKEM_CLI_AEAD_H

#include <cstddef>
#include <cstdint>
#include <memory>

#include <openssl/types.h>

#include "buffer.h"

// The values are those of the sealed file's header.
enum class Cipher : uint8_t { aes_256_gcm = 1, chacha20_poly1305 = 2 };

constexpr size_t key_bytes = 32, tag_bytes = 16;

// derive_keys returns size bytes, at most 8160, of HKDF-SHA-256 (RFC 5869) without salt.
Buffer derive_keys(const Buffer &secret, const Buffer &info, size_t size);

// The chunks of one stream in order, counted from first. The key has key_bytes and must be this stream's alone. All
// functions throw Failure when libcrypto fails.
class ChunkAead
{
  public:
    enum class Direction { open, seal };
    ChunkAead(Cipher cipher, const Buffer &key, Direction direction, uint64_t first = 0);

    // seal writes size + tag_bytes bytes, the tag at the end. in and out may not overlap.
    void seal(uint8_t *out, const uint8_t *in, size_t size, bool is_last);

    // open takes a chunk of size bytes, tag and all, at least tag_bytes, and writes size - tag_bytes bytes. They mean
    // nothing if the result is false: the chunk is not what was sealed at this place with this key.
    [[nodiscard]] bool open(uint8_t *out, const uint8_t *in, size_t size, bool is_last);

  private:
    void begin_chunk(bool is_last);
    void update(uint8_t *out, const uint8_t *in, size_t size);

    struct Free {
        void operator()(EVP_CIPHER_CTX *context) const;
    };
    std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
    uint64_t number_;
};

#endif
