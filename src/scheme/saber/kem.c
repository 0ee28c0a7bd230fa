/* The KEM: Saber round 3 (Saber.KEM), for groups of operations and for prepared keys.
 *
 * An operation is a few phases of hash jobs with arithmetic between them. Each phase is run for all operations of the
 * group at once, so that they share the lanes of a vector backend. The longest stream by far is gen_A, which is serial:
 * whatever else can be hashed is hashed beside it. For a single operation with lanes to spare gen_A is cut into parts, so
 * that the hash of b or b' begins with the polynomials that are there.
 *
 * There is nothing to check about keys but their lengths: every string of the right length is a valid ek and a valid ct,
 * for all values are in range by construction, and the document asks for no check of dk. (One could compare the H(ek)
 * in dk with the ek in dk and the size of s with mu/2.) A ct that decrypts wrongly is rejected implicitly.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <string.h>

#include "base/ct.h"
#include "scheme/saber/internal.h"

/* The most jobs of an operation at a time: decapsulation has no H(coins). */
enum { KEYGEN_JOBS = 2, ENCAPS_JOBS = 5, DECAPS_JOBS = 4 };

enum { MATRIX_RATE = 168 /* of SHAKE128 */ };

/* The states between the parts of an operation's jobs, of which there is only one operation then. */
typedef struct {
    uint64_t matrix[LK_JOB_STATE_WORDS], hash[LK_JOB_STATE_WORDS];
} kept_states;

/* Whether an operation of a group of n is cut into parts. Several operations fill the lanes with whole jobs. */
static int in_parts(const lk_backend *b, size_t n)
{
    return n == 1 && b->symmetric.keccak->pairs;
}

/* The end of the shortest part of gen_A with its first `bytes` bytes. */
static size_t matrix_blocks(const lk_saber_params *p, size_t bytes)
{
    const size_t all = lk_saber_matrix_bytes(p), whole = LK_WHOLE_BLOCKS(bytes + MATRIX_RATE - 1, MATRIX_RATE);
    return whole < all ? whole : all;
}

/* ---- Key generation (Saber.KEM.KeyGen) ---- */

typedef struct {
    uint8_t *seed_a, *matrix, *noise;
} keygen_op;

typedef struct {
    const lk_backend *b;
    const lk_saber_params *p;
    size_t n;
    uint8_t *eks, *dks;
    const uint8_t *seeds; /* a0 || seed_s || z each */

    keygen_op *ops;
    kept_states *kept; /* or NULL */
    lk_saber_buffers w;
    lk_job *jobs;
    void *scratch;
} keygen_call;

static void take_keygen(keygen_call *c, lk_arena *arena)
{
    c->jobs = lk_take(arena, c->n * KEYGEN_JOBS * sizeof(lk_job));
    c->scratch = lk_jobs_scratch(arena, &c->b->symmetric, LK_SHAKE128);
    c->kept = in_parts(c->b, c->n) ? lk_take(arena, sizeof(kept_states)) : NULL;
    lk_saber_take_buffers(&c->w, arena, c->b, c->p);
    c->ops = lk_take(arena, c->n * sizeof(keygen_op));
    for (size_t i = 0; i < c->n; i++) {
        keygen_op counted, *op = c->ops ? &c->ops[i] : &counted;
        op->seed_a = lk_take(arena, LK_SABER_SYM_BYTES);
        op->matrix = lk_take(arena, lk_saber_matrix_bytes(c->p));
        op->noise = lk_take(arena, lk_saber_noise_bytes(c->p));
    }
}

static const uint8_t *seeds_of(const keygen_call *c, size_t i)
{
    return c->seeds + 3 * LK_SABER_SYM_BYTES * i;
}

static uint8_t *ek_of(const keygen_call *c, size_t i)
{
    return c->eks + lk_saber_ek_bytes(c->p) * i;
}

static uint8_t *h_of(const keygen_call *c, size_t i)
{
    return c->dks + lk_saber_dk_bytes(c->p) * (i + 1) - 2 * LK_SABER_SYM_BYTES;
}

