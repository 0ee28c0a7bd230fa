/* The AVX2 kernels modulo powers of 2 for NTRU. Contract: ring/pow2/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_CYCLIC_H
#define LK_ARCH_X86_64_AVX2_CYCLIC_H

#include "ring/pow2/kernels.h"

enum { LK_CYCLIC_EVALUATED_UNIT_AVX2 = 512, LK_CYCLIC_SCRATCH_UNIT_AVX2 = 2176 };

void lk_cyclic_evaluate_avx2(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_product_avx2(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);
void lk_cyclic_invert_mod2_avx2(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

/* For avx512 too. */
void lk_cyclic_lift_inverse_avx2(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_square_of_bits_avx2(lk_cyclic_poly *h, const lk_cyclic_poly *f, size_t n, unsigned bit, void *scratch);

void lk_cyclic_from_trits_avx2(lk_cyclic_poly *f, const lk_trits *t, size_t n, unsigned scale);
void lk_cyclic_mod3_avx2(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);
uint32_t lk_cyclic_to_trits_avx2(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);
void lk_cyclic_times_x_minus_1_avx2(lk_cyclic_poly *f, size_t n);
void lk_cyclic_two_minus_avx2(lk_cyclic_poly *f, size_t n);
void lk_cyclic_add_avx2(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
void lk_cyclic_sub_avx2(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
void lk_cyclic_mod_phi_avx2(lk_cyclic_poly *f, size_t n);
void lk_cyclic_sum_zero_avx2(lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d11_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d12_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d13_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_unpack_d11_avx2(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d12_avx2(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d13_avx2(lk_cyclic_poly *f, const uint8_t *in, size_t n);

#endif
