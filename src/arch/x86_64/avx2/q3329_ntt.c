/* NTT, base multiplication and reductions for AVX2 (FIPS 203 section 4.3).
 *
 * Write i7 ... i0 for the bits of a coefficient's index. The layer of i7 runs through memory; after it each half of the
 * polynomial, eight registers of 16 coefficients, stays in registers through the other six layers. A register's number is
 * (i6, i5, i4), a place in it (i3, ..., i0). The layers of i6, i5 and i4 pair whole registers. Each layer after that first
 * exchanges the register bit i6, or what took its place, with the layer's bit, so that it pairs whole registers as well; at
 * the end two exchanges bring i6 back. The states on the way are written below as (register bit; bits of the place in a
 * pair of coefficients).
 *
 * Arithmetic and bounds are those of the portable kernels: signed Montgomery with R = 2^16.
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/exchange.h"
#include "arch/x86_64/avx2/q3329.h"
#include "arch/x86_64/avx2/q3329_factors.h"
#include "arch/x86_64/q3329_constants.h"

enum { LANES = 16, REGISTERS = N / LANES, HALF = REGISTERS / 2 };

static inline __m256i load(const lk_poly *f, size_t i)
{
    return _mm256_loadu_si256((const __m256i *)&f->c[LANES * i]);
}

static inline void store(lk_poly *f, size_t i, __m256i v)
{
    _mm256_storeu_si256((__m256i *)&f->c[LANES * i], v);
}

/* a w R^-1 mod q, |result| < q for any a and |w| <= q / 2. */
static inline __m256i montgomery(__m256i a, __m256i w, __m256i w_qinv)
{
    const __m256i t = _mm256_mulhi_epi16(_mm256_mullo_epi16(a, w_qinv), _mm256_set1_epi16(Q));
    return _mm256_sub_epi16(_mm256_mulhi_epi16(a, w), t);
}

static inline __m256i multiply(__m256i a, const lk_q3329_factors *z)
{
    return montgomery(a, _mm256_load_si256((const __m256i *)z->w), _mm256_load_si256((const __m256i *)z->w_qinv));
}

static inline __m256i multiply_constant(__m256i a, int w)
{
    return montgomery(a, _mm256_set1_epi16(W(w)), _mm256_set1_epi16(W_QINV(w)));
}

/* a mod q in [0, q] for any a, as in portable_ntt.c. */
static inline __m256i barrett(__m256i a)
{
    const __m256i quotient = _mm256_srai_epi16(_mm256_mulhi_epi16(a, _mm256_set1_epi16(BARRETT)), 10);
    return _mm256_sub_epi16(a, _mm256_mullo_epi16(quotient, _mm256_set1_epi16(Q)));
}

static inline void butterfly(__m256i *a, __m256i *b, const lk_q3329_factors *z)
{
    const __m256i t = multiply(*b, z);
    *b = _mm256_sub_epi16(*a, t);
    *a = _mm256_add_epi16(*a, t);
}

static inline void inverse_butterfly(__m256i *a, __m256i *b, const lk_q3329_factors *z)
{
    const __m256i difference = _mm256_sub_epi16(*b, *a);
    *a = _mm256_add_epi16(*a, *b);
    *b = multiply(difference, z);
}

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
void lk_q3329_ntt_avx2(lk_poly *f)
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
 * while the bits of the place are complemented: (i6; i3, i2, i1) to (i3; i6, i2, i1) to (i1; i6, i3, i2) with a complemented
 * place. Each exchange after that moves one bit into its final place, and taking a and b the other way round
 * uncomplements it.
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
void lk_q3329_invntt_tomont_avx2(lk_poly *f)
{
    for (size_t half = 0; half < 2; half++) invntt_half(f, half);
    for (size_t i = 0; i < HALF; i++) {
        __m256i a = load(f, i), b = load(f, i + HALF);
        inverse_butterfly(&a, &b, &lk_q3329_first_avx2);
        store(f, i, a);
        store(f, i + HALF, b);
    }
}

/* Two registers share one of the cache: the products of the first in the low halves of 32-bit words, those of the second
 * in the high ones. */

/* The low half of each 32-bit word from low, the high half from high. */
static inline __m256i halves(__m256i low, __m256i high)
{
    return _mm256_blend_epi16(low, high, 0xAA);
}

void lk_q3329_mulcache_avx2(lk_mulcache *cache, const lk_poly *g)
{
    for (size_t i = 0; i < HALF; i++) {
        const __m256i odd = halves(_mm256_srli_epi32(load(g, 2 * i), 16), load(g, 2 * i + 1));
        _mm256_storeu_si256((__m256i *)&cache->c[LANES * i], multiply(odd, &lk_q3329_gammas_avx2[i]));
    }
}

static inline __m256i swap_halves(__m256i v)
{
    return _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(v, 0xB1), 0xB1);
}

/* Sums in 32 bits of the products for the even and the odd values of one register. */
typedef struct {
    __m256i even, odd;
} sums;

/* f0 g0 + f1 (g1 gamma) and f0 g1 + f1 g0; the cache has its products in the high halves. */
static inline void multiply_add(sums *s, __m256i f, __m256i g, __m256i cache)
{
    s->even = _mm256_add_epi32(s->even, _mm256_madd_epi16(f, halves(g, cache)));
    s->odd = _mm256_add_epi32(s->odd, _mm256_madd_epi16(f, swap_halves(g)));
}

/* x R^-1 mod q, |result| <= |x| / R + q / 2: the high half of x - t q, where t q has the low half of x. */
static inline __m256i montgomery_reduce(sums s)
{
    const __m256i low = halves(s.even, _mm256_slli_epi32(s.odd, 16));
    const __m256i high = halves(_mm256_srli_epi32(s.even, 16), s.odd);
    const __m256i t = _mm256_mullo_epi16(low, _mm256_set1_epi16(QINV));
    return _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, _mm256_set1_epi16(Q)));
}

/* Sums are at most 8 4095 (8q - 1) < 2^30 and so |h| < 4q + q / 2. */
void lk_q3329_inner_product_avx2(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    for (size_t i = 0; i < HALF; i++) {
        sums s[2] = {{_mm256_setzero_si256(), _mm256_setzero_si256()},
                     {_mm256_setzero_si256(), _mm256_setzero_si256()}};
        for (size_t j = 0; j < k; j++) {
            const __m256i products = _mm256_loadu_si256((const __m256i *)&cache[j].c[LANES * i]);
            multiply_add(&s[0], load(&f[j], 2 * i), load(&g[j], 2 * i), _mm256_slli_epi32(products, 16));
            multiply_add(&s[1], load(&f[j], 2 * i + 1), load(&g[j], 2 * i + 1), products);
        }
        store(h, 2 * i, montgomery_reduce(s[0]));
        store(h, 2 * i + 1, montgomery_reduce(s[1]));
    }
}

void lk_q3329_tomont_avx2(lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, multiply_constant(load(f, i), R2_MOD_Q));
}

void lk_q3329_add_avx2(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, _mm256_add_epi16(load(f, i), load(g, i)));
}

void lk_q3329_sub_from_avx2(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, _mm256_sub_epi16(load(g, i), load(f, i)));
}

/* Of r and r - q the canonical one is the smaller as an unsigned number. */
void lk_q3329_reduce_avx2(lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i r = barrett(load(f, i));
        store(f, i, _mm256_min_epu16(r, _mm256_sub_epi16(r, _mm256_set1_epi16(Q))));
    }
}
