/* Portable kernels of NTRU's rings that are loops which compilers vectorise, compiled once more for the instructions of a
 * backend: the file that includes this defines BACKEND, the end of their names, and then includes the portable file.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_PORTABLE_AGAIN_H
#define LK_ARCH_X86_64_PORTABLE_AGAIN_H

#define LK_JOIN_(name, backend) name##backend
#define LK_JOIN(name, backend) LK_JOIN_(name, backend)

#define lk_cyclic_from_trits_c LK_JOIN(lk_cyclic_from_trits_, BACKEND)
#define lk_cyclic_mod3_c LK_JOIN(lk_cyclic_mod3_, BACKEND)
#define lk_cyclic_to_trits_c LK_JOIN(lk_cyclic_to_trits_, BACKEND)
#define lk_cyclic_times_x_minus_1_c LK_JOIN(lk_cyclic_times_x_minus_1_, BACKEND)
#define lk_cyclic_two_minus_c LK_JOIN(lk_cyclic_two_minus_, BACKEND)
#define lk_cyclic_add_c LK_JOIN(lk_cyclic_add_, BACKEND)
#define lk_cyclic_sub_c LK_JOIN(lk_cyclic_sub_, BACKEND)
#define lk_cyclic_mod_phi_c LK_JOIN(lk_cyclic_mod_phi_, BACKEND)
#define lk_cyclic_sum_zero_c LK_JOIN(lk_cyclic_sum_zero_, BACKEND)
#define lk_cyclic_pack_d11_c LK_JOIN(lk_cyclic_pack_d11_, BACKEND)
#define lk_cyclic_pack_d12_c LK_JOIN(lk_cyclic_pack_d12_, BACKEND)
#define lk_cyclic_pack_d13_c LK_JOIN(lk_cyclic_pack_d13_, BACKEND)
#define lk_cyclic_unpack_d11_c LK_JOIN(lk_cyclic_unpack_d11_, BACKEND)
#define lk_cyclic_unpack_d12_c LK_JOIN(lk_cyclic_unpack_d12_, BACKEND)
#define lk_cyclic_unpack_d13_c LK_JOIN(lk_cyclic_unpack_d13_, BACKEND)

#define lk_ternary_sample_iid_c LK_JOIN(lk_ternary_sample_iid_, BACKEND)
#define lk_ternary_make_nonnegative_c LK_JOIN(lk_ternary_make_nonnegative_, BACKEND)
#define lk_ternary_fixed_type_words_c LK_JOIN(lk_ternary_fixed_type_words_, BACKEND)
#define lk_ternary_words_to_trits_c LK_JOIN(lk_ternary_words_to_trits_, BACKEND)
#define lk_ternary_weight_differs_c LK_JOIN(lk_ternary_weight_differs_, BACKEND)
#define lk_ternary_pack_c LK_JOIN(lk_ternary_pack_, BACKEND)
#define lk_ternary_unpack_c LK_JOIN(lk_ternary_unpack_, BACKEND)
#define lk_ternary_lift_quotient_c LK_JOIN(lk_ternary_lift_quotient_, BACKEND)

#endif
