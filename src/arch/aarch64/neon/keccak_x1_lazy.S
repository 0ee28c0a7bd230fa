/* Keccak-f[1600] on the first of three interleaved states, in general registers, for cores that rotate an operand in every
 * integer pipe.
 *
 *     void lk_keccak_permute_x1_lazy(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/neon/keccak_lanes.inc"
#include "arch/aarch64/neon/keccak_round_lazy.inc"

function lk_keccak_permute_x1_lazy
        push_general_registers
        push_constants
        scalar_words ldr, x0, 0
        ldr a0, [x0]
        all_words begin_wait
1:      lazy_round 0
        lazy_round 8
        lazy_round 16
        lazy_round 24
        ldr u0, [sp, #32]!
        cbnz u0, 1b
        ldp u0, u1, [sp], #16
        all_words end_wait
        str a0, [u1]
        scalar_words str, u1, 0
        pop_general_registers
        ret
end_function lk_keccak_permute_x1_lazy
