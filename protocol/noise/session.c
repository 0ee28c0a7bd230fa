/* Sessions: the calls of noise.h. SPDX-License-Identifier: Apache-2.0 */
#include "noise/session.h"

#include <latkem/derand.h>
#include <latkem/noise.h>
#include <latkem/prepared.h>
#include <string.h>

#include "call/output.h"
#include "crypto/public.h"

size_t latkem_noise_bytes(void)
{
    return sizeof(lkp_noise_session);
}

void latkem_noise_end(void *state)
{
    OPENSSL_cleanse(state, sizeof(lkp_noise_session));
}

static int stage_of(const lkp_noise_session *s)
{
    const int is_mine = s->message == s->role; /* the initiator writes message 0, the responder message 1 */
    if (s->alive != LKP_NOISE_ALIVE) return LATKEM_NOISE_DEAD;
    if (s->message < LKP_NOISE_MESSAGES) return is_mine ? LATKEM_NOISE_WRITE : LATKEM_NOISE_READ;
    if (s->exported) return LATKEM_NOISE_EXPORTED;
    return s->confirmed ? LATKEM_NOISE_READY : LATKEM_NOISE_UNCONFIRMED;
}

static int is_transport(const lkp_noise_session *s)
{
    return s->message >= LKP_NOISE_MESSAGES;
}

/* The suite of a session that is alive. Nothing else that lies in storage where none was started is used. */
static int find_suite(const lkp_noise_session *s, lkp_noise_suite *suite)
{
    if (s->alive != LKP_NOISE_ALIVE || s->role > LATKEM_NOISE_RESPONDER) return LATKEM_ERR_STATE;
    return lkp_noise_find(s->name, suite) ? 0 : LATKEM_ERR_STATE;
}

static lk_buffer session_buffer(const void *state)
{
    return lk_buffer_of(state, sizeof(lkp_noise_session));
}

/* ---- The start ---- */

/* The beginning of a session. */
typedef struct {
    const char *protocol;
    int role;
    lkp_piece prologue, own_dk, peer_ek;
} beginning;

/* Takes this side's static key; ek is its end but for H(ek) and z (FIPS 203 algorithm 16 step 3). */
static int take_own(const lkp_noise_call *c, const uint8_t *dk, size_t len)
{
    lkp_noise_session *s = c->session;
    uint8_t expanded[LATKEM_MLKEM_DK_MAX];
    if (len == latkem_seed_bytes(c->suite.kem)) {
        int error = latkem_keypair_derand(c->suite.kem, s->own_ek, expanded, dk, len);
        lk_declassify(s->own_ek, c->suite.ek);
        lkp_declassify_dk(expanded, c->suite.dk);
        if (!error) error = latkem_prepare_dk(c->suite.kem, s->own_dk, expanded, c->suite.dk);
        OPENSSL_cleanse(expanded, sizeof expanded);
        return error;
    }
    const int error = latkem_prepare_dk(c->suite.kem, s->own_dk, dk, len);
    if (!error) memcpy(s->own_ek, dk + c->suite.dk - 64 - c->suite.ek, c->suite.ek);
    return error;
}

static int take_peer(const lkp_noise_call *c, const uint8_t *ek, size_t len)
{
    const int error = latkem_check_ek(c->suite.kem, ek, len);
    if (!error) memcpy(c->session->peer_ek, ek, len);
    c->session->knows_peer = !error;
    return error;
}

/* MixHash of the prologue and of the static keys that are known beforehand, the initiator's first. */
static int mix_beginning(lkp_noise_call *c, lkp_piece prologue)
{
    lkp_noise_session *s = c->session;
    const int starts = s->role == LATKEM_NOISE_INITIATOR;
    const uint8_t *initiator = starts ? s->own_ek : s->peer_ek, *responder = starts ? s->peer_ek : s->own_ek;
    int error = lkp_noise_mix_hash(&c->suite, &s->symmetric, prologue);
    if (!error && c->suite.pattern->initiator_is_known)
        error = lkp_noise_mix_hash(&c->suite, &s->symmetric, (lkp_piece){initiator, c->suite.ek});
    return error ? error : lkp_noise_mix_hash(&c->suite, &s->symmetric, (lkp_piece){responder, c->suite.ek});
}

