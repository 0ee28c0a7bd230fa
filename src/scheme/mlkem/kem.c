/* The KEM: ML-KEM (FIPS 203 sections 6 and 7) and Kyber round 3 (section 1.4), written for one operation
 * (scheme/group.h).
 *
 * "17.1" is FIPS 203 algorithm 17 step 1, "K8.2" is Kyber's algorithm 8 line 2. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <string.h>

#include "base/families.h"
#include "scheme/mlkem/internal.h"
#include "shared/ct.h"
#include "shared/wipe.h"

static const lk_mlkem_params *params_of(const lk_request *request)
{
    return (const lk_mlkem_params *)request->row;
}

static lk_mlkem begin(const lk_request *request, lk_kind kind)
{
    lk_mlkem s = {.request = request, .p = params_of(request), .ring = request->b->q3329, .kind = kind};
    if (!LK_IS_SMALL) s.sampler = lk_mlkem_sampler(s.ring);
    return s;
}

/* The most jobs at a time. Decapsulation has them: A, the noise in two jobs, J, H and G. */
static size_t kem_jobs(const lk_row *row)
{
    (void)row;
    return LK_IS_SMALL ? 1 : 6;
}

/* A is k x k polynomials. In their place encapsulation's second part, which needs no entry of A, joins ek; in the small
 * build, which stores none, in the place of y. */
static size_t matrix_bytes(const lk_mlkem *s)
{
    return LK_IS_SMALL ? 0 : (size_t)s->p->k * s->p->k * sizeof(lk_poly);
}

/* ---- Formats (FIPS 203 section 7): ek = t || rho, dk = s || ek || H(ek) || z ---- */

static const uint8_t *dk_h(const lk_mlkem_params *p, const uint8_t *dk)
{
    return dk + p->row.bytes.dk - 2 * LK_SYM_BYTES;
}

static const uint8_t *dk_z(const lk_mlkem_params *p, const uint8_t *dk)
{
    return dk + p->row.bytes.dk - LK_SYM_BYTES;
}

/* ---- Key generation (algorithms 16 and 13, K7 and K4) ---- */

/* By rows: k of A, as many of noise and parts of H(ek). */
static size_t keygen_jobs(const lk_row *row)
{
    return LK_IS_SMALL ? 1 : 3 * (size_t)((const lk_mlkem_params *)row)->k;
}

static void take_shared_keygen(void *shared, lk_arena *arena)
{
    lk_mlkem *s = shared;
    if (!LK_IS_SMALL) s->ek_hash_state = lk_take(arena, LK_JOB_STATE_WORDS * sizeof(uint64_t));
    lk_mlkem_take_pke(s, arena);
}

LK_TAKE(take_keygen, lk_mlkem_op *op)
{
    op->s = shared;
    op->row = op->step = 0;
    op->key.a_hat = lk_take(arena, matrix_bytes(op->s));
    op->g = lk_take(arena, 2 * LK_SYM_BYTES);
    lk_mlkem_take_noise(op, arena);
}

static lk_job *g_of_seed(const lk_mlkem_op *op, lk_jobs *jobs)
{
    lk_job *g = lk_jobs_next(jobs);
    lk_job_make(g, op->s->p->suite->g, op->g, 2 * LK_SYM_BYTES, NULL, 0);
    lk_job_head(g, op->io.seed, LK_SYM_BYTES);
    return g;
}

/* 13.1: (rho, sigma) = G(d || k). */
LK_PHASE(keygen_expand_fips203, const lk_mlkem_op *op)
{
    lk_job_head(g_of_seed(op, jobs), &op->s->p->k, 1);
    return LK_PASSED(keygen_expand_fips203);
}

/* K4.2: (rho, sigma) = G(d). */
LK_PHASE(keygen_expand_round3, const lk_mlkem_op *op)
{
    (void)g_of_seed(op, jobs);
    return LK_PASSED(keygen_expand_round3);
}

/* rho is public from here on: the end of ek (13.19). */
static const uint8_t *publish_rho(const lk_mlkem_op *op)
{
    uint8_t *rho = op->io.ek_out + op->s->p->vector_bytes;
    lk_declassify(op->g, LK_SYM_BYTES);
    memcpy(rho, op->g, LK_SYM_BYTES);
    return rho;
}

/* Pieces [first, end) of the noise, which are s and then e. */
static void keygen_noise(const lk_mlkem_op *op, lk_job *job, size_t first, size_t end)
{
    lk_mlkem_noise_job(op, job, first, end, op->s->p->eta1);
}

