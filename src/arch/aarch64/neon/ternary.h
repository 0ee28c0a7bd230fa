/* Sorting, products and inversion of NTRU's small polynomials for NEON, which are compiled with other options. Contract:
 * ring/ternary/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_TERNARY_H
#define LK_ARCH_AARCH64_NEON_TERNARY_H

#include "ring/ternary/kernels.h"

enum { LK_TERNARY_SCRATCH_UNIT = 896 };

void lk_ternary_sort_neon(lk_ternary_words *a, size_t count, void *scratch);
void lk_ternary_multiply_neon(lk_trits *h, const lk_trits *f, const lk_trits *g, size_t n, void *scratch);
void lk_ternary_invert_neon(lk_trits *v, const lk_trits *t, size_t n, void *scratch);

#endif
