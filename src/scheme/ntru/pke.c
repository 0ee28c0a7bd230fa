/* The encryption scheme inside, DPKE (NTRU round 3, sections 1.8 to 1.11). SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "scheme/ntru/internal.h"
#include "shared/ct.h"

void lk_ntru_take_buffers(lk_ntru *s, lk_arena *arena, size_t trits, size_t evaluated, int shared)
{
    const size_t units = lk_cyclic_units(s->p->n), places = LK_CYCLIC_UNIT * units;
    const size_t unit = s->cyclic->scratch_unit > s->ternary->scratch_unit ? s->cyclic->scratch_unit
                                                                           : s->ternary->scratch_unit;
    const int plain = s->cyclic->plain != 0; /* then y is right behind x */
    for (size_t i = 0; i < trits; i++) s->t[i] = lk_take(arena, places * sizeof(uint8_t));
    s->x = lk_take(arena, places * sizeof(uint16_t));
    s->y = lk_take(arena, places * sizeof(uint16_t));
    for (size_t i = 0; i < evaluated; i++)
        s->e[i] = plain && shared && i == 0 ? (void *)s->y : lk_take(arena, lk_ntru_evaluated_bytes(s));
    s->words = evaluated == 0 ? NULL : plain ? (void *)s->x : s->e[0];
    s->scratch = plain ? s->e[1] : lk_take(arena, units * unit);
}

/* ---- The ring ---- */

/* pack_Rq0 and pack_Sq (sections 1.8.3 and 1.8.5), of what is reduced. */
static void pack_q(const lk_ntru *s, uint8_t *out, const lk_cyclic_poly *f)
{
    switch (s->p->log_q) {
    case 11: s->cyclic->pack_d11(out, f, s->p->n); break;
    case 12: s->cyclic->pack_d12(out, f, s->p->n); break;
    default: s->cyclic->pack_d13(out, f, s->p->n); break;
    }
}

/* unpack_Sq (section 1.8.6): the last coefficient is 0. */
static void unpack_q(const lk_ntru *s, lk_cyclic_poly *f, const uint8_t *in)
{
    switch (s->p->log_q) {
    case 11: s->cyclic->unpack_d11(f, in, s->p->n); break;
    case 12: s->cyclic->unpack_d12(f, in, s->p->n); break;
    default: s->cyclic->unpack_d13(f, in, s->p->n); break;
    }
}

/* unpack_Rq0 (section 1.8.4): the coefficients add up to 0. */
static void unpack_sum_zero(const lk_ntru *s, lk_cyclic_poly *f, const uint8_t *in)
{
    unpack_q(s, f, in);
    s->cyclic->sum_zero(f, s->p->n);
}

static void evaluate(const lk_ntru *s, void *e, const lk_cyclic_poly *f)
{
    if (e != f) s->cyclic->evaluate(e, f, s->p->n, s->scratch);
}

static void evaluate_trits(const lk_ntru *s, void *e, const lk_trits *t)
{
    s->cyclic->from_trits(s->x, t, s->p->n, 1);
    evaluate(s, e, s->x);
}

static void product(const lk_ntru *s, lk_cyclic_poly *h, const void *f, const void *g)
{
    s->cyclic->product(h, f, g, s->p->n, s->scratch);
}

/* A factor of products modulo 3: trits if the backend multiplies these; otherwise the polynomial modulo q of their values,
 * evaluated. */
static void evaluate_mod3(const lk_ntru *s, void *e, const lk_trits *t)
{
    if (s->ternary->multiply)
        memcpy(e, t, lk_cyclic_places(s->p->n));
    else
        evaluate_trits(s, e, t);
}

/* t = f g modulo (3, Phi). A product modulo q is that of integers, because its coefficients are n at most. */
static void product_mod3(const lk_ntru *s, lk_trits *t, const void *f, const void *g)
{
    if (s->ternary->multiply) {
        s->ternary->multiply(t, f, g, s->p->n, s->scratch);
    } else {
        product(s, s->x, f, g);
        s->cyclic->mod3(t, s->x, s->p->n, s->p->log_q);
    }
}

