/* The avx512 backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"
#include "arch/cpu.h"
#include "arch/x86_64/avx2/cyclic.h"
#include "arch/x86_64/avx512/cyclic.h"
#include "arch/x86_64/avx512/negacyclic.h"
#include "arch/x86_64/avx512/q3329.h"
#include "arch/x86_64/avx512/ternary.h"
#include "arch/x86_64/symmetric.h"
#include "arch/x86_64/tables.h"
#include "base/families.h"
#include "symmetric/sha2/portable.h"

static const lk_keccak_kernels keccak = {
    .lanes = 8,
    .pairs = 1,
    .permute = lk_keccak_permute_avx512,
    .absorb = lk_keccak_absorb_avx512,
    .squeeze = lk_keccak_squeeze_avx512,
};

#if LK_HAS_AES
static const lk_aes_kernels aesni = {
    .instructions = 1,
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = lk_aes256_ctr_aesni,
};

static const lk_aes_kernels vaes = {
    .instructions = 1,
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = lk_aes256_ctr_vaes,
};
#endif

#if LK_HAS_90S
static const lk_sha2_kernels shani = {
    .sha256_compress = lk_sha256_compress_shani,
    .sha512_compress = lk_sha512_compress_c,
};
#endif

#if LK_HAS_MLKEM
static const lk_q3329_kernels q3329 = {
    .ntt = lk_q3329_ntt_avx512,
    .invntt_tomont = lk_q3329_invntt_tomont_avx512,
    .mulcache = lk_q3329_mulcache_avx512,
    .inner_product = lk_q3329_inner_product_avx512,
    .tomont = lk_q3329_tomont_avx512,
    .add = lk_q3329_add_avx512,
    .sub_from = lk_q3329_sub_from_avx512,
    .reduce = lk_q3329_reduce_avx512,
    .encode_d12 = lk_q3329_encode_d12_avx512,
    .decode_d12 = lk_q3329_decode_d12_avx512,
    .compress_d1 = lk_q3329_compress_d1_avx512,
    .compress_d4 = lk_q3329_compress_d4_avx512,
    .compress_d5 = lk_q3329_compress_d5_avx512,
    .compress_d10 = lk_q3329_compress_d10_avx512,
    .compress_d11 = lk_q3329_compress_d11_avx512,
    .decompress_d1 = lk_q3329_decompress_d1_avx512,
    .decompress_d4 = lk_q3329_decompress_d4_avx512,
    .decompress_d5 = lk_q3329_decompress_d5_avx512,
    .decompress_d10 = lk_q3329_decompress_d10_avx512,
    .decompress_d11 = lk_q3329_decompress_d11_avx512,
    .cbd_eta2 = lk_q3329_cbd_eta2_avx512,
    .cbd_eta3 = lk_q3329_cbd_eta3_avx512,
    .rej_uniform_vartime = lk_q3329_rej_uniform_vartime_avx512,
    .rej_uniform_lanes_vartime = lk_q3329_rej_uniform_lanes_vartime_avx512,
    .ntt_order = NULL,
};
#endif

#if LK_HAS_SABER
static const lk_negacyclic_kernels negacyclic = {
    .evaluated_bytes = LK_NEGACYCLIC_EVALUATED_BYTES_AVX512,
    .scratch_bytes = LK_NEGACYCLIC_SCRATCH_BYTES_AVX512,
    .evaluate = lk_negacyclic_evaluate_avx512,
    .evaluate_small = lk_negacyclic_evaluate_small_avx512,
    .inner_product = lk_negacyclic_inner_product_avx512,
    .pack_d13 = lk_negacyclic_pack_d13_avx512,
    .unpack_d13 = lk_negacyclic_unpack_d13_avx512,
    .unpack_d10 = lk_negacyclic_unpack_d10_avx512,
    .round_d10 = lk_negacyclic_round_d10_avx512,
    .encrypt_d3 = lk_negacyclic_encrypt_d3_avx512,
    .encrypt_d4 = lk_negacyclic_encrypt_d4_avx512,
    .encrypt_d6 = lk_negacyclic_encrypt_d6_avx512,
    .decrypt_d3 = lk_negacyclic_decrypt_d3_avx512,
    .decrypt_d4 = lk_negacyclic_decrypt_d4_avx512,
    .decrypt_d6 = lk_negacyclic_decrypt_d6_avx512,
    .cbd_mu6 = lk_negacyclic_cbd_mu6_avx512,
    .cbd_mu8 = lk_negacyclic_cbd_mu8_avx512,
    .cbd_mu10 = lk_negacyclic_cbd_mu10_avx512,
};
#endif

#if LK_HAS_NTRU
static const lk_cyclic_kernels cyclic = {
    .evaluated_unit = LK_CYCLIC_EVALUATED_UNIT_AVX512,
    .scratch_unit = LK_CYCLIC_SCRATCH_UNIT_AVX512,
    .evaluate = lk_cyclic_evaluate_avx512,
    .product = lk_cyclic_product_avx512,
    .invert_mod2 = lk_cyclic_invert_mod2_avx512,
    .lift_inverse = lk_cyclic_lift_inverse_avx2,
    .square_of_bits = lk_cyclic_square_of_bits_avx2,
    .from_trits = lk_cyclic_from_trits_avx512,
    .mod3 = lk_cyclic_mod3_avx512,
    .to_trits = lk_cyclic_to_trits_avx512,
    .times_x_minus_1 = lk_cyclic_times_x_minus_1_avx512,
    .two_minus = lk_cyclic_two_minus_avx512,
    .add = lk_cyclic_add_avx512,
    .sub = lk_cyclic_sub_avx512,
    .mod_phi = lk_cyclic_mod_phi_avx512,
    .sum_zero = lk_cyclic_sum_zero_avx512,
    .pack_d11 = lk_cyclic_pack_d11_avx512,
    .pack_d12 = lk_cyclic_pack_d12_avx512,
    .pack_d13 = lk_cyclic_pack_d13_avx512,
    .unpack_d11 = lk_cyclic_unpack_d11_avx512,
    .unpack_d12 = lk_cyclic_unpack_d12_avx512,
    .unpack_d13 = lk_cyclic_unpack_d13_avx512,
};

static const lk_ternary_kernels ternary = {
    .scratch_unit = LK_TERNARY_SCRATCH_UNIT_AVX512,
    .sample_iid = lk_ternary_sample_iid_avx512,
    .make_nonnegative = lk_ternary_make_nonnegative_avx512,
    .fixed_type_words = lk_ternary_fixed_type_words_avx512,
    .sort = lk_ternary_sort_avx512,
    .words_to_trits = lk_ternary_words_to_trits_avx512,
    .weight_differs = lk_ternary_weight_differs_avx512,
    .pack = lk_ternary_pack_avx512,
    .unpack = lk_ternary_unpack_avx512,
    .lift_quotient = lk_ternary_lift_quotient_avx512,
    .invert = lk_ternary_invert_avx512,
};
#endif

#define VARIANT(features, aes_table, sha2_table)                                                                       \
    {                                                                                                                  \
        .name = "avx512", .needs = LK_CPU_AVX2 | LK_CPU_AVX512 | (features),                                           \
        .symmetric = {.keccak = &keccak,                                                                               \
                      .aes = LK_IF(LK_HAS_AES, &(aes_table)),                                                          \
                      .sha2 = LK_IF(LK_HAS_90S, &(sha2_table))},                                                       \
        .q3329 = LK_IF(LK_HAS_MLKEM, &q3329), .negacyclic = LK_IF(LK_HAS_SABER, &negacyclic),                          \
        .cyclic = LK_IF(LK_HAS_NTRU, &cyclic), .ternary = LK_IF(LK_HAS_NTRU, &ternary),                                \
    }

const lk_backend lk_backend_avx512[LK_AVX512_VARIANTS] = {
    VARIANT(0, lk_portable_aes, lk_portable_sha2),  VARIANT(LK_CPU_SHANI, lk_portable_aes, shani),
    VARIANT(LK_CPU_AESNI, aesni, lk_portable_sha2), VARIANT(LK_CPU_AESNI | LK_CPU_SHANI, aesni, shani),
    VARIANT(LK_CPU_VAES, vaes, lk_portable_sha2),   VARIANT(LK_CPU_VAES | LK_CPU_SHANI, vaes, shani),
};
