/* Contracts of the kernels modulo powers of 2: "negacyclic" for the ring of Saber, Z_8192[X]/(X^256 + 1), and "cyclic" for
 * those of NTRU, Z_q[X]/(X^n - 1) (the document's R) and modulo Phi = 1 + X + ... + X^(n-1) (its S_q), q = 2048, 4096,
 * 8192.
 *
 * Polynomials, evaluated polynomials and scratch memory are aligned to alignof(max_align_t), in the library's own
 * workspaces to LK_ALIGN; byte strings have any alignment. Pointers do not alias unless stated. Polynomials and bytes
 * are secret, and no kernel branches on them, indexes with them or divides by or into them. Sizes and counts are public.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_POW2_KERNELS_H
#define LK_RING_POW2_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "ring/ternary/kernels.h"

enum {
    LK_NEGACYCLIC_N = 256,
    LK_NEGACYCLIC_RANK_MAX = 4,
    LK_NEGACYCLIC_SMALL = 5,            /* bound of a small polynomial's coefficients */
    LK_NEGACYCLIC_EVALUATED_MAX = 3456, /* bytes of an evaluated polynomial, at most */
};

/* 256 residues modulo 8192, each in a 16-bit word whose upper three bits never matter, in the *order of the backend*,
 * which need not be that of the exponents: values enter through unpack_* and cbd_*, leave through pack_*, round_*,
 * encrypt_* and decrypt_*, and nothing else looks at single places. */
typedef struct {
    uint16_t c[LK_NEGACYCLIC_N];
} lk_negacyclic_poly;

/* Pack_d and Unpack_d below are those of the Saber document: coefficient 0 and least significant bits first. */
typedef struct lk_negacyclic_kernels {
    /* Bytes of an evaluated polynomial, whose content is the backend's own (values at the points of Toom-Cook, an NTT
     * ...), a multiple of LK_ALIGN and at most LK_NEGACYCLIC_EVALUATED_MAX; and of the scratch memory of the kernels
     * that ask for it, which holds secrets afterwards. */
    size_t evaluated_bytes, scratch_bytes;

    /* Evaluates a polynomial for use as the left-hand factors f of inner_product. In: any. */
    void (*evaluate)(void *e, const lk_negacyclic_poly *f, void *scratch);

    /* Evaluates a polynomial for use as the right-hand factors g of inner_product. In: residues of absolute value at most
     * LK_NEGACYCLIC_SMALL. From other residues (they come from a decapsulation key that no key generation made)
     * inner_product computes an unspecified result, in the same time and as safely. */
    void (*evaluate_small)(void *e, const lk_negacyclic_poly *f, void *scratch);

    /* h = f[0] g[0] + ... + f[l-1] g[l-1]. In: l evaluated polynomials each, one after the other; 1 <= l <= 4. */
    void (*inner_product)(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch);

    /* Pack_13 and Unpack_13. */
    void (*pack_d13)(uint8_t out[416], const lk_negacyclic_poly *f);
    void (*unpack_d13)(lk_negacyclic_poly *f, const uint8_t in[416]);

    /* Unpack_10. Out: 0 <= f < 1024. */
    void (*unpack_d10)(lk_negacyclic_poly *f, const uint8_t in[320]);

    /* Pack_10((f + 4 mod 8192) >> 3): rounds to 10 bits. */
    void (*round_d10)(uint8_t out[320], const lk_negacyclic_poly *f);

    /* Pack_d((v - 512 m + 4 mod 1024) >> (10 - d)), where bit t of m is the message's coefficient t. */
    void (*encrypt_d3)(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32]);
    void (*encrypt_d4)(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32]);
    void (*encrypt_d6)(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32]);

    /* m = Pack_1((v + h2 - 2^(10-d) Unpack_d(in) mod 1024) >> 9) with h2 = 2^8 - 2^(9-d) + 4. */
    void (*decrypt_d3)(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96]);
    void (*decrypt_d4)(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128]);
    void (*decrypt_d6)(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192]);

    /* Centred binomial samples: of each mu bits the number of ones in the lower half less that in the upper half.
     * Out: absolute value at most mu/2. */
    void (*cbd_mu6)(lk_negacyclic_poly *f, const uint8_t in[192]);
    void (*cbd_mu8)(lk_negacyclic_poly *f, const uint8_t in[256]);
    void (*cbd_mu10)(lk_negacyclic_poly *f, const uint8_t in[320]);
} lk_negacyclic_kernels;

