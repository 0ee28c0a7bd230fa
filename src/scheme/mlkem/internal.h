/* Shared by the files of this scheme: the expanded key, an operation and K-PKE. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_MLKEM_INTERNAL_H
#define LK_SCHEME_MLKEM_INTERNAL_H

#include "scheme/group.h"
#include "scheme/mlkem/params.h"

enum { LK_SYM_BYTES = 32 /* every seed, hash and message */, LK_ETA2 = 2 };

/* A key expanded for use: what a prepared key holds and a wire operation makes on the way. */
typedef struct {
    lk_poly *a_hat; /* key generation: A; encryption: its transpose; row by row */
    uint8_t *h;     /* H(ek) */
    uint8_t *z;     /* secret; only for decapsulation */
    lk_poly *t_hat; /* values below 4096, as decoded */
    lk_poly *s_hat; /* secret, values below 4096, as decoded; only for decapsulation */
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
    uint8_t by_entries; /* the small build: a_hat is one entry of A, sampled when it is multiplied */
    lk_sink sampler;    /* of A */

    lk_poly *t_hat, *s_hat;
    const void *t_of;   /* the operation that has its t in t_hat */
    lk_poly *y;         /* k polynomials: y in encryption, u in decryption, s in key generation */
    lk_mulcache *cache; /* k caches of y */
    lk_poly *acc, *addend;
    uint8_t *ct_again;       /* decapsulation: a ciphertext encrypted again */
    uint64_t *ek_hash_state; /* key generation by rows: between the parts of H(ek) */
} lk_mlkem;

/* Known to be 0 when another build than the small one is compiled. */
static inline int lk_mlkem_by_entries(const lk_mlkem *s)
{
    return LK_IS_SMALL && s->by_entries;
}

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
    uint8_t row;      /* key generation by rows: the next one; by entries: the present one */
    uint8_t column;   /* by entries: the next one of the row */
} lk_mlkem_op;
_Static_assert(sizeof(lk_mlkem_op) <= LK_OP_BYTES_MAX, "");

/* Its hashes: room for m; H(ek) computed afresh in decapsulation; of Kyber H(ct) and, in decapsulation, K or z. */
enum { LK_MLKEM_M, LK_MLKEM_H_CHECK, LK_MLKEM_CT_HASH, LK_MLKEM_K, LK_MLKEM_HASHES };

static inline uint8_t *lk_mlkem_hash(const lk_mlkem_op *op, size_t which)
{
    return op->hashes + LK_SYM_BYTES * which;
}

/* These take from the arena the memory of the arithmetic, and the noise of one operation. */
void lk_mlkem_take_pke(lk_mlkem *s, lk_arena *arena);
void lk_mlkem_take_noise(lk_mlkem_op *op, lk_arena *arena);

/* lk_mlkem_sampler returns the sink by which A is sampled. */
lk_sink lk_mlkem_sampler(const lk_q3329_kernels *ring);

/* These make a job. Rows [first, end) of A, as it is in key generation or transposed, sampled from rho into key.a_hat
 * (algorithm 13 steps 3 to 7, algorithm 14 steps 4 to 8). The pieces of noise with nonces [first, end), PRF_eta(seed,
 * nonce), the seed being the second half of op->g. */
void lk_mlkem_rows_job(const lk_mlkem_op *op, lk_job *job, const uint8_t *rho, size_t first, size_t end);
void lk_mlkem_noise_job(const lk_mlkem_op *op, lk_job *job, size_t first, size_t end, unsigned eta);

/* lk_mlkem_entry_job makes the job of A's entry in row i and column j, to the beginning of key.a_hat. */
void lk_mlkem_entry_job(const lk_mlkem_op *op, lk_job *job, const uint8_t *rho, size_t i, size_t j);

/* lk_mlkem_matrix_order brings count sampled entries of A into the backend's order. */
void lk_mlkem_matrix_order(const lk_mlkem *s, lk_poly *a_hat, size_t count);

/* lk_mlkem_decode_vector decodes k polynomials; returns 0 if every value is below q. Constant time. */
uint32_t lk_mlkem_decode_vector(const lk_mlkem *s, lk_poly *f, const uint8_t *in);

/* K-PKE after the hashing. Key generation (algorithm 13) is s first, then t row by row; a row needs only its row of A
 * and its piece of noise. s stays in s->y, reduced. Encryption (algorithm 14) is of op->m, and writes s->rows of ct one
 * behind the other. Decryption (algorithm 15) is to the room for m. */
void lk_pke_keygen_secret(lk_mlkem_op *op);
void lk_pke_keygen_row(lk_mlkem_op *op, size_t i);
void lk_pke_encrypt(const lk_mlkem_op *op, uint8_t *ct);
void lk_pke_decrypt(const lk_mlkem_op *op);

/* The same by entries. lk_pke_encrypt_begin makes y, as lk_pke_keygen_secret makes s. lk_pke_add_entry adds the product of
 * the entry in key.a_hat, of column j, to that of its row. The others then make the row of t, or of ct, of this product. */
void lk_pke_encrypt_begin(const lk_mlkem_op *op);
void lk_pke_add_entry(const lk_mlkem_op *op, size_t j);
void lk_pke_keygen_finish_row(const lk_mlkem_op *op, size_t i);
void lk_pke_encrypt_finish_row(const lk_mlkem_op *op, size_t i, uint8_t *ct);

/* lk_pke_encrypt_v makes the row of v. */
void lk_pke_encrypt_v(const lk_mlkem_op *op, uint8_t *ct);

#endif
