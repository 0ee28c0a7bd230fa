/* The KEM: NTRU round 3, for groups of operations and for prepared keys.
 *
 * Nearly all work is arithmetic, which the operations of a group do one after the other; the hashes at the end are run for
 * all of them together, and the inversions of key generation are shared.
 *
 * The official code checks no key. The operations here do not either, but for lengths: they ignore the unused bits of a
 * packed polynomial and take a byte of trits from 243 on as less 243. check_ek and check_dk refuse both, for no key
 * generation writes them. A ct that decrypts wrongly is rejected implicitly.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <string.h>

#include "base/ct.h"
#include "scheme/ntru/internal.h"
#include "symmetric/job.h"

/* ---- Key generation ---- */

typedef struct {
    const lk_backend *b;
    const lk_ntru_params *p;
    size_t n;
    uint8_t *eks, *dks;
    const uint8_t *seeds; /* random bytes of (f, g), then z */
} keygen_call;

static int keygen_body(void *ctx, lk_arena *arena)
{
    const keygen_call *c = ctx;
    const lk_ntru_params *p = c->p;
    const size_t dk_bytes = lk_ntru_dk_bytes(p), sample_bytes = lk_ntru_sample_bytes(p);
    lk_ntru_buffers w;
    lk_ntru_take_buffers(&w, arena, c->b, p, 1, 2);
    lk_ntru_keygen_op *ops = lk_ntru_take_keygen(arena, p, c->n);
    if (!arena->base) return 0;
    for (size_t i = 0; i < c->n; i++) {
        const uint8_t *seed = c->seeds + (sample_bytes + LK_NTRU_KEY_BYTES) * i;
        ops[i].seed = seed;
        ops[i].h = c->eks + lk_ntru_q_bytes(p) * i;
        ops[i].dk = c->dks + dk_bytes * i;
        memcpy(ops[i].dk + dk_bytes - LK_NTRU_KEY_BYTES, seed + sample_bytes, LK_NTRU_KEY_BYTES);
    }
    lk_ntru_keygen(c->b, p, ops, c->n, &w);
    return 0;
}

void lk_ntru_keypair(const lk_backend *b, const void *params, size_t n, uint8_t *eks, uint8_t *dks,
                     const uint8_t *seeds)
{
    keygen_call c = {.b = b, .p = params, .n = n, .eks = eks, .dks = dks, .seeds = seeds};
    (void)lk_with_workspace(keygen_body, &c);
}

/* ---- Prepared keys ---- */

/* What a prepared key's storage holds, all polynomials evaluated: for encapsulation h, for decapsulation the rest. */
typedef struct {
    void *h;
    void *factors[LK_NTRU_FACTORS];
    uint8_t *z;
} prepared_key;

static void take_prepared(prepared_key *key, lk_arena *arena, size_t evaluated_bytes, int secret)
{
    key->h = secret ? NULL : lk_take(arena, evaluated_bytes);
    key->z = lk_take(arena, secret ? LK_NTRU_KEY_BYTES : 0);
    for (size_t i = 0; i < LK_NTRU_FACTORS; i++) key->factors[i] = secret ? lk_take(arena, evaluated_bytes) : NULL;
}

/* Prepared storage as a key, which the operations only read. */
static prepared_key view_prepared(const lk_backend *b, const lk_ntru_params *p, const void *prepared, int secret)
{
    prepared_key key;
    lk_arena storage = {(unsigned char *)prepared, 0};
    take_prepared(&key, &storage, lk_ntru_evaluated_bytes(b, p), secret);
    return key;
}

typedef struct {
    const lk_backend *b;
    const lk_ntru_params *p;
    const uint8_t *bytes;
    int secret;
    prepared_key key;
} prepare_call;

/* Expands the key straight into prepared storage. */
static int prepare_body(void *ctx, lk_arena *arena)
{
    const prepare_call *c = ctx;
    lk_ntru_buffers w;
    lk_ntru_take_buffers(&w, arena, c->b, c->p, 1, 0);
    if (!arena->base) return 0;
    if (!c->secret) {
        lk_ntru_evaluate_public(c->b, c->p, c->key.h, c->bytes, &w);
        return 0;
    }
    for (size_t i = 0; i < LK_NTRU_FACTORS; i++)
        lk_ntru_evaluate_secret(c->b, c->p, c->key.factors[i], c->bytes, i, &w);
    memcpy(c->key.z, lk_ntru_dk_z(c->p, c->bytes), LK_NTRU_KEY_BYTES);
    return 0;
}

