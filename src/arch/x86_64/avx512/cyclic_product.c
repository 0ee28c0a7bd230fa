/* Multiplication modulo X^n - 1 for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/cyclic.h"

#define LANES 32
#define V __m512i
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, x) _mm512_storeu_si512(p, x)
#define BLOCKS(p, stride) load_blocks(p, stride)
#define UNPACK_LOW(bits, x, y) _mm512_unpacklo_epi##bits(x, y)
#define UNPACK_HIGH(bits, x, y) _mm512_unpackhi_epi##bits(x, y)
#define ADD(x, y) _mm512_add_epi16(x, y)
#define SUB(x, y) _mm512_sub_epi16(x, y)
#define MUL(x, y) _mm512_mullo_epi16(x, y)
#define SHL(x, n) _mm512_slli_epi16(x, n)
#define SHR(x, n) _mm512_srli_epi16(x, n)
#define SET1(c) _mm512_set1_epi16((short)(c))
#define ZERO _mm512_setzero_si512()

static inline __m512i load_blocks(const uint16_t *p, size_t stride)
{
    const __m128i *first = (const __m128i *)p, *second = (const __m128i *)(p + stride),
                  *third = (const __m128i *)(p + 2 * stride), *fourth = (const __m128i *)(p + 3 * stride);
    const __m512i two = _mm512_inserti64x2(_mm512_castsi128_si512(_mm_loadu_si128(first)), _mm_loadu_si128(second), 1);
    return _mm512_inserti64x2(_mm512_inserti64x2(two, _mm_loadu_si128(third), 2), _mm_loadu_si128(fourth), 3);
}

#include "arch/x86_64/cyclic_product.h"

_Static_assert(EVALUATED_UNIT == (int)LK_CYCLIC_EVALUATED_UNIT_AVX512, "");
_Static_assert(SCRATCH_UNIT == (int)LK_CYCLIC_SCRATCH_UNIT_AVX512, "");

void lk_cyclic_evaluate_avx512(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    evaluate(e, f->c, lk_cyclic_units(n), scratch);
}

void lk_cyclic_product_avx512(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                              void *restrict scratch)
{
    product(h, f, g, n, scratch);
}
