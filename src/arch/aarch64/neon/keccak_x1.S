/* Keccak-f[1600] on the first of three interleaved states, in general registers.
 *
 *     void lk_keccak_permute_x1_neon(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/neon/keccak_lanes.inc"
#include "arch/aarch64/neon/keccak_round_x1.inc"

function lk_keccak_permute_x1_neon
        push_general_registers
        push_constants
        scalar_words ldr, x0, 0
        ldr a0, [x0]
1:      scalar_round 0
        scalar_round 8
        scalar_round 16
        scalar_round 24
        ldr u0, [sp, #32]!
        cbnz u0, 1b
        ldp u0, u1, [sp], #16
        str a0, [u1]
        scalar_words str, u1, 0
        pop_general_registers
        ret
end_function lk_keccak_permute_x1_neon
