/* Keccak on three lanes: one in general registers, two in vector registers, or all three in both. The kind of core
 * decides (cores.inc). SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/keccak_three_lanes.h"
#include "arch/aarch64/tables.h"

permute_fn lk_keccak_permute_x1_neon, lk_keccak_permute_x2_neon, lk_keccak_permute_x3_neon;

static size_t permute(uint64_t *states, size_t used)
{
    return permute_by(states, used, lk_keccak_permute_x1_neon, lk_keccak_permute_x2_neon, lk_keccak_permute_x3_neon);
}

/* A rotated operand costs nothing there. */
static size_t permute_rotates(uint64_t *states, size_t used)
{
    return permute_by(states, used, lk_keccak_permute_x1_lazy, lk_keccak_permute_x2_neon, lk_keccak_permute_x3_neon);
}

/* Two scalar instructions a cycle do more there than one on a vector of two words. */
static size_t permute_in_order(uint64_t *states, size_t used)
{
    for (size_t l = 0; l < used; l++) lk_keccak_permute_x1_neon(states + l, lk_keccak_round_constants);
    return used;
}

const lk_keccak_kernels lk_keccak_neon = THREE_LANES(permute, 1);
const lk_keccak_kernels lk_keccak_neon_rotates = THREE_LANES(permute_rotates, 1);
const lk_keccak_kernels lk_keccak_neon_in_order = THREE_LANES(permute_in_order, 0);
