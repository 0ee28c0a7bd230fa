/* The avx2 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/cpu.h"
#include "arch/x86_64/keccak.h"
#include "arch/x86_64/tables.h"

static const lk_keccak_kernels keccak = {
    .lanes = 4,
    .permute = lk_keccak_permute_avx2,
    .absorb = lk_keccak_absorb_avx2,
    .squeeze = lk_keccak_squeeze_avx2,
};

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "avx2", .needs = LK_CPU_AVX2 | (features),                                                             \
        .symmetric = {.keccak = &keccak, .aes = &(aes_table), .sha2 = &(sha2_table)}, .q3329 = &lk_portable_q3329,     \
        .negacyclic = &lk_portable_negacyclic,                                                                         \
    }

const lk_backend lk_backend_avx2[LK_AVX2_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_SHANI, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_AESNI, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_AESNI | LK_CPU_SHANI, lk_portable_aes, lk_portable_sha2),
};
