/* Encoding, compression and sampling for AVX2 (FIPS 203 sections 4.2.1 and 4.2.2). SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <string.h>

#include "arch/x86_64/avx2/packing.h"
#include "arch/x86_64/avx2/q3329.h"
#include "arch/x86_64/q3329_constants.h"
#include "base/bytes.h"
#include "ring/q3329/portable.h"

enum { LANES = 16, REGISTERS = N / LANES };

static inline __m256i load(const lk_poly *f, size_t i)
{
    return _mm256_loadu_si256((const __m256i *)&f->c[LANES * i]);
}

static inline void store(lk_poly *f, size_t i, __m256i v)
{
    _mm256_storeu_si256((__m256i *)&f->c[LANES * i], v);
}

void lk_q3329_encode_d12_avx2(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, load(f, i), 12);
}

uint32_t lk_q3329_decode_d12_avx2(lk_poly *f, const uint8_t in[384])
{
    __m256i above = _mm256_setzero_si256();
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i v = _mm256_and_si256(load_packed(in, i, 12), _mm256_set1_epi16(0xFFF));
        above = _mm256_or_si256(above, _mm256_cmpgt_epi16(v, _mm256_set1_epi16(Q - 1)));
        store(f, i, v);
    }
    return (uint32_t)_mm256_movemask_epi8(above);
}

/* ---- Compression ---- */

/* Compress_d(x) before its reduction modulo 2^d, for canonical x. The quotient of x 8 / 2^13 by q, rounded, is exact for
 * d <= 5 and at most one too large for d = 10 and 11; then the remainder of x 2^d + (q - 1)/2 is negative, and 16 bits are
 * enough to see that (tests/unit tries every x). */
static inline __m256i compress(__m256i x, unsigned d)
{
    const __m256i scaled = _mm256_mulhi_epi16(_mm256_slli_epi16(x, 3), _mm256_set1_epi16(BARRETT));
    const __m256i y = _mm256_mulhrs_epi16(scaled, _mm256_set1_epi16((short)(1 << (d + 2))));
    if (d <= 5) return y;
    const __m256i dividend = _mm256_add_epi16(_mm256_slli_epi16(x, (int)d), _mm256_set1_epi16(HALF_Q));
    const __m256i remainder = _mm256_sub_epi16(dividend, _mm256_mullo_epi16(y, _mm256_set1_epi16(Q)));
    return _mm256_add_epi16(y, _mm256_srai_epi16(remainder, 15));
}

static inline void compress_poly(uint8_t *out, const lk_poly *f, unsigned d)
{
    const __m256i mask = _mm256_set1_epi16((short)((1 << d) - 1));
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, _mm256_and_si256(compress(load(f, i), d), mask), d);
}

/* 2x/q rounds to 1 from 833 to 2496, which is where |x - 1664.5| < 832. */
static inline __m256i compress_d1(__m256i x)
{
    const __m256i distance = _mm256_abs_epi16(_mm256_sub_epi16(_mm256_add_epi16(x, x), _mm256_set1_epi16(Q)));
    return _mm256_cmpgt_epi16(_mm256_set1_epi16(1664), distance);
}

/* Packing works in halves, whose order the permutation repairs. */
void lk_q3329_compress_d1_avx2(uint8_t out[32], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i += 2) {
        const __m256i bits = _mm256_packs_epi16(compress_d1(load(f, i)), compress_d1(load(f, i + 1)));
        lk_store32_le(out + 2 * i, (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bits, 0xD8)));
    }
}

void lk_q3329_compress_d4_avx2(uint8_t out[128], const lk_poly *f)
{
    compress_poly(out, f, 4);
}

void lk_q3329_compress_d5_avx2(uint8_t out[160], const lk_poly *f)
{
    compress_poly(out, f, 5);
}

void lk_q3329_compress_d10_avx2(uint8_t out[320], const lk_poly *f)
{
    compress_poly(out, f, 10);
}

void lk_q3329_compress_d11_avx2(uint8_t out[352], const lk_poly *f)
{
    compress_poly(out, f, 11);
}

/* Decompress_d(y) = round(q y / 2^d) is a rounding product of q and y 2^(15 - d). */
static inline void decompress_poly(lk_poly *f, const uint8_t *in, unsigned d)
{
    const __m256i mask = _mm256_set1_epi16((short)((1 << d) - 1));
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i y = _mm256_and_si256(load_packed(in, i, d), mask);
        store(f, i, _mm256_mulhrs_epi16(_mm256_slli_epi16(y, 15 - (int)d), _mm256_set1_epi16(Q)));
    }
}