static int prepare(const lk_backend *b, const lk_ntru_params *p, void *prepared, const uint8_t *bytes, int secret)
{
    prepare_call c = {b, p, bytes, secret, view_prepared(b, p, prepared, secret)};
    return lk_with_workspace(prepare_body, &c);
}

int lk_ntru_prepare_ek(const lk_backend *b, const void *params, void *prepared, const uint8_t *ek)
{
    return prepare(b, params, prepared, ek, 0);
}

int lk_ntru_prepare_dk(const lk_backend *b, const void *params, void *prepared, const uint8_t *dk)
{
    return prepare(b, params, prepared, dk, 1);
}

/* ---- Encapsulation and decapsulation ---- */

typedef struct {
    uint8_t *rm;       /* r and m, packed */
    uint8_t *rejected; /* decapsulation: H(z || ct) */
    uint32_t fail;     /* decapsulation: 0, or 0xFFFFFFFF to reject */
} kem_op;

typedef struct {
    const lk_request *r;
    const lk_ntru_params *p;
    int secret; /* decapsulation */

    prepared_key key; /* if there is one */
    kem_op *ops;
    lk_ntru_buffers w;
    lk_job *jobs;
    void *scratch;
} kem_call;

static void take_kem(kem_call *c, lk_arena *arena)
{
    const lk_backend *b = c->r->b;
    c->jobs = lk_take(arena, 2 * c->r->n * sizeof(lk_job));
    c->scratch = lk_jobs_scratch(arena, &b->symmetric, LK_SHA3_256);
    lk_ntru_take_buffers(&c->w, arena, b, c->p, c->p->kind == LK_NTRU_HRSS ? 3 : 2, c->r->prepared ? 1 : 2);
    if (c->r->prepared) c->key = view_prepared(b, c->p, c->r->prepared, c->secret);
    c->ops = lk_take(arena, c->r->n * sizeof(kem_op));
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op counted, *op = c->ops ? &c->ops[i] : &counted;
        op->rm = lk_take(arena, 2 * lk_ntru_s3_bytes(c->p));
        op->rejected = c->secret ? lk_take(arena, LK_NTRU_KEY_BYTES) : NULL;
        op->fail = 0;
    }
}

static uint8_t *ss_of(const kem_call *c, size_t i)
{
    return c->r->sss + LK_NTRU_KEY_BYTES * i;
}

/* H(r || m) -> ss. */
static void ss_job(lk_job *job, const kem_call *c, size_t i)
{
    lk_job_make(job, LK_SHA3_256, ss_of(c, i), LK_NTRU_KEY_BYTES, c->ops[i].rm, 2 * lk_ntru_s3_bytes(c->p));
}

static int encaps_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    const lk_request *r = c->r;
    const lk_ntru_params *p = c->p;
    const size_t q_bytes = lk_ntru_q_bytes(p);
    take_kem(c, arena);
    if (!arena->base) return 0;
    void *h = r->prepared ? c->key.h : c->w.e[1];
    for (size_t i = 0; i < r->n; i++) {
        if (!r->prepared) lk_ntru_evaluate_public(r->b, p, h, r->keys + q_bytes * i, &c->w);
        lk_ntru_encrypt(r->b, p, r->cts_out + q_bytes * i, c->ops[i].rm, h, r->coins + lk_ntru_sample_bytes(p) * i,
                        &c->w);
        ss_job(&c->jobs[i], c, i);
    }
    lk_jobs_run(&r->b->symmetric, c->jobs, r->n, c->scratch);
    return 0;
}

