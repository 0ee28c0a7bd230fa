/* Shared by the files of this scheme: the expanded key, an operation and K-PKE. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_MLKEM_INTERNAL_H
#define LK_SCHEME_MLKEM_INTERNAL_H

#include "base/families.h"
#include "scheme/group.h"
#include "scheme/mlkem/params.h"

enum { LK_SYM_BYTES = 32 /* every seed, hash and message */, LK_ETA2 = 2 };

/* A key expanded for use: what a prepared key holds and a wire operation makes on the way. The small build expands h alone,
 * and its prepared key is the key itself, checked. */
typedef struct {
    lk_poly *a_hat;   /* key generation: A; encryption: its transpose; row by row */
    const uint8_t *h; /* H(ek) */
    const uint8_t *z; /* secret; only for decapsulation */
    lk_poly *t_hat;   /* values below 4096, as decoded; the small build: one polynomial, to check them in */
    lk_poly *s_hat;   /* secret, values below 4096, as decoded; only for decapsulation */
} lk_mlkem_key;

/* The rows of a ciphertext that encryption makes. */
typedef enum { LK_MLKEM_ROWS_ALL, LK_MLKEM_ROWS_OF_U, LK_MLKEM_ROW_OF_V } lk_mlkem_rows;

/* Shared by the operations of a group: the parameter set, the kernels, and memory that they use in turn. */
typedef struct {
    const lk_request *request;
    const lk_mlkem_params *p;
    const lk_q3329_kernels *ring;
    lk_kind kind; /* of the key */
    lk_mlkem_rows rows;
    lk_sink sampler; /* of A */

    lk_poly *t_hat, *s_hat;
    const void *t_of;        /* the operation that has its t in t_hat */
    lk_poly *y;              /* k polynomials: y in encryption, u in decryption, s in key generation */
    lk_mulcache *cache;      /* k caches of y */
    lk_poly *acc, *addend;   /* the small build: addend is y[0], when y is not needed any more */
    uint8_t *row_again;      /* decapsulation: the bytes of a row encrypted again */
    uint64_t *ek_hash_state; /* key generation by rows: between the parts of H(ek) */
} lk_mlkem;

/* The range of rows: 0 to k - 1 are u, k is v. */
static inline size_t lk_mlkem_first_row(const lk_mlkem *s)
{
    return s->rows == LK_MLKEM_ROW_OF_V ? s->p->k : 0;
}

static inline size_t lk_mlkem_end_row(const lk_mlkem *s)
{
    return s->p->k + (size_t)(s->rows != LK_MLKEM_ROWS_OF_U);
}

/* One operation. */
typedef struct {
    LK_OP;
    lk_mlkem *s;
    lk_mlkem_key key;
    uint8_t *g;       /* G's output: rho and sigma, or K and r */
    uint8_t *noise;   /* the PRF's output: eta1 pieces for y (or s and e), then eta2 pieces for e1 and e2 */
    const uint8_t *m; /* the message: the coins, H(coins) in Kyber, the decrypted message in decapsulation */
    uint8_t *hashes;  /* LK_SYM_BYTES each */
    uint32_t differ;  /* decapsulation: 0 if all rows so far came out the same, */
    uint32_t agreed;  /* and the bytes of those which did */
    uint8_t row;      /* the present one, of t or of the ciphertext */
    uint8_t step;     /* the next one of K-PKE */
} lk_mlkem_op;
_Static_assert(sizeof(lk_mlkem_op) <= LK_OP_BYTES_MAX, "");

/* Its hashes: room for m; of Kyber H(ct); H(ek), for encapsulation and for the check of dk; of Kyber, in decapsulation, K
 * or z. In the small build the last two are where acc is: H(ek) is read before the first row, the other is made after the
 * last. */
enum { LK_MLKEM_M, LK_MLKEM_CT_HASH, LK_MLKEM_H, LK_MLKEM_K, LK_MLKEM_HASHES };

