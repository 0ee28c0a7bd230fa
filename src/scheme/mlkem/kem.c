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

/* Whether the KEM is that of FIPS 203, or Kyber's. 1 in all cases where the build has no Kyber, which lets the compiler
 * drop its phases. */
static inline int is_fips203(const lk_mlkem_params *p)
{
    return !LK_HAS_KYBER || p->fo == LK_FO_FIPS203;
}

static lk_mlkem begin(const lk_request *request, lk_kind kind)
{
    lk_mlkem s = {.request = request, .p = params_of(request), .ring = request->b->q3329, .kind = kind};
    s.sampler = lk_mlkem_sampler(s.ring);
    return s;
}

/* The polynomials in key.a_hat. In their place encapsulation's second part, which needs no entry of A, joins ek. */
static size_t matrix_size(const lk_mlkem *s)
{
    const size_t k = s->p->k;
    if (!lk_mlkem_by_entries(s)) return k * k;
    return s->rows == LK_MLKEM_ROW_OF_V ? k : 1;
}

/* Decapsulation has the most: A, the noise in two jobs, J, H and G. */
static size_t kem_jobs(const lk_row *row)
{
    (void)row;
    return 6;
}

/* ---- Formats (FIPS 203 section 7): ek = t || rho, dk = s || ek || H(ek) || z ---- */

static const uint8_t *ek_of(const lk_mlkem_op *op)
{
    return op->s->kind == LK_DECAPS ? op->io.dk + op->s->p->vector_bytes : op->io.ek;
}

static const uint8_t *rho_of(const lk_mlkem_params *p, const uint8_t *ek)
{
    return ek + p->vector_bytes;
}

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
    return 3 * (size_t)((const lk_mlkem_params *)row)->k;
}

static void take_shared_keygen(void *shared, lk_arena *arena)
{
    lk_mlkem *s = shared;
    s->by_entries = LK_IS_SMALL;
    s->ek_hash_state = lk_take(arena, LK_JOB_STATE_WORDS * sizeof(uint64_t));
    lk_mlkem_take_pke(s, arena);
}

