/* The kernels of NTRU's small polynomials for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/compilers.h"
#include "arch/x86_64/avx2/divsteps.h"
#include "arch/x86_64/avx2/narrow.h"
#include "arch/x86_64/avx2/packing.h"
#include "arch/x86_64/avx2/vec.h"
#include "arch/x86_64/tables.h"
#include "ring/ternary/sampling.h"

/* ---- Sorting network ---- */

#include "arch/x86_64/ternary_sort.h"

void lk_ternary_sort_avx2(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    sort(a, count, scratch);
}

/* ---- Inversion modulo (3, Phi) ---- */

#define BIT_PLANES 2

/* The sign of 0 is left open. y is what the step adds to G: 0, F or -F. The sum is 0 where both are, and where neither
 * is and their signs differ. If neither is and the signs agree, it has the other sign, and else that of the summand
 * that is not 0. If F and G are exchanged, y is F or -F, and `change` has the places where one of F and G alone is
 * 0. */
static inline void eliminate(__m256i *f, __m256i *g, masks m)
{
    const __m256i f0 = f[0], f1 = f[1], g0 = g[0], g1 = g[1], y0 = _mm256_and_si256(f0, m.add);
    const __m256i change = _mm256_xor_si256(g0, y0), signs = _mm256_xor_si256(g1, f1);
    const __m256i differ = _mm256_xor_si256(signs, m.minus);
    f[0] = _mm256_xor_si256(f0, _mm256_and_si256(change, m.swap));
    f[1] = _mm256_xor_si256(f1, _mm256_and_si256(signs, m.swap));
    g[0] = _mm256_or_si256(change, _mm256_andnot_si256(differ, g0));
    g[1] = _mm256_xor_si256(g1, _mm256_and_si256(y0, _mm256_or_si256(g0, differ)));
}

#include "arch/x86_64/divsteps.h"

_Static_assert(sizeof(division) <= 8 * (size_t)SCRATCH_UNIT, "the smallest n has 8 units");

static inline __m256i reversed(__m256i x)
{
    const __m256i down = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, down), 0x4E);
}

/* t modulo Phi is t - t_(n-1), and x - y = x + 2 y modulo 3 at most 6. Bits 0 and 1 of the trits become the planes. */
static void invert(lk_trits *restrict v, const lk_trits *restrict t, size_t n, void *restrict scratch)
{
    const size_t places = lk_cyclic_places(n);
    const __m256i mod3 = _mm256_set1_epi64x(0x0000020100020100), last = _mm256_set1_epi8((char)(2 * t->c[n - 1]));
    division *d = scratch;
    memset(&d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < places; i += 32) {
        const __m256i trits = v_load(t->c + places - 32 - i);
        const __m256i x = _mm256_shuffle_epi8(mod3, _mm256_add_epi8(reversed(trits), last));
        const uint32_t ones = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(x, 7));
        const uint32_t twos = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(x, 6));
        d->linear.w[0][i / 64] |= (uint64_t)(ones | twos) << (i % 64);
        d->linear.w[1][i / 64] |= (uint64_t)twos << (i % 64);
    }
    const uint64_t negate = lk_mask64(invert_planes(d, n));
    for (size_t i = 0; i < places; i += 8) {
        const uint64_t nonzero = d->linear.w[0][i / 64], minus = nonzero & (d->linear.w[1][i / 64] ^ negate);
        const uint64_t each = 0x0101010101010101;
        const uint64_t trits = _pdep_u64(nonzero >> (i % 64), each) + _pdep_u64(minus >> (i % 64), each);
        memcpy(v->c + i, &trits, sizeof trits);
    }
}

/* ---- Sampling ---- */

/* Four fields of 30 bits are 15 bytes, read with skip bytes before them and 1 - skip behind; field k begins at bit 30 k. */
static inline __m128i four_fields(const uint8_t *in, unsigned skip)
{
    const __m256i bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(in - skip)));
    const __m256i groups = _mm256_setr_epi64x(bytes_from(skip), bytes_from(skip + 3), bytes_from(skip + 7),
                                              bytes_from(skip + 11));
    const __m256i fields = _mm256_srlv_epi64(_mm256_shuffle_epi8(bytes, groups), _mm256_setr_epi64x(0, 6, 4, 2));
    const __m256i close = _mm256_permutevar8x32_epi32(fields, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
    return _mm_slli_epi32(_mm256_castsi256_si128(close), 2);
}

