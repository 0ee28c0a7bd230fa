/* Inversion modulo (2, Phi) in portable C: division steps on bit planes (ternary/bits.h).
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ring/pow2/portable.h"
#include "ring/ternary/bits.h"

typedef struct {
    lk_plane f, g, v, w;
} division;

_Static_assert(sizeof(division) <= LK_CYCLIC_SCRATCH_UNIT_C, "");

/* Phi is its own reverse. */
static void begin(division *d, const lk_cyclic_poly *f, size_t n)
{
    const size_t words = lk_cyclic_units(n);
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < n; i++) d->f.w[i / 64] |= (uint64_t)1 << (i % 64);
    for (size_t i = 0; i < n - 1; i++) d->g.w[i / 64] |= (uint64_t)((f->c[n - 2 - i] ^ f->c[n - 1]) & 1) << (i % 64);
    d->w.w[words - 1] = (uint64_t)1 << 63;
}

/* The multiple of the old F makes G's constant 0 also where the two are exchanged: modulo 2 there are no signs. */
static inline void eliminate(uint64_t *restrict f, uint64_t *restrict g, size_t words, uint64_t swap, uint64_t add)
{
    for (size_t i = 0; i < words; i++) {
        const uint64_t a = f[i], b = g[i];
        f[i] = a ^ ((a ^ b) & swap);
        g[i] = b ^ (a & add);
    }
}

static inline void divstep(division *d, uint32_t *delta, size_t n, size_t i)
{
    const size_t fg = lk_divstep_words_fg(n, i), vw = lk_divstep_words_vw(n, i), low = lk_cyclic_units(n) - vw;
    const uint32_t constant = lk_plane_bit(&d->g, 0);
    const uint64_t swap = lk_mask64(lk_divstep_swap(delta, constant)), add = lk_mask64(constant);
    lk_plane_shift_down(d->v.w + low, vw, 0);
    eliminate(d->v.w + low, d->w.w + low, vw, swap, add);
    eliminate(d->f.w, d->g.w, fg, swap, add);
    lk_plane_shift_down(d->g.w, fg, 0);
}

void lk_cyclic_invert_mod2_c(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n,
                             void *restrict scratch)
{
    division *d = scratch;
    const size_t places = lk_cyclic_places(n), first = places - (n - 1);
    uint32_t delta = 1;
    begin(d, f, n);
    for (size_t i = 0; i < lk_divstep_count(n); i++) divstep(d, &delta, n, i);
    for (size_t i = 0; i < n - 1; i++) v->c[i] = (uint16_t)lk_plane_bit(&d->v, first + i);
    for (size_t i = n - 1; i < places; i++) v->c[i] = 0;
}
