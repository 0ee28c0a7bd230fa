/* The kernels of NTRU's small polynomials for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/narrow.h"
#include "arch/x86_64/avx512/divsteps.h"
#include "arch/x86_64/avx512/first_of.h"
#include "arch/x86_64/avx512/packing.h"
#include "arch/x86_64/avx512/vec.h"
#include "arch/x86_64/tables.h"
#include "arch/x86_64/ternary_digits.h"
#include "ring/ternary/sampling.h"

/* ---- Sorting network ---- */

#include "arch/x86_64/ternary_sort.h"

/* ---- Inversion modulo (3, Phi) ---- */

#define BIT_PLANES 2
#define WORDS 8
#define DEALT 0
#define SHIFT_DOWN(x) _mm512_shrdi_epi64(x, _mm512_alignr_epi64(_mm512_setzero_si512(), x, 1), 1)

/* The sum of trits x and y is (x0 ^ y1) & (x1 ^ y0) for its sign and (x0 ^ y0) | (x1 ^ x0 ^ y1) for being nonzero. */
static inline void eliminate(__m512i *f, __m512i *g, masks m)
{
    const __m512i f0 = f[0], f1 = f[1], g0 = g[0], g1 = g[1];
    const __m512i sign = _mm512_mask_xor_epi64(f1, m.minus, f1, f0);
    const __m512i other = _mm512_ternarylogic_epi64(g1, g0, sign, 0x96);
    f[0] = _mm512_mask_mov_epi64(f0, m.swap, g0);
    f[1] = _mm512_mask_mov_epi64(f1, m.swap, g1);
    g[0] = _mm512_mask_ternarylogic_epi64(g0, m.add, f0, other, 0xBE); /* (g0 ^ f0) | other */
    g[1] = _mm512_mask_ternarylogic_epi64(g1, m.add, other, f0, 0x18); /* (g1 ^ other) & (g1 ^ f0) */
}

#include "arch/x86_64/divsteps.h"

_Static_assert(sizeof(division) <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");

static inline __m512i reversed(__m512i x)
{
    const long long first = 0x38393A3B3C3D3E3F, step = 0x0808080808080808;
    return _mm512_permutexvar_epi8(_mm512_setr_epi64(first, first - step, first - 2 * step, first - 3 * step,
                                                     first - 4 * step, first - 5 * step, first - 6 * step,
                                                     first - 7 * step),
                                   x);
}

/* t modulo Phi is t - t_(n-1), and x - y = x + 2 y modulo 3 at most 6. */
static void invert(lk_trits *restrict v, const lk_trits *restrict t, size_t n, void *restrict scratch)
{
    const size_t units = lk_cyclic_units(n);
    const __m512i mod3 = _mm512_set1_epi64(0x0000020100020100);
    const __m512i last = _mm512_set1_epi8((char)(2 * t->c[n - 1])), ones = _mm512_set1_epi8(1),
                  twos = _mm512_set1_epi8(2);
    division *d = scratch;
    memset(&d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < units; i++) {
        const __m512i trits = _mm512_loadu_si512(t->c + LK_CYCLIC_UNIT * (units - 1 - i));
        const __m512i x = _mm512_shuffle_epi8(mod3, _mm512_add_epi8(reversed(trits), last));
        d->linear.w[0][i] = _mm512_test_epi8_mask(x, x);
        d->linear.w[1][i] = _mm512_test_epi8_mask(x, twos);
    }
    const uint64_t negate = lk_mask64(invert_planes(d, n));
    for (size_t i = 0; i < units; i++) {
        const uint64_t nonzero = d->linear.w[0][i], minus = d->linear.w[1][i] ^ (nonzero & negate);
        const __m512i trits = _mm512_mask_mov_epi8(_mm512_maskz_mov_epi8(nonzero, ones), minus, twos);
        _mm512_storeu_si512(v->c + LK_CYCLIC_UNIT * i, trits);
    }
}

/* ---- Sampling and packing ---- */

/* Eight fields of 30 bits are 30 bytes; field k begins at bit 30 k. */
static void fixed_type_words(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
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

/* Five trits go to a group of eight bytes; the three others have no weight. */
static void pack(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
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

/* Trit j is digit j % 5 of byte j / 5. */
static void unpack(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const __m512i factors = _mm512_maskz_loadu_epi16(31, trit_factors);
    const __m512i three = _mm512_set1_epi16(3);
    const __m512i j = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12,
                                       11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (size_t i = 0; i < lk_cyclic_places(n); i += 32) {
        const size_t at = lk_fifth(i), bytes = lk_fifth(n + 3);
        const __m512i from = _mm512_add_epi16(j, _mm512_set1_epi16((short)(i - 5 * at)));
        const __m512i bytes_of = _mm512_mulhi_epu16(from, _mm512_set1_epi16(13108)); /* j / 5 */
        const __m512i digits = _mm512_sub_epi16(from, _mm512_mullo_epi16(bytes_of, _mm512_set1_epi16(5)));
        const __m512i packed = _mm512_maskz_loadu_epi8(first_of(bytes, at, 8), in + (at < bytes ? at : 0));
        const __m512i spread = _mm512_maskz_permutexvar_epi8(0x5555555555555555, bytes_of, packed);
        const __m512i fractions = _mm512_mullo_epi16(spread, _mm512_permutexvar_epi16(digits, factors));
        const __m512i trits = _mm512_mulhi_epu16(fractions, three);
        const __m512i some = _mm512_maskz_mov_epi16((__mmask32)first_of(n - 1, i, 32), trits);
        _mm256_storeu_si256((__m256i *)(t->c + i), _mm512_cvtepi16_epi8(some));
    }
}

const lk_ternary_kernels lk_ternary_avx512 = {
    .scratch_unit = SCRATCH_UNIT,
    .fixed_type_words = fixed_type_words,
    .sort = sort,
    .pack = pack,
    .unpack = unpack,
    .invert = invert,
    LK_TERNARY_SAMPLING,
    .recompiled = &(const lk_ternary_kernels){LK_TERNARY_SAMPLING},
};

const lk_ternary_kernels lk_ternary_avx512_halves = {
    .scratch_unit = SCRATCH_UNIT,
    LK_TERNARY_NARROW,
    .invert = invert,
    LK_TERNARY_SAMPLING,
    .recompiled = &(const lk_ternary_kernels){LK_TERNARY_SAMPLING},
};
