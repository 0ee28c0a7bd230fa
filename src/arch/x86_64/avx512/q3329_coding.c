/* Encoding, compression and sampling for AVX-512 (FIPS 203 sections 4.2.1 and 4.2.2). SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/packing.h"
#include "arch/x86_64/avx512/q3329.h"
#include "arch/x86_64/q3329_constants.h"
#include "base/bytes.h"

enum { REGISTERS = 8, LANES = 32 };

static inline __m512i load(const lk_poly *f, size_t i)
{
    return _mm512_loadu_si512(&f->c[LANES * i]);
}

static inline void store(lk_poly *f, size_t i, __m512i v)
{
    _mm512_storeu_si512(&f->c[LANES * i], v);
}

void lk_q3329_encode_d12_avx512(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out + 48 * i, load(f, i), 12);
}

uint32_t lk_q3329_decode_d12_avx512(lk_poly *f, const uint8_t in[384])
{
    __mmask32 above = 0;
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i v = _mm512_and_si512(load_packed(in + 48 * i, 12, 0), _mm512_set1_epi16(0xFFF));
        above |= _mm512_cmpgt_epi16_mask(v, _mm512_set1_epi16(Q - 1));
        store(f, i, v);
    }
    return above;
}

/* ---- Compression ---- */

/* Compress_d(x) before its reduction modulo 2^d, for canonical x. The quotient of x 8 / 2^13 by q, rounded, is exact for
 * d <= 5 and at most one too large for d = 10 and 11; then the remainder of x 2^d + (q - 1)/2 is negative, and 16 bits are
 * enough to see that (tests/unit tries every x). */
static inline __m512i compress(__m512i x, unsigned d)
{
    const __m512i scaled = _mm512_mulhi_epi16(_mm512_slli_epi16(x, 3), _mm512_set1_epi16(BARRETT));
    const __m512i y = _mm512_mulhrs_epi16(scaled, _mm512_set1_epi16((short)(1 << (d + 2))));
    if (d <= 5) return y;
    const __m512i dividend = _mm512_add_epi16(_mm512_slli_epi16(x, d), _mm512_set1_epi16(HALF_Q));
    const __m512i remainder = _mm512_sub_epi16(dividend, _mm512_mullo_epi16(y, _mm512_set1_epi16(Q)));
    return _mm512_add_epi16(y, _mm512_srai_epi16(remainder, 15));
}

static inline void compress_poly(uint8_t *out, const lk_poly *f, unsigned d)
{
    const __m512i mask = _mm512_set1_epi16((short)((1 << d) - 1));
    for (size_t i = 0; i < REGISTERS; i++)
        store_packed(out + 4 * d * i, _mm512_and_si512(compress(load(f, i), d), mask), d);
}

/* 2x/q rounds to 1 from 833 to 2496. */
void lk_q3329_compress_d1_avx512(uint8_t out[32], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i above = _mm512_sub_epi16(load(f, i), _mm512_set1_epi16(833));
        lk_store32_le(out + 4 * i, _mm512_cmplt_epu16_mask(above, _mm512_set1_epi16(2497 - 833)));
    }
}

void lk_q3329_compress_d4_avx512(uint8_t out[128], const lk_poly *f)
{
    compress_poly(out, f, 4);
}

void lk_q3329_compress_d5_avx512(uint8_t out[160], const lk_poly *f)
{
    compress_poly(out, f, 5);
}

void lk_q3329_compress_d10_avx512(uint8_t out[320], const lk_poly *f)
{
    compress_poly(out, f, 10);
}

void lk_q3329_compress_d11_avx512(uint8_t out[352], const lk_poly *f)
{
    compress_poly(out, f, 11);
}

/* Decompress_d(y) = round(q y / 2^d) is a rounding product of q and y 2^(15 - d). */
static inline void decompress_poly(lk_poly *f, const uint8_t *in, unsigned d)
{
    const __m512i mask = _mm512_set1_epi16((short)(0x8000 - (1 << (15 - d))));
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i y = _mm512_and_si512(load_packed(in + 4 * d * i, d, 15 - d), mask);
        store(f, i, _mm512_mulhrs_epi16(y, _mm512_set1_epi16(Q)));
    }
}

void lk_q3329_decompress_d1_avx512(lk_poly *f, const uint8_t in[32])
{
    for (size_t i = 0; i < REGISTERS; i++)
        store(f, i, _mm512_maskz_mov_epi16(lk_load32_le(in + 4 * i), _mm512_set1_epi16((Q + 1) / 2)));
}

void lk_q3329_decompress_d4_avx512(lk_poly *f, const uint8_t in[128])
{
    decompress_poly(f, in, 4);
}

void lk_q3329_decompress_d5_avx512(lk_poly *f, const uint8_t in[160])
{
    decompress_poly(f, in, 5);
}

void lk_q3329_decompress_d10_avx512(lk_poly *f, const uint8_t in[320])
{
    decompress_poly(f, in, 10);
}

