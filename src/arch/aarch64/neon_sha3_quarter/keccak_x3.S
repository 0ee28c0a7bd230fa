/* Keccak-f[1600] on three interleaved states, for cores with SHA-3 instructions on one of four vector pipes.
 *
 *     void lk_keccak_permute_x3_sha3_quarter(uint64_t *states, const uint64_t *round_constants);
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"
#include "arch/aarch64/keccak_x3.inc"
#include "arch/aarch64/neon_sha3_quarter/keccak_round_x3.inc"

permutation_x3 lk_keccak_permute_x3_sha3_quarter