/* seed_A = SHAKE128(a0), part of ek. */
static void make_seeds(const keygen_call *c)
{
    for (size_t i = 0; i < c->n; i++)
        lk_job_make(&c->jobs[i], LK_SHAKE128, c->ops[i].seed_a, LK_SABER_SYM_BYTES, seeds_of(c, i), LK_SABER_SYM_BYTES);
    lk_jobs_run(&c->b->symmetric, c->jobs, c->n, c->scratch);
    for (size_t i = 0; i < c->n; i++) {
        uint8_t *ek = ek_of(c, i);
        lk_declassify(c->ops[i].seed_a, LK_SABER_SYM_BYTES);
        memcpy(ek + lk_saber_ek_bytes(c->p) - LK_SABER_SYM_BYTES, c->ops[i].seed_a, LK_SABER_SYM_BYTES);
    }
}

/* The bytes of gen_A for polynomials 0 to `to` - 1 of b, which need its last row up to there. */
static size_t matrix_for(const lk_saber_params *p, size_t to)
{
    return to == 0 ? 0 : matrix_blocks(p, (size_t)LK_SABER_Q_BYTES * ((p->l - 1u) * p->l + to));
}

static void ek_hash_part(const keygen_call *c, size_t i, lk_job *job, size_t from, size_t to)
{
    const size_t ek_bytes = lk_saber_ek_bytes(c->p);
    lk_job_hash_part(job, h_of(c, i), ek_of(c, i), ek_bytes, LK_SABER_P_BYTES * from,
                     to == c->p->l ? ek_bytes : LK_SABER_P_BYTES * to, c->kept ? c->kept->hash : NULL);
}

/* Makes polynomials from to to - 1 of b: gen_A as far as they need it; beside it gen_s first, later H(ek) as far as b is
 * there. */
static void keygen_phase(const keygen_call *c, size_t from, size_t to)
{
    const lk_saber_params *p = c->p;
    for (size_t i = 0; i < c->n; i++) {
        const keygen_op *op = &c->ops[i];
        lk_saber_matrix_part(&c->jobs[i], p, op->matrix, op->seed_a, matrix_for(p, from), matrix_for(p, to),
                             c->kept ? c->kept->matrix : NULL);
        if (from == 0)
            lk_saber_noise_job(&c->jobs[c->n + i], p, op->noise, seeds_of(c, i) + LK_SABER_SYM_BYTES);
        else
            ek_hash_part(c, i, &c->jobs[c->n + i], from - 1, from);
    }
    lk_jobs_run(&c->b->symmetric, c->jobs, 2 * c->n, c->scratch);
    for (size_t i = 0; i < c->n; i++)
        lk_saber_pke_keygen(c->b, p, ek_of(c, i), c->dks + lk_saber_dk_bytes(p) * i, c->ops[i].matrix, c->ops[i].noise,
                            from, to, &c->w);
}

static void end_keys(const keygen_call *c, size_t hashed)
{
    const size_t ek_bytes = lk_saber_ek_bytes(c->p);
    for (size_t i = 0; i < c->n; i++) {
        uint8_t *h = h_of(c, i);
        memcpy(h - ek_bytes, ek_of(c, i), ek_bytes);
        memcpy(h + LK_SABER_SYM_BYTES, seeds_of(c, i) + 2 * LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES);
        ek_hash_part(c, i, &c->jobs[i], hashed, c->p->l);
    }
    lk_jobs_run(&c->b->symmetric, c->jobs, c->n, c->scratch);
}

static int keygen_body(void *ctx, lk_arena *arena)
{
    keygen_call *c = ctx;
    const size_t l = c->p->l, step = in_parts(c->b, c->n) ? 1 : l;
    take_keygen(c, arena);
    if (!arena->base) return 0;
    make_seeds(c);
    for (size_t i = 0; i < l; i += step) keygen_phase(c, i, i + step);
    end_keys(c, l - step);
    return 0;
}

void lk_saber_keypair(const lk_backend *b, const void *params, size_t n, uint8_t *eks, uint8_t *dks,
                      const uint8_t *seeds)
{
    keygen_call c = {.b = b, .p = params, .n = n, .eks = eks, .dks = dks, .seeds = seeds};
    (void)lk_with_workspace(keygen_body, &c);
}

