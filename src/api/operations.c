/* The operations of the public API: argument checks, randomness, and groups of batches. SPDX-License-Identifier:
 * Apache-2.0 */
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>

#include "api/kem.h"
#include "base/workspace.h"
#include "shared/buffers.h"
#include "shared/ct.h"

typedef struct {
    const lk_backend *backend;
    const latkem_kem *kem;
    const lk_sizes *sizes;
    size_t n;
    uint8_t *out1, *out2; /* eks and dks, or cts and sss */
    size_t out1_bytes, out2_bytes;
    const uint8_t *eks;
    const size_t *requests; /* sizes->seed or sizes->coins */
    lk_rng rng;
    uint8_t *random; /* of a group */
} random_call;

static size_t group_size(const random_call *c, size_t done)
{
    const size_t most = lk_group(c->backend, c->kem->row, c->eks ? LK_ENCAPS : LK_KEYPAIR);
    return c->n - done < most ? c->n - done : most;
}

/* Draws the randomness of one group and runs it; returns LK_DONE, LATKEM_ERR_RNG or the group's first error. */
static int run_group(const random_call *c, size_t done, size_t n)
{
    lk_request request = {.b = c->backend, .row = c->kem->row, .n = n};
    uint8_t *out1 = c->out1 + done * c->out1_bytes, *out2 = c->out2 + done * c->out2_bytes;
    const uint8_t *to1 = lk_again(c->out1, done, c->out1_bytes), *to2 = lk_again(c->out2, done, c->out2_bytes);
    if (lk_draw(c->backend, c->rng, c->random, c->requests, n) != 0) return LATKEM_ERR_RNG;
    if (!c->eks) {
        request.io = (lk_io){.seed = c->random, .ek_out = out1, .dk_out = out2};
        return lk_ask(lk_keypair_of(c->kem), &request, n, to1, to2);
    }
    request.io = (lk_io){.coins = c->random, .ek = c->eks + done * c->sizes->ek, .ct_out = out1, .ss = out2};
    return lk_ask(lk_encaps_of(c->kem), &request, n, to1, to2);
}

static void take_random(void *ctx, lk_arena *arena)
{
    random_call *c = ctx;
    c->random = lk_take(arena, group_size(c, 0) * lk_total(c->requests));
}

/* The result of a call's groups so far. */
typedef struct {
    size_t good; /* operations of groups without an error, as long as no result is another */
    int first;   /* the first error, or 0 */
} outcome;

/* The number comes of the result itself, so that no place counts a group that did not run. */
static void record(outcome *o, int result, size_t n)
{
    o->good += n + lk_barrier((uint32_t)result) - LK_DONE;
    if (result != LK_DONE && !o->first) o->first = result;
}

/* Of n operations; 0 of none, so that a call for one that has lost it is no success. */
static int result_of(const outcome *o, size_t n)
{
    return n > 0 && o->good == n && !o->first ? LK_DONE : o->first;
}

static int run_groups(void *ctx)
{
    const random_call *c = ctx;
    outcome o = {0, 0};
    for (size_t done = 0, n; done < c->n; done += n) {
        n = group_size(c, done);
        const int result = run_group(c, done, n);
        if (result == LATKEM_ERR_RNG) return result;
        record(&o, result, n);
    }
    return result_of(&o, c->n);
}

/* Runs the call in a workspace that holds the randomness of one group. If the generator fails, no output stays. */
static int run_random(random_call *c)
{
    if (c->n == 0) return 0;
    const int result = lk_with_workspace(take_random, run_groups, c);
    if (result == LATKEM_ERR_RNG) lk_answer(result, c->out1, c->n * c->out1_bytes, c->out2, c->n * c->out2_bytes);
    return result;
}

/* Whether there can be arrays of n objects of a set. A division, of public numbers alone. */
static int possible(const lk_sizes *s, size_t n)
{
    size_t largest = s->ek > s->dk ? s->ek : s->dk;
    if (s->ct > largest) largest = s->ct;
    return n <= 1 || n <= PTRDIFF_MAX / largest;
}

/* n objects of so many bytes each, the right number. */
static lk_buffer array(const void *at, size_t n, size_t bytes)
{
    return lk_buffer_of(at, n * bytes);
}

