/* Keccak-f[1600] on three interleaved states, two in vector registers and one in general registers: the instructions of
 * both alternate, so that all pipes of the machine work.
 *
 *     void lk_keccak_permute_x3_neon(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/neon/keccak_lanes.inc"
#include "arch/aarch64/neon/keccak_round_lazy.inc"
#include "arch/aarch64/neon/keccak_round_x3.inc"

function lk_keccak_permute_x3_neon
        push_vector_registers
        push_general_registers
        push_constants
        add x1, x0, #ROW
        vector_words ldr, x0, x1
        scalar_words ldr, x0, 16
        ldr a0, [x0, #16]
        all_words begin_wait
1:      round_x3 0
        round_x3 8
        round_x3 16
        round_x3 24
        ldr u0, [sp, #32]!
        cbnz u0, 1b
        ldp u0, u1, [sp], #16
        all_words end_wait
        str a0, [u1, #16]
        scalar_words str, u1, 16
        add u0, u1, #ROW
        vector_words str, u1, u0
        pop_general_registers
        pop_vector_registers
        ret
end_function lk_keccak_permute_x3_neon
