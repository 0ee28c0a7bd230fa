/* The kernels of Z_3329[X]/(X^256 + 1) in 512-bit registers (FIPS 203 sections 4.2 and 4.3), but for rejection sampling
 * (q3329_rejection.h); NTT-domain order is the standard's.
 *
 * A polynomial is eight registers of 32 coefficients, and both transforms keep it there through all seven layers. Write
 * i7 ... i0 for the bits of a coefficient's index: a register's number is (i7, i6, i5), a place in it (i4, ..., i0).
 * The layers of i7, i6 and i5 pair whole registers. Each layer after that first exchanges the register bit i7, or what
 * took its place, with the layer's bit, so that it pairs whole registers as well; at the end one permutation brings i7
 * back. The states on the way are written below as (register bit; bits of the place in a pair of coefficients).
 *
 * Arithmetic and bounds are those of the portable kernels: signed Montgomery with R = 2^16.
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/exchange.h"
#include "arch/x86_64/avx512/packing.h"
#include "arch/x86_64/avx512/q3329_factors.h"
#include "arch/x86_64/avx512/q3329_rejection.h"
#include "arch/x86_64/avx512/vec.h"
#include "arch/x86_64/q3329_arithmetic.h"
#include "arch/x86_64/q3329_compression.h"
#include "arch/x86_64/tables.h"
#include "base/bytes.h"
#include "base/families.h"

/* (r; x, y, ...) to (y; r, x, ...) */
static inline void exchange_quarters(__m512i *a, __m512i *b)
{
    const __m512i t = *a;
    *a = _mm512_shuffle_i64x2(t, *b, 0x88);
    *b = _mm512_shuffle_i64x2(t, *b, 0xDD);
}

/* (r; x, y, ...) to (x; y, r, ...): takes exchange_quarters back. */
static inline void exchange_quarters_back(__m512i *a, __m512i *b)
{
    const __m512i t = *a;
    *a = _mm512_permutex2var_epi64(t, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), *b);
    *b = _mm512_permutex2var_epi64(t, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), *b);
}

/* (i1; i4, i7, i3, i2) to (i7; i4, i3, i2, i1) */
static inline void to_standard_order(__m512i *a, __m512i *b)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
    const __m512i t = *a;
    *a = _mm512_permutex2var_epi32(t, low, *b);
    *b = _mm512_permutex2var_epi32(t, _mm512_add_epi32(low, _mm512_set1_epi32(4)), *b);
}

/* (i7; i4, i3, i2, i1) to (i1; i4, i7, i3, i2) with the bits of the place complemented. */
static inline void from_standard_order(__m512i *a, __m512i *b)
{
    const __m512i low = _mm512_setr_epi32(30, 28, 26, 24, 14, 12, 10, 8, 22, 20, 18, 16, 6, 4, 2, 0);
    const __m512i t = *a;
    *a = _mm512_permutex2var_epi32(t, low, *b);
    *b = _mm512_permutex2var_epi32(t, _mm512_add_epi32(low, _mm512_set1_epi32(1)), *b);
}

static inline void narrow_layers(__m512i *a, __m512i *b, const lk_q3329_factors z[4])
{
    exchange_halves(a, b);
    butterfly(a, b, &z[0]);
    exchange_quarters(a, b);
    butterfly(a, b, &z[1]);
    exchange_eighths(a, b);
    butterfly(a, b, &z[2]);
    exchange_sixteenths(a, b);
    butterfly(a, b, &z[3]);
    to_standard_order(a, b);
}

/* Bounds grow by q with each layer. */
static void ntt(lk_poly *f)
{
    __m512i v[REGISTERS];
    for (size_t i = 0; i < REGISTERS; i++) v[i] = load(f, i);
    for (size_t i = 0; i < 4; i++) butterfly(&v[i], &v[i + 4], &lk_q3329_wide_avx512[0]);
    for (size_t i = 0; i < 2; i++) butterfly(&v[i], &v[i + 2], &lk_q3329_wide_avx512[1]);
    for (size_t i = 4; i < 6; i++) butterfly(&v[i], &v[i + 2], &lk_q3329_wide_avx512[2]);
    for (size_t i = 0; i < 4; i++) butterfly(&v[2 * i], &v[2 * i + 1], &lk_q3329_wide_avx512[3 + i]);
    for (size_t i = 0; i < 4; i++) narrow_layers(&v[i], &v[i + 4], lk_q3329_narrow_avx512[i]);
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, v[i]);
}

/* The inverse's factor for block b of a layer is the forward one for the complement of b, so that the same rows serve
 * while the bits of the place are complemented. Each exchange moves one bit into its final place, and taking a and b
 * the other way round uncomplements it.
 *
 * In: |f| < q; after the layers of i1 and i2 |f| < 4q, then sums are reduced; after that of i4 |f| <= 2q. */
static inline void inverse_narrow_layers(__m512i *a, __m512i *b, const lk_q3329_factors z[4])
{
    from_standard_order(a, b);
    inverse_butterfly(a, b, &z[3]);
    exchange_sixteenths(a, b);
    inverse_butterfly(b, a, &z[2]);
    exchange_eighths(b, a);
    inverse_butterfly(a, b, &z[1]);
    *a = barrett(*a);
    exchange_quarters_back(a, b);
    inverse_butterfly(b, a, &z[0]);
    exchange_halves(b, a);
}

/* The scaling comes first and makes any input fit. After the layer of i5 |f| <= 4q, after that of i6 |f| <= 8q in v[0]
 * and v[4], which are reduced, and at most 2q elsewhere: at the end |f| <= 4q. */