/* ---- Prepared keys ---- */

/* What a prepared key's storage holds. */
typedef struct {
    uint8_t *rows; /* evaluated: l rows of A, then b */
    uint8_t *h;    /* H(ek) */
    uint8_t *s;    /* secret, evaluated; only for decapsulation */
    uint8_t *z;    /* secret; only for decapsulation */
} prepared_key;

static void take_prepared(prepared_key *key, lk_arena *arena, const lk_saber_params *p, size_t evaluated_bytes,
                          int secret)
{
    key->rows = lk_take(arena, (p->l + 1u) * p->l * evaluated_bytes);
    key->h = lk_take(arena, LK_SABER_SYM_BYTES);
    key->s = secret ? lk_take(arena, p->l * evaluated_bytes) : NULL;
    key->z = secret ? lk_take(arena, LK_SABER_SYM_BYTES) : NULL;
}

/* A view of prepared storage. */
static prepared_key view_prepared(const lk_backend *b, const lk_saber_params *p, const void *prepared, int secret)
{
    prepared_key key;
    lk_arena storage = {(unsigned char *)prepared, 0};
    take_prepared(&key, &storage, p, b->negacyclic->evaluated_bytes, secret);
    return key;
}

typedef struct {
    const lk_backend *b;
    const lk_saber_params *p;
    const uint8_t *ek, *dk; /* dk may be NULL */
    prepared_key key;
} prepare_call;

/* Expands the key straight into prepared storage; the workspace holds the hashing and the arithmetic alone. */
static int prepare_body(void *ctx, lk_arena *arena)
{
    const prepare_call *c = ctx;
    const lk_saber_params *p = c->p;
    const size_t row_bytes = p->l * c->b->negacyclic->evaluated_bytes;
    lk_saber_buffers w;
    lk_saber_take_buffers(&w, arena, c->b, p);
    uint8_t *matrix = lk_take(arena, lk_saber_matrix_bytes(p));
    void *scratch = lk_jobs_scratch(arena, &c->b->symmetric, LK_SHAKE128);
    if (!arena->base) return 0;

    lk_job jobs[2];
    lk_saber_matrix_job(&jobs[0], p, matrix, lk_saber_seed_a(p, c->ek));
    lk_job_make(&jobs[1], LK_SHA3_256, c->key.h, LK_SABER_SYM_BYTES, c->ek, lk_saber_ek_bytes(p));
    lk_jobs_run(&c->b->symmetric, jobs, c->dk ? 1 : 2, scratch);
    const lk_saber_public from = {.rows = NULL, .matrix = matrix, .ek = c->ek};
    for (size_t i = 0; i <= p->l; i++) lk_saber_evaluate_row(c->b, p, c->key.rows + row_bytes * i, &from, i, &w);
    if (c->dk) {
        lk_saber_evaluate_secret(c->b, p, c->key.s, c->dk, &w);
        memcpy(c->key.h, lk_saber_dk_h(p, c->dk), LK_SABER_SYM_BYTES);
        memcpy(c->key.z, lk_saber_dk_z(p, c->dk), LK_SABER_SYM_BYTES);
    }
    return 0;
}

int lk_saber_prepare_ek(const lk_backend *b, const void *params, void *prepared, const uint8_t *ek)
{
    prepare_call c = {.b = b, .p = params, .ek = ek, .key = view_prepared(b, params, prepared, 0)};
    return lk_with_workspace(prepare_body, &c);
}

int lk_saber_prepare_dk(const lk_backend *b, const void *params, void *prepared, const uint8_t *dk)
{
    prepare_call c = {.b = b, .p = params, .dk = dk, .key = view_prepared(b, params, prepared, 1)};
    c.ek = lk_saber_dk_ek(c.p, dk);
    return lk_with_workspace(prepare_body, &c);
}

/* ---- Encapsulation and decapsulation (Saber.KEM.Encaps and Saber.KEM.Decaps) ---- */

typedef struct {
    lk_saber_public key;
    const uint8_t *z; /* decapsulation */
    uint8_t *matrix, *noise;
    uint8_t *m;       /* H(coins), or the decrypted message */
    uint8_t *h;       /* behind it H(ek) */
    uint8_t *k_r;     /* G's output: K, then r */
    uint8_t *ct_hash; /* H(ct) */
} kem_op;

