/* Shared by the files of this scheme: the expanded key, an operation and the deterministic encryption scheme (section
 * 1.11). SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_NTRU_INTERNAL_H
#define LK_SCHEME_NTRU_INTERNAL_H

#include "scheme/group.h"
#include "scheme/ntru/params.h"

enum { LK_NTRU_KEY_BYTES = 32 /* z and every hash */ };

/* A key as operations use it: the public h; of the secret ones f and its inverse modulo 3, taken modulo q with
 * coefficients -1, 0, 1, and 1/h. A prepared key holds them evaluated; if the backend multiplies modulo 3, 1/f as trits.
 * A wire operation evaluates one at a time. This costs it nothing, because it needs each once, and saves the memory of
 * two. */
enum { LK_NTRU_F, LK_NTRU_F_INVERSE, LK_NTRU_H_INVERSE, LK_NTRU_FACTORS };

typedef struct {
    void *h;                        /* encapsulation */
    void *factors[LK_NTRU_FACTORS]; /* decapsulation */
    uint8_t *z;
} lk_ntru_prepared;

/* Shared by the operations of a group: the parameter set, the kernels, and memory that they use in turn. Polynomials
 * have no more places than n asks for. */
typedef struct {
    const lk_request *request;
    const lk_ntru_params *p;
    const lk_cyclic_kernels *cyclic;
    const lk_ternary_kernels *ternary;
    lk_ntru_prepared key;          /* if there is one */
    struct lk_ntru_keygen *latest; /* the key of the group that took its memory last, or NULL */

    lk_trits *t[2]; /* key generation has only the first */
    lk_cyclic_poly *x, *y;
    void *e[2];              /* evaluated polynomials, the larger part of this memory */
    lk_ternary_words *words; /* where e[0] is, or if the kernels are plain, x and y */
    void *scratch;           /* of the kernels; if they are plain, where e[1] is */
} lk_ntru;

/* One encapsulation, decapsulation, or preparation. */
typedef struct {
    LK_OP;
    lk_ntru *s;
    uint8_t *rm;    /* r and m, packed; behind them in decapsulation H(r || m) */
    uint32_t fail;  /* decapsulation: 0xFFFFFFFF to reject, or 0 */
    uint32_t valid; /* decapsulation, found anew: 0, or 0xFFFFFFFF to accept */
} lk_ntru_op;
_Static_assert(sizeof(lk_ntru_op) <= LK_OP_BYTES_MAX, "");

/* One key generation. Those of a group share inversions. */
typedef struct lk_ntru_keygen {
    LK_OP;
    lk_ntru *s;
    struct lk_ntru_keygen *before, *after; /* the neighbours in the group, or NULL */
    lk_trits *f, *g;
    lk_trits *f_product;           /* f modulo 3 times those of the keys before it; then 1/f */
    lk_cyclic_poly *x, *x_product; /* G f, likewise modulo q; of the first key both are the same */
    uint32_t f_zero, x_zero;       /* 0xFFFFFFFF if there is no inverse, else 0 */
} lk_ntru_keygen;
_Static_assert(sizeof(lk_ntru_keygen) <= LK_OP_BYTES_MAX, "");

/* lk_ntru_evaluated_bytes returns the bytes of an evaluated polynomial. */
static inline size_t lk_ntru_evaluated_bytes(const lk_ntru *s)
{
    return lk_cyclic_units(s->p->n) * s->cyclic->evaluated_unit;
}

/* lk_ntru_take_buffers takes the memory of the arithmetic from the arena, with so many of t and of e; words are there
 * if e[0] is. If the kernels are plain and `shared` is 1, e[0] is where y is. lk_ntru_take_keygen takes that of one key. */
void lk_ntru_take_buffers(lk_ntru *s, lk_arena *arena, size_t trits, size_t evaluated, int shared);
void lk_ntru_take_keygen(lk_ntru_keygen *key, lk_arena *arena);

/* The phases of DPKE_Key_Pair (section 1.11.1) for keys that share their inversions. lk_ntru_keygen_sample, of the keys
 * in order, makes f, g and the products; lk_ntru_keygen_invert, of the last key first, inverts them;
 * lk_ntru_keygen_finish packs h and the three polynomials of dk. */
void lk_ntru_keygen_sample(lk_ntru_keygen *key);
void lk_ntru_keygen_invert_mod3(lk_ntru_keygen *key);
void lk_ntru_keygen_invert_q(lk_ntru_keygen *key);
void lk_ntru_keygen_finish(const lk_ntru_keygen *key);

/* lk_ntru_evaluate_public and lk_ntru_evaluate_secret unpack and evaluate ek and, of dk, factor i. */
void lk_ntru_evaluate_public(const lk_ntru *s, void *h, const uint8_t *ek);
void lk_ntru_evaluate_secret(const lk_ntru *s, void *factor, const uint8_t *dk, size_t i);

/* lk_ntru_encrypt samples (r, m) from the coins and writes r and m, packed one after the other, to op->rm and the
 * ciphertext (DPKE_Encrypt, section 1.11.3). lk_ntru_decrypt writes r and m, packed, to op->rm (DPKE_Decrypt, section
 * 1.11.4), and to op->fail and op->valid whether ct is an encryption of a pair of the message space; rm is some bytes if
 * not. */
void lk_ntru_encrypt(const lk_ntru_op *op);
void lk_ntru_decrypt(lk_ntru_op *op);

/* The unused bits of a packed polynomial modulo q, in place in its last byte. */
static inline uint32_t lk_ntru_padding(const lk_ntru_params *p, const uint8_t *packed)
{
    const size_t used = p->log_q * (p->n - 1u) % 8;
    return used == 0 ? 0u : (uint32_t)packed[p->row.bytes.ct - 1] >> used;
}

#endif
