/* The kernels of Z_3329[X]/(X^256 + 1) in 256-bit registers, all but rejection sampling (FIPS 203 sections 4.2 and 4.3);
 * NTT-domain order is the standard's. avx2 has them, and avx512 where multiplications in 512-bit registers do not pay.
 *
 * Write i7 ... i0 for the bits of a coefficient's index. The layer of i7 runs through memory; after it each half of the
 * polynomial, eight registers of 16 coefficients, stays in registers through the other six layers. A register's number
 * is (i6, i5, i4), a place in it (i3, ..., i0). The layers of i6, i5 and i4 pair whole registers. Each layer after that
 * first exchanges the register bit i6, or what took its place, with the layer's bit, so that it pairs whole registers
 * as well; at the end two exchanges bring i6 back. The states on the way are written below as (register bit; bits of
 * the place in a pair of coefficients).
 *
 * Arithmetic and bounds are those of the portable kernels: signed Montgomery with R = 2^16.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_Q3329_YMM_H
#define LK_ARCH_X86_64_Q3329_YMM_H

#include <immintrin.h>

#include "arch/x86_64/avx2/exchange.h"
#include "arch/x86_64/avx2/packing.h"
#include "arch/x86_64/avx2/q3329_factors.h"
#include "arch/x86_64/avx2/vec.h"
#include "arch/x86_64/q3329_arithmetic.h"
#include "arch/x86_64/q3329_compression.h"
#include "base/bytes.h"
#include "base/families.h"

enum { HALF = REGISTERS / 2 };

/* (r; x, y, z) to (y; x, z, r) */
static inline void rotate(__m256i *a, __m256i *b)
{
    const __m256i t = *a;
    *a = _mm256_unpacklo_epi32(t, *b);
    *b = _mm256_unpackhi_epi32(t, *b);
}

static inline __m256i shuffle_32(__m256i a, __m256i b, int even)
{
    const __m256 x = _mm256_castsi256_ps(a), y = _mm256_castsi256_ps(b);
    return _mm256_castps_si256(even ? _mm256_shuffle_ps(x, y, 0x22) : _mm256_shuffle_ps(x, y, 0x77));
}

/* (r; x, y, z) to (z; x, r, y): takes rotate back, with r and y complemented. */
static inline void rotate_back_complemented(__m256i *a, __m256i *b)
{
    const __m256i t = *a;
    *a = shuffle_32(*b, t, 1);
    *b = shuffle_32(*b, t, 0);
}

/* (i6; i3, i2, i1) all the way and back. */
static inline void narrow_layers(__m256i *a, __m256i *b, const lk_q3329_factors z[3])
{
    exchange_halves(a, b);
    butterfly(a, b, &z[0]);
    exchange_quarters(a, b);
    butterfly(a, b, &z[1]);
    exchange_eighths(a, b);
    butterfly(a, b, &z[2]);
    rotate(a, b);
    exchange_halves(a, b);
}

static inline void ntt_half(lk_poly *f, size_t half)
{
    const lk_q3329_factors *z = lk_q3329_wide_avx2[half];
    __m256i v[HALF];
    for (size_t i = 0; i < HALF; i++) v[i] = load(f, HALF * half + i);
    for (size_t i = 0; i < 4; i++) butterfly(&v[i], &v[i + 4], &z[0]);
    for (size_t i = 0; i < 2; i++) butterfly(&v[i], &v[i + 2], &z[1]);
    for (size_t i = 4; i < 6; i++) butterfly(&v[i], &v[i + 2], &z[2]);
    for (size_t i = 0; i < 4; i++) butterfly(&v[2 * i], &v[2 * i + 1], &z[3 + i]);
    for (size_t i = 0; i < 4; i++) narrow_layers(&v[i], &v[i + 4], lk_q3329_narrow_avx2[4 * half + i]);
    for (size_t i = 0; i < HALF; i++) store(f, HALF * half + i, v[i]);
}