/* Lift (section 1.9.3); for HRSS uses t[0]. */
static void lift(const lk_ntru *s, lk_cyclic_poly *f, const lk_trits *m)
{
    if (s->p->kind == LK_NTRU_HPS) {
        s->cyclic->from_trits(f, m, s->p->n, 1);
        return;
    }
    s->ternary->lift_quotient(s->t[0], m, s->p->n);
    s->cyclic->from_trits(f, s->t[0], s->p->n, 1);
    s->cyclic->times_x_minus_1(f, s->p->n);
}

/* ---- Sampling ---- */

/* Ternary_Plus (section 1.10.4). */
static void sample_iid_plus(const lk_ntru *s, lk_trits *t, const uint8_t *in)
{
    s->ternary->sample_iid(t, in, s->p->n);
    s->ternary->make_nonnegative(t, s->p->n);
}

/* Fixed_Type (section 1.10.5). */
static void sample_fixed_type(const lk_ntru *s, lk_trits *t, const uint8_t *in)
{
    s->ternary->fixed_type_words(s->words, in, s->p->n, s->p->weight);
    s->ternary->sort(s->words, s->p->n - 1u, s->scratch);
    s->ternary->words_to_trits(t, s->words, s->p->n);
}

/* Sample_fg (section 1.10.1). */
static void sample_fg(const lk_ntru *s, lk_trits *f, lk_trits *g, const uint8_t *in)
{
    const uint8_t *second = in + s->p->iid_bytes;
    if (s->p->kind == LK_NTRU_HRSS) {
        sample_iid_plus(s, f, in);
        sample_iid_plus(s, g, second);
    } else {
        s->ternary->sample_iid(f, in, s->p->n);
        sample_fixed_type(s, g, second);
    }
}

/* Sample_rm (section 1.10.2). */
static void sample_rm(const lk_ntru *s, lk_trits *r, lk_trits *m, const uint8_t *in)
{
    const uint8_t *second = in + s->p->iid_bytes;
    s->ternary->sample_iid(r, in, s->p->n);
    if (s->p->kind == LK_NTRU_HRSS)
        s->ternary->sample_iid(m, second, s->p->n);
    else
        sample_fixed_type(s, m, second);
}

/* ---- Key generation (sections 1.11.1 and 1.11.2) ---- */

/* Evaluates G (section 1.11.2 line 1): 3 g, and for HRSS 3 (x - 1) g. */
static void evaluate_g(const lk_ntru *s, void *e, const lk_trits *g)
{
    s->cyclic->from_trits(s->x, g, s->p->n, 3);
    if (s->p->kind == LK_NTRU_HRSS) s->cyclic->times_x_minus_1(s->x, s->p->n);
    evaluate(s, e, s->x);
}

/* y = the square of the polynomial of the given bits of x's coefficients: modulo 2, where X^i becomes X^(2 i). */
static void square_modulo_2(const lk_ntru *s, unsigned bit)
{
    const size_t n = s->p->n, half = (n + 1u) / 2;
    const uint16_t *x = s->x->c;
    uint16_t *y = s->y->c;
    for (size_t i = 0; i + 1 < half; i++) {
        y[2 * i] = x[i] >> bit & 1;
        y[2 * i + 1] = x[half + i] >> bit & 1;
    }
    y[n - 1] = x[half - 1] >> bit & 1;
}

/* Returns x or y, which becomes 1 + e + e^2 modulo Phi and a power of 2, for x = 1 - e where 2^bits divides e modulo
 * Phi: modulo 2^(2 bits + 1), or 2^(2 bits + 2) if the backend has squares modulo 4, for of the square of e / 2^bits
 * only that much matters; modulo q if that is less. */
static const lk_cyclic_poly *sum_of_powers(const lk_ntru *s, unsigned bits)
{
    const size_t n = s->p->n;
    s->cyclic->two_minus(s->x, n); /* 1 + e */
    if (2 * bits >= s->p->log_q) return s->x;
    s->cyclic->mod_phi(s->x, n);
    if (s->cyclic->square_of_bits && 2 * bits + 1 < s->p->log_q)
        s->cyclic->square_of_bits(s->y, s->x, n, bits, s->scratch);
    else
        square_modulo_2(s, bits);
    for (size_t i = 0; i < n; i++) s->y->c[i] = (uint16_t)(s->x->c[i] + (s->y->c[i] << (2 * bits)));
    return s->y;
}

