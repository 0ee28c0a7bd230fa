/* What the files of this scheme share: the formats, the expanded key and the one-way core (the document's OWCPA).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_NTRU_INTERNAL_H
#define LK_SCHEME_NTRU_INTERNAL_H

#include "base/workspace.h"
#include "ring/ternary/kernels.h"
#include "scheme/ntru/params.h"

enum { LK_NTRU_KEY_BYTES = 32 /* z and every hash */ };

/* Bytes of a packed polynomial modulo 3 and modulo q. */
static inline size_t lk_ntru_s3_bytes(const lk_ntru_params *p)
{
    return lk_fifth(p->n + 3u);
}

static inline size_t lk_ntru_q_bytes(const lk_ntru_params *p)
{
    return (p->log_q * (p->n - 1u) + 7) / 8;
}

/* Formats: ek = h, ct = c; dk = f || 1/f modulo 3 || 1/h || z (the document says pk and sk). */
static inline size_t lk_ntru_dk_bytes(const lk_ntru_params *p)
{
    return 2 * lk_ntru_s3_bytes(p) + lk_ntru_q_bytes(p) + LK_NTRU_KEY_BYTES;
}

static inline const uint8_t *lk_ntru_dk_z(const lk_ntru_params *p, const uint8_t *dk)
{
    return dk + lk_ntru_dk_bytes(p) - LK_NTRU_KEY_BYTES;
}

/* Random bytes of (f, g) and of (r, m). */
static inline size_t lk_ntru_iid_bytes(const lk_ntru_params *p)
{
    return p->n - 1u;
}

static inline size_t lk_ntru_sample_bytes(const lk_ntru_params *p)
{
    const size_t fixed_type = (30 * (p->n - 1u) + 7) / 8;
    return lk_ntru_iid_bytes(p) + (p->kind == LK_NTRU_HPS ? fixed_type : lk_ntru_iid_bytes(p));
}

/* Bytes of an evaluated polynomial. */
static inline size_t lk_ntru_evaluated_bytes(const lk_backend *b, const lk_ntru_params *p)
{
    return lk_cyclic_units(p->n) * b->cyclic->evaluated_unit;
}

/* The secret polynomials as decryption uses them: f and its inverse modulo 3, taken modulo q with coefficients -1, 0, 1, and
 * 1/h. A prepared key holds them evaluated. A wire operation evaluates one at a time, which costs it nothing, for it needs
 * each once, and saves the memory of two. */
enum { LK_NTRU_FACTORS = 3 };

typedef struct {
    void *const *factors; /* LK_NTRU_FACTORS evaluated polynomials, or NULL and */
    const uint8_t *dk;
} lk_ntru_secret;

/* Memory of the arithmetic of one operation; operations of a group use it in turn. Polynomials have no more places than n
 * asks for. */
typedef struct {
    lk_trits *t[3]; /* key generation has only the first, and only HRSS the last */
    lk_cyclic_poly *x, *y;
    void *e[2];              /* evaluated polynomials, the larger part of this memory */
    lk_ternary_words *words; /* where e[0] is */
    void *scratch;           /* of the kernels */
} lk_ntru_buffers;

/* lk_ntru_take_buffers takes that memory, with so many of t and of e; words are there if e[0] is. */
void lk_ntru_take_buffers(lk_ntru_buffers *w, lk_arena *arena, const lk_backend *b, const lk_ntru_params *p,
                          size_t trits, size_t evaluated);

/* One key of a group. */
typedef struct {
    const uint8_t *seed; /* random bytes of (f, g) */
    uint8_t *h, *dk;     /* out: the three polynomials of dk alone */

    lk_trits *f, *g;
    lk_trits *f_product;           /* f modulo 3 times those of the keys before it; then 1/f */
    lk_cyclic_poly *x, *x_product; /* G f, likewise modulo q; of the first key both are the same */
    uint32_t f_zero, x_zero;       /* 0xFFFFFFFF if there is no inverse, else 0 */
} lk_ntru_keygen_op;

/* lk_ntru_take_keygen takes the memory of n keys, but not their seeds and outputs. */
lk_ntru_keygen_op *lk_ntru_take_keygen(lk_arena *arena, const lk_ntru_params *p, size_t n);

/* lk_ntru_keygen makes h and the three polynomials of dk, packed, of n keys. */
void lk_ntru_keygen(const lk_backend *b, const lk_ntru_params *p, lk_ntru_keygen_op *ops, size_t n,
                    const lk_ntru_buffers *w);

/* lk_ntru_evaluate_public and lk_ntru_evaluate_secret unpack and evaluate ek and, of dk, factor i. */
void lk_ntru_evaluate_public(const lk_backend *b, const lk_ntru_params *p, void *h, const uint8_t *ek,
                             const lk_ntru_buffers *w);
void lk_ntru_evaluate_secret(const lk_backend *b, const lk_ntru_params *p, void *factor, const uint8_t *dk, size_t i,
                             const lk_ntru_buffers *w);

/* lk_ntru_encrypt samples (r, m) from random bytes and writes r and m, packed one after the other, to rm and the ciphertext
 * to ct. h is evaluated. */
void lk_ntru_encrypt(const lk_backend *b, const lk_ntru_params *p, uint8_t *ct, uint8_t *rm, const void *h,
                     const uint8_t *coins, const lk_ntru_buffers *w);

/* lk_ntru_decrypt writes r and m, packed, to rm. Returns 0, or 0xFFFFFFFF if ct is no encryption of a pair of the message
 * space; rm is some bytes then. */
uint32_t lk_ntru_decrypt(const lk_backend *b, const lk_ntru_params *p, uint8_t *rm, const uint8_t *ct,
                         const lk_ntru_secret *key, const lk_ntru_buffers *w);

/* The unused bits of a packed polynomial modulo q, in place in its last byte. */
static inline uint32_t lk_ntru_padding(const lk_ntru_params *p, const uint8_t *packed)
{
    const size_t used = p->log_q * (p->n - 1u) % 8;
    return used == 0 ? 0u : (uint32_t)packed[lk_ntru_q_bytes(p) - 1] >> used;
}

#endif
