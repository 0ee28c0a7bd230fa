/* The one-way core of NTRU (round 3: the algorithms Sample_*, Lift and those of OWCPA).
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/ct.h"
#include "scheme/ntru/internal.h"

void lk_ntru_take_buffers(lk_ntru_buffers *w, lk_arena *arena, const lk_backend *b, const lk_ntru_params *p,
                          size_t trits, size_t evaluated)
{
    const size_t units = lk_cyclic_units(p->n), places = LK_CYCLIC_UNIT * units;
    const size_t unit = b->cyclic->scratch_unit > b->ternary->scratch_unit ? b->cyclic->scratch_unit
                                                                           : b->ternary->scratch_unit;
    for (size_t i = 0; i < trits; i++) w->t[i] = lk_take(arena, places * sizeof(uint8_t));
    w->x = lk_take(arena, places * sizeof(uint16_t));
    w->y = lk_take(arena, places * sizeof(uint16_t));
    for (size_t i = 0; i < evaluated; i++) w->e[i] = lk_take(arena, lk_ntru_evaluated_bytes(b, p));
    w->words = evaluated > 0 ? w->e[0] : NULL;
    w->scratch = lk_take(arena, units * unit);
}

/* ---- The ring, in the words of the document ---- */

static void pack_q(const lk_backend *b, const lk_ntru_params *p, uint8_t *out, const lk_cyclic_poly *f)
{
    switch (p->log_q) {
    case 11: b->cyclic->pack_d11(out, f, p->n); break;
    case 12: b->cyclic->pack_d12(out, f, p->n); break;
    default: b->cyclic->pack_d13(out, f, p->n); break;
    }
}

/* Sq_from_bytes: the last coefficient is 0. */
static void unpack_q(const lk_backend *b, const lk_ntru_params *p, lk_cyclic_poly *f, const uint8_t *in)
{
    switch (p->log_q) {
    case 11: b->cyclic->unpack_d11(f, in, p->n); break;
    case 12: b->cyclic->unpack_d12(f, in, p->n); break;
    default: b->cyclic->unpack_d13(f, in, p->n); break;
    }
}

/* Rq0_from_bytes: the coefficients add up to 0. */
static void unpack_sum_zero(const lk_backend *b, const lk_ntru_params *p, lk_cyclic_poly *f, const uint8_t *in)
{
    unpack_q(b, p, f, in);
    b->cyclic->sum_zero(f, p->n);
}

static void evaluate(const lk_backend *b, const lk_ntru_params *p, void *e, const lk_cyclic_poly *f,
                     const lk_ntru_buffers *w)
{
    b->cyclic->evaluate(e, f, p->n, w->scratch);
}

static void evaluate_trits(const lk_backend *b, const lk_ntru_params *p, void *e, const lk_trits *t,
                           const lk_ntru_buffers *w)
{
    b->cyclic->from_trits(w->x, t, p->n, 1);
    evaluate(b, p, e, w->x, w);
}

static void product(const lk_backend *b, const lk_ntru_params *p, lk_cyclic_poly *h, const void *f, const void *g,
                    const lk_ntru_buffers *w)
{
    b->cyclic->product(h, f, g, p->n, w->scratch);
}

/* ---- Sampling ---- */

static void sample_iid_plus(const lk_backend *b, const lk_ntru_params *p, lk_trits *t, const uint8_t *in)
{
    b->ternary->sample_iid(t, in, p->n);
    b->ternary->make_nonnegative(t, p->n);
}

static void sample_fixed_type(const lk_backend *b, const lk_ntru_params *p, lk_trits *t, const uint8_t *in,
                              const lk_ntru_buffers *w)
{
    b->ternary->fixed_type_words(w->words, in, p->n, p->weight);
    b->ternary->sort(w->words, p->n - 1u, w->scratch);
    b->ternary->words_to_trits(t, w->words, p->n);
}

static void sample_fg(const lk_backend *b, const lk_ntru_params *p, lk_trits *f, lk_trits *g, const uint8_t *in,
                      const lk_ntru_buffers *w)
{
    const uint8_t *second = in + lk_ntru_iid_bytes(p);
    if (p->kind == LK_NTRU_HRSS) {
        sample_iid_plus(b, p, f, in);
        sample_iid_plus(b, p, g, second);
    } else {
        b->ternary->sample_iid(f, in, p->n);
        sample_fixed_type(b, p, g, second, w);
    }
}

