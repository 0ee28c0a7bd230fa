/* The avx512 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/cpu.h"
#include "arch/x86_64/tables.h"

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "avx512", .needs = LK_CPU_AVX2 | LK_CPU_AVX512 | (features),                                           \
        .symmetric = {.keccak = &lk_portable_keccak, .aes = &(aes_table), .sha2 = &(sha2_table)},                      \
        .q3329 = &lk_portable_q3329, .negacyclic = &lk_portable_negacyclic,                                            \
    }

const lk_backend lk_backend_avx512[LK_AVX512_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_SHANI, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_AESNI, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_AESNI | LK_CPU_SHANI, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_VAES, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_VAES | LK_CPU_SHANI, lk_portable_aes, lk_portable_sha2),
};
