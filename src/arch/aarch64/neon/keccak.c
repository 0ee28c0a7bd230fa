/* Keccak on three lanes: one in general registers, two in vector registers, or all three in both.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/keccak_three_lanes.h"
#include "arch/aarch64/tables.h"

/* The permutations in assembly, of as many of the first lanes; they are given lk_keccak_round_constants. */
void lk_keccak_permute_x1_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x2_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x3_neon(uint64_t *states, const uint64_t *round_constants);

static void permute(uint64_t *states, size_t used)
{
    if (used == 1)
        lk_keccak_permute_x1_neon(states, lk_keccak_round_constants);
    else if (used == 2)
        lk_keccak_permute_x2_neon(states, lk_keccak_round_constants);
    else
        lk_keccak_permute_x3_neon(states, lk_keccak_round_constants);
}

const lk_keccak_kernels lk_keccak_neon = {
    .lanes = LANES,
    .pairs = 1,
    .permute = permute,
    .absorb = absorb,
    .squeeze = squeeze,
};
