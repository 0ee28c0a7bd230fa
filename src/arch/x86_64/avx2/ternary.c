/* The kernels of NTRU's small polynomials for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/divsteps.h"
#include "arch/x86_64/avx2/vec.h"
#include "arch/x86_64/tables.h"
#include "ring/ternary/fixed_type.h"
#include "ring/ternary/packing.h"
#include "ring/ternary/sampling.h"

/* ---- Sorting network ---- */

#define SET1(c) _mm256_set1_epi32(c)
#define MIN(x, y) _mm256_min_epi32(x, y)
#define MAX(x, y) _mm256_max_epi32(x, y)
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

/* ---- Inversion modulo (3, Phi) ---- */

#define PLANES 2

static inline __m256i select_words(__m256i a, __m256i b, __m256i mask)
{
    return _mm256_blendv_epi8(a, b, mask);
}

/* The sum of trits x and y is (x0 ^ y1) & (x1 ^ y0) for its sign and (x0 ^ y0) | (x1 ^ x0 ^ y1) for being nonzero; y is
 * 0 where the step adds nothing. */
static inline void eliminate(__m256i *f, __m256i *g, masks m)
{
    const __m256i f0 = f[0], f1 = f[1], g0 = g[0], g1 = g[1];
    const __m256i y0 = _mm256_and_si256(f0, m.add);
    const __m256i y1 = _mm256_xor_si256(_mm256_and_si256(f1, m.add), _mm256_and_si256(f0, m.minus));
    const __m256i cross = _mm256_xor_si256(g0, y1);
    f[0] = select_words(f0, g0, m.swap);
    f[1] = select_words(f1, g1, m.swap);
    g[0] = _mm256_or_si256(_mm256_xor_si256(g0, y0), _mm256_xor_si256(g1, cross));
    g[1] = _mm256_and_si256(cross, _mm256_xor_si256(g1, y0));
}

#include "arch/x86_64/divsteps.h"

_Static_assert(sizeof(division) <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");

static inline __m256i reversed(__m256i x)
{
    const __m256i down = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, down), 0x4E);
}

/* t modulo Phi is t - t_(n-1), and x - y = x + 2 y modulo 3 at most 6. Bits 0 and 1 of the trits become the planes. */
static void invert(lk_trits *restrict v, const lk_trits *restrict t, size_t n, void *restrict scratch)
{
    const size_t places = lk_cyclic_places(n);
    const __m256i mod3 = _mm256_set1_epi64x(0x0000020100020100), last = _mm256_set1_epi8((char)(2 * t->c[n - 1]));
    division *d = scratch;
    memset(&d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < places; i += 32) {
        const __m256i trits = v_load(t->c + places - 32 - i);
        const __m256i x = _mm256_shuffle_epi8(mod3, _mm256_add_epi8(reversed(trits), last));
        const uint32_t ones = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(x, 7));
        const uint32_t twos = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(x, 6));
        d->linear.w[0][i / 64] |= (uint64_t)(ones | twos) << (i % 64);
        d->linear.w[1][i / 64] |= (uint64_t)twos << (i % 64);
    }
    const uint64_t negate = lk_mask64(invert_planes(d, n));
    for (size_t i = 0; i < places; i += 8) {
        const uint64_t nonzero = d->linear.w[0][i / 64], minus = d->linear.w[1][i / 64] ^ (nonzero & negate);
        const uint64_t each = 0x0101010101010101;
        const uint64_t trits = _pdep_u64(nonzero >> (i % 64), each) + _pdep_u64(minus >> (i % 64), each);
        memcpy(v->c + i, &trits, sizeof trits);
    }
}

const lk_ternary_kernels lk_ternary_avx2 = {
    .scratch_unit = SCRATCH_UNIT,
    .sort = sort,
    .invert = invert,
    LK_TERNARY_SAMPLING,
    LK_TERNARY_FIXED_TYPE,
    LK_TERNARY_PACKING,
    .recompiled = &(const lk_ternary_kernels){LK_TERNARY_SAMPLING, LK_TERNARY_FIXED_TYPE, LK_TERNARY_PACKING},
};
