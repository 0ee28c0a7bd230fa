/* Encoders: keys to files, in DER, PEM and text, with a passphrase if a cipher is set (provider-encoder(7)).
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "key.h"
#include "params.h"

typedef struct {
    const lkv_context *context;
    int encrypts;       /* private keys, even if there is no such cipher: they are not written in the clear then */
    EVP_CIPHER *cipher; /* or NULL */
} encoder;

/* The program's function that gives a passphrase. */
typedef struct {
    OSSL_PASSPHRASE_CALLBACK *ask;
    void *argument;
} passphrase;

static void *encoder_new(void *context)
{
    encoder *e = lkv_new(&((lkv_context *)context)->core, sizeof *e);
    if (e) e->context = context;
    return e;
}

static void encoder_free(void *data)
{
    encoder *e = data;
    if (e) EVP_CIPHER_free(e->cipher);
    OPENSSL_free(e);
}

static const OSSL_PARAM *settable(void *context)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context;
    return params;
}

/* A cipher without a name is none. */
static int set_params(void *data, const OSSL_PARAM params[])
{
    encoder *e = data;
    const char *name = NULL, *properties = NULL;
    const OSSL_PARAM *cipher = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_CIPHER);
    const OSSL_PARAM *wanted = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_PROPERTIES);
    if (!cipher) return 1;
    if ((cipher->data && !OSSL_PARAM_get_utf8_string_ptr(cipher, &name)) ||
        (wanted && wanted->data && !OSSL_PARAM_get_utf8_string_ptr(wanted, &properties)))
        return lkv_refuse(&e->context->core, LKV_BAD_PARAMETER, NULL);
    EVP_CIPHER_free(e->cipher);
    e->cipher = NULL;
    e->encrypts = name && *name;
    if (!e->encrypts) return 1;
    e->cipher = EVP_CIPHER_fetch(e->context->libcrypto, name, properties);
    return e->cipher ? 1 : lkv_refuse(&e->context->core, LKV_NO_CIPHER, "%s", name);
}

/* ---- DER ---- */

/* A file under way. It is wiped with the memory that it lies in. */
typedef struct {
    unsigned char *at;
    size_t len, capacity;
} file;

static int file_new(const encoder *e, file *f, size_t capacity)
{
    *f = (file){OPENSSL_secure_malloc(capacity), capacity, capacity};
    return f->at ? 1 : lkv_refuse(&e->context->core, LKV_NO_MEMORY, NULL);
}

static void file_free(file *f)
{
    OPENSSL_secure_clear_free(f->at, f->capacity);
}

static int make_public(const encoder *e, file *f, const lkv_key *key)
{
    if (!file_new(e, f, LATKEM_PUBLIC_KEY_DER_MAX)) return 0;
    const int error = latkem_public_key_write(key->kem, f->at, &f->len, key->ek, latkem_ek_bytes(key->kem));
    return error ? lkv_refuse_error(&e->context->core, error) : 1;
}

/* The form that the configuration asks for, if the key can have it: X-Wing has its seed alone, and an expanded key gives
 * no seed. */
static int make_private(const encoder *e, file *f, const lkv_key *key)
{
    const int form = key->set->is_hybrid ? LATKEM_FORM_SEED : key->has_seed ? e->context->form : LATKEM_FORM_EXPANDED;
    const uint8_t *from = key->has_seed ? lkv_key_seed(key) : lkv_key_dk(key);
    const size_t from_len = key->has_seed ? lkv_key_seed_bytes(key) : latkem_dk_bytes(key->kem);
    if (!file_new(e, f, LATKEM_PRIVATE_KEY_DER_MAX)) return 0;
    const int error = latkem_private_key_write(key->kem, form, f->at, &f->len, from, from_len);
    return error ? lkv_refuse_error(&e->context->core, error) : 1;
}

/* ---- Encryption: PBES2 of PKCS#8 ---- */

