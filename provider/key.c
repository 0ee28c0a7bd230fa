/* Keys: made, given, copied, compared. SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <latkem/derand.h>
#include <openssl/crypto.h>
#include <string.h>

/* ---- Memory ---- */

size_t lkv_key_seed_bytes(const lkv_key *key)
{
    return key->set->keeps_seed ? latkem_seed_bytes(key->kem) : 0;
}

static size_t secret_bytes(const lkv_key *key)
{
    return lkv_key_seed_bytes(key) + latkem_dk_bytes(key->kem);
}

uint8_t *lkv_key_seed(const lkv_key *key)
{
    return key->secret;
}

uint8_t *lkv_key_dk(const lkv_key *key)
{
    return key->secret + lkv_key_seed_bytes(key);
}

lkv_key *lkv_key_new(const lkv_context *context, size_t set)
{
    const latkem_kem *kem = context->kems[set];
    lkv_key *key = lkv_new(&context->core, sizeof *key + latkem_ek_bytes(kem));
    if (!key) return NULL;
    key->context = context;
    key->set = &lkv_sets[set];
    key->kem = kem;
    return key;
}

static void drop_secret(lkv_key *key)
{
    OPENSSL_secure_clear_free(key->secret, secret_bytes(key));
    key->secret = NULL;
    key->has_private = key->has_seed = 0;
}

void lkv_key_free(lkv_key *key)
{
    if (!key) return;
    drop_secret(key);
    OPENSSL_free(key);
}

static int take_secret(lkv_key *key)
{
    key->secret = OPENSSL_secure_zalloc(secret_bytes(key));
    return key->secret ? 1 : lkv_refuse(&key->context->core, LKV_NO_MEMORY, NULL);
}

lkv_key *lkv_key_copy(const lkv_key *key, int with_private)
{
    lkv_key *copy = lkv_key_new(key->context, (size_t)(key->set - lkv_sets));
    if (!copy) return NULL;
    copy->has_public = key->has_public;
    memcpy(copy->ek, key->ek, latkem_ek_bytes(key->kem));
    if (!with_private || !key->has_private) return copy;
    if (!take_secret(copy)) {
        lkv_key_free(copy);
        return NULL;
    }
    copy->has_private = 1;
    copy->has_seed = key->has_seed;
    memcpy(copy->secret, key->secret, secret_bytes(key));
    return copy;
}

int lkv_key_has(const lkv_key *key, int selection)
{
    if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY && !key->has_private) return 0;
    return !(selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) || key->has_public;
}

/* ---- Generation ---- */

/* A latkem_rng_fn that fills the key's seed and hands it on, where the set keeps one. */
static int draw_seed(void *ctx, uint8_t *out, size_t len)
{
    lkv_key *key = ctx;
    if (latkem_system_rng(NULL, out, len) != 0) return 1;
    if (len == lkv_key_seed_bytes(key)) memcpy(lkv_key_seed(key), out, len);
    return 0;
}

int lkv_key_generate(lkv_key *key, lkv_bytes seed)
{
    int error;
    if (!take_secret(key)) return 0;
    if (seed.at)
        error = latkem_keypair_derand(key->kem, key->ek, lkv_key_dk(key), seed.at, seed.len);
    else
        error = latkem_keypair_rng(key->kem, key->ek, lkv_key_dk(key), draw_seed, key);
    if (error) {
        drop_secret(key);
        return lkv_refuse_error(&key->context->core, error);
    }
    if (seed.at && key->set->keeps_seed) memcpy(lkv_key_seed(key), seed.at, seed.len);
    key->has_public = key->has_private = 1;
    key->has_seed = key->set->keeps_seed;
    return 1;
}

/* ---- Parts from outside ---- */

static int set_public(lkv_key *key, lkv_bytes ek)
{
    const int error = latkem_check_ek(key->kem, ek.at, ek.len);
    if (error) return lkv_refuse_error(&key->context->core, error);
    memcpy(key->ek, ek.at, ek.len);
    key->has_public = 1;
    return 1;
}

