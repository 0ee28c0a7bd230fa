/* How contexts and key pairs are made: the KEM's part of HPKE (RFC 9180 sections 4.1 and 5.1.1, draft-ietf-hpke-pq).
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/hpke.h>
#include <latkem/hybrid.h>
#include <string.h>

#include "call/output.h"
#include "crypto/public.h"
#include "hpke/context.h"
#include "hybrid/group.h"

/* The longest ek is that of MLKEM1024-P384, the longest dk that of ML-KEM-1024. */
enum { EK_MAX = LATKEM_MLKEM_EK_MAX + LKP_SHARE_MAX, DK_MAX = LATKEM_MLKEM_DK_MAX };

/* The choice of the caller of latkem_hpke_sender and latkem_hpke_recipient. */
typedef struct {
    const latkem_kem *kem;
    unsigned kdf, aead;
    lkp_piece info;
} choice;

/* Nsk: what a private key grows from is a private key, d || z of ML-KEM and dk of a hybrid. */
static size_t sk_bytes(const latkem_kem *kem)
{
    return latkem_seed_bytes(kem);
}

/* Finds the suite and checks the call's buffers, which begin with the outputs. */
static int check(const choice *c, lkp_hpke_suite *suite, const lk_buffer *buffers, size_t count, size_t outputs)
{
    int error = lkp_hpke_find_suite(suite, latkem_hpke_kem_id(c->kem), c->kdf, c->aead);
    if (!error) error = lk_check_buffers(buffers, count, outputs);
    return !error && c->info.len > lkp_hpke_info_max(suite) ? LATKEM_ERR_LENGTH : error;
}

static lk_buffer context_buffer(void *context)
{
    return lk_buffer_of(context, sizeof(lkp_hpke_context));
}

static lk_buffer info_buffer(const choice *c)
{
    return lk_buffer_of(c->info.at, c->info.len);
}

/* Makes the context of the shared secret, which is wiped. On an error, the caller's too, the context is ended. */
static int finish(int error, void *context, uint64_t role, const choice *c, const lkp_hpke_suite *suite,
                  uint8_t shared[LKP_HPKE_SHARED])
{
    lkp_hpke_context made = {
        .role = role, .kem = (uint16_t)latkem_hpke_kem_id(c->kem), .kdf = (uint16_t)c->kdf, .aead = (uint16_t)c->aead};
    if (!error) error = lkp_hpke_schedule(suite, &made.secrets, shared, c->info);
    if (!error) memcpy(context, &made, sizeof made);
    OPENSSL_cleanse(&made, sizeof made);
    OPENSSL_cleanse(shared, LKP_HPKE_SHARED);
    lkp_wipe_below();
    return error ? lkp_fail(error, context, sizeof made) : 0;
}

int latkem_hpke_sender(void *context, uint8_t *enc, const latkem_kem *kem, unsigned kdf, unsigned aead,
                       const uint8_t *ek, size_t ek_len, const uint8_t *info, size_t info_len)
{
    const choice c = {kem, kdf, aead, {info, info_len}};
    const size_t enc_len = latkem_ct_bytes(kem);
    const lk_buffer buffers[] = {
        context_buffer(context), lk_buffer_of(enc, enc_len), {ek, latkem_ek_bytes(kem), ek_len}, info_buffer(&c)};
    uint8_t shared[LKP_HPKE_SHARED];
    lkp_hpke_suite suite;
    int error = check(&c, &suite, buffers, 4, 2);
    if (!error) error = latkem_encaps(kem, enc, shared, ek, ek_len);
    error = finish(error, context, LKP_HPKE_SENDER, &c, &suite, shared);
    return error ? lkp_fail(error, enc, enc_len) : 0;
}

