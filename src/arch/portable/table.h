/* The portable backend. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_PORTABLE_TABLE_H
#define LK_ARCH_PORTABLE_TABLE_H

#include "arch/backend.h"

extern const lk_backend lk_backend_portable;

/* Its tables, for backends that have nothing faster of a family. */
extern const lk_keccak_kernels lk_portable_keccak;
extern const lk_aes_kernels lk_portable_aes;
extern const lk_sha2_kernels lk_portable_sha2;
extern const lk_q3329_kernels lk_portable_q3329;
extern const lk_negacyclic_kernels lk_portable_negacyclic;
extern const lk_cyclic_kernels lk_portable_cyclic;
extern const lk_ternary_kernels lk_portable_ternary;

#endif