static void sample_rm(const lk_backend *b, const lk_ntru_params *p, lk_trits *r, lk_trits *m, const uint8_t *in,
                      const lk_ntru_buffers *w)
{
    const uint8_t *second = in + lk_ntru_iid_bytes(p);
    b->ternary->sample_iid(r, in, p->n);
    if (p->kind == LK_NTRU_HRSS)
        b->ternary->sample_iid(m, second, p->n);
    else
        sample_fixed_type(b, p, m, second, w);
}

/* Lift(m); for HRSS uses t[2]. */
static void lift(const lk_backend *b, const lk_ntru_params *p, lk_cyclic_poly *f, const lk_trits *m,
                 const lk_ntru_buffers *w)
{
    if (p->kind == LK_NTRU_HPS) {
        b->cyclic->from_trits(f, m, p->n, 1);
        return;
    }
    b->ternary->lift_quotient(w->t[2], m, p->n);
    b->cyclic->from_trits(f, w->t[2], p->n, 1);
    b->cyclic->times_x_minus_1(f, p->n);
}

/* ---- Key generation ---- */

/* Evaluates G: 3 g, and for HRSS 3 (x - 1) g. */
static void evaluate_g(const lk_backend *b, const lk_ntru_params *p, void *e, const lk_trits *g,
                       const lk_ntru_buffers *w)
{
    b->cyclic->from_trits(w->x, g, p->n, 3);
    if (p->kind == LK_NTRU_HRSS) b->cyclic->times_x_minus_1(w->x, p->n);
    evaluate(b, p, e, w->x, w);
}

/* y = the square of the polynomial of the given bits of x's coefficients: modulo 2, where X^i becomes X^(2 i). */
static void square_modulo_2(const lk_ntru_params *p, unsigned bit, const lk_ntru_buffers *w)
{
    const size_t half = (p->n + 1u) / 2;
    const uint16_t *x = w->x->c;
    uint16_t *y = w->y->c;
    for (size_t i = 0; i + 1 < half; i++) {
        y[2 * i] = x[i] >> bit & 1;
        y[2 * i + 1] = x[half + i] >> bit & 1;
    }
    y[p->n - 1] = x[half - 1] >> bit & 1;
}

/* Returns x or y, which becomes 1 + e + e^2 modulo Phi and a power of 2, for x = 1 - e where 2^bits divides e modulo Phi:
 * modulo 2^(2 bits + 1), or 2^(2 bits + 2) if the backend has squares modulo 4, for of the square of e / 2^bits only that much
 * matters; modulo q if that is less. */
static const lk_cyclic_poly *sum_of_powers(const lk_backend *b, const lk_ntru_params *p, unsigned bits,
                                           const lk_ntru_buffers *w)
{
    b->cyclic->two_minus(w->x, p->n); /* 1 + e */
    if (2 * bits >= p->log_q) return w->x;
    b->cyclic->mod_phi(w->x, p->n);
    if (b->cyclic->square_of_bits && 2 * bits + 1 < p->log_q)
        b->cyclic->square_of_bits(w->y, w->x, p->n, bits, w->scratch);
    else
        square_modulo_2(p, bits, w);
    for (size_t i = 0; i < p->n; i++) w->y->c[i] = (uint16_t)(w->x->c[i] + (w->y->c[i] << (2 * bits)));
    return w->y;
}

/* Sq_inverse: y = 1/a modulo (q, Phi), from the inverse modulo 2 or 4. Of right bits, Newton's iteration y = y (1 + e) with
 * e = 1 - y a makes two times as many, and one or two more with the square of e: 3, 7, 15, or from 2 on 6 and 14. Memory for
 * a third evaluated polynomial would spare it all evaluations of a but the first. */