/* The operations on n objects leave the outputs alone when they refuse their arguments, because n may be wrong.
 * Those on one object zero them as after any failure. The functions here return LK_DONE, an error, or 0 for none. */

/* The answer of a batch of n. After a fault nobody knows which outputs are complete, and none stays. */
static int batch_answer(int result, size_t n, void *out1, size_t each1, void *out2, size_t each2)
{
    const int is_other_error = LATKEM_ERR_FAULT < result && result < 0; /* LATKEM_ERR_FAULT is the least */
    if (n == 0 && result == 0) return 0;
    return is_other_error ? result : lk_answer(result, out1, n * each1, out2, n * each2);
}

static int keypairs(const latkem_kem *kem, size_t n, uint8_t *eks, uint8_t *dks, latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    if (!kem || !fill || !possible(s, n)) return LATKEM_ERR_ARGUMENT;
    const lk_buffer buffers[] = {array(eks, n, s->ek), array(dks, n, s->dk)};
    const int error = lk_check_buffers(buffers, 2, 2);
    if (error) return error;
    random_call c = {lk_backend_current(), kem, s, n, eks, dks, s->ek, s->dk, NULL, s->seed, {fill, ctx}, NULL};
    return run_random(&c);
}

static int encapsulations(const latkem_kem *kem, size_t n, uint8_t *cts, uint8_t *sss, const uint8_t *eks,
                          latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    if (!kem || !fill || !possible(s, n)) return LATKEM_ERR_ARGUMENT;
    const lk_buffer buffers[] = {array(cts, n, s->ct), array(sss, n, s->ss), array(eks, n, s->ek)};
    const int error = lk_check_buffers(buffers, 3, 2);
    if (error) return error;
    random_call c = {lk_backend_current(), kem, s, n, cts, sss, s->ct, s->ss, eks, s->coins, {fill, ctx}, NULL};
    return run_random(&c);
}

int latkem_keypair_rng(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    return lk_answer(keypairs(kem, 1, ek, dk, fill, ctx), ek, s->ek, dk, s->dk);
}

int latkem_keypair(const latkem_kem *kem, uint8_t *ek, uint8_t *dk)
{
    return latkem_keypair_rng(kem, ek, dk, latkem_system_rng, NULL);
}

int latkem_keypair_batch_rng(const latkem_kem *kem, size_t n, uint8_t *eks, uint8_t *dks, latkem_rng_fn *fill,
                             void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    return batch_answer(keypairs(kem, n, eks, dks, fill, ctx), n, eks, s->ek, dks, s->dk);
}

int latkem_keypair_batch(const latkem_kem *kem, size_t n, uint8_t *eks, uint8_t *dks)
{
    return latkem_keypair_batch_rng(kem, n, eks, dks, latkem_system_rng, NULL);
}

int latkem_keypair_derand(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, const uint8_t *seed, size_t seed_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {array(ek, 1, s->ek), array(dk, 1, s->dk), {seed, lk_total(s->seed), seed_len}};
    const int error = kem ? lk_check_buffers(buffers, 3, 2) : LATKEM_ERR_ARGUMENT;
    if (error) return lk_answer(error, ek, s->ek, dk, s->dk);
    lk_request request = {
        .b = lk_backend_current(), .row = kem->row, .n = 1, .io = {.seed = seed, .ek_out = ek, .dk_out = dk}};
    return lk_answer(lk_ask(lk_keypair_of(kem), &request, 1, lk_again(ek, 0, 0), lk_again(dk, 0, 0)), ek, s->ek, dk,
                     s->dk);
}

int latkem_encaps_rng(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                      latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    if (kem && ek && ek_len != s->ek) return lk_answer(LATKEM_ERR_LENGTH, ct, s->ct, ss, s->ss);
    return lk_answer(encapsulations(kem, 1, ct, ss, ek, fill, ctx), ct, s->ct, ss, s->ss);
}

int latkem_encaps(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len)
{
    return latkem_encaps_rng(kem, ct, ss, ek, ek_len, latkem_system_rng, NULL);
}

