/* The beginning of Sample_fixed_type for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/first_of.h"
#include "arch/x86_64/avx512/ternary.h"

/* Eight indices of consecutive bytes. */
static inline long long bytes_from(long long first)
{
    return 0x0706050403020100 + 0x0101010101010101 * first;
}

/* Eight fields of 30 bits are 30 bytes; field k begins at bit 30 k. */
void lk_ternary_fixed_type_words_avx512(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
{
    const __m512i groups = _mm512_setr_epi64(bytes_from(0), bytes_from(3), bytes_from(7), bytes_from(11),
                                             bytes_from(15), bytes_from(18), bytes_from(22), bytes_from(26));
    const __m512i shifts = _mm512_setr_epi64(0, 6, 4, 2, 0, 6, 4, 2);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i ones_end = _mm256_set1_epi32((int)(w / 2)), twos_end = _mm256_set1_epi32((int)w);
    const size_t bytes = (30 * (n - 1) + 7) / 8;
    for (size_t i = 0; i < n - 1; i += 8) {
        const size_t at = i / 8 * 30;
        const __m512i packed = _mm512_maskz_loadu_epi8(first_of(bytes, at, 30), in + at);
        const __m512i fields = _mm512_srlv_epi64(_mm512_permutexvar_epi8(groups, packed), shifts);
        const __m256i words = _mm256_slli_epi32(_mm512_cvtepi64_epi32(fields), 2);
        const __m256i index = _mm256_add_epi32(lanes, _mm256_set1_epi32((int)i));
        const __m256i twos = _mm256_maskz_set1_epi32(_mm256_cmplt_epi32_mask(index, twos_end), 2);
        const __m256i tags = _mm256_mask_set1_epi32(twos, _mm256_cmplt_epi32_mask(index, ones_end), 1);
        _mm256_storeu_si256((__m256i *)(a->c + i), _mm256_or_si256(words, tags));
    }
}
