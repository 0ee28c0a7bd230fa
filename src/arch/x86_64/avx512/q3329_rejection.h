/* Rejection sampling modulo 3329 in 512-bit registers, which all tables of avx512 share: rej_uniform_vartime and
 * rej_uniform_lanes_vartime of ring/q3329/kernels.h, of public data. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_Q3329_REJECTION_H
#define LK_ARCH_X86_64_AVX512_Q3329_REJECTION_H

#include "ring/q3329/kernels.h"

size_t lk_q3329_rej_uniform_vartime_avx512(lk_poly *f, size_t have, const uint8_t *in, size_t len);
uint32_t lk_q3329_rej_uniform_lanes_vartime_avx512(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                   size_t lanes, size_t rate);

#endif