/* Sq_inverse (section 1.9.2): y = 1/a modulo (q, Phi), from the inverse modulo 2 or 4. Of right bits, Newton's
 * iteration y = y (1 + e) with e = 1 - y a makes two times as many, and one or two more with the square of e: 3, 7, 15,
 * or from 2 on 6 and 14. Memory for a third evaluated polynomial would spare it all evaluations of a but the first. */
static void invert_q(const lk_ntru *s, const lk_cyclic_poly *a)
{
    const size_t n = s->p->n;
    const unsigned first = s->cyclic->lift_inverse ? 2 : 1;
    s->cyclic->invert_mod2(s->y, a, n, s->scratch);
    if (s->cyclic->lift_inverse) s->cyclic->lift_inverse(s->y, a, n, s->scratch);
    for (unsigned bits = first; bits < s->p->log_q; bits = 2 * bits + first) {
        evaluate(s, s->e[0], a);
        evaluate(s, s->e[1], s->y);
        product(s, s->x, s->e[1], s->e[0]);
        evaluate(s, s->e[0], sum_of_powers(s, bits));
        product(s, s->y, s->e[1], s->e[0]);
    }
}

/* x = v e[1]^2. */
static void times_square(const lk_ntru *s, const lk_cyclic_poly *v)
{
    evaluate(s, s->e[0], v);
    product(s, s->x, s->e[0], s->e[1]);
    evaluate(s, s->e[0], s->x);
    product(s, s->x, s->e[0], s->e[1]);
}

/* Key generation makes two inverses for each key, 1/f modulo 3 and v = 1/(G f) modulo q, and for a group of keys but
 * one of either kind: that of the product of all (Montgomery's trick). From the inverse of a_0 ... a_i, times a_0 ...
 * a_(i-1) it is that of a_i, times a_i that of a_0 ... a_(i-1). The kernels make the inverses 0 of a key with f = 0 or
 * G f = 0 modulo 2. Such a key takes part with a 1, because a 0 would spoil the others. */

void lk_ntru_take_keygen(lk_ntru_keygen *key, lk_arena *arena)
{
    const size_t places = lk_cyclic_places(key->s->p->n);
    key->f = lk_take(arena, places * sizeof(uint8_t));
    key->g = lk_take(arena, places * sizeof(uint8_t));
    key->f_product = lk_take(arena, places * sizeof(uint8_t));
    key->x = lk_take(arena, places * sizeof(uint16_t));
    key->x_product = key->before ? lk_take(arena, places * sizeof(uint16_t)) : key->x;
}

/* Whether f or G f have no inverse. A zero x becomes 1. */
static void find_zeros(lk_ntru_keygen *key)
{
    const size_t n = key->s->p->n;
    uint8_t any = 0;
    uint16_t differ = 0;
    for (size_t i = 0; i < n; i++) {
        any |= key->f->c[i];
        differ |= key->x->c[i] ^ key->x->c[n - 1];
    }
    key->f_zero = ~lk_ct_nonzero(any);
    key->x_zero = ~lk_ct_nonzero(differ & 1);
    for (size_t i = 0; i < n; i++) key->x->c[i] &= (uint16_t)~key->x_zero;
    key->x->c[0] |= key->x_zero & 1;
}

/* f, or 1 if it is 0. */
static void evaluate_unit(void *e, const lk_ntru_keygen *key)
{
    lk_trits *f = key->f;
    f->c[0] |= key->f_zero & 1;
    evaluate_mod3(key->s, e, f);
    f->c[0] &= (uint8_t)~key->f_zero;
}

/* f_product = f times that of the key before. */
static void multiply_f(lk_ntru_keygen *key)
{
    const lk_ntru *s = key->s;
    if (!key->before) {
        memcpy(key->f_product, key->f, lk_cyclic_places(s->p->n));
        key->f_product->c[0] |= key->f_zero & 1;
        return;
    }
    evaluate_mod3(s, s->e[0], key->before->f_product);
    evaluate_unit(s->e[1], key);
    product_mod3(s, key->f_product, s->e[0], s->e[1]);
}

