/* Inverses and squares modulo 4 with AVX2 and carry-less multiplication, for avx2 and avx512. Contract:
 * ring/cyclic/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_CYCLIC_LIFT_H
#define LK_ARCH_X86_64_AVX2_CYCLIC_LIFT_H

#include "ring/cyclic/kernels.h"

enum { LK_CYCLIC_LIFT_BYTES = 896 /* of scratch memory */ };

void lk_cyclic_lift_inverse(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_square_of_bits(lk_cyclic_poly *h, const lk_cyclic_poly *f, size_t n, unsigned bit, void *scratch);

#endif