static int begin(lkp_noise_call *c, const beginning *b)
{
    lkp_noise_session *s = c->session;
    const int starts = b->role == LATKEM_NOISE_INITIATOR;
    if (!lkp_noise_parse(b->protocol, &s->name, &c->suite)) return LATKEM_ERR_ARGUMENT;
    const int wants_own = !starts || c->suite.pattern->initiator_has_key;
    const int wants_peer = starts || c->suite.pattern->initiator_is_known;
    if ((b->own_dk.at != NULL) != wants_own || (b->peer_ek.at != NULL) != wants_peer) return LATKEM_ERR_ARGUMENT;

    s->role = (uint8_t)b->role;
    int error = wants_own ? take_own(c, b->own_dk.at, b->own_dk.len) : 0;
    if (!error && wants_peer) error = take_peer(c, b->peer_ek.at, b->peer_ek.len);
    if (!error) error = lkp_noise_initialize(&c->suite, &s->symmetric, b->protocol);
    return error ? error : mix_beginning(c, b->prologue);
}

int latkem_noise_start(void *state, const char *protocol, int role, const uint8_t *prologue, size_t prologue_len,
                       const uint8_t *own_dk, size_t own_dk_len, const uint8_t *peer_ek, size_t peer_ek_len)
{
    const beginning b = {.protocol = protocol,
                         .role = role,
                         .prologue = {prologue, prologue_len},
                         .own_dk = {own_dk, own_dk ? own_dk_len : 0},
                         .peer_ek = {peer_ek, peer_ek ? peer_ek_len : 0}};
    const lk_buffer buffers[] = {session_buffer(state), lk_buffer_of(b.prologue.at, b.prologue.len),
                                 lk_buffer_of(b.own_dk.at, b.own_dk.len), lk_buffer_of(b.peer_ek.at, b.peer_ek.len)};
    lkp_noise_call c = {.session = state};
    if (!state) return LATKEM_ERR_ARGUMENT;
    int error = lk_check_buffers(buffers, 4, 1);
    if (!protocol || (role != LATKEM_NOISE_INITIATOR && role != LATKEM_NOISE_RESPONDER)) error = LATKEM_ERR_ARGUMENT;
    latkem_noise_end(state);
    if (!error) error = begin(&c, &b);
    if (error) latkem_noise_end(state);
    if (!error) c.session->alive = LKP_NOISE_ALIVE;
    return error;
}

/* ---- Messages ---- */

/* The arguments of a message's call: a text that is read, and one that is written. */
typedef struct {
    const uint8_t *in;
    size_t in_len;
    lkp_output out;
} texts;

static texts make_texts(const void *state, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    return (texts){in, in_len, lkp_output_of(session_buffer(state), out, out_len)};
}

static int check_texts(const texts *t)
{
    const lk_buffer buffers[] = {t->out.object, lkp_length_of(t->out), lkp_bytes_of(t->out),
                                 lk_buffer_of(t->in, t->in_len)};
    return lk_check_buffers(buffers, 4, 3);
}

/* The handshake is over: what it needed goes, the keys of the transport come. */
static int finish(lkp_noise_call *c)
{
    lkp_noise_session *s = c->session;
    const int error = lkp_noise_split(&c->suite, &s->symmetric, s->keys);
    OPENSSL_cleanse(s->symmetric.ck, sizeof s->symmetric.ck);
    OPENSSL_cleanse(s->symmetric.k, sizeof s->symmetric.k);
    OPENSSL_cleanse(&s->ephemeral, sizeof s->ephemeral);
    OPENSSL_cleanse(s->own_dk, sizeof s->own_dk);
    s->confirmed = s->role == LATKEM_NOISE_INITIATOR || !c->suite.pattern->initiator_has_key;
    return error;
}

static int end_message(lkp_noise_call *c)
{
    c->session->message++;
    return is_transport(c->session) ? finish(c) : 0;
}

static int write_handshake(lkp_noise_call *c, const texts *t, size_t overhead, lkp_noise_rng rng)
{
    int error = lkp_noise_write_tokens(c, t->out.at, rng);
    if (!error)
        error = lkp_noise_encrypt_and_hash(&c->suite, &c->session->symmetric, t->out.at + overhead - LKP_TAG_BYTES,
                                           t->in, t->in_len);
    return error ? error : end_message(c);
}

static int read_handshake(lkp_noise_call *c, const texts *t, size_t overhead)
{
    int error = lkp_noise_read_tokens(c, t->in);
    if (!error)
        error = lkp_noise_decrypt_and_hash(&c->suite, &c->session->symmetric, t->out.at,
                                           t->in + overhead - LKP_TAG_BYTES, t->in_len - overhead);
    return error ? error : end_message(c);
}

