/* The neon backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/aarch64/neon/cyclic.h"
#include "arch/aarch64/neon/negacyclic.h"
#include "arch/aarch64/neon/q3329.h"
#include "arch/aarch64/neon/ternary.h"
#include "arch/aarch64/symmetric.h"
#include "arch/aarch64/tables.h"
#include "arch/cpu.h"
#include "base/families.h"
#include "symmetric/sha2/portable.h"

static const lk_keccak_kernels keccak = {
    .lanes = 3,
    .pairs = 1,
    .permute = lk_keccak_permute_neon,
    .absorb = lk_keccak_absorb_neon,
    .squeeze = lk_keccak_squeeze_neon,
};

#if LK_HAS_AES
const lk_aes_kernels lk_neon_aes = {
    .instructions = 1,
    .expand_key = lk_aes256_expand_key_armv8,
    .ctr = lk_aes256_ctr_armv8,
};
#endif

#if LK_HAS_90S
static const lk_sha2_kernels sha2 = {
    .sha256_compress = lk_sha256_compress_armv8,
    .sha512_compress = lk_sha512_compress_c,
};
#endif

#if LK_HAS_MLKEM
const lk_q3329_kernels lk_neon_q3329 = {
    .ntt = lk_q3329_ntt_neon,
    .invntt_tomont = lk_q3329_invntt_tomont_neon,
    .mulcache = lk_q3329_mulcache_neon,
    .inner_product = lk_q3329_inner_product_neon,
    .tomont = lk_q3329_tomont_neon,
    .add = lk_q3329_add_neon,
    .sub_from = lk_q3329_sub_from_neon,
    .reduce = lk_q3329_reduce_neon,
    .encode_d12 = lk_q3329_encode_d12_neon,
    .decode_d12 = lk_q3329_decode_d12_neon,
    .compress_d1 = lk_q3329_compress_d1_neon,
    .compress_d4 = lk_q3329_compress_d4_neon,
    .compress_d5 = lk_q3329_compress_d5_neon,
    .compress_d10 = lk_q3329_compress_d10_neon,
    .compress_d11 = lk_q3329_compress_d11_neon,
    .decompress_d1 = lk_q3329_decompress_d1_neon,
    .decompress_d4 = lk_q3329_decompress_d4_neon,
    .decompress_d5 = lk_q3329_decompress_d5_neon,
    .decompress_d10 = lk_q3329_decompress_d10_neon,
    .decompress_d11 = lk_q3329_decompress_d11_neon,
    .cbd_eta2 = lk_q3329_cbd_eta2_neon,
    .cbd_eta3 = lk_q3329_cbd_eta3_neon,
    .rej_uniform_vartime = lk_q3329_rej_uniform_vartime_neon,
    .rej_uniform_lanes_vartime = lk_q3329_rej_uniform_lanes_vartime_neon,
    .ntt_order = lk_q3329_ntt_order_neon,
};
#endif

#if LK_HAS_SABER
const lk_negacyclic_kernels lk_neon_negacyclic = {
    .evaluated_bytes = LK_NEGACYCLIC_EVALUATED_BYTES_NEON,
    .scratch_bytes = LK_NEGACYCLIC_SCRATCH_BYTES_NEON,
    .evaluate = lk_negacyclic_evaluate_neon,
    .evaluate_small = lk_negacyclic_evaluate_small_neon,
    .inner_product = lk_negacyclic_inner_product_neon,
    .pack_d13 = lk_negacyclic_pack_d13_neon,
    .unpack_d13 = lk_negacyclic_unpack_d13_neon,
    .unpack_d10 = lk_negacyclic_unpack_d10_neon,
    .round_d10 = lk_negacyclic_round_d10_neon,
    .encrypt_d3 = lk_negacyclic_encrypt_d3_neon,
    .encrypt_d4 = lk_negacyclic_encrypt_d4_neon,
    .encrypt_d6 = lk_negacyclic_encrypt_d6_neon,
    .decrypt_d3 = lk_negacyclic_decrypt_d3_neon,
    .decrypt_d4 = lk_negacyclic_decrypt_d4_neon,
    .decrypt_d6 = lk_negacyclic_decrypt_d6_neon,
    .cbd_mu6 = lk_negacyclic_cbd_mu6_neon,
    .cbd_mu8 = lk_negacyclic_cbd_mu8_neon,
    .cbd_mu10 = lk_negacyclic_cbd_mu10_neon,
};
#endif

#if LK_HAS_NTRU
const lk_cyclic_kernels lk_neon_cyclic = {
    .evaluated_unit = LK_CYCLIC_EVALUATED_UNIT_NEON,
    .scratch_unit = LK_CYCLIC_SCRATCH_UNIT_NEON,
    .evaluate = lk_cyclic_evaluate_neon,
    .product = lk_cyclic_product_neon,
    .invert_mod2 = lk_cyclic_invert_mod2_neon,
    .from_trits = lk_cyclic_from_trits_neon,
    .mod3 = lk_cyclic_mod3_neon,
    .to_trits = lk_cyclic_to_trits_neon,
    .times_x_minus_1 = lk_cyclic_times_x_minus_1_neon,
    .two_minus = lk_cyclic_two_minus_neon,
    .add = lk_cyclic_add_neon,
    .sub = lk_cyclic_sub_neon,
    .mod_phi = lk_cyclic_mod_phi_neon,
    .sum_zero = lk_cyclic_sum_zero_neon,
    .pack_d11 = lk_cyclic_pack_d11_neon,
    .pack_d12 = lk_cyclic_pack_d12_neon,
    .pack_d13 = lk_cyclic_pack_d13_neon,
    .unpack_d11 = lk_cyclic_unpack_d11_neon,
    .unpack_d12 = lk_cyclic_unpack_d12_neon,
    .unpack_d13 = lk_cyclic_unpack_d13_neon,
};

const lk_ternary_kernels lk_neon_ternary = {
    .scratch_unit = LK_TERNARY_SCRATCH_UNIT_NEON,
    .sample_iid = lk_ternary_sample_iid_neon,
    .make_nonnegative = lk_ternary_make_nonnegative_neon,
    .fixed_type_words = lk_ternary_fixed_type_words_neon,
    .sort = lk_ternary_sort_neon,
    .words_to_trits = lk_ternary_words_to_trits_neon,
    .weight_differs = lk_ternary_weight_differs_neon,
    .pack = lk_ternary_pack_neon,
    .unpack = lk_ternary_unpack_neon,
    .lift_quotient = lk_ternary_lift_quotient_neon,
    .invert = lk_ternary_invert_neon,
};
#endif

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "neon", .needs = LK_CPU_NEON | (features),                                                             \
        .symmetric = {.keccak = &keccak,                                                                               \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &lk_neon_q3329), .negacyclic = LK_IF(LK_HAS_SABER, &lk_neon_negacyclic),          \
        .cyclic = LK_IF(LK_HAS_NTRU, &lk_neon_cyclic), .ternary = LK_IF(LK_HAS_NTRU, &lk_neon_ternary),                \
    }

const lk_backend lk_backend_neon[LK_NEON_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),
    VARIANT(LK_CPU_ARM_SHA2, lk_portable_aes, sha2),
    VARIANT(LK_CPU_ARM_AES, lk_neon_aes, lk_portable_sha2),
    VARIANT(LK_CPU_ARM_AES | LK_CPU_ARM_SHA2, lk_neon_aes, sha2),
};
