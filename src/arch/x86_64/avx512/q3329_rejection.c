/* Rejection sampling modulo 3329 in 512-bit registers (FIPS 203 algorithm 7). SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/q3329_rejection.h"

#include "arch/compilers.h"
#include "arch/x86_64/avx512/packing.h"
#include "shared/ct.h"

enum { N = LK_Q3329_N, Q = LK_Q3329, LANES = 32 };

/* The first so many values. */
static inline __mmask32 first_values(size_t count)
{
    return (__mmask32)(UINT32_MAX >> (LANES - count));
}

/* Those of the counted values that are below q, close together; *more is their number. */
static inline __m512i select_below_q(__m512i values, __mmask32 counted, size_t *more)
{
    const __mmask32 below = _mm512_mask_cmplt_epu16_mask(counted, values, _mm512_set1_epi16(Q));
    *more = (size_t)_mm_popcnt_u32(below);
    return _mm512_maskz_compress_epi16(below, values);
}

/* Appends those values where 32 have room; returns the new number of values. */
static inline size_t append(lk_poly *f, size_t have, __m512i values, __mmask32 counted)
{
    size_t more;
    _mm512_storeu_si512(&f->c[have], select_below_q(values, counted, &more));
    return have + more;
}

/* The same as far as there is room. Nothing branches on the values, because no CPU can predict how many are below q. */
static inline size_t append_last(lk_poly *f, size_t have, __m512i values, __mmask32 counted)
{
    size_t more;
    const __m512i chosen = select_below_q(values, counted, &more);
    const size_t room = N - have;
    const __mmask32 writable = _bzhi_u32(UINT32_MAX, room < LANES ? (unsigned)room : LANES);
    _mm512_mask_storeu_epi16(&f->c[have], writable, chosen);
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
        have = append_last(f, have, _mm512_and_si512(words, _mm512_set1_epi16(0xFFF)), first_values(values_in(take)));
        in += take;
        len -= take;
    }
    return have;
}

/* Lanes 2 k and 2 k + 1 of the eight have their words in the k-th quarters of even and odd registers of pairs of
 * words. */
typedef struct {
    __m512i pairs[3];
} six_words;

/* The six words of the lanes of quarters 2 half and 2 half + 1, one after the other. The places are computed: a branch
 * on half that is guessed wrongly would give a lane the words of another, which may be secret. */
static inline void separate_two(__m512i out[2], const six_words *w, int half)
{
    const __m512i offset = _mm512_set1_epi64(4 * (long long)half);
    const __m512i both = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11), offset);
    const __m512i low = _mm512_permutex2var_epi64(w->pairs[0], both, w->pairs[1]);
    const __m512i first = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 0, 0),
                  second = _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 0, 0);
    out[0] = _mm512_permutex2var_epi64(low, _mm512_mask_add_epi64(first, 0x30, first, offset), w->pairs[2]);
    out[1] = _mm512_permutex2var_epi64(low, _mm512_mask_add_epi64(second, 0x30, second, offset), w->pairs[2]);
}

/* Words w[0] ... w[5] of each of eight interleaved lanes, or of the first four, as 48 bytes a lane. */
static inline void separate_lanes(__m512i out[8], const uint64_t *words, int halves)
{
    six_words even, odd;
    for (size_t i = 0; i < 3; i++) {
        const __m512i a = _mm512_loadu_si512(words + 16 * i), b = _mm512_loadu_si512(words + 16 * i + 8);
        even.pairs[i] = _mm512_unpacklo_epi64(a, b);
        odd.pairs[i] = _mm512_unpackhi_epi64(a, b);
    }
    for (int half = 0; half < halves; half++) {
        __m512i evens[2], odds[2];
        separate_two(evens, &even, half);
        separate_two(odds, &odd, half);
        for (size_t i = 0; i < 2; i++) {
            out[4 * half + 2 * i] = evens[i];
            out[4 * half + 2 * i + 1] = odds[i];
        }
    }
}

/* Six words, 48 bytes, of every lane at a time; where the rate ends within them, what follows are words of the
 * state. The lanes beside the mask are secret, and a processor that guesses wrongly samples them too: no value counts. */
static ALWAYS_INLINE void append_block(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                       size_t lanes, size_t rate,
                                       size_t (*append_values)(lk_poly *, size_t, __m512i, __mmask32))
{
    for (size_t at = 0; at < rate; at += 48) {
        const __mmask32 first = first_values(values_in(rate - at < 48 ? rate - at : 48));
        __m512i bytes[8];
        separate_lanes(bytes, words + lk_below(at, rate) / 8 * lanes, mask >> 4 ? 2 : 1);
        for (size_t l = 0; l < 8; l++) {
            if (!(mask >> l & 1)) continue;
            const __m512i values = _mm512_and_si512(unpack_words(bytes[l], 12, 0), _mm512_set1_epi16(0xFFF));
            const __mmask32 counted = first & (0 - (lk_barrier(mask) >> l & 1));
            streams[l]->have = append_values(streams[l]->out, streams[l]->have, values, counted);
        }
    }
}

/* A block is at most four times 32 values: all but the last of three find room for as many in every lane. */
uint32_t lk_q3329_rej_uniform_lanes_vartime_avx512(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                   size_t lanes, size_t rate)
{
    uint32_t complete = 0;
    size_t most = 0;
    for (size_t l = 0; l < 8; l++)
        if (mask >> l & 1 && streams[l]->have > most) most = streams[l]->have;
    if (most <= N - 4 * LANES)
        append_block(streams, mask, words, lanes, rate, append);
    else
        append_block(streams, mask, words, lanes, rate, append_last);
    for (size_t l = 0; l < 8; l++)
        if (mask >> l & 1) complete |= (uint32_t)(streams[l]->have == N) << l;
    return complete;
}