LK_TAKE(take_keygen, lk_mlkem_op *op)
{
    op->s = shared;
    op->row = op->column = 0;
    op->g = lk_take(arena, 2 * LK_SYM_BYTES);
    op->key.a_hat = lk_take(arena, matrix_size(op->s) * sizeof(lk_poly));
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

/* Row i of t, and s with the first. */
static void keygen_row(lk_mlkem_op *op, size_t i)
{
    const size_t k = op->s->p->k;
    if (i == 0) lk_pke_keygen_secret(op);
    lk_mlkem_matrix_order(op->s, &op->key.a_hat[i * k], k);
    lk_pke_keygen_row(op, i);
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

/* 13.3-15: A, s and e are sampled. */
LK_PHASE(keygen_sample, lk_mlkem_op *op)
{
    const size_t k = op->s->p->k;
    const uint8_t *rho = publish_rho(op);
    if (!lk_mlkem_by_entries(op->s)) lk_mlkem_rows_job(op, lk_jobs_next(jobs), rho, 0, k);
    keygen_noise(op, lk_jobs_next(jobs), 0, 2 * k);
    return LK_PASSED(keygen_sample);
}

/* By entries: whether the first is still to be sampled. */
static int is_beginning(const lk_mlkem_op *op)
{
    return op->row == lk_mlkem_first_row(op->s) && op->column == 0;
}

/* Multiplies the entry that is sampled; returns 1 if it is the last of its row. */
static int ends_row(const lk_mlkem_op *op)
{
    lk_pke_add_entry(op, op->column - 1u);
    return op->column == op->s->p->k;
}

/* Writes down the next entry, for which the phase runs again; returns 0 if there is none. */
static int next_entry(lk_mlkem_op *op, lk_jobs *jobs, const uint8_t *rho)
{
    op->again = op->row < op->s->p->k;
    if (op->again) lk_mlkem_entry_job(op, lk_jobs_next(jobs), rho, op->row, op->column++);
    return op->again;
}

static void next_row(lk_mlkem_op *op)
{
    op->row++;
    op->column = 0;
}

/* 0 if all rows are made by entries, for what the phase returns. */
static uint32_t rows_left(const lk_mlkem_op *op)
{
    return lk_mlkem_by_entries(op->s) ? op->s->p->k - lk_barrier(op->row) : 0;
}

/* t = A s + e. Returns 0 if the phase must run again. */
static int makes_t(lk_mlkem_op *op, lk_jobs *jobs)
{
    if (!lk_mlkem_by_entries(op->s)) {
        for (size_t i = 0; i < op->s->p->k; i++) keygen_row(op, i);
        return 1;
    }
    if (is_beginning(op)) {
        lk_pke_keygen_secret(op);
    } else if (ends_row(op)) {
        lk_pke_keygen_finish_row(op, op->row);
        next_row(op);
    }
    return !next_entry(op, jobs, rho_of(op->s->p, op->io.ek_out));
}

/* 13.16-20: t = A s + e; 16.3: dk, with H(ek). */
LK_PHASE(keygen_finish, lk_mlkem_op *op)
{
    if (!makes_t(op, jobs)) return 0;
    keygen_dk(op);
    lk_job_make(lk_jobs_next(jobs), op->s->p->suite->h, h_out(op), LK_SYM_BYTES, op->io.ek_out, op->s->p->row.bytes.ek);
    return LK_PASSED(keygen_finish) + rows_left(op);
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
    const size_t i = op->row++, from = LK_Q3329_POLY_BYTES * i;
    const int last = op->row == p->k;
    const lk_range range = {from, last ? p->row.bytes.ek : from + LK_Q3329_POLY_BYTES, p->row.bytes.ek};
    keygen_row(op, i);
    lk_job_hash_part(lk_jobs_next(jobs), h_out(op), op->io.ek_out, range, op->s->ek_hash_state);
    op->again = !last;
    if (last) keygen_dk(op);
    return last ? LK_PASSED(keygen_finish_row) + lk_barrier((uint32_t)op->row) - p->k : 0;
}

static const lk_step fips203_keygen_steps[] = {LK_EACH(keygen_expand_fips203), LK_EACH(keygen_sample),
                                               LK_EACH(keygen_finish), LK_END};
static const lk_step fips203_keygen_rows_steps[] = {LK_EACH(keygen_expand_fips203), LK_EACH(keygen_sample_rows),
                                                    LK_EACH(keygen_finish_row), LK_END};
static const lk_step round3_keygen_steps[] = {LK_EACH(keygen_expand_round3), LK_EACH(keygen_sample),
                                              LK_EACH(keygen_finish), LK_END};
static const lk_step round3_keygen_rows_steps[] = {LK_EACH(keygen_expand_round3), LK_EACH(keygen_sample_rows),
                                                   LK_EACH(keygen_finish_row), LK_END};

/* The second is by rows. */
#define KEYGEN(steps_)                                                                                                 \
    {                                                                                                                  \
        LK_KEYPAIR, sizeof(lk_mlkem_op), keygen_jobs, take_shared_keygen, take_keygen, steps_                          \
    }
static const lk_operation fips203_keygen[2] = {KEYGEN(fips203_keygen_steps), KEYGEN(fips203_keygen_rows_steps)};
static const lk_operation round3_keygen[2] = {KEYGEN(round3_keygen_steps), KEYGEN(round3_keygen_rows_steps)};

/* Several operations fill the lanes with whole jobs. One must have jobs for more than one turn of the lanes. */
static int by_rows(const lk_mlkem *s)
{
    const lk_keccak_kernels *keccak = s->request->b->symmetric.keccak;
    const size_t k = s->p->k;
    return s->request->n == 1 && s->p->row.hash == LK_SHA3_256 && keccak->pairs && k * k + 2 * k > keccak->lanes;
}

int lk_mlkem_keypair(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_KEYPAIR);
    const lk_operation *keygen = is_fips203(s.p) ? fips203_keygen : round3_keygen;
    return lk_group_run(&keygen[by_rows(&s)], request, &s);
}

/* ---- Keys expanded ---- */

/* The content of a prepared key's storage. */
static void take_key(lk_mlkem_op *op, lk_arena *arena)
{
    const lk_mlkem *s = op->s;
    op->key.a_hat = lk_take(arena, matrix_size(s) * sizeof(lk_poly));
    op->key.h = lk_take(arena, LK_SYM_BYTES);
    op->key.z = s->kind == LK_DECAPS ? lk_take(arena, LK_SYM_BYTES) : NULL;
}

static void take_vectors(const lk_mlkem *s, lk_poly **t_hat, lk_poly **s_hat, lk_arena *arena)
{
    *t_hat = lk_take(arena, s->p->k * sizeof(lk_poly));
    *s_hat = s->kind == LK_DECAPS ? lk_take(arena, s->p->k * sizeof(lk_poly)) : NULL;
}

/* A view of prepared storage, which operations only read. */
static void view_key(lk_mlkem_op *op, const void *prepared)
{
    lk_arena storage = {(unsigned char *)prepared, 0};
    take_key(op, &storage);
    take_vectors(op->s, &op->key.t_hat, &op->key.s_hat, &storage);
}

/* Decodes t; a value of q or more in ek is an error in ML-KEM (section 7.2). The ek in a dk is known by its hash. */
static void decode_t(lk_mlkem_op *op)
{
    const uint32_t above = lk_mlkem_decode_vector(op->s, op->key.t_hat, ek_of(op));
    op->s->t_of = op;
    if (above && op->s->kind == LK_ENCAPS && is_fips203(op->s->p)) op->error = LATKEM_ERR_EK;
}

/* 18.1-4: decodes what else is in dk. */
static void decode_dk(lk_mlkem_op *op)
{
    const uint8_t *dk = op->io.dk;
    (void)lk_mlkem_decode_vector(op->s, op->key.s_hat, dk);
    memcpy(op->key.h, dk_h(op->s->p, dk), LK_SYM_BYTES);
    memcpy(op->key.z, dk_z(op->s->p, dk), LK_SYM_BYTES);
}

static const lk_job *h_job(const lk_mlkem_op *op, lk_jobs *jobs, uint8_t *h)
{
    lk_job *job = lk_jobs_next(jobs);
    lk_job_make(job, op->s->p->suite->h, h, LK_SYM_BYTES, ek_of(op), op->s->p->row.bytes.ek);
    return job;
}

/* Jobs that expand a key: A, and H(ek), into place for encapsulation and for the check of dk in ML-KEM (Kyber trusts
 * the H(ek) in dk). */
static void key_jobs(lk_mlkem_op *op, lk_jobs *jobs)
{
    if (op->s->kind == LK_ENCAPS)
        (void)h_job(op, jobs, op->key.h);
    else if (is_fips203(op->s->p))
        (void)h_job(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H_CHECK));
    if (!lk_mlkem_by_entries(op->s))
        lk_mlkem_rows_job(op, lk_jobs_next(jobs), rho_of(op->s->p, ek_of(op)), 0, op->s->p->k);
}

