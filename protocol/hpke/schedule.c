/* HPKE's suites and its key schedule: see schedule.h. Names in quotes are labels; I2(x) is x in two bytes, the higher one
 * first. SPDX-License-Identifier: Apache-2.0 */
#include "hpke/schedule.h"

#include <latkem/hpke.h>
#include <string.h>

#include "call/output.h"

static const lkp_hpke_kdf kdfs[] = {
    {LATKEM_HPKE_HKDF_SHA256, 0, &lkp_sha256},          {LATKEM_HPKE_HKDF_SHA384, 0, &lkp_sha384},
    {LATKEM_HPKE_HKDF_SHA512, 0, &lkp_sha512},          {LATKEM_HPKE_SHAKE128, 1, &lkp_shake128},
    {LATKEM_HPKE_SHAKE256, 1, &lkp_shake256},           {LATKEM_HPKE_TURBOSHAKE128, 1, &lkp_turboshake128},
    {LATKEM_HPKE_TURBOSHAKE256, 1, &lkp_turboshake256},
};

static const lkp_hpke_aead aeads[] = {
    {LATKEM_HPKE_AES_128_GCM, &lkp_aes_128_gcm, 16, LKP_NONCE_BYTES},
    {LATKEM_HPKE_AES_256_GCM, &lkp_aes_256_gcm, 32, LKP_NONCE_BYTES},
    {LATKEM_HPKE_CHACHA20_POLY1305, &lkp_chacha20_poly1305, 32, LKP_NONCE_BYTES},
    {LATKEM_HPKE_EXPORT_ONLY, NULL, 0, 0},
};

static void store_i2(uint8_t out[2], size_t x)
{
    out[0] = (uint8_t)(x >> 8);
    out[1] = (uint8_t)x;
}

static const lkp_hpke_kdf *find_kdf(unsigned id)
{
    for (size_t i = 0; i < sizeof kdfs / sizeof *kdfs; i++)
        if (kdfs[i].id == id) return &kdfs[i];
    return NULL;
}

static const lkp_hpke_aead *find_aead(unsigned id)
{
    for (size_t i = 0; i < sizeof aeads / sizeof *aeads; i++)
        if (aeads[i].id == id) return &aeads[i];
    return NULL;
}

int lkp_hpke_find_suite(lkp_hpke_suite *suite, unsigned kem, unsigned kdf, unsigned aead)
{
    suite->kdf = find_kdf(kdf);
    suite->aead = find_aead(aead);
    memcpy(suite->id, "HPKE", 4);
    store_i2(suite->id + 4, kem);
    store_i2(suite->id + 6, kdf);
    store_i2(suite->id + 8, aead);
    return kem != 0 && suite->kdf && suite->aead ? 0 : LATKEM_ERR_ARGUMENT;
}

/* A one-stage KDF writes the lengths in two bytes; HKDF makes 255 blocks (RFC 5869 section 2.3). */
size_t lkp_hpke_info_max(const lkp_hpke_suite *suite)
{
    return suite->kdf->one_stage ? 0xFFFF : SIZE_MAX;
}

size_t lkp_hpke_export_max(const lkp_hpke_suite *suite)
{
    return suite->kdf->one_stage ? 0xFFFF : 255 * suite->kdf->digest->bytes;
}

static lkp_piece text(const char *string)
{
    return (lkp_piece){string, strlen(string)};
}

static lkp_piece suite_id(const lkp_hpke_suite *suite)
{
    return (lkp_piece){suite->id, sizeof suite->id};
}

/* LabeledExtract (RFC 9180 section 4). */
static int labeled_extract(const lkp_hpke_suite *suite, uint8_t *out, lkp_piece salt, const char *label, lkp_piece ikm)
{
    const lkp_piece pieces[] = {text("HPKE-v1"), suite_id(suite), text(label), ikm};
    return lkp_hmac(suite->kdf->digest, out, salt.at, salt.len, pieces, 4);
}

/* LabeledExpand (RFC 9180 section 4). */
static int labeled_expand(const lkp_hpke_suite *suite, uint8_t *out, size_t len, const uint8_t *prk, const char *label,
                          lkp_piece info)
{
    uint8_t length[2];
    const lkp_piece pieces[] = {{length, sizeof length}, text("HPKE-v1"), suite_id(suite), text(label), info};
    store_i2(length, len);
    return lkp_hkdf_expand(suite->kdf->digest, out, len, prk, pieces, 5);
}

/* A request to LabeledDerive: len bytes of an XOF, in the name of a suite. */
typedef struct {
    const lkp_digest *xof;
    lkp_piece suite;
    uint8_t *out;
    size_t len;
} derivation;

