/* The neon backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/tables.h"
#include "arch/cpu.h"
#include "base/families.h"

#define VARIANT_WITH(features, keccak_table, aes_table, sha2_table, cyclic_table)                                      \
    {                                                                                                                  \
        .name = "neon", .needs = LK_CPU_NEON | (features),                                                             \
        .symmetric = {.keccak = &(keccak_table),                                                                       \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &lk_q3329_neon), .negacyclic = LK_IF(LK_HAS_SABER, &lk_negacyclic_neon),          \
        .cyclic = LK_IF(LK_HAS_NTRU, &(cyclic_table)), .ternary = LK_IF(LK_HAS_NTRU, &lk_ternary_neon),                \
    }

#define VARIANTS(cores, keccak)                                                                                        \
    VARIANT_WITH(cores, keccak, lk_aes_portable, lk_sha2_portable, lk_cyclic_neon),                                    \
        VARIANT_WITH((cores) | LK_CPU_ARM_SHA2, keccak, lk_aes_portable, lk_sha2_sha256, lk_cyclic_neon),              \
        VARIANT_WITH((cores) | LK_CPU_ARM_AES, keccak, lk_aes_armv8, lk_sha2_portable, lk_cyclic_pmull),               \
        VARIANT_WITH((cores) | LK_CPU_ARM_AES | LK_CPU_ARM_SHA2, keccak, lk_aes_armv8, lk_sha2_sha256,                 \
                     lk_cyclic_pmull)

const lk_backend lk_backend_neon[LK_NEON_VARIANTS] = {
    VARIANTS(0, lk_keccak_neon),
    VARIANTS(LK_CPU_ARM_ROTATES, lk_keccak_neon_rotates),
    VARIANTS(LK_CPU_ARM_IN_ORDER, lk_keccak_neon_in_order),
};
