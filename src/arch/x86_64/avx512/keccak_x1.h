/* Keccak-f[1600] on the first of eight states. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_KECCAK_X1_H
#define LK_ARCH_X86_64_AVX512_KECCAK_X1_H

#include <stdint.h>

void lk_keccak_permute_x1_avx512(uint64_t *states);

#endif
