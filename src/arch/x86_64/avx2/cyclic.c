/* The kernels of Z_q[X]/(X^n - 1) for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/cyclic_lift.h"
#include "arch/x86_64/avx2/divsteps.h"
#include "arch/x86_64/avx2/vec.h"
#include "arch/x86_64/cyclic_product.h"
#include "arch/x86_64/tables.h"
#include "ring/cyclic/coding.h"
#include "ring/cyclic/packing.h"

/* ---- Inversion modulo (2, Phi) ---- */

#define PLANES 1

static inline void eliminate(__m256i *f, __m256i *g, masks m)
{
    const __m256i sum = _mm256_xor_si256(g[0], _mm256_and_si256(f[0], m.add));
    f[0] = _mm256_blendv_epi8(f[0], g[0], m.swap);
    g[0] = sum;
}

#include "arch/x86_64/divsteps.h"

_Static_assert(sizeof(division) <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");
_Static_assert((size_t)LK_CYCLIC_LIFT_BYTES <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");

/* Lowest bits of 32 words, the first one uppermost. */
static inline uint32_t low_bits_reversed(const uint16_t *c)
{
    const __m256i down = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i one = _mm256_set1_epi16(1);
    const __m256i low = _mm256_and_si256(v_load(c), one), high = _mm256_and_si256(v_load(c + 16), one);
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0x8D);
    return (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(_mm256_shuffle_epi8(bytes, down), 7));
}

/* f modulo Phi is f - f_(n-1). */
static void invert_mod2(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    const size_t units = lk_cyclic_units(n);
    const uint64_t last = lk_mask64(f->c[n - 1] & 1);
    division *d = scratch;
    memset(&d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < units; i++) {
        const uint16_t *c = f->c + LK_CYCLIC_UNIT * (units - 1 - i);
        d->linear.w[0][i] = last ^ (low_bits_reversed(c + 32) | (uint64_t)low_bits_reversed(c) << 32);
    }
    (void)invert_planes(d, n);
    for (size_t i = 0; i < LK_CYCLIC_UNIT * units; i += 4) {
        const uint64_t words = _pdep_u64(d->linear.w[0][i / 64] >> (i % 64), 0x0001000100010001);
        memcpy(v->c + i, &words, sizeof words);
    }
}

const lk_cyclic_kernels lk_cyclic_avx2 = {
    .evaluated_unit = EVALUATED_UNIT,
    .scratch_unit = SCRATCH_UNIT,
    .evaluate = evaluate,
    .product = product,
    .invert_mod2 = invert_mod2,
    .lift_inverse = lk_cyclic_lift_inverse,
    .square_of_bits = lk_cyclic_square_of_bits,
    LK_CYCLIC_CODING,
    LK_CYCLIC_PACKING,
    .recompiled = &(const lk_cyclic_kernels){LK_CYCLIC_CODING, LK_CYCLIC_PACKING},
};
