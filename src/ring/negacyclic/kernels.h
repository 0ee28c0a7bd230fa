/* Contract of the kernels of Z_8192[X]/(X^256 + 1): Saber.
 *
 * Polynomials, evaluated polynomials and scratch memory are aligned to alignof(max_align_t), in the library's own
 * workspaces to LK_ALIGN; byte strings have any alignment. A buffer that a kernel writes overlaps nothing else that it
 * is given; buffers that it only reads may overlap. Polynomials and bytes are secret, and no kernel branches on them,
 * indexes with them or divides by or into them. Sizes and counts are public. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_NEGACYCLIC_KERNELS_H
#define LK_RING_NEGACYCLIC_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LK_NEGACYCLIC_N = 256,
    LK_NEGACYCLIC_RANK_MAX = 4,
    LK_NEGACYCLIC_SMALL = 5,            /* bound of a small polynomial's coefficients */
    LK_NEGACYCLIC_D10_MAX = 1023,       /* of unpack_d10 */
    LK_NEGACYCLIC_EVALUATED_MAX = 3456, /* bytes of an evaluated polynomial, at most */
};

/* 256 residues modulo 8192, each in a 16-bit word; its upper three bits never matter. They are in the *order of the
 * backend*, which need not be that of the exponents: values enter through unpack_* and cbd_*, leave through pack_*,
 * round_*, encrypt_* and decrypt_*, and nothing else looks at single places. */
typedef struct {
    uint16_t c[LK_NEGACYCLIC_N];
} lk_negacyclic_poly;

/* Pack_d and Unpack_d below are those of the Saber document: coefficient 0 and least significant bits first. */
typedef struct lk_negacyclic_kernels {
    /* Bytes of an evaluated polynomial, a multiple of LK_ALIGN and at most LK_NEGACYCLIC_EVALUATED_MAX; and of the
     * scratch memory of the kernels that ask for it, which holds secrets afterwards. The content of an evaluated
     * polynomial is the backend's own (values at the points of Toom-Cook, an NTT ...). */
    size_t evaluated_bytes, scratch_bytes;

    /* Bytes of one for the right-hand side, likewise and at most evaluated_bytes. */
    size_t small_bytes;

    /* Evaluates a polynomial for use as the left-hand factors f of inner_product. In: any. */
    void (*evaluate)(void *e, const lk_negacyclic_poly *f, void *scratch);

    /* Evaluates a polynomial for use as the right-hand factors g of inner_product. In: residues of absolute value at
     * most LK_NEGACYCLIC_SMALL. From other residues (they come from a decapsulation key that no key generation made)
     * inner_product computes an unspecified result, in the same time and as safely. */
    void (*evaluate_small)(void *e, const lk_negacyclic_poly *f, void *scratch);

    /* h = f[0] g[0] + ... + f[l-1] g[l-1]. In: l evaluated polynomials each, one after the other; 1 <= l <=
     * LK_NEGACYCLIC_RANK_MAX. */
    void (*inner_product)(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch);

    /* NULL but in the small build: h = h + f g. In: any f, and an evaluated polynomial for the right-hand side. */
    void (*add_product)(lk_negacyclic_poly *h, const lk_negacyclic_poly *f, const void *g);

    /* Pack_13 and Unpack_13. */
    void (*pack_d13)(uint8_t out[416], const lk_negacyclic_poly *f);
    void (*unpack_d13)(lk_negacyclic_poly *f, const uint8_t in[416]);

    /* Unpack_10. Out: 0 <= f <= LK_NEGACYCLIC_D10_MAX. */
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
     * Out: absolute value at most mu/2, and so LK_NEGACYCLIC_SMALL. */
    void (*cbd_mu6)(lk_negacyclic_poly *f, const uint8_t in[192]);
    void (*cbd_mu8)(lk_negacyclic_poly *f, const uint8_t in[256]);
    void (*cbd_mu10)(lk_negacyclic_poly *f, const uint8_t in[320]);
} lk_negacyclic_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_NEGACYCLIC_LIST(X)                                                                                          \
    X(negacyclic, evaluate, "basemul"), X(negacyclic, evaluate_small, "basemul"),                                      \
        X(negacyclic, inner_product, "basemul"), X(negacyclic, add_product, "basemul"),                                \
        X(negacyclic, pack_d13, "compress"), X(negacyclic, unpack_d13, "compress"),                                    \
        X(negacyclic, unpack_d10, "compress"), X(negacyclic, round_d10, "compress"),                                   \
        X(negacyclic, encrypt_d3, "compress"), X(negacyclic, encrypt_d4, "compress"),                                  \
        X(negacyclic, encrypt_d6, "compress"), X(negacyclic, decrypt_d3, "compress"),                                  \
        X(negacyclic, decrypt_d4, "compress"), X(negacyclic, decrypt_d6, "compress"),                                  \
        X(negacyclic, cbd_mu6, "sampling"), X(negacyclic, cbd_mu8, "sampling"), X(negacyclic, cbd_mu10, "sampling")

/* The definition (portable.c). */
extern const lk_negacyclic_kernels lk_negacyclic_portable;

#endif
