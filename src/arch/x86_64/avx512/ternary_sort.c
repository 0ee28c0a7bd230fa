/* A sorting network for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/ternary.h"

#define LANES 16
#define V __m512i
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, x) _mm512_storeu_si512(p, x)
#define SET1(c) _mm512_set1_epi32(c)
#define MIN(x, y) _mm512_min_epi32(x, y)
#define MAX(x, y) _mm512_max_epi32(x, y)
#define BLOCKS(p, stride) load_blocks(p, stride)
#define UNPACK_LOW(bits, x, y) _mm512_unpacklo_epi##bits(x, y)
#define UNPACK_HIGH(bits, x, y) _mm512_unpackhi_epi##bits(x, y)
#define PERMUTE(x, lanes) _mm512_permutexvar_epi32(lanes, x)
#define XOR(x, y) _mm512_xor_si512(x, y)
#define BLEND(x, y, mask) _mm512_mask_mov_epi32(x, mask, y)

typedef __mmask16 lane_mask;

static inline __m512i load_blocks(const int32_t *p, size_t stride)
{
    const __m128i *first = (const __m128i *)p, *second = (const __m128i *)(p + stride),
                  *third = (const __m128i *)(p + 2 * stride), *fourth = (const __m128i *)(p + 3 * stride);
    const __m512i two = _mm512_inserti64x2(_mm512_castsi128_si512(_mm_loadu_si128(first)), _mm_loadu_si128(second), 1);
    return _mm512_inserti64x2(_mm512_inserti64x2(two, _mm_loadu_si128(third), 2), _mm_loadu_si128(fourth), 3);
}

static inline __m512i lane_numbers(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline lane_mask with_bit(__m512i lanes, int32_t d)
{
    return _mm512_test_epi32_mask(lanes, _mm512_set1_epi32(d));
}

#include "arch/x86_64/ternary_sort.h"

_Static_assert(SCRATCH_UNIT <= (int)LK_TERNARY_SCRATCH_UNIT_AVX512, "");

void lk_ternary_sort_avx512(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    sort(a->c, count, scratch);
}