enum {
    LK_CYCLIC_BITS = 13,                /* of a product, the low bits that are right */
    LK_CYCLIC_EVALUATED_UNIT_MAX = 1024 /* bytes of an evaluated polynomial for each unit, at most */
};

/* n residues, coefficient i at place i, in 16-bit words of which the low LK_CYCLIC_BITS or, where a kernel says so, the low
 * `bits` ones matter (11, 12, 13: the logarithm of q); upper bits are arbitrary. The other places of the last unit
 * (lk_cyclic_units) are 0, in and out. */
typedef struct {
    uint16_t c[LK_CYCLIC_PLACES];
} lk_cyclic_poly;

/* n is 509, 677, 701 or 821. */
typedef struct lk_cyclic_kernels {
    /* Bytes for each unit of n, multiples of LK_ALIGN: of an evaluated polynomial, whose content is the backend's own, at
     * least those of an lk_ternary_words and at most LK_CYCLIC_EVALUATED_UNIT_MAX; and of the scratch memory of the kernels
     * that ask for it. */
    size_t evaluated_unit, scratch_unit;

    /* Evaluates a polynomial for use as a factor. */
    void (*evaluate)(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);

    /* h = f g modulo X^n - 1 from evaluated polynomials. */
    void (*product)(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);

    /* v f = 1 modulo (2, Phi), v in {0, 1}, v_(n-1) = 0. In: bit 0 of each word. Where f = 0 modulo (2, Phi), v = 0.
     */
    void (*invert_mod2)(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

    /* NULL, or both of these are there, with which Newton's iteration takes two steps and not three.
     * In place: v f = 1 modulo (4, Phi), from v f = 1 modulo (2, Phi). In: v in {0, 1}, bits 0 and 1 of f. */
    void (*lift_inverse)(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

    /* h = the square modulo (4, X^n - 1) of the polynomial whose coefficients are the given bits of those of f.
     * Out: 0 <= h < 4. */
    void (*square_of_bits)(lk_cyclic_poly *h, const lk_cyclic_poly *f, size_t n, unsigned bit, void *scratch);

    /* f = scale t with t's coefficients taken as 0, 1, -1. */
    void (*from_trits)(lk_cyclic_poly *f, const lk_trits *t, size_t n, unsigned scale);

    /* t = the coefficients of f, taken in [-2^(bits-1), 2^(bits-1)), modulo 3, then modulo Phi. */
    void (*mod3)(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);

    /* t = the coefficients of f, if all of them are 0, 1 or -1 modulo 2^bits; returns 0 then, else 0xFFFFFFFF and t is some
     * trits. In: f_(n-1) = 0. */
    uint32_t (*to_trits)(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);

    /* In place: f = (X - 1) f modulo X^n - 1. */
    void (*times_x_minus_1)(lk_cyclic_poly *f, size_t n);

    /* In place: f = 2 - f. */
    void (*two_minus)(lk_cyclic_poly *f, size_t n);

    /* In place: f = f + g, f = f - g. */
    void (*add)(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
    void (*sub)(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);

    /* In place: f modulo Phi, with f_(n-1) = 0. */
    void (*mod_phi)(lk_cyclic_poly *f, size_t n);

    /* In place: f_(n-1) = -(f_0 + ... + f_(n-2)), which makes f a multiple of X - 1. */
    void (*sum_zero)(lk_cyclic_poly *f, size_t n);

    /* The low d bits of coefficients 0 to n - 2, coefficient 0 and least significant bits first, ceil(d (n-1) / 8) bytes
     * (Pack_Rq0, Pack_Sq). Unused bits of the last byte are written as 0 and ignored on reading.
     * Out (unpack): 0 <= f < 2^d, f_(n-1) = 0. */
    void (*pack_d11)(uint8_t *out, const lk_cyclic_poly *f, size_t n);
    void (*pack_d12)(uint8_t *out, const lk_cyclic_poly *f, size_t n);
    void (*pack_d13)(uint8_t *out, const lk_cyclic_poly *f, size_t n);
    void (*unpack_d11)(lk_cyclic_poly *f, const uint8_t *in, size_t n);
    void (*unpack_d12)(lk_cyclic_poly *f, const uint8_t *in, size_t n);
    void (*unpack_d13)(lk_cyclic_poly *f, const uint8_t *in, size_t n);
} lk_cyclic_kernels;

#endif
