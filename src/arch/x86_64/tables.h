/* The backends for x86-64. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_TABLES_H
#define LK_ARCH_X86_64_TABLES_H

#include "arch/backend.h"

enum { LK_AVX2_VARIANTS = 4, LK_AVX512_VARIANTS = 6 };

/* The variants of each backend: with and without the CPU's instructions for AES and SHA-256, the fastest last. */
extern const lk_backend lk_backend_avx2[LK_AVX2_VARIANTS];
extern const lk_backend lk_backend_avx512[LK_AVX512_VARIANTS];

#endif
