/* Packing of NTRU's small polynomials for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/first_of.h"
#include "arch/x86_64/avx512/ternary.h"

/* Five trits go to a group of eight bytes, of which the three others have no weight. */
void lk_ternary_pack_avx512(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
{
    const long long first = 0x0000000403020100, five = 0x0000000505050505;
    const __m512i fives = _mm512_setr_epi64(first, first + five, first + 2 * five, first + 3 * five, first + 4 * five,
                                            first + 5 * five, first + 6 * five, first + 7 * five);
    const __m512i weights = _mm512_set1_epi64(81LL << 32 | 27 << 24 | 9 << 16 | 3 << 8 | 1);
    for (size_t i = 0; 5 * i < n - 1; i += 8) {
        const __m512i trits = _mm512_maskz_loadu_epi8(first_of(n - 1, 5 * i, 40), t->c + 5 * i);
        const __m512i pairs = _mm512_maddubs_epi16(_mm512_permutexvar_epi8(fives, trits), weights);
        const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
        const __m512i sums = _mm512_add_epi32(fours, _mm512_srli_epi64(fours, 32));
        _mm512_mask_cvtepi64_storeu_epi8(out + i, (__mmask8)first_of(lk_fifth(n + 3), i, 8), sums);
    }
}

/* Trit j is byte j / 5, divided by 3^(j % 5), modulo 3. The quotients are high halves of products with 2^16 / 3^(j % 5) rounded
 * up, which is exact for bytes; where j % 5 is 0, with the byte times 2^8 and 2^8. */
void lk_ternary_unpack_avx512(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const __m512i factors = _mm512_maskz_loadu_epi16(31, (const uint16_t[5]){256, 21846, 7282, 2428, 810});
    const __m512i third = _mm512_set1_epi16(21846), three = _mm512_set1_epi16(3);
    const __m512i j = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12,
                                       11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (size_t i = 0; i < lk_cyclic_places(n); i += 32) {
        const size_t at = lk_fifth(i), bytes = lk_fifth(n + 3);
        const __m512i from = _mm512_add_epi16(j, _mm512_set1_epi16((short)(i - 5 * at)));
        const __m512i bytes_of = _mm512_mulhi_epu16(from, _mm512_set1_epi16(13108)); /* j / 5 */
        const __m512i powers = _mm512_sub_epi16(from, _mm512_mullo_epi16(bytes_of, _mm512_set1_epi16(5)));
        const __m512i packed = _mm512_maskz_loadu_epi8(first_of(bytes, at, 8), in + (at < bytes ? at : 0));
        const __m512i spread = _mm512_maskz_permutexvar_epi8(0x5555555555555555, bytes_of, packed);
        const __m512i x = _mm512_mask_slli_epi16(spread, _mm512_testn_epi16_mask(powers, powers), spread, 8);
        const __m512i quotient = _mm512_mulhi_epu16(x, _mm512_permutexvar_epi16(powers, factors));
        const __m512i thirds = _mm512_mulhi_epu16(quotient, third);
        const __m512i trits = _mm512_sub_epi16(quotient, _mm512_mullo_epi16(thirds, three));
        const __m512i some = _mm512_maskz_mov_epi16((__mmask32)first_of(n - 1, i, 32), trits);
        _mm256_storeu_si256((__m256i *)(t->c + i), _mm512_cvtepi16_epi8(some));
    }
}
