/* The KEM: ML-KEM (FIPS 203 sections 6 and 7) and Kyber round 3, for groups of operations and for prepared keys.
 *
 * An operation is a few phases of hash jobs with arithmetic between them. Each phase is run for all operations of the
 * group at once, so that they share the lanes of a vector backend; a single operation is a group of one.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <string.h>

#include "base/ct.h"
#include "scheme/mlkem/internal.h"

/* Decapsulation has the most: k^2 entries of the matrix, 2 k + 1 pieces of noise, J, H and G. */
static size_t jobs_per_operation(const lk_mlkem_params *p)
{
    return (size_t)p->k * p->k + 2 * p->k + 4;
}

/* ---- Key generation (algorithms 16 and 13): dk = s || ek || H(ek) || z, ek = t || rho ---- */

typedef struct {
    uint8_t *ek, *dk, *h;
    const uint8_t *seed; /* d || z */
    uint8_t *rho_sigma;
    lk_poly *a_hat;
    uint8_t *noise;
} keygen_op;

typedef struct {
    const lk_backend *b;
    const lk_mlkem_params *p;
    size_t n;
    uint8_t *eks, *dks;
    const uint8_t *seeds;

    keygen_op *ops;
    lk_pke_buffers w;
    lk_job *jobs;
    uint64_t *ek_hash_state; /* between the parts of H(ek) */
    lk_sink sampler;
    lk_run run;
} keygen_call;

static void take_keygen(keygen_call *c, lk_arena *arena)
{
    const lk_mlkem_params *p = c->p;
    c->jobs = lk_take(arena, c->n * jobs_per_operation(p) * sizeof(lk_job));
    c->run.kernels = &c->b->symmetric;
    c->run.hash = p->suite->h;
    c->run.scratch = lk_jobs_scratch(arena, c->run.kernels, c->run.hash);
    c->ek_hash_state = lk_take(arena, LK_JOB_STATE_WORDS * sizeof(uint64_t));
    lk_mlkem_take_pke(&c->w, arena, p);
    c->ops = lk_take(arena, c->n * sizeof(keygen_op));
    for (size_t i = 0; i < c->n; i++) {
        keygen_op counted, *op = c->ops ? &c->ops[i] : &counted;
        op->ek = c->eks + lk_mlkem_ek_bytes(p) * i;
        op->dk = c->dks + lk_mlkem_dk_bytes(p) * i;
        op->h = op->dk + lk_mlkem_dk_bytes(p) - 2 * LK_SYM_BYTES;
        op->seed = c->seeds + 2 * LK_SYM_BYTES * i;
        op->rho_sigma = lk_take(arena, 2 * LK_SYM_BYTES);
        op->a_hat = lk_take(arena, (size_t)p->k * p->k * sizeof(lk_poly));
        op->noise = lk_mlkem_take_noise(arena, p);
    }
}

/* (rho, sigma) = G(d || k), in Kyber G(d). */
static void keygen_seeds(const keygen_call *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const keygen_op *op = &c->ops[i];
        lk_job_make(&c->jobs[i], c->p->suite->g, op->rho_sigma, 2 * LK_SYM_BYTES, NULL, 0);
        lk_job_head(&c->jobs[i], op->seed, LK_SYM_BYTES);
        if (c->p->fo == LK_FO_FIPS203) lk_job_head(&c->jobs[i], &c->p->k, 1);
    }
    lk_jobs_run(c->run.kernels, c->jobs, c->n, c->run.scratch);
    for (size_t i = 0; i < c->n; i++) {
        const keygen_op *op = &c->ops[i];
        lk_declassify(op->rho_sigma, LK_SYM_BYTES);
        memcpy(op->ek + lk_mlkem_vector_bytes(c->p), op->rho_sigma, LK_SYM_BYTES);
    }
}

