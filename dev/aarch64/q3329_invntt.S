/* Inverse NTT modulo q = 3329 for NEON, times R = 2^16 (FIPS 203 algorithm 10), from the order of
 * arch/aarch64/neon/q3329.h. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

/* void lk_q3329_invntt_asm(int16_t f[256], const lk_q3329_factors *factors)
 *
 * The way of q3329_ntt.S back: the layers within blocks of 16 with pairs of four blocks in each vector, the first four
 * pairs to the lower half of f, the others to the stack; then the layers between blocks.
 *
 * The scaling comes first and makes any input fit: |f| < 0.8q. Differences are products again, sums double. Within blocks
 * only those that were sums in all three layers pass 2.4q; they are reduced from 6.3q to 0.6q. Between blocks sums of the
 * second layer reach 9.3q, below 2^15, and are reduced, which leaves 5.9q at the end. */
f       .req x0
factors .req x1
from    .req x2
to      .req x3
rest    .req x4
count   .req x5
tree    .req x6

a0  .req v16
a1  .req v17
a2  .req v18
a3  .req v19
a4  .req v20
a5  .req v21
a6  .req v22
a7  .req v23
a8  .req v24
a9  .req v25
a10 .req v26
a11 .req v27
a12 .req v28
a13 .req v29
a14 .req v30
a15 .req v31
t   .req v8

/* The tree of factors, with q at place 0, and its quotients, with that of 1 at place 0. */
zlow   .req v0
zhigh  .req v1
zlowq  .req v2
zhighq .req v3

/* R / 128 = 512 and its quotient. */
scale  .req v6
scaleq .req v7

/* a = 512 b modulo q. */
.macro scale_by a, b
        mul \a\().8h, \b\().8h, scale.8h
        sqrdmulh \b\().8h, \b\().8h, scaleq.8h
        mls \a\().8h, \b\().8h, zlow.h[0]
.endm

/* a modulo q: a product with 1. */
.macro reduce a
        sqrdmulh t.8h, \a\().8h, zlowq.h[0]
        mls \a\().8h, t.8h, zlow.h[0]
.endm

/* (a, b) = (a + b, (a - b) z) modulo q, z the i-th of the factors. */
.macro butterfly a, b, z, zq, i
        sub t.8h, \a\().8h, \b\().8h
        add \a\().8h, \a\().8h, \b\().8h
        mul \b\().8h, t.8h, \z\().h[\i\()]
        sqrdmulh t.8h, t.8h, \zq\().h[\i\()]
        mls \b\().8h, t.8h, zlow.h[0]
.endm

/* The same where each lane has its own factor. */
.macro butterfly_lanes a, b, z, zq
        sub t.8h, \a\().8h, \b\().8h
        add \a\().8h, \a\().8h, \b\().8h
        mul \b\().8h, t.8h, \z\().8h
        sqrdmulh t.8h, t.8h, \zq\().8h
        mls \b\().8h, t.8h, zlow.h[0]
.endm

