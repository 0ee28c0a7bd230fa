// Chunks and their key, by OpenSSL's libcrypto.
// SPDX-License-Identifier: Apache-2.0
#include "aead.h"

#include <array>
#include <initializer_list>
#include <utility>

#include <openssl/evp.h>

#include "libcrypto.h"
#include "sha256.h"

namespace
{

using CipherAlgorithm = Fetched<EVP_CIPHER, EVP_CIPHER_free>;

const EVP_CIPHER *find_cipher(Cipher cipher)
{
    static const CipherAlgorithm aes(EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr));
    static const CipherAlgorithm chacha(EVP_CIPHER_fetch(nullptr, "ChaCha20-Poly1305", nullptr));
    const EVP_CIPHER *found = (cipher == Cipher::aes_256_gcm ? aes : chacha).get();
    demand(found != nullptr);
    return found;
}

constexpr size_t hash_bytes = 32, hash_block_bytes = 64;

using Parts = std::initializer_list<std::pair<const uint8_t *, size_t>>;

// The hash of a key of at most a block, XORed with a pattern, and a message.
Buffer keyed_hash(const Buffer &key, uint8_t pattern, Parts message)
{
    Buffer block(hash_block_bytes, pattern), digest(hash_bytes);
    for (size_t i = 0; i < key.size(); i++) block[i] ^= key[i];
    Sha256 hash;
    hash.update(block.data(), block.size());
    for (auto [data, size] : message) hash.update(data, size);
    hash.digest(digest.data());
    return digest;
}

// HMAC-SHA-256 (RFC 2104).
Buffer hmac(const Buffer &key, Parts message)
{
    const Buffer inner = keyed_hash(key, 0x36, message);
    return keyed_hash(key, 0x5c, {{inner.data(), inner.size()}});
}

} // namespace

// libcrypto's HKDF and HMAC look their digest up in each call, which takes four times as long as all the hashing.
Buffer derive_keys(const Buffer &secret, const Buffer &info, size_t size)
{
    const Buffer no_salt(hash_bytes), key = hmac(no_salt, {{secret.data(), secret.size()}});
    Buffer keys(size), block;
    uint8_t number = 1;
    for (size_t done = 0; done < size; done += block.size(), number++) {
        block = hmac(key, {{block.data(), block.size()}, {info.data(), info.size()}, {&number, 1}});
        std::copy_n(block.data(), std::min(block.size(), size - done), keys.data() + done);
    }
    return keys;
}

void ChunkAead::Free::operator()(EVP_CIPHER_CTX *context) const
{
    EVP_CIPHER_CTX_free(context);
}

ChunkAead::ChunkAead(Cipher cipher, const Buffer &key, Direction direction, uint64_t first)
    : context_(EVP_CIPHER_CTX_new()), number_(first)
{
    demand(context_ != nullptr);
    demand(EVP_CipherInit_ex2(context_.get(), find_cipher(cipher), key.data(), nullptr, direction == Direction::seal,
                              nullptr) == 1);
}

void ChunkAead::begin_chunk(bool is_last)
{
    std::array<uint8_t, 12> nonce{}; // the number, big-endian, in bytes 3 to 10; whether it is the last in byte 11
    for (size_t i = 0; i < 8; i++) nonce[10 - i] = static_cast<uint8_t>(number_ >> 8 * i);
    nonce[11] = is_last ? 1 : 0;
    number_++;
    demand(EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, nonce.data(), -1, nullptr) == 1);
}

void ChunkAead::update(uint8_t *out, const uint8_t *in, size_t size)
{
    int written = 0;
    demand(EVP_CipherUpdate(context_.get(), out, &written, in, static_cast<int>(size)) == 1 &&
           static_cast<size_t>(written) == size);
}

void ChunkAead::seal(uint8_t *out, const uint8_t *in, size_t size, bool is_last)
{
    begin_chunk(is_last);
    update(out, in, size);
    int written = 0;
    demand(EVP_CipherFinal_ex(context_.get(), out + size, &written) == 1 && written == 0);
    demand(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, out + size) == 1);
}

bool ChunkAead::open(uint8_t *out, const uint8_t *in, size_t size, bool is_last)
{
    const size_t length = size - tag_bytes;
    begin_chunk(is_last);
    demand(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, const_cast<uint8_t *>(in + length)) ==
           1);
    update(out, in, length);
    int written = 0;
    return EVP_CipherFinal_ex(context_.get(), out + length, &written) == 1;
}