/* The direction of a transport message: 0 from the initiator, 1 from the responder. */
static int write_transport(lkp_noise_call *c, const texts *t, size_t direction)
{
    uint8_t nonce[LKP_NONCE_BYTES];
    lkp_noise_session *s = c->session;
    lkp_noise_nonce(&c->suite, nonce, s->counters[direction]);
    const int error = lkp_aead_seal(c->suite.aead, t->out.at, s->keys[direction], nonce, (lkp_piece){NULL, 0}, t->in,
                                    t->in_len);
    if (!error) s->counters[direction]++;
    return error;
}

static int read_transport(lkp_noise_call *c, const texts *t, size_t direction)
{
    uint8_t nonce[LKP_NONCE_BYTES];
    lkp_noise_session *s = c->session;
    lkp_noise_nonce(&c->suite, nonce, s->counters[direction]);
    const int error = lkp_aead_open(c->suite.aead, t->out.at, s->keys[direction], nonce, (lkp_piece){NULL, 0}, t->in,
                                    t->in_len - LKP_TAG_BYTES);
    if (error) return error;
    s->counters[direction]++;
    s->confirmed = 1;
    return 0;
}

/* Whether a message can be written or read now. Nonces of exported keys are the caller's to count. A counter's last value is never used (section 5.1). */
static int check_turn(const lkp_noise_session *s, int stage, size_t direction)
{
    if (s->exported) return LATKEM_ERR_STATE;
    if (is_transport(s)) return s->counters[direction] == UINT64_MAX ? LATKEM_ERR_STATE : 0;
    return stage_of(s) == stage ? 0 : LATKEM_ERR_STATE;
}

static size_t next_overhead(const lkp_noise_call *c)
{
    return is_transport(c->session) ? LKP_TAG_BYTES : lkp_noise_overhead(&c->suite, c->session->message);
}

static int write_message(lkp_noise_session *s, const texts *t, lkp_noise_rng rng)
{
    lkp_noise_call c = {.session = s};
    int error = find_suite(s, &c.suite);
    if (!error) error = check_turn(s, LATKEM_NOISE_WRITE, s->role);
    if (error) return lkp_refuse(error, t->out, 0);
    const size_t overhead = next_overhead(&c);
    if (t->in_len > LATKEM_NOISE_MESSAGE_MAX - overhead) return lkp_refuse(LATKEM_ERR_LENGTH, t->out, 0);
    if (t->out.capacity < overhead + t->in_len) return lkp_refuse(LATKEM_ERR_LENGTH, t->out, overhead + t->in_len);
    error = is_transport(s) ? write_transport(&c, t, s->role) : write_handshake(&c, t, overhead, rng);
    if (error) latkem_noise_end(s);
    if (error) return lkp_refuse(error, t->out, 0);
    *t->out.len = overhead + t->in_len;
    return 0;
}

/* The end of a call on a message. */
static int done(int error)
{
    lkp_wipe_below();
    return error;
}

int latkem_noise_write_rng(void *state, uint8_t *message, size_t *message_len, const uint8_t *payload,
                           size_t payload_len, latkem_rng_fn *fill, void *ctx)
{
    const texts t = make_texts(state, payload, payload_len, message, message_len);
    const int error = fill ? check_texts(&t) : LATKEM_ERR_ARGUMENT;
    return done(error ? lkp_refuse(error, t.out, 0) : write_message(state, &t, (lkp_noise_rng){fill, ctx}));
}

int latkem_noise_write(void *state, uint8_t *message, size_t *message_len, const uint8_t *payload, size_t payload_len)
{
    const texts t = make_texts(state, payload, payload_len, message, message_len);
    const int error = check_texts(&t);
    return done(error ? lkp_refuse(error, t.out, 0) : write_message(state, &t, (lkp_noise_rng){NULL, NULL}));
}

/* A handshake is over with the first message that is wrong; a transport message that is wrong is as if it had not
 * come. */
