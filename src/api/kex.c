/* The arguments and sizes of latkem/kex.h; scheme/kex.c has the exchanges. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/kex.h>

#include "api/kem.h"
#include "base/workspace.h"
#include "scheme/kex.h"
#include "shared/buffers.h"
#include "shared/wipe.h"

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
    return if_exchanges(kem, LK_UAKE * lk_sizes_of(kem)->ct);
}

size_t latkem_ake_message2_bytes(const latkem_kem *kem)
{
    return if_exchanges(kem, LK_AKE * lk_sizes_of(kem)->ct);
}

size_t latkem_kex_state_bytes(const latkem_kem *kem)
{
    return if_exchanges(kem, lk_sizes_of(kem)->dk + lk_sizes_of(kem)->ss);
}

/* A call: its side of the exchange, and the random bytes that this side draws. */
typedef struct {
    const latkem_kem *kem;
    lk_kex kex;
    int (*step)(const lk_kex *kex);
    lk_rng rng;
    const size_t *requests; /* of one draw */
    size_t draws;
} call;

static call begin(const latkem_kem *kem, size_t kind)
{
    return (call){.kem = kem, .kex = {.b = lk_backend_current(), .row = kem ? kem->row : NULL, .kind = kind}};
}

/* LATKEM_ERR_ARGUMENT for a set without exchanges, or what lk_check_buffers says. */
static int check(const latkem_kem *kem, const lk_buffer *buffers, size_t count, size_t outputs)
{
    return kem && kem->row->exchanges ? lk_check_buffers(buffers, count, outputs) : LATKEM_ERR_ARGUMENT;
}

/* Only start makes no key. */
static void take(void *ctx, lk_arena *arena)
{
    call *c = ctx;
    if (c->draws > 0) c->kex.random = lk_take(arena, c->draws * lk_total(c->requests));
    if (c->kex.key) lk_kex_take(&c->kex, arena);
}

static int draw_and_run(void *ctx)
{
    const call *c = ctx;
    if (c->draws > 0 && lk_draw(c->kex.b, c->rng, c->kex.random, c->requests, c->draws) != 0) return LATKEM_ERR_RNG;
    return c->step(&c->kex);
}

/* ---- A starts ---- */

/* Starts if the arguments are right: d and z of the ephemeral key pair, then m, are one draw. */
static int start(call *c, int result)
{
    const lk_sizes *s = lk_sizes_of(c->kem);
    const size_t requests[LK_REQUESTS_MAX] = {s->seed[0], s->seed[1], s->coins[0]};
    if (!result) {
        c->step = lk_kex_start;
        c->kex.keypair = lk_keypair_of(c->kem);
        c->kex.encaps = lk_encaps_of(c->kem);
        c->requests = requests;
        c->draws = 1;
        result = lk_with_workspace(take, draw_and_run, c);
    }
    return lk_answer(result, c->kex.message_out, latkem_kex_message1_bytes(c->kem), c->kex.state,
                     latkem_kex_state_bytes(c->kem));
}

