/* The portable Keccak kernels: one lane. Contract: kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_PORTABLE_H
#define LK_SYMMETRIC_KECCAK_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

/* RC of each round (section 3.2.5). */
extern const uint64_t lk_keccak_round_constants[24];

void lk_keccak_permute_c(uint64_t *states, size_t used);
void lk_keccak_absorb_c(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_c(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

#endif
