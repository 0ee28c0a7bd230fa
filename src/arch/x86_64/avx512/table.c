/* The avx512 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/cpu.h"
#include "arch/x86_64/symmetric.h"
#include "arch/x86_64/tables.h"
#include "symmetric/sha2/portable.h"

static const lk_keccak_kernels keccak = {
    .lanes = 8,
    .permute = lk_keccak_permute_avx512,
    .absorb = lk_keccak_absorb_avx512,
    .squeeze = lk_keccak_squeeze_avx512,
};

static const lk_aes_kernels aesni = {
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = lk_aes256_ctr_aesni,
};

static const lk_aes_kernels vaes = {
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = lk_aes256_ctr_vaes,
};

static const lk_sha2_kernels shani = {
    .sha256_compress = lk_sha256_compress_shani,
    .sha512_compress = lk_sha512_compress_c,
};

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "avx512", .needs = LK_CPU_AVX2 | LK_CPU_AVX512 | (features),                                           \
        .symmetric = {.keccak = &keccak, .aes = &(aes_table), .sha2 = &(sha2_table)}, .q3329 = &lk_portable_q3329,     \
        .negacyclic = &lk_portable_negacyclic,                                                                         \
    }

const lk_backend lk_backend_avx512[LK_AVX512_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),  VARIANT(LK_CPU_SHANI, lk_portable_aes, shani),
    VARIANT(LK_CPU_AESNI, aesni, lk_portable_sha2), VARIANT(LK_CPU_AESNI | LK_CPU_SHANI, aesni, shani),
    VARIANT(LK_CPU_VAES, vaes, lk_portable_sha2),   VARIANT(LK_CPU_VAES | LK_CPU_SHANI, vaes, shani),
};