/* The jobs of `count` pieces of noise, s and then e, from piece first on. */
static size_t keygen_noise(const keygen_call *c, size_t jobs, const keygen_op *op, size_t first, size_t count)
{
    return lk_mlkem_noise_jobs(c->p, c->jobs, jobs, op->noise + lk_mlkem_noise_at(c->p, first),
                               op->rho_sigma + LK_SYM_BYTES, 0, first, count, 0);
}

/* Row i of t, as soon as its row of A and its piece of e are there, and those of s. */
static void keygen_row(const keygen_call *c, const keygen_op *op, size_t i)
{
    lk_poly *row = &op->a_hat[i * c->p->k];
    if (i == 0) lk_pke_keygen_secret(c->b, c->p, op->dk, op->noise, &c->w);
    lk_mlkem_matrix_order(c->b, row, c->p->k);
    lk_pke_keygen_row(c->b, c->p, op->ek + LK_Q3329_POLY_BYTES * i, row, i, op->noise, &c->w);
}

/* Whatever follows from ek but its hash. */
static void keygen_end(const keygen_call *c, const keygen_op *op)
{
    memcpy(op->dk + lk_mlkem_vector_bytes(c->p), op->ek, lk_mlkem_ek_bytes(c->p));
    memcpy(op->h + LK_SYM_BYTES, op->seed + LK_SYM_BYTES, LK_SYM_BYTES);
}

/* All that is to be sampled, the longest first, then all arithmetic, then all hashes of ek. */
static void keygen_in_phases(const keygen_call *c)
{
    size_t jobs = 0;
    for (size_t i = 0; i < c->n; i++)
        jobs = lk_mlkem_matrix_jobs(c->b, c->p, c->jobs, jobs, &c->sampler, c->ops[i].a_hat, c->ops[i].rho_sigma, 0);
    for (size_t i = 0; i < c->n; i++) jobs = keygen_noise(c, jobs, &c->ops[i], 0, 2 * c->p->k);
    lk_jobs_run(c->run.kernels, c->jobs, jobs, c->run.scratch);
    for (size_t i = 0; i < c->n; i++) {
        const keygen_op *op = &c->ops[i];
        for (size_t row = 0; row < c->p->k; row++) keygen_row(c, op, row);
        lk_job_make(&c->jobs[i], c->p->suite->h, op->h, LK_SYM_BYTES, op->ek, lk_mlkem_ek_bytes(c->p));
        keygen_end(c, op);
    }
    lk_jobs_run(c->run.kernels, c->jobs, c->n, c->run.scratch);
}

/* H(ek), by far the longest chain, begins with the first row of t and goes on with the others: each is sampled in the lanes
 * beside it and made as soon as it can be. The job hashes the blocks of ek that are whole with row i and were not before. */
static void ek_hash_part(const keygen_call *c, lk_job *job, const keygen_op *op, size_t i)
{
    const size_t from = LK_Q3329_POLY_BYTES * i, ek_bytes = lk_mlkem_ek_bytes(c->p);
    const size_t to = i == c->p->k - 1u ? ek_bytes : from + LK_Q3329_POLY_BYTES;
    lk_job_hash_part(job, op->h, op->ek, ek_bytes, from, to, c->ek_hash_state);
    lk_jobs_add(&c->run, job);
}

/* The jobs of a row with its piece of e, of the first with s, stand together; in an order that with 2, 3, 4 and 8 lanes
 * leaves as few as can be without work. */