int latkem_encaps_batch_rng(const latkem_kem *kem, size_t n, uint8_t *cts, uint8_t *sss, const uint8_t *eks,
                            latkem_rng_fn *fill, void *ctx)
{
    const lk_sizes *s = lk_sizes_of(kem);
    return batch_answer(encapsulations(kem, n, cts, sss, eks, fill, ctx), n, cts, s->ct, sss, s->ss);
}

int latkem_encaps_batch(const latkem_kem *kem, size_t n, uint8_t *cts, uint8_t *sss, const uint8_t *eks)
{
    return latkem_encaps_batch_rng(kem, n, cts, sss, eks, latkem_system_rng, NULL);
}

int latkem_encaps_derand(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                         const uint8_t *coins, size_t coins_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {
        array(ct, 1, s->ct), array(ss, 1, s->ss), {ek, s->ek, ek_len}, {coins, lk_total(s->coins), coins_len}};
    const int error = kem ? lk_check_buffers(buffers, 4, 2) : LATKEM_ERR_ARGUMENT;
    if (error) return lk_answer(error, ct, s->ct, ss, s->ss);
    lk_request request = {
        .b = lk_backend_current(), .row = kem->row, .n = 1, .io = {.coins = coins, .ek = ek, .ct_out = ct, .ss = ss}};
    return lk_answer(lk_ask(lk_encaps_of(kem), &request, 1, lk_again(ct, 0, 0), lk_again(ss, 0, 0)), ct, s->ct, ss,
                     s->ss);
}

static int decapsulations(const latkem_kem *kem, size_t n, uint8_t *sss, const uint8_t *cts, const uint8_t *dks)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_backend *backend = lk_backend_current();
    if (!kem || !possible(s, n)) return LATKEM_ERR_ARGUMENT;
    const lk_buffer buffers[] = {array(sss, n, s->ss), array(cts, n, s->ct), array(dks, n, s->dk)};
    const int error = lk_check_buffers(buffers, 3, 1);
    if (error) return error;
    const size_t most = lk_group(backend, kem->row, LK_DECAPS);
    outcome o = {0, 0};
    for (size_t done = 0, group; done < n; done += group) {
        group = n - done < most ? n - done : most;
        lk_request request = {
            .b = backend,
            .row = kem->row,
            .n = group,
            .io = {.dk = dks + done * s->dk, .ct = cts + done * s->ct, .ss = sss + done * s->ss},
        };
        record(&o, lk_ask(lk_decaps_of(kem), &request, group, NULL, lk_again(sss, done, s->ss)), group);
    }
    return result_of(&o, n);
}

int latkem_decaps_batch(const latkem_kem *kem, size_t n, uint8_t *sss, const uint8_t *cts, const uint8_t *dks)
{
    return batch_answer(decapsulations(kem, n, sss, cts, dks), n, sss, lk_sizes_of(kem)->ss, NULL, 0);
}

int latkem_decaps(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len, const uint8_t *dk,
                  size_t dk_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const int wrong_length = kem && ss && ct && dk && (ct_len != s->ct || dk_len != s->dk);
    return lk_answer(wrong_length ? LATKEM_ERR_LENGTH : decapsulations(kem, 1, ss, ct, dk), ss, s->ss, NULL, 0);
}

int latkem_check_ek(const latkem_kem *kem, const uint8_t *ek, size_t ek_len)
{
    if (!kem || !ek) return LATKEM_ERR_ARGUMENT;
    if (ek_len != lk_sizes_of(kem)->ek) return LATKEM_ERR_LENGTH;
    const lk_request request = {.b = lk_backend_current(), .row = kem->row, .n = 1, .io = {.ek = ek}};
    return lk_error_of(lk_check_ek_of(kem)(&request));
}

int latkem_check_dk(const latkem_kem *kem, const uint8_t *dk, size_t dk_len)
{
    if (!kem || !dk) return LATKEM_ERR_ARGUMENT;
    if (dk_len != lk_sizes_of(kem)->dk) return LATKEM_ERR_LENGTH;
    const lk_request request = {.b = lk_backend_current(), .row = kem->row, .n = 1, .io = {.dk = dk}};
    return lk_error_of(lk_check_dk_of(kem)(&request));
}