/* Both hashes are made of every ciphertext; the choice is one of bytes. */
static int decaps_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    const lk_request *r = c->r;
    const lk_ntru_params *p = c->p;
    const size_t q_bytes = lk_ntru_q_bytes(p);
    take_kem(c, arena);
    if (!arena->base) return 0;
    for (size_t i = 0; i < r->n; i++) {
        const uint8_t *ct = r->cts + q_bytes * i, *z = c->key.z;
        lk_ntru_secret key = {.factors = c->key.factors};
        kem_op *op = &c->ops[i];
        if (!r->prepared) {
            key = (lk_ntru_secret){.dk = r->keys + lk_ntru_dk_bytes(p) * i};
            z = lk_ntru_dk_z(p, key.dk);
        }
        op->fail = lk_ntru_decrypt(r->b, p, op->rm, ct, &key, &c->w);
        lk_job_make(&c->jobs[i], LK_SHA3_256, op->rejected, LK_NTRU_KEY_BYTES, ct, q_bytes);
        lk_job_head(&c->jobs[i], z, LK_NTRU_KEY_BYTES);
        ss_job(&c->jobs[r->n + i], c, i);
    }
    lk_jobs_run(&r->b->symmetric, c->jobs, 2 * r->n, c->scratch);
    for (size_t i = 0; i < r->n; i++) lk_ct_move(ss_of(c, i), c->ops[i].rejected, LK_NTRU_KEY_BYTES, c->ops[i].fail);
    return 0;
}

int lk_ntru_encaps(const lk_request *request)
{
    kem_call c = {.r = request, .p = request->params};
    return lk_with_workspace(encaps_body, &c);
}

int lk_ntru_decaps(const lk_request *request)
{
    kem_call c = {.r = request, .p = request->params, .secret = 1};
    return lk_with_workspace(decaps_body, &c);
}

/* ---- The rest of the interface ---- */

int lk_ntru_check_ek(const lk_backend *b, const void *params, const uint8_t *ek)
{
    (void)b;
    return lk_ntru_padding(params, ek) ? LATKEM_ERR_EK : 0;
}

/* Not 0 if a packed polynomial modulo 3 has a byte of 243 or more, or in the last byte, which has fewer trits, as many as
 * these cannot have. */
static uint32_t trits_above(const lk_ntru_params *p, const uint8_t *packed)
{
    static const uint8_t powers[5] = {243, 3, 9, 27, 81}; /* of 3, by the number of trits modulo 5 */
    const size_t bytes = lk_ntru_s3_bytes(p);
    uint32_t above = 0;
    for (size_t i = 0; i + 1 < bytes; i++) above |= (uint32_t)(242 - packed[i]) >> 31;
    return above | (uint32_t)(powers[p->n - 1u - 5 * lk_fifth(p->n - 1u)] - 1 - packed[bytes - 1]) >> 31;
}

/* The verdict on a dk is public, the bytes are not. */
int lk_ntru_check_dk(const lk_backend *b, const void *params, const uint8_t *dk)
{
    const lk_ntru_params *p = params;
    const size_t s3_bytes = lk_ntru_s3_bytes(p);
    uint32_t bad = trits_above(p, dk) | trits_above(p, dk + s3_bytes) | lk_ntru_padding(p, dk + 2 * s3_bytes);
    (void)b;
    bad = lk_ct_nonzero(bad);
    lk_declassify(&bad, sizeof bad);
    return bad ? LATKEM_ERR_DK : 0;
}

/* No backend's evaluated polynomials are larger than assumed here. */
static size_t prepared_bytes(const lk_ntru_params *p, int secret)
{
    prepared_key key;
    lk_arena size = {NULL, 0};
    take_prepared(&key, &size, lk_cyclic_units(p->n) * LK_CYCLIC_EVALUATED_UNIT_MAX, secret);
    return size.used;
}

void lk_ntru_sizes(const void *params, lk_sizes *s)
{
    const lk_ntru_params *p = params;
    const lk_sizes row = {
        .ek = lk_ntru_q_bytes(p),
        .dk = lk_ntru_dk_bytes(p),
        .ct = lk_ntru_q_bytes(p),
        .ss = LK_NTRU_KEY_BYTES,
        .seed = {lk_ntru_sample_bytes(p), LK_NTRU_KEY_BYTES},
        .coins = {lk_ntru_sample_bytes(p)},
        .prepared_ek = prepared_bytes(p, 0),
        .prepared_dk = prepared_bytes(p, 1),
    };
    *s = row;
}

size_t lk_ntru_group(const lk_backend *b, const void *params, lk_operation operation)
{
    const lk_ntru_params *p = params;
    return operation == LK_KEYPAIR ? p->keys : lk_group_of_lanes(b, p->group);
}
