/* The KEM: Saber round 3 (Saber.KEM, algorithms 20 to 22), written for one operation (scheme/group.h).
 *
 * The longest stream by far is gen_A, which is serial: whatever else can be hashed is hashed beside it. For a single
 * operation with lanes to spare gen_A is cut into parts, so that the hash of b or b' begins with the polynomials that
 * are there.
 *
 * There is nothing to check about keys but their lengths. Every string of the right length is a valid ek and a valid
 * ct, because all values are in range by construction, and the document asks for no check of dk. (One could compare the
 * H(ek) in dk with the ek in dk and the size of s with mu/2.) A ct that decrypts wrongly is rejected implicitly.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <string.h>

#include "scheme/saber/internal.h"
#include "shared/ct.h"
#include "shared/wipe.h"

/* Several operations fill the lanes with whole jobs; one alone has lanes to spare. */
static int has_spare_lanes(const lk_request *request)
{
    return request->n == 1 && request->b->symmetric.keccak->pairs;
}

static lk_saber begin(const lk_request *request, lk_kind kind)
{
    const lk_saber s = {
        .request = request, .p = (const lk_saber_params *)request->row, .ring = request->b->negacyclic, .kind = kind};
    return s;
}

/* ---- Formats: ek = b || seed_A, dk = s || ek || H(ek) || z, ct = b' || c_m (the document says pk and sk) ---- */

static uint8_t *ct_hash(const lk_saber_op *op)
{
    return op->g + 2 * LK_SABER_SYM_BYTES;
}

static uint8_t *k_or_z(const lk_saber_op *op)
{
    return op->g + 3 * LK_SABER_SYM_BYTES;
}

/* H(ek), and z behind it. */
static const uint8_t *dk_h(const lk_saber_params *p, const uint8_t *dk)
{
    return dk + p->row.bytes.dk - 2 * LK_SABER_SYM_BYTES;
}

static const uint8_t *ek_of(const lk_saber_op *op)
{
    const lk_saber_params *p = op->s->p;
    return op->s->kind == LK_DECAPS ? op->io.dk + (size_t)LK_SABER_Q_BYTES * p->l : op->io.ek;
}

static const uint8_t *ek_seed_a(const lk_saber_params *p, const uint8_t *ek)
{
    return ek + (size_t)LK_SABER_P_BYTES * p->l;
}

/* ---- Rows ---- */

/* Before the first: A is sampled for so many, or by entries for none. */
static void begin_rows(lk_saber_op *op, lk_saber *s, size_t sampled)
{
    op->s = s;
    op->made = op->hashed = op->column = 0;
    op->sampled = lk_saber_by_entries(s) ? 0 : (uint8_t)sampled;
}

/* ---- Jobs in parts ---- */

/* The end of the shortest part of gen_A with its first `bytes` bytes. */
static size_t whole_blocks(const lk_saber_params *p, size_t bytes)
{
    const size_t whole = LK_WHOLE_BLOCKS(bytes + LK_SHAKE128_RATE - 1, LK_SHAKE128_RATE);
    return whole < p->matrix_bytes ? whole : p->matrix_bytes;
}

/* Bytes [from, to) of gen_A, which is one stream without an index, row by row: whole blocks, but for the end of the
 * last part. */
static void matrix_job(const lk_saber_op *op, lk_jobs *jobs, uint8_t *out, const uint8_t *seed_a, lk_range range)
{
    lk_job *job = lk_jobs_next(jobs);
    const int goes_on = range.to < range.len;
    lk_job_make(job, LK_SHAKE128, out, range.to - range.from, seed_a, range.from > 0 ? 0 : LK_SABER_SYM_BYTES);
    lk_job_part(job, op->s->states, (range.from > 0 ? LK_JOB_RESUMES : 0) | (goes_on ? LK_JOB_GOES_ON : 0));
}

/* By entries: the next one of A, for which the phase runs again. Bytes of it that came in the last block before are moved
 * to the beginning. */
