/* A sorting network for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/ternary.h"

#define LANES 8
#define V __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define SET1(c) _mm256_set1_epi32(c)
#define MIN(x, y) _mm256_min_epi32(x, y)
#define MAX(x, y) _mm256_max_epi32(x, y)
#define BLOCKS(p, stride) _mm256_loadu2_m128i((const __m128i *)((p) + (stride)), (const __m128i *)(p))
#define UNPACK_LOW(bits, x, y) _mm256_unpacklo_epi##bits(x, y)
#define UNPACK_HIGH(bits, x, y) _mm256_unpackhi_epi##bits(x, y)
#define PERMUTE(x, lanes) _mm256_permutevar8x32_epi32(x, lanes)
#define XOR(x, y) _mm256_xor_si256(x, y)
#define BLEND(x, y, mask) _mm256_blendv_epi8(x, y, mask)

typedef __m256i lane_mask;

static inline __m256i lane_numbers(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

static inline lane_mask with_bit(__m256i lanes, int32_t d)
{
    const __m256i bit = _mm256_set1_epi32(d);
    return _mm256_cmpeq_epi32(_mm256_and_si256(lanes, bit), bit);
}

#include "arch/x86_64/ternary_sort.h"

_Static_assert(SCRATCH_UNIT <= (int)LK_TERNARY_SCRATCH_UNIT_AVX2, "");

void lk_ternary_sort_avx2(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    sort(a->c, count, scratch);
}
