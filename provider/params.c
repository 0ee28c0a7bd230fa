/* Parameters that OpenSSL passes. SPDX-License-Identifier: Apache-2.0 */
#include "params.h"

#include <latkem/derand.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

int lkv_take_bytes(const lkv_core *core, const OSSL_PARAM params[], const char *name, lkv_bytes *bytes)
{
    const OSSL_PARAM *param = params ? OSSL_PARAM_locate_const(params, name) : NULL;
    if (!param) return 1;
    if (param->data_type != OSSL_PARAM_OCTET_STRING || !param->data)
        return lkv_refuse(core, LKV_BAD_PARAMETER, "%s", name);
    *bytes = (lkv_bytes){param->data, param->data_size};
    return 1;
}

int lkv_put_number(const lkv_core *core, OSSL_PARAM params[], const char *name, int number)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
    if (!param || OSSL_PARAM_set_int(param, number)) return 1;
    return lkv_refuse(core, LKV_BAD_PARAMETER, "%s", name);
}

int lkv_put_bytes(const lkv_core *core, OSSL_PARAM params[], const char *name, lkv_bytes bytes)
{
    OSSL_PARAM *param = bytes.at ? OSSL_PARAM_locate(params, name) : NULL;
    if (!param || OSSL_PARAM_set_octet_string(param, bytes.at, bytes.len)) return 1;
    return lkv_refuse(core, LKV_BAD_PARAMETER, "%s", name);
}

/* The parameters lie in the key itself. */
int lkv_key_export(const lkv_key *key, int selection, OSSL_CALLBACK *callback, void *argument)
{
    OSSL_PARAM params[4];
    size_t n = 0;
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR) || !lkv_key_has(key, selection))
        return lkv_refuse(&key->context->core, LKV_NO_KEY, NULL);
    if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) {
        if (key->has_seed)
            params[n++] = OSSL_PARAM_construct_octet_string(LKV_PARAM_SEED, lkv_key_seed(key), lkv_key_seed_bytes(key));
        params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, lkv_key_dk(key),
                                                        latkem_dk_bytes(key->kem));
    }
    params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)key->ek,
                                                    latkem_ek_bytes(key->kem));
    params[n] = OSSL_PARAM_construct_end();
    return callback(params, argument);
}

int lkv_does_private(void *context, int selection)
{
    (void)context;
    return selection == 0 || selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
}

int lkv_does_public(void *context, int selection)
{
    (void)context;
    if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) return 0;
    return selection == 0 || selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
}