static void entry_job(lk_saber_op *op, lk_jobs *jobs, const uint8_t *seed_a)
{
    const lk_saber_params *p = op->s->p;
    const size_t from = (size_t)LK_SABER_Q_BYTES * (op->sampled * p->l + op->column);
    const lk_range range = {whole_blocks(p, from), whole_blocks(p, from + LK_SABER_Q_BYTES), p->matrix_bytes};
    memcpy(op->key.matrix, op->key.matrix + LK_SABER_Q_BYTES, range.from - from);
    matrix_job(op, jobs, op->key.matrix + (range.from - from), seed_a, range);
    op->column++;
    op->again = 1;
}

/* H(bytes), where bytes begin with b or b': what polynomials [hashed, made) add to it, the last with what is behind
 * them. By entries it is one job. */
static void hash_job(lk_saber_op *op, lk_jobs *jobs, uint8_t *out, const uint8_t *bytes, size_t len)
{
    const lk_range range = {LK_SABER_P_BYTES * op->hashed, op->made == op->s->p->l ? len : LK_SABER_P_BYTES * op->made,
                            len};
    if (lk_saber_by_entries(op->s) && op->made < op->s->p->l) return;
    lk_job_hash_part(lk_jobs_next(jobs), out, bytes, range, op->s->states ? op->s->states + LK_JOB_STATE_WORDS : NULL);
    op->hashed = op->made;
}

static lk_job *noise_job(const lk_saber_op *op, lk_jobs *jobs, const uint8_t *seed_s)
{
    lk_job *job = lk_jobs_next(jobs);
    lk_job_make(job, LK_SHAKE128, op->noise, op->s->p->noise_bytes, seed_s, LK_SABER_SYM_BYTES);
    return job;
}

/* ---- Saber.KEM.KeyGen (algorithms 20 and 17) ---- */

static size_t keygen_jobs(const lk_row *row)
{
    (void)row;
    return 2;
}

/* If `cut` is 1, or by entries, which cut gen_A alone. */
static void take_states(lk_saber *s, lk_arena *arena, int cut)
{
    const size_t states = cut ? 2 : lk_saber_by_entries(s) ? 1 : 0;
    s->states = states > 0 ? lk_take(arena, states * LK_JOB_STATE_WORDS * sizeof(uint64_t)) : NULL;
}

static void take_shared_keygen(void *shared, lk_arena *arena)
{
    lk_saber *s = shared;
    take_states(s, arena, has_spare_lanes(s->request));
    lk_saber_take_buffers(s, arena);
}

/* Memory for the stream of gen_A, or by entries for the entry and the rest of its last block. */
static uint8_t *take_matrix(const lk_saber *s, lk_arena *arena)
{
    const size_t entry = LK_SABER_Q_BYTES + LK_SHAKE128_RATE, noise = s->p->noise_bytes;
    if (!lk_saber_by_entries(s)) return lk_take(arena, s->p->matrix_bytes);
    return lk_take(arena, entry > noise ? entry : noise);
}

/* Memory for that of gen_s, which by entries is read before there is one. */
static uint8_t *take_noise(const lk_saber_op *op, lk_arena *arena)
{
    return lk_saber_by_entries(op->s) ? op->key.matrix : lk_take(arena, op->s->p->noise_bytes);
}

LK_TAKE(take_keygen, lk_saber_op *op)
{
    lk_saber *s = shared;
    begin_rows(op, s, has_spare_lanes(s->request) ? 1 : s->p->l);
    op->m = lk_take(arena, LK_SABER_SYM_BYTES);
    op->key.matrix = take_matrix(s, arena);
    op->noise = take_noise(op, arena);
}

/* 17: seed_A = SHAKE128(a0), a0 the first part of the seed. */
LK_PHASE(keygen_expand, const lk_saber_op *op)
{
    lk_job_make(lk_jobs_next(jobs), LK_SHAKE128, op->m, LK_SABER_SYM_BYTES, op->io.seed, LK_SABER_SYM_BYTES);
    return LK_PASSED(keygen_expand);
}

