/* Keccak on three lanes: one in general registers, two in vector registers, or all three in both. The kind of core
 * decides (cores.inc).
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/keccak_three_lanes.h"
#include "arch/aarch64/tables.h"

/* The permutations in assembly, of as many of the first lanes; they are given lk_keccak_round_constants. */
void lk_keccak_permute_x1_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x1_lazy(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x2_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x3_neon(uint64_t *states, const uint64_t *round_constants);

/* The first two or three lanes. */
static void permute_together(uint64_t *states, size_t used)
{
    if (used == 2)
        lk_keccak_permute_x2_neon(states, lk_keccak_round_constants);
    else
        lk_keccak_permute_x3_neon(states, lk_keccak_round_constants);
}

static void permute(uint64_t *states, size_t used)
{
    if (used == 1)
        lk_keccak_permute_x1_neon(states, lk_keccak_round_constants);
    else
        permute_together(states, used);
}

/* A rotated operand costs nothing there. */
static void permute_rotates(uint64_t *states, size_t used)
{
    if (used == 1)
        lk_keccak_permute_x1_lazy(states, lk_keccak_round_constants);
    else
        permute_together(states, used);
}

/* Two scalar instructions a cycle do more there than one on a vector of two words. */
static void permute_in_order(uint64_t *states, size_t used)
{
    for (size_t l = 0; l < used; l++) lk_keccak_permute_x1_neon(states + l, lk_keccak_round_constants);
}

#define KERNELS(permute_used, pay_together)                                                                            \
    {                                                                                                                  \
        .lanes = LANES, .pairs = (pay_together), .permute = (permute_used), .absorb = absorb, .squeeze = squeeze       \
    }

const lk_keccak_kernels lk_keccak_neon = KERNELS(permute, 1);
const lk_keccak_kernels lk_keccak_neon_rotates = KERNELS(permute_rotates, 1);
const lk_keccak_kernels lk_keccak_neon_in_order = KERNELS(permute_in_order, 0);