static void keygen_in_rows(const keygen_call *c)
{
    const keygen_op *op = c->ops;
    const size_t k = c->p->k;
    lk_job *ek_hash = c->jobs, *jobs = c->jobs + 1;
    const lk_job *end = jobs + k;
    size_t n = 1;
    for (size_t i = 0; i < k; i++) {
        const int first = i == 0, last = i == k - 1;
        if (!first && !last) n = keygen_noise(c, n, op, k + i, 1);
        n = lk_mlkem_row_jobs(c->b, c->p, c->jobs, n, &c->sampler, &op->a_hat[i * k], op->rho_sigma, i, 0);
        if (first) n = keygen_noise(c, n, op, 0, k + 1);
        if (last) n = keygen_noise(c, n, op, k + i, 1);
    }
    lk_jobs_begin(&c->run, jobs, n - 1);
    for (size_t i = 0; i < k; i++) {
        end += k + 1;
        lk_jobs_advance(&c->run, end, i > 0 ? ek_hash : NULL);
        keygen_row(c, op, i);
        ek_hash_part(c, ek_hash, op, i);
    }
    keygen_end(c, op);
    lk_jobs_advance(&c->run, NULL, NULL);
}

/* Several operations fill the lanes with whole jobs. One must have jobs for more than one turn of the lanes. */
static int in_rows(const keygen_call *c)
{
    const lk_keccak_kernels *keccak = c->run.kernels->keccak;
    const size_t k = c->p->k;
    return c->n == 1 && c->run.hash == LK_SHA3_256 && keccak->pairs && k * k + 2 * k > keccak->lanes;
}

static int keygen_body(void *ctx, lk_arena *arena)
{
    keygen_call *c = ctx;
    take_keygen(c, arena);
    if (!arena->base) return 0;
    keygen_seeds(c);
    if (in_rows(c))
        keygen_in_rows(c);
    else
        keygen_in_phases(c);
    return 0;
}

void lk_mlkem_keypair(const lk_backend *b, const void *params, size_t n, uint8_t *eks, uint8_t *dks,
                      const uint8_t *seeds)
{
    keygen_call c = {.b = b, .p = params, .n = n, .eks = eks, .dks = dks, .seeds = seeds};
    c.sampler = lk_mlkem_sampler(b);
    (void)lk_with_workspace(keygen_body, &c);
}

/* ---- Encapsulation and decapsulation (algorithms 17, 18, 14, 15) ---- */

typedef struct {
    lk_mlkem_key key;
    uint8_t *noise;
    const uint8_t *m; /* the message: the coins, H(coins) in Kyber, the decrypted message in decapsulation */
    uint8_t *m_buffer;
    uint8_t *k_r;     /* G's output: K, then r */
    uint8_t *h_check; /* decapsulation: H(ek) computed afresh */
    uint8_t *ct_hash; /* decapsulation: J(z || ct); Kyber, both: H(ct) */
    int error;
} kem_op;

typedef struct {
    const lk_request *r;
    const lk_mlkem_params *p;
    int secret; /* decapsulation */

    kem_op *ops;
    lk_mlkem_key vectors; /* t_hat and s_hat, of operations in turn */
    lk_pke_buffers w;
    uint8_t *ct_again; /* decapsulation: a ciphertext encrypted again */
    lk_sink sampler;
    lk_job *jobs;
    void *scratch;
} kem_call;

static const uint8_t *ek_of(const kem_call *c, size_t i)
{
    if (!c->secret) return c->r->keys + lk_mlkem_ek_bytes(c->p) * i;
    return lk_mlkem_dk_ek(c->p, c->r->keys + lk_mlkem_dk_bytes(c->p) * i);
}

static const uint8_t *ct_of(const kem_call *c, size_t i)
{
    return (c->secret ? c->r->cts : c->r->cts_out) + lk_mlkem_ct_bytes(c->p) * i;
}

/* What a prepared key's storage holds. */
static void take_prepared(lk_mlkem_key *key, lk_arena *storage, const lk_mlkem_params *p, int secret)
{
    lk_mlkem_take_key(key, storage, p, secret);
    lk_mlkem_take_vectors(key, storage, p, secret);
}

/* A view of it, which the operations only read. */
static void view_prepared(lk_mlkem_key *key, const lk_mlkem_params *p, const void *prepared, int secret)
{
    lk_arena storage = {(unsigned char *)prepared, 0};
    take_prepared(key, &storage, p, secret);
}

