/* NTT modulo q = 3329 for NEON (FIPS 203 algorithm 9), in the order of arch/aarch64/neon/q3329.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

/* void lk_q3329_ntt_asm(int16_t f[256], const lk_q3329_factors *factors)
 *
 * A vector of coefficients is c(i, h): the half h of the block i of 16. The first pass does the layers between blocks, for
 * the first halves, then for the second; storing four blocks with st4 puts the same pair of coefficients of four blocks
 * into one vector, so that the second pass has the layers within blocks between vectors as well. First halves go to the
 * stack, second ones to the upper half of f.
 *
 * |f| <= q grows with the layers to 1.6, 2.2, 2.8, 3.4, 4.1, 4.8, 5.5 q (q3329_constants.h has the bound of a product). */
f       .req x0
factors .req x1
half    .req x2
from    .req x3
to      .req x4
count   .req x5

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

/* The tree of factors, with q at place 0, and its quotients. */
zlow   .req v0
zhigh  .req v1
zlowq  .req v2
zhighq .req v3

/* (a, b) = (a + z b, a - z b) modulo q, z the i-th of the factors. */
.macro butterfly a, b, z, zq, i
        mul t.8h, \b\().8h, \z\().h[\i\()]
        sqrdmulh \b\().8h, \b\().8h, \zq\().h[\i\()]
        mls t.8h, \b\().8h, zlow.h[0]
        sub \b\().8h, \a\().8h, t.8h
        add \a\().8h, \a\().8h, t.8h
.endm

/* The same where each lane has its own factor. */
.macro butterfly_lanes a, b, z, zq
        mul t.8h, \b\().8h, \z\().8h
        sqrdmulh \b\().8h, \b\().8h, \zq\().8h
        mls t.8h, \b\().8h, zlow.h[0]
        sub \b\().8h, \a\().8h, t.8h
        add \a\().8h, \a\().8h, t.8h
.endm

function lk_q3329_ntt_asm
        push_vector_registers
        sub sp, sp, #256
        ldp q0, q1, [factors], #32
        ldp q2, q3, [factors], #32
        mov from, f
        mov to, sp
        add half, f, #256
        mov count, #2

ntt_between_blocks:
        ldr q16, [from, #0]
        ldr q17, [from, #32]
        ldr q18, [from, #64]
        ldr q19, [from, #96]
        ldr q20, [from, #128]
        ldr q21, [from, #160]
        ldr q22, [from, #192]
        ldr q23, [from, #224]
        ldr q24, [from, #256]
        ldr q25, [from, #288]
        ldr q26, [from, #320]
        ldr q27, [from, #352]
        ldr q28, [from, #384]
        ldr q29, [from, #416]
        ldr q30, [from, #448]
        ldr q31, [from, #480]

        butterfly a0, a8, zlow, zlowq, 1
        butterfly a1, a9, zlow, zlowq, 1
        butterfly a2, a10, zlow, zlowq, 1
        butterfly a3, a11, zlow, zlowq, 1
        butterfly a4, a12, zlow, zlowq, 1
        butterfly a5, a13, zlow, zlowq, 1
        butterfly a6, a14, zlow, zlowq, 1
        butterfly a7, a15, zlow, zlowq, 1

        butterfly a0, a4, zlow, zlowq, 2
        butterfly a1, a5, zlow, zlowq, 2
        butterfly a2, a6, zlow, zlowq, 2
        butterfly a3, a7, zlow, zlowq, 2
        butterfly a8, a12, zlow, zlowq, 3
        butterfly a9, a13, zlow, zlowq, 3
        butterfly a10, a14, zlow, zlowq, 3
        butterfly a11, a15, zlow, zlowq, 3

        butterfly a0, a2, zlow, zlowq, 4
        butterfly a1, a3, zlow, zlowq, 4
        butterfly a4, a6, zlow, zlowq, 5
        butterfly a5, a7, zlow, zlowq, 5
        butterfly a8, a10, zlow, zlowq, 6
        butterfly a9, a11, zlow, zlowq, 6
        butterfly a12, a14, zlow, zlowq, 7
        butterfly a13, a15, zlow, zlowq, 7

        butterfly a0, a1, zhigh, zhighq, 0
        butterfly a2, a3, zhigh, zhighq, 1
        butterfly a4, a5, zhigh, zhighq, 2
        butterfly a6, a7, zhigh, zhighq, 3
        butterfly a8, a9, zhigh, zhighq, 4
        butterfly a10, a11, zhigh, zhighq, 5
        butterfly a12, a13, zhigh, zhighq, 6
        butterfly a14, a15, zhigh, zhighq, 7

        st4 {v16.8h, v17.8h, v18.8h, v19.8h}, [to], #64
        st4 {v20.8h, v21.8h, v22.8h, v23.8h}, [to], #64
        st4 {v24.8h, v25.8h, v26.8h, v27.8h}, [to], #64
        st4 {v28.8h, v29.8h, v30.8h, v31.8h}, [to], #64
        add from, f, #16
        mov to, half
        subs count, count, #1
        b.ne ntt_between_blocks

        mov from, sp
        mov to, f
        mov count, #4

/* a<r> is the r-th pair of four blocks: first coefficients in the low half, second ones in the high half. */
ntt_within_blocks:
        ldp q16, q17, [from, #0]
        ldp q18, q19, [from, #32]
        ldp q20, q21, [half, #0]
        ldp q22, q23, [half, #32]
        ldp q4, q5, [factors, #0]
        butterfly_lanes a0, a4, v4, v5
        butterfly_lanes a1, a5, v4, v5
        butterfly_lanes a2, a6, v4, v5
        butterfly_lanes a3, a7, v4, v5
        ldp q4, q5, [factors, #32]
        butterfly_lanes a0, a2, v4, v5
        butterfly_lanes a1, a3, v4, v5
        ldp q6, q7, [factors, #64]
        butterfly_lanes a4, a6, v6, v7
        butterfly_lanes a5, a7, v6, v7
        ldp q4, q5, [factors, #96]
        butterfly_lanes a0, a1, v4, v5
        ldp q6, q7, [factors, #128]
        butterfly_lanes a2, a3, v6, v7
        ldp q4, q5, [factors, #160]
        butterfly_lanes a4, a5, v4, v5
        ldp q6, q7, [factors, #192]
        butterfly_lanes a6, a7, v6, v7
        trn1 v24.2d, v16.2d, v17.2d
        trn1 v25.2d, v18.2d, v19.2d
        trn1 v26.2d, v20.2d, v21.2d
        trn1 v27.2d, v22.2d, v23.2d
        trn2 v28.2d, v16.2d, v17.2d
        trn2 v29.2d, v18.2d, v19.2d
        trn2 v30.2d, v20.2d, v21.2d
        trn2 v31.2d, v22.2d, v23.2d
        stp q24, q25, [to, #0]
        stp q26, q27, [to, #32]
        stp q28, q29, [to, #64]
        stp q30, q31, [to, #96]
        add from, from, #64
        add half, half, #64
        add factors, factors, #224
        add to, to, #128
        subs count, count, #1
        b.ne ntt_within_blocks

        pop_wiped 256
        pop_vector_registers
        ret
end_function lk_q3329_ntt_asm
