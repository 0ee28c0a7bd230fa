/* Rejection sampling for NEON (FIPS 203 algorithm 7). Everything here is public. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/q3329.h"
#include "arch/aarch64/neon/q3329_constants.h"
#include "ring/q3329/portable.h"

__extension__ typedef unsigned __int128 places;

/* The places of those of eight words whose bits are set in m, the lowest first, as pairs of bytes. */
#define NEXT(list, m, i) ((list) * (1 + 65535ull * ((m) >> (i)&1)) + (0x0100 + 0x0202 * (i)) * ((m) >> (i)&1ull))
#define PLACES(m)                                                                                                      \
    NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT((places)0, m, 7), m, 6), m, 5), m, 4), m, 3), m, 2), m, 1), m, 0)
#define PLACES4(m) PLACES(m), PLACES((m) + 1), PLACES((m) + 2), PLACES((m) + 3)
#define PLACES16(m) PLACES4(m), PLACES4((m) + 4), PLACES4((m) + 8), PLACES4((m) + 12)
#define PLACES64(m) PLACES16(m), PLACES16((m) + 16), PLACES16((m) + 32), PLACES16((m) + 48)

static const places chosen[256] = {PLACES64(0), PLACES64(64), PLACES64(128), PLACES64(192)};

/* Writes those of eight values that are below q close together to out, where eight have room; returns the end of them. The
 * sum of what the accepted lanes stand for is their choice as bits and, from bit 9, their number: twice that from bit 8.
 * Compilers that do not know how small it is shift and add in one instruction. */
static inline uint8_t *select_below_q(uint8_t *out, uint16x8_t values)
{
    const uint16x8_t weight = {512 + 1, 512 + 2, 512 + 4, 512 + 8, 512 + 16, 512 + 32, 512 + 64, 512 + 128};
    uint64_t sum = vaddvq_u16(vandq_u16(vcltq_u16(values, vdupq_n_u16(Q)), weight));
    __asm__("" : "+r"(sum));
    const uint8x16_t from = vld1q_u8((const uint8_t *)&chosen[sum & 0xFF]);
    vst1q_u8(out, vqtbl1q_u8(vreinterpretq_u8_u16(values), from));
    return out + (sum >> 8);
}

/* Eight values from the twelve bytes at in + skip, with 16 read from in. */
static inline uint16x8_t decode(const uint8_t *in, uint8_t skip)
{
    const uint8x16_t places12 = {0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11};
    const int16x8_t shifts = {0, -4, 0, -4, 0, -4, 0, -4};
    const uint8x16_t b = vqtbl1q_u8(vld1q_u8(in), vaddq_u8(places12, vdupq_n_u8(skip)));
    return vandq_u16(vshlq_u16(vreinterpretq_u16_u8(b), shifts), vdupq_n_u16(0xFFF));
}

static inline uint8_t *select_from_48(uint8_t *out, const uint8_t *in)
{
    const uint8x16x3_t triple = vld3q_u8(in);
    for (int i = 0; i < 2; i++) {
        const uint8x16_t low = i ? vzip2q_u8(triple.val[0], triple.val[1]) : vzip1q_u8(triple.val[0], triple.val[1]);
        const uint8x16_t high = i ? vzip2q_u8(triple.val[1], triple.val[2]) : vzip1q_u8(triple.val[1], triple.val[2]);
        const uint16x8_t first = vbicq_u16(vreinterpretq_u16_u8(low), vdupq_n_u16(0xF000));
        const uint16x8_t second = vshrq_n_u16(vreinterpretq_u16_u8(high), 4);
        out = select_below_q(out, vzip1q_u16(first, second));
        out = select_below_q(out, vzip2q_u16(first, second));
    }
    return out;
}

/* 48, 24 or 12 bytes at a time while all of their values have room; the last few values, and what remains of a stream
 * of another length, are the portable kernel's. */
size_t lk_q3329_rej_uniform_vartime_neon(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    uint8_t *out = (uint8_t *)&f->c[have];
    for (; len >= 48 && out <= (uint8_t *)&f->c[N - 32]; in += 48, len -= 48) out = select_from_48(out, in);
    for (; len >= 24 && out <= (uint8_t *)&f->c[N - 16]; in += 24, len -= 24) {
        out = select_below_q(out, decode(in, 0));
        out = select_below_q(out, decode(in + 8, 4));
    }
    for (; len >= 16 && out <= (uint8_t *)&f->c[N - 8]; in += 12, len -= 12) out = select_below_q(out, decode(in, 0));
    have = (size_t)((int16_t *)out - f->c);
    return len == 0 ? have : lk_q3329_rej_uniform_vartime_c(f, have, in, len);
}
