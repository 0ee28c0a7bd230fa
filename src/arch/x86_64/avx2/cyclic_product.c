/* Multiplication modulo X^n - 1 for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/cyclic.h"

#define LANES 16
#define V __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define BLOCKS(p, stride) _mm256_loadu2_m128i((const __m128i *)((p) + (stride)), (const __m128i *)(p))
#define UNPACK_LOW(bits, x, y) _mm256_unpacklo_epi##bits(x, y)
#define UNPACK_HIGH(bits, x, y) _mm256_unpackhi_epi##bits(x, y)
#define ADD(x, y) _mm256_add_epi16(x, y)
#define SUB(x, y) _mm256_sub_epi16(x, y)
#define MUL(x, y) _mm256_mullo_epi16(x, y)
#define SHL(x, n) _mm256_slli_epi16(x, n)
#define SHR(x, n) _mm256_srli_epi16(x, n)
#define SET1(c) _mm256_set1_epi16((short)(c))
#define ZERO _mm256_setzero_si256()

#include "arch/x86_64/cyclic_product.h"

_Static_assert(EVALUATED_UNIT == (int)LK_CYCLIC_EVALUATED_UNIT_AVX2, "");
_Static_assert(SCRATCH_UNIT == (int)LK_CYCLIC_SCRATCH_UNIT_AVX2, "");

void lk_cyclic_evaluate_avx2(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    evaluate(e, f->c, lk_cyclic_units(n), scratch);
}

void lk_cyclic_product_avx2(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                            void *restrict scratch)
{
    product(h, f, g, n, scratch);
}
