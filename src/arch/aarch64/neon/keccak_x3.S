/* Keccak-f[1600] on three interleaved states, two in vector registers and one in general registers: the instructions of
 * both alternate, so that all pipes of the machine work.
 *
 *     void lk_keccak_permute_x3_neon(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/neon/keccak_lanes.inc"
#include "arch/aarch64/neon/keccak_round_x1.inc"
#include "arch/aarch64/neon/keccak_round_x3.inc"

function lk_keccak_permute_x3_neon
        push_vector_registers
        push_general_registers
        push_constants
        add x1, x0, #ROW
        vector_words ldr, x0, x1
        scalar_words ldr, x0, 16
        ldr a0, [x0, #16]
1:      round_x3 0
        round_x3 8
        ldr t0, [sp, #16]!
        cbnz t0, 1b
        ldp t0, t1, [sp], #16
        str a0, [t1, #16]
        scalar_words str, t1, 16
        add t0, t1, #ROW
        vector_words str, t1, t0
        pop_general_registers
        pop_vector_registers
        ret
end_function lk_keccak_permute_x3_neon
