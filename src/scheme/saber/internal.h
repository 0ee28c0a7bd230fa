/* What the files of this scheme share: the formats, the expanded key and Saber.PKE. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_SABER_INTERNAL_H
#define LK_SCHEME_SABER_INTERNAL_H

#include "base/workspace.h"
#include "scheme/saber/params.h"
#include "symmetric/job.h"

enum {
    LK_SABER_SYM_BYTES = 32, /* every seed, hash and message */
    LK_SABER_Q_BYTES = 416,  /* a polynomial of 13-bit coefficients */
    LK_SABER_P_BYTES = 320   /* a polynomial of 10-bit coefficients */
};

/* Formats: ek = b || seed_A; dk = s || ek || H(ek) || z; ct = b' || c_m (the document says pk and sk). */
static inline size_t lk_saber_ek_bytes(const lk_saber_params *p)
{
    return (size_t)LK_SABER_P_BYTES * p->l + LK_SABER_SYM_BYTES;
}

static inline size_t lk_saber_dk_bytes(const lk_saber_params *p)
{
    return (size_t)LK_SABER_Q_BYTES * p->l + lk_saber_ek_bytes(p) + 2 * LK_SABER_SYM_BYTES;
}

static inline size_t lk_saber_ct_bytes(const lk_saber_params *p)
{
    return (size_t)LK_SABER_P_BYTES * p->l + 32 * (size_t)p->et;
}

static inline const uint8_t *lk_saber_seed_a(const lk_saber_params *p, const uint8_t *ek)
{
    return ek + (size_t)LK_SABER_P_BYTES * p->l;
}

static inline const uint8_t *lk_saber_dk_ek(const lk_saber_params *p, const uint8_t *dk)
{
    return dk + (size_t)LK_SABER_Q_BYTES * p->l;
}

static inline const uint8_t *lk_saber_dk_h(const lk_saber_params *p, const uint8_t *dk)
{
    return lk_saber_dk_ek(p, dk) + lk_saber_ek_bytes(p);
}

static inline const uint8_t *lk_saber_dk_z(const lk_saber_params *p, const uint8_t *dk)
{
    return lk_saber_dk_h(p, dk) + LK_SABER_SYM_BYTES;
}

/* The public part of a key as encryption uses it: l rows of A, then b, l polynomials each. A prepared key holds all of
 * them evaluated. A wire operation keeps the bytes and evaluates one row at a time, which costs it nothing, for it needs
 * each row once, and saves (l + 1) l evaluated polynomials of memory. */
typedef struct {
    const void *rows;      /* all rows evaluated, or NULL and */
    const uint8_t *matrix; /* the stream of gen_A and */
    const uint8_t *ek;
} lk_saber_public;

/* Memory of the arithmetic of one operation; operations of a group use it in turn. */
typedef struct {
    uint8_t *s;   /* the secret vector, evaluated: l polynomials */
    uint8_t *row; /* a public row, evaluated: l polynomials */
    lk_negacyclic_poly *poly;
    void *scratch; /* of the kernels */
} lk_saber_buffers;

void lk_saber_take_buffers(lk_saber_buffers *w, lk_arena *arena, const lk_backend *b, const lk_saber_params *p);

/* Bytes of the streams of gen_A and gen_s. */
static inline size_t lk_saber_matrix_bytes(const lk_saber_params *p)
{
    return (size_t)LK_SABER_Q_BYTES * p->l * p->l;
}

static inline size_t lk_saber_noise_bytes(const lk_saber_params *p)
{
    return 32 * (size_t)p->mu * p->l;
}

/* gen_A and gen_s as jobs. */
void lk_saber_matrix_job(lk_job *job, const lk_saber_params *p, uint8_t *matrix, const uint8_t *seed_a);
void lk_saber_noise_job(lk_job *job, const lk_saber_params *p, uint8_t *noise, const uint8_t *seed_s);

/* The part of gen_A that gives bytes from to to - 1: whole blocks, but for the end of the last part (lk_job_part). */
void lk_saber_matrix_part(lk_job *job, const lk_saber_params *p, uint8_t *matrix, const uint8_t *seed_a, size_t from,
                          size_t to, uint64_t *kept);

/* lk_saber_evaluate_row writes row i of a key's l + 1 rows, evaluated from bytes. */
void lk_saber_evaluate_row(const lk_backend *b, const lk_saber_params *p, void *row, const lk_saber_public *key,
                           size_t i, const lk_saber_buffers *w);

/* lk_saber_evaluate_secret evaluates the s of dk. */
void lk_saber_evaluate_secret(const lk_backend *b, const lk_saber_params *p, void *s, const uint8_t *dk,
                              const lk_saber_buffers *w);

/* Saber.PKE.KeyGen, Saber.PKE.Enc and Saber.PKE.Dec after the hashing, the first two for polynomials from to to - 1 of b
 * and b' alone: what depends on the stream of gen_A only as far as it is there. The calls for one operation follow each
 * other, with no other operation's between them, from 0 to l; the first samples the secret vector into w->s, and the last
 * encryption takes m. Polynomial i of b needs A up to column i of its last row, that of b' up to the end of row i. */
void lk_saber_pke_keygen(const lk_backend *b, const lk_saber_params *p, uint8_t *b_bytes, uint8_t *s_bytes,
                         const uint8_t *matrix, const uint8_t *noise, size_t from, size_t to,
                         const lk_saber_buffers *w);
void lk_saber_pke_encrypt(const lk_backend *b, const lk_saber_params *p, uint8_t *ct, const lk_saber_public *key,
                          const uint8_t *m, const uint8_t *noise, size_t from, size_t to, const lk_saber_buffers *w);
void lk_saber_pke_decrypt(const lk_backend *b, const lk_saber_params *p, uint8_t *m, const void *s, const uint8_t *ct,
                          const lk_saber_buffers *w);

#endif
