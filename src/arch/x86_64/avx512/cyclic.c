/* The kernels of Z_q[X]/(X^n - 1) for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <string.h>

#include "arch/compilers.h"
#include "arch/cyclic_fermat.h"
#include "arch/x86_64/avx2/cyclic_lift.h"
#include "arch/x86_64/avx2/narrow.h"
#include "arch/x86_64/avx512/first_of.h"
#include "arch/x86_64/avx512/packing.h"
#include "arch/x86_64/avx512/vec.h"
#include "arch/x86_64/cyclic_product.h"
#include "arch/x86_64/tables.h"
#include "ring/cyclic/coding.h"
#include "shared/ct.h"

/* ---- Inversion modulo (2, Phi): arch/cyclic_fermat.h ---- */

enum { WORDS = 16 /* of 64 bits */ };

/* Coefficient i at bit i % 64 of word i / 64, 0 from n on. */
typedef struct {
    uint64_t w[WORDS];
} bits;

typedef struct {
    bits powers[LK_FERMAT_STEPS + 1]; /* b_m for the sums of the chain */
    uint64_t periods[2 * WORDS];      /* product's */
} memory;

_Static_assert(sizeof(memory) <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");
_Static_assert((size_t)LK_CYCLIC_LIFT_BYTES <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");

/* ---- Products ---- */

/* Vectors of 512 coefficients, and pairs of words. */
static inline size_t vectors_of(size_t n)
{
    return (n + 511) / 512;
}

static inline size_t pairs_of(size_t n)
{
    return (n + 127) / 128;
}

/* Eight words from word first of x and y on; the functions with immediate operands would want literals. */
static ALWAYS_INLINE __m512i words_at(const size_t first, __m512i x, __m512i y)
{
    const __m512i iota = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutex2var_epi64(x, _mm512_add_epi64(iota, _mm512_set1_epi64((long long)first)), y);
}

/* The same from bit first on, x being followed by next; first % 64 is not 0. */
static ALWAYS_INLINE __m512i bits_from(const size_t first, __m512i x, __m512i next)
{
    const __m512i low = words_at(first / 64, x, next), high = words_at(first / 64 + 1, x, next);
    return _mm512_shrdv_epi64(low, high, _mm512_set1_epi64((long long)(first % 64)));
}

/* Ones for the coefficients of the last vector. */
static ALWAYS_INLINE __m512i last_mask(const size_t n)
{
    const __mmask8 whole = (__mmask8)((1u << (n % 512 / 64)) - 1), next = (__mmask8)(whole + 1);
    return _mm512_mask_set1_epi64(_mm512_maskz_set1_epi64(whole, -1), next, (long long)(((uint64_t)1 << (n % 64)) - 1));
}

/* Writes g's bits from n - 128 (pairs - 1) on and then g and zeros: the bits from 128 (pairs - 1 - p) on are the
 * product of g and X^(128 p) modulo X^n - 1, with others behind its n bits. */
static ALWAYS_INLINE void repeat(uint64_t *restrict periods, const bits *restrict g, const size_t n)
{
    const size_t whole = 2 * (pairs_of(n) - 1), first = n - 64 * whole;
    const __m512i zero = _mm512_setzero_si512(), low = _mm512_loadu_si512(g->w), high = _mm512_loadu_si512(g->w + 8);
    _mm512_storeu_si512(periods, bits_from(first, low, high));
    _mm512_storeu_si512(periods + 8, bits_from(first, high, zero));
    _mm512_storeu_si512(periods + whole, low);
    _mm512_storeu_si512(periods + whole + 8, high);
}

/* The sum of products of pairs of words: low and high ones, and in the middle, one word up, those of one of each. */
typedef struct {
    __m512i low[2], middle[2], high[2];
} sums;

static ALWAYS_INLINE void add_product(sums *s, const size_t vector, __m512i pair, __m512i g)
{
    const __m512i first = _mm512_clmulepi64_epi128(pair, g, 0x01), second = _mm512_clmulepi64_epi128(pair, g, 0x10);
    s->low[vector] = _mm512_xor_si512(s->low[vector], _mm512_clmulepi64_epi128(pair, g, 0x00));
    s->middle[vector] = _mm512_ternarylogic_epi64(s->middle[vector], first, second, 0x96);
    s->high[vector] = _mm512_xor_si512(s->high[vector], _mm512_clmulepi64_epi128(pair, g, 0x11));
}

/* Eight words of the sum from word 8 vector on; below and above are those of the vectors there; the second may be
 * missing. */
static ALWAYS_INLINE __m512i sum_words(__m512i low, __m512i middle_below, __m512i middle, __m512i high_below,
                                       __m512i high)
{
    return _mm512_ternarylogic_epi64(low, words_at(7, middle_below, middle), words_at(6, high_below, high), 0x96);
}

/* h = f g modulo X^n - 1. */
static ALWAYS_INLINE void multiply(bits *h, const bits *f, const bits *g, uint64_t *restrict periods, const size_t n)
{
    const size_t pairs = pairs_of(n), vectors = vectors_of(n);
    const __m512i zero = _mm512_setzero_si512(), mask = last_mask(n);
    sums s = {{zero, zero}, {zero, zero}, {zero, zero}};
    repeat(periods, g, n);
    UNROLL
    for (size_t p = 0; p < pairs; p++) {
        const __m512i pair = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(f->w + 2 * p)));
        const uint64_t *period = periods + 2 * (pairs - 1 - p);
        if (vectors == 2) add_product(&s, 0, pair, _mm512_loadu_si512(period));
        add_product(&s, vectors - 1, pair, _mm512_and_si512(mask, _mm512_loadu_si512(period + 8 * (vectors - 1))));
    }
    const __m512i r0 = sum_words(s.low[0], zero, s.middle[0], zero, s.high[0]);
    const __m512i r1 = sum_words(s.low[1], s.middle[0], s.middle[1], s.high[0], s.high[1]);
    const __m512i last = vectors == 1 ? r0 : r1, beyond = vectors == 1 ? r1 : zero;
    const __m512i above = bits_from(n % 512, last, beyond);
    _mm512_storeu_si512(h->w, _mm512_xor_si512(above, vectors == 1 ? _mm512_and_si512(r0, mask) : r0));
    _mm512_storeu_si512(h->w + 8, vectors == 1 ? zero : _mm512_and_si512(r1, mask));
}

