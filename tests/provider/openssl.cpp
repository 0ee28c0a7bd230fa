// SPDX-License-Identifier: Apache-2.0
#include "openssl.h"

#include <latkem/derand.h>
#include <latkem/hybrid.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <algorithm>
#include <ostream>

#include "harness/model/crypto.h"

const std::vector<Offered> offered = {
    {"X25519MLKEM768", 768, 192, "X25519MLKEM768", nullptr, true},
    {"SecP256r1MLKEM768", 768, 192, "SecP256r1MLKEM768", nullptr, true},
    {"SecP384r1MLKEM1024", 1024, 256, "SecP384r1MLKEM1024", nullptr, true},
    {"ML-KEM-512", 512, 128, "MLKEM512", "2.16.840.1.101.3.4.4.1", false},
    {"ML-KEM-768", 768, 192, "MLKEM768", "2.16.840.1.101.3.4.4.2", false},
    {"ML-KEM-1024", 1024, 256, "MLKEM1024", "2.16.840.1.101.3.4.4.3", false},
    {"X-Wing", 768, 192, nullptr, "1.3.6.1.4.1.62253.25722", true},
};

const latkem_kem *kem_of(const Offered &set)
{
    return set.is_hybrid ? latkem_hybrid_find(set.name) : latkem_kem_find(set.name);
}

void PrintTo(const Offered &set, std::ostream *os)
{
    *os << set.name;
}

std::string set_name(const testing::TestParamInfo<Offered> &info)
{
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

Library::Library() : context_(OSSL_LIB_CTX_new())
{
    OSSL_PROVIDER_set_default_search_path(context_, PROVIDER_FOLDER);
    default_ = OSSL_PROVIDER_load(context_, "default");
    latkem_ = OSSL_PROVIDER_load(context_, "latkemprovider");
    // OpenSSL 3.5 and newer have ML-KEM too.
    if (!default_ || !latkem_ || EVP_set_default_properties(context_, "?provider=latkem") != 1) {
        ERR_print_errors_fp(stderr);
        abort();
    }
}

Library::~Library()
{
    OSSL_PROVIDER_unload(latkem_);
    OSSL_PROVIDER_unload(default_);
    OSSL_LIB_CTX_free(context_);
}

const Library &shared_library()
{
    static const Library library;
    return library;
}

Bytes random_bytes(const std::string &label, size_t length)
{
    Shake128 shake;
    shake.absorb(Bytes(label.begin(), label.end()));
    return shake.squeeze(length);
}

namespace
{

Operation operation(const Library &library, const Offered &set)
{
    return Operation(EVP_PKEY_CTX_new_from_name(library.get(), set.name, "provider=latkem"));
}

Operation operation(const Library &library, const Key &key)
{
    return Operation(EVP_PKEY_CTX_new_from_pkey(library.get(), key.get(), "provider=latkem"));
}

void add(std::vector<OSSL_PARAM> &params, const char *name, const Bytes &bytes)
{
    if (bytes.empty()) return;
    params.push_back(OSSL_PARAM_construct_octet_string(name, const_cast<uint8_t *>(bytes.data()), bytes.size()));
}

} // namespace

Key generate(const Library &library, const Offered &set, const Bytes &seed)
{
    const Operation o = operation(library, set);
    std::vector<OSSL_PARAM> params;
    EVP_PKEY *key = nullptr;
    add(params, "seed", seed);
    params.push_back(OSSL_PARAM_construct_end());
    if (o && EVP_PKEY_keygen_init(o.get()) == 1 && EVP_PKEY_CTX_set_params(o.get(), params.data()) == 1)
        EVP_PKEY_generate(o.get(), &key);
    return Key(key);
}

Key empty_key(const Library &library, const Offered &set)
{
    const Operation o = operation(library, set);
    EVP_PKEY *key = nullptr;
    if (o && EVP_PKEY_paramgen_init(o.get()) == 1) EVP_PKEY_paramgen(o.get(), &key);
    return Key(key);
}

Key from_data(const Library &library, const Offered &set, int selection, const Bytes &seed, const Bytes &priv,
              const Bytes &pub)
{
    const Operation o = operation(library, set);
    std::vector<OSSL_PARAM> params;
    EVP_PKEY *key = nullptr;
    add(params, "seed", seed);
    add(params, OSSL_PKEY_PARAM_PRIV_KEY, priv);
    add(params, OSSL_PKEY_PARAM_PUB_KEY, pub);
    params.push_back(OSSL_PARAM_construct_end());
    if (o && EVP_PKEY_fromdata_init(o.get()) == 1) EVP_PKEY_fromdata(o.get(), &key, selection, params.data());
    return Key(key);
}

Bytes octets(const Key &key, const char *parameter)
{
    size_t length = 0;
    if (EVP_PKEY_get_octet_string_param(key.get(), parameter, nullptr, 0, &length) != 1) return {};
    Bytes bytes(length);
    if (EVP_PKEY_get_octet_string_param(key.get(), parameter, bytes.data(), bytes.size(), &length) != 1) return {};
    return bytes;
}

int number(const Key &key, const char *parameter)
{
    int value = -1;
    return EVP_PKEY_get_int_param(key.get(), parameter, &value) == 1 ? value : -1;
}

Encapsulated encapsulate(const Library &library, const Key &key, const Bytes &coins)
{
    const Operation o = operation(library, key);
    std::vector<OSSL_PARAM> params;
    size_t ct_length = 0, ss_length = 0;
    add(params, "ikme", coins);
    params.push_back(OSSL_PARAM_construct_end());
    if (!o || EVP_PKEY_encapsulate_init(o.get(), params.data()) != 1 ||
        EVP_PKEY_encapsulate(o.get(), nullptr, &ct_length, nullptr, &ss_length) != 1)
        return {};
    Encapsulated out = {Bytes(ct_length), Bytes(ss_length)};
    if (EVP_PKEY_encapsulate(o.get(), out.ct.data(), &ct_length, out.ss.data(), &ss_length) != 1) return {};
    return out;
}

Bytes decapsulate(const Library &library, const Key &key, const Bytes &ct)
{
    const Operation o = operation(library, key);
    size_t length = 0;
    if (!o || EVP_PKEY_decapsulate_init(o.get(), nullptr) != 1 ||
        EVP_PKEY_decapsulate(o.get(), nullptr, &length, ct.data(), ct.size()) != 1)
        return {};
    Bytes ss(length);
    if (EVP_PKEY_decapsulate(o.get(), ss.data(), &length, ct.data(), ct.size()) != 1) return {};
    return ss;
}

std::string refusal()
{
    const char *file = nullptr, *function = nullptr, *data = nullptr;
    int line = 0, flags = 0;
    const unsigned long error = ERR_peek_last_error_all(&file, &line, &function, &data, &flags);
    const bool is_ours = file && std::string(file).find("provider/") != std::string::npos;
    const char *reason = is_ours ? ERR_reason_error_string(error) : nullptr;
    ERR_clear_error();
    return reason ? reason : "";
}