static void invert_q(const lk_backend *b, const lk_ntru_params *p, const lk_cyclic_poly *a, const lk_ntru_buffers *w)
{
    const unsigned first = b->cyclic->lift_inverse ? 2 : 1;
    b->cyclic->invert_mod2(w->y, a, p->n, w->scratch);
    if (b->cyclic->lift_inverse) b->cyclic->lift_inverse(w->y, a, p->n, w->scratch);
    for (unsigned bits = first; bits < p->log_q; bits = 2 * bits + first) {
        evaluate(b, p, w->e[0], a, w);
        evaluate(b, p, w->e[1], w->y, w);
        product(b, p, w->x, w->e[1], w->e[0], w);
        evaluate(b, p, w->e[0], sum_of_powers(b, p, bits, w), w);
        product(b, p, w->y, w->e[1], w->e[0], w);
    }
}

/* x = v e[1]^2. */
static void times_square(const lk_backend *b, const lk_ntru_params *p, const lk_cyclic_poly *v,
                         const lk_ntru_buffers *w)
{
    evaluate(b, p, w->e[0], v, w);
    product(b, p, w->x, w->e[0], w->e[1], w);
    evaluate(b, p, w->e[0], w->x, w);
    product(b, p, w->x, w->e[0], w->e[1], w);
}

/* Key generation makes two inverses for each key, 1/f modulo 3 and v = 1/(G f) modulo q, and for a group of keys but one of
 * either kind: that of the product of all (Montgomery's trick). From the inverse of a_0 ... a_i, times a_0 ... a_(i-1) it is
 * that of a_i, times a_i that of a_0 ... a_(i-1). A key with f = 0 or G f = 0 modulo 2, whose inverses the kernels make 0,
 * takes part with a 1, lest it spoil the others. */

static void take_keygen_op(lk_ntru_keygen_op *op, lk_arena *arena, const lk_ntru_params *p, int is_first)
{
    const size_t places = lk_cyclic_places(p->n);
    op->f = lk_take(arena, places * sizeof(uint8_t));
    op->g = lk_take(arena, places * sizeof(uint8_t));
    op->f_product = lk_take(arena, places * sizeof(uint8_t));
    op->x = lk_take(arena, places * sizeof(uint16_t));
    op->x_product = is_first ? op->x : lk_take(arena, places * sizeof(uint16_t));
}

lk_ntru_keygen_op *lk_ntru_take_keygen(lk_arena *arena, const lk_ntru_params *p, size_t n)
{
    lk_ntru_keygen_op counted, *ops = lk_take(arena, n * sizeof *ops);
    for (size_t i = 0; i < n; i++) take_keygen_op(ops ? &ops[i] : &counted, arena, p, i == 0);
    return ops;
}

/* f, g and x = G f. A zero becomes 1 where the products begin. */
static void begin_key(const lk_backend *b, const lk_ntru_params *p, lk_ntru_keygen_op *op, const lk_ntru_buffers *w)
{
    uint8_t any = 0;
    uint16_t differ = 0;
    sample_fg(b, p, op->f, op->g, op->seed, w);
    evaluate_g(b, p, w->e[0], op->g, w);
    evaluate_trits(b, p, w->e[1], op->f, w);
    product(b, p, op->x, w->e[0], w->e[1], w);
    for (size_t i = 0; i < p->n; i++) {
        any |= op->f->c[i];
        differ |= op->x->c[i] ^ op->x->c[p->n - 1];
    }
    op->f_zero = ~lk_ct_nonzero(any);
    op->x_zero = ~lk_ct_nonzero(differ & 1);
    for (size_t i = 0; i < p->n; i++) op->x->c[i] &= (uint16_t)~op->x_zero;
    op->x->c[0] |= op->x_zero & 1;
}

/* f, or 1 if it is 0. */
static void evaluate_unit(const lk_backend *b, const lk_ntru_params *p, void *e, const lk_ntru_keygen_op *op,
                          const lk_ntru_buffers *w)
{
    b->cyclic->from_trits(w->x, op->f, p->n, 1);
    w->x->c[0] |= op->f_zero & 1;
    evaluate(b, p, e, w->x, w);
}

/* t = e[0] e[1] modulo (3, Phi), from small coefficients. */
static void product_mod3(const lk_backend *b, const lk_ntru_params *p, lk_trits *t, const lk_ntru_buffers *w)
{
    product(b, p, w->x, w->e[0], w->e[1], w);
    b->cyclic->mod3(t, w->x, p->n, p->log_q);
}