static void multiply_x(lk_ntru_keygen *key)
{
    const lk_ntru *s = key->s;
    if (!key->before) return;
    evaluate(s, s->e[0], key->before->x_product);
    evaluate(s, s->e[1], key->x);
    product(s, key->x_product, s->e[0], s->e[1]);
}

/* Section 1.11.1 line 1, section 1.11.2 lines 1 and 2: f, g and x = G f; and the products. */
void lk_ntru_keygen_sample(lk_ntru_keygen *key)
{
    const lk_ntru *s = key->s;
    sample_fg(s, key->f, key->g, key->op.io.seed);
    evaluate_g(s, s->e[0], key->g);
    evaluate_trits(s, s->e[1], key->f);
    product(s, key->x, s->e[0], s->e[1]);
    find_zeros(key);
    multiply_f(key);
    multiply_x(key);
}

/* Section 1.11.1 line 2: f_product = 1/f modulo (3, Phi), from t[0], the inverse of the product, which the last key
 * makes. */
void lk_ntru_keygen_invert_mod3(lk_ntru_keygen *key)
{
    const lk_ntru *s = key->s;
    const size_t places = lk_cyclic_places(s->p->n);
    lk_trits *inverse = s->t[0];
    if (!key->after) s->ternary->invert(inverse, key->f_product, s->p->n, s->scratch);
    if (key->before) {
        evaluate_mod3(s, s->e[0], inverse);
        evaluate_mod3(s, s->e[1], key->before->f_product);
        product_mod3(s, key->f_product, s->e[0], s->e[1]);
        evaluate_unit(s->e[1], key);
        product_mod3(s, inverse, s->e[0], s->e[1]);
    } else {
        memcpy(key->f_product, inverse, places);
    }
    for (size_t j = 0; j < places; j++) key->f_product->c[j] &= (uint8_t)~key->f_zero;
}

/* Section 1.11.2 line 3: x_product = 1/x modulo (q, Phi), likewise from y. */
void lk_ntru_keygen_invert_q(lk_ntru_keygen *key)
{
    const lk_ntru *s = key->s;
    const size_t places = lk_cyclic_places(s->p->n);
    if (!key->after) invert_q(s, key->x_product);
    if (key->before) {
        evaluate(s, s->e[0], s->y);
        evaluate(s, s->e[1], key->before->x_product);
        product(s, key->x_product, s->e[0], s->e[1]);
        evaluate(s, s->e[1], key->x);
        product(s, s->y, s->e[0], s->e[1]);
    } else {
        memcpy(key->x_product, s->y, places * sizeof(uint16_t));
    }
    for (size_t j = 0; j < places; j++) key->x_product->c[j] &= (uint16_t)~key->x_zero;
}

/* Section 1.11.2 lines 4 and 5, section 1.11.1 lines 4 and 5. With v = 1/(G f): h = v G^2 and 1/h = v f^2. h is not
 * reduced modulo Phi: G is a multiple of x - 1, so that h is too, whichever representative v is. */
void lk_ntru_keygen_finish(const lk_ntru_keygen *key)
{
    const lk_ntru *s = key->s;
    uint8_t *dk = key->op.io.dk_out;
    s->ternary->pack(dk, key->f, s->p->n);
    s->ternary->pack(dk + s->p->s3_bytes, key->f_product, s->p->n);
    evaluate_g(s, s->e[1], key->g);
    times_square(s, key->x_product);
    pack_q(s, key->op.io.ek_out, s->x);
    evaluate_trits(s, s->e[1], key->f);
    times_square(s, key->x_product);
    s->cyclic->mod_phi(s->x, s->p->n);
    pack_q(s, dk + 2 * (size_t)s->p->s3_bytes, s->x);
}

/* ---- Encryption (section 1.11.3) and decryption (section 1.11.4) ---- */

/* Section 1.11.3 line 5. */
void lk_ntru_evaluate_public(const lk_ntru *s, void *h, const uint8_t *ek)
{
    unpack_sum_zero(s, s->x, ek);
    evaluate(s, h, s->x);
}