/* Each word looks at its own bit of 16. */
void lk_q3329_decompress_d1_avx2(lk_poly *f, const uint8_t in[32])
{
    const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i bits = _mm256_and_si256(_mm256_set1_epi16((short)lk_load16_le(in + 2 * i)), bit);
        store(f, i, _mm256_and_si256(_mm256_cmpeq_epi16(bits, bit), _mm256_set1_epi16((Q + 1) / 2)));
    }
}

void lk_q3329_decompress_d4_avx2(lk_poly *f, const uint8_t in[128])
{
    decompress_poly(f, in, 4);
}

void lk_q3329_decompress_d5_avx2(lk_poly *f, const uint8_t in[160])
{
    decompress_poly(f, in, 5);
}

void lk_q3329_decompress_d10_avx2(lk_poly *f, const uint8_t in[320])
{
    decompress_poly(f, in, 10);
}

void lk_q3329_decompress_d11_avx2(lk_poly *f, const uint8_t in[352])
{
    decompress_poly(f, in, 11);
}

/* ---- Sampling ---- */

/* The four bits of a coefficient look it up: the bits set in the lower half less those in the upper half. */
void lk_q3329_cbd_eta2_avx2(lk_poly *f, const uint8_t in[128])
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
void lk_q3329_cbd_eta3_avx2(lk_poly *f, const uint8_t in[192])
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

/* The positions of the set bits of a byte m, the lowest first, one in each byte. */
#define NEXT(list, m, i) ((list) * (1 + 255ull * ((m) >> (i)&1)) + (i) * ((m) >> (i)&1ull))
#define POSITIONS(m) NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(0, m, 7), m, 6), m, 5), m, 4), m, 3), m, 2), m, 1), m, 0)
#define POSITIONS4(m) POSITIONS(m), POSITIONS((m) + 1), POSITIONS((m) + 2), POSITIONS((m) + 3)
#define POSITIONS16(m) POSITIONS4(m), POSITIONS4((m) + 4), POSITIONS4((m) + 8), POSITIONS4((m) + 12)
#define POSITIONS64(m) POSITIONS16(m), POSITIONS16((m) + 16), POSITIONS16((m) + 32), POSITIONS16((m) + 48)

static const uint64_t positions[256] = {POSITIONS64(0), POSITIONS64(64), POSITIONS64(128), POSITIONS64(192)};

/* Those of eight words that are chosen, close together. The choice is public. */
static inline __m128i chosen(__m128i words, uint32_t choice)
{
    const __m128i at = _mm_loadl_epi64((const __m128i *)&positions[choice]), twice = _mm_add_epi8(at, at);
    return _mm_shuffle_epi8(words, _mm_unpacklo_epi8(twice, _mm_add_epi8(twice, _mm_set1_epi8(1))));
}

/* Writes those of 16 values that are below q close together to out, where 16 have room; returns their number. */
static inline size_t select_below_q(int16_t *out, __m256i values)
{
    const __m256i below = _mm256_cmpgt_epi16(_mm256_set1_epi16(Q), values);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(below), _mm256_extracti128_si256(below, 1));
    const uint32_t choice = (uint32_t)_mm_movemask_epi8(bytes);
    const size_t first = (size_t)_mm_popcnt_u32(choice & 0xFF);
    _mm_storeu_si128((__m128i *)out, chosen(_mm256_castsi256_si128(values), choice & 0xFF));
    _mm_storeu_si128((__m128i *)(out + first), chosen(_mm256_extracti128_si256(values, 1), choice >> 8));
    return first + (size_t)_mm_popcnt_u32(choice >> 8);
}

/* Whole registers of values, for which a stream must be long enough to load their bytes with others around them; the rest,
 * if any, as the portable kernel does it. */
size_t lk_q3329_rej_uniform_vartime_avx2(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    size_t i = 0;
    for (; 24 * (i + 1) <= len && len >= 52 && have < N; i++) {
        const __m256i values = _mm256_and_si256(load_packed(in, i, 12), _mm256_set1_epi16(0xFFF));
        int16_t end[LANES];
        if (have <= N - LANES) {
            have += select_below_q(&f->c[have], values);
            continue;
        }
        const size_t more = select_below_q(end, values), room = N - have, taken = more < room ? more : room;
        memcpy(&f->c[have], end, taken * sizeof(int16_t));
        have += taken;
    }
    return have < N ? lk_q3329_rej_uniform_vartime_c(f, have, in + 24 * i, len - 24 * i) : have;
}
