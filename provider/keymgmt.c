/* KEYMGMT: keys as OpenSSL manages them (provider-keymgmt(7)). SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>

#include "dispatch.h"
#include "key.h"
#include "params.h"

/* ---- What a key is and has ---- */

static int has(const void *data, int selection)
{
    return data && lkv_key_has(data, selection);
}

/* A set has no further parameters: two keys of one set have the same. */
static int match(const void *a, const void *b, int selection)
{
    const lkv_key *one = a, *other = b;
    return selection & OSSL_KEYMGMT_SELECT_KEYPAIR ? lkv_key_equal(one, other) : one->set == other->set;
}

/* The parts were checked when the key got them. That they are a pair is tried again. */
static int validate(const void *data, int selection, int type)
{
    const lkv_key *key = data;
    (void)type;
    if (!lkv_key_has(key, selection)) return lkv_refuse(&key->context->core, LKV_NO_KEY, NULL);
    return selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY ? lkv_key_test(key) : 1;
}

static void *duplicate(const void *data, int selection)
{
    const lkv_key *key = data;
    if (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) return lkv_key_copy(key, selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
    return lkv_key_new(key->context, (size_t)(key->set - lkv_sets));
}

static void release(void *data)
{
    lkv_key_free(data);
}

/* A decoder's key changes hands. */
static void *load(const void *reference, size_t len)
{
    lkv_key *key;
    if (len != sizeof(void *)) return NULL;
    key = *(lkv_key **)reference;
    *(lkv_key **)reference = NULL;
    return key;
}

/* ---- Parameters ---- */

static const OSSL_PARAM *gettable(void *context)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_octet_string(LKV_PARAM_SEED, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context;
    return params;
}

static int get_params(void *data, OSSL_PARAM params[])
{
    const lkv_key *key = data;
    const lkv_bytes none = {NULL, 0}, ek = {key->ek, latkem_ek_bytes(key->kem)};
    const lkv_bytes dk = {key->secret ? lkv_key_dk(key) : NULL, latkem_dk_bytes(key->kem)};
    const lkv_bytes seed = {key->secret ? lkv_key_seed(key) : NULL, lkv_key_seed_bytes(key)};
    const lkv_core *core = &key->context->core;
    return lkv_put_number(core, params, OSSL_PKEY_PARAM_BITS, key->set->strength) &&
           lkv_put_number(core, params, OSSL_PKEY_PARAM_SECURITY_BITS, key->set->security_bits) &&
           lkv_put_number(core, params, OSSL_PKEY_PARAM_MAX_SIZE, (int)latkem_ct_bytes(key->kem)) &&
           lkv_put_bytes(core, params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, key->has_public ? ek : none) &&
           lkv_put_bytes(core, params, OSSL_PKEY_PARAM_PUB_KEY, key->has_public ? ek : none) &&
           lkv_put_bytes(core, params, OSSL_PKEY_PARAM_PRIV_KEY, key->has_private ? dk : none) &&
           lkv_put_bytes(core, params, LKV_PARAM_SEED, key->has_seed ? seed : none);
}

static const OSSL_PARAM *settable(void *context)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context;
    return params;
}

/* The peer's share of TLS, for an empty key. */
static int set_params(void *data, const OSSL_PARAM params[])
{
    lkv_key *key = data;
    lkv_parts parts = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    if (!lkv_take_bytes(&key->context->core, params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, &parts.ek)) return 0;
    if (!parts.ek.at) return 1;
    return key->has_public ? lkv_refuse(&key->context->core, LKV_SECOND_KEY, NULL) : lkv_key_set(key, &parts);
}

/* ---- Generation ---- */

typedef struct {
    const lkv_context *context;
    size_t set;
    int selection;
    uint8_t *seed; /* or NULL */
    size_t seed_len;
} generation;

static void drop_seed(generation *g)
{
    OPENSSL_secure_clear_free(g->seed, g->seed_len);
    g->seed = NULL;
    g->seed_len = 0;
}

/* The group's name, which TLS gives, says no more than the set. */
static const OSSL_PARAM *generation_settable(void *data, void *context)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(LKV_PARAM_SEED, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)data;
    (void)context;
    return params;
}

