/* The portable backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/table.h"

#include "base/families.h"
#include "ring/pow2/portable.h"
#include "ring/q3329/portable.h"
#include "ring/ternary/portable.h"
#include "symmetric/aes/portable.h"
#include "symmetric/keccak/portable.h"
#include "symmetric/sha2/portable.h"

const lk_keccak_kernels lk_portable_keccak = {
    .lanes = 1,
    .permute = lk_keccak_permute_c,
    .absorb = lk_keccak_absorb_c,
    .squeeze = lk_keccak_squeeze_c,
};

#if LK_HAS_AES
const lk_aes_kernels lk_portable_aes = {
    .expand_key = lk_aes256_expand_key_c,
    .ctr = lk_aes256_ctr_c,
};
#endif

#if LK_HAS_90S
const lk_sha2_kernels lk_portable_sha2 = {
    .sha256_compress = lk_sha256_compress_c,
    .sha512_compress = lk_sha512_compress_c,
};
#endif

#if LK_HAS_MLKEM
const lk_q3329_kernels lk_portable_q3329 = {
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
#endif

#if LK_HAS_SABER
const lk_negacyclic_kernels lk_portable_negacyclic = {
    .evaluated_bytes = LK_NEGACYCLIC_EVALUATED_BYTES_C,
    .scratch_bytes = LK_NEGACYCLIC_SCRATCH_BYTES_C,
    .evaluate = lk_negacyclic_evaluate_c,
    .evaluate_small = lk_negacyclic_evaluate_c,
    .inner_product = lk_negacyclic_inner_product_c,
    .pack_d13 = lk_negacyclic_pack_d13_c,
    .unpack_d13 = lk_negacyclic_unpack_d13_c,
    .unpack_d10 = lk_negacyclic_unpack_d10_c,
    .round_d10 = lk_negacyclic_round_d10_c,
    .encrypt_d3 = lk_negacyclic_encrypt_d3_c,
    .encrypt_d4 = lk_negacyclic_encrypt_d4_c,
    .encrypt_d6 = lk_negacyclic_encrypt_d6_c,
    .decrypt_d3 = lk_negacyclic_decrypt_d3_c,
    .decrypt_d4 = lk_negacyclic_decrypt_d4_c,
    .decrypt_d6 = lk_negacyclic_decrypt_d6_c,
    .cbd_mu6 = lk_negacyclic_cbd_mu6_c,
    .cbd_mu8 = lk_negacyclic_cbd_mu8_c,
    .cbd_mu10 = lk_negacyclic_cbd_mu10_c,
};
#endif

#if LK_HAS_NTRU
const lk_cyclic_kernels lk_portable_cyclic = {
    .evaluated_unit = LK_CYCLIC_EVALUATED_UNIT_C,
    .scratch_unit = LK_CYCLIC_SCRATCH_UNIT_C,
    .evaluate = lk_cyclic_evaluate_c,
    .product = lk_cyclic_product_c,
    .invert_mod2 = lk_cyclic_invert_mod2_c,
    .lift_inverse = NULL,
    .square_of_bits = NULL,
    .from_trits = lk_cyclic_from_trits_c,
    .mod3 = lk_cyclic_mod3_c,
    .to_trits = lk_cyclic_to_trits_c,
    .times_x_minus_1 = lk_cyclic_times_x_minus_1_c,
    .two_minus = lk_cyclic_two_minus_c,
    .add = lk_cyclic_add_c,
    .sub = lk_cyclic_sub_c,
    .mod_phi = lk_cyclic_mod_phi_c,
    .sum_zero = lk_cyclic_sum_zero_c,
    .pack_d11 = lk_cyclic_pack_d11_c,
    .pack_d12 = lk_cyclic_pack_d12_c,
    .pack_d13 = lk_cyclic_pack_d13_c,
    .unpack_d11 = lk_cyclic_unpack_d11_c,
    .unpack_d12 = lk_cyclic_unpack_d12_c,
    .unpack_d13 = lk_cyclic_unpack_d13_c,
};

const lk_ternary_kernels lk_portable_ternary = {
    .scratch_unit = LK_TERNARY_SCRATCH_UNIT_C,
    .sample_iid = lk_ternary_sample_iid_c,
    .make_nonnegative = lk_ternary_make_nonnegative_c,
    .fixed_type_words = lk_ternary_fixed_type_words_c,
    .sort = lk_ternary_sort_c,
    .words_to_trits = lk_ternary_words_to_trits_c,
    .weight_differs = lk_ternary_weight_differs_c,
    .pack = lk_ternary_pack_c,
    .unpack = lk_ternary_unpack_c,
    .lift_quotient = lk_ternary_lift_quotient_c,
    .invert = lk_ternary_invert_c,
};
#endif

const lk_backend lk_backend_portable = {
    .name = "portable",
    .needs = 0,
    .symmetric = {.keccak = &lk_portable_keccak,
                  .aes = LK_IF(LK_HAS_AES, &lk_portable_aes),
                  .sha2 = LK_IF(LK_HAS_90S, &lk_portable_sha2)},
    .q3329 = LK_IF(LK_HAS_MLKEM, &lk_portable_q3329),
    .negacyclic = LK_IF(LK_HAS_SABER, &lk_portable_negacyclic),
    .cyclic = LK_IF(LK_HAS_NTRU, &lk_portable_cyclic),
    .ternary = LK_IF(LK_HAS_NTRU, &lk_portable_ternary),
};
