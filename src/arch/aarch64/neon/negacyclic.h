/* Multiplication modulo X^256 + 1 for NEON, which is compiled with other options. Contract: ring/negacyclic/kernels.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_NEGACYCLIC_H
#define LK_ARCH_AARCH64_NEON_NEGACYCLIC_H

#include "ring/negacyclic/kernels.h"

enum { LK_NEGACYCLIC_EVALUATED_BYTES = 1792, LK_NEGACYCLIC_SCRATCH_BYTES = 1024 };

void lk_negacyclic_evaluate_neon(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_evaluate_small_neon(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_inner_product_neon(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch);

#endif
