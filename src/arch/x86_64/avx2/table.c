/* The avx2 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/cpu.h"
#include "arch/x86_64/symmetric.h"
#include "arch/x86_64/tables.h"
#include "symmetric/sha2/portable.h"

static const lk_keccak_kernels keccak = {
    .lanes = 4,
    .permute = lk_keccak_permute_avx2,
    .absorb = lk_keccak_absorb_avx2,
    .squeeze = lk_keccak_squeeze_avx2,
};

static const lk_aes_kernels aesni = {
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = lk_aes256_ctr_aesni,
};

static const lk_sha2_kernels shani = {
    .sha256_compress = lk_sha256_compress_shani,
    .sha512_compress = lk_sha512_compress_c,
};

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "avx2", .needs = LK_CPU_AVX2 | (features),                                                             \
        .symmetric = {.keccak = &keccak, .aes = &(aes_table), .sha2 = &(sha2_table)}, .q3329 = &lk_portable_q3329,     \
        .negacyclic = &lk_portable_negacyclic,                                                                         \
    }

const lk_backend lk_backend_avx2[LK_AVX2_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_SHANI, lk_portable_aes, shani),
    VARIANT(LK_CPU_AESNI, aesni, lk_portable_sha2),
    VARIANT(LK_CPU_AESNI | LK_CPU_SHANI, aesni, shani),
};
