/* Contract of the kernels of NTRU's small polynomials: coefficients modulo 3, modulo Phi = 1 + X + ... + X^(n-1) where
 * stated (the document's S_3), and the sampling of them.
 *
 * n is a prime of a parameter set, LK_CYCLIC_N_MAX at most, except that sort takes any count up to that. Structures and
 * scratch memory are aligned to LK_ALIGN in the library's own workspaces and to alignof(max_align_t) elsewhere; byte
 * strings have any alignment. A buffer that a kernel writes overlaps nothing else that it is given; buffers that it
 * only reads may overlap. Everything is secret but n, w and counts: no kernel branches on the rest, indexes with it or
 * divides by or into it. Scratch memory holds secrets afterwards. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_KERNELS_H
#define LK_RING_TERNARY_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LK_CYCLIC_N_MAX = 821,
    LK_CYCLIC_UNIT = 64,    /* polynomials are padded to a multiple of this many places */
    LK_CYCLIC_PLACES = 832, /* the largest padded size */
    LK_TRIT_MAX = 2,
    LK_TERNARY_WORD_MAX = INT32_MAX - 1 /* of the words for sort */
};

/* lk_cyclic_units returns the number of units of a padded polynomial: 8, 11, 11, 13 for n = 509, 677, 701, 821. */
static inline size_t lk_cyclic_units(size_t n)
{
    return (n + LK_CYCLIC_UNIT - 1) / LK_CYCLIC_UNIT;
}

/* lk_cyclic_places returns the number of places of a padded polynomial. */
static inline size_t lk_cyclic_places(size_t n)
{
    return LK_CYCLIC_UNIT * lk_cyclic_units(n);
}

/* lk_fifth returns x / 5, for bytes of five packed coefficients. In: x < 2^14. Such lengths are public; the operator
 * would be a division in code made small, and the check for divisions cannot distinguish it from others (tests/ct). */
static inline size_t lk_fifth(size_t x)
{
    return x * 13108 >> 16;
}

/* n coefficients at most LK_TRIT_MAX: 0, 1 or 2, which means -1; coefficient i at place i. The other places of the
 * last unit are 0, in and out. */
typedef struct {
    uint8_t c[LK_CYCLIC_PLACES];
} lk_trits;

/* Signed words for sort; a whole number of units is readable and writable. */
typedef struct {
    int32_t c[LK_CYCLIC_PLACES];
} lk_ternary_words;

typedef struct lk_ternary_kernels {
    /* Bytes of the scratch memory of the kernels that ask for it, for each unit of n; a multiple of LK_ALIGN. */
    size_t scratch_unit;

    /* Sample_iid (NTRU round 3): t_i = in_i mod 3 for i < n - 1, t_(n-1) = 0. */
    void (*sample_iid)(lk_trits *t, const uint8_t *in, size_t n);

    /* The second half of Sample_iid_plus: negates the coefficients of even index if the sum of t_i t_(i+1) is negative.
     * In: t_(n-1) = 0. */
    void (*make_nonnegative)(lk_trits *t, size_t n);

    /* The words that Sample_fixed_type sorts: a_i = 4 (bits 30i to 30i+29 of in), plus 1 for i < w/2, plus 2 for
     * w/2 <= i < w, for i < n - 1. in has ceil(30 (n-1) / 8) bytes. */
    void (*fixed_type_words)(lk_ternary_words *a, const uint8_t *in, size_t n, size_t w);

    /* Sorts a_0 to a_(count-1) ascending as signed numbers, at most LK_TERNARY_WORD_MAX; 1 <= count <= LK_CYCLIC_N_MAX.
     * The rest of the last unit is overwritten. */
    void (*sort)(lk_ternary_words *a, size_t count, void *scratch);

    /* The end of Sample_fixed_type: t_i = a_i mod 4 for i < n - 1, t_(n-1) = 0. In: a_i mod 4 is not 3. */
    void (*words_to_trits)(lk_trits *t, const lk_ternary_words *a, size_t n);

    /* Returns 0 if exactly w/2 of the coefficients are 1 and w/2 are 2, else 0xFFFFFFFF. */
    uint32_t (*weight_differs)(const lk_trits *t, size_t n, size_t w);

    /* Pack_S3 and Unpack_S3: n - 1 coefficients, five a byte in base 3, ceil((n-1) / 5) bytes. Bytes from 243 on are
     * read as less 243; t_(n-1) = 0. In (pack): t_(n-1) = 0. */
    void (*pack)(uint8_t *out, const lk_trits *t, size_t n);
    void (*unpack)(lk_trits *t, const uint8_t *in, size_t n);

    /* The quotient of Lift for HRSS: the b of degree below n - 1 with (X - 1) b = t modulo (3, Phi).
     * In: n mod 3 = 2, t_(n-1) = 0. */
    void (*lift_quotient)(lk_trits *b, const lk_trits *t, size_t n);

    /* NULL, or: h = f g modulo (3, Phi), h_(n-1) = 0. Without it the scheme multiplies modulo q, where the sums are
     * exact. */
    void (*multiply)(lk_trits *h, const lk_trits *f, const lk_trits *g, size_t n, void *scratch);

    /* S3_inverse: v t = 1 modulo (3, Phi), v_(n-1) = 0. If t = 0 modulo (3, Phi), v = 0. */
    void (*invert)(lk_trits *v, const lk_trits *t, size_t n, void *scratch);

    /* Those of these kernels that are the portable ones' C, compiled again for the backend's machine, and NULL for the
     * others; NULL where there are none. For lists of kernels. */
    const struct lk_ternary_kernels *recompiled;
} lk_ternary_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_TERNARY_LIST(X)                                                                                             \
    X(ternary, sample_iid, "sampling"), X(ternary, make_nonnegative, "sampling"),                                      \
        X(ternary, fixed_type_words, "sampling"), X(ternary, sort, "sampling"),                                        \
        X(ternary, words_to_trits, "sampling"), X(ternary, weight_differs, "sampling"), X(ternary, pack, "compress"),  \
        X(ternary, unpack, "compress"), X(ternary, lift_quotient, "reduce"), X(ternary, multiply, "basemul"),          \
        X(ternary, invert, "inversion")

/* The definition (portable.c). */
extern const lk_ternary_kernels lk_ternary_portable;

#endif