/* Section 1.11.4 lines 1 and 3 to 5. 1/h is the last; the others are modulo 3. */
void lk_ntru_evaluate_secret(const lk_ntru *s, void *factor, const uint8_t *dk, size_t i)
{
    const uint8_t *packed = dk + s->p->s3_bytes * i;
    if (i == LK_NTRU_H_INVERSE) {
        unpack_q(s, s->x, packed);
        evaluate(s, factor, s->x);
    } else {
        s->ternary->unpack(s->t[0], packed, s->p->n);
        if (i == LK_NTRU_F)
            evaluate_trits(s, factor, s->t[0]);
        else
            evaluate_mod3(s, factor, s->t[0]);
    }
}

static void pack_rm(const lk_ntru_op *op)
{
    const lk_ntru *s = op->s;
    s->ternary->pack(op->rm, s->t[0], s->p->n);
    s->ternary->pack(op->rm + s->p->s3_bytes, s->t[1], s->p->n);
}

/* c = r h + Lift(m), r in t[0] and m in t[1]. */
void lk_ntru_encrypt(const lk_ntru_op *op)
{
    const lk_ntru *s = op->s;
    void *h = s->request->prepared ? s->key.h : s->e[1];
    sample_rm(s, s->t[0], s->t[1], op->io.coins);
    pack_rm(op);
    if (!s->request->prepared) lk_ntru_evaluate_public(s, h, op->io.ek);
    evaluate_trits(s, s->e[0], s->t[0]);
    product(s, s->x, s->e[0], h); /* line 6 */
    lift(s, s->y, s->t[1]);       /* line 4 */
    s->cyclic->add(s->x, s->y, s->p->n);
    pack_q(s, op->io.ct_out, s->x); /* line 7 */
}

/* Factor i of the key; if it is not prepared, in e[1]. Uses x and t[0]. */
static const void *factor_of(const lk_ntru_op *op, size_t i)
{
    const lk_ntru *s = op->s;
    if (s->request->prepared) return s->key.factors[i];
    lk_ntru_evaluate_secret(s, s->e[1], op->io.dk, i);
    return s->e[1];
}

/* x = e[0] times factor i of the key; uses e[1] and t[0]. */
static void times_factor(const lk_ntru_op *op, size_t i)
{
    product(op->s, op->s->x, op->s->e[0], factor_of(op, i));
}

/* Lines 6 and 7: m = (c f modulo q) / f modulo 3, into t[1]. */
static void decrypt_m(const lk_ntru_op *op, const lk_cyclic_poly *c)
{
    const lk_ntru *s = op->s;
    evaluate(s, s->e[0], c);
    times_factor(op, LK_NTRU_F);
    s->cyclic->mod3(s->t[1], s->x, s->p->n, s->p->log_q);
    evaluate_mod3(s, s->e[0], s->t[1]);
    product_mod3(s, s->t[1], s->e[0], factor_of(op, LK_NTRU_F_INVERSE));
}

/* Line 9, r into t[0]. Line 11: the three conditions hold if and only if ct is the encryption of (r, m) and the two are in
 * the message space, which makes encrypting again unnecessary. Returns 0 if they do, else 0xFFFFFFFF. */
static uint32_t recover_r(const lk_ntru_op *op)
{
    const lk_ntru *s = op->s;
    uint32_t fail = lk_ct_nonzero(lk_ntru_padding(s->p, op->io.ct));
    if (s->p->kind == LK_NTRU_HPS) fail |= s->ternary->weight_differs(s->t[1], s->p->n, s->p->weight);
    return fail | s->cyclic->to_trits(s->t[0], s->x, s->p->n, s->p->log_q);
}

/* Lines 8 and 9: r = (c - Lift(m)) / h modulo (q, Phi). The conditions are asked for twice, so that no single place decides
 * on them. */
void lk_ntru_decrypt(lk_ntru_op *op)
{
    const lk_ntru *s = op->s;
    const size_t n = s->p->n;
    unpack_sum_zero(s, s->y, op->io.ct); /* line 2 */
    decrypt_m(op, s->y);
    if (s->e[0] == s->y) unpack_sum_zero(s, s->y, op->io.ct);
    lift(s, s->x, s->t[1]);
    s->cyclic->sub(s->y, s->x, n);
    evaluate(s, s->e[0], s->y);
    times_factor(op, LK_NTRU_H_INVERSE);
    s->cyclic->mod_phi(s->x, n);
    op->fail = recover_r(op);
    op->valid = ~recover_r(op);
    pack_rm(op); /* line 10 */
}
