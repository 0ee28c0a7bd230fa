/* Contract of the kernels of Z_q[X]/(X^n - 1), q = 2048, 4096, 8192 (the NTRU document's R), and modulo
 * Phi = 1 + X + ... + X^(n-1) (its S_q): NTRU.
 *
 * Polynomials, evaluated polynomials and scratch memory are aligned to alignof(max_align_t), in the library's own
 * workspaces to LK_ALIGN; byte strings have any alignment. A buffer that a kernel writes overlaps nothing else that it
 * is given; buffers that it only reads may overlap. Polynomials and bytes are secret, and no kernel branches on them,
 * indexes with them or divides by or into them. Sizes and counts are public. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_CYCLIC_KERNELS_H
#define LK_RING_CYCLIC_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "ring/ternary/kernels.h"

enum {
    LK_CYCLIC_BIT_MAX = 1,              /* of polynomials modulo 2 */
    LK_CYCLIC_MOD4_MAX = 3,             /* of polynomials modulo 4 */
    LK_CYCLIC_BITS = 13,                /* of a product, the low bits that are right */
    LK_CYCLIC_EVALUATED_UNIT_MAX = 1024 /* bytes of an evaluated polynomial for each unit, at most */
};

/* n residues, coefficient i at place i, in 16-bit words. The low LK_CYCLIC_BITS matter or, if a kernel says so, the low
 * `bits` ones (11, 12, 13: the logarithm of q); upper bits are arbitrary. The other places of the last unit
 * (lk_cyclic_units) are 0, in and out. */
typedef struct {
    uint16_t c[LK_CYCLIC_PLACES];
} lk_cyclic_poly;

/* n is 509, 677, 701 or 821. */
typedef struct lk_cyclic_kernels {
    /* Bytes for each unit of n, multiples of LK_ALIGN: of an evaluated polynomial, and of the scratch memory of the
     * kernels that ask for it. The content of an evaluated polynomial is the backend's own. It has at least the bytes
     * of an lk_ternary_words, unless the kernels are plain, and at most LK_CYCLIC_EVALUATED_UNIT_MAX. */
    size_t evaluated_unit, scratch_unit;

    /* 0, or in the small build 1: a polynomial is its own evaluated form, and scratch memory is no longer than one. */
    size_t plain;

    /* Evaluates a polynomial for use as a factor. */
    void (*evaluate)(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);

    /* h = f g modulo X^n - 1 from evaluated polynomials. */
    void (*product)(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);

    /* v f = 1 modulo (2, Phi), 0 <= v <= LK_CYCLIC_BIT_MAX, v_(n-1) = 0. In: bit 0 of each word. If f = 0 modulo (2,
     * Phi), v = 0. */
    void (*invert_mod2)(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

    /* NULL, or both of these are there, with which Newton's iteration takes two steps and not three.
     * In place: v f = 1 modulo (4, Phi), from v f = 1 modulo (2, Phi). In: 0 <= v <= LK_CYCLIC_BIT_MAX, bits
     * 0 and 1 of f. Out: 0 <= v <= LK_CYCLIC_MOD4_MAX. */
    void (*lift_inverse)(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

    /* h = the square modulo (4, X^n - 1) of a polynomial; its coefficients are the given bits of those of f.
     * Out: 0 <= h <= LK_CYCLIC_MOD4_MAX. */
    void (*square_of_bits)(lk_cyclic_poly *h, const lk_cyclic_poly *f, size_t n, unsigned bit, void *scratch);

    /* f = scale t with t's coefficients taken as 0, 1, -1. */
    void (*from_trits)(lk_cyclic_poly *f, const lk_trits *t, size_t n, unsigned scale);

    /* t = the coefficients of f, taken in [-2^(bits-1), 2^(bits-1)), modulo 3, then modulo Phi. */
    void (*mod3)(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);

    /* t = the coefficients of f, if all of them are 0, 1 or -1 modulo 2^bits; returns 0 then, else 0xFFFFFFFF and t is
     * some trits. In: f_(n-1) = 0. */
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

    /* The low d bits of coefficients 0 to n - 2, coefficient 0 and least significant bits first, ceil(d (n-1) / 8)
     * bytes (Pack_Rq0, Pack_Sq). Unused bits of the last byte are written as 0 and ignored on reading. Out (unpack): 0
     * <= f < 2^d, f_(n-1) = 0. */
    void (*pack_d11)(uint8_t *out, const lk_cyclic_poly *f, size_t n);
    void (*pack_d12)(uint8_t *out, const lk_cyclic_poly *f, size_t n);
    void (*pack_d13)(uint8_t *out, const lk_cyclic_poly *f, size_t n);
    void (*unpack_d11)(lk_cyclic_poly *f, const uint8_t *in, size_t n);
    void (*unpack_d12)(lk_cyclic_poly *f, const uint8_t *in, size_t n);
    void (*unpack_d13)(lk_cyclic_poly *f, const uint8_t *in, size_t n);

    /* Those of these kernels that are the portable ones' C, compiled again for the backend's machine, and NULL for the
     * others; NULL where there are none. For lists of kernels. */
    const struct lk_cyclic_kernels *recompiled;
} lk_cyclic_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_CYCLIC_LIST(X)                                                                                              \
    X(cyclic, evaluate, "basemul"), X(cyclic, product, "basemul"), X(cyclic, invert_mod2, "inversion"),                \
        X(cyclic, lift_inverse, "inversion"), X(cyclic, square_of_bits, "inversion"),                                  \
        X(cyclic, from_trits, "compress"), X(cyclic, mod3, "reduce"), X(cyclic, to_trits, "compress"),                 \
        X(cyclic, times_x_minus_1, "reduce"), X(cyclic, two_minus, "reduce"), X(cyclic, add, "reduce"),                \
        X(cyclic, sub, "reduce"), X(cyclic, mod_phi, "reduce"), X(cyclic, sum_zero, "reduce"),                         \
        X(cyclic, pack_d11, "compress"), X(cyclic, pack_d12, "compress"), X(cyclic, pack_d13, "compress"),             \
        X(cyclic, unpack_d11, "compress"), X(cyclic, unpack_d12, "compress"), X(cyclic, unpack_d13, "compress")

/* The definition (portable.c). */
extern const lk_cyclic_kernels lk_cyclic_portable;

#endif