/* The bytes of gen_A for polynomials [0, n) of b, which need its last row up to there. */
static size_t matrix_for(const lk_saber_params *p, size_t n)
{
    return n == 0 ? 0 : whole_blocks(p, (size_t)LK_SABER_Q_BYTES * ((p->l - 1u) * p->l + n));
}

static void keygen_matrix_job(const lk_saber_op *op, lk_jobs *jobs)
{
    const lk_saber_params *p = op->s->p;
    const lk_range range = {matrix_for(p, op->made), matrix_for(p, op->sampled), p->matrix_bytes};
    matrix_job(op, jobs, op->key.matrix + range.from, op->m, range);
}

/* 17: gen_A as far as the first polynomials need it, and gen_s. seed_A is public from here on: the end of ek. */
LK_PHASE(keygen_sample, const lk_saber_op *op)
{
    const lk_saber_params *p = op->s->p;
    lk_declassify(op->m, LK_SABER_SYM_BYTES);
    memcpy(op->io.ek_out + p->row.bytes.ek - LK_SABER_SYM_BYTES, op->m, LK_SABER_SYM_BYTES);
    if (!lk_saber_by_entries(op->s)) keygen_matrix_job(op, jobs);
    (void)noise_job(op, jobs, op->io.seed + LK_SABER_SYM_BYTES);
    return LK_PASSED(keygen_sample);
}

/* 20: what follows s in dk but H(ek). */
static void keygen_dk(const lk_saber_op *op, uint8_t *h)
{
    const size_t ek_bytes = op->s->p->row.bytes.ek;
    memcpy(h - ek_bytes, op->io.ek_out, ek_bytes);
    memcpy(h + LK_SABER_SYM_BYTES, op->io.seed + 2 * LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES);
}

/* 17: b as far as A is there; 20: H(ek) as far as b is. Beside that gen_A goes on. */
LK_PHASE(keygen_finish, lk_saber_op *op)
{
    const lk_saber_params *p = op->s->p;
    uint8_t *h = op->io.dk_out + p->row.bytes.dk - 2 * LK_SABER_SYM_BYTES;
    lk_saber_pke_keygen(op);
    if (op->made == p->l) {
        keygen_dk(op, h);
    } else if (lk_saber_by_entries(op->s)) {
        entry_job(op, jobs, op->m);
    } else {
        op->again = 1;
        op->sampled = (uint8_t)(op->made + 1);
        keygen_matrix_job(op, jobs);
    }
    hash_job(op, jobs, h, op->io.ek_out, p->row.bytes.ek);
    return op->again ? 0 : LK_PASSED(keygen_finish) + lk_barrier(op->made) - p->l;
}

static const lk_step keygen_steps[] = {LK_EACH(keygen_expand), LK_EACH(keygen_sample), LK_EACH(keygen_finish), LK_END};
static const lk_operation keygen = {LK_KEYPAIR,         sizeof(lk_saber_op), keygen_jobs,
                                    take_shared_keygen, take_keygen,         keygen_steps};

int lk_saber_keypair(const lk_request *request)
{
    lk_saber s = begin(request, LK_KEYPAIR);
    return lk_group_run(&keygen, request, &s);
}

/* ---- Prepared keys ---- */

/* The content of a prepared key's storage. Returns where H(ek) is, behind which in that of a dk is z, as in dk. */
static uint8_t *take_prepared(lk_saber_op *op, lk_arena *arena)
{
    const size_t row_bytes = op->s->p->l * op->s->ring->evaluated_bytes;
    op->key.rows = lk_take(arena, (op->s->p->l + 1u) * row_bytes);
    op->key.s = op->s->kind == LK_DECAPS ? lk_take(arena, op->s->p->l * op->s->ring->small_bytes) : NULL;
    return lk_take(arena, 2 * LK_SABER_SYM_BYTES);
}

static size_t prepare_jobs(const lk_row *row)
{
    (void)row;
    return 2;
}

static void take_shared_prepare(void *shared, lk_arena *arena)
{
    take_states(shared, arena, 0);
    lk_saber_take_buffers(shared, arena);
}

