/* The avx2 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/cpu.h"
#include "arch/x86_64/tables.h"
#include "base/families.h"

#define VARIANT_WITH(features, aes_table, sha2_table)                                                                  \
    {                                                                                                                  \
        .name = "avx2", .needs = LK_CPU_AVX2 | (features),                                                             \
        .symmetric = {.keccak = &lk_keccak_avx2,                                                                       \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &lk_q3329_avx2), .negacyclic = LK_IF(LK_HAS_SABER, &lk_negacyclic_avx2),          \
        .cyclic = LK_IF(LK_HAS_NTRU, &lk_cyclic_avx2), .ternary = LK_IF(LK_HAS_NTRU, &lk_ternary_avx2),                \
    }

const lk_backend lk_backend_avx2[LK_AVX2_VARIANTS] = {
    VARIANT_WITH(0, lk_aes_portable, lk_sha2_portable),
    VARIANT_WITH(LK_CPU_SHANI, lk_aes_portable, lk_sha2_shani),
    VARIANT_WITH(LK_CPU_AESNI, lk_aes_aesni, lk_sha2_portable),
    VARIANT_WITH(LK_CPU_AESNI | LK_CPU_SHANI, lk_aes_aesni, lk_sha2_shani),
};
