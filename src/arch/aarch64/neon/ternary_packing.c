/* Packing of NTRU's small polynomials for NEON: sixteen bytes, of five trits each, at a time, of which the last sixteen end
 * with the string. TBL and TBX, for 64 and 16 bytes of the 80, take the trits apart and put them together.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/ternary.h"

enum { BYTES = 16, TRITS = 5 };

typedef struct {
    uint8x16x4_t low;
    uint8x16_t high;
} table;

static inline uint8x16_t look_up(const table *t, uint8x16_t places)
{
    return vqtbx1q_u8(vqtbl4q_u8(t->low, places), t->high, vsubq_u8(places, vdupq_n_u8(64)));
}

static inline void pack_group(uint8_t *out, const uint8_t *trits)
{
    const table t = {{{vld1q_u8(trits), vld1q_u8(trits + 16), vld1q_u8(trits + 32), vld1q_u8(trits + 48)}},
                     vld1q_u8(trits + 64)};
    const uint8x16_t fives = {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75};
    uint8x16_t x = look_up(&t, vaddq_u8(fives, vdupq_n_u8(TRITS - 1)));
    for (uint8_t i = TRITS - 1; i-- > 0;) x = vmlaq_u8(look_up(&t, vaddq_u8(fives, vdupq_n_u8(i))), x, vdupq_n_u8(3));
    vst1q_u8(out, x);
}

/* t_(n-1) = 0 and the zeros behind it fill the last byte up. */
void lk_ternary_pack_neon(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
{
    const size_t last = lk_fifth(n + 3) - BYTES;
    for (size_t i = 0; i < last; i += BYTES) pack_group(out + i, t->c + TRITS * i);
    pack_group(out + last, t->c + TRITS * last);
}

/* 171 / 512 is 1/3 + 1/1536, enough for bytes. */
static inline uint8x16_t third(uint8x16_t x)
{
    const uint8x16_t factor = vdupq_n_u8(171);
    const uint16x8_t low = vmull_u8(vget_low_u8(x), vget_low_u8(factor)), high = vmull_high_u8(x, factor);
    return vshrq_n_u8(vuzp2q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high)), 1);
}

/* The five trits of byte i, in a table with a register for each of a byte's trits. */
#define TRITS_OF(i) (i), 16 + (i), 32 + (i), 48 + (i), 64 + (i)

static const uint8_t places[TRITS * BYTES] = {
    TRITS_OF(0), TRITS_OF(1), TRITS_OF(2),  TRITS_OF(3),  TRITS_OF(4),  TRITS_OF(5),  TRITS_OF(6),  TRITS_OF(7),
    TRITS_OF(8), TRITS_OF(9), TRITS_OF(10), TRITS_OF(11), TRITS_OF(12), TRITS_OF(13), TRITS_OF(14), TRITS_OF(15),
};

static inline void unpack_group(uint8_t *trits, const uint8_t *in)
{
    const uint8x16_t bytes = vld1q_u8(in);
    uint8x16_t x = vminq_u8(bytes, vsubq_u8(bytes, vdupq_n_u8(243)));
    table t;
    for (size_t i = 0; i < TRITS - 1; i++) {
        const uint8x16_t quotient = third(x);
        t.low.val[i] = vmlsq_u8(x, quotient, vdupq_n_u8(3));
        x = quotient;
    }
    t.high = x;
    for (size_t i = 0; i < TRITS * BYTES; i += 16) vst1q_u8(trits + i, look_up(&t, vld1q_u8(places + i)));
}

void lk_ternary_unpack_neon(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const size_t last = lk_fifth(n + 3) - BYTES;
    for (size_t i = 0; i < last; i += BYTES) unpack_group(t->c + TRITS * i, in + i);
    unpack_group(t->c + TRITS * last, in + last);
    memset(t->c + n - 1, 0, lk_cyclic_places(n) - (n - 1));
}