/* 16.3: what follows s in dk but H(ek). */
static void keygen_dk(const lk_mlkem_op *op)
{
    const lk_mlkem_params *p = op->s->p;
    uint8_t *dk = op->io.dk_out;
    memcpy(dk + p->vector_bytes, op->io.ek_out, p->row.bytes.ek);
    memcpy(dk + p->row.bytes.dk - LK_SYM_BYTES, op->io.seed + LK_SYM_BYTES, LK_SYM_BYTES);
}

static uint8_t *h_out(const lk_mlkem_op *op)
{
    return op->io.dk_out + op->s->p->row.bytes.dk - 2 * LK_SYM_BYTES;
}

/* 13.3-15: A, s and e are sampled, but in the small build. */
LK_PHASE(keygen_sample, lk_mlkem_op *op)
{
    const size_t k = op->s->p->k;
    const uint8_t *rho = publish_rho(op);
    if (!LK_IS_SMALL) {
        lk_mlkem_rows_job(op, lk_jobs_next(jobs), rho, 0, k);
        keygen_noise(op, lk_jobs_next(jobs), 0, 2 * k);
    }
    return LK_PASSED(keygen_sample);
}

/* 0 if all rows are made, up to `end`, for what the phase returns. */
static uint32_t rows_left(const lk_mlkem_op *op, size_t end)
{
    return (uint32_t)end - lk_barrier(op->row);
}

/* 13.16-20: t = A s + e; 16.3: dk, with H(ek). */
LK_PHASE(keygen_finish, lk_mlkem_op *op)
{
    if (!lk_pke_keygen(op, jobs)) return 0;
    keygen_dk(op);
    lk_job_make(lk_jobs_next(jobs), op->s->p->suite->h, h_out(op), LK_SYM_BYTES, op->io.ek_out, op->s->p->row.bytes.ek);
    return LK_PASSED(keygen_finish) + rows_left(op, op->s->p->k);
}

/* The same row by row: H(ek), by far the longest chain, begins with the first row of t and goes on with the others.
 * Each row is sampled in the lanes beside it and made as soon as possible. The jobs of row i end with stage i. Their
 * order leaves as few of 2, 3, 4 and 8 lanes as can be without work (tests/dispatch). */
LK_PHASE(keygen_sample_rows, lk_mlkem_op *op)
{
    const uint8_t *rho = publish_rho(op);
    const size_t k = op->s->p->k;
    for (size_t i = 0; i < k; i++) {
        const int noise_first = i > 0 && i < k - 1;
        lk_job *both = lk_jobs_several(jobs, 2);
        lk_mlkem_rows_job(op, &both[noise_first], rho, i, i + 1);
        keygen_noise(op, &both[!noise_first], i > 0 ? k + i : 0, k + i + 1);
        lk_job_later(&both[0], i);
        lk_job_later(&both[1], i);
    }
    return LK_PASSED(keygen_sample_rows);
}

/* The next row of t, and of H(ek) the blocks that are whole with it. */
LK_PHASE(keygen_finish_row, lk_mlkem_op *op)
{
    const lk_mlkem_params *p = op->s->p;
    const size_t from = LK_Q3329_POLY_BYTES * op->row;
    lk_pke_keygen_row(op);
    const int last = op->row == p->k;
    const lk_range range = {from, last ? p->row.bytes.ek : from + LK_Q3329_POLY_BYTES, p->row.bytes.ek};
    lk_job_hash_part(lk_jobs_next(jobs), h_out(op), op->io.ek_out, range, op->s->ek_hash_state);
    op->again = !last;
    if (last) keygen_dk(op);
    return last ? LK_PASSED(keygen_finish_row) + rows_left(op, p->k) : 0;
}

static const lk_step fips203_keygen_steps[] = {LK_EACH(keygen_expand_fips203), LK_EACH(keygen_sample),
                                               LK_EACH(keygen_finish), LK_END};
static const lk_step fips203_keygen_rows_steps[] = {LK_EACH(keygen_expand_fips203), LK_EACH(keygen_sample_rows),
                                                    LK_EACH(keygen_finish_row), LK_END};
static const lk_step round3_keygen_steps[] = {LK_EACH(keygen_expand_round3), LK_EACH(keygen_sample),
                                              LK_EACH(keygen_finish), LK_END};
static const lk_step round3_keygen_rows_steps[] = {LK_EACH(keygen_expand_round3), LK_EACH(keygen_sample_rows),
                                                   LK_EACH(keygen_finish_row), LK_END};

#define KEYGEN(steps_)                                                                                                 \
    {                                                                                                                  \
        LK_KEYPAIR, sizeof(lk_mlkem_op), keygen_jobs, take_shared_keygen, take_keygen, steps_                          \
    }
