/* The Keccak kernels for x86-64. Contract: symmetric/keccak/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_KECCAK_H
#define LK_ARCH_X86_64_KECCAK_H

#include <stddef.h>
#include <stdint.h>

/* Four lanes. */
void lk_keccak_permute_avx2(uint64_t *states, size_t used);
void lk_keccak_absorb_avx2(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_avx2(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

/* Eight lanes. */
void lk_keccak_permute_avx512(uint64_t *states, size_t used);
void lk_keccak_absorb_avx512(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_avx512(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

#endif
