/* Keccak-f[1600] on the first two of three interleaved states, in vector registers.
 *
 *     void lk_keccak_permute_x2_neon(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/neon/keccak_lanes.inc"
#include "arch/aarch64/neon/keccak_round_x2.inc"

function lk_keccak_permute_x2_neon
        push_vector_registers
        add x2, x0, #ROW
        vector_words ldr, x0, x2
        mov w3, #6
1:
.rept 4
        vector_round ld1r {v29.2d}, [x1], #8
.endr
        sub w3, w3, #1
        cbnz w3, 1b
        vector_words str, x0, x2
        pop_vector_registers
        ret
end_function lk_keccak_permute_x2_neon
