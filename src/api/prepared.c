/* Prepared keys: a header that says what the storage holds, then the scheme's expanded key.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/prepared.h>
#include <stddef.h>

#include "api/kem.h"
#include "base/workspace.h"
#include "shared/buffers.h"

enum { EK = 1, DK = 2 };

/* The size keeps what follows on a cache line where the storage is, and aligned like max_align_t anyway. */
typedef union {
    struct {
        const latkem_kem *kem;
        const lk_backend *backend;
        int kind;
    } is;
    unsigned char size[LK_PREPARED_HEADER];
} header;

static void *body_of(void *prepared)
{
    return (header *)prepared + 1;
}

size_t latkem_prepared_ek_bytes(const latkem_kem *kem)
{
    return kem ? sizeof(header) + lk_sizes_of(kem)->prepared_ek : 0;
}

size_t latkem_prepared_dk_bytes(const latkem_kem *kem)
{
    return kem ? sizeof(header) + lk_sizes_of(kem)->prepared_dk : 0;
}

/* Writes the header last, when the key is known to be good; else nothing stays in the storage. */
static int seal(const latkem_kem *kem, const lk_backend *backend, void *prepared, size_t bytes, int kind, int result)
{
    const header h = {.is = {kem, backend, kind}};
    if (result == LK_DONE) memcpy(prepared, &h, sizeof h);
    return lk_answer(result, prepared, bytes, NULL, 0);
}

int latkem_prepare_ek(const latkem_kem *kem, void *prepared, const uint8_t *ek, size_t ek_len)
{
    const size_t bytes = latkem_prepared_ek_bytes(kem);
    const lk_backend *backend = lk_backend_current();
    const lk_buffer buffers[] = {lk_buffer_of(prepared, bytes), {ek, latkem_ek_bytes(kem), ek_len}};
    int result = kem ? lk_check_buffers(buffers, 2, 1) : LATKEM_ERR_ARGUMENT;
    if (!result) {
        const lk_request request = {
            .b = backend, .row = kem->row, .n = 1, .io = {.ek = ek}, .prepared_out = body_of(prepared)};
        result = lk_prepare_ek_of(kem)(&request);
    }
    return seal(kem, backend, prepared, bytes, EK, result);
}

int latkem_prepare_dk(const latkem_kem *kem, void *prepared, const uint8_t *dk, size_t dk_len)
{
    const size_t bytes = latkem_prepared_dk_bytes(kem);
    const lk_backend *backend = lk_backend_current();
    const lk_buffer buffers[] = {lk_buffer_of(prepared, bytes), {dk, latkem_dk_bytes(kem), dk_len}};
    int result = kem ? lk_check_buffers(buffers, 2, 1) : LATKEM_ERR_ARGUMENT;
    if (!result) {
        const lk_request request = {
            .b = backend, .row = kem->row, .n = 1, .io = {.dk = dk}, .prepared_out = body_of(prepared)};
        result = lk_prepare_dk_of(kem)(&request);
    }
    return seal(kem, backend, prepared, bytes, DK, result);
}

/* Opens prepared storage for reading; NULL if it is not of this set and kind. A writer of the storage must not choose
 * the functions that are called, so a backend in it has to be one that could have prepared it. */
static const void *open_prepared(const latkem_kem *kem, const void *prepared, int kind, const lk_backend **backend)
{
    header h;
    memcpy(&h, prepared, sizeof h);
    if (h.is.kem != kem || h.is.kind != kind || !lk_backend_known(h.is.backend)) return NULL;
    *backend = h.is.backend;
    return (const header *)prepared + 1;
}

typedef struct {
    const lk_backend *backend;
    const latkem_kem *kem;
    uint8_t *ct, *ss;
    const void *body;
    lk_rng rng;
    uint8_t *coins;
} encaps_call;

static void take_coins(void *ctx, lk_arena *arena)
{
    encaps_call *c = ctx;
    c->coins = lk_take(arena, lk_total(c->kem->row->bytes.coins));
}

static int draw_and_encaps(void *ctx)
{
    const encaps_call *c = ctx;
    if (lk_draw(c->backend, c->rng, c->coins, c->kem->row->bytes.coins, 1) != 0) return LATKEM_ERR_RNG;
    lk_request request = {
        .b = c->backend,
        .row = c->kem->row,
        .n = 1,
        .io = {.coins = c->coins, .ct_out = c->ct, .ss = c->ss},
        .prepared = c->body,
    };
    return lk_ask(lk_encaps_of(c->kem), &request, 1, lk_again(c->ct, 0, 0), lk_again(c->ss, 0, 0));
}

int latkem_encaps_prepared_rng(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const void *prepared_ek,
                               latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const size_t bytes = latkem_prepared_ek_bytes(kem);
    const lk_buffer buffers[] = {lk_buffer_of(ct, s->ct), lk_buffer_of(ss, s->ss), lk_buffer_of(prepared_ek, bytes)};
    encaps_call c = {NULL, kem, ct, ss, NULL, {fill, ctx}, NULL};
    if (!kem || !fill || lk_check_buffers(buffers, 3, 2) != 0)
        return lk_answer(LATKEM_ERR_ARGUMENT, ct, s->ct, ss, s->ss);
    c.body = open_prepared(kem, prepared_ek, EK, &c.backend);
    if (!c.body) return lk_answer(LATKEM_ERR_PREPARED, ct, s->ct, ss, s->ss);
    return lk_answer(lk_with_workspace(take_coins, draw_and_encaps, &c), ct, s->ct, ss, s->ss);
}

int latkem_encaps_prepared(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const void *prepared_ek)
{
    return latkem_encaps_prepared_rng(kem, ct, ss, prepared_ek, latkem_system_rng, NULL);
}

int latkem_decaps_prepared(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len,
                           const void *prepared_dk)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const size_t bytes = latkem_prepared_dk_bytes(kem);
    const lk_buffer buffers[] = {lk_buffer_of(ss, s->ss), {ct, s->ct, ct_len}, lk_buffer_of(prepared_dk, bytes)};
    const int error = kem ? lk_check_buffers(buffers, 3, 1) : LATKEM_ERR_ARGUMENT;
    const lk_backend *backend = NULL;
    if (error) return lk_answer(error, ss, s->ss, NULL, 0);
    const void *body = open_prepared(kem, prepared_dk, DK, &backend);
    if (!body) return lk_answer(LATKEM_ERR_PREPARED, ss, s->ss, NULL, 0);
    lk_request request = {.b = backend, .row = kem->row, .n = 1, .io = {.ct = ct, .ss = ss}, .prepared = body};
    return lk_answer(lk_ask(lk_decaps_of(kem), &request, 1, NULL, lk_again(ss, 0, 0)), ss, s->ss, NULL, 0);
}