typedef struct {
    const lk_request *r;
    const lk_saber_params *p;
    int secret; /* decapsulation */

    kem_op *ops;
    kept_states *kept; /* or NULL */
    uint8_t *ct_again; /* decapsulation: a ciphertext encrypted again */
    lk_saber_buffers w;
    lk_job *jobs;
    void *scratch;
} kem_call;

/* Decapsulation knows its ciphertext, and hashes it whole beside gen_A. */
static int is_cut(const kem_call *c)
{
    return !c->secret && !c->r->prepared && in_parts(c->r->b, c->r->n);
}

static void take_kem(kem_call *c, lk_arena *arena)
{
    c->jobs = lk_take(arena, c->r->n * (c->secret ? DECAPS_JOBS : ENCAPS_JOBS) * sizeof(lk_job));
    c->scratch = lk_jobs_scratch(arena, &c->r->b->symmetric, LK_SHAKE128);
    c->kept = is_cut(c) ? lk_take(arena, sizeof(kept_states)) : NULL;
    c->ct_again = c->secret ? lk_take(arena, lk_saber_ct_bytes(c->p)) : NULL;
    lk_saber_take_buffers(&c->w, arena, c->r->b, c->p);
    c->ops = lk_take(arena, c->r->n * sizeof(kem_op));
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op counted, *op = c->ops ? &c->ops[i] : &counted;
        op->matrix = c->r->prepared ? NULL : lk_take(arena, lk_saber_matrix_bytes(c->p));
        op->noise = lk_take(arena, lk_saber_noise_bytes(c->p));
        op->m = lk_take(arena, 2 * LK_SABER_SYM_BYTES);
        op->k_r = lk_take(arena, 2 * LK_SABER_SYM_BYTES);
        op->ct_hash = lk_take(arena, LK_SABER_SYM_BYTES);
    }
}

static const uint8_t *dk_of(const kem_call *c, size_t i)
{
    return c->r->keys + lk_saber_dk_bytes(c->p) * i;
}

static const uint8_t *ct_of(const kem_call *c, size_t i)
{
    return (c->secret ? c->r->cts : c->r->cts_out) + lk_saber_ct_bytes(c->p) * i;
}

/* Finds the parts of the keys, in bytes or in prepared storage. */
static void find_keys(const kem_call *c)
{
    const lk_saber_params *p = c->p;
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op *op = &c->ops[i];
        op->h = op->m + LK_SABER_SYM_BYTES;
        if (c->r->prepared) {
            const prepared_key key = view_prepared(c->r->b, p, c->r->prepared, c->secret);
            op->key = (lk_saber_public){.rows = key.rows};
            memcpy(op->h, key.h, LK_SABER_SYM_BYTES);
            op->z = key.z;
        } else if (c->secret) {
            op->key = (lk_saber_public){.matrix = op->matrix, .ek = lk_saber_dk_ek(p, dk_of(c, i))};
            memcpy(op->h, lk_saber_dk_h(p, dk_of(c, i)), LK_SABER_SYM_BYTES);
            op->z = lk_saber_dk_z(p, dk_of(c, i));
        } else {
            op->key = (lk_saber_public){.matrix = op->matrix, .ek = c->r->keys + lk_saber_ek_bytes(p) * i};
            op->z = NULL;
        }
    }
}

static void run(const kem_call *c, size_t jobs)
{
    lk_jobs_run(&c->r->b->symmetric, c->jobs, jobs, c->scratch);
}

/* The following append one job for each operation and return the new count. */

/* Rows from to to - 1 of A, and what is in the same blocks. */
static size_t matrix_jobs(const kem_call *c, size_t jobs, size_t from, size_t to)
{
    const size_t row = (size_t)LK_SABER_Q_BYTES * c->p->l;
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_saber_matrix_part(&c->jobs[jobs++], c->p, op->matrix, lk_saber_seed_a(c->p, op->key.ek),
                             matrix_blocks(c->p, row * from), matrix_blocks(c->p, row * to),
                             c->kept ? c->kept->matrix : NULL);
    }
    return jobs;
}