static void take_key(const kem_call *c, lk_mlkem_key *key, lk_arena *arena)
{
    if (c->r->prepared) {
        view_prepared(key, c->p, c->r->prepared, c->secret);
    } else {
        *key = c->vectors;
        lk_mlkem_take_key(key, arena, c->p, c->secret);
    }
}

static void take_kem(kem_call *c, lk_arena *arena)
{
    c->sampler = lk_mlkem_sampler(c->r->b);
    c->jobs = lk_take(arena, c->r->n * jobs_per_operation(c->p) * sizeof(lk_job));
    c->scratch = lk_jobs_scratch(arena, &c->r->b->symmetric, c->p->suite->h);
    if (!c->r->prepared) lk_mlkem_take_vectors(&c->vectors, arena, c->p, c->secret);
    lk_mlkem_take_pke(&c->w, arena, c->p);
    if (c->secret) c->ct_again = lk_take(arena, lk_mlkem_ct_bytes(c->p));
    c->ops = lk_take(arena, c->r->n * sizeof(kem_op));
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op counted, *op = c->ops ? &c->ops[i] : &counted;
        take_key(c, &op->key, arena);
        op->noise = lk_mlkem_take_noise(arena, c->p);
        op->m_buffer = lk_take(arena, LK_SYM_BYTES);
        op->k_r = lk_take(arena, 2 * LK_SYM_BYTES);
        op->h_check = lk_take(arena, LK_SYM_BYTES);
        op->ct_hash = lk_take(arena, LK_SYM_BYTES);
        op->error = 0;
    }
}

/* Decodes t; an ek with a value of q or more is an error in ML-KEM (section 7.2). The ek in a dk is known by its hash. */
static void decode_ek(const kem_call *c, size_t i)
{
    const uint32_t above = lk_mlkem_decode_vector(c->r->b, c->p, c->ops[i].key.t_hat, ek_of(c, i));
    if (above && !c->secret && c->p->fo == LK_FO_FIPS203) c->ops[i].error = LATKEM_ERR_EK;
}

/* Decodes what else is in dk. */
static void decode_dk(const kem_call *c, size_t i)
{
    const lk_mlkem_key *key = &c->ops[i].key;
    const uint8_t *dk = c->r->keys + lk_mlkem_dk_bytes(c->p) * i;
    (void)lk_mlkem_decode_vector(c->r->b, c->p, key->s_hat, dk);
    memcpy(key->h, lk_mlkem_dk_h(c->p, dk), LK_SYM_BYTES);
    memcpy(key->z, lk_mlkem_dk_z(c->p, dk), LK_SYM_BYTES);
}

/* Jobs that expand keys from bytes: H(ek), into place in encapsulation and for the check of dk in ML-KEM decapsulation
 * (Kyber trusts the H(ek) in dk), and the matrix. */
static size_t key_jobs(const kem_call *c, size_t jobs)
{
    const size_t ek_bytes = lk_mlkem_ek_bytes(c->p);
    for (size_t i = 0; i < c->r->n; i++) {
        if (c->secret && c->p->fo == LK_FO_ROUND3) break;
        uint8_t *h = c->secret ? c->ops[i].h_check : c->ops[i].key.h;
        lk_job_make(&c->jobs[jobs++], c->p->suite->h, h, LK_SYM_BYTES, ek_of(c, i), ek_bytes);
    }
    for (size_t i = 0; i < c->r->n; i++) {
        const uint8_t *rho = ek_of(c, i) + lk_mlkem_vector_bytes(c->p);
        jobs = lk_mlkem_matrix_jobs(c->r->b, c->p, c->jobs, jobs, &c->sampler, c->ops[i].key.a_hat, rho, 1);
    }
    return jobs;
}

