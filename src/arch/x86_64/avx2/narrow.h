/* Kernels of avx2 that avx512 takes because they are no slower in 256-bit registers: some on all cores, others where
 * instructions on 512-bit registers take two passes. Contracts: ring/cyclic/kernels.h, ring/ternary/kernels.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_NARROW_H
#define LK_ARCH_X86_64_AVX2_NARROW_H

#include "ring/cyclic/kernels.h"
#include "ring/ternary/kernels.h"

void lk_cyclic_evaluate_avx2(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_product_avx2(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);
void lk_cyclic_pack_d11_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d12_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d13_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_unpack_d12_avx2(lk_cyclic_poly *f, const uint8_t *in, size_t n);

void lk_ternary_fixed_type_words_avx2(lk_ternary_words *a, const uint8_t *in, size_t n, size_t w);
void lk_ternary_sort_avx2(lk_ternary_words *a, size_t count, void *scratch);
void lk_ternary_pack_avx2(uint8_t *out, const lk_trits *t, size_t n);
void lk_ternary_unpack_avx2(lk_trits *t, const uint8_t *in, size_t n);

/* Their places in a table. */
#define LK_CYCLIC_NARROW_PRODUCT .evaluate = lk_cyclic_evaluate_avx2, .product = lk_cyclic_product_avx2
#define LK_CYCLIC_NARROW_PACKING                                                                                       \
    .pack_d11 = lk_cyclic_pack_d11_avx2, .pack_d12 = lk_cyclic_pack_d12_avx2, .pack_d13 = lk_cyclic_pack_d13_avx2,     \
    .unpack_d12 = lk_cyclic_unpack_d12_avx2
#define LK_TERNARY_NARROW                                                                                              \
    .fixed_type_words = lk_ternary_fixed_type_words_avx2, .pack = lk_ternary_pack_avx2, .unpack = lk_ternary_unpack_avx2

#endif
