/* Inversion modulo (2, Phi) for NEON. SPDX-License-Identifier: Apache-2.0 */
#define BIT_PLANES 1

#include "arch/aarch64/neon/cyclic.h"
#include "arch/aarch64/neon/divsteps.h"

_Static_assert(sizeof(division) <= 8 * (size_t)LK_CYCLIC_SCRATCH_UNIT, "the smallest n has 8 units");

static inline void eliminate(uint64x2_t f[BIT_PLANES], uint64x2_t g[BIT_PLANES], control c)
{
    const uint64x2_t sum = veorq_u64(g[0], vbicq_u64(f[0], c.skip));
    replace_at_0(&f[0], g[0], c.keep);
    g[0] = sum;
}

/* f modulo Phi is f - f_(n-1). Upper bits of the bytes do not matter. */
void lk_cyclic_invert_mod2_neon(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n,
                                void *restrict scratch)
{
    const size_t places = lk_cyclic_places(n);
    const uint8x16_t last = vdupq_n_u8((uint8_t)f->c[n - 1]), one = vdupq_n_u8(1);
    division *d = scratch;
    memset(d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < places; i += 16) {
        const uint8x16_t low = vreinterpretq_u8_u16(vld1q_u16(f->c + i));
        const uint8x16_t high = vreinterpretq_u8_u16(vld1q_u16(f->c + i + 8));
        const uint8x16_t reversed = vrev64q_u8(veorq_u8(vuzp1q_u8(low, high), last));
        vst1q_u8(d->linear + places - 16 - i, vextq_u8(reversed, reversed, 8));
    }
    const uint8_t *inverse = invert(d, d->linear + places - (n - 1), n);
    for (size_t i = 0; i < places; i += 16) {
        const uint8x16_t bits = vandq_u8(vld1q_u8(inverse + i), one);
        vst1q_u16(v->c + i, vmovl_u8(vget_low_u8(bits)));
        vst1q_u16(v->c + i + 8, vmovl_high_u8(bits));
    }
    memset(v->c + n - 1, 0, (places - (n - 1)) * sizeof *v->c);
}