/* Bounds grow by q with each layer. */
static void ntt(lk_poly *f)
{
    for (size_t i = 0; i < HALF; i++) {
        __m256i a = load(f, i), b = load(f, i + HALF);
        butterfly(&a, &b, &lk_q3329_first_avx2);
        store(f, i, a);
        store(f, i + HALF, b);
    }
    for (size_t half = 0; half < 2; half++) ntt_half(f, half);
}

/* The inverse's factor for block b of a layer is the forward one for the complement of b, so that the same rows serve
 * while the bits of the place are complemented: (i6; i3, i2, i1) to (i3; i6, i2, i1) to (i1; i6, i3, i2) with a
 * complemented place. Each exchange after that moves one bit into its final place, and taking a and b the other way
 * round uncomplements it.
 *
 * In: |f| < q; after the layers of i1 and i2 |f| < 4q, then sums are reduced and |f| <= q. */
static inline void inverse_narrow_layers(__m256i *a, __m256i *b, const lk_q3329_factors z[3])
{
    exchange_halves(b, a);
    rotate_back_complemented(b, a);
    inverse_butterfly(b, a, &z[2]);
    exchange_eighths(b, a);
    inverse_butterfly(a, b, &z[1]);
    exchange_quarters(a, b);
    inverse_butterfly(b, a, &z[0]);
    *b = barrett(*b);
    exchange_halves(b, a);
}

/* After the layer of i5 |f| <= 4q, after that of i6 |f| <= 8q in v[0], which is reduced, and at most 4q elsewhere. */
static inline void invntt_half(lk_poly *f, size_t half)
{
    const lk_q3329_factors *z = lk_q3329_wide_avx2[1 - half];
    __m256i v[HALF];
    for (size_t i = 0; i < HALF; i++) v[i] = multiply_constant(load(f, HALF * half + i), R2_OVER_128_MOD_Q);
    for (size_t i = 0; i < 4; i++)
        inverse_narrow_layers(&v[i], &v[i + 4], lk_q3329_narrow_avx2[4 * (1 - half) + 3 - i]);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[2 * i], &v[2 * i + 1], &z[6 - i]);
    for (size_t i = 0; i < 2; i++) inverse_butterfly(&v[i], &v[i + 2], &z[2]);
    for (size_t i = 4; i < 6; i++) inverse_butterfly(&v[i], &v[i + 2], &z[1]);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[i], &v[i + 4], &z[0]);
    v[0] = barrett(v[0]);
    for (size_t i = 0; i < HALF; i++) store(f, HALF * half + i, v[i]);
}

/* The scaling comes first and makes any input fit; in the last layer sums of values up to 4q are below 8q. */
static void invntt_tomont(lk_poly *f)
{
    for (size_t half = 0; half < 2; half++) invntt_half(f, half);
    for (size_t i = 0; i < HALF; i++) {
        __m256i a = load(f, i), b = load(f, i + HALF);
        inverse_butterfly(&a, &b, &lk_q3329_first_avx2);
        store(f, i, a);
        store(f, i + HALF, b);
    }
}

static void mulcache(lk_mulcache *cache, const lk_poly *g)
{
    fill_cache(cache, g, lk_q3329_gammas_avx2);
}

/* ---- Encoding ---- */

static void encode_d12(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, load(f, i), 12);
}

static uint32_t decode_d12(lk_poly *f, const uint8_t in[384])
{
    __m256i largest = _mm256_setzero_si256();
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i v = load_packed(in, i, 12);
        largest = _mm256_max_epi16(largest, v);
        store(f, i, v);
    }
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi16(largest, _mm256_set1_epi16(Q - 1)));
}

/* 2x/q rounds to 1 from 833 to 2496, which is where |x - 1664.5| < 832. */
static inline __m256i above_half(__m256i x)
{
    const __m256i distance = _mm256_abs_epi16(_mm256_sub_epi16(_mm256_add_epi16(x, x), _mm256_set1_epi16(Q)));
    return _mm256_cmpgt_epi16(_mm256_set1_epi16(1664), distance);
}

