/* Packing of NTRU's small polynomials as loops that compilers vectorise: portable.c has them, and so has a backend that
 * compiles them again with its instructions. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_PACKING_H
#define LK_RING_TERNARY_PACKING_H

#include <string.h>

#include "ring/ternary/kernels.h"
#include "ring/ternary/mod3.h"

static void lk_ternary_pack(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
{
    const size_t fives = lk_fifth(n - 1);
    const uint8_t *c = t->c;
    for (size_t i = 0; i < fives; i++)
        out[i] = (uint8_t)(c[5 * i] + 3 * c[5 * i + 1] + 9 * c[5 * i + 2] + 27 * c[5 * i + 3] + 81 * c[5 * i + 4]);
    if (5 * fives == n - 1) return;
    out[fives] = 0;
    for (size_t j = n - 1; j-- > 5 * fives;) out[fives] = (uint8_t)(3 * out[fives] + c[j]);
}

static void lk_ternary_unpack(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    for (size_t i = 0; i < lk_fifth(n + 3); i++) {
        uint16_t x = in[i];
        for (size_t j = 0; j < 5; j++) {
            t->c[5 * i + j] = (uint8_t)lk_mod3(x);
            x = lk_third(x);
        }
    }
    memset(t->c + n - 1, 0, lk_cyclic_places(n) - (n - 1));
}

/* Their places in a table. */
#define LK_TERNARY_PACKING .pack = lk_ternary_pack, .unpack = lk_ternary_unpack

#endif
