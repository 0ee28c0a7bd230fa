/* Saber.PKE, the encryption scheme inside (Saber round 3, Saber.PKE). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/saber/internal.h"

void lk_saber_take_buffers(lk_saber_buffers *w, lk_arena *arena, const lk_backend *b, const lk_saber_params *p)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    w->s = lk_take(arena, p->l * ring->evaluated_bytes);
    w->row = lk_take(arena, p->l * ring->evaluated_bytes);
    w->poly = lk_take(arena, sizeof(lk_negacyclic_poly));
    w->scratch = lk_take(arena, ring->scratch_bytes);
}

/* The matrix is one stream without an index, row by row. */
void lk_saber_matrix_job(lk_job *job, const lk_saber_params *p, uint8_t *matrix, const uint8_t *seed_a)
{
    lk_job_make(job, LK_SHAKE128, matrix, lk_saber_matrix_bytes(p), seed_a, LK_SABER_SYM_BYTES);
}

void lk_saber_matrix_part(lk_job *job, const lk_saber_params *p, uint8_t *matrix, const uint8_t *seed_a, size_t from,
                          size_t to, uint64_t *kept)
{
    const unsigned goes_on = to < lk_saber_matrix_bytes(p) ? LK_PART_GOES_ON : 0;
    lk_saber_matrix_job(job, p, matrix, seed_a);
    job->out += from;
    job->out_len = to - from;
    if (from > 0) job->body_len = 0;
    lk_job_part(job, kept, (from > 0 ? LK_PART_RESUMES : 0) | goes_on);
}

void lk_saber_noise_job(lk_job *job, const lk_saber_params *p, uint8_t *noise, const uint8_t *seed_s)
{
    lk_job_make(job, LK_SHAKE128, noise, lk_saber_noise_bytes(p), seed_s, LK_SABER_SYM_BYTES);
}

static void cbd(const lk_negacyclic_kernels *ring, unsigned mu, lk_negacyclic_poly *f, const uint8_t *noise)
{
    switch (mu) {
    case 6: ring->cbd_mu6(f, noise); break;
    case 8: ring->cbd_mu8(f, noise); break;
    default: ring->cbd_mu10(f, noise); break;
    }
}

static void encrypt_message(const lk_negacyclic_kernels *ring, unsigned et, uint8_t *out, const lk_negacyclic_poly *v,
                            const uint8_t *m)
{
    switch (et) {
    case 3: ring->encrypt_d3(out, v, m); break;
    case 4: ring->encrypt_d4(out, v, m); break;
    default: ring->encrypt_d6(out, v, m); break;
    }
}

static void decrypt_message(const lk_negacyclic_kernels *ring, unsigned et, uint8_t *m, const lk_negacyclic_poly *v,
                            const uint8_t *in)
{
    switch (et) {
    case 3: ring->decrypt_d3(m, v, in); break;
    case 4: ring->decrypt_d4(m, v, in); break;
    default: ring->decrypt_d6(m, v, in); break;
    }
}

/* Evaluates l polynomials of 13 bits (gen_A, s) that stand stride bytes apart, or of 10 bits (b, b'). */
static void evaluate_q(const lk_negacyclic_kernels *ring, const lk_saber_params *p, uint8_t *row, const uint8_t *in,
                       size_t stride, const lk_saber_buffers *w)
{
    for (size_t j = 0; j < p->l; j++) {
        ring->unpack_d13(w->poly, in + stride * j);
        ring->evaluate(row + ring->evaluated_bytes * j, w->poly, w->scratch);
    }
}

static void evaluate_p(const lk_negacyclic_kernels *ring, const lk_saber_params *p, uint8_t *row, const uint8_t *in,
                       const lk_saber_buffers *w)
{
    for (size_t j = 0; j < p->l; j++) {
        ring->unpack_d10(w->poly, in + LK_SABER_P_BYTES * j);
        ring->evaluate(row + ring->evaluated_bytes * j, w->poly, w->scratch);
    }
}

void lk_saber_evaluate_row(const lk_backend *b, const lk_saber_params *p, void *row, const lk_saber_public *key,
                           size_t i, const lk_saber_buffers *w)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    if (i < p->l)
        evaluate_q(ring, p, row, key->matrix + LK_SABER_Q_BYTES * p->l * i, LK_SABER_Q_BYTES, w);
    else
        evaluate_p(ring, p, row, key->ek, w);
}

