/* Packing of polynomials modulo X^n - 1 for AVX-512. Bytes and coefficients beyond the last are masked out.
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/cyclic.h"
#include "arch/x86_64/avx512/first_of.h"
#include "arch/x86_64/avx512/packing.h"

enum { LANES = 32 };

static inline size_t packed_bytes(size_t n, unsigned d)
{
    return (d * (n - 1) + 7) / 8;
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