/* Whether H(ek) is another than the one that came. Both are public. */
static int other_h(const lk_mlkem_op *op)
{
    return memcmp(lk_mlkem_hash(op, LK_MLKEM_H_CHECK), op->key.h, LK_SYM_BYTES) != 0;
}

/* Afterwards: the order of A, and the comparison of H(ek) with dk's (section 7.3). */
static void finish_key(lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    if (!lk_mlkem_by_entries(s)) lk_mlkem_matrix_order(s, op->key.a_hat, (size_t)s->p->k * s->p->k);
    if (s->kind == LK_DECAPS && is_fips203(s->p) && other_h(op)) op->error = LATKEM_ERR_DK;
}

/* ---- Encapsulation and decapsulation ---- */

/* The group has decrypted all of its ciphertexts before it encrypts again, and the longest is shorter than s. */
static void take_shared_kem(void *shared, lk_arena *arena)
{
    lk_mlkem *s = shared;
    s->by_entries = LK_IS_SMALL && !s->request->prepared;
    lk_mlkem_take_pke(s, arena);
    if (!s->request->prepared) {
        take_vectors(s, &s->t_hat, &s->s_hat, arena);
        s->ct_again = (uint8_t *)s->s_hat;
    } else if (s->kind == LK_DECAPS) {
        s->ct_again = lk_take(arena, s->p->row.bytes.ct);
    }
}

