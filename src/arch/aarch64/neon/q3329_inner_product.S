/* Inner products of base multiplication modulo q = 3329 for NEON (FIPS 203 algorithms 11 and 12), in the order of q3329.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

/* void lk_q3329_inner_product_k<k>_asm(int16_t sum[256], const int16_t *f, const int16_t *g, const int16_t *cache)
 *
 * sum = R^-1 (f[0] g[0] + ... + f[k - 1] g[k - 1]), a group of 64 coefficients at a time: two vectors of eight pairs, then
 * another two. Sums of products have 32 bits; each eight of them are in two vectors and reduced by Montgomery's method.
 * With |f| < 4096 and |g| < 8q they are below 4 4095 (8q + q), and so |sum| < 3q. Loads come ahead of the products that
 * need them, and what depends on each other apart, for CPUs that execute in order. */
sum   .req x0
f     .req x1
g     .req x2
cache .req x3
count .req x4

/* q and q^-1 modulo 2^16. */
modulus .req v7

/* Of two vectors: the sums of first and of second coefficients; the factors. */
even0_low  .req v16
even0_high .req v17
even1_low  .req v18
even1_high .req v19
odd0_low   .req v20
odd0_high  .req v21
odd1_low   .req v22
odd1_high  .req v23
f_even0 .req v24
f_even1 .req v25
f_odd0  .req v26
f_odd1  .req v27
g_even0 .req v28
g_even1 .req v29
g_odd0  .req v30
g_odd1  .req v31
cache0  .req v0
cache1  .req v1

/* sums += a b for both vectors, or = where op is smull. */
.macro products op, sum0_low, sum0_high, sum1_low, sum1_high, a0, a1, b0, b1
        \op \sum0_low\().4s, \a0\().4h, \b0\().4h
        \op\()2 \sum0_high\().4s, \a0\().8h, \b0\().8h
        \op \sum1_low\().4s, \a1\().4h, \b1\().4h
        \op\()2 \sum1_high\().4s, \a1\().8h, \b1\().8h
.endm

/* The products of the factors number j. f and g point behind the second polynomial, so that all offsets fit. The cache has
 * zeta times the second coefficient; the factor is zeta in the low half of a vector and -zeta in the high half. */
.macro pair op, j, half
        ldp q24, q25, [f, #(512 * \j - 1024 + 32 * \half)]
        ldp q28, q29, [g, #(512 * \j - 1024 + 32 * \half)]
        ldp q30, q31, [g, #(512 * \j - 1024 + 64 + 32 * \half)]
        products \op, even0_low, even0_high, even1_low, even1_high, f_even0, f_even1, g_even0, g_even1
        ldp q26, q27, [f, #(512 * \j - 1024 + 64 + 32 * \half)]
        products \op, odd0_low, odd0_high, odd1_low, odd1_high, f_even0, f_even1, g_odd0, g_odd1
        ldp q0, q1, [cache, #(256 * \j + 32 * \half)]
        products smlal, odd0_low, odd0_high, odd1_low, odd1_high, f_odd0, f_odd1, g_even0, g_even1
        smlal even0_low.4s, f_odd0.4h, cache0.4h
        smlsl2 even0_high.4s, f_odd0.8h, cache0.8h
        smlal even1_low.4s, f_odd1.4h, cache1.4h
        smlsl2 even1_high.4s, f_odd1.8h, cache1.8h
.endm

/* The sums / 2^16 modulo q: what the low halves are times q is taken away, which leaves the high halves. */
.macro finish half
        uzp1 v26.8h, odd0_low.8h, odd0_high.8h
        uzp1 v27.8h, odd1_low.8h, odd1_high.8h
        mul v26.8h, v26.8h, modulus.h[1]
        mul v27.8h, v27.8h, modulus.h[1]
        smlsl odd0_low.4s, v26.4h, modulus.h[0]
        smlsl2 odd0_high.4s, v26.8h, modulus.h[0]
        smlsl odd1_low.4s, v27.4h, modulus.h[0]
        smlsl2 odd1_high.4s, v27.8h, modulus.h[0]
        uzp2 v26.8h, odd0_low.8h, odd0_high.8h
        uzp2 v27.8h, odd1_low.8h, odd1_high.8h
        stp q26, q27, [sum, #(64 + 32 * \half)]
        uzp1 v24.8h, even0_low.8h, even0_high.8h
        uzp1 v25.8h, even1_low.8h, even1_high.8h
        mul v24.8h, v24.8h, modulus.h[1]
        mul v25.8h, v25.8h, modulus.h[1]
        smlsl even0_low.4s, v24.4h, modulus.h[0]
        smlsl2 even0_high.4s, v24.8h, modulus.h[0]
        smlsl even1_low.4s, v25.4h, modulus.h[0]
        smlsl2 even1_high.4s, v25.8h, modulus.h[0]
        uzp2 v24.8h, even0_low.8h, even0_high.8h
        uzp2 v25.8h, even1_low.8h, even1_high.8h
        stp q24, q25, [sum, #(32 * \half)]
.endm

.macro begin
        mov w5, #3329
        movk w5, #62209, lsl #16
        fmov s7, w5
        add f, f, #1024
        add g, g, #1024
        mov count, #4
.endm

.macro next_group
        add f, f, #128
        add g, g, #128
        add cache, cache, #64
        add sum, sum, #128
        subs count, count, #1
.endm

function lk_q3329_inner_product_k1_asm
        begin
1:
        pair smull, 0, 0
        finish 0
        pair smull, 0, 1
        finish 1
        next_group
        b.ne 1b
        ret
end_function lk_q3329_inner_product_k1_asm

function lk_q3329_inner_product_k2_asm
        begin
1:
        pair smull, 0, 0
        pair smlal, 1, 0
        finish 0
        pair smull, 0, 1
        pair smlal, 1, 1
        finish 1
        next_group
        b.ne 1b
        ret
end_function lk_q3329_inner_product_k2_asm

function lk_q3329_inner_product_k3_asm
        begin
1:
        pair smull, 0, 0
        pair smlal, 1, 0
        pair smlal, 2, 0
        finish 0
        pair smull, 0, 1
        pair smlal, 1, 1
        pair smlal, 2, 1
        finish 1
        next_group
        b.ne 1b
        ret
end_function lk_q3329_inner_product_k3_asm

function lk_q3329_inner_product_k4_asm
        begin
1:
        pair smull, 0, 0
        pair smlal, 1, 0
        pair smlal, 2, 0
        pair smlal, 3, 0
        finish 0
        pair smull, 0, 1
        pair smlal, 1, 1
        pair smlal, 2, 1
        pair smlal, 3, 1
        finish 1
        next_group
        b.ne 1b
        ret
end_function lk_q3329_inner_product_k4_asm