static inline uint8_t *lk_mlkem_hash(const lk_mlkem_op *op, size_t which)
{
    uint8_t *hashes = LK_IS_SMALL && which >= LK_MLKEM_H ? (uint8_t *)op->s->acc : op->hashes;
    return hashes + LK_SYM_BYTES * which;
}

/* Whether the KEM is that of FIPS 203, or Kyber's. 1 in all cases where the build has no Kyber, which lets the compiler
 * drop its phases. */
static inline int lk_mlkem_is_fips203(const lk_mlkem_params *p)
{
    return !LK_HAS_KYBER || p->fo == LK_FO_FIPS203;
}

/* ek = t || rho, in dk = s || ek || H(ek) || z (FIPS 203 section 7). */
static inline const uint8_t *lk_mlkem_ek(const lk_mlkem_op *op)
{
    return op->s->kind == LK_DECAPS ? op->io.dk + op->s->p->vector_bytes : op->io.ek;
}

/* A value of q or more in ek is an error in ML-KEM (section 7.2). The ek in a dk is known by its hash, and there the values
 * are asked nothing: behind ek is z, and a processor may decode too much before it knows. */
static inline void lk_mlkem_judge_t(lk_mlkem_op *op, uint32_t above)
{
    if (op->s->kind == LK_ENCAPS && lk_mlkem_is_fips203(op->s->p) && above) op->error = LATKEM_ERR_EK;
}

/* These take from the arena the memory of the arithmetic, and the noise of one operation. */
void lk_mlkem_take_pke(lk_mlkem *s, lk_arena *arena);
void lk_mlkem_take_noise(lk_mlkem_op *op, lk_arena *arena);

/* lk_mlkem_sampler returns the sink by which A is sampled. */
lk_sink lk_mlkem_sampler(const lk_q3329_kernels *ring);

/* These make a job, but in the small build. Rows [first, end) of A, as it is in key generation or transposed, sampled from
 * rho into key.a_hat (algorithm 13 steps 3 to 7, algorithm 14 steps 4 to 8). The pieces of noise with nonces [first, end),
 * PRF_eta(seed, nonce), the seed being the second half of op->g. */
void lk_mlkem_rows_job(const lk_mlkem_op *op, lk_job *job, const uint8_t *rho, size_t first, size_t end);
void lk_mlkem_noise_job(const lk_mlkem_op *op, lk_job *job, size_t first, size_t end, unsigned eta);

/* lk_mlkem_matrix_order brings count sampled entries of A into the backend's order. */
void lk_mlkem_matrix_order(const lk_mlkem *s, lk_poly *a_hat, size_t count);

/* lk_mlkem_decode_vector decodes k polynomials to f, in the small build one in the place of the other; returns 0 if every
 * value is below q. Constant time. */
uint32_t lk_mlkem_decode_vector(const lk_mlkem *s, lk_poly *f, const uint8_t *in);

/* K-PKE, row by row. lk_pke_keygen and lk_pke_encrypt return LK_DONE when all rows are made. In the small build, which
 * samples A and the noise row by row, they write down a job, set op->again and return 0, until they are called again.
 *
 * Key generation (algorithm 13) is s first, then t: lk_pke_keygen_row makes the next row, of jobs that ran. A row needs only
 * its row of A and its piece of noise. Encryption (algorithm 14) is of op->m. It writes the rows of the ciphertext one behind
 * the other, or in decapsulation compares them with op->io.ct, to op->differ and op->agreed. Decryption (algorithm 15) is to
 * the room for m. */
uint32_t lk_pke_keygen(lk_mlkem_op *op, lk_jobs *jobs);
void lk_pke_keygen_row(lk_mlkem_op *op);
uint32_t lk_pke_encrypt(lk_mlkem_op *op, lk_jobs *jobs);
void lk_pke_decrypt(const lk_mlkem_op *op);

#endif