/* LabeledDerive (draft-ietf-hpke-pq), the context in two pieces. */
static int labeled_derive(const derivation *d, lkp_piece ikm, const char *label, const lkp_piece context[2])
{
    uint8_t label_len[2], len[2];
    const lkp_piece pieces[] = {ikm,         text("HPKE-v1"),   d->suite,   {label_len, sizeof label_len},
                                text(label), {len, sizeof len}, context[0], context[1]};
    store_i2(label_len, strlen(label));
    store_i2(len, d->len);
    return lkp_xof(NULL, d->xof, d->out, d->len, pieces, 8);
}

/* KeySchedule (RFC 9180 section 5.1) in base mode: the PSK and its name are empty. */
static int schedule_two_stage(const lkp_hpke_suite *suite, lkp_hpke_secrets *secrets, const uint8_t *shared,
                              lkp_piece info)
{
    const size_t nh = suite->kdf->digest->bytes;
    const lkp_piece empty = {NULL, 0};
    uint8_t secret[LKP_DIGEST_MAX], context[1 + 2 * LKP_DIGEST_MAX] = {0}; /* mode || psk_id_hash || info_hash */
    const lkp_piece all = {context, 1 + 2 * nh};
    int error = labeled_extract(suite, context + 1, empty, "psk_id_hash", empty);
    if (!error) error = labeled_extract(suite, context + 1 + nh, empty, "info_hash", info);
    if (!error) error = labeled_extract(suite, secret, (lkp_piece){shared, LKP_HPKE_SHARED}, "secret", empty);
    if (!error) error = labeled_expand(suite, secrets->key, suite->aead->key_bytes, secret, "key", all);
    if (!error) error = labeled_expand(suite, secrets->base_nonce, suite->aead->nonce_bytes, secret, "base_nonce", all);
    if (!error) error = labeled_expand(suite, secrets->exporter, nh, secret, "exp", all);
    OPENSSL_cleanse(secret, sizeof secret);
    return error;
}

/* key || base_nonce || exporter_secret into their places. */
static void split(const lkp_hpke_suite *suite, lkp_hpke_secrets *secrets, const uint8_t *all)
{
    const size_t nk = suite->aead->key_bytes, nn = suite->aead->nonce_bytes;
    memcpy(secrets->key, all, nk);
    memcpy(secrets->base_nonce, all + nk, nn);
    memcpy(secrets->exporter, all + nk + nn, suite->kdf->digest->bytes);
}

/* KeySchedule with a one-stage KDF (draft-ietf-hpke-pq): one derivation gives all three. */
static int schedule_one_stage(const lkp_hpke_suite *suite, lkp_hpke_secrets *secrets, const uint8_t *shared,
                              lkp_piece info)
{
    uint8_t all[sizeof *secrets], ikm[2 + 2 + LKP_HPKE_SHARED] = {0}; /* I2(|psk|) || I2(|shared|) || shared */
    uint8_t begin[1 + 2 + 2] = {0};                                   /* mode || I2(|psk_id|) || I2(|info|) */
    const lkp_piece context[] = {{begin, sizeof begin}, info};
    const derivation d = {suite->kdf->digest, suite_id(suite), all,
                          suite->aead->key_bytes + suite->aead->nonce_bytes + suite->kdf->digest->bytes};
    store_i2(ikm + 2, LKP_HPKE_SHARED);
    memcpy(ikm + 4, shared, LKP_HPKE_SHARED);
    store_i2(begin + 3, info.len);
    const int error = labeled_derive(&d, (lkp_piece){ikm, sizeof ikm}, "secret", context);
    if (!error) split(suite, secrets, all);
    OPENSSL_cleanse(ikm, sizeof ikm);
    OPENSSL_cleanse(all, sizeof all);
    return error;
}

int lkp_hpke_schedule(const lkp_hpke_suite *suite, lkp_hpke_secrets *secrets, const uint8_t *shared, lkp_piece info)
{
    memset(secrets, 0, sizeof *secrets);
    const int error = suite->kdf->one_stage ? schedule_one_stage(suite, secrets, shared, info)
                                            : schedule_two_stage(suite, secrets, shared, info);
    return error ? lkp_fail(error, secrets, sizeof *secrets) : 0;
}

int lkp_hpke_export(const lkp_hpke_suite *suite, uint8_t *out, size_t len, const uint8_t *exporter, lkp_piece context)
{
    const derivation d = {suite->kdf->digest, suite_id(suite), out, len};
    const lkp_piece contexts[] = {context, {NULL, 0}}, secret = {exporter, suite->kdf->digest->bytes};
    if (suite->kdf->one_stage) return labeled_derive(&d, secret, "sec", contexts);
    return labeled_expand(suite, out, len, exporter, "sec", context);
}

int lkp_hpke_derive_sk(unsigned kem, uint8_t *sk, size_t len, lkp_piece ikm)
{
    uint8_t id[] = {'K', 'E', 'M', 0, 0};
    static const lkp_piece nothing[2];
    const derivation d = {&lkp_shake256, {id, sizeof id}, sk, len};
    store_i2(id + 3, kem);
    return labeled_derive(&d, ikm, "DeriveKeyPair", nothing);
}
