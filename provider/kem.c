/* KEM: encapsulation and decapsulation (provider-kem(7)). SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>

#include "dispatch.h"
#include "key.h"
#include "params.h"

typedef struct {
    const lkv_context *context;
    const lkv_key *key; /* OpenSSL holds it as long as the operation */
    uint8_t *coins;     /* of the next encapsulation, for tests; or NULL */
    size_t coins_len;
} operation;

static void *operation_new(void *context)
{
    operation *o = lkv_new(&((lkv_context *)context)->core, sizeof *o);
    if (o) o->context = context;
    return o;
}

static void drop_coins(operation *o)
{
    OPENSSL_secure_clear_free(o->coins, o->coins_len);
    o->coins = NULL;
    o->coins_len = 0;
}

static void operation_free(void *data)
{
    operation *o = data;
    if (!o) return;
    drop_coins(o);
    OPENSSL_free(o);
}

static int keep_coins(operation *o, lkv_bytes coins)
{
    drop_coins(o);
    o->coins = OPENSSL_secure_malloc(coins.len);
    if (!o->coins) return lkv_refuse(&o->context->core, LKV_NO_MEMORY, NULL);
    memcpy(o->coins, coins.at, coins.len);
    o->coins_len = coins.len;
    return 1;
}

static void *operation_copy(void *data)
{
    const operation *o = data;
    operation *copy = operation_new((void *)o->context);
    if (!copy) return NULL;
    copy->key = o->key;
    if (!o->coins || keep_coins(copy, (lkv_bytes){o->coins, o->coins_len})) return copy;
    operation_free(copy);
    return NULL;
}

static const OSSL_PARAM *settable(void *data, void *context)
{
    static const OSSL_PARAM params[] = {OSSL_PARAM_octet_string(LKV_PARAM_IKME, NULL, 0), OSSL_PARAM_END};
    (void)data;
    (void)context;
    return params;
}

static int set_params(void *data, const OSSL_PARAM params[])
{
    operation *o = data;
    const lkv_core *core = &o->context->core;
    lkv_bytes coins = {NULL, 0};
    if (!lkv_take_bytes(core, params, LKV_PARAM_IKME, &coins)) return 0;
    if (!coins.at) return 1;
    const size_t len = latkem_coins_bytes(o->key->kem);
    if (coins.len != len) return lkv_refuse(core, LKV_BAD_PARAMETER, "ikme has %zu bytes, not %zu", coins.len, len);
    return keep_coins(o, coins);
}

static int start(operation *o, void *key, int has_part, const OSSL_PARAM params[])
{
    if (!has_part) return lkv_refuse(&o->context->core, LKV_NO_KEY, NULL);
    o->key = key;
    drop_coins(o);
    return set_params(o, params);
}

static int encapsulate_init(void *data, void *key, const OSSL_PARAM params[])
{
    return start(data, key, key && ((lkv_key *)key)->has_public, params);
}

static int decapsulate_init(void *data, void *key, const OSSL_PARAM params[])
{
    return start(data, key, key && ((lkv_key *)key)->has_private, params);
}

/* Without a buffer the call asks for a length. A length that is given says how large the buffer is; without, it is taken
 * to be large enough, as TLS of OpenSSL 3.0 does. */
static int has_room(const lkv_core *core, const void *buffer, size_t *len, size_t need)
{
    const int fits = !buffer || !len || *len >= need;
    if (len) *len = need;
    return fits ? 1 : lkv_refuse(core, LKV_SMALL_BUFFER, "%zu bytes are needed", need);
}

static int encapsulate(void *data, unsigned char *ct, size_t *ct_len, unsigned char *ss, size_t *ss_len)
{
    operation *o = data;
    const latkem_kem *kem = o->key->kem;
    const lkv_core *core = &o->context->core;
    const uint8_t *ek = o->key->ek;
    const size_t ek_len = latkem_ek_bytes(kem);
    int error;
    if (!ct || !ss) {
        if (ct_len) *ct_len = latkem_ct_bytes(kem);
        if (ss_len) *ss_len = latkem_ss_bytes(kem);
        return 1;
    }
    if (!has_room(core, ct, ct_len, latkem_ct_bytes(kem)) || !has_room(core, ss, ss_len, latkem_ss_bytes(kem)))
        return 0;
    if (o->coins)
        error = latkem_encaps_derand(kem, ct, ss, ek, ek_len, o->coins, o->coins_len);
    else
        error = latkem_encaps(kem, ct, ss, ek, ek_len);
    drop_coins(o);
    return error ? lkv_refuse_error(core, error) : 1;
}

static int decapsulate(void *data, unsigned char *ss, size_t *ss_len, const unsigned char *ct, size_t ct_len)
{
    const operation *o = data;
    const latkem_kem *kem = o->key->kem;
    const lkv_core *core = &o->context->core;
    if (!has_room(core, ss, ss_len, latkem_ss_bytes(kem))) return 0;
    if (!ss) return 1;
    const int error = latkem_decaps(kem, ss, ct, ct_len, lkv_key_dk(o->key), latkem_dk_bytes(kem));
    return error ? lkv_refuse_error(core, error) : 1;
}

const OSSL_DISPATCH lkv_kem_functions[] = {
    LKV_FUNCTION(OSSL_FUNC_KEM_NEWCTX, operation_new),
    LKV_FUNCTION(OSSL_FUNC_KEM_FREECTX, operation_free),
    LKV_FUNCTION(OSSL_FUNC_KEM_DUPCTX, operation_copy),
    LKV_FUNCTION(OSSL_FUNC_KEM_ENCAPSULATE_INIT, encapsulate_init),
    LKV_FUNCTION(OSSL_FUNC_KEM_ENCAPSULATE, encapsulate),
    LKV_FUNCTION(OSSL_FUNC_KEM_DECAPSULATE_INIT, decapsulate_init),
    LKV_FUNCTION(OSSL_FUNC_KEM_DECAPSULATE, decapsulate),
    LKV_FUNCTION(OSSL_FUNC_KEM_SET_CTX_PARAMS, set_params),
    LKV_FUNCTION(OSSL_FUNC_KEM_SETTABLE_CTX_PARAMS, settable),
    LKV_FUNCTIONS_END,
};
