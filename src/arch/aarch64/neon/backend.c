/* The neon backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/tables.h"
#include "arch/cpu.h"
#include "base/families.h"

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "neon", .needs = LK_CPU_NEON | (features),                                                             \
        .symmetric = {.keccak = &lk_keccak_neon,                                                                       \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &lk_q3329_neon), .negacyclic = LK_IF(LK_HAS_SABER, &lk_negacyclic_neon),          \
        .cyclic = LK_IF(LK_HAS_NTRU, &lk_cyclic_neon), .ternary = LK_IF(LK_HAS_NTRU, &lk_ternary_neon),                \
    }

const lk_backend lk_backend_neon[LK_AARCH64_VARIANTS] = {
    VARIANT(0, lk_aes_portable, lk_sha2_portable),
    VARIANT(LK_CPU_ARM_SHA2, lk_aes_portable, lk_sha2_sha256),
    VARIANT(LK_CPU_ARM_AES, lk_aes_armv8, lk_sha2_portable),
    VARIANT(LK_CPU_ARM_AES | LK_CPU_ARM_SHA2, lk_aes_armv8, lk_sha2_sha256),
};
