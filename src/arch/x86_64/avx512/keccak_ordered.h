/* Keccak-f[1600] on four or eight of eight states, with the instructions in an order of their own: one for all cores,
 * and one for Zen 5.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_KECCAK_ORDERED_H
#define LK_ARCH_X86_64_AVX512_KECCAK_ORDERED_H

#include <stdint.h>

void lk_keccak_permute_x4_avx512(uint64_t *states);
void lk_keccak_permute_x8_avx512(uint64_t *states);
void lk_keccak_permute_x4_zen5(uint64_t *states);
void lk_keccak_permute_x8_zen5(uint64_t *states);

#endif
