/* Between d bytes and a register of eight coefficients of d bits, 3 <= d <= 13, for NEON.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_PACKING_H
#define LK_ARCH_AARCH64_NEON_PACKING_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

/* ---- From bytes: those of the register are behind skip others ---- */

/* For coefficient j of eight: the byte that has its first bit, and in that byte the place of this bit. */
#define FIRST_BYTE(d, skip, j) (uint8_t)((skip) + (d) * (j) / 8)
#define FIRST_BIT(d, j) (int)((d) * (j) % 8)

#define TWO_BYTES(d, skip, j) FIRST_BYTE(d, skip, j), FIRST_BYTE(d, (skip) + 1, j)

/* Words that begin with the byte of their coefficient's first bit; for widths with a coefficient in two bytes. */
static inline uint16x8_t gather(uint8x16_t bytes, size_t d, size_t skip)
{
    const uint8x16_t indices = {TWO_BYTES(d, skip, 0), TWO_BYTES(d, skip, 1), TWO_BYTES(d, skip, 2),
                                TWO_BYTES(d, skip, 3), TWO_BYTES(d, skip, 4), TWO_BYTES(d, skip, 5),
                                TWO_BYTES(d, skip, 6), TWO_BYTES(d, skip, 7)};
    return vreinterpretq_u16_u8(vqtbl1q_u8(bytes, indices));
}

/* place - FIRST_BIT: by how much words of gather are shifted to the left to bring the first bit to a place. */
static inline int16x8_t shifts_to(int place, size_t d)
{
    const int16x8_t bits = {FIRST_BIT(d, 0), FIRST_BIT(d, 1), FIRST_BIT(d, 2), FIRST_BIT(d, 3),
                            FIRST_BIT(d, 4), FIRST_BIT(d, 5), FIRST_BIT(d, 6), FIRST_BIT(d, 7)};
    return vsubq_s16(vdupq_n_s16((int16_t)place), bits);
}

static inline uint16x8_t low_bits(size_t d)
{
    return vdupq_n_u16((uint16_t)((1 << d) - 1));
}

#define FOUR_BYTES(d, skip, j) TWO_BYTES(d, skip, j), TWO_BYTES(d, (skip) + 2, j)

/* Four coefficients from coefficient j on in words of 32 bits, with others above their d bits. */
static inline uint32x4_t gather_four(uint8x16_t bytes, size_t d, size_t j, size_t skip)
{
    const uint8x16_t indices = {FOUR_BYTES(d, skip, j), FOUR_BYTES(d, skip, j + 1), FOUR_BYTES(d, skip, j + 2),
                                FOUR_BYTES(d, skip, j + 3)};
    const int32x4_t shifts = {-FIRST_BIT(d, j), -FIRST_BIT(d, j + 1), -FIRST_BIT(d, j + 2), -FIRST_BIT(d, j + 3)};
    return vshlq_u32(vreinterpretq_u32_u8(vqtbl1q_u8(bytes, indices)), shifts);
}

/* Eight coefficients with others above their d bits, for widths with one in three bytes. */
static inline uint16x8_t gather_three(uint8x16_t bytes, size_t d, size_t skip)
{
    return vuzp1q_u16(vreinterpretq_u16_u32(gather_four(bytes, d, 0, skip)),
                      vreinterpretq_u16_u32(gather_four(bytes, d, 4, skip)));
}

/* ---- To bytes ---- */

/* pack_d: the d low bits of words, as d bytes with others behind them. Words into pairs, pairs into fours; each
 * insertion keeps the lower bits and replaces those above them. Then the fours in the register's halves are
 * joined. */
#define FOURS(words, d)                                                                                                \
    const uint32x4_t singles = vreinterpretq_u32_u16(words);                                                           \
    const uint64x2_t pairs = vreinterpretq_u64_u32(vsliq_n_u32(singles, vshrq_n_u32(singles, 16), d));                 \
    const uint64x2_t fours = vsliq_n_u64(pairs, vshrq_n_u64(pairs, 32), 2 * (d));

#define PACK(d, join)                                                                                                  \
    static inline uint8x16_t packed_d##d(uint16x8_t words)                                                             \
    {                                                                                                                  \
        FOURS(words, d)                                                                                                \
        return join(fours, d);                                                                                         \
    }

/* The same for two registers and odd d, which need fewer instructions together: first the fours at the bottom of both,
 * then those above them. */
#define PACK_TWO(d)                                                                                                    \
    static inline uint64x2_t fours_d##d(uint16x8_t words)                                                              \
    {                                                                                                                  \
        FOURS(words, d)                                                                                                \
        return fours;                                                                                                  \
    }                                                                                                                  \
    static inline void pack_two_d##d(uint8_t *out, uint16x8_t first, uint16x8_t second)                                \
    {                                                                                                                  \
        const uint64x2_t a = fours_d##d(first), b = fours_d##d(second), above = vzip2q_u64(a, b);                      \
        const uint64x2_t low = vsliq_n_u64(vzip1q_u64(a, b), above, 4 * (d));                                          \
        const uint64x2_t high = vshrq_n_u64(above, 64 - 4 * (d));                                                      \
        vst1q_u8(out, vreinterpretq_u8_u64(vzip1q_u64(low, high)));                                                    \
        vst1q_u8(out + (d), vreinterpretq_u8_u64(vzip2q_u64(low, high)));                                              \
    }

/* For odd d: the second four begins in the middle of a byte. */
#define JOIN_BITS(fours, d)                                                                                            \
    vreinterpretq_u8_u64(vcopyq_laneq_u64(vsliq_n_u64(fours, vextq_u64(fours, fours, 1), 4 * (d)), 1,                  \
                                          vshrq_n_u64(fours, 64 - 4 * (d)), 1))

#define JOINED(d, k) (uint8_t)((k) < (d) / 2 ? (k) : (k) + 8 - (d) / 2)

static inline uint8x16_t join_bytes(uint64x2_t fours, size_t d)
{
    const uint8x16_t indices = {JOINED(d, 0), JOINED(d, 1), JOINED(d, 2), JOINED(d, 3), JOINED(d, 4),  JOINED(d, 5),
                                JOINED(d, 6), JOINED(d, 7), JOINED(d, 8), JOINED(d, 9), JOINED(d, 10), JOINED(d, 11)};
    return vqtbl1q_u8(vreinterpretq_u8_u64(fours), indices);
}

#endif