static size_t ek_hash_jobs(const kem_call *c, size_t jobs)
{
    for (size_t i = 0; i < c->r->n; i++)
        lk_job_make(&c->jobs[jobs++], LK_SHA3_256, c->ops[i].h, LK_SABER_SYM_BYTES, c->ops[i].key.ek,
                    lk_saber_ek_bytes(c->p));
    return jobs;
}

/* m = H(coins), so that no output of the random generator is ever sent. */
static size_t message_jobs(const kem_call *c, size_t jobs)
{
    for (size_t i = 0; i < c->r->n; i++)
        lk_job_make(&c->jobs[jobs++], LK_SHA3_256, c->ops[i].m, LK_SABER_SYM_BYTES,
                    c->r->coins + LK_SABER_SYM_BYTES * i, LK_SABER_SYM_BYTES);
    return jobs;
}

/* H(ct): what polynomials from to to - 1 of b' add to it; to = l adds the rest. */
static size_t ct_hash_jobs(const kem_call *c, size_t jobs, size_t from, size_t to)
{
    const size_t ct_bytes = lk_saber_ct_bytes(c->p);
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_job_hash_part(&c->jobs[jobs++], op->ct_hash, ct_of(c, i), ct_bytes, LK_SABER_P_BYTES * from,
                         to == c->p->l ? ct_bytes : LK_SABER_P_BYTES * to, c->kept ? c->kept->hash : NULL);
    }
    return jobs;
}

static size_t noise_jobs(const kem_call *c, size_t jobs)
{
    for (size_t i = 0; i < c->r->n; i++)
        lk_saber_noise_job(&c->jobs[jobs++], c->p, c->ops[i].noise, c->ops[i].k_r + LK_SABER_SYM_BYTES);
    return jobs;
}

/* (K, r) = G(m || H(ek)). */
static size_t g_jobs(const kem_call *c, size_t jobs)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_job_make(&c->jobs[jobs++], LK_SHA3_512, op->k_r, 2 * LK_SABER_SYM_BYTES, op->m, 2 * LK_SABER_SYM_BYTES);
    }
    return jobs;
}

/* ss = H(K || H(ct)), where decapsulation has put z in place of K if it rejects. */
static size_t shared_secret_jobs(const kem_call *c, size_t jobs)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_job_pair(&c->jobs[jobs++], LK_SHA3_256, c->r->sss + LK_SABER_SYM_BYTES * i, LK_SABER_SYM_BYTES, op->k_r,
                    op->ct_hash);
    }
    return jobs;
}

/* Polynomials from to to - 1 of b', and at the end c_m. */
static void encrypt(const kem_call *c, size_t from, size_t to)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        uint8_t *ct = c->r->cts_out + lk_saber_ct_bytes(c->p) * i;
        lk_saber_pke_encrypt(c->r->b, c->p, ct, &op->key, op->m, op->noise, from, to, &c->w);
    }
}

/* All before the arithmetic, gen_A for the first rows. With a key in bytes, H(coins), one permutation, and H(ek) begin in
 * this order beside gen_A; G, which reads both, and gen_s follow H(ek): together they are no longer than two rows of A. */
static void encaps_hash(const kem_call *c, size_t rows)
{
    const size_t n = c->r->n;
    if (c->r->prepared) {
        run(c, message_jobs(c, 0));
        run(c, g_jobs(c, 0));
        run(c, noise_jobs(c, 0));
        return;
    }
    const size_t ek_hashes = message_jobs(c, matrix_jobs(c, 0, 0, rows)), gs = ek_hash_jobs(c, ek_hashes);
    const size_t noises = g_jobs(c, gs);
    (void)noise_jobs(c, noises);
    for (size_t i = 0; i < n; i++) {
        lk_job_then(&c->jobs[ek_hashes + i], &c->jobs[gs + i], 1);
        lk_job_then(&c->jobs[gs + i], &c->jobs[noises + i], 1);
    }
    run(c, gs);
}

