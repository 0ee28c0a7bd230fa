/* The key exchanges UAKE and AKE: latkem/kex.h. Several operations of one kind on one side are one group, so that the
 * hashes share the lanes. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/kex.h>

#include "api/buffers.h"
#include "api/kem.h"
#include "base/wipe.h"
#include "base/workspace.h"
#include "scheme/kdf.h"

/* UAKE has one secret for the ephemeral key and one for B's; AKE has that for A's static key between them. */
enum { UAKE = 1, AKE = 2, SECRETS_MAX = 3 };

static size_t if_exchanges(const latkem_kem *kem, size_t bytes)
{
    return kem && kem->row->exchanges ? bytes : 0;
}

size_t latkem_kex_message1_bytes(const latkem_kem *kem)
{
    return if_exchanges(kem, lk_sizes_of(kem)->ek + lk_sizes_of(kem)->ct);
}

size_t latkem_uake_message2_bytes(const latkem_kem *kem)
{
    return if_exchanges(kem, UAKE * lk_sizes_of(kem)->ct);
}

size_t latkem_ake_message2_bytes(const latkem_kem *kem)
{
    return if_exchanges(kem, AKE * lk_sizes_of(kem)->ct);
}

size_t latkem_kex_state_bytes(const latkem_kem *kem)
{
    return if_exchanges(kem, lk_sizes_of(kem)->dk + lk_sizes_of(kem)->ss);
}

/* A side of an exchange: what it is given, what it makes, and its workspace. */
typedef struct {
    const latkem_kem *kem;
    const lk_backend *backend;
    const lk_sizes *sizes;
    size_t kind;                      /* UAKE or AKE: as many ciphertexts has message 2 */
    const uint8_t *message, *ek, *dk; /* the one that came; static keys: ek of the other side, dk of this one */
    uint8_t *message_out, *state, *key;
    lk_rng rng;
    uint8_t *random, *secrets;
    lk_kdf kdf;
} side;

static side begin(const latkem_kem *kem, size_t kind)
{
    return (side){.kem = kem, .backend = lk_backend_current(), .sizes = lk_sizes_of(kem), .kind = kind};
}

/* LATKEM_ERR_ARGUMENT for a set without exchanges, or what lk_check_buffers says. */
static int check(const latkem_kem *kem, const lk_buffer *buffers, size_t count, size_t outputs)
{
    return kem && kem->row->exchanges ? lk_check_buffers(buffers, count, outputs) : LATKEM_ERR_ARGUMENT;
}

/* Takes what makes the key of the secrets. */
static void take_secrets(side *s, lk_arena *arena)
{
    s->secrets = lk_take(arena, SECRETS_MAX * s->sizes->ss);
    s->kdf = lk_kdf_take(arena, s->backend, s->kem->row);
}

/* How many of the side's operations of a kind go into one request. */
static size_t together(const side *s, lk_kind kind)
{
    return lk_group(s->backend, s->kem->row, kind) < s->kind ? 1 : s->kind;
}

/* key = KDF(k1 || .. || secret of B's static key). */
static void derive_key(const side *s)
{
    lk_kdf_run(&s->kdf, s->key, s->secrets, (s->kind + 1) * s->sizes->ss);
}

/* ---- A starts ---- */

/* d and z of the ephemeral key pair, then m, as one draw. */
static void start_requests(const side *s, size_t requests[LK_REQUESTS_MAX])
{
    requests[0] = s->sizes->seed[0];
    requests[1] = s->sizes->seed[1];
    requests[2] = s->sizes->coins[0];
}

static void take_start(void *ctx, lk_arena *arena)
{
    side *s = ctx;
    s->random = lk_take(arena, lk_total(s->sizes->seed) + lk_total(s->sizes->coins));
}

/* Message 1 is ek || ct, and the state is dk || secret. */
static int run_start(void *ctx)
{
    const side *s = ctx;
    size_t requests[LK_REQUESTS_MAX];
    lk_request request = {.b = s->backend, .row = s->kem->row, .n = 1};
    start_requests(s, requests);
    if (lk_draw(s->backend, s->rng, s->random, requests, 1) != 0) return LATKEM_ERR_RNG;
    request.io = (lk_io){.seed = s->random, .ek_out = s->message_out, .dk_out = s->state};
    const int error = lk_error_of(lk_keypair_of(s->kem)(&request));
    if (error) return error;
    request.io = (lk_io){.coins = s->random + lk_total(s->sizes->seed),
                         .ek = s->ek,
                         .ct_out = s->message_out + s->sizes->ek,
                         .ss = s->state + s->sizes->dk};
    return lk_error_of(lk_encaps_of(s->kem)(&request));
}

