// Private keys under a passphrase.
// SPDX-License-Identifier: Apache-2.0
#include "encrypted.h"

#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs12err.h>
#include <openssl/x509.h>

#include "der.h"
#include "libcrypto.h"

namespace
{

using File = std::unique_ptr<X509_SIG, Call<X509_SIG_free>>;
using Algorithm = std::unique_ptr<X509_ALGOR, Call<X509_ALGOR_free>>;

constexpr int iterations = 600000, salt_bytes = 16;

// The parameters of an algorithm as a structure of libcrypto's; empty if they are another.
template <class T, auto free>
std::unique_ptr<T, Call<free>> parameters(const X509_ALGOR *algorithm, const ASN1_ITEM *item)
{
    return std::unique_ptr<T, Call<free>>(static_cast<T *>(ASN1_TYPE_unpack_sequence(item, algorithm->parameter)));
}

// Whether a number is from 1 to most.
bool is_within(const ASN1_INTEGER *number, uint64_t most, uint64_t &value)
{
    return ASN1_INTEGER_get_uint64(&value, number) == 1 && value >= 1 && value <= most;
}

const std::string too_much = "its passphrase is protected with more work than latkem does for a file";
const std::string unknown = "its private key is encrypted in a way that latkem does not read";

std::string fault_of_scrypt(const SCRYPT_PARAMS &scrypt)
{
    uint64_t n = 0, r = 0, p = 0;
    const bool is_bounded = is_within(scrypt.costParameter, max_scrypt_work, n) &&
                            is_within(scrypt.blockSize, max_scrypt_work / n, r) &&
                            is_within(scrypt.parallelizationParameter, max_scrypt_work / n / r, p);
    return is_bounded ? "" : too_much;
}

std::string fault_of_iterations(const ASN1_INTEGER *number)
{
    uint64_t count = 0;
    return is_within(number, max_iterations, count) ? "" : too_much;
}

// The fault in the way a key is made of the passphrase.
std::string fault_of_derivation(const X509_ALGOR *derivation)
{
    const auto pbkdf2 = parameters<PBKDF2PARAM, PBKDF2PARAM_free>(derivation, ASN1_ITEM_rptr(PBKDF2PARAM));
    const auto scrypt = parameters<SCRYPT_PARAMS, SCRYPT_PARAMS_free>(derivation, ASN1_ITEM_rptr(SCRYPT_PARAMS));
    const int name = OBJ_obj2nid(derivation->algorithm);
    if (name == NID_id_pbkdf2 && pbkdf2) return fault_of_iterations(pbkdf2->iter);
    return name == NID_id_scrypt && scrypt ? fault_of_scrypt(*scrypt) : unknown;
}

// The ways of PKCS#5 and PKCS#12 before PBES2 have their iterations at one place.
std::string fault_of_work(const X509_ALGOR *algorithm)
{
    const auto two = parameters<PBE2PARAM, PBE2PARAM_free>(algorithm, ASN1_ITEM_rptr(PBE2PARAM));
    if (OBJ_obj2nid(algorithm->algorithm) == NID_pbes2) return two ? fault_of_derivation(two->keyfunc) : unknown;
    const auto one = parameters<PBEPARAM, PBEPARAM_free>(algorithm, ASN1_ITEM_rptr(PBEPARAM));
    return one ? fault_of_iterations(one->iter) : unknown;
}

// Encrypts or decrypts. The output of libcrypto is wiped; nothing if it fails.
Buffer crypt(const X509_ALGOR *algorithm, const Buffer &passphrase, const uint8_t *data, int size, bool encrypts)
{
    uint8_t *out = nullptr;
    int out_size = 0;
    PKCS12_pbe_crypt(algorithm, reinterpret_cast<const char *>(passphrase.data()), static_cast<int>(passphrase.size()),
                     data, size, &out, &out_size, encrypts ? 1 : 0);
    if (out == nullptr) return Buffer();
    Buffer result(out, static_cast<size_t>(out_size));
    OPENSSL_clear_free(out, static_cast<size_t>(out_size));
    return result;
}

bool is_one_sequence(const Buffer &bytes)
{
    std::string_view rest = text_of(bytes);
    DerElement all{};
    return take_der(rest, all) && all.tag == der_sequence && rest.empty();
}

} // namespace

bool is_encrypted_key(const Buffer &der)
{
    std::string_view rest = text_of(der);
    DerElement all{}, algorithm{}, key{};
    return take_der(rest, all) && all.tag == der_sequence && take_der(all.content, algorithm) &&
           algorithm.tag == der_sequence && take_der(all.content, key) && key.tag == der_octet_string &&
           all.content.empty();
}

Buffer encrypt_key(const Buffer &pkcs8, const Buffer &passphrase)
{
    const Algorithm algorithm(
        PKCS5_pbe2_set_iv(EVP_aes_256_cbc(), iterations, nullptr, salt_bytes, nullptr, NID_hmacWithSHA256));
    demand(algorithm != nullptr);
    const Buffer encrypted = crypt(algorithm.get(), passphrase, pkcs8.data(), static_cast<int>(pkcs8.size()), true);
    demand(!encrypted.empty());
    const File file(X509_SIG_new());
    demand(file != nullptr);
    X509_ALGOR *its_algorithm = nullptr;
    ASN1_OCTET_STRING *its_content = nullptr;
    X509_SIG_getm(file.get(), &its_algorithm, &its_content);
    demand(X509_ALGOR_copy(its_algorithm, algorithm.get()) == 1 &&
           ASN1_OCTET_STRING_set(its_content, encrypted.data(), static_cast<int>(encrypted.size())) == 1);
    const int size = i2d_X509_SIG(file.get(), nullptr);
    demand(size > 0);
    Buffer der(static_cast<size_t>(size));
    uint8_t *end = der.data();
    demand(i2d_X509_SIG(file.get(), &end) == size);
    return der;
}

std::string decrypt_key(const Buffer &der, const Buffer &passphrase, Buffer &pkcs8)
{
    pkcs8 = Buffer();
    const uint8_t *end = der.data();
    const File file(d2i_X509_SIG(nullptr, &end, static_cast<long>(der.size())));
    ERR_clear_error();
    if (!file || end != der.end()) return unknown;
    const X509_ALGOR *algorithm = nullptr;
    const ASN1_OCTET_STRING *content = nullptr;
    X509_SIG_get0(file.get(), &algorithm, &content);
    std::string fault = fault_of_work(algorithm);
    ERR_clear_error();
    if (!fault.empty()) return fault;
    Buffer plain = crypt(algorithm, passphrase, ASN1_STRING_get0_data(content), ASN1_STRING_length(content), false);
    const unsigned long error = ERR_peek_last_error();
    ERR_clear_error();
    if (error != 0 && ERR_GET_REASON(error) != PKCS12_R_PKCS12_CIPHERFINAL_ERROR) return unknown;
    // A wrong passphrase passes the padding once in 256 times.
    if (!is_one_sequence(plain))
        return "its private key does not open: the passphrase is wrong, or the file is damaged";
    pkcs8 = std::move(plain);
    return "";
}
