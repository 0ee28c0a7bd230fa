/* Keccak on three lanes, for cores with SHA-3 instructions on one of two vector pipes. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/keccak_three_lanes.h"
#include "arch/aarch64/tables.h"

permute_fn lk_keccak_permute_x3_sha3_half;

/* Two states take as long as three. */
static size_t permute(uint64_t *states, size_t used)
{
    permute_fn *const together = lk_keccak_permute_x3_sha3_half;
    return permute_by(states, used, lk_keccak_permute_x1_lazy, together, together);
}

const lk_keccak_kernels lk_keccak_sha3_half = THREE_LANES(permute, 1);