/* PKCS8_encrypt would do all of this, but OpenSSL 3.0 leaves the plain file in memory that it frees. */
static X509_SIG *seal(const encoder *e, const file *plain, const char *words, size_t words_len)
{
    X509_ALGOR *scheme = PKCS5_pbe2_set_iv_ex(e->cipher, 0, NULL, 0, NULL, -1, e->context->libcrypto), *its_place;
    X509_SIG *sealed = X509_SIG_new();
    ASN1_OCTET_STRING *place;
    unsigned char *ct = NULL;
    int ct_len = 0;
    int ok = scheme && sealed &&
             PKCS12_pbe_crypt_ex(scheme, words, (int)words_len, plain->at, (int)plain->len, &ct, &ct_len, 1,
                                 e->context->libcrypto, NULL) != NULL;
    if (ok) {
        X509_SIG_getm(sealed, &its_place, &place);
        ok = X509_ALGOR_copy(its_place, scheme) == 1 && ASN1_OCTET_STRING_set(place, ct, ct_len) == 1;
    }
    OPENSSL_free(ct);
    X509_ALGOR_free(scheme);
    if (ok) return sealed;
    X509_SIG_free(sealed);
    return NULL;
}

/* Puts the sealed file in place of the plain one. */
static int encrypt(const encoder *e, file *f, passphrase from)
{
    const lkv_core *core = &e->context->core;
    char words[PEM_BUFSIZE];
    size_t words_len = 0;
    unsigned char *der = NULL;
    if (!e->cipher) return lkv_refuse(core, LKV_NO_CIPHER, NULL);
    const int asked = from.ask && from.ask(words, sizeof words, &words_len, NULL, from.argument);
    ERR_set_mark();
    X509_SIG *sealed = asked ? seal(e, f, words, words_len) : NULL;
    OPENSSL_cleanse(words, sizeof words);
    const int len = sealed ? i2d_X509_SIG(sealed, &der) : -1;
    X509_SIG_free(sealed);
    ERR_pop_to_mark();
    if (!asked) return lkv_refuse(core, LKV_NO_PASSPHRASE, NULL);
    if (len < 0) return lkv_refuse_error(core, LATKEM_ERR_CRYPTO);
    file_free(f);
    const int ok = file_new(e, f, (size_t)len);
    if (ok) memcpy(f->at, der, (size_t)len);
    OPENSSL_free(der);
    return ok;
}

/* ---- Formats ---- */

enum { PRIVATE, SEALED, PUBLIC };

/* PEM_write_bio would do this, but leaves a part of the key in memory that it frees. */
static int write_pem(const encoder *e, OSSL_CORE_BIO *out, const file *f, const char *label)
{
    enum { IN_LINE = 48, LINE = IN_LINE / 3 * 4 };
    const lkv_core *core = &e->context->core;
    unsigned char line[LINE + 1];
    char edge[64];
    int ok = lkv_write(core, out, edge, (size_t)snprintf(edge, sizeof edge, "-----BEGIN %s-----\n", label));
    for (size_t at = 0; ok && at < f->len; at += IN_LINE) {
        const size_t left = f->len - at;
        const int written = EVP_EncodeBlock(line, f->at + at, left < IN_LINE ? (int)left : IN_LINE);
        ok = lkv_write(core, out, line, (size_t)written) && lkv_write(core, out, "\n", 1);
    }
    OPENSSL_cleanse(line, sizeof line);
    return ok && lkv_write(core, out, edge, (size_t)snprintf(edge, sizeof edge, "-----END %s-----\n", label));
}