static const lk_operation fips203_keygen = KEYGEN(fips203_keygen_steps);
static const lk_operation fips203_keygen_rows = KEYGEN(fips203_keygen_rows_steps);
static const lk_operation round3_keygen = KEYGEN(round3_keygen_steps);
static const lk_operation round3_keygen_rows = KEYGEN(round3_keygen_rows_steps);

/* Several operations fill the lanes with whole jobs. One must have jobs for more than one turn of the lanes. */
static int by_rows(const lk_mlkem *s)
{
    const lk_keccak_kernels *keccak = s->request->b->symmetric.keccak;
    const size_t k = s->p->k;
    return !LK_IS_SMALL && s->request->n == 1 && s->p->row.hash == LK_SHA3_256 && keccak->pairs &&
           k * k + 2 * k > keccak->lanes;
}

int lk_mlkem_keypair(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_KEYPAIR);
    const int rows = by_rows(&s);
    if (lk_mlkem_is_fips203(s.p)) return lk_group_run(rows ? &fips203_keygen_rows : &fips203_keygen, request, &s);
    return lk_group_run(rows ? &round3_keygen_rows : &round3_keygen, request, &s);
}

/* ---- Keys expanded ---- */

static void take_vectors(const lk_mlkem *s, lk_poly **t_hat, lk_poly **s_hat, lk_arena *arena)
{
    if (LK_IS_SMALL) return;
    *t_hat = lk_take(arena, s->p->k * sizeof(lk_poly));
    *s_hat = s->kind == LK_DECAPS ? lk_take(arena, s->p->k * sizeof(lk_poly)) : NULL;
}

/* The places of hashes in a prepared key. */
typedef struct {
    uint8_t *h, *z;
} stored;

/* A view of prepared storage, which operations only read: A, H(ek), z, t and s. In the small build it is ek with H(ek), or
 * dk, in the place of the operation's key. */
static stored view_key(lk_mlkem_op *op, const void *prepared)
{
    const lk_mlkem *s = op->s;
    lk_arena storage = {(unsigned char *)prepared, 0};
    stored at = {NULL, NULL};
    if (LK_IS_SMALL) {
        const lk_sizes *bytes = &s->p->row.bytes;
        const size_t before = s->kind == LK_DECAPS ? bytes->dk - 2 * LK_SYM_BYTES : bytes->ek;
        op->io.ek = prepared;
        at.h = storage.base + before;
        at.z = at.h + LK_SYM_BYTES;
    } else {
        op->key.a_hat = lk_take(&storage, matrix_bytes(s));
        at.h = lk_take(&storage, LK_SYM_BYTES);
        at.z = s->kind == LK_DECAPS ? lk_take(&storage, LK_SYM_BYTES) : NULL;
        take_vectors(s, &op->key.t_hat, &op->key.s_hat, &storage);
    }
    op->key.h = at.h;
    op->key.z = at.z;
    return at;
}

/* Decodes t, and checks it. */
static void decode_t(lk_mlkem_op *op)
{
    lk_mlkem_judge_t(op, lk_mlkem_decode_vector(op->s, op->key.t_hat, lk_mlkem_ek(op)));
    op->s->t_of = op;
}

/* 18.1-4: what else is in dk. */
static void decode_dk(lk_mlkem_op *op)
{
    const uint8_t *dk = op->io.dk;
    if (!LK_IS_SMALL) (void)lk_mlkem_decode_vector(op->s, op->key.s_hat, dk);
    op->key.h = dk_h(op->s->p, dk);
    op->key.z = dk_z(op->s->p, dk);
}

static const lk_job *h_job(const lk_mlkem_op *op, lk_jobs *jobs, uint8_t *h)
{
    lk_job *job = lk_jobs_next(jobs);
    lk_job_make(job, op->s->p->suite->h, h, LK_SYM_BYTES, lk_mlkem_ek(op), op->s->p->row.bytes.ek);
    return job;
}

/* Jobs that expand a key: A, and H(ek), to h, for encapsulation and for the check of dk in ML-KEM (Kyber trusts the H(ek)
 * in dk). */
static void key_jobs(lk_mlkem_op *op, lk_jobs *jobs, uint8_t *h)
{
    if (op->s->kind == LK_ENCAPS || lk_mlkem_is_fips203(op->s->p)) (void)h_job(op, jobs, h);
    if (LK_IS_SMALL) return;
    lk_mlkem_rows_job(op, lk_jobs_next(jobs), lk_mlkem_ek(op) + op->s->p->vector_bytes, 0, op->s->p->k);
}

