/* The shapes of key files. SPDX-License-Identifier: Apache-2.0 */
#include "keyfile/shape.h"

#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <string.h>
#if !defined(LKP_MLKEM_ONLY)
#include <latkem/hybrid.h>
#endif

/* LKP_MLKEM_ONLY leaves X-Wing out, and with it the need of libcrypto. */
static const lkp_encoding encodings[] = {
    {"ML-KEM-512", latkem_kem_find, {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x01}, 9, 1},
    {"ML-KEM-768", latkem_kem_find, {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x02}, 9, 1},
    {"ML-KEM-1024", latkem_kem_find, {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x03}, 9, 1},
#if !defined(LKP_MLKEM_ONLY)
    {"X-Wing", latkem_hybrid_find, {0x2b, 0x06, 0x01, 0x04, 0x01, 0x83, 0xe6, 0x2d, 0x81, 0xc8, 0x7a}, 11, 0},
#endif
};

enum { ENCODINGS = sizeof encodings / sizeof *encodings };

/* INTEGER 0, and INTEGER 1 of a file with a publicKey (RFC 5958 section 2). */
static const uint8_t version_0[] = {LKP_INTEGER, 1, 0}, version_1[] = {LKP_INTEGER, 1, 1};

const lkp_encoding *lkp_encoding_of(const latkem_kem *kem)
{
    for (size_t i = 0; i < ENCODINGS; i++)
        if (kem && strcmp(encodings[i].name, latkem_kem_name(kem)) == 0) return &encodings[i];
    return NULL;
}

/* AlgorithmIdentifier: the OID alone. */
static int take_algorithm(lkp_der *in, lkp_file *file)
{
    lkp_der algorithm, oid;
    if (!lkp_der_take(in, LKP_SEQUENCE, &algorithm)) return 0;
    if (!lkp_der_take(&algorithm, LKP_OID, &oid) || algorithm.len != 0) return 0;
    for (size_t i = 0; i < ENCODINGS; i++) {
        const lkp_encoding *e = &encodings[i];
        lkp_der left = oid;
        if (!lkp_der_take_exactly(&left, e->oid, e->oid_bytes) || left.len != 0) continue;
        file->encoding = e;
        file->kem = e->find(e->name);
    }
    return file->kem != NULL;
}

/* A BIT STRING of whole bytes: no unused bits, then ek. */
static int take_ek(lkp_der *in, unsigned tag, lkp_file *file)
{
    return lkp_der_take(in, tag, &file->ek) && lkp_der_take_exactly(&file->ek, "", 1) &&
           file->ek.len == latkem_ek_bytes(file->kem);
}

/* The one element that is the whole file. */
static int take_file(lkp_der in, lkp_der *content)
{
    return lkp_der_take(&in, LKP_SEQUENCE, content) && in.len == 0;
}

int lkp_read_public(lkp_file *file, lkp_der in)
{
    lkp_der all;
    *file = (lkp_file){.kem = NULL};
    const int fits = take_file(in, &all) && take_algorithm(&all, file) && take_ek(&all, LKP_BIT_STRING, file);
    return fits && all.len == 0 ? 0 : LATKEM_ERR_FORMAT;
}

static int of_octets(lkp_file *file, lkp_der octets)
{
    const size_t dk = latkem_dk_bytes(file->kem), ek = latkem_ek_bytes(file->kem);
    if (octets.len != dk && octets.len != dk + ek) return 0;
    file->dk = (lkp_der){octets.at, dk};
    if (octets.len == dk) return LATKEM_FORM_EXPANDED;
    file->second_ek = (lkp_der){octets.at + dk, ek};
    return LATKEM_FORM_OQS;
}

static int of_pair(lkp_file *file, lkp_der pair)
{
    return lkp_der_take(&pair, LKP_OCTET_STRING, &file->seed) && lkp_der_take(&pair, LKP_OCTET_STRING, &file->dk) &&
                   pair.len == 0 && file->seed.len == latkem_seed_bytes(file->kem) &&
                   file->dk.len == latkem_dk_bytes(file->kem)
               ? LATKEM_FORM_BOTH
               : 0;
}

/* The form of a private key by its tag. The two without one have lengths that no other has. 0: none. */
static int form_of(lkp_file *file, lkp_der key)
{
    const size_t seed = latkem_seed_bytes(file->kem);
    lkp_der content;
    if (key.len == seed) {
        file->seed = key;
        return file->encoding->is_mlkem ? LATKEM_FORM_BARE_SEED : LATKEM_FORM_SEED;
    }
    if (!file->encoding->is_mlkem) return 0;
    if (key.len == latkem_dk_bytes(file->kem)) {
        file->dk = key;
        return LATKEM_FORM_BARE_EXPANDED;
    }
    if (lkp_der_take(&key, LKP_CONTEXT + 0, &content)) {
        file->seed = content;
        return key.len == 0 && content.len == seed ? LATKEM_FORM_SEED : 0;
    }
    if (lkp_der_take(&key, LKP_OCTET_STRING, &content)) return key.len == 0 ? of_octets(file, content) : 0;
    return lkp_der_take(&key, LKP_SEQUENCE, &content) && key.len == 0 ? of_pair(file, content) : 0;
}

