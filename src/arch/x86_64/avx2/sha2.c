/* SHA-256 with the SHA instructions (FIPS 180-4 section 6.2.2). SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/tables.h"

/* Four rounds on the state (a, b, e, f) and (c, d, g, h), words from the highest down, with message words w. */
static inline void four_rounds(__m128i *abef, __m128i *cdgh, __m128i w, const uint32_t *k)
{
    const __m128i sum = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)k));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

/* W[t] to W[t + 3] from the sixteen words before. */
static inline __m128i schedule(__m128i w16, __m128i w12, __m128i w8, __m128i w4)
{
    const __m128i w7 = _mm_alignr_epi8(w4, w8, 4);
    return _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w16, w12), w7), w4);
}

static void sha256_compress(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i *halves = (__m128i *)state;
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(halves), 0xB1);
    const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(halves + 1), 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
    for (; blocks > 0; blocks--, data += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (size_t i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data + i), big_endian);
            four_rounds(&abef, &cdgh, w[i], lk_sha256_k + 4 * i);
        }
        for (size_t t = 16; t < 64; t += 16)
            for (size_t i = 0; i < 4; i++) {
                w[i] = schedule(w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
                four_rounds(&abef, &cdgh, w[i], lk_sha256_k + t + 4 * i);
            }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128(halves, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(halves + 1, _mm_alignr_epi8(dchg, feba, 8));
}

const lk_sha2_kernels lk_sha2_shani = {
    .sha256_compress = sha256_compress,
    .sha512_compress = lk_sha512_compress_c,
};
