/* The handshake's messages, token by token (ePrint 2022/539 section 4; the Noise Protocol Framework, section 5.3).
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/prepared.h>
#include <string.h>

#include "crypto/public.h"
#include "noise/session.h"

static lkp_piece piece(const uint8_t *at, size_t len)
{
    return (lkp_piece){at, len};
}

/* ---- Writing ---- */

static int encapsulate(const lkp_noise_call *c, uint8_t *ct, uint8_t *ss, const uint8_t *ek, lkp_noise_rng rng)
{
    if (!rng.fill) return latkem_encaps(c->suite.kem, ct, ss, ek, c->suite.ek);
    return latkem_encaps_rng(c->suite.kem, ct, ss, ek, c->suite.ek, rng.fill, rng.ctx);
}

/* e: (ekE, dkE) is made, ekE written in the clear. The responder sends none. */
static int write_e(lkp_noise_call *c, uint8_t **at, lkp_noise_rng rng)
{
    uint8_t *ek = *at, *dk = c->session->ephemeral.dk;
    *at += c->suite.ek;
    const int error = rng.fill ? latkem_keypair_rng(c->suite.kem, ek, dk, rng.fill, rng.ctx)
                               : latkem_keypair(c->suite.kem, ek, dk);
    lk_declassify(ek, c->suite.ek);
    lkp_declassify_dk(dk, c->suite.dk);
    return error ? error : lkp_noise_mix_hash(&c->suite, &c->session->symmetric, piece(ek, c->suite.ek));
}

static int write_encrypted(lkp_noise_call *c, uint8_t **at, const uint8_t *pt, size_t len)
{
    uint8_t *ct = *at;
    *at += len + (c->session->symmetric.keyed ? LKP_TAG_BYTES : 0);
    return lkp_noise_encrypt_and_hash(&c->suite, &c->session->symmetric, ct, pt, len);
}

/* ekem: ct in the clear, then MixKey. */
static int write_ekem(lkp_noise_call *c, uint8_t **at, uint8_t *ss, lkp_noise_rng rng)
{
    uint8_t *ct = *at;
    *at += c->suite.ct;
    int error = encapsulate(c, ct, ss, c->session->ephemeral.ek, rng);
    if (!error) error = lkp_noise_mix_hash(&c->suite, &c->session->symmetric, piece(ct, c->suite.ct));
    return error ? error : lkp_noise_mix_key(&c->suite, &c->session->symmetric, piece(ss, LATKEM_MLKEM_SS_BYTES));
}

/* skem: ct encrypted, then MixKeyAndHash. ct itself is nobody else's: it may reveal the key that it is for. */
static int write_skem(lkp_noise_call *c, uint8_t **at, uint8_t *ss, lkp_noise_rng rng)
{
    uint8_t ct[LATKEM_MLKEM_CT_MAX];
    int error = encapsulate(c, ct, ss, c->session->peer_ek, rng);
    if (!error) error = write_encrypted(c, at, ct, c->suite.ct);
    OPENSSL_cleanse(ct, sizeof ct);
    return error ? error
                 : lkp_noise_mix_key_and_hash(&c->suite, &c->session->symmetric, piece(ss, LATKEM_MLKEM_SS_BYTES));
}

int lkp_noise_write_tokens(lkp_noise_call *c, uint8_t *message, lkp_noise_rng rng)
{
    const uint8_t *tokens = c->suite.pattern->messages[c->session->message];
    uint8_t ss[LATKEM_MLKEM_SS_BYTES];
    int error = 0;
    for (size_t i = 0; i < LKP_NOISE_TOKENS && !error; i++) {
        switch (tokens[i]) {
        case LKP_E: error = write_e(c, &message, rng); break;
        case LKP_S: error = write_encrypted(c, &message, c->session->own_ek, c->suite.ek); break;
        case LKP_EKEM: error = write_ekem(c, &message, ss, rng); break;
        case LKP_SKEM: error = write_skem(c, &message, ss, rng); break;
        default: break;
        }
    }
    OPENSSL_cleanse(ss, sizeof ss);
    return error;
}

/* ---- Reading ---- */

/* e: the modulus is checked although nothing else depends on it yet. */
static int read_e(lkp_noise_call *c, const uint8_t **at)
{
    const uint8_t *ek = *at;
    *at += c->suite.ek;
    memcpy(c->session->ephemeral.ek, ek, c->suite.ek);
    const int error = lkp_noise_mix_hash(&c->suite, &c->session->symmetric, piece(ek, c->suite.ek));
    return error ? error : latkem_check_ek(c->suite.kem, ek, c->suite.ek);
}

static int read_encrypted(lkp_noise_call *c, const uint8_t **at, uint8_t *pt, size_t len)
{
    const uint8_t *ct = *at;
    *at += len + (c->session->symmetric.keyed ? LKP_TAG_BYTES : 0);
    return lkp_noise_decrypt_and_hash(&c->suite, &c->session->symmetric, pt, ct, len);
}

/* s: from here on the peer is known, if the payload's tag verifies. */
static int read_s(lkp_noise_call *c, const uint8_t **at)
{
    int error = read_encrypted(c, at, c->session->peer_ek, c->suite.ek);
    lk_declassify(c->session->peer_ek, c->suite.ek); /* hidden on the way, but an ek: its matrix takes any time */
    if (!error) error = latkem_check_ek(c->suite.kem, c->session->peer_ek, c->suite.ek);
    c->session->knows_peer = !error;
    return error;
}

static int read_ekem(lkp_noise_call *c, const uint8_t **at, uint8_t *ss)
{
    const uint8_t *ct = *at;
    *at += c->suite.ct;
    int error = latkem_decaps(c->suite.kem, ss, ct, c->suite.ct, c->session->ephemeral.dk, c->suite.dk);
    if (!error) error = lkp_noise_mix_hash(&c->suite, &c->session->symmetric, piece(ct, c->suite.ct));
    return error ? error : lkp_noise_mix_key(&c->suite, &c->session->symmetric, piece(ss, LATKEM_MLKEM_SS_BYTES));
}

static int read_skem(lkp_noise_call *c, const uint8_t **at, uint8_t *ss)
{
    uint8_t ct[LATKEM_MLKEM_CT_MAX];
    int error = read_encrypted(c, at, ct, c->suite.ct);
    if (!error) error = latkem_decaps_prepared(c->suite.kem, ss, ct, c->suite.ct, c->session->own_dk);
    OPENSSL_cleanse(ct, sizeof ct);
    return error ? error
                 : lkp_noise_mix_key_and_hash(&c->suite, &c->session->symmetric, piece(ss, LATKEM_MLKEM_SS_BYTES));
}

int lkp_noise_read_tokens(lkp_noise_call *c, const uint8_t *message)
{
    const uint8_t *tokens = c->suite.pattern->messages[c->session->message];
    uint8_t ss[LATKEM_MLKEM_SS_BYTES];
    int error = 0;
    for (size_t i = 0; i < LKP_NOISE_TOKENS && !error; i++) {
        switch (tokens[i]) {
        case LKP_E: error = read_e(c, &message); break;
        case LKP_S: error = read_s(c, &message); break;
        case LKP_EKEM: error = read_ekem(c, &message, ss); break;
        case LKP_SKEM: error = read_skem(c, &message, ss); break;
        default: break;
        }
    }
    OPENSSL_cleanse(ss, sizeof ss);
    return error;
}
