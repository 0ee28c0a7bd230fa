/* Inverse NTT modulo q = 3329 for NEON, times R = 2^16 (FIPS 203 algorithm 10), from the order of
 * arch/aarch64/neon/q3329.h. SPDX-License-Identifier: Apache-2.0 */
/* The order is that of `make schedule-aarch64`; dev/aarch64/q3329_invntt.S is the source. */
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

.Linvntt_within_blocks:
        ldp q9, q23, [x2, #96]
        ldp q8, q17, [x2, #64]
        sqrdmulh v11.8h, v23.8h, v7.8h
        mul v22.8h, v9.8h, v6.8h
        sqrdmulh v13.8h, v9.8h, v7.8h
        ldp q19, q29, [x2, #0]
        mul v23.8h, v23.8h, v6.8h
        mul v20.8h, v8.8h, v6.8h
        mul v21.8h, v17.8h, v6.8h
        mls v22.8h, v13.8h, v0.h[0]
        sqrdmulh v15.8h, v17.8h, v7.8h
        mul v16.8h, v19.8h, v6.8h
        ldp q24, q30, [x2, #32]
        sqrdmulh v28.8h, v8.8h, v7.8h
        sqrdmulh v9.8h, v30.8h, v7.8h
        ldp q14, q8, [x1, #96]
        sqrdmulh v17.8h, v19.8h, v7.8h
        sqrdmulh v31.8h, v24.8h, v7.8h
        mul v26.8h, v24.8h, v6.8h
        mls v20.8h, v28.8h, v0.h[0]
        mls v16.8h, v17.8h, v0.h[0]
        sqrdmulh v5.8h, v29.8h, v7.8h
        mls v26.8h, v31.8h, v0.h[0]
        mul v31.8h, v29.8h, v6.8h
        trn1 v18.2d, v16.2d, v20.2d
        trn2 v4.2d, v16.2d, v20.2d
        trn2 v29.2d, v26.2d, v22.2d
        sub v19.8h, v18.8h, v4.8h
        mls v21.8h, v15.8h, v0.h[0]
        ldp q3, q28, [x1, #160]
        mul v30.8h, v30.8h, v6.8h
        mls v23.8h, v11.8h, v0.h[0]
        trn1 v16.2d, v26.2d, v22.2d
        mls v31.8h, v5.8h, v0.h[0]
        mls v30.8h, v9.8h, v0.h[0]
        sub v15.8h, v16.8h, v29.8h
        sqrdmulh v27.8h, v19.8h, v8.8h
        trn2 v22.2d, v31.2d, v21.2d
        ldp q20, q24, [x1, #128]
        mul v25.8h, v19.8h, v14.8h
        trn1 v26.2d, v31.2d, v21.2d
        sqrdmulh v17.8h, v15.8h, v28.8h
        sub v14.8h, v26.8h, v22.8h
        ldp q13, q10, [x1, #192]
        add v11.8h, v26.8h, v22.8h
        trn2 v5.2d, v30.2d, v23.2d
        mul v20.8h, v14.8h, v20.8h
        sqrdmulh v21.8h, v14.8h, v24.8h
        ldp q28, q24, [x1, #32]
        trn1 v1.2d, v30.2d, v23.2d
        mls v25.8h, v27.8h, v0.h[0]
        sub v22.8h, v1.8h, v5.8h
        mls v20.8h, v21.8h, v0.h[0]
        add v19.8h, v18.8h, v4.8h
        mul v31.8h, v22.8h, v13.8h
        sqrdmulh v21.8h, v22.8h, v10.8h
        sub v8.8h, v25.8h, v20.8h
        mul v3.8h, v15.8h, v3.8h
        mls v31.8h, v21.8h, v0.h[0]
        ldp q21, q10, [x1, #64]
        sqrdmulh v13.8h, v8.8h, v24.8h
        mul v27.8h, v8.8h, v28.8h
        mls v3.8h, v17.8h, v0.h[0]
        sub v26.8h, v19.8h, v11.8h
        add v12.8h, v1.8h, v5.8h
        ldp q4, q5, [x1, #0]
        add v30.8h, v16.8h, v29.8h
        add v29.8h, v3.8h, v31.8h
        sqrdmulh v23.8h, v26.8h, v24.8h
        add v24.8h, v19.8h, v11.8h
        mul v16.8h, v26.8h, v28.8h
        add v28.8h, v25.8h, v20.8h
        add v8.8h, v30.8h, v12.8h
        sub v11.8h, v30.8h, v12.8h
        mls v16.8h, v23.8h, v0.h[0]
        sub v1.8h, v24.8h, v8.8h
        sub v18.8h, v28.8h, v29.8h
        add v24.8h, v24.8h, v8.8h
        sqrdmulh v22.8h, v1.8h, v5.8h
        sqrdmulh v17.8h, v18.8h, v5.8h
        sqrdmulh v19.8h, v11.8h, v10.8h
        mul v12.8h, v11.8h, v21.8h
        add v25.8h, v28.8h, v29.8h
        mul v29.8h, v18.8h, v4.8h
        sub v23.8h, v3.8h, v31.8h
        add x2, x2, #128
        mls v12.8h, v19.8h, v0.h[0]
        sqrdmulh v14.8h, v24.8h, v2.h[0]
        mul v31.8h, v23.8h, v21.8h
        sqrdmulh v18.8h, v23.8h, v10.8h
        add v8.8h, v16.8h, v12.8h
        mls v24.8h, v14.8h, v0.h[0]
        mls v27.8h, v13.8h, v0.h[0]
        mls v31.8h, v18.8h, v0.h[0]
        sub v19.8h, v16.8h, v12.8h
        stp q24, q25, [x3, #0]
        add v21.8h, v27.8h, v31.8h
        sub v14.8h, v27.8h, v31.8h
        sqrdmulh v11.8h, v14.8h, v5.8h
        add x1, x1, #224
        mul v15.8h, v14.8h, v4.8h
        sqrdmulh v16.8h, v19.8h, v5.8h
        mul v14.8h, v1.8h, v4.8h
        mul v20.8h, v19.8h, v4.8h
        mls v15.8h, v11.8h, v0.h[0]
        mls v29.8h, v17.8h, v0.h[0]
        mls v14.8h, v22.8h, v0.h[0]
        mls v20.8h, v16.8h, v0.h[0]
        stp q8, q21, [x3, #32]
        add x3, x3, #64
        stp q14, q29, [x4, #0]
        stp q20, q15, [x4, #32]
        add x4, x4, #64

        subs count, count, #1
        b.ne .Linvntt_within_blocks

        mov from, f
        mov to, f
        mov rest, sp
        ldr q1, [tree, #16]
        ldr q3, [tree, #48]
        mov count, #2

.Linvntt_between_blocks:

        ld4 {v11.8h, v12.8h, v13.8h, v14.8h}, [x2], #64
        ld4 {v6.8h, v7.8h, v8.8h, v9.8h}, [x2], #64
        sub v29.8h, v11.8h, v12.8h
        sub v15.8h, v13.8h, v14.8h
        sub v16.8h, v6.8h, v7.8h
        add v20.8h, v6.8h, v7.8h
        mul v19.8h, v15.8h, v1.h[1]
        sqrdmulh v24.8h, v15.8h, v3.h[1]
        mul v17.8h, v29.8h, v1.h[0]
        mul v21.8h, v16.8h, v1.h[2]
        sub v22.8h, v8.8h, v9.8h
        mls v19.8h, v24.8h, v0.h[0]
        ld4 {v24.8h, v25.8h, v26.8h, v27.8h}, [x2], #64
        mul v23.8h, v22.8h, v1.h[3]
        ld4 {v4.8h, v5.8h, v6.8h, v7.8h}, [x2], #64
        sqrdmulh v31.8h, v29.8h, v3.h[0]
        sub v29.8h, v24.8h, v25.8h
        add v24.8h, v24.8h, v25.8h
        add v18.8h, v13.8h, v14.8h
        mls v17.8h, v31.8h, v0.h[0]
        sqrdmulh v15.8h, v16.8h, v3.h[2]
        sqrdmulh v31.8h, v22.8h, v3.h[3]
        add v22.8h, v8.8h, v9.8h
        sqrdmulh v9.8h, v29.8h, v3.h[4]
        mls v21.8h, v15.8h, v0.h[0]
        add v30.8h, v6.8h, v7.8h
        mls v23.8h, v31.8h, v0.h[0]
        add v16.8h, v11.8h, v12.8h
        sub v15.8h, v17.8h, v19.8h
        sub v8.8h, v26.8h, v27.8h
        mul v25.8h, v29.8h, v1.h[4]
        add v26.8h, v26.8h, v27.8h
        sub v28.8h, v16.8h, v18.8h
        sub v31.8h, v6.8h, v7.8h
        add v17.8h, v17.8h, v19.8h
        sqrdmulh v6.8h, v8.8h, v3.h[5]
        add v16.8h, v16.8h, v18.8h
        sub v14.8h, v4.8h, v5.8h
        sqrdmulh v10.8h, v31.8h, v3.h[7]
        mls v25.8h, v9.8h, v0.h[0]
        mul v18.8h, v28.8h, v0.h[4]
        sqrdmulh v13.8h, v15.8h, v2.h[4]
        mul v29.8h, v14.8h, v1.h[6]
        sub v11.8h, v24.8h, v26.8h
        sqrdmulh v14.8h, v14.8h, v3.h[6]
        add v24.8h, v24.8h, v26.8h
        mul v26.8h, v11.8h, v0.h[6]
        sqrdmulh v27.8h, v11.8h, v2.h[6]
        sqrdmulh v11.8h, v28.8h, v2.h[4]
        add v28.8h, v4.8h, v5.8h
        sub v9.8h, v21.8h, v23.8h
        mls v26.8h, v27.8h, v0.h[0]
        add v21.8h, v21.8h, v23.8h
        mul v23.8h, v9.8h, v0.h[5]
        sqrdmulh v27.8h, v9.8h, v2.h[5]
        sub v7.8h, v20.8h, v22.8h
        mul v5.8h, v31.8h, v1.h[7]
        sub v9.8h, v28.8h, v30.8h
        add v28.8h, v28.8h, v30.8h
        mls v29.8h, v14.8h, v0.h[0]
        mls v5.8h, v10.8h, v0.h[0]
        mls v23.8h, v27.8h, v0.h[0]
        add v20.8h, v20.8h, v22.8h
        sqrdmulh v14.8h, v9.8h, v2.h[7]
        sub v31.8h, v29.8h, v5.8h
        mul v30.8h, v9.8h, v0.h[7]
        mul v4.8h, v8.8h, v1.h[5]
        sqrdmulh v27.8h, v31.8h, v2.h[7]
        mul v31.8h, v31.8h, v0.h[7]
        mls v30.8h, v14.8h, v0.h[0]
        mls v18.8h, v11.8h, v0.h[0]
        sqrdmulh v10.8h, v16.8h, v2.h[0]
        sqrdmulh v14.8h, v20.8h, v2.h[0]
        sqrdmulh v9.8h, v28.8h, v2.h[0]
        sqrdmulh v22.8h, v24.8h, v2.h[0]
        mls v16.8h, v10.8h, v0.h[0]
        mls v20.8h, v14.8h, v0.h[0]
        mls v28.8h, v9.8h, v0.h[0]
        mls v24.8h, v22.8h, v0.h[0]
        sqrdmulh v12.8h, v7.8h, v2.h[5]
        sub v22.8h, v16.8h, v20.8h
        add v16.8h, v16.8h, v20.8h
        mls v4.8h, v6.8h, v0.h[0]
        mul v20.8h, v22.8h, v0.h[2]
        mul v8.8h, v15.8h, v0.h[4]
        mul v7.8h, v7.8h, v0.h[5]
        sub v15.8h, v17.8h, v21.8h
        sqrdmulh v6.8h, v22.8h, v2.h[2]
        mls v8.8h, v13.8h, v0.h[0]
        sqrdmulh v10.8h, v15.8h, v2.h[2]
        mls v7.8h, v12.8h, v0.h[0]
        add v17.8h, v17.8h, v21.8h
        sub v22.8h, v8.8h, v23.8h
        add v19.8h, v8.8h, v23.8h
        sub v9.8h, v18.8h, v7.8h
        mul v23.8h, v22.8h, v0.h[2]
        sqrdmulh v14.8h, v22.8h, v2.h[2]
        add v18.8h, v18.8h, v7.8h
        add v7.8h, v29.8h, v5.8h
        add v13.8h, v25.8h, v4.8h
        sub v12.8h, v26.8h, v30.8h
        add v26.8h, v26.8h, v30.8h
        sub v11.8h, v13.8h, v7.8h
        mul v30.8h, v12.8h, v0.h[3]
        sqrdmulh v5.8h, v9.8h, v2.h[2]
        mul v29.8h, v11.8h, v0.h[3]
        mul v22.8h, v9.8h, v0.h[2]
        sub v21.8h, v25.8h, v4.8h
        sub v4.8h, v24.8h, v28.8h
        mls v31.8h, v27.8h, v0.h[0]
        sqrdmulh v25.8h, v21.8h, v2.h[6]
        mul v27.8h, v21.8h, v0.h[6]
        add v21.8h, v24.8h, v28.8h
        add v9.8h, v13.8h, v7.8h
        mls v27.8h, v25.8h, v0.h[0]
        sub v13.8h, v16.8h, v21.8h
        sub v8.8h, v17.8h, v9.8h
        mul v28.8h, v4.8h, v0.h[3]
        mul v24.8h, v13.8h, v0.h[1]
        sqrdmulh v25.8h, v13.8h, v2.h[1]
        sqrdmulh v13.8h, v4.8h, v2.h[3]
        sub v4.8h, v27.8h, v31.8h
        add v27.8h, v27.8h, v31.8h
        mls v24.8h, v25.8h, v0.h[0]
        mul v31.8h, v4.8h, v0.h[3]
        mls v28.8h, v13.8h, v0.h[0]
        sub v13.8h, v18.8h, v26.8h
        add v18.8h, v18.8h, v26.8h
        mul v25.8h, v8.8h, v0.h[1]
        sqrdmulh v7.8h, v13.8h, v2.h[1]
        mul v26.8h, v13.8h, v0.h[1]
        add v17.8h, v17.8h, v9.8h
        mls v20.8h, v6.8h, v0.h[0]
        sqrdmulh v6.8h, v11.8h, v2.h[3]
        sqrdmulh v12.8h, v12.8h, v2.h[3]
        sqrdmulh v9.8h, v4.8h, v2.h[3]
        mls v26.8h, v7.8h, v0.h[0]
        add v16.8h, v16.8h, v21.8h
        mul v21.8h, v15.8h, v0.h[2]
        mls v31.8h, v9.8h, v0.h[0]
        mls v23.8h, v14.8h, v0.h[0]
        mls v30.8h, v12.8h, v0.h[0]
        mls v22.8h, v5.8h, v0.h[0]
        sqrdmulh v5.8h, v8.8h, v2.h[1]
        sub v8.8h, v23.8h, v31.8h
        sub v12.8h, v20.8h, v28.8h
        sub v4.8h, v22.8h, v30.8h
        add v20.8h, v20.8h, v28.8h
        add v22.8h, v22.8h, v30.8h
        mul v30.8h, v4.8h, v0.h[1]
        sqrdmulh v14.8h, v4.8h, v2.h[1]
        mls v29.8h, v6.8h, v0.h[0]
        mls v21.8h, v10.8h, v0.h[0]
        mul v28.8h, v12.8h, v0.h[1]
        mls v25.8h, v5.8h, v0.h[0]
        str q24, [x3, #256]
        add v24.8h, v23.8h, v31.8h
        sqrdmulh v15.8h, v8.8h, v2.h[1]
        str q25, [x3, #288]
        mul v31.8h, v8.8h, v0.h[1]
        str q24, [x3, #224]
        add v25.8h, v21.8h, v29.8h
        str q22, [x3, #192]
        mls v31.8h, v15.8h, v0.h[0]
        str q25, [x3, #160]
        add v22.8h, v19.8h, v27.8h
        str q20, [x3, #128]
        sub v25.8h, v21.8h, v29.8h
        sub v8.8h, v19.8h, v27.8h
        str q22, [x3, #96]
        sqrdmulh v10.8h, v12.8h, v2.h[1]
        str q18, [x3, #64]
        sqrdmulh v23.8h, v8.8h, v2.h[1]
        str q31, [x3, #480]
        mul v19.8h, v25.8h, v0.h[1]
        mls v28.8h, v10.8h, v0.h[0]
        str q17, [x3, #32]
        mul v12.8h, v8.8h, v0.h[1]
        str q26, [x3, #320]
        sqrdmulh v21.8h, v25.8h, v2.h[1]
        str q16, [x3, #0]
        mls v30.8h, v14.8h, v0.h[0]
        mov x2, x4
        str q28, [x3, #384]
        mls v19.8h, v21.8h, v0.h[0]
        mls v12.8h, v23.8h, v0.h[0]
        str q30, [x3, #448]
        str q19, [x3, #416]
        str q12, [x3, #352]
        add x3, x0, #16

        subs count, count, #1
        b.ne .Linvntt_between_blocks

        pop_wiped 256
        pop_vector_registers
        ret
end_function lk_q3329_invntt_asm