/* After the run of key_jobs: compares H(ek) with dk's (section 7.3) and orders the matrix. Both hashes are public. */
static void finish_keys(const kem_call *c)
{
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op *op = &c->ops[i];
        lk_mlkem_matrix_order(c->r->b, op->key.a_hat, (size_t)c->p->k * c->p->k);
        if (c->secret && c->p->fo == LK_FO_FIPS203 && memcmp(op->h_check, op->key.h, LK_SYM_BYTES) != 0)
            op->error = LATKEM_ERR_DK;
    }
}

/* J(z || ct) of ML-KEM decapsulation, H(ct) of Kyber. */
static size_t ct_hash_jobs(const kem_call *c, size_t jobs)
{
    const int fips203 = c->p->fo == LK_FO_FIPS203;
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_job *job = &c->jobs[jobs++];
        lk_job_make(job, fips203 ? c->p->suite->kdf : c->p->suite->h, op->ct_hash, LK_SYM_BYTES, ct_of(c, i),
                    lk_mlkem_ct_bytes(c->p));
        if (fips203) lk_job_head(job, op->key.z, LK_SYM_BYTES);
    }
    return jobs;
}

/* (K, r) = G(m || H(ek)). */
static size_t g_jobs(const kem_call *c, size_t jobs)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_job_pair(&c->jobs[jobs++], c->p->suite->g, op->k_r, 2 * LK_SYM_BYTES, op->m, op->key.h);
    }
    return jobs;
}

static void run(const kem_call *c, size_t jobs)
{
    lk_jobs_run(&c->r->b->symmetric, c->jobs, jobs, c->scratch);
}

/* Runs the jobs, of which the first are those of G, followed by the noise from its r. */
static void run_with_noise(const kem_call *c, size_t jobs)
{
    size_t behind = jobs;
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        const size_t first = behind;
        behind = lk_mlkem_noise_jobs(c->p, c->jobs, first, op->noise, op->k_r + LK_SYM_BYTES, 1, 0, c->p->k,
                                     c->p->k + 1u);
        lk_job_then(&c->jobs[i], &c->jobs[first], behind - first);
    }
    run(c, jobs);
}

/* K-PKE.Encrypt of operation i. The check of a single ek has left its t. */
static void encrypt(const kem_call *c, uint8_t *ct, size_t i)
{
    const kem_op *op = &c->ops[i];
    if (!c->r->prepared && (c->secret || c->r->n > 1)) decode_ek(c, i);
    lk_pke_encrypt(c->r->b, c->p, ct, &op->key, op->m, op->noise, &c->w);
}

/* Kyber: ss = KDF(K || H(ct)), where decapsulation has put z in place of K if it rejects. */
static void round3_shared_secrets(const kem_call *c)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        lk_job_pair(&c->jobs[i], c->p->suite->kdf, c->r->sss + LK_SYM_BYTES * i, LK_SYM_BYTES, op->k_r, op->ct_hash);
    }
    run(c, c->r->n);
}

/* Zeroes the outputs of elements with errors; returns the first error. */
static int settle_errors(const kem_call *c)
{
    int first = 0;
    for (size_t i = 0; i < c->r->n; i++) {
        if (!c->ops[i].error) continue;
        if (!first) first = c->ops[i].error;
        memset(c->r->sss + LK_SYM_BYTES * i, 0, LK_SYM_BYTES);
        if (!c->secret) memset(c->r->cts_out + lk_mlkem_ct_bytes(c->p) * i, 0, lk_mlkem_ct_bytes(c->p));
    }
    return first;
}

static int all_bad(const kem_call *c)
{
    for (size_t i = 0; i < c->r->n; i++)
        if (!c->ops[i].error) return 0;
    return 1;
}

