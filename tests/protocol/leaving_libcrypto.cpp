// Functions of libcrypto that leave what they were given on the stack. SPDX-License-Identifier: Apache-2.0
#include "leaving_libcrypto.h"

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>

namespace
{

// So far below the caller that the frames of the calls that follow do not cover it, one secret behind the other.
__attribute__((noinline)) void leave(const void *secret, size_t len)
{
    static size_t next = 0;
    volatile uint8_t below[4096];
    const auto *bytes = static_cast<const uint8_t *>(secret);
    for (size_t i = 0; LeavingLibcrypto::leaves && i < len; i++) below[next++ % 2048] = bytes[i];
    static_cast<void>(below[0]);
}

} // namespace

extern "C" {

int __real_EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t len);
int __wrap_EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t len);
int __wrap_EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t len)
{
    const int ok = __real_EVP_DigestUpdate(context, data, len);
    leave(data, len);
    return ok;
}

int __real_EVP_CipherInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const uint8_t *key,
                             const uint8_t *nonce, int encrypt);
int __wrap_EVP_CipherInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const uint8_t *key,
                             const uint8_t *nonce, int encrypt);
int __wrap_EVP_CipherInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const uint8_t *key,
                             const uint8_t *nonce, int encrypt)
{
    const int ok = __real_EVP_CipherInit_ex(context, cipher, engine, key, nonce, encrypt);
    leave(key, key ? 16 : 0); // the shortest key
    return ok;
}

} // extern "C"
