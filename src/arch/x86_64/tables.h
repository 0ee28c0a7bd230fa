/* The backends for x86-64. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_TABLES_H
#define LK_ARCH_X86_64_TABLES_H

#include "arch/backend.h"

enum { LK_AVX2_VARIANTS = 4, LK_AVX512_VARIANTS = 24 };

/* The variants of each backend: with and without the CPU's instructions for AES and SHA-256. Those of avx512 are also without
 * multiplications in 512-bit registers, with them, for cores that take 512 bits in two passes, and for Zen 5; the fastest
 * last. */
extern const lk_backend lk_backend_avx2[LK_AVX2_VARIANTS];
extern const lk_backend lk_backend_avx512[LK_AVX512_VARIANTS];

/* Their tables, each at the end of the family's file. */
extern const lk_keccak_kernels lk_keccak_avx2, lk_keccak_avx512, lk_keccak_avx512_halves, lk_keccak_avx512_zen5;
extern const lk_aes_kernels lk_aes_aesni, lk_aes_vaes;
extern const lk_sha2_kernels lk_sha2_shani;
extern const lk_q3329_kernels lk_q3329_avx2, lk_q3329_avx512, lk_q3329_avx512_steady;
extern const lk_negacyclic_kernels lk_negacyclic_avx2, lk_negacyclic_avx512;
extern const lk_cyclic_kernels lk_cyclic_avx2, lk_cyclic_avx512, lk_cyclic_avx512_halves;
extern const lk_ternary_kernels lk_ternary_avx2, lk_ternary_avx512, lk_ternary_avx512_halves;

#endif