void lk_ternary_fixed_type_words_avx2(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
{
    _mm_storeu_si128((__m128i *)a->c, four_fields(in, 0));
    for (size_t i = 4; i < n - 1; i += 4) _mm_storeu_si128((__m128i *)(a->c + i), four_fields(in + 15 * (i / 4), 1));
    lk_ternary_tag(a, w);
}

/* ---- Packing: the last block may repeat some of the one before it ---- */

enum {
    PACKED = 32,   /* bytes of a block of pack */
    UNPACKED = 16, /* bytes of a block of unpack */
    TRITS = 5      /* of a byte */
};

/* Twenty trits as four bytes, each the lowest of 64 bits. Of eight trits there the first five have weights. */
static inline __m256i four_bytes(const uint8_t *c)
{
    const __m256i groups = _mm256_setr_epi64x(bytes_from(0), bytes_from(5), bytes_from(6), bytes_from(11));
    const __m256i weights = _mm256_set1_epi64x(81LL << 32 | 27 << 24 | 9 << 16 | 3 << 8 | 1);
    const __m256i trits = _mm256_shuffle_epi8(v_blocks(c, 4), groups);
    return _mm256_sad_epu8(_mm256_maddubs_epi16(trits, weights), v_zero());
}

/* Byte k of each 64 bits is that of register k. This matrix of bytes is transposed. */
static inline void pack_block(uint8_t *out, const uint8_t *c)
{
    const __m256i words = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    const __m128i bytes = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m256i columns = v_zero();
    UNROLL
    for (int k = 0; k < PACKED / 4; k++)
        columns = _mm256_or_si256(columns, _mm256_slli_epi64(four_bytes(c + 4 * TRITS * k), 8 * k));
    const __m256i halves = _mm256_permutevar8x32_epi32(columns, words);
    v_store(out, _mm256_shuffle_epi8(halves, _mm256_broadcastsi128_si256(bytes)));
}

void lk_ternary_pack_avx2(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
{
    const size_t last = lk_fifth(n + 3) - PACKED;
    for (size_t i = 0; i < last; i += PACKED) pack_block(out + i, t->c + TRITS * i);
    pack_block(out + last, t->c + TRITS * last);
}

/* For trit j of those from the first on: its byte, alone in a word, and its factor. */
static inline short byte_of_trit(unsigned j, unsigned first)
{
    return (short)(0x8000 | lk_fifth(first + j));
}

/* The digits in base 3 of a byte b, of any value, by two multiplications of 16-bit words.
 *
 * Digit j is the first one behind the point of b / 3^(j+1). The factor for it, 270 3^(4-j), is 2^16 / 3^(j+1) and a
 * little more, because 270 is 2^16 / 243 rounded up. So the low 16 bits of the product are the fraction, too much by less
 * than one in its last place. Three times these bits have the digit above them. */
static const uint16_t trit_factors[5] = {21870, 7290, 2430, 810, 270};

static inline short factor_of_trit(unsigned j, unsigned first)
{
    return (short)trit_factors[first + j - TRITS * lk_fifth(first + j)];
}

static ALWAYS_INLINE void unpack_sixteen(uint8_t *c, __m256i packed, const unsigned first)
{
    const __m256i places = _mm256_setr_epi16(EACH_OF_HALF(byte_of_trit, first), EACH_OF_HALF(byte_of_trit, first + 8));
    const __m256i factors = _mm256_setr_epi16(EACH_OF_HALF(factor_of_trit, first),
                                              EACH_OF_HALF(factor_of_trit, first + 8));
    const __m256i trits = _mm256_mulhi_epu16(v_mullo(_mm256_shuffle_epi8(packed, places), factors), v_set(3));
    const __m128i low = _mm256_castsi256_si128(trits), high = _mm256_extracti128_si256(trits, 1);
    _mm_storeu_si128((__m128i *)(c + first), _mm_packus_epi16(low, high));
}

static inline void unpack_block(uint8_t *c, const uint8_t *in)
{
    const __m256i packed = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)in));
    unpack_sixteen(c, packed, 0);
    unpack_sixteen(c, packed, 16);
    unpack_sixteen(c, packed, 32);
    unpack_sixteen(c, packed, 48);
    unpack_sixteen(c, packed, 64);
}

void lk_ternary_unpack_avx2(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const size_t last = lk_fifth(n + 3) - UNPACKED;
    for (size_t i = 0; i < last; i += UNPACKED) unpack_block(t->c + TRITS * i, in + i);
    unpack_block(t->c + TRITS * last, in + last);
    lk_ternary_pad(t, n - 1, n);
}

const lk_ternary_kernels lk_ternary_avx2 = {
    .scratch_unit = SCRATCH_UNIT,
    LK_TERNARY_NARROW,
    .sort = lk_ternary_sort_avx2,
    .invert = invert,
    LK_TERNARY_SAMPLING,
    .recompiled = &(const lk_ternary_kernels){LK_TERNARY_SAMPLING},
};
