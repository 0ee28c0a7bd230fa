/* The kernels of Z_q[X]/(X^n - 1) for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/cyclic_lift.h"
#include "arch/x86_64/avx2/divsteps.h"
#include "arch/x86_64/avx2/narrow.h"
#include "arch/x86_64/avx2/packing.h"
#include "arch/x86_64/avx2/vec.h"
#include "arch/x86_64/cyclic_product.h"
#include "arch/x86_64/tables.h"
#include "ring/cyclic/coding.h"

/* ---- Inversion modulo (2, Phi) ---- */

#define BIT_PLANES 1

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

/* ---- Packing: n - 1 coefficients are some registers of 16, and 4 or 12 more ---- */

/* The rest has more bytes than a register writes or reads beyond its own. */
static inline void pack(uint8_t *out, const lk_cyclic_poly *f, size_t n, unsigned d)
{
    const size_t whole = (n - 1) / LANES, rest = (n - 1) % LANES;
    const vec mask = v_set((1 << d) - 1);
    uint16_t words[LANES] = {0};
    uint8_t bytes[2 * LANES];
    for (size_t i = 0; i < whole; i++)
        store_halves(out + 2 * d * i, pack_words(v_and(v_load(f->c + LANES * i), mask), d), d);
    memcpy(words, f->c + LANES * whole, rest * sizeof *words);
    store_halves(bytes, pack_words(v_and(v_load(words), mask), d), d);
    memcpy(out + 2 * d * whole, bytes, (d * rest + 7) / 8);
}

static inline void unpack(lk_cyclic_poly *f, const uint8_t *in, size_t n, unsigned d)
{
    const size_t whole = (n - 1) / LANES, rest = (n - 1) % LANES;
    uint8_t bytes[2 * LANES] = {0};
    for (size_t i = 0; i < whole; i++) v_store(f->c + LANES * i, load_words(in + 2 * d * i, 0, d));
    memcpy(bytes, in + 2 * d * whole, (d * rest + 7) / 8);
    v_store(f->c + LANES * whole, load_words(bytes, 0, d));
    memset(f->c + n - 1, 0, (lk_cyclic_places(n) - (n - 1)) * sizeof *f->c);
}

static void unpack_d11(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

static void unpack_d13(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}

/* ---- Kernels with a name that avx512 knows ---- */

void lk_cyclic_evaluate_avx2(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    evaluate(e, f, n, scratch);
}

void lk_cyclic_product_avx2(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                            void *restrict scratch)
{
    product(h, f, g, n, scratch);
}

void lk_cyclic_pack_d11_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 11);
}

void lk_cyclic_pack_d12_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 12);
}

void lk_cyclic_pack_d13_avx2(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 13);
}

void lk_cyclic_unpack_d12_avx2(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 12);
}

const lk_cyclic_kernels lk_cyclic_avx2 = {
    .evaluated_unit = EVALUATED_UNIT,
    .scratch_unit = SCRATCH_UNIT,
    LK_CYCLIC_NARROW_PRODUCT,
    LK_CYCLIC_NARROW_PACKING,
    .invert_mod2 = invert_mod2,
    .lift_inverse = lk_cyclic_lift_inverse,
    .square_of_bits = lk_cyclic_square_of_bits,
    LK_CYCLIC_CODING,
    .unpack_d11 = unpack_d11,
    .unpack_d13 = unpack_d13,
    .recompiled = &(const lk_cyclic_kernels){LK_CYCLIC_CODING},
};
