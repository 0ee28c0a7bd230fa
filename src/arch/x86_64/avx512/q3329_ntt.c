/* NTT, base multiplication and reductions for AVX-512 (FIPS 203 section 4.3).
 *
 * A polynomial is eight registers of 32 coefficients, and both transforms keep it there through all seven layers. Write
 * i7 ... i0 for the bits of a coefficient's index: a register's number is (i7, i6, i5), a place in it (i4, ..., i0). The
 * layers of i7, i6 and i5 pair whole registers. Each layer after that first exchanges the register bit i7, or what took
 * its place, with the layer's bit, so that it pairs whole registers as well; at the end one permutation brings i7 back.
 * The states on the way are written below as (register bit; bits of the place in a pair of coefficients).
 *
 * Arithmetic and bounds are those of the portable kernels: signed Montgomery with R = 2^16.
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/exchange.h"
#include "arch/x86_64/avx512/q3329.h"
#include "arch/x86_64/avx512/q3329_factors.h"
#include "arch/x86_64/q3329_constants.h"

enum { LANES = 32, REGISTERS = N / LANES };

static inline __m512i load(const lk_poly *f, size_t i)
{
    return _mm512_loadu_si512(&f->c[LANES * i]);
}

static inline void store(lk_poly *f, size_t i, __m512i v)
{
    _mm512_storeu_si512(&f->c[LANES * i], v);
}

/* a w R^-1 mod q, |result| < q for any a and |w| <= q / 2. */
static inline __m512i montgomery(__m512i a, __m512i w, __m512i w_qinv)
{
    const __m512i t = _mm512_mulhi_epi16(_mm512_mullo_epi16(a, w_qinv), _mm512_set1_epi16(Q));
    return _mm512_sub_epi16(_mm512_mulhi_epi16(a, w), t);
}

static inline __m512i multiply(__m512i a, const lk_q3329_factors *z)
{
    return montgomery(a, _mm512_load_si512(z->w), _mm512_load_si512(z->w_qinv));
}

static inline __m512i multiply_constant(__m512i a, int w)
{
    return montgomery(a, _mm512_set1_epi16(W(w)), _mm512_set1_epi16(W_QINV(w)));
}

/* a mod q in [0, q] for any a, as in portable_ntt.c. */
static inline __m512i barrett(__m512i a)
{
    const __m512i quotient = _mm512_srai_epi16(_mm512_mulhi_epi16(a, _mm512_set1_epi16(BARRETT)), 10);
    return _mm512_sub_epi16(a, _mm512_mullo_epi16(quotient, _mm512_set1_epi16(Q)));
}

static inline void butterfly(__m512i *a, __m512i *b, const lk_q3329_factors *z)
{
    const __m512i t = multiply(*b, z);
    *b = _mm512_sub_epi16(*a, t);
    *a = _mm512_add_epi16(*a, t);
}

static inline void inverse_butterfly(__m512i *a, __m512i *b, const lk_q3329_factors *z)
{
    const __m512i difference = _mm512_sub_epi16(*b, *a);
    *a = _mm512_add_epi16(*a, *b);
    *b = multiply(difference, z);
}

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
void lk_q3329_ntt_avx512(lk_poly *f)
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
 * while the bits of the place are complemented. Each exchange moves one bit into its final place, and taking a and b the
 * other way round uncomplements it.
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

/* The scaling comes first and makes any input fit. After the layer of i5 |f| <= 4q, after that of i6 |f| <= 8q in v[0] and
 * v[4], which are reduced, and at most 2q elsewhere: at the end |f| <= 4q. */
void lk_q3329_invntt_tomont_avx512(lk_poly *f)
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

/* Two registers share one of the cache: the products of the first in the low halves of 32-bit words, those of the second
 * in the high ones. */

/* The low half of each 32-bit word from low, the high half from high. */
static inline __m512i halves(__m512i low, __m512i high)
{
    return _mm512_mask_blend_epi16(0xAAAAAAAA, low, high);
}

void lk_q3329_mulcache_avx512(lk_mulcache *cache, const lk_poly *g)
{
    for (size_t i = 0; i < 4; i++) {
        const __m512i odd = halves(_mm512_srli_epi32(load(g, 2 * i), 16), load(g, 2 * i + 1));
        _mm512_storeu_si512(&cache->c[LANES * i], multiply(odd, &lk_q3329_gammas_avx512[i]));
    }
}

/* Sums in 32 bits of the products for the even and the odd values of one register. */
typedef struct {
    __m512i even, odd;
} sums;

/* f0 g0 + f1 (g1 gamma) and f0 g1 + f1 g0; the cache has its products in the high halves. */
static inline void multiply_add(sums *s, __m512i f, __m512i g, __m512i cache)
{
    s->even = _mm512_add_epi32(s->even, _mm512_madd_epi16(f, halves(g, cache)));
    s->odd = _mm512_add_epi32(s->odd, _mm512_madd_epi16(f, _mm512_rol_epi32(g, 16)));
}

/* x R^-1 mod q, |result| <= |x| / R + q / 2: the high half of x - t q, where t q has the low half of x. */
static inline __m512i montgomery_reduce(sums s)
{
    const __m512i low = halves(s.even, _mm512_slli_epi32(s.odd, 16));
    const __m512i high = halves(_mm512_srli_epi32(s.even, 16), s.odd);
    const __m512i t = _mm512_mullo_epi16(low, _mm512_set1_epi16(QINV));
    return _mm512_sub_epi16(high, _mm512_mulhi_epi16(t, _mm512_set1_epi16(Q)));
}

/* Sums are at most 8 4095 (8q - 1) < 2^30 and so |h| < 4q + q / 2. */
void lk_q3329_inner_product_avx512(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    for (size_t i = 0; i < 4; i++) {
        sums s[2] = {{_mm512_setzero_si512(), _mm512_setzero_si512()},
                     {_mm512_setzero_si512(), _mm512_setzero_si512()}};
        for (size_t j = 0; j < k; j++) {
            const __m512i products = _mm512_loadu_si512(&cache[j].c[LANES * i]);
            multiply_add(&s[0], load(&f[j], 2 * i), load(&g[j], 2 * i), _mm512_slli_epi32(products, 16));
            multiply_add(&s[1], load(&f[j], 2 * i + 1), load(&g[j], 2 * i + 1), products);
        }
        store(h, 2 * i, montgomery_reduce(s[0]));
        store(h, 2 * i + 1, montgomery_reduce(s[1]));
    }
}

void lk_q3329_tomont_avx512(lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, multiply_constant(load(f, i), R2_MOD_Q));
}

void lk_q3329_add_avx512(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, _mm512_add_epi16(load(f, i), load(g, i)));
}

void lk_q3329_sub_from_avx512(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, _mm512_sub_epi16(load(g, i), load(f, i)));
}

/* Of r and r - q the canonical one is the smaller as an unsigned number. */
void lk_q3329_reduce_avx512(lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i r = barrett(load(f, i));
        store(f, i, _mm512_min_epu16(r, _mm512_sub_epi16(r, _mm512_set1_epi16(Q))));
    }
}
