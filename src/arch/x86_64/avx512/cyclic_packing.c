/* Packing of polynomials modulo X^n - 1 for AVX-512.
 *
 * A register of 32 coefficients stands for 4 d bytes, each four of them for d / 2. Bytes and coefficients beyond the last are
 * masked out. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/cyclic.h"
#include "arch/x86_64/avx512/first_of.h"

enum { LANES = 32 };

static inline size_t packed_bytes(size_t n, unsigned d)
{
    return (d * (n - 1) + 7) / 8;
}

/* ---- To bytes ---- */

/* Pairs of coefficients go into 32 bits, pairs of pairs into 64, these into 128, and then the bytes in use close together. */
static inline __m512i pack_words(__m512i words, unsigned d)
{
    const int gap = 32 - 2 * (int)d, rest = 64 - 4 * (int)d;
    const __m512i pairs = _mm512_madd_epi16(words, _mm512_set1_epi32(1 | 1 << (16 + d)));
    const __m512i left = _mm512_sllv_epi32(pairs, _mm512_set1_epi64(gap));
    const __m512i fours = _mm512_srlv_epi64(left, _mm512_set1_epi64(gap));
    const __m512i low = _mm512_sllv_epi64(_mm512_bsrli_epi128(fours, 8), _mm512_set1_epi64(64 - rest));
    const __m512i high = _mm512_srlv_epi64(fours, _mm512_setr_epi64(0, rest, 0, rest, 0, rest, 0, rest));
    const uint64_t used = ((uint64_t)1 << d) - 1;
    return _mm512_maskz_compress_epi8(used | used << 16 | used << 32 | used << 48, _mm512_or_si512(low, high));
}

static inline void pack(uint8_t *out, const lk_cyclic_poly *f, size_t n, unsigned d)
{
    const __m512i mask = _mm512_set1_epi16((short)((1 << d) - 1));
    const size_t bytes = packed_bytes(n, d);
    for (size_t i = 0; LANES * i < n - 1; i++) {
        const __mmask32 some = (__mmask32)first_of(n - 1, LANES * i, LANES);
        const __m512i words = _mm512_and_si512(_mm512_maskz_loadu_epi16(some, f->c + LANES * i), mask);
        const size_t at = 4 * d * i;
        _mm512_mask_storeu_epi8(out + at, first_of(bytes, at, 4 * (size_t)d), pack_words(words, d));
    }
}

void lk_cyclic_pack_d11_avx512(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 11);
}

void lk_cyclic_pack_d12_avx512(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 12);
}

void lk_cyclic_pack_d13_avx512(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 13);
}

/* ---- From bytes ---- */

/* Eight indices of consecutive bytes. */
static inline long long bytes_from(unsigned first)
{
    return 0x0706050403020100 + 0x0101010101010101 * (long long)first;
}

/* Positions of the low and the high byte of the words of four coefficients, of which the first begins at a bit. */
static inline long long words_from(unsigned bit, unsigned d)
{
    uint64_t positions = 0;
    for (unsigned i = 0; i < 4; i++) positions |= (uint64_t)((bit + d * i) | ((bit + d * i + 8) & 63) << 8) << (16 * i);
    return (long long)positions;
}

/* Eight groups of four coefficients. For odd d every second begins in the middle of a byte. */
static inline __m512i unpack_words(__m512i bytes, unsigned d)
{
    const unsigned g = d / 2;
    const __m512i groups = _mm512_setr_epi64(bytes_from(0), bytes_from(g), bytes_from(d), bytes_from(d + g),
                                             bytes_from(2 * d), bytes_from(2 * d + g), bytes_from(3 * d),
                                             bytes_from(3 * d + g));
    const long long even = words_from(0, d), odd = words_from(d % 2 * 4, d);
    const __m512i words = _mm512_setr_epi64(even, odd, even, odd, even, odd, even, odd);
    return _mm512_and_si512(_mm512_multishift_epi64_epi8(words, _mm512_permutexvar_epi8(groups, bytes)),
                            _mm512_set1_epi16((short)((1 << d) - 1)));
}

static inline void unpack(lk_cyclic_poly *f, const uint8_t *in, size_t n, unsigned d)
{
    const size_t bytes = packed_bytes(n, d);
    for (size_t i = 0; LANES * i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) {
        const size_t at = 4 * d * i;
        const __m512i packed = _mm512_maskz_loadu_epi8(first_of(bytes, at, 4 * (size_t)d), in + (at < bytes ? at : 0));
        const __mmask32 some = (__mmask32)first_of(n - 1, LANES * i, LANES);
        _mm512_storeu_si512(f->c + LANES * i, _mm512_maskz_mov_epi16(some, unpack_words(packed, d)));
    }
}

void lk_cyclic_unpack_d11_avx512(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

void lk_cyclic_unpack_d12_avx512(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 12);
}

void lk_cyclic_unpack_d13_avx512(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}
