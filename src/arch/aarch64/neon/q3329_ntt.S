/* NTT modulo q = 3329 for NEON (FIPS 203 algorithm 9), in the order of arch/aarch64/neon/q3329.h.
 * SPDX-License-Identifier: Apache-2.0 */
/* The order is that of `make schedule-aarch64`; dev/aarch64/q3329_ntt.S is the source. */
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

function lk_q3329_ntt_asm
        push_vector_registers
        sub sp, sp, #256
        ldp q0, q1, [factors], #32
        ldp q2, q3, [factors], #32
        mov from, f
        mov to, sp
        add half, f, #256
        mov count, #2

.Lntt_between_blocks:

        ldr q15, [x3, #352]
        ldr q11, [x3, #288]
        mul v19.8h, v15.8h, v0.h[1]
        sqrdmulh v18.8h, v15.8h, v2.h[1]
        ldr q29, [x3, #96]
        mul v23.8h, v11.8h, v0.h[1]
        mls v19.8h, v18.8h, v0.h[0]
        sqrdmulh v6.8h, v11.8h, v2.h[1]
        ldr q11, [x3, #256]
        sub v27.8h, v29.8h, v19.8h
        ldr q16, [x3, #320]
        ldr q5, [x3, #384]
        ldr q21, [x3, #160]
        mls v23.8h, v6.8h, v0.h[0]
        mul v8.8h, v5.8h, v0.h[1]
        sqrdmulh v9.8h, v5.8h, v2.h[1]
        mul v26.8h, v16.8h, v0.h[1]
        sqrdmulh v14.8h, v16.8h, v2.h[1]
        ldr q28, [x3, #0]
        ldr q30, [x3, #448]
        mul v13.8h, v30.8h, v0.h[1]
        sqrdmulh v10.8h, v30.8h, v2.h[1]
        mls v26.8h, v14.8h, v0.h[0]
        ldr q16, [x3, #192]
        mls v13.8h, v10.8h, v0.h[0]
        ldr q12, [x3, #64]
        mls v8.8h, v9.8h, v0.h[0]
        add v22.8h, v16.8h, v13.8h
        sub v30.8h, v16.8h, v13.8h
        ldr q5, [x3, #480]
        add v18.8h, v12.8h, v26.8h
        sub v26.8h, v12.8h, v26.8h
        ldr q13, [x3, #128]
        mul v31.8h, v11.8h, v0.h[1]
        sqrdmulh v17.8h, v11.8h, v2.h[1]
        add v15.8h, v13.8h, v8.8h
        ldr q4, [x3, #416]
        mul v12.8h, v15.8h, v0.h[2]
        sqrdmulh v11.8h, v15.8h, v2.h[2]
        mul v24.8h, v4.8h, v0.h[1]
        sub v6.8h, v13.8h, v8.8h
        mul v25.8h, v5.8h, v0.h[1]
        ldr q7, [x3, #224]
        sqrdmulh v9.8h, v5.8h, v2.h[1]
        sqrdmulh v14.8h, v22.8h, v2.h[2]
        mls v31.8h, v17.8h, v0.h[0]
        mls v12.8h, v11.8h, v0.h[0]
        mls v25.8h, v9.8h, v0.h[0]
        mul v11.8h, v22.8h, v0.h[2]
        add v15.8h, v28.8h, v31.8h
        sub v8.8h, v28.8h, v31.8h
        sub v31.8h, v7.8h, v25.8h
        sub v20.8h, v15.8h, v12.8h
        add v16.8h, v15.8h, v12.8h
        add v5.8h, v7.8h, v25.8h
        mul v13.8h, v6.8h, v0.h[3]
        sqrdmulh v10.8h, v4.8h, v2.h[1]
        mul v28.8h, v5.8h, v0.h[2]
        ldr q22, [x3, #32]
        mls v11.8h, v14.8h, v0.h[0]
        mls v24.8h, v10.8h, v0.h[0]
        sqrdmulh v17.8h, v5.8h, v2.h[2]
        sqrdmulh v5.8h, v6.8h, v2.h[3]
        add v25.8h, v21.8h, v24.8h
        add v7.8h, v22.8h, v23.8h
        mls v28.8h, v17.8h, v0.h[0]
        add v15.8h, v29.8h, v19.8h
        mls v13.8h, v5.8h, v0.h[0]
        sub v14.8h, v22.8h, v23.8h
        sub v23.8h, v15.8h, v28.8h
        add v19.8h, v15.8h, v28.8h
        sub v28.8h, v8.8h, v13.8h
        add v15.8h, v18.8h, v11.8h
        sub v22.8h, v18.8h, v11.8h
        mul v11.8h, v25.8h, v0.h[2]
        sqrdmulh v5.8h, v25.8h, v2.h[2]
        sqrdmulh v10.8h, v31.8h, v2.h[3]
        sub v25.8h, v21.8h, v24.8h
        add v24.8h, v8.8h, v13.8h
        mls v11.8h, v5.8h, v0.h[0]
        mul v4.8h, v25.8h, v0.h[3]
        mul v8.8h, v30.8h, v0.h[3]
        sqrdmulh v21.8h, v30.8h, v2.h[3]
        sqrdmulh v13.8h, v19.8h, v2.h[4]
        sqrdmulh v17.8h, v23.8h, v2.h[5]
        mul v9.8h, v31.8h, v0.h[3]
        mls v8.8h, v21.8h, v0.h[0]
        add v6.8h, v7.8h, v11.8h
        mul v21.8h, v22.8h, v0.h[5]
        mls v9.8h, v10.8h, v0.h[0]
        add v10.8h, v26.8h, v8.8h
        sub v30.8h, v26.8h, v8.8h
        sqrdmulh v18.8h, v22.8h, v2.h[5]
        mul v8.8h, v10.8h, v0.h[6]
        sqrdmulh v29.8h, v10.8h, v2.h[6]
        sub v31.8h, v27.8h, v9.8h
        mls v21.8h, v18.8h, v0.h[0]
        mul v12.8h, v23.8h, v0.h[5]
        mls v8.8h, v29.8h, v0.h[0]
        mul v19.8h, v19.8h, v0.h[4]
        sub v22.8h, v20.8h, v21.8h
        mls v12.8h, v17.8h, v0.h[0]
        sub v26.8h, v24.8h, v8.8h
        add v24.8h, v24.8h, v8.8h
        sqrdmulh v25.8h, v25.8h, v2.h[3]
        add v8.8h, v27.8h, v9.8h
        mls v19.8h, v13.8h, v0.h[0]
        sqrdmulh v29.8h, v15.8h, v2.h[4]
        mls v4.8h, v25.8h, v0.h[0]
        add v20.8h, v20.8h, v21.8h
        mul v5.8h, v15.8h, v0.h[4]
        add v25.8h, v6.8h, v19.8h
        sub v15.8h, v14.8h, v4.8h
        sub v27.8h, v7.8h, v11.8h
        mls v5.8h, v29.8h, v0.h[0]
        add v17.8h, v14.8h, v4.8h
        sub v19.8h, v6.8h, v19.8h
        sub v23.8h, v27.8h, v12.8h
        sub v18.8h, v16.8h, v5.8h
        add v14.8h, v16.8h, v5.8h
        mul v10.8h, v8.8h, v0.h[6]
        sqrdmulh v9.8h, v8.8h, v2.h[6]
        sqrdmulh v11.8h, v25.8h, v3.h[0]
        mul v16.8h, v25.8h, v1.h[0]
        mul v29.8h, v30.8h, v0.h[7]
        mls v10.8h, v9.8h, v0.h[0]
        sqrdmulh v6.8h, v30.8h, v2.h[7]
        mls v16.8h, v11.8h, v0.h[0]
        add v12.8h, v27.8h, v12.8h
        add v5.8h, v17.8h, v10.8h
        sub v27.8h, v17.8h, v10.8h
        sub v17.8h, v14.8h, v16.8h
        sqrdmulh v11.8h, v5.8h, v3.h[4]
        mul v10.8h, v5.8h, v1.h[4]
        mls v29.8h, v6.8h, v0.h[0]
        mul v13.8h, v19.8h, v1.h[1]
        mul v7.8h, v31.8h, v0.h[7]
        mls v10.8h, v11.8h, v0.h[0]
        sqrdmulh v11.8h, v31.8h, v2.h[7]
        sub v30.8h, v28.8h, v29.8h
        sqrdmulh v6.8h, v19.8h, v3.h[1]
        sub v25.8h, v24.8h, v10.8h
        mls v13.8h, v6.8h, v0.h[0]
        add x3, x0, #16
        mul v6.8h, v12.8h, v1.h[2]
        sqrdmulh v8.8h, v12.8h, v3.h[2]
        add v16.8h, v14.8h, v16.8h
        sub v19.8h, v18.8h, v13.8h
        add v18.8h, v18.8h, v13.8h
        mul v5.8h, v23.8h, v1.h[3]
        sqrdmulh v21.8h, v23.8h, v3.h[3]
        st4 {v16.8h, v17.8h, v18.8h, v19.8h}, [x4], #64
        mls v5.8h, v21.8h, v0.h[0]
        add v9.8h, v28.8h, v29.8h
        mls v7.8h, v11.8h, v0.h[0]
        mls v6.8h, v8.8h, v0.h[0]
        mul v31.8h, v27.8h, v1.h[5]
        sqrdmulh v12.8h, v27.8h, v3.h[5]
        sub v29.8h, v15.8h, v7.8h
        add v19.8h, v20.8h, v6.8h
        sub v20.8h, v20.8h, v6.8h
        mul v28.8h, v29.8h, v1.h[7]
        sqrdmulh v23.8h, v29.8h, v3.h[7]
        add v21.8h, v22.8h, v5.8h
        sub v22.8h, v22.8h, v5.8h
        add v4.8h, v15.8h, v7.8h
        mls v28.8h, v23.8h, v0.h[0]
        mls v31.8h, v12.8h, v0.h[0]
        mul v29.8h, v4.8h, v1.h[6]
        sqrdmulh v8.8h, v4.8h, v3.h[6]
        sub v13.8h, v30.8h, v28.8h
        st4 {v19.8h, v20.8h, v21.8h, v22.8h}, [x4], #64
        mls v29.8h, v8.8h, v0.h[0]
        add v24.8h, v24.8h, v10.8h
        sub v27.8h, v26.8h, v31.8h
        add v26.8h, v26.8h, v31.8h
        sub v11.8h, v9.8h, v29.8h
        add v12.8h, v30.8h, v28.8h
        add v10.8h, v9.8h, v29.8h
        st4 {v24.8h, v25.8h, v26.8h, v27.8h}, [x4], #64
        st4 {v10.8h, v11.8h, v12.8h, v13.8h}, [x4], #64
        mov x4, x2

        subs count, count, #1
        b.ne .Lntt_between_blocks

        mov from, sp
        mov to, f
        mov count, #4

.Lntt_within_blocks:
        ldp q2, q15, [x2, #32]
        ldp q14, q27, [x1, #0]
        ldp q3, q17, [x2, #0]
        mul v18.8h, v2.8h, v14.8h
        sqrdmulh v2.8h, v2.8h, v27.8h
        sqrdmulh v4.8h, v15.8h, v27.8h
        ldp q28, q8, [x3, #32]
        mul v7.8h, v15.8h, v14.8h
        mul v19.8h, v3.8h, v14.8h
        mls v18.8h, v2.8h, v0.h[0]
        sqrdmulh v2.8h, v3.8h, v27.8h
        ldp q25, q31, [x3, #0]
        sqrdmulh v11.8h, v17.8h, v27.8h
        mul v17.8h, v17.8h, v14.8h
        sub v22.8h, v28.8h, v18.8h
        mls v19.8h, v2.8h, v0.h[0]
        ldp q6, q3, [x1, #32]
        add v14.8h, v28.8h, v18.8h
        mls v7.8h, v4.8h, v0.h[0]
        mul v26.8h, v14.8h, v6.8h
        ldp q20, q13, [x1, #64]
        sub v16.8h, v8.8h, v7.8h
        add v24.8h, v25.8h, v19.8h
        sub v1.8h, v25.8h, v19.8h
        mls v17.8h, v11.8h, v0.h[0]
        ldp q28, q2, [x1, #96]
        add v8.8h, v8.8h, v7.8h
        mul v23.8h, v22.8h, v20.8h
        sqrdmulh v30.8h, v22.8h, v13.8h
        add v29.8h, v31.8h, v17.8h
        ldp q18, q4, [x1, #128]
        sqrdmulh v22.8h, v8.8h, v3.8h
        mul v8.8h, v8.8h, v6.8h
        mls v23.8h, v30.8h, v0.h[0]
        sqrdmulh v11.8h, v14.8h, v3.8h
        sub v10.8h, v31.8h, v17.8h
        mls v8.8h, v22.8h, v0.h[0]
        sqrdmulh v9.8h, v16.8h, v13.8h
        ldp q22, q27, [x1, #192]
        mul v21.8h, v16.8h, v20.8h
        add v17.8h, v1.8h, v23.8h
        add v15.8h, v29.8h, v8.8h
        sub v3.8h, v29.8h, v8.8h
        mls v21.8h, v9.8h, v0.h[0]
        sqrdmulh v14.8h, v15.8h, v2.8h
        mul v28.8h, v15.8h, v28.8h
        ldp q15, q29, [x1, #160]
        sqrdmulh v31.8h, v3.8h, v4.8h
        sub v19.8h, v10.8h, v21.8h
        add v7.8h, v10.8h, v21.8h
        mls v26.8h, v11.8h, v0.h[0]
        mul v13.8h, v19.8h, v22.8h
        sqrdmulh v10.8h, v7.8h, v29.8h
        mul v8.8h, v7.8h, v15.8h
        mls v28.8h, v14.8h, v0.h[0]
        add v30.8h, v24.8h, v26.8h
        sub v7.8h, v30.8h, v28.8h
        add x2, x2, #64
        mls v8.8h, v10.8h, v0.h[0]
        add x3, x3, #64
        sqrdmulh v25.8h, v19.8h, v27.8h
        add x1, x1, #224
        sub v19.8h, v24.8h, v26.8h
        mul v12.8h, v3.8h, v18.8h
        add v27.8h, v17.8h, v8.8h
        sub v4.8h, v17.8h, v8.8h
        mls v13.8h, v25.8h, v0.h[0]
        sub v2.8h, v1.8h, v23.8h
        trn1 v26.2d, v27.2d, v4.2d
        mls v12.8h, v31.8h, v0.h[0]
        sub v3.8h, v2.8h, v13.8h
        add v9.8h, v2.8h, v13.8h
        add v20.8h, v30.8h, v28.8h
        add v21.8h, v19.8h, v12.8h
        trn1 v18.2d, v9.2d, v3.2d
        trn2 v8.2d, v9.2d, v3.2d
        sub v31.8h, v19.8h, v12.8h
        trn1 v10.2d, v20.2d, v7.2d
        trn2 v28.2d, v20.2d, v7.2d
        trn1 v14.2d, v21.2d, v31.2d
        trn2 v6.2d, v21.2d, v31.2d
        stp q10, q14, [x4, #0]
        stp q26, q18, [x4, #32]
        trn2 v12.2d, v27.2d, v4.2d
        stp q28, q6, [x4, #64]
        stp q12, q8, [x4, #96]
        add x4, x4, #128

        subs count, count, #1
        b.ne .Lntt_within_blocks

        pop_wiped 256
        pop_vector_registers
        ret
end_function lk_q3329_ntt_asm
