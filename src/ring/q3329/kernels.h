/* Contract of the kernels of Z_q[X]/(X^256 + 1), q = 3329: ML-KEM, Kyber.
 *
 * A polynomial is 256 signed 16-bit coefficients. Normal domain: coefficient i belongs to X^i. NTT domain: the 256
 * values of FIPS 203 section 4.3 in the *order of the backend*, which need not be the standard's: values enter in the
 * standard's order through decode_d12 and ntt_order and leave through encode_d12, and nothing else looks at single
 * places. Values are congruent modulo q to those of the standard, within the stated bounds; "canonical" means
 * at least 0 and at most LK_Q3329_CANONICAL_MAX.
 *
 * Polynomials are aligned to alignof(max_align_t), in the library's own workspaces to LK_ALIGN; byte strings have any
 * alignment. A buffer that a kernel writes overlaps nothing else that it is given; buffers that it only reads may
 * overlap. Polynomials and bytes are secret, and no kernel branches on them, indexes with them or divides by or into
 * them, except if the name ends in _vartime: their input is public. Sizes and counts are public.
 *
 * "any" below means every value of int16_t. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_Q3329_KERNELS_H
#define LK_RING_Q3329_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/sink.h"

enum {
    LK_Q3329 = 3329,
    LK_Q3329_N = 256,
    LK_Q3329_RANK_MAX = 4,
    LK_Q3329_POLY_BYTES = 384 /* encoded with d = 12 */
};

/* The bounds of the contracts: the largest absolute values, or, in ..._MAX, the largest of values that are not
 * negative. */
enum {
    LK_Q3329_CANONICAL_MAX = LK_Q3329 - 1,
    LK_Q3329_DECODED_MAX = 4095,
    LK_Q3329_NTT_IN = LK_Q3329,
    LK_Q3329_NTT_OUT = 8 * LK_Q3329 - 1,
    LK_Q3329_INVNTT_OUT = 8 * LK_Q3329 - 1,
    LK_Q3329_PRODUCT_OUT = 8 * LK_Q3329 - 1,
    LK_Q3329_MAC_OUT = 4993 /* 3 q / 2 */,
    LK_Q3329_TOMONT_OUT = LK_Q3329 - 1
};

typedef struct {
    int16_t c[LK_Q3329_N];
} lk_poly;

/* The part of base multiplication that needs the right-hand factor alone: for each pair of values (g0, g1) the
 * product g1 * gamma, so that a factor used k times pays for it once. The content is the backend's own. */
typedef struct {
    int16_t c[LK_Q3329_N / 2];
} lk_mulcache;