static int generation_set_params(void *data, const OSSL_PARAM params[])
{
    generation *g = data;
    const lkv_core *core = &g->context->core;
    const size_t len = latkem_seed_bytes(g->context->kems[g->set]);
    lkv_bytes seed = {NULL, 0};
    if (!lkv_take_bytes(core, params, LKV_PARAM_SEED, &seed)) return 0;
    if (!seed.at) return 1;
    if (seed.len != len) return lkv_refuse(core, LKV_BAD_PARAMETER, "the seed has %zu bytes, not %zu", seed.len, len);
    drop_seed(g);
    g->seed = OPENSSL_secure_malloc(len);
    if (!g->seed) return lkv_refuse(core, LKV_NO_MEMORY, NULL);
    memcpy(g->seed, seed.at, len);
    g->seed_len = len;
    return 1;
}

static void generation_free(void *data)
{
    generation *g = data;
    if (!g) return;
    drop_seed(g);
    OPENSSL_free(g);
}

static void *generation_new(void *data, size_t set, int selection, const OSSL_PARAM params[])
{
    const lkv_context *context = data;
    generation *g = lkv_new(&context->core, sizeof *g);
    if (!g) return NULL;
    g->context = context;
    g->set = set;
    g->selection = selection;
    if (generation_set_params(g, params)) return g;
    generation_free(g);
    return NULL;
}

/* A server of OpenSSL 3.0 asks for a set's parameters alone, and gives the key a client's share afterwards. */
static void *generate(void *data, OSSL_CALLBACK *progress, void *argument)
{
    const generation *g = data;
    const lkv_bytes seed = {g->seed, g->seed_len};
    (void)progress;
    (void)argument;
    lkv_key *key = lkv_key_new(g->context, g->set);
    if (!key || !(g->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) || lkv_key_generate(key, seed)) return key;
    lkv_key_free(key);
    return NULL;
}

/* ---- To and from other providers ---- */

static const OSSL_PARAM *types(int selection)
{
    static const OSSL_PARAM public_part[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    static const OSSL_PARAM both_parts[] = {
        OSSL_PARAM_octet_string(LKV_PARAM_SEED, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return NULL;
    return selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY ? both_parts : public_part;
}

static int import(void *data, int selection, const OSSL_PARAM params[])
{
    lkv_key *key = data;
    const lkv_core *core = &key->context->core;
    lkv_parts parts = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) return lkv_refuse(core, LKV_NO_KEY, NULL);
    if (key->has_public) return lkv_refuse(core, LKV_SECOND_KEY, NULL);
    if (!lkv_take_bytes(core, params, OSSL_PKEY_PARAM_PUB_KEY, &parts.ek)) return 0;
    if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
        if (!lkv_take_bytes(core, params, OSSL_PKEY_PARAM_PRIV_KEY, &parts.dk) ||
            !lkv_take_bytes(core, params, LKV_PARAM_SEED, &parts.seed))
            return 0;
    return lkv_key_set(key, &parts);
}

static int export(void *data, int selection, OSSL_CALLBACK *callback, void *argument)
{
    return lkv_key_export(data, selection, callback, argument);
}

/* ---- The tables: functions of a set differ where a key is made ---- */

/* clang-format off */
#define FUNCTIONS(set) \
    static void *new_##set(void *context) \
    { \
        return lkv_key_new(context, set); \
    } \
    static void *generation_new_##set(void *context, int selection, const OSSL_PARAM params[]) \
    { \
        return generation_new(context, set, selection, params); \
    } \
    static const OSSL_DISPATCH functions_##set[] = { \
        LKV_FUNCTION(OSSL_FUNC_KEYMGMT_NEW, new_##set), \
        LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_INIT, generation_new_##set), \
        COMMON \
    };

#define COMMON \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_FREE, release), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_LOAD, load), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_DUP, duplicate), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_HAS, has), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_MATCH, match), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_VALIDATE, validate), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GEN, generate), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, generation_free), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, generation_set_params), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, generation_settable), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_SET_PARAMS, set_params), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, settable), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT, import), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, types), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT, export), \
    LKV_FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, types), \
    LKV_FUNCTIONS_END
/* clang-format on */

LKV_EACH_SET(FUNCTIONS)

#define ROW(set) [set] = functions_##set,
const OSSL_DISPATCH *const lkv_keymgmt_functions[LKV_SETS] = {LKV_EACH_SET(ROW)};
