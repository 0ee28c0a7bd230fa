/* The arguments and sizes of latkem/incremental.h, and whole keys and ciphertexts made of their parts.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/incremental.h>

#include "api/kem.h"
#include "base/families.h"
#include "base/workspace.h"
#include "scheme/mlkem/params.h"
#include "shared/buffers.h"
#include "shared/wipe.h"

/* The scheme of every set that has parts. */
static lk_request_fn *const encaps1 = LK_IF(LK_HAS_MLKEM, lk_mlkem_encaps1);
static lk_request_fn *const encaps2 = LK_IF(LK_HAS_MLKEM, lk_mlkem_encaps2);
static lk_request_fn *const hash_ek = LK_IF(LK_HAS_MLKEM, lk_mlkem_hash_ek);

enum { RHO_BYTES = LK_MLKEM_HEADER_BYTES / 2, H_BYTES = LK_MLKEM_HEADER_BYTES / 2 };

static size_t if_parts(const latkem_kem *kem, size_t bytes)
{
    return lk_sizes_of(kem)->ct1 > 0 ? bytes : 0;
}

size_t latkem_header_bytes(const latkem_kem *kem)
{
    return if_parts(kem, LK_MLKEM_HEADER_BYTES);
}

size_t latkem_vector_bytes(const latkem_kem *kem)
{
    return if_parts(kem, lk_sizes_of(kem)->ek - RHO_BYTES);
}

size_t latkem_ct1_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->ct1;
}

size_t latkem_ct2_bytes(const latkem_kem *kem)
{
    return if_parts(kem, lk_sizes_of(kem)->ct - lk_sizes_of(kem)->ct1);
}

size_t latkem_encaps_state_bytes(const latkem_kem *kem)
{
    return if_parts(kem, LK_MLKEM_STATE_BYTES);
}

/* LATKEM_ERR_ARGUMENT for a set without parts, or what lk_check_buffers says. */
static int check(const latkem_kem *kem, const lk_buffer *buffers, size_t count, size_t outputs)
{
    return lk_sizes_of(kem)->ct1 > 0 ? lk_check_buffers(buffers, count, outputs) : LATKEM_ERR_ARGUMENT;
}

static lk_request begin(const latkem_kem *kem, lk_io io)
{
    return (lk_request){.b = lk_backend_current(), .row = kem->row, .n = 1, .io = io};
}

/* ---- Keys ---- */

int latkem_ek_split(const latkem_kem *kem, uint8_t *header, uint8_t *vector, const uint8_t *ek, size_t ek_len)
{
    const size_t vector_bytes = latkem_vector_bytes(kem);
    const lk_buffer buffers[] = {lk_buffer_of(header, latkem_header_bytes(kem)),
                                 lk_buffer_of(vector, vector_bytes),
                                 {ek, lk_sizes_of(kem)->ek, ek_len}};
    int result = check(kem, buffers, 3, 2);
    if (!result) {
        lk_request request = begin(kem, (lk_io){.ek = ek, .ss = header + RHO_BYTES});
        memcpy(vector, ek, vector_bytes);
        memcpy(header, ek + vector_bytes, RHO_BYTES);
        result = lk_ask(hash_ek, &request, 1, NULL, lk_again(header, 1, RHO_BYTES));
    }
    return lk_answer(result, header, latkem_header_bytes(kem), vector, vector_bytes);
}

/* Both hashes are public. */
static int join(const latkem_kem *kem, uint8_t *ek, const uint8_t *header, const uint8_t *vector)
{
    const size_t vector_bytes = latkem_vector_bytes(kem);
    uint8_t h[H_BYTES];
    lk_request request = begin(kem, (lk_io){.ek = ek, .ss = h});
    memcpy(ek, vector, vector_bytes);
    memcpy(ek + vector_bytes, header, RHO_BYTES);
    const int result = lk_ask(hash_ek, &request, 1, NULL, lk_again(h, 0, 0));
    return result == LK_DONE && memcmp(h, header + RHO_BYTES, H_BYTES) != 0 ? LATKEM_ERR_EK : result;
}

int latkem_ek_join(const latkem_kem *kem, uint8_t *ek, const uint8_t *header, size_t header_len, const uint8_t *vector,
                   size_t vector_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {lk_buffer_of(ek, s->ek),
                                 {header, latkem_header_bytes(kem), header_len},
                                 {vector, latkem_vector_bytes(kem), vector_len}};
    int result = check(kem, buffers, 3, 1);
    if (!result) result = join(kem, ek, header, vector);
    return lk_answer(result, ek, s->ek, NULL, 0);
}

/* ---- Encapsulation ---- */

/* Of the three outputs none stays with an error. */
static int answer1(int result, const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss)
{
    if (result != LK_DONE && state) memset(state, 0, latkem_encaps_state_bytes(kem));
    return lk_answer(result, ct1, latkem_ct1_bytes(kem), ss, lk_sizes_of(kem)->ss);
}

