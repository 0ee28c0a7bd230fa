/* Decoders: key files in DER to keys (provider-decoder(7)). PEM and passphrases are OpenSSL's own decoders' work.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

#include "dispatch.h"
#include "key.h"
#include "params.h"

typedef struct {
    const lkv_context *context;
    size_t set;
    int is_private; /* PrivateKeyInfo, else SubjectPublicKeyInfo */
} decoder;

static void *decoder_new(void *context, size_t set, int is_private)
{
    decoder *d = lkv_new(&((lkv_context *)context)->core, sizeof *d);
    if (d) *d = (decoder){context, set, is_private};
    return d;
}

static void decoder_free(void *data)
{
    OPENSSL_free(data);
}

/* ---- A file's set: the lengths that it needs, without a look at the key itself ---- */

static int is_public_of(const latkem_kem *kem, const unsigned char *der, size_t len)
{
    const latkem_kem *found = NULL;
    uint8_t none;
    size_t need = 0;
    return latkem_public_key_read(&found, &none, &need, der, len) == LATKEM_ERR_LENGTH && need == latkem_ek_bytes(kem);
}

static int is_private_of(const latkem_kem *kem, const unsigned char *der, size_t len)
{
    const latkem_kem *found = NULL;
    uint8_t none;
    size_t need = 0;
    int form = 0;
    return latkem_private_key_read(&found, &form, NULL, NULL, &none, &need, der, len) == LATKEM_ERR_LENGTH &&
           need == latkem_dk_bytes(kem);
}

/* ---- Reading ---- */

static int read_public(lkv_key *key, const unsigned char *der, size_t len)
{
    const latkem_kem *found = NULL;
    size_t ek_len = latkem_ek_bytes(key->kem);
    const int error = latkem_public_key_read(&found, key->ek, &ek_len, der, len);
    if (error) return lkv_refuse_error(&key->context->core, error);
    key->has_public = 1;
    return 1;
}

static int read_private(lkv_key *key, const unsigned char *der, size_t len)
{
    uint8_t seed[LATKEM_MLKEM_SEED_BYTES], dk[LATKEM_MLKEM_DK_MAX];
    const latkem_kem *found = NULL;
    size_t seed_len = sizeof seed, dk_len = sizeof dk;
    int form = 0;
    const int error = latkem_private_key_read(&found, &form, seed, &seed_len, dk, &dk_len, der, len);
    const lkv_parts parts = {{NULL, 0}, {dk, dk_len}, {seed_len ? seed : NULL, seed_len}};
    const int ok = error ? lkv_refuse_error(&key->context->core, error) : lkv_key_set(key, &parts);
    OPENSSL_cleanse(seed, sizeof seed);
    OPENSSL_cleanse(dk, sizeof dk);
    return ok;
}

/* The key goes over to the core, which takes the reference out of its place if it uses it. */
static int hand_over(lkv_key *key, OSSL_CALLBACK *callback, void *argument)
{
    int kind = OSSL_OBJECT_PKEY;
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &kind),
        OSSL_PARAM_construct_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, (char *)key->set->name, 0),
        OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof(void *)),
        OSSL_PARAM_construct_end(),
    };
    const int ok = callback(params, argument);
    lkv_key_free(key);
    return ok;
}

/* A file of another set, or no key file, is no error, because OpenSSL asks one decoder after the other. */
static int decode(void *data, OSSL_CORE_BIO *bio, int selection, OSSL_CALLBACK *callback, void *argument,
                  OSSL_PASSPHRASE_CALLBACK *passphrase, void *passphrase_argument)
{
    const decoder *d = data;
    const latkem_kem *kem = d->context->kems[d->set];
    lkv_key *key = NULL;
    unsigned char *der;
    size_t len;
    (void)selection;
    (void)passphrase;
    (void)passphrase_argument;
    if (!lkv_read_der(&d->context->core, bio, &der, &len)) return 0;
    if (!der) return 1;
    int ok = d->is_private ? is_private_of(kem, der, len) : is_public_of(kem, der, len);
    const int is_other = !ok;
    if (ok) {
        key = lkv_key_new(d->context, d->set);
        ok = key && (d->is_private ? read_private(key, der, len) : read_public(key, der, len));
    }
    OPENSSL_secure_clear_free(der, len);
    if (ok) return hand_over(key, callback, argument);
    lkv_key_free(key);
    return is_other;
}

/* For a key that goes to another provider's KEYMGMT. */
static int export(void *data, const void *reference, size_t len, OSSL_CALLBACK *callback, void *argument)
{
    const decoder *d = data;
    const lkv_key *key;
    if (len != sizeof(void *)) return 0;
    key = *(lkv_key *const *)reference;
    return lkv_key_export(key, d->is_private ? OSSL_KEYMGMT_SELECT_KEYPAIR : OSSL_KEYMGMT_SELECT_PUBLIC_KEY, callback,
                          argument);
}

/* clang-format off */
#define FUNCTIONS(set, kind, is_private) \
    static void *new_##kind##_##set(void *context) \
    { \
        return decoder_new(context, set, is_private); \
    } \
    static const OSSL_DISPATCH kind##_functions_##set[] = { \
        LKV_FUNCTION(OSSL_FUNC_DECODER_NEWCTX, new_##kind##_##set), \
        LKV_FUNCTION(OSSL_FUNC_DECODER_FREECTX, decoder_free), \
        LKV_FUNCTION(OSSL_FUNC_DECODER_DOES_SELECTION, lkv_does_##kind), \
        LKV_FUNCTION(OSSL_FUNC_DECODER_DECODE, decode), \
        LKV_FUNCTION(OSSL_FUNC_DECODER_EXPORT_OBJECT, export), \
        LKV_FUNCTIONS_END, \
    };
#define BOTH(set) FUNCTIONS(set, private, 1) FUNCTIONS(set, public, 0)
/* clang-format on */

LKV_EACH_SET_WITH_FILES(BOTH)

#define PROPERTIES(structure) LKV_PROPERTY ",input=der,structure=" structure
#define ROW(set)                                                                                                       \
    [set] = {{PROPERTIES("PrivateKeyInfo"), private_functions_##set},                                                  \
             {PROPERTIES("SubjectPublicKeyInfo"), public_functions_##set}},
const lkv_format lkv_decoder_formats[LKV_SETS][LKV_DECODER_FORMATS] = {LKV_EACH_SET_WITH_FILES(ROW)};
