/* Saber.PKE, the encryption scheme inside (Saber round 3, algorithms 17 to 19). SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "scheme/saber/internal.h"

void lk_saber_take_buffers(lk_saber *s, lk_arena *arena)
{
    s->s = lk_take(arena, s->p->l * s->ring->small_bytes);
    if (LK_IS_SMALL)
        s->sums = lk_take(arena, (s->kind == LK_KEYPAIR ? s->p->l : 1u) * sizeof(lk_negacyclic_poly));
    else
        s->row = lk_take(arena, s->p->l * s->ring->evaluated_bytes);
    s->poly = lk_take(arena, sizeof(lk_negacyclic_poly));
    s->scratch = lk_take(arena, s->ring->scratch_bytes);
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

/* Evaluates l polynomials of 13 bits (gen_A, s) that are stride bytes apart, or of 10 bits (b, b'). */
static void evaluate_q(const lk_saber *s, uint8_t *row, const uint8_t *in, size_t stride)
{
    for (size_t j = 0; j < s->p->l; j++) {
        s->ring->unpack_d13(s->poly, in + stride * j);
        s->ring->evaluate(row + s->ring->evaluated_bytes * j, s->poly, s->scratch);
    }
}

static void evaluate_p(const lk_saber *s, uint8_t *row, const uint8_t *in)
{
    for (size_t j = 0; j < s->p->l; j++) {
        s->ring->unpack_d10(s->poly, in + LK_SABER_P_BYTES * j);
        s->ring->evaluate(row + s->ring->evaluated_bytes * j, s->poly, s->scratch);
    }
}

void lk_saber_evaluate_row(const lk_saber_op *op, uint8_t *row, size_t i)
{
    const size_t l = op->s->p->l;
    if (i < l)
        evaluate_q(op->s, row, op->key.matrix + LK_SABER_Q_BYTES * l * i, LK_SABER_Q_BYTES);
    else
        evaluate_p(op->s, row, op->key.ek);
}

void lk_saber_evaluate_secret(const lk_saber *s, uint8_t *evaluated, const uint8_t *dk)
{
    for (size_t j = 0; j < s->p->l; j++) {
        s->ring->unpack_d13(s->poly, dk + LK_SABER_Q_BYTES * j);
        s->ring->evaluate_small(evaluated + s->ring->small_bytes * j, s->poly, s->scratch);
    }
}

/* gen_s into s->s, evaluated; and packed to s_bytes unless that is NULL. */
static void sample_secret(const lk_saber_op *op, uint8_t *s_bytes)
{
    const lk_saber *s = op->s;
    for (size_t j = 0; j < s->p->l; j++) {
        cbd(s->ring, s->p->mu, s->poly, op->noise + 32 * (size_t)s->p->mu * j);
        if (s_bytes) s->ring->pack_d13(s_bytes + LK_SABER_Q_BYTES * j, s->poly);
        s->ring->evaluate_small(s->s + s->ring->small_bytes * j, s->poly, s->scratch);
    }
}

/* ---- By entries ---- */

/* Counts an entry of A that has been used. */
static void pass_entry(lk_saber_op *op)
{
    if (op->column < op->s->p->l) return;
    op->sampled++;
    op->column = 0;
}

void lk_saber_evaluate_entry(lk_saber_op *op, uint8_t *row)
{
    const lk_saber *s = op->s;
    s->ring->unpack_d13(s->poly, op->key.matrix);
    s->ring->evaluate(row + s->ring->evaluated_bytes * (op->column - 1u), s->poly, s->scratch);
    pass_entry(op);
}

/* Adds the entry's product to its row's sum, or in key generation to its column's; clears the sums before the first. */
static void add_entry(lk_saber_op *op)
{
    const lk_saber *s = op->s;
    const size_t row = op->sampled, column = op->column - 1u;
    const int transposed = s->kind == LK_KEYPAIR;
    lk_negacyclic_poly *sum = transposed ? &s->sums[column] : s->sums;
    if ((transposed ? row : column) == 0) memset(sum, 0, sizeof *sum);
    s->ring->unpack_d13(s->poly, op->key.matrix);
    s->ring->add_product(sum, s->poly, s->s + s->ring->small_bytes * (transposed ? row : column));
    pass_entry(op);
}