int latkem_uake_start_rng(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                          size_t ek_b_len, latkem_rng_fn *fill, void *ctx)
{
    const size_t message_bytes = latkem_kex_message1_bytes(kem), state_bytes = latkem_kex_state_bytes(kem);
    const lk_buffer buffers[] = {lk_buffer_of(message1, message_bytes),
                                 lk_buffer_of(state, state_bytes),
                                 {ek_b, latkem_ek_bytes(kem), ek_b_len}};
    call c = begin(kem, LK_UAKE);
    c.kex.message_out = message1;
    c.kex.state = state;
    c.kex.ek = ek_b;
    c.rng = (lk_rng){fill, ctx};
    return start(&c, fill ? check(kem, buffers, 3, 2) : LATKEM_ERR_ARGUMENT);
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

/* Replies if the arguments are right. */
static int reply(call *c, int result)
{
    if (!result && !c->rng.fill) result = LATKEM_ERR_ARGUMENT;
    if (!result) {
        c->step = lk_kex_reply;
        c->kex.encaps = lk_encaps_of(c->kem);
        c->kex.decaps = lk_decaps_of(c->kem);
        c->requests = lk_sizes_of(c->kem)->coins;
        c->draws = c->kex.kind;
        result = lk_with_workspace(take, draw_and_run, c);
    }
    return lk_answer(result, c->kex.message_out, if_exchanges(c->kem, c->kex.kind * lk_sizes_of(c->kem)->ct),
                     c->kex.key, LATKEM_KEX_KEY_BYTES);
}

int latkem_uake_reply_rng(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                          size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, latkem_rng_fn *fill, void *ctx)
{
    const size_t out_bytes = latkem_uake_message2_bytes(kem);
    const lk_buffer buffers[] = {lk_buffer_of(message2, out_bytes),
                                 lk_buffer_of(key, LATKEM_KEX_KEY_BYTES),
                                 {message1, latkem_kex_message1_bytes(kem), message1_len},
                                 {dk_b, latkem_dk_bytes(kem), dk_b_len}};
    call c = begin(kem, LK_UAKE);
    c.kex.message_out = message2;
    c.kex.key = key;
    c.kex.message = message1;
    c.kex.dk = dk_b;
    c.rng = (lk_rng){fill, ctx};
    return reply(&c, check(kem, buffers, 4, 2));
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
    const lk_buffer buffers[] = {lk_buffer_of(message2, out_bytes),
                                 lk_buffer_of(key, LATKEM_KEX_KEY_BYTES),
                                 {message1, latkem_kex_message1_bytes(kem), message1_len},
                                 {dk_b, latkem_dk_bytes(kem), dk_b_len},
                                 {ek_a, latkem_ek_bytes(kem), ek_a_len}};
    call c = begin(kem, LK_AKE);
    c.kex.message_out = message2;
    c.kex.key = key;
    c.kex.message = message1;
    c.kex.dk = dk_b;
    c.kex.ek = ek_a;
    c.rng = (lk_rng){fill, ctx};
    return reply(&c, check(kem, buffers, 5, 2));
}

int latkem_ake_reply(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                     size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, const uint8_t *ek_a, size_t ek_a_len)
{
    return latkem_ake_reply_rng(kem, message2, key, message1, message1_len, dk_b, dk_b_len, ek_a, ek_a_len,
                                latkem_system_rng, NULL);
}

/* ---- A finishes ---- */

/* Finishes if the arguments are right. The state serves once, whatever comes of it. */
static int finish(call *c, size_t state_len, int result)
{
    const size_t state_bytes = latkem_kex_state_bytes(c->kem);
    if (!result) {
        c->step = lk_kex_finish;
        c->kex.decaps = lk_decaps_of(c->kem);
        result = lk_with_workspace(take, draw_and_run, c);
    }
    if (c->kex.state && state_len == state_bytes) lk_wipe(c->kex.state, state_bytes);
    return lk_answer(result, c->kex.key, LATKEM_KEX_KEY_BYTES, NULL, 0);
}

int latkem_uake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len,
                       uint8_t *state, size_t state_len)
{
    const lk_buffer buffers[] = {lk_buffer_of(key, LATKEM_KEX_KEY_BYTES),
                                 {state, latkem_kex_state_bytes(kem), state_len},
                                 {message2, latkem_uake_message2_bytes(kem), message2_len}};
    call c = begin(kem, LK_UAKE);
    c.kex.key = key;
    c.kex.state = state;
    c.kex.message = message2;
    return finish(&c, state_len, check(kem, buffers, 3, 2));
}

int latkem_ake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len, uint8_t *state,
                      size_t state_len, const uint8_t *dk_a, size_t dk_a_len)
{
    const lk_buffer buffers[] = {lk_buffer_of(key, LATKEM_KEX_KEY_BYTES),
                                 {state, latkem_kex_state_bytes(kem), state_len},
                                 {message2, latkem_ake_message2_bytes(kem), message2_len},
                                 {dk_a, latkem_dk_bytes(kem), dk_a_len}};
    call c = begin(kem, LK_AKE);
    c.kex.key = key;
    c.kex.state = state;
    c.kex.message = message2;
    c.kex.dk = dk_a;
    return finish(&c, state_len, check(kem, buffers, 4, 2));
}
