/* The kernels of NTRU's small polynomials for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/narrow.h"
#include "arch/x86_64/avx512/divsteps.h"
#include "arch/x86_64/avx512/vec.h"
#include "arch/x86_64/tables.h"
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

const lk_ternary_kernels lk_ternary_avx512 = {
    .scratch_unit = SCRATCH_UNIT,
    LK_TERNARY_NARROW,
    .sort = sort,
    .invert = invert,
    LK_TERNARY_SAMPLING,
    .recompiled = &(const lk_ternary_kernels){LK_TERNARY_SAMPLING},
};

const lk_ternary_kernels lk_ternary_avx512_halves = {
    .scratch_unit = SCRATCH_UNIT,
    LK_TERNARY_NARROW,
    .sort = lk_ternary_sort_avx2,
    .invert = invert,
    LK_TERNARY_SAMPLING,
    .recompiled = &(const lk_ternary_kernels){LK_TERNARY_SAMPLING},
};
