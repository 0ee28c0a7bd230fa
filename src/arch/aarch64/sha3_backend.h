/* A backend with the instructions for SHA-3 and SHA-512: these differ in Keccak alone. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_SHA3_BACKEND_H
#define LK_ARCH_AARCH64_SHA3_BACKEND_H

#include "arch/aarch64/tables.h"
#include "arch/cpu.h"
#include "base/families.h"

#define LK_SHA3_VARIANT(backend, keccak_table, features, aes_table, sha2_table, cyclic_table)                          \
    {                                                                                                                  \
        .name = (backend), .needs = LK_CPU_NEON | LK_CPU_ARM_SHA3 | (features),                                        \
        .symmetric = {.keccak = &(keccak_table),                                                                       \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &lk_q3329_neon), .negacyclic = LK_IF(LK_HAS_SABER, &lk_negacyclic_neon),          \
        .cyclic = LK_IF(LK_HAS_NTRU, &(cyclic_table)), .ternary = LK_IF(LK_HAS_NTRU, &lk_ternary_neon),                \
    }

#define LK_SHA3_VARIANTS(name, keccak)                                                                                 \
    {                                                                                                                  \
        LK_SHA3_VARIANT(name, keccak, 0, lk_aes_portable, lk_sha2_sha512, lk_cyclic_neon),                             \
            LK_SHA3_VARIANT(name, keccak, LK_CPU_ARM_SHA2, lk_aes_portable, lk_sha2_sha256_sha512, lk_cyclic_neon),    \
            LK_SHA3_VARIANT(name, keccak, LK_CPU_ARM_AES, lk_aes_armv8, lk_sha2_sha512, lk_cyclic_pmull),              \
            LK_SHA3_VARIANT(name, keccak, LK_CPU_ARM_AES | LK_CPU_ARM_SHA2, lk_aes_armv8, lk_sha2_sha256_sha512,       \
                            lk_cyclic_pmull),                                                                          \
    }

#endif
