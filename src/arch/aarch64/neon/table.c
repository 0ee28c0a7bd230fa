/* The neon backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/aarch64/symmetric.h"
#include "arch/aarch64/tables.h"
#include "arch/cpu.h"
#include "ring/q3329/portable.h"
#include "symmetric/sha2/portable.h"

static const lk_keccak_kernels keccak = {
    .lanes = 3,
    .permute = lk_keccak_permute_neon,
    .absorb = lk_keccak_absorb_neon,
    .squeeze = lk_keccak_squeeze_neon,
};

const lk_aes_kernels lk_neon_aes = {
    .expand_key = lk_aes256_expand_key_armv8,
    .ctr = lk_aes256_ctr_armv8,
};

static const lk_sha2_kernels sha2 = {
    .sha256_compress = lk_sha256_compress_armv8,
    .sha512_compress = lk_sha512_compress_c,
};

const lk_q3329_kernels lk_neon_q3329 = {
    .ntt = lk_q3329_ntt_c,
    .invntt_tomont = lk_q3329_invntt_tomont_c,
    .mulcache = lk_q3329_mulcache_c,
    .inner_product = lk_q3329_inner_product_c,
    .tomont = lk_q3329_tomont_c,
    .add = lk_q3329_add_c,
    .sub_from = lk_q3329_sub_from_c,
    .reduce = lk_q3329_reduce_c,
    .encode_d12 = lk_q3329_encode_d12_c,
    .decode_d12 = lk_q3329_decode_d12_c,
    .compress_d1 = lk_q3329_compress_d1_c,
    .compress_d4 = lk_q3329_compress_d4_c,
    .compress_d5 = lk_q3329_compress_d5_c,
    .compress_d10 = lk_q3329_compress_d10_c,
    .compress_d11 = lk_q3329_compress_d11_c,
    .decompress_d1 = lk_q3329_decompress_d1_c,
    .decompress_d4 = lk_q3329_decompress_d4_c,
    .decompress_d5 = lk_q3329_decompress_d5_c,
    .decompress_d10 = lk_q3329_decompress_d10_c,
    .decompress_d11 = lk_q3329_decompress_d11_c,
    .cbd_eta2 = lk_q3329_cbd_eta2_c,
    .cbd_eta3 = lk_q3329_cbd_eta3_c,
    .rej_uniform_vartime = lk_q3329_rej_uniform_vartime_c,
    .rej_uniform_lanes_vartime = NULL,
    .ntt_order = NULL,
};

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "neon", .needs = LK_CPU_NEON | (features),                                                             \
        .symmetric = {.keccak = &keccak, .aes = &(aes_table), .sha2 = &(sha2_table)}, .q3329 = &lk_neon_q3329,         \
        .negacyclic = &lk_portable_negacyclic, .cyclic = &lk_portable_cyclic, .ternary = &lk_portable_ternary,         \
    }

const lk_backend lk_backend_neon[LK_NEON_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_ARM_SHA2, lk_portable_aes, sha2),
    VARIANT(LK_CPU_ARM_AES, lk_neon_aes, lk_portable_sha2),
    VARIANT(LK_CPU_ARM_AES | LK_CPU_ARM_SHA2, lk_neon_aes, sha2),
};