LK_TAKE(take_prepare, lk_saber_op *op)
{
    lk_saber *s = shared;
    lk_arena storage = {s->request->prepared_out, 0};
    begin_rows(op, s, s->p->l);
    op->m = take_prepared(op, &storage);
    op->key.matrix = take_matrix(s, arena);
}

/* gen_A, and H(ek) unless dk has it. */
LK_PHASE(prepare_expand, lk_saber_op *op)
{
    const lk_saber_params *p = op->s->p;
    const lk_range whole = {0, p->matrix_bytes, p->matrix_bytes};
    op->key.ek = ek_of(op);
    if (!lk_saber_by_entries(op->s)) matrix_job(op, jobs, op->key.matrix, ek_seed_a(p, op->key.ek), whole);
    if (op->s->kind == LK_ENCAPS)
        lk_job_make(lk_jobs_next(jobs), LK_SHA3_256, op->m, LK_SABER_SYM_BYTES, op->key.ek, p->row.bytes.ek);
    return LK_PASSED(prepare_expand);
}

/* The key is expanded straight into prepared storage: A by entries, or all rows that are there. */
LK_PHASE(prepare_finish, lk_saber_op *op)
{
    const lk_saber *s = op->s;
    const size_t row_bytes = s->p->l * s->ring->evaluated_bytes;
    if (op->column > 0) lk_saber_evaluate_entry(op, op->key.rows + row_bytes * op->sampled);
    if (lk_saber_by_entries(s) && op->sampled < s->p->l) {
        entry_job(op, jobs, ek_seed_a(s->p, op->key.ek));
        return 0;
    }
    for (size_t i = lk_saber_by_entries(s) ? s->p->l : 0; i <= s->p->l; i++)
        lk_saber_evaluate_row(op, op->key.rows + row_bytes * i, i);
    if (s->kind == LK_DECAPS) {
        lk_saber_evaluate_secret(s, op->key.s, op->io.dk);
        memcpy(op->m, dk_h(s->p, op->io.dk), 2 * LK_SABER_SYM_BYTES);
    }
    return LK_PASSED(prepare_finish);
}

static const lk_step prepare_steps[] = {LK_EACH(prepare_expand), LK_EACH(prepare_finish), LK_END};

static int prepare(const lk_request *request, lk_kind kind)
{
    const lk_operation operation = {kind,         sizeof(lk_saber_op), prepare_jobs, take_shared_prepare,
                                    take_prepare, prepare_steps};
    lk_saber s = begin(request, kind);
    return lk_group_run(&operation, request, &s);
}

int lk_saber_prepare_ek(const lk_request *request)
{
    return prepare(request, LK_ENCAPS);
}

int lk_saber_prepare_dk(const lk_request *request)
{
    return prepare(request, LK_DECAPS);
}

/* ---- Encapsulation and decapsulation ---- */

/* gen_A, G, gen_s and H(coins) and H(ek) or H(ct). */
static size_t encaps_jobs(const lk_row *row)
{
    (void)row;
    return 5;
}

static size_t decaps_jobs(const lk_row *row)
{
    (void)row;
    return 4;
}

/* Decapsulation knows its ciphertext, and hashes it whole beside gen_A. */
static int is_cut(const lk_saber *s)
{
    return s->kind == LK_ENCAPS && !s->request->prepared && has_spare_lanes(s->request);
}

static void take_shared_kem(void *shared, lk_arena *arena)
{
    lk_saber *s = shared;
    take_states(s, arena, is_cut(s));
    s->ct_again = s->kind == LK_DECAPS ? lk_take(arena, s->p->row.bytes.ct) : NULL;
    lk_saber_take_buffers(s, arena);
}

/* The key, in bytes or in prepared storage; operations only read it. */
static void take_key(lk_saber_op *op, lk_arena *arena)
{
    const lk_saber *s = op->s;
    lk_arena storage = {(unsigned char *)s->request->prepared, 0};
    if (s->request->prepared) {
        op->h = take_prepared(op, &storage);
        return;
    }
    op->key.rows = NULL;
    op->key.s = s->s;
    op->key.matrix = take_matrix(s, arena);
}

