/* The NEON kernels modulo powers of 2 for NTRU. Contract: ring/pow2/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_CYCLIC_H
#define LK_ARCH_AARCH64_NEON_CYCLIC_H

#include "ring/pow2/kernels.h"

enum { LK_CYCLIC_EVALUATED_UNIT_NEON = 896, LK_CYCLIC_SCRATCH_UNIT_NEON = 1728 };

void lk_cyclic_evaluate_neon(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_product_neon(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);
void lk_cyclic_invert_mod2_neon(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

void lk_cyclic_from_trits_neon(lk_cyclic_poly *f, const lk_trits *t, size_t n, unsigned scale);
void lk_cyclic_mod3_neon(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);
uint32_t lk_cyclic_to_trits_neon(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);
void lk_cyclic_times_x_minus_1_neon(lk_cyclic_poly *f, size_t n);
void lk_cyclic_two_minus_neon(lk_cyclic_poly *f, size_t n);
void lk_cyclic_add_neon(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
void lk_cyclic_sub_neon(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
void lk_cyclic_mod_phi_neon(lk_cyclic_poly *f, size_t n);
void lk_cyclic_sum_zero_neon(lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d11_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d12_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d13_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_unpack_d11_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d12_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d13_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n);

#endif
