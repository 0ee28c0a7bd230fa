/* The portable kernels of NTRU's small polynomials. Contract: kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_PORTABLE_H
#define LK_RING_TERNARY_PORTABLE_H

#include "ring/ternary/kernels.h"

enum { LK_TERNARY_SCRATCH_UNIT_C = 256 };

void lk_ternary_sample_iid_c(lk_trits *t, const uint8_t *in, size_t n);
void lk_ternary_make_nonnegative_c(lk_trits *t, size_t n);
void lk_ternary_fixed_type_words_c(lk_ternary_words *a, const uint8_t *in, size_t n, size_t w);
void lk_ternary_sort_c(lk_ternary_words *a, size_t count, void *scratch);
void lk_ternary_words_to_trits_c(lk_trits *t, const lk_ternary_words *a, size_t n);
uint32_t lk_ternary_weight_differs_c(const lk_trits *t, size_t n, size_t w);
void lk_ternary_pack_c(uint8_t *out, const lk_trits *t, size_t n);
void lk_ternary_unpack_c(lk_trits *t, const uint8_t *in, size_t n);
void lk_ternary_lift_quotient_c(lk_trits *b, const lk_trits *t, size_t n);
void lk_ternary_invert_c(lk_trits *v, const lk_trits *t, size_t n, void *scratch);

#endif
