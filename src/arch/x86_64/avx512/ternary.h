/* The AVX-512 kernels of NTRU's small polynomials. Contract: ring/ternary/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_TERNARY_H
#define LK_ARCH_X86_64_AVX512_TERNARY_H

#include "ring/ternary/kernels.h"

enum { LK_TERNARY_SCRATCH_UNIT_AVX512 = 1024 };

void lk_ternary_sample_iid_avx512(lk_trits *t, const uint8_t *in, size_t n);
void lk_ternary_make_nonnegative_avx512(lk_trits *t, size_t n);
void lk_ternary_fixed_type_words_avx512(lk_ternary_words *a, const uint8_t *in, size_t n, size_t w);
void lk_ternary_sort_avx512(lk_ternary_words *a, size_t count, void *scratch);
void lk_ternary_words_to_trits_avx512(lk_trits *t, const lk_ternary_words *a, size_t n);
uint32_t lk_ternary_weight_differs_avx512(const lk_trits *t, size_t n, size_t w);
void lk_ternary_pack_avx512(uint8_t *out, const lk_trits *t, size_t n);
void lk_ternary_unpack_avx512(lk_trits *t, const uint8_t *in, size_t n);
void lk_ternary_lift_quotient_avx512(lk_trits *b, const lk_trits *t, size_t n);
void lk_ternary_invert_avx512(lk_trits *v, const lk_trits *t, size_t n, void *scratch);

#endif