/* PrivateKeyInfo with a cipher becomes EncryptedPrivateKeyInfo, which is what `openssl pkey -aes256` expects. */
static int encode(const encoder *e, OSSL_CORE_BIO *out, const lkv_key *key, int structure, int as_pem, passphrase from)
{
    static const char *const labels[] = {"PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY"};
    file f = {NULL, 0, 0};
    if (structure == PRIVATE && e->encrypts) structure = SEALED;
    int ok = lkv_key_has(key, structure == PUBLIC ? OSSL_KEYMGMT_SELECT_PUBLIC_KEY : OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
    if (!ok) return lkv_refuse(&e->context->core, LKV_NO_KEY, NULL);
    ok = structure == PUBLIC ? make_public(e, &f, key) : make_private(e, &f, key);
    if (ok && structure == SEALED) ok = encrypt(e, &f, from);
    if (ok) ok = as_pem ? write_pem(e, out, &f, labels[structure]) : lkv_write(&e->context->core, out, f.at, f.len);
    file_free(&f);
    return ok;
}

static int print_bytes(const lkv_core *core, OSSL_CORE_BIO *out, const char *name, const uint8_t *bytes, size_t len)
{
    enum { IN_LINE = 15 };
    char text[32];
    int ok = lkv_write(core, out, text, (size_t)snprintf(text, sizeof text, "%s:", name));
    for (size_t i = 0; ok && i < len; i++) {
        const char *before = i % IN_LINE == 0 ? "\n    " : "", *behind = i + 1 < len ? ":" : "\n";
        ok = lkv_write(core, out, text, (size_t)snprintf(text, sizeof text, "%s%02x%s", before, bytes[i], behind));
    }
    OPENSSL_cleanse(text, sizeof text);
    return ok;
}

/* As OpenSSL prints its own ML-KEM keys. */
static int print(const lkv_core *core, OSSL_CORE_BIO *out, const lkv_key *key, int with_private)
{
    char text[64];
    const char *kind = with_private ? "Private" : "Public";
    int ok = lkv_write(core, out, text, (size_t)snprintf(text, sizeof text, "%s %s-Key:\n", key->set->name, kind));
    if (ok && with_private && key->has_seed)
        ok = print_bytes(core, out, "seed", lkv_key_seed(key), lkv_key_seed_bytes(key));
    if (ok && with_private && !key->set->is_hybrid)
        ok = print_bytes(core, out, "dk", lkv_key_dk(key), latkem_dk_bytes(key->kem));
    return ok && print_bytes(core, out, "ek", key->ek, latkem_ek_bytes(key->kem));
}

static int encode_text(void *data, OSSL_CORE_BIO *bio, const void *key, const OSSL_PARAM abstract[], int selection,
                       OSSL_PASSPHRASE_CALLBACK *ask, void *argument)
{
    const encoder *e = data;
    const lkv_core *core = &e->context->core;
    const int with_private = selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
    (void)ask;
    (void)argument;
    if (abstract || !key || !lkv_key_has(key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY | with_private))
        return lkv_refuse(core, LKV_NO_KEY, NULL);
    return print(core, bio, key, with_private);
}

/* ---- The tables ---- */

static int does_any(void *context, int selection)
{
    (void)context;
    return selection == 0 || selection & OSSL_KEYMGMT_SELECT_KEYPAIR;
}

/* clang-format off */
#define FUNCTIONS(name, does) \
    static const OSSL_DISPATCH functions_##name[] = { \
        LKV_FUNCTION(OSSL_FUNC_ENCODER_NEWCTX, encoder_new), \
        LKV_FUNCTION(OSSL_FUNC_ENCODER_FREECTX, encoder_free), \
        LKV_FUNCTION(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, set_params), \
        LKV_FUNCTION(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, settable), \
        LKV_FUNCTION(OSSL_FUNC_ENCODER_DOES_SELECTION, does), \
        LKV_FUNCTION(OSSL_FUNC_ENCODER_ENCODE, encode_##name), \
        LKV_FUNCTIONS_END, \
    };
#define FORMAT(name, structure, as_pem, does) \
    static int encode_##name(void *data, OSSL_CORE_BIO *bio, const void *key, const OSSL_PARAM abstract[], \
                             int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *argument) \
    { \
        (void)selection; \
        if (abstract || !key) return lkv_refuse(&((encoder *)data)->context->core, LKV_NO_KEY, NULL); \
        return encode(data, bio, key, structure, as_pem, (passphrase){ask, argument}); \
    } \
    FUNCTIONS(name, does)

FORMAT(private_der, PRIVATE, 0, lkv_does_private)
FORMAT(private_pem, PRIVATE, 1, lkv_does_private)
FORMAT(sealed_der, SEALED, 0, lkv_does_private)
FORMAT(sealed_pem, SEALED, 1, lkv_does_private)
FORMAT(public_der, PUBLIC, 0, lkv_does_public)
FORMAT(public_pem, PUBLIC, 1, lkv_does_public)
FUNCTIONS(text, does_any)
/* clang-format on */

#define PROPERTIES(output, structure) LKV_PROPERTY ",output=" output ",structure=" structure
const lkv_format lkv_encoder_formats[LKV_ENCODER_FORMATS] = {
    {PROPERTIES("der", "PrivateKeyInfo"), functions_private_der},
    {PROPERTIES("pem", "PrivateKeyInfo"), functions_private_pem},
    {PROPERTIES("der", "EncryptedPrivateKeyInfo"), functions_sealed_der},
    {PROPERTIES("pem", "EncryptedPrivateKeyInfo"), functions_sealed_pem},
    {PROPERTIES("der", "SubjectPublicKeyInfo"), functions_public_der},
    {PROPERTIES("pem", "SubjectPublicKeyInfo"), functions_public_pem},
    {LKV_PROPERTY ",output=text", functions_text},
};