LK_TAKE(take_kem, lk_mlkem_op *op)
{
    op->s = shared;
    op->row = (uint8_t)lk_mlkem_first_row(op->s);
    op->column = 0;
    if (op->s->request->prepared) {
        view_key(op, op->s->request->prepared);
    } else {
        take_key(op, arena);
        op->key.t_hat = op->s->t_hat;
        op->key.s_hat = op->s->s_hat;
    }
    lk_mlkem_take_noise(op, arena);
    op->g = lk_take(arena, 2 * LK_SYM_BYTES);
    op->hashes = lk_take(arena, LK_MLKEM_HASHES * LK_SYM_BYTES);
}

/* (K, r) = G(m || H(ek)), and the noise from r: y's, and that of the rows which are made. */
static void g_jobs(lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem_params *p = op->s->p;
    lk_job *g = lk_jobs_next(jobs), *noise = lk_jobs_several(jobs, 2);
    lk_job_pair(g, p->suite->g, op->g, 2 * LK_SYM_BYTES, op->m, op->key.h);
    lk_mlkem_noise_job(op, &noise[0], 0, p->k, p->eta1);
    lk_mlkem_noise_job(op, &noise[1], p->k + lk_mlkem_first_row(op->s), p->k + lk_mlkem_end_row(op->s), LK_ETA2);
    lk_job_then(g, noise, 2);
}

/* In a group only the last operation finds its t where it was decoded. */
static void find_t(lk_mlkem_op *op)
{
    if (!op->s->request->prepared && op->s->t_of != op) decode_t(op);
}

/* Algorithm 14 by entries. Returns 0 if the phase must run again. */
static int encrypts_by_entries(lk_mlkem_op *op, lk_jobs *jobs, uint8_t *ct)
{
    const lk_mlkem *s = op->s;
    const uint8_t *rho = s->rows == LK_MLKEM_ROWS_OF_U ? op->io.part : rho_of(s->p, ek_of(op));
    const size_t row_bytes = 32 * (size_t)s->p->du;
    if (is_beginning(op)) {
        lk_pke_encrypt_begin(op);
    } else if (ends_row(op)) {
        lk_pke_encrypt_finish_row(op, op->row, ct + row_bytes * op->row);
        next_row(op);
    }
    if (next_entry(op, jobs, rho)) return 0;
    if (s->rows == LK_MLKEM_ROWS_OF_U) return 1;
    find_t(op);
    lk_pke_encrypt_v(op, ct + row_bytes * (s->p->k - lk_mlkem_first_row(s)));
    return 1;
}

/* Algorithm 14. Returns 0 if the phase must run again. */
static int encrypts(lk_mlkem_op *op, lk_jobs *jobs, uint8_t *ct)
{
    if (lk_mlkem_by_entries(op->s)) return encrypts_by_entries(op, jobs, ct);
    if (op->s->rows == LK_MLKEM_ROWS_ALL) find_t(op);
    lk_pke_encrypt(op, ct);
    return 1;
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
    if (expands) decode_t(op);
    if (expands && !lk_op_failed(&op->op)) key_jobs(op, jobs);
    return LK_PASSED(encaps_expand_fips203);
}

