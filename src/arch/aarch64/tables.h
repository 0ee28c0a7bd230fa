/* The backends for AArch64. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_TABLES_H
#define LK_ARCH_AARCH64_TABLES_H

#include "arch/backend.h"

/* The variants of each backend: with and without the CPU's instructions for AES and SHA-256, the fastest last; neon has
 * these for each of three kinds of cores. */
enum { LK_SHA3_VARIANTS_COUNT = 4, LK_NEON_VARIANTS = 12 };

extern const lk_backend lk_backend_neon[LK_NEON_VARIANTS];
extern const lk_backend lk_backend_neon_sha3[LK_SHA3_VARIANTS_COUNT];
extern const lk_backend lk_backend_neon_sha3_full[LK_SHA3_VARIANTS_COUNT];
extern const lk_backend lk_backend_neon_sha3_half[LK_SHA3_VARIANTS_COUNT];
extern const lk_backend lk_backend_neon_sha3_quarter[LK_SHA3_VARIANTS_COUNT];

/* Their tables, each at the end of the family's file. */
extern const lk_keccak_kernels lk_keccak_neon, lk_keccak_neon_rotates, lk_keccak_neon_in_order, lk_keccak_sha3;
extern const lk_keccak_kernels lk_keccak_sha3_full, lk_keccak_sha3_half, lk_keccak_sha3_quarter;
extern const lk_aes_kernels lk_aes_armv8;
extern const lk_sha2_kernels lk_sha2_sha256, lk_sha2_sha512, lk_sha2_sha256_sha512;
extern const lk_q3329_kernels lk_q3329_neon;
extern const lk_negacyclic_kernels lk_negacyclic_neon;
extern const lk_cyclic_kernels lk_cyclic_neon, lk_cyclic_pmull;
extern const lk_ternary_kernels lk_ternary_neon;

#endif
