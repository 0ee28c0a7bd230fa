/* Multiplication, inversion and packing modulo X^n - 1 for NEON, which are compiled with other options or need PMULL.
 * Contract: ring/cyclic/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_CYCLIC_H
#define LK_ARCH_AARCH64_NEON_CYCLIC_H

#include "ring/cyclic/kernels.h"

enum { LK_CYCLIC_EVALUATED_UNIT = 896, LK_CYCLIC_SCRATCH_UNIT = 1728 };

void lk_cyclic_evaluate_neon(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_product_neon(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);
void lk_cyclic_invert_mod2_neon(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

void lk_cyclic_invert_mod2_pmull(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_lift_inverse_pmull(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_square_of_bits_pmull(lk_cyclic_poly *h, const lk_cyclic_poly *f, size_t n, unsigned bit, void *scratch);

void lk_cyclic_pack_d11_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d12_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d13_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_unpack_d11_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d12_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d13_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n);

#endif
