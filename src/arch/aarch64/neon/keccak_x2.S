/* Keccak-f[1600] on two interleaved states (FIPS 202 section 3.3).
 *
 *     void lk_keccak_permute_x2_neon(uint64_t *states, const uint64_t *round_constants);
 *
 * Between rounds word w of both states is in v<w>. A round takes no move and no memory but its constant: the words and
 * theta's columns are in 30 registers, and rho and pi turn words into the registers that others have left.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

/* Five registers ^= five others, or <- the XOR of five and five. */
.macro xor5 e0, e1, e2, e3, e4, a0, a1, a2, a3, a4, b0, b1, b2, b3, b4
        eor v\e0\().16b, v\a0\().16b, v\b0\().16b
        eor v\e1\().16b, v\a1\().16b, v\b1\().16b
        eor v\e2\().16b, v\a2\().16b, v\b2\().16b
        eor v\e3\().16b, v\a3\().16b, v\b3\().16b
        eor v\e4\().16b, v\a4\().16b, v\b4\().16b
.endm

.macro add5 e0, e1, e2, e3, e4, b0, b1, b2, b3, b4
        xor5 \e0, \e1, \e2, \e3, \e4, \e0, \e1, \e2, \e3, \e4, \b0, \b1, \b2, \b3, \b4
.endm

/* d <- before ^ (after <<< 1): theta's D of the column between two. */
.macro theta d, before, after
        add v\d\().2d, v\after\().2d, v\after\().2d
        sri v\d\().2d, v\after\().2d, #63
        eor v\d\().16b, v\d\().16b, v\before\().16b
.endm

/* b <- a <<< r, four times. */
.macro turn4 b0, a0, r0, b1, a1, r1, b2, a2, r2, b3, a3, r3
        shl v\b0\().2d, v\a0\().2d, #\r0
        shl v\b1\().2d, v\a1\().2d, #\r1
        shl v\b2\().2d, v\a2\().2d, #\r2
        shl v\b3\().2d, v\a3\().2d, #\r3
        sri v\b0\().2d, v\a0\().2d, #(64 - \r0)
        sri v\b1\().2d, v\a1\().2d, #(64 - \r1)
        sri v\b2\().2d, v\a2\().2d, #(64 - \r2)
        sri v\b3\().2d, v\a3\().2d, #(64 - \r3)
.endm

/* Chi on a row: b0 to e0, the others in place. With e0 = b0 it would be too early for the last two. */
.macro chi e0, b0, b1, b2, b3, b4
        bic v\e0\().16b, v\b2\().16b, v\b1\().16b
        bic v30.16b, v\b1\().16b, v\b0\().16b
        bic v31.16b, v\b3\().16b, v\b2\().16b
        eor v\e0\().16b, v\e0\().16b, v\b0\().16b
        eor v\b1\().16b, v\b1\().16b, v31.16b
        bic v31.16b, v\b4\().16b, v\b3\().16b
        eor v\b2\().16b, v\b2\().16b, v31.16b
        bic v31.16b, v\b0\().16b, v\b4\().16b
        eor v\b4\().16b, v\b4\().16b, v30.16b
        eor v\b3\().16b, v\b3\().16b, v31.16b
.endm

.macro round
        xor5 25, 26, 27, 28, 29, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        add5 25, 26, 27, 28, 29, 10, 11, 12, 13, 14
        add5 25, 26, 27, 28, 29, 15, 16, 17, 18, 19
        add5 25, 26, 27, 28, 29, 20, 21, 22, 23, 24
        theta 30, 25, 27
        theta 31, 28, 25
        theta 25, 26, 28
        theta 28, 29, 26
        theta 26, 27, 29
        xor5 29, 1, 2, 3, 4, 0, 1, 2, 3, 4, 28, 30, 25, 26, 31
        add5 5, 6, 7, 8, 9, 28, 30, 25, 26, 31
        add5 10, 11, 12, 13, 14, 28, 30, 25, 26, 31
        add5 15, 16, 17, 18, 19, 28, 30, 25, 26, 31
        add5 20, 21, 22, 23, 24, 28, 30, 25, 26, 31
        /* B[0, y] for y = 0 to 4 is in v29, v25, v26, v27, v28, the rest of B at home. */
        turn4 26, 1, 1,   28, 2, 62,   27, 4, 27,   25, 3, 28
        turn4 1, 6, 44,   2, 12, 43,   4, 24, 14,   3, 18, 21
        turn4 6, 9, 20,   12, 13, 25,  24, 21, 2,   18, 17, 15
        turn4 9, 22, 61,  13, 19, 8,   21, 8, 55,   17, 11, 10
        turn4 22, 14, 39, 19, 23, 56,  8, 16, 45,   11, 7, 6
        turn4 14, 20, 18, 23, 15, 41,  16, 5, 36,   7, 10, 3
        chi 0, 29, 1, 2, 3, 4
        ld1r {v29.2d}, [x1], #8
        chi 5, 25, 6, 7, 8, 9
        chi 10, 26, 11, 12, 13, 14
        eor v0.16b, v0.16b, v29.16b
        chi 15, 27, 16, 17, 18, 19
        chi 20, 28, 21, 22, 23, 24
.endm

/* op: ldp or stp, for all words. */
.macro all_words op
        \op q0, q1, [x0]
        \op q2, q3, [x0, #32]
        \op q4, q5, [x0, #64]
        \op q6, q7, [x0, #96]
        \op q8, q9, [x0, #128]
        \op q10, q11, [x0, #160]
        \op q12, q13, [x0, #192]
        \op q14, q15, [x0, #224]
        \op q16, q17, [x0, #256]
        \op q18, q19, [x0, #288]
        \op q20, q21, [x0, #320]
        \op q22, q23, [x0, #352]
.endm

function lk_keccak_permute_x2_neon
        stp d8, d9, [sp, #-64]!
        stp d10, d11, [sp, #16]
        stp d12, d13, [sp, #32]
        stp d14, d15, [sp, #48]
        all_words ldp
        ldr q24, [x0, #384]
        mov w2, #12
1:      round
        round
        sub w2, w2, #1
        cbnz w2, 1b
        all_words stp
        str q24, [x0, #384]
        ldp d10, d11, [sp, #16]
        ldp d12, d13, [sp, #32]
        ldp d14, d15, [sp, #48]
        ldp d8, d9, [sp], #64
        ret
end_function lk_keccak_permute_x2_neon