/* Whether H(ek) is another than the one that came. Both are public. */
static int other_h(const lk_mlkem_op *op)
{
    return memcmp(lk_mlkem_hash(op, LK_MLKEM_H), op->key.h, LK_SYM_BYTES) != 0;
}

/* Afterwards: the order of A, and the comparison of H(ek) with dk's (section 7.3). */
static void finish_key(lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    if (!LK_IS_SMALL) lk_mlkem_matrix_order(s, op->key.a_hat, (size_t)s->p->k * s->p->k);
    if (s->kind == LK_DECAPS && lk_mlkem_is_fips203(s->p) && other_h(op)) op->error = LATKEM_ERR_DK;
}

/* ---- Encapsulation and decapsulation ---- */

static void take_shared_kem(void *shared, lk_arena *arena)
{
    lk_mlkem *s = shared;
    lk_mlkem_take_pke(s, arena);
    if (!s->request->prepared) take_vectors(s, &s->t_hat, &s->s_hat, arena);
}

LK_TAKE(take_kem, lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s = shared;
    op->row = (uint8_t)lk_mlkem_first_row(s);
    op->step = 0;
    op->differ = op->agreed = 0;
    if (s->request->prepared) {
        (void)view_key(op, s->request->prepared);
    } else {
        op->key.a_hat = lk_take(arena, matrix_bytes(s));
        op->key.t_hat = LK_IS_SMALL ? s->acc : s->t_hat;
        op->key.s_hat = s->s_hat;
    }
    lk_mlkem_take_noise(op, arena);
    op->g = lk_take(arena, 2 * LK_SYM_BYTES);
    op->hashes = lk_take(arena, (LK_IS_SMALL ? LK_MLKEM_H : LK_MLKEM_HASHES) * LK_SYM_BYTES);
}

/* (K, r) = G(m || H(ek)), and the noise from r, but in the small build: y's, and that of the rows which are made. */
static void g_jobs(lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem_params *p = op->s->p;
    lk_job *g = lk_jobs_next(jobs);
    lk_job_pair(g, p->suite->g, op->g, 2 * LK_SYM_BYTES, op->m, op->key.h);
    if (LK_IS_SMALL) return;
    lk_job *noise = lk_jobs_several(jobs, 2);
    lk_mlkem_noise_job(op, &noise[0], 0, p->k, p->eta1);
    lk_mlkem_noise_job(op, &noise[1], p->k + lk_mlkem_first_row(op->s), p->k + lk_mlkem_end_row(op->s), LK_ETA2);
    lk_job_then(g, noise, 2);
}

/* Whether t is where it has been decoded: in a group only that of the last operation is. */
static int has_t(const lk_mlkem_op *op)
{
    return LK_IS_SMALL || op->s->request->prepared || op->s->rows != LK_MLKEM_ROWS_ALL || op->s->t_of == op;
}

/* Algorithm 14. Returns LK_DONE, or 0 if the phase must run again. */
static uint32_t encrypts(lk_mlkem_op *op, lk_jobs *jobs)
{
    if (!has_t(op)) decode_t(op);
    return lk_pke_encrypt(op, jobs);
}

/* 0 if all rows of the ciphertext are made, and encrypts said so. */
static uint32_t ct_left(const lk_mlkem_op *op, uint32_t encrypted)
{
    return rows_left(op, lk_mlkem_end_row(op->s)) + lk_barrier(encrypted) - LK_DONE;
}

/* K8.5, K9.8, K9.10: H(ct). */
static void ct_hash_job(const lk_mlkem_op *op, lk_jobs *jobs, const uint8_t *ct)
{
    lk_job_make(lk_jobs_next(jobs), op->s->p->suite->h, lk_mlkem_hash(op, LK_MLKEM_CT_HASH), LK_SYM_BYTES, ct,
                op->s->p->row.bytes.ct);
}

/* K8.5, K9.8, K9.10: ss = KDF(K || H(ct)), where K may be z instead in decapsulation. */
static uint32_t kdf_job(const lk_mlkem_op *op, lk_jobs *jobs, const uint8_t *k)
{
    lk_job *job = lk_jobs_next(jobs);
    lk_job_pair(job, op->s->p->row.kdf, op->io.ss, LK_SYM_BYTES, k, lk_mlkem_hash(op, LK_MLKEM_CT_HASH));
    return lk_op_gives(&op->op, job);
}

