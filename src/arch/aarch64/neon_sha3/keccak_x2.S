/* Keccak-f[1600] on two interleaved states with the instructions of FEAT_SHA3 (FIPS 202 section 3.3).
 *
 *     void lk_keccak_permute_x2_sha3(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/neon_sha3/keccak_round_x2.inc"

.equ native_eor3, all_eor3
.equ native_rax1, all_rax1
.equ native_xar, all_xar
.equ native_bcax, all_bcax

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
        sha3_round ld1r {v28.2d}, [x1], #8
.endr
        sub w2, w2, #1
        cbnz w2, 1b
        all_words stp
        str q24, [x0, #384]
        pop_vector_registers
        ret
end_function lk_keccak_permute_x2_sha3
