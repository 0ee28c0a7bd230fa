/* The avx512 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/cpu.h"
#include "arch/x86_64/tables.h"
#include "base/families.h"

#define VARIANT_WITH(features, order, width, ring, aes_table, sha2_table)                                              \
    {                                                                                                                  \
        .name = "avx512", .needs = LK_CPU_AVX2 | LK_CPU_AVX512 | (features),                                           \
        .symmetric = {.keccak = &lk_keccak_##order,                                                                    \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &(ring)), .negacyclic = LK_IF(LK_HAS_SABER, &lk_negacyclic_avx512),               \
        .cyclic = LK_IF(LK_HAS_NTRU, &lk_cyclic_##width), .ternary = LK_IF(LK_HAS_NTRU, &lk_ternary_##width),          \
    }

#define VARIANTS(features, order, width, ring)                                                                         \
    VARIANT_WITH(features, order, width, ring, lk_aes_portable, lk_sha2_portable),                                     \
        VARIANT_WITH((features) | LK_CPU_SHANI, order, width, ring, lk_aes_portable, lk_sha2_shani),                   \
        VARIANT_WITH((features) | LK_CPU_AESNI, order, width, ring, lk_aes_aesni, lk_sha2_portable),                   \
        VARIANT_WITH((features) | LK_CPU_AESNI | LK_CPU_SHANI, order, width, ring, lk_aes_aesni, lk_sha2_shani),       \
        VARIANT_WITH((features) | LK_CPU_VAES, order, width, ring, lk_aes_vaes, lk_sha2_portable),                     \
        VARIANT_WITH((features) | LK_CPU_VAES | LK_CPU_SHANI, order, width, ring, lk_aes_vaes, lk_sha2_shani)

const lk_backend lk_backend_avx512[LK_AVX512_VARIANTS] = {
    VARIANTS(0, avx512, avx512, lk_q3329_avx512_steady),
    VARIANTS(LK_CPU_STEADY, avx512, avx512, lk_q3329_avx512),
    VARIANTS(LK_CPU_STEADY | LK_CPU_HALVES, avx512_halves, avx512_halves, lk_q3329_avx512),
    VARIANTS(LK_CPU_STEADY | LK_CPU_ZEN5, avx512_zen5, avx512, lk_q3329_avx512),
};