LK_TAKE(take_kem, lk_saber_op *op)
{
    lk_saber *s = shared;
    begin_rows(op, s, is_cut(s) ? 2 : s->p->l);
    take_key(op, arena);
    op->noise = take_noise(op, arena);
    op->m = lk_take(arena, 2 * LK_SABER_SYM_BYTES);
    op->g = lk_take(arena, 4 * LK_SABER_SYM_BYTES);
}

/* The parts of a key in bytes, which is not there while memory is counted. */
static void find_parts(lk_saber_op *op)
{
    op->key.ek = ek_of(op);
    if (op->s->kind == LK_DECAPS) op->h = dk_h(op->s->p, op->io.dk);
}

static void copy_h(const lk_saber_op *op)
{
    memcpy(op->m + LK_SABER_SYM_BYTES, op->h, LK_SABER_SYM_BYTES);
}

/* (K, r) = G(m || H(ek)), and gen_s from r. */
static lk_job *g_jobs(const lk_saber_op *op, lk_jobs *jobs)
{
    lk_job *g = lk_jobs_next(jobs);
    lk_job_make(g, LK_SHA3_512, op->g, 2 * LK_SABER_SYM_BYTES, op->m, 2 * LK_SABER_SYM_BYTES);
    lk_job_then(g, noise_job(op, jobs, op->g + LK_SABER_SYM_BYTES), 1);
    return g;
}

/* Rows [made, sampled) of A, and what is in the same blocks. */
static void rows_job(const lk_saber_op *op, lk_jobs *jobs)
{
    const lk_saber_params *p = op->s->p;
    const size_t row = (size_t)LK_SABER_Q_BYTES * p->l;
    const lk_range range = {whole_blocks(p, row * op->made), whole_blocks(p, row * op->sampled), p->matrix_bytes};
    matrix_job(op, jobs, op->key.matrix + range.from, ek_seed_a(p, op->key.ek), range);
}

/* Algorithm 18 as far as A is there, and the job that samples more of it, for which the phase runs again. */
static void encrypt_further(lk_saber_op *op, lk_jobs *jobs, uint8_t *ct)
{
    lk_saber_pke_encrypt(op, ct);
    if (op->made == op->s->p->l) return;
    if (lk_saber_by_entries(op->s)) {
        entry_job(op, jobs, ek_seed_a(op->s->p, op->key.ek));
    } else {
        op->again = 1;
        op->sampled = (uint8_t)(op->made + 1);
        rows_job(op, jobs);
    }
}

/* Of an ek in bytes: H(ek), before G, and beside that the first rows of A. */
static void key_jobs(const lk_saber_op *op, lk_jobs *jobs, lk_job *g)
{
    lk_job *h = lk_jobs_next(jobs);
    lk_job_make(h, LK_SHA3_256, op->m + LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES, op->key.ek, op->s->p->row.bytes.ek);
    lk_job_then(h, g, 1);
    if (!lk_saber_by_entries(op->s)) rows_job(op, jobs);
}

/* 21, 22: ss = H(K || H(ct)), where K may be z instead in decapsulation. */
static uint32_t ss_job(const lk_saber_op *op, lk_jobs *jobs, const uint8_t *k)
{
    lk_job *job = lk_jobs_next(jobs);
    lk_job_pair(job, LK_SHA3_256, op->io.ss, LK_SABER_SYM_BYTES, k, ct_hash(op));
    return lk_op_gives(&op->op, job);
}

/* Saber.KEM.Encaps (algorithm 21): m = H(m), so that no output of the random generator is ever sent, and H(ek), then G,
 * then gen_s; beside these gen_A for the first rows. */
LK_PHASE(encaps_expand, lk_saber_op *op)
{
    lk_job *g = g_jobs(op, jobs), *m = lk_jobs_next(jobs);
    lk_job_make(m, LK_SHA3_256, op->m, LK_SABER_SYM_BYTES, op->io.coins, LK_SABER_SYM_BYTES);
    lk_job_then(m, g, 1);
    if (op->key.rows) {
        copy_h(op);
    } else {
        find_parts(op);
        key_jobs(op, jobs, g);
    }
    return LK_PASSED(encaps_expand);
}