/* 17.1 */
LK_PHASE(encaps_hash, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) finish_key(op);
    g_jobs(op, jobs);
    return LK_PASSED(encaps_hash);
}

/* 17.2 */
LK_PHASE(encaps_finish_fips203, lk_mlkem_op *op)
{
    if (!encrypts(op, jobs, op->io.ct_out)) return 0;
    memcpy(op->io.ss, op->g, LK_SYM_BYTES);
    return LK_PASSED(encaps_finish_fips203) + rows_left(op);
}

/* K8.2: m = H(m), so that no output of the random generator is ever sent. */
LK_PHASE(encaps_expand_round3, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) key_jobs(op, jobs);
    op->m = lk_mlkem_hash(op, LK_MLKEM_M);
    lk_job_make(lk_jobs_next(jobs), op->s->p->suite->h, lk_mlkem_hash(op, LK_MLKEM_M), LK_SYM_BYTES, op->io.coins,
                LK_SYM_BYTES);
    return LK_PASSED(encaps_expand_round3);
}

/* K8.4-5 */
LK_PHASE(encaps_finish_round3, lk_mlkem_op *op)
{
    if (!encrypts(op, jobs, op->io.ct_out)) return 0;
    ct_hash_job(op, jobs, op->io.ct_out);
    return LK_PASSED(encaps_finish_round3) + rows_left(op);
}

LK_PHASE(encaps_kdf_round3, const lk_mlkem_op *op)
{
    return LK_PASSED(encaps_kdf_round3) + kdf_job(op, jobs, op->g);
}

static const lk_step fips203_encaps_steps[] = {LK_EACH(encaps_expand_fips203), LK_EACH(encaps_hash),
                                               LK_EACH(encaps_finish_fips203), LK_END};
static const lk_step round3_encaps_steps[] = {LK_EACH(encaps_expand_round3), LK_EACH(encaps_hash),
                                              LK_EACH(encaps_finish_round3), LK_EACH(encaps_kdf_round3), LK_END};

#define KEM(kind_, steps_)                                                                                             \
    {                                                                                                                  \
        kind_, sizeof(lk_mlkem_op), kem_jobs, take_shared_kem, take_kem, steps_                                        \
    }
static const lk_operation fips203_encaps = KEM(LK_ENCAPS, fips203_encaps_steps);
static const lk_operation round3_encaps = KEM(LK_ENCAPS, round3_encaps_steps);

int lk_mlkem_encaps(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_ENCAPS);
    return lk_group_run(is_fips203(s.p) ? &fips203_encaps : &round3_encaps, request, &s);
}

/* Decryption hashes nothing, so it comes first (18.5, K9.4): all hashes then run side by side, the short chain from G
 * (18.6, K9.5) to the noise beside that of the ciphertext and those which expand the key. */
static void decaps_decrypt(lk_mlkem_op *op, lk_jobs *jobs)
{
    if (!op->s->request->prepared) decode_dk(op);
    lk_pke_decrypt(op);
    op->m = lk_mlkem_hash(op, LK_MLKEM_M);
    g_jobs(op, jobs);
    if (!op->s->request->prepared) key_jobs(op, jobs);
}

/* ML-KEM.Decaps_internal (algorithm 18) with the check of dk (section 7.3). 18.7: J(z || c), where the shared secret goes. */
LK_PHASE(decaps_hash_fips203, lk_mlkem_op *op)
{
    decaps_decrypt(op, jobs);
    lk_job *j = lk_jobs_next(jobs);
    lk_job_make(j, op->s->p->row.kdf, op->io.ss, LK_SYM_BYTES, op->io.ct, op->s->p->row.bytes.ct);
    lk_job_head(j, op->key.z, LK_SYM_BYTES);
    return LK_PASSED(decaps_hash_fips203) + lk_op_gives(&op->op, j);
}