/* ek within ML-KEM's dk (FIPS 203 algorithm 16): s || ek || H(ek) || z. */
static const uint8_t *public_in(const lkv_key *key)
{
    enum { H_AND_Z = 64 };
    return lkv_key_dk(key) + latkem_dk_bytes(key->kem) - H_AND_Z - latkem_ek_bytes(key->kem);
}

/* The private key without a seed. */
static int set_expanded(lkv_key *key, const lkv_parts *parts)
{
    const lkv_core *core = &key->context->core;
    const int error = latkem_check_dk(key->kem, parts->dk.at, parts->dk.len);
    if (error) return lkv_refuse_error(core, error);
    if (!take_secret(key)) return 0;
    memcpy(lkv_key_dk(key), parts->dk.at, parts->dk.len);
    key->has_private = 1;
    if (key->set->is_hybrid) {
        if (!parts->ek.at) return lkv_refuse(core, LKV_NO_KEY, "the public part of a hybrid");
        return set_public(key, parts->ek) && lkv_key_test(key);
    }
    memcpy(key->ek, public_in(key), latkem_ek_bytes(key->kem));
    key->has_public = 1;
    return lkv_key_test(key);
}

/* Whether a part says what the key has already. */
static int agrees(const lkv_key *key, lkv_bytes part, const uint8_t *own, size_t own_len)
{
    if (!part.at || (part.len == own_len && CRYPTO_memcmp(part.at, own, own_len) == 0)) return 1;
    return lkv_refuse(&key->context->core, LKV_FOREIGN_KEY, NULL);
}

static int set_private(lkv_key *key, const lkv_parts *parts)
{
    const int seeded = key->set->keeps_seed && parts->seed.at;
    const lkv_bytes seed = key->set->is_hybrid && key->set->keeps_seed && !seeded ? parts->dk : parts->seed;
    const int ok = key->set->keeps_seed && seed.at ? lkv_key_generate(key, seed) : set_expanded(key, parts);
    return ok && agrees(key, parts->dk, lkv_key_dk(key), latkem_dk_bytes(key->kem)) &&
           agrees(key, parts->ek, key->ek, latkem_ek_bytes(key->kem));
}

static int is_private(const lkv_key *key, const lkv_parts *parts)
{
    return parts->dk.at || (key->set->keeps_seed && parts->seed.at);
}

int lkv_key_set(lkv_key *key, const lkv_parts *parts)
{
    int ok;
    if (is_private(key, parts))
        ok = set_private(key, parts);
    else if (parts->ek.at)
        ok = set_public(key, parts->ek);
    else
        ok = lkv_refuse(&key->context->core, LKV_NO_KEY, NULL);
    if (ok) return 1;
    drop_secret(key);
    key->has_public = 0;
    return 0;
}

/* ---- Comparison ---- */

int lkv_key_test(const lkv_key *key)
{
    const size_t ct_bytes = latkem_ct_bytes(key->kem), ss_bytes = latkem_ss_bytes(key->kem);
    const size_t len = ct_bytes + 2 * ss_bytes;
    uint8_t *ct = OPENSSL_secure_malloc(len);
    if (!ct) return lkv_refuse(&key->context->core, LKV_NO_MEMORY, NULL);
    uint8_t *sent = ct + ct_bytes, *received = sent + ss_bytes;
    int error = latkem_encaps(key->kem, ct, sent, key->ek, latkem_ek_bytes(key->kem));
    if (!error) error = latkem_decaps(key->kem, received, ct, ct_bytes, lkv_key_dk(key), latkem_dk_bytes(key->kem));
    const int same = !error && CRYPTO_memcmp(sent, received, ss_bytes) == 0;
    OPENSSL_secure_clear_free(ct, len);
    if (error) return lkv_refuse_error(&key->context->core, error);
    return same ? 1 : lkv_refuse(&key->context->core, LKV_FOREIGN_KEY, NULL);
}

/* A private key always has its public part. */
int lkv_key_equal(const lkv_key *a, const lkv_key *b)
{
    if (a->set != b->set || !a->has_public || !b->has_public) return 0;
    return memcmp(a->ek, b->ek, latkem_ek_bytes(a->kem)) == 0;
}
