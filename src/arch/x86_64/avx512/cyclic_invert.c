/* Inversion modulo (2, Phi) for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/cyclic.h"
#include "arch/x86_64/avx512/divsteps.h"

/* With one plane there is little to do in a step, and shifting 512 bits takes longest: 256 are faster. */
#define PLANES 1
#define WORDS 4
#define V __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define LOW_WORD(x) ((uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(x)))
#define SHIFT_DOWN(x) _mm256_shrdi_epi64(x, _mm256_alignr_epi64(_mm256_setzero_si256(), x, 1), 1)

static inline void eliminate(__m256i *f, __m256i *g, masks m)
{
    const __m256i sum = _mm256_mask_xor_epi64(g[0], m.add, g[0], f[0]);
    f[0] = _mm256_mask_mov_epi64(f[0], m.swap, g[0]);
    g[0] = sum;
}

#include "arch/x86_64/divsteps.h"

_Static_assert(sizeof(division) <= 8 * (size_t)LK_CYCLIC_SCRATCH_UNIT_AVX512, "the smallest n has 8 units");

/* Lowest bits of 32 words, the first one uppermost. */
static inline uint32_t low_bits_reversed(const uint16_t *c)
{
    const __m512i down = _mm512_set_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                          22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    return _mm512_test_epi16_mask(_mm512_permutexvar_epi16(down, _mm512_loadu_si512(c)), _mm512_set1_epi16(1));
}

/* f modulo Phi is f - f_(n-1). */
void lk_cyclic_invert_mod2_avx512(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n,
                                  void *restrict scratch)
{
    const size_t units = lk_cyclic_units(n);
    const uint64_t last = lk_mask64(f->c[n - 1] & 1);
    division *d = scratch;
    memset(&d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < units; i++) {
        const uint16_t *c = f->c + LK_CYCLIC_UNIT * (units - 1 - i);
        d->linear.w[0][i] = last ^ (low_bits_reversed(c + 32) | (uint64_t)low_bits_reversed(c) << 32);
    }
    (void)invert(d, n);
    for (size_t i = 0; i < LK_CYCLIC_UNIT * units; i += 32) {
        const __mmask32 bits = (__mmask32)(d->linear.w[0][i / 64] >> (i % 64));
        _mm512_storeu_si512(v->c + i, _mm512_maskz_mov_epi16(bits, _mm512_set1_epi16(1)));
    }
}
