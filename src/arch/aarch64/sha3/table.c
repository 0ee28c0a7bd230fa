/* The neon-sha3 backend: neon with the instructions for SHA-3 and SHA-512. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/aarch64/symmetric.h"
#include "arch/aarch64/tables.h"
#include "arch/cpu.h"
#include "base/families.h"
#include "symmetric/sha2/portable.h"

static const lk_keccak_kernels keccak = {
    .lanes = 2,
    .pairs = 1,
    .permute = lk_keccak_permute_sha3,
    .absorb = lk_keccak_absorb_sha3,
    .squeeze = lk_keccak_squeeze_sha3,
};

#if LK_HAS_90S
static const lk_sha2_kernels sha512 = {
    .sha256_compress = lk_sha256_compress_c,
    .sha512_compress = lk_sha512_compress_armv8,
};

static const lk_sha2_kernels sha2 = {
    .sha256_compress = lk_sha256_compress_armv8,
    .sha512_compress = lk_sha512_compress_armv8,
};
#endif

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "neon-sha3", .needs = LK_CPU_NEON | LK_CPU_ARM_SHA3 | (features),                                      \
        .symmetric = {.keccak = &keccak,                                                                               \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &lk_neon_q3329), .negacyclic = LK_IF(LK_HAS_SABER, &lk_neon_negacyclic),          \
        .cyclic = LK_IF(LK_HAS_NTRU, &lk_neon_cyclic), .ternary = LK_IF(LK_HAS_NTRU, &lk_neon_ternary),                \
    }

const lk_backend lk_backend_neon_sha3[LK_NEON_SHA3_VARIANTS] = {
    VARIANT(0, lk_portable_aes, sha512),
    VARIANT(LK_CPU_ARM_SHA2, lk_portable_aes, sha2),
    VARIANT(LK_CPU_ARM_AES, lk_neon_aes, sha512),
    VARIANT(LK_CPU_ARM_AES | LK_CPU_ARM_SHA2, lk_neon_aes, sha2),
};
