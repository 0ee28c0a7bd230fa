/* Inversion modulo (3, Phi) for NEON. SPDX-License-Identifier: Apache-2.0 */
#define BIT_PLANES 2

#include "arch/aarch64/neon/divsteps.h"
#include "arch/aarch64/neon/ternary.h"

_Static_assert(sizeof(division) <= 8 * (size_t)LK_TERNARY_SCRATCH_UNIT, "the smallest n has 8 units");

/* The sign of 0 is left open. Then x + y is 0 where both are or where they are not and have different signs, and its
 * sign is that of y where x = 0, that of x where y = 0, and the other one where neither is. G becomes -(G + y), which
 * takes one operation less, with the complements of y's planes: y is 0 where skip, F where sign is set and else -F. */
static inline void eliminate(uint64x2_t f[BIT_PLANES], uint64x2_t g[BIT_PLANES], control c)
{
    const uint64x2_t y0 = vornq_u64(c.skip, f[0]), y1 = veorq_u64(f[1], c.sign);
    const uint64x2_t sum = vornq_u64(veorq_u64(g[1], y1), g[0]);
    replace_at_0(&f[0], g[0], c.keep);
    replace_at_0(&f[1], g[1], c.keep);
    g[1] = veorq_u64(g[1], y0);
    replace_at_0(&g[1], y1, g[0]);
    replace_at_0(&g[0], sum, y0);
}

/* t modulo Phi is t - t_(n-1), and x - y = x + 2 y modulo 3 at most 6. */
void lk_ternary_invert_neon(lk_trits *restrict v, const lk_trits *restrict t, size_t n, void *restrict scratch)
{
    const size_t places = lk_cyclic_places(n);
    const uint8x16_t planes = {0, 1, 3, 0, 1, 3, 0}, last = vdupq_n_u8((uint8_t)(2 * t->c[n - 1]));
    division *d = scratch;
    memset(d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < places; i += 16) {
        const uint8x16_t bytes = vqtbl1q_u8(planes, vaddq_u8(vld1q_u8(t->c + i), last));
        const uint8x16_t reversed = vrev64q_u8(bytes);
        vst1q_u8(d->linear + places - 16 - i, vextq_u8(reversed, reversed, 8));
    }
    const uint8_t *inverse = invert(d, d->linear + places - (n - 1), n);
    const uint8x16_t one = vdupq_n_u8(1), negate = vreinterpretq_u8_u64(first_is_1(d->f[0][1]));
    for (size_t i = 0; i < places; i += 16) {
        const uint8x16_t bytes = vld1q_u8(inverse + i), nonzero = vandq_u8(bytes, one);
        const uint8x16_t minus = vandq_u8(nonzero, veorq_u8(vshrq_n_u8(bytes, 1), negate));
        vst1q_u8(v->c + i, vaddq_u8(nonzero, minus));
    }
    memset(v->c + n - 1, 0, places - (n - 1));
}
