/* Keccak-f[1600] on four states, with the instructions in an order of their own. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_KECCAK_ORDERED_H
#define LK_ARCH_X86_64_AVX2_KECCAK_ORDERED_H

#include <stdint.h>

void lk_keccak_permute_x4_avx2(uint64_t *states);

#endif