static int encaps_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    size_t jobs = 0;
    take_kem(c, arena);
    if (!arena->base) return 0;
    if (!c->r->prepared) {
        for (size_t i = 0; i < c->r->n; i++) decode_ek(c, i);
        if (all_bad(c)) return settle_errors(c);
        jobs = key_jobs(c, jobs);
    }
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op *op = &c->ops[i];
        const uint8_t *coins = c->r->coins + LK_SYM_BYTES * i;
        op->m = c->p->fo == LK_FO_ROUND3 ? op->m_buffer : coins;
        if (c->p->fo == LK_FO_ROUND3)
            lk_job_make(&c->jobs[jobs++], c->p->suite->h, op->m_buffer, LK_SYM_BYTES, coins, LK_SYM_BYTES);
    }
    run(c, jobs);
    if (!c->r->prepared) finish_keys(c);
    run_with_noise(c, g_jobs(c, 0));
    for (size_t i = 0; i < c->r->n; i++) encrypt(c, c->r->cts_out + lk_mlkem_ct_bytes(c->p) * i, i);
    if (c->p->fo == LK_FO_ROUND3) {
        run(c, ct_hash_jobs(c, 0));
        round3_shared_secrets(c);
    } else {
        for (size_t i = 0; i < c->r->n; i++) memcpy(c->r->sss + LK_SYM_BYTES * i, c->ops[i].k_r, LK_SYM_BYTES);
    }
    return settle_errors(c);
}

/* Encrypts again, and takes K where the ciphertext came out the same, else the rejection value, without a branch. */
static void select_shared_secrets(const kem_call *c)
{
    for (size_t i = 0; i < c->r->n; i++) {
        const kem_op *op = &c->ops[i];
        encrypt(c, c->ct_again, i);
        const uint32_t reject = lk_ct_differ(c->ct_again, ct_of(c, i), lk_mlkem_ct_bytes(c->p));
        const uint8_t *rejected = c->p->fo == LK_FO_ROUND3 ? op->key.z : op->ct_hash;
        lk_ct_move(op->k_r, rejected, LK_SYM_BYTES, reject);
        memcpy(c->r->sss + LK_SYM_BYTES * i, op->k_r, LK_SYM_BYTES);
    }
    if (c->p->fo == LK_FO_ROUND3) round3_shared_secrets(c);
}

/* Decryption hashes nothing, so it comes first: all hashes then run side by side, the short chain from G to the noise beside
 * the hashes of the ciphertext and of ek. */
static int decaps_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    take_kem(c, arena);
    if (!arena->base) return 0;
    for (size_t i = 0; i < c->r->n; i++) {
        kem_op *op = &c->ops[i];
        if (!c->r->prepared) decode_dk(c, i);
        lk_pke_decrypt(c->r->b, c->p, op->m_buffer, &op->key, ct_of(c, i), &c->w);
        op->m = op->m_buffer;
    }
    const size_t jobs = ct_hash_jobs(c, g_jobs(c, 0));
    run_with_noise(c, c->r->prepared ? jobs : key_jobs(c, jobs));
    if (!c->r->prepared) finish_keys(c);
    if (all_bad(c)) return settle_errors(c);
    select_shared_secrets(c);
    return settle_errors(c);
}

int lk_mlkem_encaps(const lk_request *request)
{
    kem_call c = {.r = request, .p = request->params};
    return lk_with_workspace(encaps_body, &c);
}

int lk_mlkem_decaps(const lk_request *request)
{
    kem_call c = {.r = request, .p = request->params, .secret = 1};
    return lk_with_workspace(decaps_body, &c);
}

/* ---- Preparation and checks (section 7) ---- */

/* Expands the key of c straight into prepared storage; the workspace holds the hashing alone. */
static int prepare_body(void *ctx, lk_arena *arena)
{
    kem_call *c = ctx;
    c->sampler = lk_mlkem_sampler(c->r->b);
    c->jobs = lk_take(arena, jobs_per_operation(c->p) * sizeof(lk_job));
    c->scratch = lk_jobs_scratch(arena, &c->r->b->symmetric, c->p->suite->h);
    if (!arena->base) return 0;
    decode_ek(c, 0);
    if (c->secret) decode_dk(c, 0);
    if (c->ops->error) return c->ops->error;
    run(c, key_jobs(c, 0));
    finish_keys(c);
    return c->ops->error;
}