typedef struct lk_q3329_kernels {
    /* NTT (FIPS 203 algorithm 9), in place. In: normal domain, |f| <= LK_Q3329_NTT_IN. Out: NTT
     * domain, |f| <= LK_Q3329_NTT_OUT. */
    void (*ntt)(lk_poly *f);

    /* Inverse NTT (algorithm 10) times R = 2^16 modulo q, in place; the factor cancels that of inner_product. In: NTT
     * domain, any. Out: normal domain, |f| <= LK_Q3329_INVNTT_OUT. */
    void (*invntt_tomont)(lk_poly *f);

    /* Fills the cache of g. In: NTT domain, |g| <= LK_Q3329_NTT_OUT. */
    void (*mulcache)(lk_mulcache *cache, const lk_poly *g);

    /* h = R^-1 * (f[0] g[0] + ... + f[k-1] g[k-1]) in the NTT domain (algorithm 11, summed before reduction).
     * In: 0 <= f <= LK_Q3329_DECODED_MAX, |g| <= LK_Q3329_NTT_OUT, 1 <= k <= LK_Q3329_RANK_MAX, each cache of any
     * polynomial congruent to its g. Out: |h| <= LK_Q3329_PRODUCT_OUT. */
    void (*inner_product)(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k);

    /* f = R * f modulo q, in place, either domain: takes back the R^-1 of inner_product. In: any.
     * Out: |f| <= LK_Q3329_TOMONT_OUT. */
    void (*tomont)(lk_poly *f);

    /* f += g, either domain. The sums must fit int16_t. */
    void (*add)(lk_poly *f, const lk_poly *g);

    /* f = g - f, either domain. The differences must fit int16_t. */
    void (*sub_from)(lk_poly *f, const lk_poly *g);

    /* Makes f canonical, in place, either domain. In: any. */
    void (*reduce)(lk_poly *f);

    /* ByteEncode_12 of an NTT-domain polynomial (algorithm 5). In: canonical. */
    void (*encode_d12)(uint8_t out[384], const lk_poly *f);

    /* ByteDecode_12 to the NTT domain (algorithm 6) without its reduction: 0 <= f <= LK_Q3329_DECODED_MAX. Returns 0 if
     * every value is below q (the modulus check of section 7.2), else non-zero; in constant time, because the bytes may
     * be secret. */
    uint32_t (*decode_d12)(lk_poly *f, const uint8_t in[384]);

    /* ByteEncode_d(Compress_d(f)) (section 4.2.1), normal domain, 32 d bytes. In: canonical. In the small build out may be
     * the first bytes of f: values are read before bytes take their place. These, those below and cbd_eta3 are NULL where
     * no set of the build needs them. */
    void (*compress_d1)(uint8_t out[32], const lk_poly *f);
    void (*compress_d4)(uint8_t out[128], const lk_poly *f);
    void (*compress_d5)(uint8_t out[160], const lk_poly *f);
    void (*compress_d10)(uint8_t out[320], const lk_poly *f);
    void (*compress_d11)(uint8_t out[352], const lk_poly *f);

    /* Decompress_d(ByteDecode_d(in)), normal domain. Out: canonical. */
    void (*decompress_d1)(lk_poly *f, const uint8_t in[32]);
    void (*decompress_d4)(lk_poly *f, const uint8_t in[128]);
    void (*decompress_d5)(lk_poly *f, const uint8_t in[160]);
    void (*decompress_d10)(lk_poly *f, const uint8_t in[320]);
    void (*decompress_d11)(lk_poly *f, const uint8_t in[352]);

    /* SamplePolyCBD_eta (algorithm 8) from 64 eta bytes, normal domain. Out: |f| <= eta. In the small build the bytes may
     * be the last ones of f. */
    void (*cbd_eta2)(lk_poly *f, const uint8_t in[128]);
    void (*cbd_eta3)(lk_poly *f, const uint8_t in[192]);

    /* SampleNTT (algorithm 7) on the next len bytes of the stream, len a multiple of 3: appends accepted values to the
     * have values that f holds in the standard's order, have < 256, and returns the new count, at most 256; all after
     * the 256th are dropped. Out: canonical; places from the returned count on are unspecified. */
    size_t (*rej_uniform_vartime)(lk_poly *f, size_t have, const uint8_t *in, size_t len);

    /* The same on one block of rate bytes, a multiple of 3, of several streams at once, straight from interleaved
     * Keccak states: the lanes of an lk_sink. For each lane l in mask, streams[l]->out is f, streams[l]->have the
     * number of values; returns the lanes that have 256. NULL where the backend samples from bytes. */
    uint32_t (*rej_uniform_lanes_vartime)(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                          size_t lanes, size_t rate);

    /* Brings an NTT-domain polynomial from the standard's order into the backend's, in place: a permutation. In: any.
     * NULL where the two are the same. */
    void (*ntt_order)(lk_poly *f);

    /* Those below are the small build's, which stores neither A nor decoded vectors; NULL in others. In their place
     * mulcache, inner_product and rej_uniform_vartime are NULL there. They add to h what another kernel makes, or its
     * product by inner_product with a single g: each value of a sum grows by LK_Q3329_MAC_OUT at most. In: |g| <= LK_Q3329_NTT_OUT, sums that fit int16_t.
     *
     * decode_d12_mac decodes its left factor as decode_d12 does, and returns what that returns. */
    uint32_t (*decode_d12_mac)(lk_poly *h, const uint8_t in[384], const lk_poly *g);

    /* rej_uniform_mac_vartime samples it as rej_uniform_vartime does. h and g are secret; only the stream is public.
     * Values enter a product in pairs. If an odd number of them came, the last one waits for its pair: the count that is
     * returned, and comes back as `have`, has it times 2^16 in addition. */
    size_t (*rej_uniform_mac_vartime)(lk_poly *h, const lk_poly *g, size_t have, const uint8_t *in, size_t len);

    /* h += SamplePolyCBD_2(in), normal domain. */
    void (*cbd_eta2_add)(lk_poly *h, const uint8_t in[128]);
} lk_q3329_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_Q3329_LIST(X)                                                                                               \
    X(q3329, ntt, "ntt"), X(q3329, invntt_tomont, "invntt"), X(q3329, mulcache, "basemul"),                            \
        X(q3329, inner_product, "basemul"), X(q3329, tomont, "reduce"), X(q3329, add, "reduce"),                       \
        X(q3329, sub_from, "reduce"), X(q3329, reduce, "reduce"), X(q3329, encode_d12, "compress"),                    \
        X(q3329, decode_d12, "compress"), X(q3329, compress_d1, "compress"), X(q3329, compress_d4, "compress"),        \
        X(q3329, compress_d5, "compress"), X(q3329, compress_d10, "compress"), X(q3329, compress_d11, "compress"),     \
        X(q3329, decompress_d1, "compress"), X(q3329, decompress_d4, "compress"), X(q3329, decompress_d5, "compress"), \
        X(q3329, decompress_d10, "compress"), X(q3329, decompress_d11, "compress"), X(q3329, cbd_eta2, "sampling"),    \
        X(q3329, cbd_eta3, "sampling"), X(q3329, rej_uniform_vartime, "sampling"),                                     \
        X(q3329, rej_uniform_lanes_vartime, "sampling"), X(q3329, ntt_order, "ntt"),                                   \
        X(q3329, decode_d12_mac, "basemul"), X(q3329, rej_uniform_mac_vartime, "sampling"),                            \
        X(q3329, cbd_eta2_add, "sampling")

/* The definition (portable.c). */
extern const lk_q3329_kernels lk_q3329_portable;

#endif
