/* The beginning of Sample_fixed_type for NEON. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/ternary.h"

enum { WORDS = 4, FIELD_BYTES = 15 }; /* four words' fields of 30 bits */

/* Words from 16 bytes of which the fields begin with byte skip: bytes 0 to 7 hold two from bit 0 on, bytes 7 to 14 two from
 * bit 4 on. Shifts bring them to the upper bits. */
static inline uint32x4_t words_of(uint8x16_t bytes, uint8_t skip, uint32x4_t low)
{
    const uint8x16_t order = {0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14};
    const int64x2_t from_halves = {2, -2};
    const int32x4_t from_words = {0, 2, 0, 2};
    const uint64x2_t halves = vreinterpretq_u64_u8(vqtbl1q_u8(bytes, vaddq_u8(order, vdupq_n_u8(skip))));
    const uint32x4_t fields = vshlq_u32(vreinterpretq_u32_u64(vshlq_u64(halves, from_halves)), from_words);
    return vbslq_u32(vdupq_n_u32(3), low, fields);
}

static inline void store(lk_ternary_words *a, size_t i, uint32x4_t words)
{
    vst1q_s32(a->c + i, vreinterpretq_s32_u32(words));
}

/* Words begin to end - 1, both divisible by four, with these low bits; returns what follows in. */
static inline const uint8_t *put_words(lk_ternary_words *a, size_t begin, size_t end, const uint8_t *in, uint32_t low)
{
    for (size_t i = begin; i < end; i += WORDS, in += FIELD_BYTES)
        store(a, i, words_of(vld1q_u8(in), 0, vdupq_n_u32(low)));
    return in;
}

/* n - 1 is divisible by four. The low bits change within groups of words: those are mended. The last group is loaded with
 * the byte before it, for none stands behind. */
void lk_ternary_fixed_type_words_neon(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
{
    const size_t ones = w / 2 & ~(size_t)(WORDS - 1), twos = w & ~(size_t)(WORDS - 1), last = n - 1 - WORDS;
    in = put_words(a, 0, ones, in, 1);
    in = put_words(a, ones, twos, in, 2);
    in = put_words(a, twos, last, in, 0);
    store(a, last, words_of(vld1q_u8(in - 1), 1, vdupq_n_u32(0)));
    for (size_t i = ones; i < w / 2; i++) a->c[i] ^= 3;
    for (size_t i = twos; i < w; i++) a->c[i] |= 2;
}
