/* The NEON kernels of NTRU's small polynomials. Contract: ring/ternary/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_TERNARY_H
#define LK_ARCH_AARCH64_NEON_TERNARY_H

#include "ring/ternary/kernels.h"

enum { LK_TERNARY_SCRATCH_UNIT_NEON = 768 };

void lk_ternary_sample_iid_neon(lk_trits *t, const uint8_t *in, size_t n);
void lk_ternary_make_nonnegative_neon(lk_trits *t, size_t n);
void lk_ternary_fixed_type_words_neon(lk_ternary_words *a, const uint8_t *in, size_t n, size_t w);
void lk_ternary_sort_neon(lk_ternary_words *a, size_t count, void *scratch);
void lk_ternary_words_to_trits_neon(lk_trits *t, const lk_ternary_words *a, size_t n);
uint32_t lk_ternary_weight_differs_neon(const lk_trits *t, size_t n, size_t w);
void lk_ternary_pack_neon(uint8_t *out, const lk_trits *t, size_t n);
void lk_ternary_unpack_neon(lk_trits *t, const uint8_t *in, size_t n);
void lk_ternary_lift_quotient_neon(lk_trits *b, const lk_trits *t, size_t n);
void lk_ternary_invert_neon(lk_trits *v, const lk_trits *t, size_t n, void *scratch);

#endif
