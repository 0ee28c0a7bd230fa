/* The kernels of Z_3329[X]/(X^256 + 1) for AVX2 (FIPS 203 sections 4.2 and 4.3): rejection sampling; q3329_ymm.h has the
 * others. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "arch/x86_64/q3329_ymm.h"
#include "arch/x86_64/tables.h"

/* The positions of the set bits of a byte m, the lowest first, one in each byte. */
#define NEXT(list, m, i) ((list) * (1 + 255ull * ((m) >> (i)&1)) + (i) * ((m) >> (i)&1ull))
#define POSITIONS(m) NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(0, m, 7), m, 6), m, 5), m, 4), m, 3), m, 2), m, 1), m, 0)
#define POSITIONS4(m) POSITIONS(m), POSITIONS((m) + 1), POSITIONS((m) + 2), POSITIONS((m) + 3)
#define POSITIONS16(m) POSITIONS4(m), POSITIONS4((m) + 4), POSITIONS4((m) + 8), POSITIONS4((m) + 12)
#define POSITIONS64(m) POSITIONS16(m), POSITIONS16((m) + 16), POSITIONS16((m) + 32), POSITIONS16((m) + 48)

static const uint64_t positions[256] = {POSITIONS64(0), POSITIONS64(64), POSITIONS64(128), POSITIONS64(192)};

/* Writes those of 16 values that are below q close together to out, where 16 have room; returns their number. The choice
 * is public, and made in each half by itself. */
static inline size_t select_below_q(int16_t *out, __m256i values)
{
    const __m256i below = _mm256_cmpgt_epi16(_mm256_set1_epi16(Q), values);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(below), _mm256_extracti128_si256(below, 1));
    const uint32_t choice = (uint32_t)_mm_movemask_epi8(bytes);
    const size_t first = (size_t)_mm_popcnt_u32(choice & 0xFF);
    const __m128i low = _mm_loadl_epi64((const __m128i *)&positions[choice & 0xFF]);
    const __m128i high = _mm_loadl_epi64((const __m128i *)&positions[choice >> 8]);
    const __m256i at = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), twice = _mm256_add_epi8(at, at);
    const __m256i pairs = _mm256_unpacklo_epi8(twice, _mm256_add_epi8(twice, _mm256_set1_epi8(1)));
    const __m256i chosen = _mm256_shuffle_epi8(values, pairs);
    _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(chosen));
    _mm_storeu_si128((__m128i *)(out + first), _mm256_extracti128_si256(chosen, 1));
    return (size_t)_mm_popcnt_u32(choice);
}

/* Whole registers of values, for which a stream must be long enough to load their bytes with others around them; the
 * rest, if any, as the portable kernel does it. */
static size_t rej_uniform_vartime(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    size_t i = 0;
    for (; 24 * (i + 1) <= len && len >= 52 && have < N; i++) {
        const __m256i values = load_packed(in, i, 12);
        int16_t end[LANES];
        if (have <= N - LANES) {
            have += select_below_q(&f->c[have], values);
            continue;
        }
        const size_t more = select_below_q(end, values), room = N - have, taken = more < room ? more : room;
        memcpy(&f->c[have], end, taken * sizeof(int16_t));
        have += taken;
    }
    return have < N ? lk_q3329_portable.rej_uniform_vartime(f, have, in + 24 * i, len - 24 * i) : have;
}

const lk_q3329_kernels lk_q3329_avx2 = {
    LK_Q3329_YMM,
    .rej_uniform_vartime = rej_uniform_vartime,
    .rej_uniform_lanes_vartime = NULL,
    .ntt_order = NULL,
};