static int encaps_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    const size_t l = c->p->l, first = is_cut(c) ? 2 : l;
    size_t hashed = 0; /* polynomials of b' */
    take_kem(c, arena);
    if (!arena->base) return 0;
    find_keys(c);
    encaps_hash(c, first);
    encrypt(c, 0, first);
    for (size_t i = first; i < l; hashed = i++) {
        run(c, ct_hash_jobs(c, matrix_jobs(c, 0, i, i + 1), hashed, i));
        encrypt(c, i, i + 1);
    }
    run(c, ct_hash_jobs(c, 0, hashed, l));
    run(c, shared_secret_jobs(c, 0));
    return 0;
}

static void decrypt(const kem_call *c)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const void *s = c->w.s;
        if (c->r->prepared)
            s = view_prepared(c->r->b, c->p, c->r->prepared, 1).s;
        else
            lk_saber_evaluate_secret(c->r->b, c->p, c->w.s, dk_of(c, i), &c->w);
        lk_saber_pke_decrypt(c->r->b, c->p, c->ops[i].m, s, ct_of(c, i), &c->w);
    }
}

/* Encrypts again, and puts z in place of K where the ciphertext did not come out the same, without a branch. */
static void reject(const kem_call *c)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_saber_pke_encrypt(c->r->b, c->p, c->ct_again, &op->key, op->m, op->noise, 0, c->p->l, &c->w);
        const uint32_t differ = lk_ct_differ(c->ct_again, ct_of(c, i), lk_saber_ct_bytes(c->p));
        lk_ct_move(op->k_r, op->z, LK_SABER_SYM_BYTES, differ);
    }
}

/* H(ct), and G with gen_s behind it, run beside gen_A. */
static void decaps_hash(const kem_call *c)
{
    const size_t l = c->p->l, gs = ct_hash_jobs(c, c->r->prepared ? 0 : matrix_jobs(c, 0, 0, l), 0, l);
    const size_t noises = g_jobs(c, gs);
    (void)noise_jobs(c, noises);
    for (size_t i = 0; i < c->r->n; i++) lk_job_then(&c->jobs[gs + i], &c->jobs[noises + i], 1);
    run(c, noises);
}

static int decaps_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    take_kem(c, arena);
    if (!arena->base) return 0;
    find_keys(c);
    decrypt(c);
    decaps_hash(c);
    reject(c);
    run(c, shared_secret_jobs(c, 0));
    return 0;
}

int lk_saber_encaps(const lk_request *request)
{
    kem_call c = {.r = request, .p = request->params};
    return lk_with_workspace(encaps_body, &c);
}

int lk_saber_decaps(const lk_request *request)
{
    kem_call c = {.r = request, .p = request->params, .secret = 1};
    return lk_with_workspace(decaps_body, &c);
}

/* ---- The rest of the interface ---- */

int lk_saber_check_ek(const lk_backend *b, const void *params, const uint8_t *key)
{
    (void)b;
    (void)params;
    (void)key;
    return 0;
}

int lk_saber_check_dk(const lk_backend *b, const void *params, const uint8_t *key)
{
    (void)b;
    (void)params;
    (void)key;
    return 0;
}

/* No backend's evaluated polynomials are larger than assumed here. */
static size_t prepared_bytes(const lk_saber_params *p, int secret)
{
    prepared_key key;
    lk_arena size = {NULL, 0};
    take_prepared(&key, &size, p, LK_NEGACYCLIC_EVALUATED_MAX, secret);
    return size.used;
}

void lk_saber_sizes(const void *params, lk_sizes *s)
{
    const lk_saber_params *p = params;
    const lk_sizes row = {
        .ek = lk_saber_ek_bytes(p),
        .dk = lk_saber_dk_bytes(p),
        .ct = lk_saber_ct_bytes(p),
        .ss = LK_SABER_SYM_BYTES,
        .seed = {LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES},
        .coins = {LK_SABER_SYM_BYTES},
        .prepared_ek = prepared_bytes(p, 0),
        .prepared_dk = prepared_bytes(p, 1),
    };
    *s = row;
}

size_t lk_saber_group(const lk_backend *b, const void *params, lk_operation operation)
{
    (void)params;
    (void)operation;
    return lk_group_of_lanes(b, LK_GROUP_MAX);
}
