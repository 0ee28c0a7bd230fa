// SHA-256, by OpenSSL's libcrypto.
// SPDX-License-Identifier: Apache-2.0
#include "sha256.h"

#include <openssl/evp.h>

#include "console.h"
#include "libcrypto.h"

static const EVP_MD *algorithm()
{
    static const Fetched<EVP_MD, EVP_MD_free> sha256(EVP_MD_fetch(nullptr, "SHA256", nullptr));
    demand(sha256 != nullptr);
    return sha256.get();
}

void Sha256::Free::operator()(EVP_MD_CTX *context) const
{
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new())
{
    demand(context_ != nullptr && EVP_DigestInit_ex2(context_.get(), algorithm(), nullptr) == 1);
}

void Sha256::update(const uint8_t *data, size_t size)
{
    demand(EVP_DigestUpdate(context_.get(), data, size) == 1);
}

void Sha256::update(std::string_view data)
{
    update(reinterpret_cast<const uint8_t *>(data.data()), data.size());
}

void Sha256::digest(uint8_t *out)
{
    demand(EVP_DigestFinal_ex(context_.get(), out, nullptr) == 1);
}

std::string Sha256::hex_digest()
{
    Sha256Digest bytes;
    digest(bytes.data());
    std::string text;
    for (uint8_t byte : bytes) text += format("%02x", byte);
    return text;
}

Sha256Digest sha256(const uint8_t *data, size_t size)
{
    Sha256Digest digest;
    demand(EVP_Digest(data, size, digest.data(), nullptr, algorithm(), nullptr) == 1);
    return digest;
}