/* ML-KEM.Encaps_internal (algorithm 17) with the check of ek (section 7.2). */
LK_PHASE(encaps_expand_fips203, lk_mlkem_op *op)
{
    op->m = op->io.coins;
    const int expands = !op->s->request->prepared;
    if (expands && !LK_IS_SMALL) decode_t(op);
    if (expands && !lk_op_failed(&op->op)) key_jobs(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H));
    return LK_PASSED(encaps_expand_fips203);
}

/* 17.1 */
LK_PHASE(encaps_hash, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) {
        finish_key(op);
        op->key.h = lk_mlkem_hash(op, LK_MLKEM_H);
    }
    g_jobs(op, jobs);
    return LK_PASSED(encaps_hash);
}

/* 17.2 */
LK_PHASE(encaps_finish_fips203, lk_mlkem_op *op)
{
    const uint32_t encrypted = encrypts(op, jobs);
    if (!encrypted) return 0;
    memcpy(op->io.ss, op->g, LK_SYM_BYTES);
    return LK_PASSED(encaps_finish_fips203) + ct_left(op, encrypted);
}

LK_PHASE(encaps_expand_round3, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) key_jobs(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H));
    return LK_PASSED(encaps_expand_round3);
}

/* K8.2: m = H(m), so that no output of the random generator is ever sent. */
LK_PHASE(encaps_m_round3, lk_mlkem_op *op)
{
    op->m = lk_mlkem_hash(op, LK_MLKEM_M);
    lk_job_make(lk_jobs_next(jobs), op->s->p->suite->h, lk_mlkem_hash(op, LK_MLKEM_M), LK_SYM_BYTES, op->io.coins,
                LK_SYM_BYTES);
    return LK_PASSED(encaps_m_round3);
}

/* K8.4-5 */
LK_PHASE(encaps_finish_round3, lk_mlkem_op *op)
{
    const uint32_t encrypted = encrypts(op, jobs);
    if (!encrypted) return 0;
    ct_hash_job(op, jobs, op->io.ct_out);
    return LK_PASSED(encaps_finish_round3) + ct_left(op, encrypted);
}

LK_PHASE(encaps_kdf_round3, const lk_mlkem_op *op)
{
    return LK_PASSED(encaps_kdf_round3) + kdf_job(op, jobs, op->g);
}

static const lk_step fips203_encaps_steps[] = {LK_EACH(encaps_expand_fips203), LK_EACH(encaps_hash),
                                               LK_EACH(encaps_finish_fips203), LK_END};
static const lk_step round3_encaps_steps[] = {
    LK_BESIDE(encaps_expand_round3), LK_EACH(encaps_m_round3),   LK_EACH(encaps_hash),
    LK_EACH(encaps_finish_round3),   LK_EACH(encaps_kdf_round3), LK_END};

#define KEM(kind_, steps_)                                                                                             \
    {                                                                                                                  \
        kind_, sizeof(lk_mlkem_op), kem_jobs, take_shared_kem, take_kem, steps_                                        \
    }
static const lk_operation fips203_encaps = KEM(LK_ENCAPS, fips203_encaps_steps);
static const lk_operation round3_encaps = KEM(LK_ENCAPS, round3_encaps_steps);

int lk_mlkem_encaps(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_ENCAPS);
    return lk_group_run(lk_mlkem_is_fips203(s.p) ? &fips203_encaps : &round3_encaps, request, &s);
}

/* Decryption hashes nothing, so it comes first (18.5, K9.4): all hashes then run side by side, the short chain from G
 * (18.6, K9.5) to the noise beside that of the ciphertext and those which expand the key. */
LK_PHASE(decaps_decrypt, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) decode_dk(op);
    lk_pke_decrypt(op);
    op->m = lk_mlkem_hash(op, LK_MLKEM_M);
    g_jobs(op, jobs);
    return LK_PASSED(decaps_decrypt);
}

LK_PHASE(decaps_expand, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) key_jobs(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H));
    return LK_PASSED(decaps_expand);
}

/* ML-KEM.Decaps_internal (algorithm 18) with the check of dk (section 7.3). 18.7: J(z || c), where the shared secret goes. */
LK_PHASE(decaps_reject_fips203, lk_mlkem_op *op)
{
    lk_job *j = lk_jobs_next(jobs);
    lk_job_make(j, op->s->p->row.kdf, op->io.ss, LK_SYM_BYTES, op->io.ct, op->s->p->row.bytes.ct);
    lk_job_head(j, op->key.z, LK_SYM_BYTES);
    return LK_PASSED(decaps_reject_fips203) + lk_op_gives(&op->op, j);
}

LK_PHASE(decaps_hash_round3, lk_mlkem_op *op)
{
    ct_hash_job(op, jobs, op->io.ct);
    return LK_PASSED(decaps_hash_round3);
}

