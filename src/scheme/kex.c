/* UAKE and AKE: KEM operations and one hash. Operations of one kind on one side are one group, so that their hashes
 * share the lanes.
 *
 * The formulas are the lines of kex.c (scheme/kex.h), in its names: sk and tk are A's state, pka, ska, pkb and skb the
 * static keys, and buf is k1 || .. || tk. SPDX-License-Identifier: Apache-2.0 */
#include "scheme/kex.h"

#include <string.h>

void lk_kex_take(lk_kex *x, lk_arena *arena)
{
    enum { SECRETS_MAX = LK_AKE + 1 };
    x->secrets = lk_take(arena, SECRETS_MAX * x->row->bytes.ss);
    x->kdf = lk_kdf_take(arena, x->b, x->row);
}

/* k = kdf(buf): the secret of B's static key comes last. */
static void derive_key(const lk_kex *x)
{
    lk_kdf_run(&x->kdf, x->row, x->key, x->secrets, (x->kind + 1) * x->row->bytes.ss);
}

/* The inputs and outputs of operation i of a kind, without its key. */
static lk_io io_of(const lk_kex *x, lk_kind kind, size_t i)
{
    const lk_sizes *s = &x->row->bytes;
    uint8_t *ss = x->secrets + i * s->ss;
    if (kind == LK_DECAPS) return (lk_io){.ct = x->message + i * s->ct, .ss = ss};
    return (lk_io){.coins = x->random + i * lk_total(s->coins), .ct_out = x->message_out + i * s->ct, .ss = ss};
}

/* Encapsulates to, or decapsulates with, A's ephemeral key and, in AKE, A's static one. */
static int with_keys_of_a(const lk_kex *x, lk_kind kind, const uint8_t *const keys[LK_AKE])
{
    lk_request_fn *operation = kind == LK_ENCAPS ? x->encaps : x->decaps;
    const size_t n = lk_group(x->b, x->row, kind) < x->kind ? 1 : x->kind;
    int result = LK_DONE;
    for (size_t i = 0; i < x->kind && result == LK_DONE; i += n) {
        const lk_request request = {.b = x->b, .row = x->row, .n = n, .io = io_of(x, kind, i), .keys = keys + i};
        result = operation(&request);
    }
    return result;
}

/* ---- initA ---- */

int lk_kex_start(const lk_kex *x)
{
    const lk_sizes *s = &x->row->bytes;
    lk_request request = {.b = x->b, .row = x->row, .n = 1};

    /* (send, sk) = keypair() */
    request.io = (lk_io){.seed = x->random, .ek_out = x->message_out, .dk_out = x->state};
    const int result = x->keypair(&request);
    if (result != LK_DONE) return result;

    /* (send + CRYPTO_PUBLICKEYBYTES, tk) = enc(pkb) */
    request.io = (lk_io){
        .coins = x->random + lk_total(s->seed), .ek = x->ek, .ct_out = x->message_out + s->ek, .ss = x->state + s->dk};
    return x->encaps(&request);
}

/* ---- sharedB ---- */

int lk_kex_reply(const lk_kex *x)
{
    const lk_sizes *s = &x->row->bytes;

    /* (send, buf) = enc(recv); AKE: (send + CRYPTO_CIPHERTEXTBYTES, buf + CRYPTO_BYTES) = enc(pka) */
    const uint8_t *const eks[] = {x->message, x->ek};
    int result = with_keys_of_a(x, LK_ENCAPS, eks);
    if (result != LK_DONE) return result;

    /* The last CRYPTO_BYTES of buf = dec(recv + CRYPTO_PUBLICKEYBYTES, skb) */
    const lk_request request = {
        .b = x->b,
        .row = x->row,
        .n = 1,
        .io = {.dk = x->dk, .ct = x->message + s->ek, .ss = x->secrets + x->kind * s->ss},
    };
    result = x->decaps(&request);
    if (result == LK_DONE) derive_key(x);
    return result;
}

/* ---- sharedA ---- */

int lk_kex_finish(const lk_kex *x)
{
    const lk_sizes *s = &x->row->bytes;

    /* buf = dec(recv, sk); AKE: buf + CRYPTO_BYTES = dec(recv + CRYPTO_CIPHERTEXTBYTES, ska) */
    const uint8_t *const dks[] = {x->state, x->dk};
    const int result = with_keys_of_a(x, LK_DECAPS, dks);
    if (result != LK_DONE) return result;

    /* The last CRYPTO_BYTES of buf = tk */
    memcpy(x->secrets + x->kind * s->ss, x->state + s->dk, s->ss);
    derive_key(x);
    return LK_DONE;
}
