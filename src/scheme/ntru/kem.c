/* The KEM: NTRU round 3 (section 1.12), written for one operation (scheme/group.h).
 *
 * Nearly all work is arithmetic; the hashes at the end are run for all operations of a group together, and the
 * inversions of key generation are shared.
 *
 * The official code checks no key. The operations here do not either, but for lengths: they ignore the unused bits of a
 * packed polynomial and take a byte of trits from 243 on as less 243. check_ek and check_dk refuse both, because no key
 * generation writes them. A ct that decrypts wrongly is rejected implicitly. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <string.h>

#include "scheme/ntru/internal.h"
#include "shared/ct.h"

static lk_ntru begin(const lk_request *request)
{
    const lk_ntru s = {.request = request,
                       .p = (const lk_ntru_params *)request->row,
                       .cyclic = request->b->cyclic,
                       .ternary = request->b->ternary};
    return s;
}

/* dk = f || 1/f modulo 3 || 1/h || z (the document says private key). */
static const uint8_t *dk_z(const lk_ntru_params *p, const uint8_t *dk)
{
    return dk + p->row.bytes.dk - LK_NTRU_KEY_BYTES;
}

/* ---- Key generation (section 1.12.1) ---- */

static void take_shared_keygen(void *shared, lk_arena *arena)
{
    lk_ntru *s = shared;
    s->latest = NULL;
    lk_ntru_take_buffers(shared, arena, 1, 2, 0);
}

LK_TAKE(take_keygen, lk_ntru_keygen *key)
{
    key->s = shared;
    key->before = key->s->latest;
    key->after = NULL;
    if (key->before) key->before->after = key;
    key->s->latest = key;
    lk_ntru_take_keygen(key, arena);
}

LK_PHASE_ALONE(keygen_sample, lk_ntru_keygen *key)
{
    lk_ntru_keygen_sample(key);
    return LK_PASSED(keygen_sample);
}

LK_PHASE_ALONE(keygen_invert_mod3, lk_ntru_keygen *key)
{
    lk_ntru_keygen_invert_mod3(key);
    return LK_PASSED(keygen_invert_mod3);
}

LK_PHASE_ALONE(keygen_invert_q, lk_ntru_keygen *key)
{
    lk_ntru_keygen_invert_q(key);
    return LK_PASSED(keygen_invert_q);
}

/* z is the end of the seed and of dk. */
LK_PHASE_ALONE(keygen_finish, const lk_ntru_keygen *key)
{
    const lk_sizes *bytes = &key->s->p->row.bytes;
    lk_ntru_keygen_finish(key);
    memcpy(key->op.io.dk_out + bytes->dk - LK_NTRU_KEY_BYTES, key->op.io.seed + bytes->seed[0], LK_NTRU_KEY_BYTES);
    return LK_PASSED(keygen_finish);
}

static const lk_step keygen_steps[] = {LK_EACH(keygen_sample), LK_EACH_BACKWARD(keygen_invert_mod3),
                                       LK_EACH_BACKWARD(keygen_invert_q), LK_EACH(keygen_finish), LK_END};
static const lk_operation keygen = {LK_KEYPAIR,  sizeof(lk_ntru_keygen), NULL, take_shared_keygen, take_keygen,
                                    keygen_steps};

int lk_ntru_keypair(const lk_request *request)
{
    lk_ntru s = begin(request);
    return lk_group_run(&keygen, request, &s);
}

/* ---- Prepared keys ---- */

/* A prepared key's storage holds its polynomials evaluated: for encapsulation h, for decapsulation the rest. */
static void view_ek(lk_ntru *s, const void *prepared)
{
    lk_arena storage = {(unsigned char *)prepared, 0};
    s->key.h = lk_take(&storage, lk_ntru_evaluated_bytes(s));
}

static void view_dk(lk_ntru *s, const void *prepared)
{
    lk_arena storage = {(unsigned char *)prepared, 0};
    s->key.z = lk_take(&storage, LK_NTRU_KEY_BYTES);
    for (size_t i = 0; i < LK_NTRU_FACTORS; i++) s->key.factors[i] = lk_take(&storage, lk_ntru_evaluated_bytes(s));
}

static void take_shared_prepare(void *shared, lk_arena *arena)
{
    lk_ntru_take_buffers(shared, arena, 1, 0, 0);
}

LK_TAKE(take_nothing, lk_ntru_op *op)
{
    (void)arena;
    op->s = shared;
}

/* The key is expanded straight into prepared storage. */
LK_PHASE_ALONE(prepare_h, const lk_ntru_op *op)
{
    lk_ntru_evaluate_public(op->s, op->s->key.h, op->io.ek);
    return LK_PASSED(prepare_h);
}

LK_PHASE_ALONE(prepare_factors, const lk_ntru_op *op)
{
    const lk_ntru *s = op->s;
    for (size_t i = 0; i < LK_NTRU_FACTORS; i++) lk_ntru_evaluate_secret(s, s->key.factors[i], op->io.dk, i);
    memcpy(s->key.z, dk_z(s->p, op->io.dk), LK_NTRU_KEY_BYTES);
    return LK_PASSED(prepare_factors);
}

static const lk_step prepare_ek_steps[] = {LK_EACH(prepare_h), LK_END},
                     prepare_dk_steps[] = {LK_EACH(prepare_factors), LK_END};
static const lk_operation prepare_ek = {LK_ENCAPS,           sizeof(lk_ntru_op), NULL,
                                        take_shared_prepare, take_nothing,       prepare_ek_steps};
static const lk_operation prepare_dk = {LK_DECAPS,           sizeof(lk_ntru_op), NULL,
                                        take_shared_prepare, take_nothing,       prepare_dk_steps};