LK_PHASE_ALONE(decaps_check, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) finish_key(op);
    return LK_PASSED(decaps_check);
}

/* After m is encrypted again (18.8, K9.6): wipes it, and moves K over the value of a rejection where the ciphertext
 * came out the same (18.9-11, K9.7-11), without a branch. Rejection's value is there first, so that acceptance has to
 * act. The caller encrypts, where no register holds that place. */
static void accept_same(const lk_mlkem_op *op, uint8_t *rejected)
{
    const uint32_t same = ~lk_ct_nonzero(op->agreed ^ (uint32_t)op->s->p->row.bytes.ct);
    lk_wipe(lk_mlkem_hash(op, LK_MLKEM_M), LK_SYM_BYTES);
    lk_ct_move(rejected, op->g, LK_SYM_BYTES, ~op->differ, same);
}

LK_PHASE(decaps_finish_fips203, lk_mlkem_op *op)
{
    const uint32_t encrypted = encrypts(op, jobs);
    if (!encrypted) return 0;
    accept_same(op, op->io.ss);
    return LK_PASSED(decaps_finish_fips203) + ct_left(op, encrypted);
}

LK_PHASE(decaps_finish_round3, lk_mlkem_op *op)
{
    uint8_t *k = lk_mlkem_hash(op, LK_MLKEM_K);
    const uint32_t encrypted = encrypts(op, jobs);
    if (!encrypted) return 0;
    memcpy(k, op->key.z, LK_SYM_BYTES);
    accept_same(op, k);
    return LK_PASSED(decaps_finish_round3) + ct_left(op, encrypted) + kdf_job(op, jobs, k);
}

static const lk_step fips203_decaps_steps[] = {LK_BESIDE(decaps_decrypt),      LK_BESIDE(decaps_expand),
                                               LK_EACH(decaps_reject_fips203), LK_BESIDE(decaps_check),
                                               LK_EACH(decaps_finish_fips203), LK_END};
static const lk_step round3_decaps_steps[] = {LK_BESIDE(decaps_decrypt),     LK_BESIDE(decaps_expand),
                                              LK_EACH(decaps_hash_round3),   LK_BESIDE(decaps_check),
                                              LK_EACH(decaps_finish_round3), LK_END};
static const lk_operation fips203_decaps = KEM(LK_DECAPS, fips203_decaps_steps);
static const lk_operation round3_decaps = KEM(LK_DECAPS, round3_decaps_steps);

int lk_mlkem_decaps(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_DECAPS);
    return lk_group_run(lk_mlkem_is_fips203(s.p) ? &fips203_decaps : &round3_decaps, request, &s);
}

/* ---- Encapsulation in two parts: the rows of u, for which rho and H(ek) are enough, and that of v ---- */

/* A state is tag || rho || H(ek) || m || r, as bytes. No change in it goes unseen: rho and H(ek) must fit the vector, and
 * r must be that of m and H(ek). */
enum { TAG_BYTES = 4, STATE_M = TAG_BYTES + LK_MLKEM_HEADER_BYTES, STATE_R = STATE_M + LK_SYM_BYTES };
_Static_assert(STATE_R + LK_SYM_BYTES == LK_MLKEM_STATE_BYTES, "");

/* The set, and the version of the format. */
static void make_tag(const lk_mlkem *s, uint8_t tag[TAG_BYTES])
{
    const uint8_t bytes[TAG_BYTES] = {'e', '1', s->p->k, 1};
    memcpy(tag, bytes, TAG_BYTES);
}

static int has_tag(const lk_mlkem *s)
{
    uint8_t tag[TAG_BYTES];
    make_tag(s, tag);
    return memcmp(s->request->state, tag, TAG_BYTES) == 0;
}

static void write_state(const lk_mlkem_op *op)
{
    uint8_t *state = op->s->request->state;
    make_tag(op->s, state);
    memcpy(state + TAG_BYTES, op->io.part, LK_MLKEM_HEADER_BYTES);
    memcpy(state + STATE_M, op->m, LK_SYM_BYTES);
    memcpy(state + STATE_R, op->g + LK_SYM_BYTES, LK_SYM_BYTES);
}

/* 17.1 and the sampling of A: the header takes ek's place. */
LK_PHASE(encaps1_hash, lk_mlkem_op *op)
{
    const uint8_t *header = op->io.part;
    op->m = op->io.coins;
    op->key.h = header + LK_SYM_BYTES;
    g_jobs(op, jobs);
    if (!LK_IS_SMALL) lk_mlkem_rows_job(op, lk_jobs_next(jobs), header, 0, op->s->p->k);
    return LK_PASSED(encaps1_hash);
}