int latkem_encaps1_derand(const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss, const uint8_t *header,
                          size_t header_len, const uint8_t *coins, size_t coins_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {lk_buffer_of(state, latkem_encaps_state_bytes(kem)),
                                 lk_buffer_of(ct1, s->ct1),
                                 lk_buffer_of(ss, s->ss),
                                 {header, latkem_header_bytes(kem), header_len},
                                 {coins, lk_total(s->coins), coins_len}};
    int result = check(kem, buffers, 5, 3);
    if (!result) {
        lk_request request = begin(kem, (lk_io){.coins = coins, .part = header, .ct_out = ct1, .ss = ss});
        request.state = state;
        result = lk_ask(encaps1, &request, 1, lk_again(ct1, 0, 0), lk_again(ss, 0, 0));
    }
    return answer1(result, kem, state, ct1, ss);
}

/* A request without coins, and where they come from. */
typedef struct {
    lk_request request;
    lk_rng rng;
    uint8_t *coins;
} draw_call;

static void take_coins(void *ctx, lk_arena *arena)
{
    draw_call *c = ctx;
    c->coins = lk_take(arena, lk_total(c->request.row->bytes.coins));
}

static int draw_and_encaps1(void *ctx)
{
    const draw_call *c = ctx;
    lk_request request = c->request;
    const lk_io *io = &c->request.io;
    if (lk_draw(request.b, c->rng, c->coins, request.row->bytes.coins, 1) != 0) return LATKEM_ERR_RNG;
    request.io.coins = c->coins;
    return lk_ask(encaps1, &request, 1, lk_again(io->ct_out, 0, 0), lk_again(io->ss, 0, 0));
}

int latkem_encaps1_rng(const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss, const uint8_t *header,
                       size_t header_len, latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {lk_buffer_of(state, latkem_encaps_state_bytes(kem)),
                                 lk_buffer_of(ct1, s->ct1),
                                 lk_buffer_of(ss, s->ss),
                                 {header, latkem_header_bytes(kem), header_len}};
    int result = fill ? check(kem, buffers, 4, 3) : LATKEM_ERR_ARGUMENT;
    if (!result) {
        draw_call c = {begin(kem, (lk_io){.part = header, .ct_out = ct1, .ss = ss}), {fill, ctx}, NULL};
        c.request.state = state;
        result = lk_with_workspace(take_coins, draw_and_encaps1, &c);
    }
    return answer1(result, kem, state, ct1, ss);
}

int latkem_encaps1(const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss, const uint8_t *header,
                   size_t header_len)
{
    return latkem_encaps1_rng(kem, state, ct1, ss, header, header_len, latkem_system_rng, NULL);
}

/* A state that has made its ct2 is used up; with an error it waits for another vector. */
int latkem_encaps2(const latkem_kem *kem, uint8_t *ct2, void *state, const uint8_t *vector, size_t vector_len)
{
    const size_t ct2_bytes = latkem_ct2_bytes(kem), state_bytes = latkem_encaps_state_bytes(kem);
    const lk_buffer buffers[] = {
        lk_buffer_of(ct2, ct2_bytes), lk_buffer_of(state, state_bytes), {vector, latkem_vector_bytes(kem), vector_len}};
    int result = check(kem, buffers, 3, 2);
    if (!result) {
        lk_request request = begin(kem, (lk_io){.part = vector, .ct_out = ct2});
        request.state = state;
        result = lk_ask(encaps2, &request, 1, lk_again(ct2, 0, 0), NULL);
    }
    if (result == LK_DONE) lk_wipe(state, state_bytes);
    return lk_answer(result, ct2, ct2_bytes, NULL, 0);
}

void latkem_encaps_end(const latkem_kem *kem, void *state)
{
    if (state) lk_wipe(state, latkem_encaps_state_bytes(kem));
}

/* ---- Decapsulation ---- */

typedef struct {
    const latkem_kem *kem;
    uint8_t *ss;
    const uint8_t *ct1, *ct2, *dk;
    uint8_t *ct;
} decaps_call;

static void take_ct(void *ctx, lk_arena *arena)
{
    decaps_call *c = ctx;
    c->ct = lk_take(arena, lk_sizes_of(c->kem)->ct);
}

static int join_and_decaps(void *ctx)
{
    const decaps_call *c = ctx;
    const lk_sizes *s = lk_sizes_of(c->kem);
    lk_request request = begin(c->kem, (lk_io){.ct = c->ct, .dk = c->dk, .ss = c->ss});
    memcpy(c->ct, c->ct1, s->ct1);
    memcpy(c->ct + s->ct1, c->ct2, s->ct - s->ct1);
    return lk_ask(lk_decaps_of(c->kem), &request, 1, NULL, lk_again(c->ss, 0, 0));
}

int latkem_decaps_parts(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct1, size_t ct1_len, const uint8_t *ct2,
                        size_t ct2_len, const uint8_t *dk, size_t dk_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {
        lk_buffer_of(ss, s->ss), {ct1, s->ct1, ct1_len}, {ct2, latkem_ct2_bytes(kem), ct2_len}, {dk, s->dk, dk_len}};
    int result = check(kem, buffers, 4, 1);
    if (!result) {
        decaps_call c = {kem, ss, ct1, ct2, dk, NULL};
        result = lk_with_workspace(take_ct, join_and_decaps, &c);
    }
    return lk_answer(result, ss, s->ss, NULL, 0);
}