/* SET OF Attribute, each a SEQUENCE of an OID and a SET of values. Their content is not looked at. */
static int are_attributes(lkp_der all)
{
    lkp_der attribute, part;
    while (all.len > 0)
        if (!lkp_der_take(&all, LKP_SEQUENCE, &attribute) || !lkp_der_take(&attribute, LKP_OID, &part) ||
            !lkp_der_take(&attribute, LKP_SET, &part) || attribute.len != 0)
            return 0;
    return 1;
}

/* Optional parts behind the key: [0] attributes and, in version 1, [1] publicKey. A seed of X-Wing is alone. */
static int take_rest(lkp_der *in, lkp_file *file, int version)
{
    lkp_der attributes;
    if (lkp_der_take(in, LKP_CONTEXT + LKP_CONSTRUCTED + 0, &attributes) && !are_attributes(attributes)) return 0;
    if (version == 1 && !(file->encoding->is_mlkem && take_ek(in, LKP_CONTEXT + 1, file))) return 0;
    return in->len == 0;
}

int lkp_read_private(lkp_file *file, lkp_der in)
{
    lkp_der all, key;
    *file = (lkp_file){.kem = NULL};
    if (!take_file(in, &all)) return LATKEM_ERR_FORMAT;
    const int version = lkp_der_take_exactly(&all, version_1, sizeof version_1);
    if (!version && !lkp_der_take_exactly(&all, version_0, sizeof version_0)) return LATKEM_ERR_FORMAT;
    if (!take_algorithm(&all, file) || !lkp_der_take(&all, LKP_OCTET_STRING, &key)) return LATKEM_ERR_FORMAT;
    file->form = form_of(file, key);
    return file->form && take_rest(&all, file, version) ? 0 : LATKEM_ERR_FORMAT;
}

static size_t algorithm_bytes(const lkp_encoding *encoding)
{
    return lkp_der_bytes(lkp_der_bytes(encoding->oid_bytes));
}

static uint8_t *put_algorithm(const lkp_encoding *encoding, uint8_t *at)
{
    at = lkp_der_put(at, LKP_SEQUENCE, lkp_der_bytes(encoding->oid_bytes));
    at = lkp_der_put(at, LKP_OID, encoding->oid_bytes);
    return lkp_der_copy(at, encoding->oid, encoding->oid_bytes);
}

/* Of the SEQUENCE that is the file. */
static size_t public_content(const lkp_file *file)
{
    return algorithm_bytes(file->encoding) + lkp_der_bytes(1 + latkem_ek_bytes(file->kem));
}

size_t lkp_public_bytes(const lkp_file *file)
{
    return lkp_der_bytes(public_content(file));
}

uint8_t *lkp_put_public(const lkp_file *file, uint8_t *at)
{
    at = lkp_der_put(at, LKP_SEQUENCE, public_content(file));
    at = put_algorithm(file->encoding, at);
    at = lkp_der_put(at, LKP_BIT_STRING, 1 + latkem_ek_bytes(file->kem));
    *at++ = 0;
    return at;
}

/* Of the inner SEQUENCE of LATKEM_FORM_BOTH. */
static size_t pair_content(const latkem_kem *kem)
{
    return lkp_der_bytes(latkem_seed_bytes(kem)) + lkp_der_bytes(latkem_dk_bytes(kem));
}

static size_t key_bytes(const lkp_file *file)
{
    const size_t seed = latkem_seed_bytes(file->kem);
    if (!file->encoding->is_mlkem) return seed;
    if (file->form == LATKEM_FORM_SEED) return lkp_der_bytes(seed);
    return lkp_der_bytes(file->form == LATKEM_FORM_BOTH ? pair_content(file->kem) : latkem_dk_bytes(file->kem));
}

static size_t private_content(const lkp_file *file)
{
    return sizeof version_0 + algorithm_bytes(file->encoding) + lkp_der_bytes(key_bytes(file));
}

size_t lkp_private_bytes(const lkp_file *file)
{
    return lkp_der_bytes(private_content(file));
}

void lkp_put_private(const lkp_file *file, uint8_t *at, uint8_t **seed, uint8_t **dk)
{
    const int both = file->form == LATKEM_FORM_BOTH;
    const size_t seed_bytes = latkem_seed_bytes(file->kem);
    *seed = *dk = NULL;
    at = lkp_der_put(at, LKP_SEQUENCE, private_content(file));
    at = put_algorithm(file->encoding, lkp_der_copy(at, version_0, sizeof version_0));
    at = lkp_der_put(at, LKP_OCTET_STRING, key_bytes(file));
    if (both) at = lkp_der_put(at, LKP_SEQUENCE, pair_content(file->kem));
    if (file->form != LATKEM_FORM_EXPANDED) {
        if (file->encoding->is_mlkem) at = lkp_der_put(at, both ? LKP_OCTET_STRING : LKP_CONTEXT + 0, seed_bytes);
        *seed = at;
        at += seed_bytes;
    }
    if (file->form != LATKEM_FORM_SEED) *dk = lkp_der_put(at, LKP_OCTET_STRING, latkem_dk_bytes(file->kem));
}
