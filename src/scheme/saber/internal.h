/* Shared by the files of this scheme: the expanded key, an operation and Saber.PKE. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef LK_SCHEME_SABER_INTERNAL_H
#define LK_SCHEME_SABER_INTERNAL_H

#include "base/families.h"
#include "scheme/group.h"
#include "scheme/saber/params.h"

enum {
    LK_SABER_SYM_BYTES = 32, /* every seed, hash and message */
    LK_SABER_Q_BYTES = 416,  /* a polynomial of 13-bit coefficients */
    LK_SABER_P_BYTES = 320   /* a polynomial of 10-bit coefficients */
};

/* A key as an operation uses it. Its public part are l rows of A, then b, l polynomials each. A prepared key holds all
 * of them evaluated: rows. A wire operation has bytes, matrix and ek, and evaluates one row at a time. This costs it
 * nothing, because it needs each row once, and saves (l + 1) l evaluated polynomials of memory. By entries it
 * has one entry of A, with what else came in the same block, and evaluates nothing. */
typedef struct {
    uint8_t *rows;   /* or NULL */
    uint8_t *matrix; /* the stream of gen_A */
    const uint8_t *ek;
    uint8_t *s; /* secret, evaluated; a prepared key's for decapsulation */
} lk_saber_key;

/* Shared by the operations of a group: the parameter set, the kernels, and memory that they use in turn. */
typedef struct {
    const lk_request *request;
    const lk_saber_params *p;
    const lk_negacyclic_kernels *ring;
    lk_kind kind;

    uint64_t *states; /* between the parts of the one operation's jobs: of gen_A, then of a hash; or NULL */
    uint8_t *s;       /* the secret vector, evaluated: l polynomials */
    union {
        uint8_t *row;             /* a public row, evaluated: l polynomials */
        lk_negacyclic_poly *sums; /* in the small build: of products, one or in key generation l */
    };
    lk_negacyclic_poly *poly;
    void *scratch;     /* of the kernels */
    uint8_t *ct_again; /* decapsulation: a ciphertext encrypted again */
} lk_saber;

/* In the small build an entry of A is sampled, multiplied and forgotten. A constant in the others. */
static inline int lk_saber_by_entries(const lk_saber *s)
{
    return LK_IS_SMALL && !s->request->prepared;
}

/* One operation. Polynomials [0, made) of b or b' are there, [0, hashed) in the hash, and A for [0, sampled). By entries
 * rows [0, sampled) of A have been there, and of the next one so many columns. */
typedef struct {
    LK_OP;
    lk_saber *s;
    lk_saber_key key;
    uint8_t *noise;   /* the stream of gen_s */
    uint8_t *m;       /* H(coins), or the decrypted message, behind it H(ek); in key generation seed_A */
    uint8_t *g;       /* G's output: K, then r; behind it H(ct), and K or z */
    const uint8_t *h; /* H(ek) of a prepared key or of dk, and z behind it in decapsulation */
    uint8_t made, hashed, sampled, column;
} lk_saber_op;
_Static_assert(sizeof(lk_saber_op) <= LK_OP_BYTES_MAX, "");

/* lk_saber_take_buffers takes the memory of the arithmetic from the arena. */
void lk_saber_take_buffers(lk_saber *s, lk_arena *arena);

/* lk_saber_evaluate_row writes row i of a key's l + 1 rows, evaluated from bytes, and lk_saber_evaluate_entry the entry of A
 * that is there. */
void lk_saber_evaluate_row(const lk_saber_op *op, uint8_t *row, size_t i);
void lk_saber_evaluate_entry(lk_saber_op *op, uint8_t *row);

/* lk_saber_evaluate_secret evaluates the s of dk. */
void lk_saber_evaluate_secret(const lk_saber *s, uint8_t *evaluated, const uint8_t *dk);

/* Saber.PKE.KeyGen, Saber.PKE.Enc and Saber.PKE.Dec (algorithms 17 to 19) after the hashing, the first two for
 * polynomials [made, sampled) of b and b' alone: what depends on the stream of gen_A only as far as it is there. The
 * calls for one operation follow each other, with no other operation's between them, until made is l; the first samples
 * the secret vector into s->s, and the last encryption takes m. Polynomial i of b needs A up to column i of its last
 * row, that of b' up to the end of row i. By entries the first call does nothing else, and each of the others multiplies
 * the entry that is there. */
void lk_saber_pke_keygen(lk_saber_op *op);
void lk_saber_pke_encrypt(lk_saber_op *op, uint8_t *ct);
void lk_saber_pke_decrypt(const lk_saber_op *op);

#endif