LK_PHASE_ALONE(encaps1_order, lk_mlkem_op *op)
{
    finish_key(op);
    return LK_PASSED(encaps1_order);
}

LK_PHASE(encaps1_finish, lk_mlkem_op *op)
{
    const uint32_t encrypted = encrypts(op, jobs);
    if (!encrypted) return 0;
    memcpy(op->io.ss, op->g, LK_SYM_BYTES);
    write_state(op);
    return LK_PASSED(encaps1_finish) + ct_left(op, encrypted);
}

/* ek of the vector and the state's rho, in memory that is not needed yet. */
static const uint8_t *join_ek(const lk_mlkem_op *op, const uint8_t *rho)
{
    const size_t vector_bytes = op->s->p->vector_bytes;
    uint8_t *ek = (uint8_t *)(LK_IS_SMALL ? op->s->y : op->key.a_hat);
    memcpy(ek, op->io.part, vector_bytes);
    memcpy(ek + vector_bytes, rho, LK_SYM_BYTES);
    return ek;
}

/* Section 7.2, and the hash that shows whether state and vector fit. */
LK_PHASE(encaps2_hash, lk_mlkem_op *op)
{
    const uint8_t *state = op->s->request->state, *rho = state + TAG_BYTES;
    op->m = state + STATE_M;
    op->io.ek = join_ek(op, rho);
    op->key.h = rho + LK_SYM_BYTES;
    if (!has_tag(op->s))
        op->error = LATKEM_ERR_STATE;
    else
        decode_t(op);
    if (!lk_op_failed(&op->op)) (void)h_job(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H));
    return LK_PASSED(encaps2_hash);
}

/* 17.1 again. */
LK_PHASE(encaps2_again, lk_mlkem_op *op)
{
    g_jobs(op, jobs);
    return LK_PASSED(encaps2_again);
}

/* Whether a state is whole is public. */
static uint32_t other_r(const lk_mlkem_op *op)
{
    const uint32_t differ = lk_ct_differ(op->g + LK_SYM_BYTES, op->s->request->state + STATE_R, LK_SYM_BYTES);
    lk_declassify(&differ, sizeof differ);
    return differ;
}

/* Whether state and vector fit. In the small build the vector's place is then y's, and t comes from where it was given. */
LK_PHASE_ALONE(encaps2_check, lk_mlkem_op *op)
{
    if (other_h(op))
        op->error = LATKEM_ERR_EK;
    else if (other_r(op))
        op->error = LATKEM_ERR_STATE;
    op->io.part = op->s->request->io.part;
    return LK_PASSED(encaps2_check);
}

LK_PHASE(encaps2_finish, lk_mlkem_op *op)
{
    const uint32_t encrypted = encrypts(op, jobs);
    if (!encrypted) return 0;
    return LK_PASSED(encaps2_finish) + ct_left(op, encrypted);
}

static const lk_step encaps1_steps[] = {LK_EACH(encaps1_hash), LK_BESIDE(encaps1_order), LK_EACH(encaps1_finish),
                                        LK_END};
static const lk_step encaps2_steps[] = {LK_BESIDE(encaps2_hash), LK_EACH(encaps2_again), LK_BESIDE(encaps2_check),
                                        LK_EACH(encaps2_finish), LK_END};
static const lk_operation encaps1 = KEM(LK_ENCAPS1, encaps1_steps);
static const lk_operation encaps2 = KEM(LK_ENCAPS2, encaps2_steps);

int lk_mlkem_encaps1(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_ENCAPS);
    s.rows = LK_MLKEM_ROWS_OF_U;
    return lk_group_run(&encaps1, request, &s);
}

int lk_mlkem_encaps2(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_ENCAPS);
    s.rows = LK_MLKEM_ROW_OF_V;
    return lk_group_run(&encaps2, request, &s);
}

/* ---- Preparation and checks (section 7) ---- */

static void take_nothing(void *shared, lk_arena *arena)
{
    (void)shared;
    (void)arena;
}

/* In the small build t is decoded where an accumulator would be, and H(ek) comes there. */
static void take_scratch(void *shared, lk_arena *arena)
{
    lk_mlkem *s = shared;
    if (LK_IS_SMALL) s->acc = lk_take(arena, sizeof(lk_poly));
}

LK_TAKE(take_prepare, lk_mlkem_op *op)
{
    op->s = shared;
    op->hashes = lk_take(arena, LK_MLKEM_HASHES * LK_SYM_BYTES);
    op->key.t_hat = op->s->acc;
}