int latkem_uake_start_rng(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                          size_t ek_b_len, latkem_rng_fn *fill, void *ctx)
{
    const size_t message_bytes = latkem_kex_message1_bytes(kem), state_bytes = latkem_kex_state_bytes(kem);
    const lk_buffer buffers[] = {{message1, message_bytes, message_bytes},
                                 {state, state_bytes, state_bytes},
                                 {ek_b, latkem_ek_bytes(kem), ek_b_len}};
    side s = begin(kem, UAKE);
    s.message_out = message1;
    s.state = state;
    s.ek = ek_b;
    s.rng = (lk_rng){fill, ctx};
    int error = fill ? check(kem, buffers, 3, 2) : LATKEM_ERR_ARGUMENT;
    if (!error) error = lk_with_workspace(take_start, run_start, &s);
    return error ? lk_answer(error, message1, message_bytes, state, state_bytes) : 0;
}

int latkem_uake_start(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b, size_t ek_b_len)
{
    return latkem_uake_start_rng(kem, message1, state, ek_b, ek_b_len, latkem_system_rng, NULL);
}

int latkem_ake_start_rng(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b, size_t ek_b_len,
                         latkem_rng_fn *fill, void *ctx)
{
    return latkem_uake_start_rng(kem, message1, state, ek_b, ek_b_len, fill, ctx);
}

int latkem_ake_start(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b, size_t ek_b_len)
{
    return latkem_uake_start(kem, message1, state, ek_b, ek_b_len);
}

/* ---- B replies ---- */

static void take_reply(void *ctx, lk_arena *arena)
{
    side *s = ctx;
    s->random = lk_take(arena, s->kind * lk_total(s->sizes->coins));
    take_secrets(s, arena);
}

/* Encapsulates to the ephemeral key, in AKE then to A's static key. */
static int encapsulate(const side *s)
{
    const uint8_t *const eks[] = {s->message, s->ek};
    const size_t n = together(s, LK_ENCAPS);
    int error = 0;
    for (size_t i = 0; i < s->kind && !error; i += n) {
        const lk_request request = {.b = s->backend,
                                    .row = s->kem->row,
                                    .n = n,
                                    .io = {.coins = s->random + i * lk_total(s->sizes->coins),
                                           .ct_out = s->message_out + i * s->sizes->ct,
                                           .ss = s->secrets + i * s->sizes->ss},
                                    .keys = eks + i};
        error = lk_error_of(lk_encaps_of(s->kem)(&request));
    }
    return error;
}

static int run_reply(void *ctx)
{
    const side *s = ctx;
    if (lk_draw(s->backend, s->rng, s->random, s->sizes->coins, s->kind) != 0) return LATKEM_ERR_RNG;
    int error = encapsulate(s);
    if (error) return error;
    const lk_request request = {
        .b = s->backend,
        .row = s->kem->row,
        .n = 1,
        .io = {.dk = s->dk, .ct = s->message + s->sizes->ek, .ss = s->secrets + s->kind * s->sizes->ss}};
    error = lk_error_of(lk_decaps_of(s->kem)(&request));
    if (!error) derive_key(s);
    return error;
}

/* Replies if the arguments are right. */
static int reply(side *s, int error)
{
    if (!error) error = s->rng.fill ? lk_with_workspace(take_reply, run_reply, s) : LATKEM_ERR_ARGUMENT;
    return error ? lk_answer(error, s->message_out, if_exchanges(s->kem, s->kind * s->sizes->ct), s->key,
                             LATKEM_KEX_KEY_BYTES)
                 : 0;
}

int latkem_uake_reply_rng(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                          size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, latkem_rng_fn *fill, void *ctx)
{
    const size_t out_bytes = latkem_uake_message2_bytes(kem);
    const lk_buffer buffers[] = {{message2, out_bytes, out_bytes},
                                 {key, LATKEM_KEX_KEY_BYTES, LATKEM_KEX_KEY_BYTES},
                                 {message1, latkem_kex_message1_bytes(kem), message1_len},
                                 {dk_b, latkem_dk_bytes(kem), dk_b_len}};
    side s = begin(kem, UAKE);
    s.message_out = message2;
    s.key = key;
    s.message = message1;
    s.dk = dk_b;
    s.rng = (lk_rng){fill, ctx};
    return reply(&s, check(kem, buffers, 4, 2));
}