/* Packing works in halves; the permutation repairs their order. */
static void compress_d1(uint8_t out[32], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i += 2) {
        const __m256i bits = _mm256_packs_epi16(above_half(load(f, i)), above_half(load(f, i + 1)));
        lk_store32_le(out + 2 * i, (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bits, 0xD8)));
    }
}

/* Decompress_d(y) = round(q y / 2^d) is a rounding product of q and y 2^(15 - d). */
static inline void decompress_poly(lk_poly *f, const uint8_t *in, unsigned d)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i y = load_packed(in, i, d);
        store(f, i, _mm256_mulhrs_epi16(_mm256_slli_epi16(y, 15 - (int)d), _mm256_set1_epi16(Q)));
    }
}

/* Each word looks at its own bit of 16. */
static void decompress_d1(lk_poly *f, const uint8_t in[32])
{
    const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i bits = _mm256_and_si256(_mm256_set1_epi16((short)lk_load16_le(in + 2 * i)), bit);
        store(f, i, _mm256_and_si256(_mm256_cmpeq_epi16(bits, bit), _mm256_set1_epi16((Q + 1) / 2)));
    }
}

/* ---- Sampling ---- */

/* The four bits of a coefficient look it up: the bits set in the lower half less those in the upper half. */
static void cbd_eta2(lk_poly *f, const uint8_t in[128])
{
    const __m256i differences = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0));
    const __m256i nibble = _mm256_set1_epi8(15);
    for (size_t i = 0; i < 4; i++) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(in + 32 * i));
        const __m256i even = _mm256_shuffle_epi8(differences, _mm256_and_si256(bytes, nibble));
        const __m256i odd = _mm256_shuffle_epi8(differences, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
        const __m256i low = _mm256_unpacklo_epi8(even, odd), high = _mm256_unpackhi_epi8(even, odd);
        store(f, 4 * i, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(low)));
        store(f, 4 * i + 1, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(high)));
        store(f, 4 * i + 2, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(low, 1)));
        store(f, 4 * i + 3, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(high, 1)));
    }
}

/* The six bits of a coefficient are those of two: their sums of three bits, the lower less the upper. */
static void cbd_eta3(lk_poly *f, const uint8_t in[192])
{
    const __m256i ones = _mm256_set1_epi16(0x09), seven = _mm256_set1_epi16(7);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i bits = load_packed(in, i, 6);
        const __m256i sums = _mm256_add_epi16(_mm256_and_si256(bits, ones),
                                              _mm256_add_epi16(_mm256_and_si256(_mm256_srli_epi16(bits, 1), ones),
                                                               _mm256_and_si256(_mm256_srli_epi16(bits, 2), ones)));
        store(f, i, _mm256_sub_epi16(_mm256_and_si256(sums, seven), _mm256_srli_epi16(sums, 3)));
    }
}

/* Their rows of a table. */
#define LK_Q3329_YMM                                                                                                   \
    .ntt = ntt, .invntt_tomont = invntt_tomont, .mulcache = mulcache, .inner_product = inner_product,                  \
    .tomont = tomont, .add = add, .sub_from = sub_from, .reduce = reduce, .encode_d12 = encode_d12,                    \
    .decode_d12 = decode_d12, .compress_d1 = compress_d1, .compress_d4 = LK_USED(LK_HAS_D10_D4, compress_d4),          \
    .compress_d5 = LK_USED(LK_HAS_D11_D5, compress_d5), .compress_d10 = LK_USED(LK_HAS_D10_D4, compress_d10),          \
    .compress_d11 = LK_USED(LK_HAS_D11_D5, compress_d11), .decompress_d1 = decompress_d1,                              \
    .decompress_d4 = LK_USED(LK_HAS_D10_D4, decompress_d4), .decompress_d5 = LK_USED(LK_HAS_D11_D5, decompress_d5),    \
    .decompress_d10 = LK_USED(LK_HAS_D10_D4, decompress_d10),                                                          \
    .decompress_d11 = LK_USED(LK_HAS_D11_D5, decompress_d11), .cbd_eta2 = cbd_eta2,                                    \
    .cbd_eta3 = LK_USED(LK_HAS_ETA3, cbd_eta3)

#endif