function lk_q3329_invntt_asm
        push_vector_registers
        sub sp, sp, #256
        mov tree, factors
        ldr q0, [tree, #0]
        ldr q2, [tree, #32]
        add factors, factors, #64
        movi v6.8h, #2, lsl #8
        mov w5, #5040
        dup v7.8h, w5
        mov from, f
        mov to, f
        mov rest, sp
        mov count, #4

/* From here on a<r> is the r-th pair of four blocks: first coefficients in the low half, second ones in the high half. */
invntt_within_blocks:
        ldp q24, q25, [from, #0]
        ldp q26, q27, [from, #32]
        ldp q28, q29, [from, #64]
        ldp q30, q31, [from, #96]
        scale_by a0, a8
        scale_by a1, a9
        scale_by a2, a10
        scale_by a3, a11
        scale_by a4, a12
        scale_by a5, a13
        scale_by a6, a14
        scale_by a7, a15
        trn1 v24.2d, v16.2d, v20.2d
        trn2 v25.2d, v16.2d, v20.2d
        trn1 v26.2d, v17.2d, v21.2d
        trn2 v27.2d, v17.2d, v21.2d
        trn1 v28.2d, v18.2d, v22.2d
        trn2 v29.2d, v18.2d, v22.2d
        trn1 v30.2d, v19.2d, v23.2d
        trn2 v31.2d, v19.2d, v23.2d
        ldp q4, q5, [factors, #96]
        butterfly_lanes a8, a9, v4, v5
        ldp q9, q10, [factors, #128]
        butterfly_lanes a10, a11, v9, v10
        ldp q4, q5, [factors, #160]
        butterfly_lanes a12, a13, v4, v5
        ldp q9, q10, [factors, #192]
        butterfly_lanes a14, a15, v9, v10
        ldp q4, q5, [factors, #32]
        butterfly_lanes a8, a10, v4, v5
        butterfly_lanes a9, a11, v4, v5
        ldp q9, q10, [factors, #64]
        butterfly_lanes a12, a14, v9, v10
        butterfly_lanes a13, a15, v9, v10
        ldp q4, q5, [factors, #0]
        butterfly_lanes a8, a12, v4, v5
        butterfly_lanes a9, a13, v4, v5
        butterfly_lanes a10, a14, v4, v5
        butterfly_lanes a11, a15, v4, v5
        reduce a8
        stp q24, q25, [to, #0]
        stp q26, q27, [to, #32]
        stp q28, q29, [rest, #0]
        stp q30, q31, [rest, #32]
        add from, from, #128
        add to, to, #64
        add rest, rest, #64
        add factors, factors, #224
        subs count, count, #1
        b.ne invntt_within_blocks

        mov from, f
        mov to, f
        mov rest, sp
        ldr q1, [tree, #16]
        ldr q3, [tree, #48]
        mov count, #2

invntt_between_blocks:
        ld4 {v16.8h, v17.8h, v18.8h, v19.8h}, [from], #64
        ld4 {v20.8h, v21.8h, v22.8h, v23.8h}, [from], #64
        ld4 {v24.8h, v25.8h, v26.8h, v27.8h}, [from], #64
        ld4 {v28.8h, v29.8h, v30.8h, v31.8h}, [from], #64

        butterfly a0, a1, zhigh, zhighq, 0
        butterfly a2, a3, zhigh, zhighq, 1
        butterfly a4, a5, zhigh, zhighq, 2
        butterfly a6, a7, zhigh, zhighq, 3
        butterfly a8, a9, zhigh, zhighq, 4
        butterfly a10, a11, zhigh, zhighq, 5
        butterfly a12, a13, zhigh, zhighq, 6
        butterfly a14, a15, zhigh, zhighq, 7

        butterfly a0, a2, zlow, zlowq, 4
        butterfly a1, a3, zlow, zlowq, 4
        butterfly a4, a6, zlow, zlowq, 5
        butterfly a5, a7, zlow, zlowq, 5
        butterfly a8, a10, zlow, zlowq, 6
        butterfly a9, a11, zlow, zlowq, 6
        butterfly a12, a14, zlow, zlowq, 7
        butterfly a13, a15, zlow, zlowq, 7

        reduce a0
        reduce a4
        reduce a8
        reduce a12

        butterfly a0, a4, zlow, zlowq, 2
        butterfly a1, a5, zlow, zlowq, 2
        butterfly a2, a6, zlow, zlowq, 2
        butterfly a3, a7, zlow, zlowq, 2
        butterfly a8, a12, zlow, zlowq, 3
        butterfly a9, a13, zlow, zlowq, 3
        butterfly a10, a14, zlow, zlowq, 3
        butterfly a11, a15, zlow, zlowq, 3

        butterfly a0, a8, zlow, zlowq, 1
        butterfly a1, a9, zlow, zlowq, 1
        butterfly a2, a10, zlow, zlowq, 1
        butterfly a3, a11, zlow, zlowq, 1
        butterfly a4, a12, zlow, zlowq, 1
        butterfly a5, a13, zlow, zlowq, 1
        butterfly a6, a14, zlow, zlowq, 1
        butterfly a7, a15, zlow, zlowq, 1

        str q16, [to, #0]
        str q17, [to, #32]
        str q18, [to, #64]
        str q19, [to, #96]
        str q20, [to, #128]
        str q21, [to, #160]
        str q22, [to, #192]
        str q23, [to, #224]
        str q24, [to, #256]
        str q25, [to, #288]
        str q26, [to, #320]
        str q27, [to, #352]
        str q28, [to, #384]
        str q29, [to, #416]
        str q30, [to, #448]
        str q31, [to, #480]
        add to, f, #16
        mov from, rest
        subs count, count, #1
        b.ne invntt_between_blocks

        pop_wiped 256
        pop_vector_registers
        ret
end_function lk_q3329_invntt_asm