/* f_product = 1/f modulo (3, Phi). */
static void invert_all_mod3(const lk_backend *b, const lk_ntru_params *p, lk_ntru_keygen_op *ops, size_t n,
                            const lk_ntru_buffers *w)
{
    const size_t places = lk_cyclic_places(p->n);
    lk_trits *inverse = w->t[0];
    memcpy(ops[0].f_product, ops[0].f, places);
    ops[0].f_product->c[0] |= ops[0].f_zero & 1;
    for (size_t i = 1; i < n; i++) {
        evaluate_trits(b, p, w->e[0], ops[i - 1].f_product, w);
        evaluate_unit(b, p, w->e[1], &ops[i], w);
        product_mod3(b, p, ops[i].f_product, w);
    }
    b->ternary->invert(inverse, ops[n - 1].f_product, p->n, w->scratch);
    for (size_t i = n - 1; i > 0; i--) {
        evaluate_trits(b, p, w->e[0], inverse, w);
        evaluate_trits(b, p, w->e[1], ops[i - 1].f_product, w);
        product_mod3(b, p, ops[i].f_product, w);
        evaluate_unit(b, p, w->e[1], &ops[i], w);
        product_mod3(b, p, inverse, w);
    }
    memcpy(ops[0].f_product, inverse, places);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < places; j++) ops[i].f_product->c[j] &= (uint8_t)~ops[i].f_zero;
}

/* x_product = 1/x modulo (q, Phi). */
static void invert_all_q(const lk_backend *b, const lk_ntru_params *p, lk_ntru_keygen_op *ops, size_t n,
                         const lk_ntru_buffers *w)
{
    const size_t places = lk_cyclic_places(p->n);
    for (size_t i = 1; i < n; i++) {
        evaluate(b, p, w->e[0], ops[i - 1].x_product, w);
        evaluate(b, p, w->e[1], ops[i].x, w);
        product(b, p, ops[i].x_product, w->e[0], w->e[1], w);
    }
    invert_q(b, p, ops[n - 1].x_product, w);
    for (size_t i = n - 1; i > 0; i--) {
        evaluate(b, p, w->e[0], w->y, w);
        evaluate(b, p, w->e[1], ops[i - 1].x_product, w);
        product(b, p, ops[i].x_product, w->e[0], w->e[1], w);
        evaluate(b, p, w->e[1], ops[i].x, w);
        product(b, p, w->y, w->e[0], w->e[1], w);
    }
    memcpy(ops[0].x_product, w->y, places * sizeof(uint16_t));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < places; j++) ops[i].x_product->c[j] &= (uint16_t)~ops[i].x_zero;
}

/* With v = 1/(G f): h = v G^2 and 1/h = v f^2. h is not reduced modulo Phi: G is a multiple of x - 1, so that h is too,
 * whichever representative v is. */
static void end_key(const lk_backend *b, const lk_ntru_params *p, const lk_ntru_keygen_op *op, const lk_ntru_buffers *w)
{
    const size_t s3_bytes = lk_ntru_s3_bytes(p);
    b->ternary->pack(op->dk, op->f, p->n);
    b->ternary->pack(op->dk + s3_bytes, op->f_product, p->n);
    evaluate_g(b, p, w->e[1], op->g, w);
    times_square(b, p, op->x_product, w);
    pack_q(b, p, op->h, w->x);
    evaluate_trits(b, p, w->e[1], op->f, w);
    times_square(b, p, op->x_product, w);
    b->cyclic->mod_phi(w->x, p->n);
    pack_q(b, p, op->dk + 2 * s3_bytes, w->x);
}

void lk_ntru_keygen(const lk_backend *b, const lk_ntru_params *p, lk_ntru_keygen_op *ops, size_t n,
                    const lk_ntru_buffers *w)
{
    for (size_t i = 0; i < n; i++) begin_key(b, p, &ops[i], w);
    invert_all_mod3(b, p, ops, n, w);
    invert_all_q(b, p, ops, n, w);
    for (size_t i = 0; i < n; i++) end_key(b, p, &ops[i], w);
}

/* ---- Encryption and decryption ---- */

