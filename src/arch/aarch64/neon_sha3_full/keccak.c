/* Keccak on three lanes, for cores with SHA-3 instructions on all vector pipes. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/keccak_three_lanes.h"
#include "arch/aarch64/tables.h"

void lk_keccak_permute_x1_lazy(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x3_sha3_full(uint64_t *states, const uint64_t *round_constants);

/* Two states take as long as three. */
static void permute(uint64_t *states, size_t used)
{
    if (used == 1)
        lk_keccak_permute_x1_lazy(states, lk_keccak_round_constants);
    else
        lk_keccak_permute_x3_sha3_full(states, lk_keccak_round_constants);
}

const lk_keccak_kernels lk_keccak_sha3_full = {
    .lanes = LANES,
    .pairs = 1,
    .permute = permute,
    .absorb = absorb,
    .squeeze = squeeze,
};
