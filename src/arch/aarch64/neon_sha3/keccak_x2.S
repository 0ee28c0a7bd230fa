/* Keccak-f[1600] on two interleaved states with the instructions of FEAT_SHA3 (FIPS 202 section 3.3).
 *
 *     void lk_keccak_permute_x2_sha3(uint64_t *states, const uint64_t *round_constants);
 *
 * Between rounds word w of both states is in v<w>. A round takes no move: rho and pi turn words into the registers that
 * others have left, such that chi finds the registers of each row's first two words free when it comes to them.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

/* c <- the parity of a column. */
.macro parity c, a0, a1, a2, a3, a4
        eor3 v\c\().16b, v\a0\().16b, v\a1\().16b, v\a2\().16b
        eor3 v\c\().16b, v\c\().16b, v\a3\().16b, v\a4\().16b
.endm

/* d <- before ^ (after <<< 1): theta's D of the column between two. */
.macro theta d, before, after
        rax1 v\d\().2d, v\before\().2d, v\after\().2d
.endm

/* b <- (a ^ d) <<< r. */
.macro turn b, a, d, r
        xar v\b\().2d, v\a\().2d, v\d\().2d, #(64 - \r)
.endm

/* Chi on a row: b0 to e0, b1 to e1, the others in place. */
.macro chi e0, e1, b0, b1, b2, b3, b4
        bcax v\e0\().16b, v\b0\().16b, v\b2\().16b, v\b1\().16b
        bcax v\e1\().16b, v\b1\().16b, v\b3\().16b, v\b2\().16b
        bcax v\b2\().16b, v\b2\().16b, v\b4\().16b, v\b3\().16b
        bcax v\b3\().16b, v\b3\().16b, v\b0\().16b, v\b4\().16b
        bcax v\b4\().16b, v\b4\().16b, v\b1\().16b, v\b0\().16b
.endm

.macro round
        parity 25, 0, 5, 10, 15, 20
        parity 27, 2, 7, 12, 17, 22
        parity 28, 3, 8, 13, 18, 23
        parity 26, 1, 6, 11, 16, 21
        parity 29, 4, 9, 14, 19, 24
        theta 30, 25, 27
        theta 31, 28, 25
        theta 25, 26, 28
        theta 28, 29, 26
        theta 26, 27, 29
        /* Now v28, v30, v25, v26, v31 are D of columns 0 to 4. */
        eor v27.16b, v0.16b, v28.16b
        turn 29, 6, 30, 44
        turn 0, 2, 25, 62
        turn 2, 12, 25, 43
        turn 12, 13, 26, 25
        turn 13, 19, 31, 8
        turn 19, 23, 26, 56
        turn 23, 15, 28, 41
        turn 15, 1, 30, 1
        turn 1, 8, 26, 55
        turn 8, 16, 30, 45
        turn 16, 7, 25, 6
        turn 7, 10, 28, 3
        turn 10, 3, 26, 28
        turn 3, 18, 26, 21
        turn 18, 17, 25, 15
        turn 17, 11, 30, 10
        turn 11, 9, 31, 20
        turn 9, 22, 25, 61
        turn 22, 14, 31, 39
        turn 14, 20, 28, 18
        turn 20, 4, 31, 27
        turn 4, 24, 31, 14
        turn 24, 21, 30, 2
        turn 21, 5, 28, 36
        ld1r {v28.2d}, [x1], #8
        chi 5, 6, 10, 11, 7, 8, 9
        chi 10, 11, 15, 16, 12, 13, 14
        chi 15, 16, 20, 21, 17, 18, 19
        chi 20, 21, 0, 1, 22, 23, 24
        chi 0, 1, 27, 29, 2, 3, 4
        eor v0.16b, v0.16b, v28.16b
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

function lk_keccak_permute_x2_sha3
        push_vector_registers
        all_words ldp
        ldr q24, [x0, #384]
        mov w2, #4
1:
.rept 6
        round
.endr
        sub w2, w2, #1
        cbnz w2, 1b
        all_words stp
        str q24, [x0, #384]
        pop_vector_registers
        ret
end_function lk_keccak_permute_x2_sha3