int latkem_uake_reply(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                      size_t message1_len, const uint8_t *dk_b, size_t dk_b_len)
{
    return latkem_uake_reply_rng(kem, message2, key, message1, message1_len, dk_b, dk_b_len, latkem_system_rng, NULL);
}

int latkem_ake_reply_rng(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                         size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, const uint8_t *ek_a,
                         size_t ek_a_len, latkem_rng_fn *fill, void *ctx)
{
    const size_t out_bytes = latkem_ake_message2_bytes(kem);
    const lk_buffer buffers[] = {{message2, out_bytes, out_bytes},
                                 {key, LATKEM_KEX_KEY_BYTES, LATKEM_KEX_KEY_BYTES},
                                 {message1, latkem_kex_message1_bytes(kem), message1_len},
                                 {dk_b, latkem_dk_bytes(kem), dk_b_len},
                                 {ek_a, latkem_ek_bytes(kem), ek_a_len}};
    side s = begin(kem, AKE);
    s.message_out = message2;
    s.key = key;
    s.message = message1;
    s.dk = dk_b;
    s.ek = ek_a;
    s.rng = (lk_rng){fill, ctx};
    return reply(&s, check(kem, buffers, 5, 2));
}

int latkem_ake_reply(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                     size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, const uint8_t *ek_a, size_t ek_a_len)
{
    return latkem_ake_reply_rng(kem, message2, key, message1, message1_len, dk_b, dk_b_len, ek_a, ek_a_len,
                                latkem_system_rng, NULL);
}

/* ---- A finishes ---- */

static void take_finish(void *ctx, lk_arena *arena)
{
    side *s = ctx;
    take_secrets(s, arena);
}

/* Decapsulates with the ephemeral key, in AKE then with A's static key. */
static int decapsulate(const side *s)
{
    const uint8_t *const dks[] = {s->state, s->dk};
    const size_t n = together(s, LK_DECAPS);
    int error = 0;
    for (size_t i = 0; i < s->kind && !error; i += n) {
        const lk_request request = {.b = s->backend,
                                    .row = s->kem->row,
                                    .n = n,
                                    .io = {.ct = s->message + i * s->sizes->ct, .ss = s->secrets + i * s->sizes->ss},
                                    .keys = dks + i};
        error = lk_error_of(lk_decaps_of(s->kem)(&request));
    }
    return error;
}

static int run_finish(void *ctx)
{
    const side *s = ctx;
    const int error = decapsulate(s);
    if (error) return error;
    memcpy(s->secrets + s->kind * s->sizes->ss, s->state + s->sizes->dk, s->sizes->ss);
    derive_key(s);
    return 0;
}

/* Finishes if the arguments are right. The state serves once, whatever comes of it. */
static int finish(side *s, size_t state_len, int error)
{
    const size_t state_bytes = latkem_kex_state_bytes(s->kem);
    if (!error) error = lk_with_workspace(take_finish, run_finish, s);
    if (s->state && state_len == state_bytes) lk_wipe(s->state, state_bytes);
    return error ? lk_answer(error, s->key, LATKEM_KEX_KEY_BYTES, NULL, 0) : 0;
}

int latkem_uake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len,
                       uint8_t *state, size_t state_len)
{
    const lk_buffer buffers[] = {{key, LATKEM_KEX_KEY_BYTES, LATKEM_KEX_KEY_BYTES},
                                 {state, latkem_kex_state_bytes(kem), state_len},
                                 {message2, latkem_uake_message2_bytes(kem), message2_len}};
    side s = begin(kem, UAKE);
    s.key = key;
    s.state = state;
    s.message = message2;
    return finish(&s, state_len, check(kem, buffers, 3, 2));
}

int latkem_ake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len, uint8_t *state,
                      size_t state_len, const uint8_t *dk_a, size_t dk_a_len)
{
    const lk_buffer buffers[] = {{key, LATKEM_KEX_KEY_BYTES, LATKEM_KEX_KEY_BYTES},
                                 {state, latkem_kex_state_bytes(kem), state_len},
                                 {message2, latkem_ake_message2_bytes(kem), message2_len},
                                 {dk_a, latkem_dk_bytes(kem), dk_a_len}};
    side s = begin(kem, AKE);
    s.key = key;
    s.state = state;
    s.message = message2;
    s.dk = dk_a;
    return finish(&s, state_len, check(kem, buffers, 4, 2));
}