void lk_ntru_evaluate_public(const lk_backend *b, const lk_ntru_params *p, void *h, const uint8_t *ek,
                             const lk_ntru_buffers *w)
{
    unpack_sum_zero(b, p, w->x, ek);
    evaluate(b, p, h, w->x, w);
}

/* 1/h is the last; the others are modulo 3. */
void lk_ntru_evaluate_secret(const lk_backend *b, const lk_ntru_params *p, void *factor, const uint8_t *dk, size_t i,
                             const lk_ntru_buffers *w)
{
    const uint8_t *packed = dk + lk_ntru_s3_bytes(p) * i;
    if (i + 1 < LK_NTRU_FACTORS) {
        b->ternary->unpack(w->t[0], packed, p->n);
        evaluate_trits(b, p, factor, w->t[0], w);
    } else {
        unpack_q(b, p, w->x, packed);
        evaluate(b, p, factor, w->x, w);
    }
}

static void pack_rm(const lk_backend *b, const lk_ntru_params *p, uint8_t *rm, const lk_trits *r, const lk_trits *m)
{
    b->ternary->pack(rm, r, p->n);
    b->ternary->pack(rm + lk_ntru_s3_bytes(p), m, p->n);
}

/* c = r h + Lift(m). */
void lk_ntru_encrypt(const lk_backend *b, const lk_ntru_params *p, uint8_t *ct, uint8_t *rm, const void *h,
                     const uint8_t *coins, const lk_ntru_buffers *w)
{
    lk_trits *r = w->t[0], *m = w->t[1];
    sample_rm(b, p, r, m, coins, w);
    pack_rm(b, p, rm, r, m);
    evaluate_trits(b, p, w->e[0], r, w);
    product(b, p, w->y, w->e[0], h, w);
    lift(b, p, w->x, m, w);
    b->cyclic->add(w->y, w->x, p->n);
    pack_q(b, p, ct, w->y);
}

/* x = e[0] times factor i of the key; uses e[1] and t[0]. */
static void times_factor(const lk_backend *b, const lk_ntru_params *p, const lk_ntru_secret *key, size_t i,
                         const lk_ntru_buffers *w)
{
    const void *factor = w->e[1];
    if (key->factors)
        factor = key->factors[i];
    else
        lk_ntru_evaluate_secret(b, p, w->e[1], key->dk, i, w);
    product(b, p, w->x, w->e[0], factor, w);
}

/* m = (c f modulo q) / f modulo 3. The product modulo 3 is taken from one modulo q: its coefficients are n at most. */
static void decrypt_m(const lk_backend *b, const lk_ntru_params *p, lk_trits *m, const lk_cyclic_poly *c,
                      const lk_ntru_secret *key, const lk_ntru_buffers *w)
{
    evaluate(b, p, w->e[0], c, w);
    times_factor(b, p, key, 0, w);
    b->cyclic->mod3(m, w->x, p->n, p->log_q);
    evaluate_trits(b, p, w->e[0], m, w);
    times_factor(b, p, key, 1, w);
    b->cyclic->mod3(m, w->x, p->n, p->log_q);
}

/* r = (c - Lift(m)) / h modulo (q, Phi). The three conditions hold if and only if ct is the encryption of (r, m) and the
 * two are in the message space, which makes encrypting again unnecessary. */
uint32_t lk_ntru_decrypt(const lk_backend *b, const lk_ntru_params *p, uint8_t *rm, const uint8_t *ct,
                         const lk_ntru_secret *key, const lk_ntru_buffers *w)
{
    lk_trits *r = w->t[0], *m = w->t[1];
    uint32_t fail = lk_ct_nonzero(lk_ntru_padding(p, ct));
    unpack_sum_zero(b, p, w->y, ct);
    decrypt_m(b, p, m, w->y, key, w);
    if (p->kind == LK_NTRU_HPS) fail |= b->ternary->weight_differs(m, p->n, p->weight);

    lift(b, p, w->x, m, w);
    b->cyclic->sub(w->y, w->x, p->n);
    evaluate(b, p, w->e[0], w->y, w);
    times_factor(b, p, key, 2, w);
    b->cyclic->mod_phi(w->x, p->n);
    fail |= b->cyclic->to_trits(r, w->x, p->n, p->log_q);
    pack_rm(b, p, rm, r, m);
    return fail;
}
