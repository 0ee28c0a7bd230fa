/* The NEON kernels of Z_3329[X]/(X^256 + 1). Contract: ring/q3329/kernels.h.
 *
 * Order of NTT values: in each group of 64, four blocks of eight pairs, the first values of all pairs come before the
 * second ones, and among these the same pair of the four blocks is together. In bits, the standard's place i7 i6 i5
 * i4 i3 i2 i1 i0 becomes i7 i6 i0 i3 i2 i1 i5 i4. Each register is then one half of eight pairs, and the layers within
 * blocks run between registers; ld4 and st4 are the way to the standard order and back.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_Q3329_H
#define LK_ARCH_AARCH64_NEON_Q3329_H

#include "ring/q3329/kernels.h"

size_t lk_q3329_rej_uniform_vartime_neon(lk_poly *f, size_t have, const uint8_t *in, size_t len);
uint32_t lk_q3329_rej_uniform_lanes_vartime_neon(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                 size_t lanes, size_t rate); /* 2 or 3 lanes */

#endif