void lk_q3329_decompress_d11_avx512(lk_poly *f, const uint8_t in[352])
{
    decompress_poly(f, in, 11);
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
void lk_q3329_cbd_eta2_avx512(lk_poly *f, const uint8_t in[128])
{
    const __m512i differences = _mm512_load_si512(differences_eta2);
    for (size_t i = 0; i < REGISTERS; i++)
        store(f, i, _mm512_permutexvar_epi16(load_packed(in + 16 * i, 4, 0), differences));
}

void lk_q3329_cbd_eta3_avx512(lk_poly *f, const uint8_t in[192])
{
    const __m512i low = _mm512_load_si512(differences_eta3), high = _mm512_load_si512(differences_eta3 + LANES);
    for (size_t i = 0; i < REGISTERS; i++)
        store(f, i, _mm512_permutex2var_epi16(low, load_packed(in + 24 * i, 6, 0), high));
}

/* Appends those of the first count values that are below q, as far as there is room; returns the new number of values.
 * Nothing branches on the values, whose number below q no CPU can predict. */
static inline size_t append_below_q(lk_poly *f, size_t have, __m512i values, size_t count)
{
    const __mmask32 counted = (__mmask32)(UINT32_MAX >> (LANES - count));
    const __mmask32 below = _mm512_mask_cmplt_epu16_mask(counted, values, _mm512_set1_epi16(Q));
    const size_t room = N - have, more = (size_t)_mm_popcnt_u32(below);
    const __mmask32 writable = _bzhi_u32(UINT32_MAX, room < LANES ? (unsigned)room : LANES);
    _mm512_mask_storeu_epi16(&f->c[have], writable, _mm512_maskz_compress_epi16(below, values));
    return have + (more < room ? more : room);
}

/* Two values are three bytes, and bytes at most 48. */
static inline size_t values_in(size_t bytes)
{
    return 2 * (bytes * 43 >> 7);
}

size_t lk_q3329_rej_uniform_vartime_avx512(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    while (len > 0 && have < N) {
        const unsigned take = len < 48 ? (unsigned)len : 48;
        const __m512i words = unpack_words(_mm512_maskz_loadu_epi8(first_bytes(take), in), 12, 0);
        have = append_below_q(f, have, _mm512_and_si512(words, _mm512_set1_epi16(0xFFF)), values_in(take));
        in += take;
        len -= take;
    }
    return have;
}

/* Lanes 2 k and 2 k + 1 of the eight have their words in the k-th quarters of even and odd registers of pairs of words. */
typedef struct {
    __m512i pairs[3];
} six_words;

/* The six words of the lanes of quarters 2 half and 2 half + 1, one after the other. */
static inline void separate_two(__m512i out[2], const six_words *w, int half)
{
    const __m512i low = half ? _mm512_shuffle_i64x2(w->pairs[0], w->pairs[1], 0xEE)
                             : _mm512_shuffle_i64x2(w->pairs[0], w->pairs[1], 0x44);
    const __m512i first = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 0, 0),
                  second = _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 0, 0);
    const __m512i offset = half ? _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 0, 0) : _mm512_setzero_si512();
    out[0] = _mm512_permutex2var_epi64(low, _mm512_add_epi64(first, offset), w->pairs[2]);
    out[1] = _mm512_permutex2var_epi64(low, _mm512_add_epi64(second, offset), w->pairs[2]);
}

/* Words w[0] ... w[5] of each of eight interleaved lanes, as 48 bytes a lane. */
static inline void separate_lanes(__m512i out[8], const uint64_t *words)
{
    six_words even, odd;
    for (size_t i = 0; i < 3; i++) {
        const __m512i a = _mm512_loadu_si512(words + 16 * i), b = _mm512_loadu_si512(words + 16 * i + 8);
        even.pairs[i] = _mm512_unpacklo_epi64(a, b);
        odd.pairs[i] = _mm512_unpackhi_epi64(a, b);
    }
    for (int half = 0; half < 2; half++) {
        __m512i evens[2], odds[2];
        separate_two(evens, &even, half);
        separate_two(odds, &odd, half);
        for (size_t i = 0; i < 2; i++) {
            out[4 * half + 2 * i] = evens[i];
            out[4 * half + 2 * i + 1] = odds[i];
        }
    }
}

/* Six words, 48 bytes, of every lane at a time; where the rate ends within them, what follows are words of the state. */
uint32_t lk_q3329_rej_uniform_lanes_vartime_avx512(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                   size_t lanes, size_t rate)
{
    uint32_t complete = 0;
    for (size_t at = 0; at < rate; at += 48) {
        const size_t count = values_in(rate - at < 48 ? rate - at : 48);
        __m512i bytes[8];
        separate_lanes(bytes, words + at / 8 * lanes);
        for (size_t l = 0; l < 8; l++) {
            if (!(mask >> l & 1)) continue;
            const __m512i values = _mm512_and_si512(unpack_words(bytes[l], 12, 0), _mm512_set1_epi16(0xFFF));
            streams[l]->have = append_below_q(streams[l]->out, streams[l]->have, values, count);
        }
    }
    for (size_t l = 0; l < 8; l++)
        if (mask >> l & 1) complete |= (uint32_t)(streams[l]->have == N) << l;
    return complete;
}