LK_PHASE(decaps_hash_round3, lk_mlkem_op *op)
{
    decaps_decrypt(op, jobs);
    ct_hash_job(op, jobs, op->io.ct);
    return LK_PASSED(decaps_hash_round3);
}

/* After m is encrypted again (18.8, K9.6): wipes it, and moves K over the value of a rejection where the ciphertext
 * came out the same (18.9-11, K9.7-11), without a branch. Rejection's value is there first, so that acceptance has to
 * act. The caller encrypts, where no register holds that place. */
static void accept_same(const lk_mlkem_op *op, uint8_t *rejected)
{
    const lk_mlkem *s = op->s;
    const uint32_t differ = lk_ct_differ(s->ct_again, op->io.ct, s->p->row.bytes.ct);
    lk_wipe(lk_mlkem_hash(op, LK_MLKEM_M), LK_SYM_BYTES); /* after which both addresses are read again */
    const uint32_t same = lk_ct_same(s->ct_again, op->io.ct, s->p->row.bytes.ct);
    lk_ct_move(rejected, op->g, LK_SYM_BYTES, ~differ, same);
}

LK_PHASE(decaps_finish_fips203, lk_mlkem_op *op)
{
    if (!op->s->request->prepared) finish_key(op);
    if (!lk_op_failed(&op->op)) {
        if (!encrypts(op, jobs, op->s->ct_again)) return 0;
        accept_same(op, op->io.ss);
    }
    return LK_PASSED(decaps_finish_fips203) + rows_left(op);
}

LK_PHASE(decaps_finish_round3, lk_mlkem_op *op)
{
    uint8_t *k = lk_mlkem_hash(op, LK_MLKEM_K);
    if (!op->s->request->prepared) finish_key(op);
    if (!encrypts(op, jobs, op->s->ct_again)) return 0;
    memcpy(k, op->key.z, LK_SYM_BYTES);
    accept_same(op, k);
    return LK_PASSED(decaps_finish_round3) + rows_left(op) + kdf_job(op, jobs, k);
}

static const lk_step fips203_decaps_steps[] = {LK_EACH(decaps_hash_fips203), LK_EACH(decaps_finish_fips203), LK_END};
static const lk_step round3_decaps_steps[] = {LK_EACH(decaps_hash_round3), LK_EACH(decaps_finish_round3), LK_END};
static const lk_operation fips203_decaps = KEM(LK_DECAPS, fips203_decaps_steps);
static const lk_operation round3_decaps = KEM(LK_DECAPS, round3_decaps_steps);

int lk_mlkem_decaps(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_DECAPS);
    return lk_group_run(is_fips203(s.p) ? &fips203_decaps : &round3_decaps, request, &s);
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
    memcpy(op->key.h, header + LK_SYM_BYTES, LK_SYM_BYTES);
    g_jobs(op, jobs);
    if (!lk_mlkem_by_entries(op->s)) lk_mlkem_rows_job(op, lk_jobs_next(jobs), header, 0, op->s->p->k);
    return LK_PASSED(encaps1_hash);
}

LK_PHASE(encaps1_finish, lk_mlkem_op *op)
{
    finish_key(op);
    if (!encrypts(op, jobs, op->io.ct_out)) return 0;
    memcpy(op->io.ss, op->g, LK_SYM_BYTES);
    write_state(op);
    return LK_PASSED(encaps1_finish) + rows_left(op);
}

/* ek of the vector and the state's rho, in A's memory: no entry of A is needed any more. */
static const uint8_t *join_ek(const lk_mlkem_op *op, const uint8_t *rho)
{
    const size_t vector_bytes = op->s->p->vector_bytes;
    uint8_t *ek = (uint8_t *)op->key.a_hat;
    memcpy(ek, op->io.part, vector_bytes);
    memcpy(ek + vector_bytes, rho, LK_SYM_BYTES);
    return ek;
}

