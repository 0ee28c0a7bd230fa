/* The backends for AArch64. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_TABLES_H
#define LK_ARCH_AARCH64_TABLES_H

#include "arch/backend.h"

enum { LK_NEON_VARIANTS = 4, LK_NEON_SHA3_VARIANTS = 4 };

/* The variants of each backend: with and without the CPU's instructions for AES and SHA-256, the fastest last. */
extern const lk_backend lk_backend_neon[LK_NEON_VARIANTS];
extern const lk_backend lk_backend_neon_sha3[LK_NEON_SHA3_VARIANTS];

/* Tables of neon that neon-sha3 shares. */
extern const lk_q3329_kernels lk_neon_q3329;
extern const lk_negacyclic_kernels lk_neon_negacyclic;
extern const lk_cyclic_kernels lk_neon_cyclic;
extern const lk_ternary_kernels lk_neon_ternary;
extern const lk_aes_kernels lk_neon_aes;

#endif