void lk_saber_evaluate_secret(const lk_backend *b, const lk_saber_params *p, void *s, const uint8_t *dk,
                              const lk_saber_buffers *w)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    for (size_t j = 0; j < p->l; j++) {
        ring->unpack_d13(w->poly, dk + LK_SABER_Q_BYTES * j);
        ring->evaluate_small((uint8_t *)s + ring->evaluated_bytes * j, w->poly, w->scratch);
    }
}

/* gen_s into w->s, evaluated; and packed to s_bytes unless that is NULL. */
static void sample_secret(const lk_negacyclic_kernels *ring, const lk_saber_params *p, uint8_t *s_bytes,
                          const uint8_t *noise, const lk_saber_buffers *w)
{
    for (size_t j = 0; j < p->l; j++) {
        cbd(ring, p->mu, w->poly, noise + 32 * (size_t)p->mu * j);
        if (s_bytes) ring->pack_d13(s_bytes + LK_SABER_Q_BYTES * j, w->poly);
        ring->evaluate_small(w->s + ring->evaluated_bytes * j, w->poly, w->scratch);
    }
}

/* Saber.PKE.KeyGen: b = (A^T s + h mod q) >> 3: row i of the transpose is column i of A. */
void lk_saber_pke_keygen(const lk_backend *b, const lk_saber_params *p, uint8_t *b_bytes, uint8_t *s_bytes,
                         const uint8_t *matrix, const uint8_t *noise, size_t from, size_t to, const lk_saber_buffers *w)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    if (from == 0) sample_secret(ring, p, s_bytes, noise, w);
    for (size_t i = from; i < to; i++) {
        evaluate_q(ring, p, w->row, matrix + LK_SABER_Q_BYTES * i, (size_t)LK_SABER_Q_BYTES * p->l, w);
        ring->inner_product(w->poly, w->row, w->s, p->l, w->scratch);
        ring->round_d10(b_bytes + LK_SABER_P_BYTES * i, w->poly);
    }
}

/* w->poly = row i of the key times the secret w->s. */
static void row_product(const lk_backend *b, const lk_saber_params *p, const lk_saber_public *key, size_t i,
                        const lk_saber_buffers *w)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    const void *row = w->row;
    if (key->rows)
        row = (const uint8_t *)key->rows + ring->evaluated_bytes * p->l * i;
    else
        lk_saber_evaluate_row(b, p, w->row, key, i, w);
    ring->inner_product(w->poly, row, w->s, p->l, w->scratch);
}

/* Saber.PKE.Enc: b' = (A s' + h mod q) >> 3, c_m = (b^T s' + h1 - 2^9 m mod p) >> (10 - et). */
void lk_saber_pke_encrypt(const lk_backend *b, const lk_saber_params *p, uint8_t *ct, const lk_saber_public *key,
                          const uint8_t *m, const uint8_t *noise, size_t from, size_t to, const lk_saber_buffers *w)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    if (from == 0) sample_secret(ring, p, NULL, noise, w);
    for (size_t i = from; i < to; i++) {
        row_product(b, p, key, i, w);
        ring->round_d10(ct + LK_SABER_P_BYTES * i, w->poly);
    }
    if (to < p->l) return;
    row_product(b, p, key, p->l, w);
    encrypt_message(ring, p->et, ct + (size_t)LK_SABER_P_BYTES * p->l, w->poly, m);
}

/* Saber.PKE.Dec: m = (b'^T s + h2 - 2^(10 - et) c_m mod p) >> 9. */
void lk_saber_pke_decrypt(const lk_backend *b, const lk_saber_params *p, uint8_t *m, const void *s, const uint8_t *ct,
                          const lk_saber_buffers *w)
{
    const lk_negacyclic_kernels *ring = b->negacyclic;
    evaluate_p(ring, p, w->row, ct, w);
    ring->inner_product(w->poly, w->row, s, p->l, w->scratch);
    decrypt_message(ring, p->et, m, w->poly, ct + (size_t)LK_SABER_P_BYTES * p->l);
}