/* Section 7.2, and the hashes that show whether state and vector fit; 17.1 again. */
LK_PHASE(encaps2_hash, lk_mlkem_op *op)
{
    const uint8_t *state = op->s->request->state, *rho = state + TAG_BYTES;
    op->m = state + STATE_M;
    op->io.ek = join_ek(op, rho);
    memcpy(op->key.h, rho + LK_SYM_BYTES, LK_SYM_BYTES);
    if (!has_tag(op->s))
        op->error = LATKEM_ERR_STATE;
    else
        decode_t(op);
    if (!lk_op_failed(&op->op)) {
        (void)h_job(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H_CHECK));
        g_jobs(op, jobs);
    }
    return LK_PASSED(encaps2_hash);
}

/* Whether a state is whole is public. */
static uint32_t other_r(const lk_mlkem_op *op)
{
    const uint32_t differ = lk_ct_differ(op->g + LK_SYM_BYTES, op->s->request->state + STATE_R, LK_SYM_BYTES);
    lk_declassify(&differ, sizeof differ);
    return differ;
}

LK_PHASE(encaps2_finish, lk_mlkem_op *op)
{
    if (other_h(op))
        op->error = LATKEM_ERR_EK;
    else if (other_r(op))
        op->error = LATKEM_ERR_STATE;
    else
        (void)encrypts(op, jobs, op->io.ct_out); /* at once, without A */
    return LK_PASSED(encaps2_finish);
}

static const lk_step encaps1_steps[] = {LK_EACH(encaps1_hash), LK_EACH(encaps1_finish), LK_END};
static const lk_step encaps2_steps[] = {LK_EACH(encaps2_hash), LK_EACH(encaps2_finish), LK_END};
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

LK_TAKE(take_prepare, lk_mlkem_op *op)
{
    op->s = shared;
    op->hashes = lk_take(arena, LK_MLKEM_HASHES * LK_SYM_BYTES);
    view_key(op, op->s->request->prepared_out);
}

/* The key is expanded straight into prepared storage. */
LK_PHASE(prepare_expand, lk_mlkem_op *op)
{
    decode_t(op);
    if (op->s->kind == LK_DECAPS) decode_dk(op);
    if (!lk_op_failed(&op->op)) key_jobs(op, jobs);
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
    const lk_operation operation = {kind, sizeof(lk_mlkem_op), kem_jobs, take_nothing, take_prepare, prepare_steps};
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
    lk_poly t_hat[LK_Q3329_RANK_MAX];
    if (!is_fips203(s.p)) return LK_DONE;
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
    (void)h_job(op, jobs, lk_mlkem_hash(op, LK_MLKEM_H_CHECK));
    return LK_PASSED(check_hash);
}

LK_PHASE_ALONE(check_finish, lk_mlkem_op *op)
{
    if (memcmp(lk_mlkem_hash(op, LK_MLKEM_H_CHECK), dk_h(op->s->p, op->io.dk), LK_SYM_BYTES) != 0)
        op->error = LATKEM_ERR_DK;
    return LK_PASSED(check_finish);
}

static const lk_step check_steps[] = {LK_EACH(check_hash), LK_EACH(check_finish), LK_END};
static const lk_operation check_dk = {LK_DECAPS, sizeof(lk_mlkem_op), one_job, take_nothing, take_check, check_steps};

int lk_mlkem_check_dk(const lk_request *request)
{
    lk_mlkem s = begin(request, LK_DECAPS);
    return is_fips203(s.p) ? lk_group_run(&check_dk, request, &s) : LK_DONE;
}

LK_TAKE(take_hash, lk_mlkem_op *op)
{
    op->s = shared;
    op->key.t_hat = lk_take(arena, op->s->p->k * sizeof(lk_poly));
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