int latkem_hpke_sender_derand(void *context, uint8_t *enc, const latkem_kem *kem, unsigned kdf, unsigned aead,
                              const uint8_t *ek, size_t ek_len, const uint8_t *info, size_t info_len,
                              const uint8_t *coins, size_t coins_len)
{
    const choice c = {kem, kdf, aead, {info, info_len}};
    const size_t enc_len = latkem_ct_bytes(kem);
    const lk_buffer buffers[] = {context_buffer(context),
                                 lk_buffer_of(enc, enc_len),
                                 {ek, latkem_ek_bytes(kem), ek_len},
                                 info_buffer(&c),
                                 {coins, latkem_coins_bytes(kem), coins_len}};
    uint8_t shared[LKP_HPKE_SHARED];
    lkp_hpke_suite suite;
    int error = check(&c, &suite, buffers, 5, 2);
    if (!error) error = latkem_encaps_derand(kem, enc, shared, ek, ek_len, coins, coins_len);
    error = finish(error, context, LKP_HPKE_SENDER, &c, &suite, shared);
    return error ? lkp_fail(error, enc, enc_len) : 0;
}

/* Decap: a hybrid's sk is its dk, and of ML-KEM's the dk is made. */
static int decap(const latkem_kem *kem, uint8_t *shared, const uint8_t *enc, const uint8_t *sk)
{
    uint8_t ek[EK_MAX], dk[DK_MAX];
    if (latkem_dk_bytes(kem) == sk_bytes(kem))
        return latkem_decaps(kem, shared, enc, latkem_ct_bytes(kem), sk, sk_bytes(kem));
    int error = latkem_keypair_derand(kem, ek, dk, sk, sk_bytes(kem));
    lkp_declassify_dk(dk, latkem_dk_bytes(kem));
    if (!error) error = latkem_decaps(kem, shared, enc, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
    OPENSSL_cleanse(dk, sizeof dk);
    return error;
}

int latkem_hpke_recipient(void *context, const latkem_kem *kem, unsigned kdf, unsigned aead, const uint8_t *enc,
                          size_t enc_len, const uint8_t *sk, size_t sk_len, const uint8_t *info, size_t info_len)
{
    const choice c = {kem, kdf, aead, {info, info_len}};
    const lk_buffer buffers[] = {
        context_buffer(context), {enc, latkem_ct_bytes(kem), enc_len}, {sk, sk_bytes(kem), sk_len}, info_buffer(&c)};
    uint8_t shared[LKP_HPKE_SHARED];
    lkp_hpke_suite suite;
    int error = check(&c, &suite, buffers, 4, 1);
    if (!error) error = decap(kem, shared, enc, sk);
    return finish(error, context, LKP_HPKE_RECIPIENT, &c, &suite, shared);
}

static int derive_keypair(const latkem_kem *kem, uint8_t *ek, uint8_t *sk, lkp_piece ikm)
{
    uint8_t dk[DK_MAX];
    int error = lkp_hpke_derive_sk(latkem_hpke_kem_id(kem), sk, sk_bytes(kem), ikm);
    if (!error) error = latkem_keypair_derand(kem, ek, dk, sk, sk_bytes(kem));
    OPENSSL_cleanse(dk, sizeof dk);
    lkp_wipe_below();
    return error;
}

int latkem_hpke_derive_keypair(const latkem_kem *kem, uint8_t *ek, uint8_t *sk, const uint8_t *ikm, size_t ikm_len)
{
    const size_t ek_len = latkem_ek_bytes(kem), sk_len = sk_bytes(kem);
    const lk_buffer buffers[] = {lk_buffer_of(ek, ek_len), lk_buffer_of(sk, sk_len), lk_buffer_of(ikm, ikm_len)};
    int error = latkem_hpke_kem_id(kem) != 0 ? lk_check_buffers(buffers, 3, 2) : LATKEM_ERR_ARGUMENT;
    if (!error) error = ikm_len > 0 ? derive_keypair(kem, ek, sk, (lkp_piece){ikm, ikm_len}) : LATKEM_ERR_LENGTH;
    if (error) lkp_fail(error, sk, sk_len);
    return error ? lkp_fail(error, ek, ek_len) : 0;
}
