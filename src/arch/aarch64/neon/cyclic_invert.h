/* The NEON kernel that inverts modulo (2, Phi). Contract: ring/pow2/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_CYCLIC_INVERT_H
#define LK_ARCH_AARCH64_NEON_CYCLIC_INVERT_H

#include "ring/pow2/kernels.h"

enum { LK_CYCLIC_INVERT_SCRATCH_UNIT_NEON = 576 };

void lk_cyclic_invert_mod2_neon(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

#endif