int lk_ntru_prepare_ek(const lk_request *request)
{
    lk_ntru s = begin(request);
    view_ek(&s, request->prepared_out);
    return lk_group_run(&prepare_ek, request, &s);
}

int lk_ntru_prepare_dk(const lk_request *request)
{
    lk_ntru s = begin(request);
    view_dk(&s, request->prepared_out);
    return lk_group_run(&prepare_dk, request, &s);
}

/* ---- Encapsulation (section 1.12.2) and decapsulation (section 1.12.3) ---- */

static size_t kem_jobs(const lk_row *row)
{
    (void)row;
    return 2;
}

static void take_shared_kem(void *shared, lk_arena *arena)
{
    lk_ntru *s = shared;
    lk_ntru_take_buffers(s, arena, 2, s->request->prepared ? 1 : 2, 1);
}

static size_t rm_bytes(const lk_ntru_op *op)
{
    return 2 * (size_t)op->s->p->s3_bytes;
}

LK_TAKE(take_encaps, lk_ntru_op *op)
{
    op->s = shared;
    op->rm = lk_take(arena, rm_bytes(op));
}

LK_TAKE(take_decaps, lk_ntru_op *op)
{
    op->s = shared;
    op->rm = lk_take(arena, rm_bytes(op) + LK_NTRU_KEY_BYTES);
}

/* Decapsulation: H(r || m). */
static uint8_t *accepted(const lk_ntru_op *op)
{
    return op->rm + rm_bytes(op);
}

/* H(r || m) (1.12.2, 1.12.3). */
static const lk_job *rm_job(const lk_ntru_op *op, lk_jobs *jobs, uint8_t *hash)
{
    lk_job *job = lk_jobs_next(jobs);
    lk_job_make(job, LK_SHA3_256, hash, LK_NTRU_KEY_BYTES, op->rm, rm_bytes(op));
    return job;
}

LK_PHASE(encaps_encrypt, const lk_ntru_op *op)
{
    lk_ntru_encrypt(op);
    return LK_PASSED(encaps_encrypt) + lk_op_gives(&op->op, rm_job(op, jobs, op->io.ss));
}

static const lk_step encaps_steps[] = {LK_EACH(encaps_encrypt), LK_END};
static const lk_operation encaps = {LK_ENCAPS,       sizeof(lk_ntru_op), kem_jobs,
                                    take_shared_kem, take_encaps,        encaps_steps};

int lk_ntru_encaps(const lk_request *request)
{
    lk_ntru s = begin(request);
    if (request->prepared) view_ek(&s, request->prepared);
    return lk_group_run(&encaps, request, &s);
}

/* Section 1.12.3: both hashes are made of every ciphertext; the choice is one of bytes. That of a rejection goes where the
 * shared secret does, so that acceptance has to act. */
LK_PHASE(decrypt, lk_ntru_op *op)
{
    const lk_ntru *s = op->s;
    lk_job *job = lk_jobs_next(jobs);
    lk_ntru_decrypt(op);
    lk_job_make(job, LK_SHA3_256, op->io.ss, LK_NTRU_KEY_BYTES, op->io.ct, s->p->row.bytes.ct);
    lk_job_head(job, s->request->prepared ? s->key.z : dk_z(s->p, op->io.dk), LK_NTRU_KEY_BYTES);
    (void)rm_job(op, jobs, accepted(op));
    return LK_PASSED(decrypt) + lk_op_gives(&op->op, job);
}

LK_PHASE_ALONE(select_shared_secret, const lk_ntru_op *op)
{
    lk_ct_move(op->io.ss, accepted(op), LK_NTRU_KEY_BYTES, ~op->fail, op->valid);
    return LK_PASSED(select_shared_secret);
}

static const lk_step decaps_steps[] = {LK_EACH(decrypt), LK_EACH(select_shared_secret), LK_END};
static const lk_operation decaps = {LK_DECAPS,       sizeof(lk_ntru_op), kem_jobs,
                                    take_shared_kem, take_decaps,        decaps_steps};

int lk_ntru_decaps(const lk_request *request)
{
    lk_ntru s = begin(request);
    if (request->prepared) view_dk(&s, request->prepared);
    return lk_group_run(&decaps, request, &s);
}

/* ---- Checks ---- */

int lk_ntru_check_ek(const lk_request *request)
{
    return lk_ntru_padding((const lk_ntru_params *)request->row, request->io.ek) ? LATKEM_ERR_EK : LK_DONE;
}

/* Not 0 if a packed polynomial modulo 3 has a byte of 243 or more, or in the last byte, which has fewer trits, as many
 * as these cannot have. */
static uint32_t trits_above(const lk_ntru_params *p, const uint8_t *packed)
{
    static const uint8_t powers[5] = {243, 3, 9, 27, 81}; /* of 3, by the number of trits modulo 5 */
    const size_t bytes = p->s3_bytes;
    uint32_t above = 0;
    for (size_t i = 0; i + 1 < bytes; i++) above |= (uint32_t)(242 - packed[i]) >> 31;
    return above | (uint32_t)(powers[p->n - 1u - 5 * lk_fifth(p->n - 1u)] - 1 - packed[bytes - 1]) >> 31;
}

/* The verdict on a dk is public, the bytes are not. */
int lk_ntru_check_dk(const lk_request *request)
{
    const lk_ntru_params *p = (const lk_ntru_params *)request->row;
    const uint8_t *f = request->io.dk, *f_inverse = f + p->s3_bytes, *h_inverse = f_inverse + p->s3_bytes;
    uint32_t bad = trits_above(p, f) | trits_above(p, f_inverse) | lk_ntru_padding(p, h_inverse);
    bad = lk_ct_nonzero(bad);
    lk_declassify(&bad, sizeof bad);
    return bad ? LATKEM_ERR_DK : LK_DONE;
}