/* 18: b' as far as A is there, at the end c_m; 21: H(ct) as far as ct was there. Beside that gen_A goes on. */
LK_PHASE(encaps_encrypt, lk_saber_op *op)
{
    encrypt_further(op, jobs, op->io.ct_out);
    hash_job(op, jobs, ct_hash(op), op->io.ct_out, op->s->p->row.bytes.ct);
    return op->again ? 0 : LK_PASSED(encaps_encrypt) + lk_barrier(op->made) - op->s->p->l;
}

LK_PHASE(encaps_finish, const lk_saber_op *op)
{
    return LK_PASSED(encaps_finish) + ss_job(op, jobs, op->g);
}

static const lk_step encaps_steps[] = {LK_EACH(encaps_expand), LK_EACH(encaps_encrypt), LK_EACH(encaps_finish), LK_END};
static const lk_operation encaps = {LK_ENCAPS, sizeof(lk_saber_op), encaps_jobs, take_shared_kem,
                                    take_kem,  encaps_steps};

int lk_saber_encaps(const lk_request *request)
{
    lk_saber s = begin(request, LK_ENCAPS);
    return lk_group_run(&encaps, request, &s);
}

/* Saber.KEM.Decaps (algorithm 22). Decryption hashes nothing, so it comes first; then G, with gen_s behind it, and
 * H(ct) run beside gen_A. */
LK_PHASE(decaps_decrypt, lk_saber_op *op)
{
    const lk_saber_params *p = op->s->p;
    if (!op->key.rows) {
        find_parts(op);
        lk_saber_evaluate_secret(op->s, op->key.s, op->io.dk);
    }
    lk_saber_pke_decrypt(op);
    copy_h(op);
    (void)g_jobs(op, jobs);
    lk_job_make(lk_jobs_next(jobs), LK_SHA3_256, ct_hash(op), LK_SABER_SYM_BYTES, op->io.ct, p->row.bytes.ct);
    if (!op->key.rows && !lk_saber_by_entries(op->s)) rows_job(op, jobs);
    return LK_PASSED(decaps_decrypt);
}

/* 22: encrypts m again, which is then wiped, and moves K over z where the ciphertext comes out the same, without a branch.
 * Rejection's value is there first, so that acceptance has to act. */
LK_PHASE(decaps_accept, lk_saber_op *op)
{
    const lk_saber *s = op->s;
    uint8_t *k = k_or_z(op);
    encrypt_further(op, jobs, s->ct_again);
    if (op->again) return 0;
    memcpy(k, op->h + LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES); /* z */
    const uint32_t differ = lk_ct_differ(s->ct_again, op->io.ct, s->p->row.bytes.ct);
    lk_wipe(op->m, LK_SABER_SYM_BYTES); /* after which both addresses are read again */
    const uint32_t same = lk_ct_same(s->ct_again, op->io.ct, s->p->row.bytes.ct);
    lk_ct_move(k, op->g, LK_SABER_SYM_BYTES, ~differ, same);
    return LK_PASSED(decaps_accept) + op->made - s->p->l + ss_job(op, jobs, k);
}

static const lk_step decaps_steps[] = {LK_EACH(decaps_decrypt), LK_EACH(decaps_accept), LK_END};
static const lk_operation decaps = {LK_DECAPS, sizeof(lk_saber_op), decaps_jobs, take_shared_kem,
                                    take_kem,  decaps_steps};

int lk_saber_decaps(const lk_request *request)
{
    lk_saber s = begin(request, LK_DECAPS);
    return lk_group_run(&decaps, request, &s);
}

/* ---- Checks: there are none ---- */

int lk_saber_check_ek(const lk_request *request)
{
    (void)request;
    return LK_DONE;
}

int lk_saber_check_dk(const lk_request *request)
{
    (void)request;
    return LK_DONE;
}