static int read_message(lkp_noise_session *s, const texts *t)
{
    lkp_noise_call c = {.session = s};
    int error = find_suite(s, &c.suite);
    if (!error) error = check_turn(s, LATKEM_NOISE_READ, !s->role);
    if (error) return lkp_refuse(error, t->out, 0);
    const int transport = is_transport(s);
    const size_t overhead = next_overhead(&c);
    const int fits = t->in_len >= overhead && t->in_len <= LATKEM_NOISE_MESSAGE_MAX;
    if (fits && t->out.capacity < t->in_len - overhead)
        return lkp_refuse(LATKEM_ERR_LENGTH, t->out, t->in_len - overhead);
    error = LATKEM_ERR_LENGTH;
    if (fits) error = transport ? read_transport(&c, t, !s->role) : read_handshake(&c, t, overhead);
    if (error && (!transport || error == LATKEM_ERR_CRYPTO)) latkem_noise_end(s);
    if (error) return lkp_refuse(error, t->out, 0);
    *t->out.len = t->in_len - overhead;
    return 0;
}

int latkem_noise_read(void *state, uint8_t *payload, size_t *payload_len, const uint8_t *message, size_t message_len)
{
    const texts t = make_texts(state, message, message_len, payload, payload_len);
    const int error = check_texts(&t);
    return done(error ? lkp_refuse(error, t.out, 0) : read_message(state, &t));
}

/* ---- What is known of a session ---- */

size_t latkem_noise_overhead(const void *state)
{
    const lkp_noise_session *s = state;
    lkp_noise_suite suite;
    if (!s || find_suite(s, &suite) != 0 || s->exported) return 0;
    return is_transport(s) ? LKP_TAG_BYTES : lkp_noise_overhead(&suite, s->message);
}

int latkem_noise_stage(const void *state)
{
    return state ? stage_of(state) : LATKEM_NOISE_DEAD;
}

int latkem_noise_peer_ek(const void *state, uint8_t *ek, size_t ek_len)
{
    const lkp_noise_session *s = state;
    const lkp_output out = lkp_fixed_output(session_buffer(state), ek, ek_len);
    const lk_buffer buffers[] = {lkp_bytes_of(out), out.object};
    lkp_noise_suite suite;
    int error = lk_check_buffers(buffers, 2, 1);
    if (!error) error = find_suite(s, &suite);
    if (!error && !s->knows_peer) error = LATKEM_ERR_STATE;
    if (!error && ek_len != suite.ek) error = LATKEM_ERR_LENGTH;
    if (error) return lkp_refuse(error, out, 0);
    memcpy(ek, s->peer_ek, ek_len);
    return 0;
}

/* The suite of a session after its handshake. */
static int find_finished(const lkp_noise_session *s, lkp_noise_suite *suite)
{
    const int error = find_suite(s, suite);
    return !error && !is_transport(s) ? LATKEM_ERR_STATE : error;
}

int latkem_noise_hash(const void *state, uint8_t *hash, size_t *hash_len)
{
    const lkp_noise_session *s = state;
    const texts t = make_texts(state, NULL, 0, hash, hash_len);
    lkp_noise_suite suite;
    int error = check_texts(&t);
    if (!error) error = find_finished(s, &suite);
    if (error) return lkp_refuse(error, t.out, 0);
    if (t.out.capacity < suite.hash->bytes) return lkp_refuse(LATKEM_ERR_LENGTH, t.out, suite.hash->bytes);
    memcpy(hash, s->symmetric.h, suite.hash->bytes);
    *hash_len = suite.hash->bytes;
    return 0;
}

int latkem_noise_keys(void *state, uint8_t i2r[32], uint8_t r2i[32])
{
    lkp_noise_session *s = state;
    const lkp_output out1 = lkp_fixed_output(session_buffer(state), i2r, LKP_NOISE_KEY_BYTES);
    const lkp_output out2 = lkp_fixed_output(session_buffer(state), r2i, LKP_NOISE_KEY_BYTES);
    const lk_buffer buffers[] = {lkp_bytes_of(out1), lkp_bytes_of(out2), out1.object};
    lkp_noise_suite suite;
    int error = lk_check_buffers(buffers, 3, 2);
    if (!error) error = find_finished(s, &suite);
    if (!error && (s->exported || s->counters[0] != 0 || s->counters[1] != 0)) error = LATKEM_ERR_STATE;
    if (error) return lkp_refuse(lkp_refuse(error, out1, 0), out2, 0);
    memcpy(i2r, s->keys[0], LKP_NOISE_KEY_BYTES);
    memcpy(r2i, s->keys[1], LKP_NOISE_KEY_BYTES);
    OPENSSL_cleanse(s->keys, sizeof s->keys);
    s->exported = 1;
    return 0;
}