/* ---- Powers ---- */

/* i root modulo n for 32 places i. In: i root < 2^16. */
static ALWAYS_INLINE __m512i reduced(__m512i x, const size_t n)
{
    const __m512i modulus = _mm512_set1_epi16((short)n);
    const __m512i quotient = _mm512_mulhi_epu16(x, _mm512_set1_epi16((short)(65536 / n)));
    x = _mm512_sub_epi16(x, _mm512_mullo_epi16(quotient, modulus));
    return _mm512_min_epu16(x, _mm512_sub_epi16(x, modulus));
}

static ALWAYS_INLINE __m512i add_modulo(__m512i x, __m512i y, const size_t n)
{
    const __m512i sum = _mm512_add_epi16(x, y);
    return _mm512_min_epu16(sum, _mm512_sub_epi16(sum, _mm512_set1_epi16((short)n)));
}

/* The coefficients at 64 places, as bytes, of those at 128 each that tables has. */
static ALWAYS_INLINE __m512i look_up(const __m512i *tables, __m512i low, __m512i high, const size_t n)
{
    const __m512i even = _mm512_set_epi8(126, 124, 122, 120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100, 98, 96,
                                         94, 92, 90, 88, 86, 84, 82, 80, 78, 76, 74, 72, 70, 68, 66, 64, 62, 60, 58, 56,
                                         54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16,
                                         14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i place = _mm512_permutex2var_epi8(low, even, high);
    const __m512i number = _mm512_permutex2var_epi8(_mm512_srli_epi16(low, 7), even, _mm512_srli_epi16(high, 7));
    __m512i found = _mm512_setzero_si512();
    UNROLL
    for (size_t t = 0; t < pairs_of(n); t++) {
        const __mmask64 here = _mm512_cmpeq_epi8_mask(number, _mm512_set1_epi8((char)t));
        found = _mm512_mask_mov_epi8(found, here, _mm512_permutex2var_epi8(tables[2 * t], place, tables[2 * t + 1]));
    }
    return found;
}

/* h = f^(2^m) with root = 2^-m modulo n. */
static ALWAYS_INLINE void power(bits *restrict h, const bits *restrict f, size_t root, const size_t n)
{
    const __m512i iota = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
                                          12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i factor = _mm512_set1_epi16((short)root), next = reduced(_mm512_slli_epi16(factor, 6), n);
    __m512i low = reduced(_mm512_mullo_epi16(iota, factor), n), tables[WORDS];
    __m512i high = add_modulo(low, reduced(_mm512_slli_epi16(factor, 5), n), n);
    UNROLL
    for (size_t i = 0; i < 2 * pairs_of(n); i++) tables[i] = _mm512_movm_epi8(f->w[i]);
    UNROLL
    for (size_t i = 0; i < lk_cyclic_units(n); i++) {
        h->w[i] = _mm512_movepi8_mask(look_up(tables, low, high, n));
        low = add_modulo(low, next, n);
        high = add_modulo(high, next, n);
    }
    for (size_t i = lk_cyclic_units(n); i < WORDS; i++) h->w[i] = 0;
    h->w[n / 64] &= ((uint64_t)1 << (n % 64)) - 1;
}

/* ---- Inversion ---- */

/* powers[0] becomes its inverse modulo (2, Phi), of degree n - 1 or less. */
static ALWAYS_INLINE void invert(memory *m, const lk_fermat_step *steps, const size_t n)
{
    for (size_t i = 0; i < LK_FERMAT_STEPS; i++) {
        bits *b = m->powers + i + 1;
        power(b, b - 1, steps[i].root, n);
        multiply(b, b, m->powers + steps[i].other, m->periods, n);
    }
    power(m->powers, m->powers + LK_FERMAT_STEPS, (n + 1) / 2, n);
}

static void invert_509(memory *m)
{
    invert(m, lk_fermat_509, 509);
}

static void invert_677(memory *m)
{
    invert(m, lk_fermat_677, 677);
}

static void invert_701(memory *m)
{
    invert(m, lk_fermat_701, 701);
}

static void invert_821(memory *m)
{
    invert(m, lk_fermat_821, 821);
}

static void invert_mod2(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    const size_t units = lk_cyclic_units(n);
    const __m512i one = _mm512_set1_epi16(1);
    memory *m = scratch;
    uint64_t *words = m->powers->w;
    memset(words, 0, sizeof *m->powers);
    for (size_t i = 0; i < units; i++) {
        const uint16_t *c = f->c + LK_CYCLIC_UNIT * i;
        const uint64_t low = _mm512_test_epi16_mask(_mm512_loadu_si512(c), one);
        words[i] = low | (uint64_t)_mm512_test_epi16_mask(_mm512_loadu_si512(c + 32), one) << 32;
    }
    (n == 509 ? invert_509 : n == 677 ? invert_677 : n == 701 ? invert_701 : invert_821)(m);
    const uint64_t last = lk_barrier64((uint64_t)0 - (words[n / 64] >> ((n - 1) % 64) & 1)); /* modulo Phi */
    for (size_t i = 0; i < units; i++) words[i] ^= last;
    words[n / 64] &= ((uint64_t)1 << (n % 64)) - 1;
    for (size_t i = 0; i < LK_CYCLIC_UNIT * units; i += 32) {
        const __mmask32 ones = (__mmask32)(words[i / 64] >> (i % 64));
        _mm512_storeu_si512(v->c + i, _mm512_maskz_mov_epi16(ones, one));
    }
}

/* ---- Unpacking: bytes and coefficients beyond the last are masked out ---- */

static inline size_t packed_bytes(size_t n, unsigned d)
{
    return (d * (n - 1) + 7) / 8;
}

static inline void unpack(lk_cyclic_poly *f, const uint8_t *in, size_t n, unsigned d)
{
    const __m512i mask = _mm512_set1_epi16((short)((1 << d) - 1));
    const size_t bytes = packed_bytes(n, d);
    for (size_t i = 0; LANES * i < lk_cyclic_places(n); i++) {
        const size_t at = 4 * d * i;
        const __m512i packed = _mm512_maskz_loadu_epi8(first_of(bytes, at, 4 * (size_t)d), in + (at < bytes ? at : 0));
        const __mmask32 some = (__mmask32)first_of(n - 1, LANES * i, LANES);
        const __m512i words = _mm512_and_si512(unpack_words(packed, d, 0), mask);
        _mm512_storeu_si512(f->c + LANES * i, _mm512_maskz_mov_epi16(some, words));
    }
}

static void unpack_d11(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

static void unpack_d13(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}

const lk_cyclic_kernels lk_cyclic_avx512 = {
    .evaluated_unit = EVALUATED_UNIT,
    .scratch_unit = SCRATCH_UNIT,
    .evaluate = evaluate,
    .product = product,
    .invert_mod2 = invert_mod2,
    .lift_inverse = lk_cyclic_lift_inverse,
    .square_of_bits = lk_cyclic_square_of_bits,
    LK_CYCLIC_CODING,
    LK_CYCLIC_NARROW_PACKING,
    .unpack_d11 = unpack_d11,
    .unpack_d13 = unpack_d13,
    .recompiled = &(const lk_cyclic_kernels){LK_CYCLIC_CODING},
};

/* Evaluated polynomials have the same bytes a unit on both backends, and avx2's scratch memory fits into this one's. */
const lk_cyclic_kernels lk_cyclic_avx512_halves = {
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
