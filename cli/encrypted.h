// Private keys under a passphrase: EncryptedPrivateKeyInfo (RFC 5958), in memory and by libcrypto.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_ENCRYPTED_H
#define LATKEM_CLI_ENCRYPTED_H

#include <string>

#include "buffer.h"

// is_encrypted_key says whether DER has the shape of an EncryptedPrivateKeyInfo.
bool is_encrypted_key(const Buffer &der);

// encrypt_key encrypts PKCS#8 in DER: PBES2 (RFC 8018) with PBKDF2-HMAC-SHA-256, 600000 iterations, a salt of 16 random
// bytes, and AES-256-CBC.
Buffer encrypt_key(const Buffer &pkcs8, const Buffer &passphrase);

// decrypt_key decrypts what libcrypto can into pkcs8 and returns "", or says why not and leaves pkcs8 empty. A file that
// asks for more work than max_iterations of PBKDF2 or max_scrypt_work blocks of scrypt is refused before it is done.
std::string decrypt_key(const Buffer &der, const Buffer &passphrase, Buffer &pkcs8);

constexpr uint64_t max_iterations = 10000000;
constexpr uint64_t max_scrypt_work = uint64_t{1} << 22; // N * r * p; scrypt's usual 2^14 * 8 * 1 is 2^17

#endif