static int prepare(const lk_backend *b, const lk_mlkem_params *p, void *prepared, const uint8_t *key, int secret)
{
    uint8_t h_check[LK_SYM_BYTES];
    kem_op op = {.h_check = h_check};
    const lk_request request = {.b = b, .n = 1, .keys = key};
    kem_call c = {.r = &request, .p = p, .secret = secret, .ops = &op};
    view_prepared(&op.key, p, prepared, secret);
    return lk_with_workspace(prepare_body, &c);
}

int lk_mlkem_prepare_ek(const lk_backend *b, const void *params, void *prepared, const uint8_t *ek)
{
    return prepare(b, params, prepared, ek, 0);
}

int lk_mlkem_prepare_dk(const lk_backend *b, const void *params, void *prepared, const uint8_t *dk)
{
    return prepare(b, params, prepared, dk, 1);
}

int lk_mlkem_check_ek(const lk_backend *b, const void *params, const uint8_t *ek)
{
    const lk_mlkem_params *p = params;
    lk_poly t_hat[LK_Q3329_RANK_MAX];
    return p->fo == LK_FO_FIPS203 && lk_mlkem_decode_vector(b, p, t_hat, ek) ? LATKEM_ERR_EK : 0;
}

typedef struct {
    const lk_backend *b;
    const lk_mlkem_params *p;
    const uint8_t *dk;
} check_call;

static int check_dk_body(void *ctx, lk_arena *arena)
{
    const check_call *c = ctx;
    uint8_t *h = lk_take(arena, LK_SYM_BYTES);
    void *scratch = lk_jobs_scratch(arena, &c->b->symmetric, c->p->suite->h);
    if (!arena->base) return 0;
    lk_job job;
    lk_job_make(&job, c->p->suite->h, h, LK_SYM_BYTES, lk_mlkem_dk_ek(c->p, c->dk), lk_mlkem_ek_bytes(c->p));
    lk_jobs_run(&c->b->symmetric, &job, 1, scratch);
    return memcmp(h, lk_mlkem_dk_h(c->p, c->dk), LK_SYM_BYTES) == 0 ? 0 : LATKEM_ERR_DK;
}

int lk_mlkem_check_dk(const lk_backend *b, const void *params, const uint8_t *dk)
{
    check_call c = {b, params, dk};
    if (c.p->fo == LK_FO_ROUND3) return 0;
    return lk_with_workspace(check_dk_body, &c);
}

static size_t prepared_bytes(const lk_mlkem_params *p, int secret)
{
    lk_mlkem_key key;
    lk_arena size = {NULL, 0};
    take_prepared(&key, &size, p, secret);
    return size.used;
}

void lk_mlkem_sizes(const void *params, lk_sizes *s)
{
    const lk_mlkem_params *p = params;
    const lk_sizes row = {
        .ek = lk_mlkem_ek_bytes(p),
        .dk = lk_mlkem_dk_bytes(p),
        .ct = lk_mlkem_ct_bytes(p),
        .ss = LK_SYM_BYTES,
        .seed = {p->fo == LK_FO_FIPS203 ? 2 * LK_SYM_BYTES : LK_SYM_BYTES, p->fo == LK_FO_FIPS203 ? 0 : LK_SYM_BYTES},
        .coins = {LK_SYM_BYTES},
        .prepared_ek = prepared_bytes(p, 0),
        .prepared_dk = prepared_bytes(p, 1),
    };
    *s = row;
}

size_t lk_mlkem_group(const lk_backend *b, const void *params, lk_operation operation)
{
    const lk_mlkem_params *p = params;
    (void)operation;
    return lk_group_of_lanes(b, p->group);
}
