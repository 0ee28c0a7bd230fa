// Chunks and their key, by OpenSSL's libcrypto.
// SPDX-License-Identifier: Apache-2.0
#include "aead.h"

#include <array>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "libcrypto.h"

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

OSSL_PARAM octets(const char *name, const Buffer &bytes)
{
    return OSSL_PARAM_construct_octet_string(name, const_cast<uint8_t *>(bytes.data()), bytes.size());
}

} // namespace

Buffer derive_keys(const Buffer &secret, const Buffer &info, size_t size)
{
    static const Fetched<EVP_KDF, EVP_KDF_free> hkdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
    demand(hkdf != nullptr);
    const std::unique_ptr<EVP_KDF_CTX, Call<EVP_KDF_CTX_free>> context(EVP_KDF_CTX_new(hkdf.get()));
    demand(context != nullptr);
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
                                     octets(OSSL_KDF_PARAM_KEY, secret), octets(OSSL_KDF_PARAM_INFO, info),
                                     OSSL_PARAM_construct_end()};
    Buffer keys(size);
    demand(EVP_KDF_derive(context.get(), keys.data(), keys.size(), parameters) == 1);
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