static void invntt_tomont(lk_poly *f)
{
    __m512i v[REGISTERS];
    for (size_t i = 0; i < REGISTERS; i++) v[i] = multiply_constant(load(f, i), R2_OVER_128_MOD_Q);
    for (size_t i = 0; i < 4; i++) inverse_narrow_layers(&v[i], &v[i + 4], lk_q3329_narrow_avx512[3 - i]);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[2 * i], &v[2 * i + 1], &lk_q3329_wide_avx512[6 - i]);
    for (size_t i = 0; i < 2; i++) inverse_butterfly(&v[i], &v[i + 2], &lk_q3329_wide_avx512[2]);
    for (size_t i = 4; i < 6; i++) inverse_butterfly(&v[i], &v[i + 2], &lk_q3329_wide_avx512[1]);
    v[0] = barrett(v[0]);
    v[4] = barrett(v[4]);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[i], &v[i + 4], &lk_q3329_wide_avx512[0]);
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, v[i]);
}

static void mulcache(lk_mulcache *cache, const lk_poly *g)
{
    fill_cache(cache, g, lk_q3329_gammas_avx512);
}

/* ---- Encoding ---- */

static void encode_d12(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, load(f, i), 12);
}

static uint32_t decode_d12(lk_poly *f, const uint8_t in[384])
{
    __mmask32 above = 0;
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i v = _mm512_and_si512(load_packed(in, i, 12), _mm512_set1_epi16(0xFFF));
        above |= _mm512_cmpgt_epi16_mask(v, _mm512_set1_epi16(Q - 1));
        store(f, i, v);
    }
    return above;
}

/* 2x/q rounds to 1 from 833 to 2496. */
static void compress_d1(uint8_t out[32], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i above = _mm512_sub_epi16(load(f, i), _mm512_set1_epi16(833));
        lk_store32_le(out + 4 * i, _mm512_cmplt_epu16_mask(above, _mm512_set1_epi16(2497 - 833)));
    }
}

/* Decompress_d(y) = round(q y / 2^d) is a rounding product of q and y 2^(15 - d). */
static inline void decompress_poly(lk_poly *f, const uint8_t *in, unsigned d)
{
    const __m512i mask = _mm512_set1_epi16((short)(0x8000 - (1 << (15 - d))));
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i y = _mm512_and_si512(load_shifted(in, i, d, 15 - d), mask);
        store(f, i, _mm512_mulhrs_epi16(y, _mm512_set1_epi16(Q)));
    }
}

static void decompress_d1(lk_poly *f, const uint8_t in[32])
{
    for (size_t i = 0; i < REGISTERS; i++)
        store(f, i, _mm512_maskz_mov_epi16(lk_load32_le(in + 4 * i), _mm512_set1_epi16((Q + 1) / 2)));
}

/* ---- Sampling ---- */

/* The 2 eta bits of a coefficient look it up: the bits set in the lower half less those in the upper half. */
#define FOUR(upper) 0 - (upper), 1 - (upper), 1 - (upper), 2 - (upper)
#define EIGHT(upper) FOUR(upper), FOUR((upper)-1)

static const _Alignas(64) int16_t differences_eta2[LANES] = {
    FOUR(0), FOUR(1), FOUR(1), FOUR(2),
    FOUR(0), FOUR(1), FOUR(1), FOUR(2), /* the second half for a fifth, foreign bit */
};

static const _Alignas(64) int16_t differences_eta3[2 * LANES] = {
    EIGHT(0), EIGHT(1), EIGHT(1), EIGHT(2), EIGHT(1), EIGHT(2), EIGHT(2), EIGHT(3),
};

/* Permutations look at 5 and, of two registers, 6 bits of an index: what is above them does not matter. */
static void cbd_eta2(lk_poly *f, const uint8_t in[128])
{
    const __m512i differences = _mm512_load_si512(differences_eta2);
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, _mm512_permutexvar_epi16(load_packed(in, i, 4), differences));
}

static void cbd_eta3(lk_poly *f, const uint8_t in[192])
{
    const __m512i low = _mm512_load_si512(differences_eta3), high = _mm512_load_si512(differences_eta3 + LANES);
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, _mm512_permutex2var_epi16(low, load_packed(in, i, 6), high));
}

const lk_q3329_kernels lk_q3329_avx512 = {
    .ntt = ntt,
    .invntt_tomont = invntt_tomont,
    .mulcache = mulcache,
    .inner_product = inner_product,
    .tomont = tomont,
    .add = add,
    .sub_from = sub_from,
    .reduce = reduce,
    .encode_d12 = encode_d12,
    .decode_d12 = decode_d12,
    .compress_d1 = compress_d1,
    .compress_d4 = LK_USED(LK_HAS_D10_D4, compress_d4),
    .compress_d5 = LK_USED(LK_HAS_D11_D5, compress_d5),
    .compress_d10 = LK_USED(LK_HAS_D10_D4, compress_d10),
    .compress_d11 = LK_USED(LK_HAS_D11_D5, compress_d11),
    .decompress_d1 = decompress_d1,
    .decompress_d4 = LK_USED(LK_HAS_D10_D4, decompress_d4),
    .decompress_d5 = LK_USED(LK_HAS_D11_D5, decompress_d5),
    .decompress_d10 = LK_USED(LK_HAS_D10_D4, decompress_d10),
    .decompress_d11 = LK_USED(LK_HAS_D11_D5, decompress_d11),
    .cbd_eta2 = cbd_eta2,
    .cbd_eta3 = LK_USED(LK_HAS_ETA3, cbd_eta3),
    .rej_uniform_vartime = lk_q3329_rej_uniform_vartime_avx512,
    .rej_uniform_lanes_vartime = lk_q3329_rej_uniform_lanes_vartime_avx512,
    .ntt_order = NULL,
};