/* b or b' times a secret, without a row in memory. */
static void sum_p(const lk_saber *s, const uint8_t *in, const uint8_t *secret)
{
    memset(s->sums, 0, sizeof *s->sums);
    for (size_t j = 0; j < s->p->l; j++) {
        s->ring->unpack_d10(s->poly, in + LK_SABER_P_BYTES * j);
        s->ring->add_product(s->sums, s->poly, secret + s->ring->small_bytes * j);
    }
}

/* ---- Algorithms ---- */

/* The place of products. */
static lk_negacyclic_poly *sum_of(const lk_saber *s)
{
    return LK_IS_SMALL ? s->sums : s->poly;
}

/* Samples the secret in the first call for an operation. By entries multiplies the entry in the others. */
static void begin(lk_saber_op *op, uint8_t *s_bytes)
{
    const int by_entries = lk_saber_by_entries(op->s);
    if (by_entries ? op->sampled + op->column == 0 : op->made == 0)
        sample_secret(op, s_bytes);
    else if (by_entries)
        add_entry(op);
}

/* Column i of A times the secret. */
static const lk_negacyclic_poly *column_product(const lk_saber_op *op, size_t i)
{
    const lk_saber *s = op->s;
    if (lk_saber_by_entries(s)) return &s->sums[i];
    evaluate_q(s, s->row, op->key.matrix + LK_SABER_Q_BYTES * i, (size_t)LK_SABER_Q_BYTES * s->p->l);
    s->ring->inner_product(s->poly, s->row, s->s, s->p->l, s->scratch);
    return s->poly;
}

/* Algorithm 17: b = (A^T s + h mod q) >> 3: row i of the transpose is column i of A. By entries all columns end with the
 * last row. */
void lk_saber_pke_keygen(lk_saber_op *op)
{
    const lk_saber *s = op->s;
    begin(op, op->io.dk_out);
    if (lk_saber_by_entries(s) && op->sampled < s->p->l) return;
    for (; op->made < op->sampled; op->made++)
        s->ring->round_d10(op->io.ek_out + LK_SABER_P_BYTES * op->made, column_product(op, op->made));
}

/* Row i of the key times the secret s->s. */
static void row_product(const lk_saber_op *op, size_t i)
{
    const lk_saber *s = op->s;
    const uint8_t *row = s->row;
    if (lk_saber_by_entries(s)) {
        if (i == s->p->l) sum_p(s, op->key.ek, s->s); /* the others are there */
        return;
    }
    if (op->key.rows)
        row = op->key.rows + s->ring->evaluated_bytes * s->p->l * i;
    else
        lk_saber_evaluate_row(op, s->row, i);
    s->ring->inner_product(sum_of(s), row, s->s, s->p->l, s->scratch);
}

/* Algorithm 18: b' = (A s' + h mod q) >> 3, c_m = (b^T s' + h1 - 2^9 m mod p) >> (10 - et). */
void lk_saber_pke_encrypt(lk_saber_op *op, uint8_t *ct)
{
    const lk_saber *s = op->s;
    begin(op, NULL);
    for (; op->made < op->sampled; op->made++) {
        row_product(op, op->made);
        s->ring->round_d10(ct + LK_SABER_P_BYTES * op->made, sum_of(s));
    }
    if (op->made < s->p->l) return;
    row_product(op, s->p->l);
    encrypt_message(s->ring, s->p->et, ct + (size_t)LK_SABER_P_BYTES * s->p->l, sum_of(s), op->m);
}

/* Algorithm 19: m = (b'^T s + h2 - 2^(10 - et) c_m mod p) >> 9. */
void lk_saber_pke_decrypt(const lk_saber_op *op)
{
    const lk_saber *s = op->s;
    const uint8_t *ct = op->io.ct;
    if (LK_IS_SMALL) {
        sum_p(s, ct, op->key.s);
    } else {
        evaluate_p(s, s->row, ct);
        s->ring->inner_product(s->poly, s->row, op->key.s, s->p->l, s->scratch);
    }
    decrypt_message(s->ring, s->p->et, op->m, sum_of(s), ct + (size_t)LK_SABER_P_BYTES * s->p->l);
}