static size_t key_bytes(const lk_mlkem_params *p, int is_dk)
{
    return is_dk ? p->row.bytes.dk : p->row.bytes.ek;
}

/* The key is expanded straight into prepared storage. */
LK_PHASE(prepare_expand, lk_mlkem_op *op)
{
    const lk_request *request = op->s->request;
    const int is_dk = op->s->kind == LK_DECAPS;
    const stored at = view_key(op, request->prepared_out);
    if (LK_IS_SMALL) memcpy(request->prepared_out, request->io.ek, key_bytes(op->s->p, is_dk));
    decode_t(op);
    if (is_dk && !LK_IS_SMALL) {
        decode_dk(op);
        memcpy(at.h, op->key.h, LK_SYM_BYTES);
        memcpy(at.z, op->key.z, LK_SYM_BYTES);
    }
    if (!lk_op_failed(&op->op)) key_jobs(op, jobs, is_dk ? lk_mlkem_hash(op, LK_MLKEM_H) : at.h);
    return LK_PASSED(prepare_expand);
}

LK_PHASE_ALONE(prepare_finish, lk_mlkem_op *op)
{
    finish_key(op);
    return LK_PASSED(prepare_finish);
}

static const lk_step prepare_steps[] = {LK_EACH(prepare_expand), LK_EACH(prepare_finish), LK_END};

static int prepare(const lk_request *request, lk_kind kind)
{
    const lk_operation operation = {kind, sizeof(lk_mlkem_op), kem_jobs, take_scratch, take_prepare, prepare_steps};
    lk_mlkem s = begin(request, kind);
    return lk_group_run(&operation, request, &s);
}

int lk_mlkem_prepare_ek(const lk_request *request)
{
    return prepare(request, LK_ENCAPS);
}

int lk_mlkem_prepare_dk(const lk_request *request)
{
    return prepare(request, LK_DECAPS);
}

/* Section 7.2, the modulus check. */
int lk_mlkem_check_ek(const lk_request *request)
{
    const lk_mlkem s = begin(request, LK_ENCAPS);
    lk_poly t_hat[LK_IS_SMALL ? 1 : LK_Q3329_RANK_MAX];
    if (!lk_mlkem_is_fips203(s.p)) return LK_DONE;
    return lk_mlkem_decode_vector(&s, t_hat, request->io.ek) ? LATKEM_ERR_EK : LK_DONE;
}

LK_TAKE(take_check, lk_mlkem_op *op)
{
    op->s = shared;
    op->hashes = lk_take(arena, LK_MLKEM_HASHES * LK_SYM_BYTES);
}

static size_t one_job(const lk_row *row)
{
    (void)row;
    return 1;
}

/* Section 7.3, the hash check. */
LK_PHASE(check_hash, const lk_mlkem_op *op)
{
    (void)h_job(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H));
    return LK_PASSED(check_hash);
}

LK_PHASE_ALONE(check_finish, lk_mlkem_op *op)
{
    if (memcmp(lk_mlkem_hash(op, LK_MLKEM_H), dk_h(op->s->p, op->io.dk), LK_SYM_BYTES) != 0) op->error = LATKEM_ERR_DK;
    return LK_PASSED(check_finish);
}

static const lk_step check_steps[] = {LK_EACH(check_hash), LK_EACH(check_finish), LK_END};
static const lk_operation check_dk = {LK_DECAPS, sizeof(lk_mlkem_op), one_job, take_scratch, take_check, check_steps};

int lk_mlkem_check_dk(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_DECAPS);
    return lk_mlkem_is_fips203(s.p) ? lk_group_run(&check_dk, request, &s) : LK_DONE;
}

LK_TAKE(take_hash, lk_mlkem_op *op)
{
    op->s = shared;
    op->key.t_hat = lk_take(arena, (LK_IS_SMALL ? 1 : op->s->p->k) * sizeof(lk_poly));
}

/* Section 7.2, and H(ek). */
LK_PHASE(hash_ek, lk_mlkem_op *op)
{
    decode_t(op);
    return LK_PASSED(hash_ek) + lk_op_gives(&op->op, h_job(op, jobs, op->io.ss));
}

static const lk_step hash_ek_steps[] = {LK_EACH(hash_ek), LK_END};
static const lk_operation hash_of_ek = {LK_ENCAPS,    sizeof(lk_mlkem_op), one_job,
                                        take_nothing, take_hash,           hash_ek_steps};

int lk_mlkem_hash_ek(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_ENCAPS);
    return lk_group_run(&hash_of_ek, request, &s);
}
