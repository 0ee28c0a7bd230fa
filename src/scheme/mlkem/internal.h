/* What the files of this scheme share: the formats, the expanded key and K-PKE. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_MLKEM_INTERNAL_H
#define LK_SCHEME_MLKEM_INTERNAL_H

#include "scheme/mlkem/params.h"

enum { LK_SYM_BYTES = 32 /* every seed, hash and message */, LK_ETA2 = 2 };

/* Formats (FIPS 203 section 7): ek = t || rho; dk = s || ek || H(ek) || z; ct = u || v. */
static inline size_t lk_mlkem_vector_bytes(const lk_mlkem_params *p)
{
    return (size_t)LK_Q3329_POLY_BYTES * p->k;
}

static inline size_t lk_mlkem_ek_bytes(const lk_mlkem_params *p)
{
    return lk_mlkem_vector_bytes(p) + LK_SYM_BYTES;
}

static inline size_t lk_mlkem_dk_bytes(const lk_mlkem_params *p)
{
    return lk_mlkem_vector_bytes(p) + lk_mlkem_ek_bytes(p) + 2 * LK_SYM_BYTES;
}

static inline size_t lk_mlkem_ct_bytes(const lk_mlkem_params *p)
{
    return 32 * ((size_t)p->du * p->k + p->dv);
}

static inline const uint8_t *lk_mlkem_dk_ek(const lk_mlkem_params *p, const uint8_t *dk)
{
    return dk + lk_mlkem_vector_bytes(p);
}

static inline const uint8_t *lk_mlkem_dk_h(const lk_mlkem_params *p, const uint8_t *dk)
{
    return lk_mlkem_dk_ek(p, dk) + lk_mlkem_ek_bytes(p);
}

static inline const uint8_t *lk_mlkem_dk_z(const lk_mlkem_params *p, const uint8_t *dk)
{
    return lk_mlkem_dk_h(p, dk) + LK_SYM_BYTES;
}

/* A key expanded for use: what a prepared key holds and a wire operation makes on the way. */
typedef struct {
    lk_poly *a_hat; /* encryption: the transpose of A, row by row; key generation: A */
    lk_poly *t_hat; /* values below 4096, as decoded */
    uint8_t *h;     /* H(ek) */
    lk_poly *s_hat; /* secret, values below 4096, as decoded; only for decapsulation */
    uint8_t *z;     /* secret; only for decapsulation */
} lk_mlkem_key;

/* Memory of the arithmetic of one K-PKE operation; operations of a group use it in turn. */
typedef struct {
    lk_poly *y;         /* k polynomials: y in encryption, u in decryption, s in key generation */
    lk_mulcache *cache; /* k caches of y */
    lk_poly *acc, *addend;
} lk_pke_buffers;

/* These take pieces of a key and of w from the arena, lk_mlkem_take_key but the vectors t_hat and s_hat; secret says if s_hat
 * and z are among them. */
void lk_mlkem_take_key(lk_mlkem_key *key, lk_arena *arena, const lk_mlkem_params *p, int secret);
void lk_mlkem_take_vectors(lk_mlkem_key *key, lk_arena *arena, const lk_mlkem_params *p, int secret);
void lk_mlkem_take_pke(lk_pke_buffers *w, lk_arena *arena, const lk_mlkem_params *p);

/* lk_mlkem_take_noise takes the PRF output of one operation: eta1 pieces for y (or s and e), then eta2 pieces for e1 and e2.
 * lk_mlkem_noise_at returns where in it eta1 piece i begins. */
uint8_t *lk_mlkem_take_noise(lk_arena *arena, const lk_mlkem_params *p);
size_t lk_mlkem_noise_at(const lk_mlkem_params *p, size_t i);

/* lk_mlkem_sampler returns the sink by which A is sampled on this backend. */
lk_sink lk_mlkem_sampler(const lk_backend *b);

/* lk_mlkem_matrix_jobs appends the k^2 jobs that sample A from rho (K-PKE.KeyGen steps 3 to 7), transposed for
 * encryption; lk_mlkem_row_jobs those of row i. Both return the new count. */
size_t lk_mlkem_row_jobs(const lk_backend *b, const lk_mlkem_params *p, lk_job *jobs, size_t n, const lk_sink *sampler,
                         lk_poly *row, const uint8_t *rho, size_t i, int transposed);
size_t lk_mlkem_matrix_jobs(const lk_backend *b, const lk_mlkem_params *p, lk_job *jobs, size_t n,
                            const lk_sink *sampler, lk_poly *a_hat, const uint8_t *rho, int transposed);

/* lk_mlkem_matrix_order finishes count sampled entries of a matrix: brings them into the backend's order. */
void lk_mlkem_matrix_order(const lk_backend *b, lk_poly *a_hat, size_t count);

/* lk_mlkem_noise_jobs appends eta1_count + eta2_count PRF jobs with nonces from first on and returns the new count. late as
 * in lk_job_stream. */
size_t lk_mlkem_noise_jobs(const lk_mlkem_params *p, lk_job *jobs, size_t n, uint8_t *noise, const uint8_t *seed,
                           int late, size_t first, size_t eta1_count, size_t eta2_count);

/* lk_mlkem_decode_vector decodes k polynomials; returns 0 if every value is below q. Constant time. */
uint32_t lk_mlkem_decode_vector(const lk_backend *b, const lk_mlkem_params *p, lk_poly *f, const uint8_t *in);

/* K-PKE after the hashing, FIPS 203 algorithms 13 to 15. Key generation is s first, then row by row t = A s + e, for each of
 * which its row of A and its piece of noise are enough. s stays in w->y, reduced. */
void lk_pke_keygen_secret(const lk_backend *b, const lk_mlkem_params *p, uint8_t *s_bytes, const uint8_t *noise,
                          const lk_pke_buffers *w);
void lk_pke_keygen_row(const lk_backend *b, const lk_mlkem_params *p, uint8_t *t_bytes, const lk_poly *row, size_t i,
                       const uint8_t *noise, const lk_pke_buffers *w);
void lk_pke_encrypt(const lk_backend *b, const lk_mlkem_params *p, uint8_t *ct, const lk_mlkem_key *key,
                    const uint8_t *m, const uint8_t *noise, const lk_pke_buffers *w);
void lk_pke_decrypt(const lk_backend *b, const lk_mlkem_params *p, uint8_t *m, const lk_mlkem_key *key,
                    const uint8_t *ct, const lk_pke_buffers *w);

#endif
