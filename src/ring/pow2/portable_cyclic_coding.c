/* Packing, small operations and conversions of polynomials modulo X^n - 1 in portable C.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "ring/pow2/portable.h"
#include "ring/ternary/mod3.h"

/* Zeroes places n and above of the last unit. */
static void pad(lk_cyclic_poly *f, size_t n)
{
    for (size_t i = n; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) f->c[i] = 0;
}

/* ---- Packing ---- */

/* Eight coefficients of d bits fill d bytes. The last eight may be fewer: missing ones are 0, and bytes beyond the last are
 * not there. */
static inline void pack_eight(uint8_t *out, const uint16_t *c, unsigned d)
{
    const uint32_t mask = (1u << d) - 1;
    uint64_t low = 0, high = 0;
    for (unsigned j = 0; j < 4; j++) {
        low |= (uint64_t)(c[j] & mask) << (d * j);
        high |= (uint64_t)(c[4 + j] & mask) << (d * j);
    }
    const uint64_t first = low | high << (4 * d), rest = high >> (64 - 4 * d);
    lk_store64_le(out, first);
    for (unsigned j = 0; j < d - 8; j++) out[8 + j] = (uint8_t)(rest >> (8 * j));
}

static inline void unpack_eight(uint16_t *c, const uint8_t *in, unsigned d)
{
    const uint32_t mask = (1u << d) - 1;
    const uint64_t low = lk_load64_le(in);
    uint64_t high = low >> (4 * d);
    for (unsigned j = 0; j < d - 8; j++) high |= (uint64_t)in[8 + j] << (64 - 4 * d + 8 * j);
    for (unsigned j = 0; j < 4; j++) {
        c[j] = (uint16_t)(low >> (d * j) & mask);
        c[4 + j] = (uint16_t)(high >> (d * j) & mask);
    }
}

static inline void pack(uint8_t *out, const lk_cyclic_poly *f, size_t n, unsigned d)
{
    const size_t eights = (n - 1) / 8, rest = (n - 1) % 8;
    uint16_t last[8] = {0};
    uint8_t bytes[16];
    for (size_t i = 0; i < eights; i++) pack_eight(out + d * i, f->c + 8 * i, d);
    memcpy(last, f->c + 8 * eights, rest * sizeof *last);
    pack_eight(bytes, last, d);
    memcpy(out + d * eights, bytes, (d * rest + 7) / 8);
}

static inline void unpack(lk_cyclic_poly *f, const uint8_t *in, size_t n, unsigned d)
{
    const size_t eights = (n - 1) / 8, rest = (n - 1) % 8;
    uint16_t last[8];
    uint8_t bytes[16] = {0};
    for (size_t i = 0; i < eights; i++) unpack_eight(f->c + 8 * i, in + d * i, d);
    memcpy(bytes, in + d * eights, (d * rest + 7) / 8);
    unpack_eight(last, bytes, d);
    memcpy(f->c + 8 * eights, last, rest * sizeof *last);
    pad(f, n - 1);
}

void lk_cyclic_pack_d11_c(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 11);
}

void lk_cyclic_pack_d12_c(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 12);
}

void lk_cyclic_pack_d13_c(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 13);
}

void lk_cyclic_unpack_d11_c(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

void lk_cyclic_unpack_d12_c(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 12);
}

void lk_cyclic_unpack_d13_c(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}

/* ---- Trits ---- */

/* 0, 1, 2 become 0, 1, -1. */
static inline uint16_t centred(uint8_t t)
{
    return (uint16_t)(t - 3u * (t >> 1));
}

void lk_cyclic_from_trits_c(lk_cyclic_poly *restrict f, const lk_trits *restrict t, size_t n, unsigned scale)
{
    for (size_t i = 0; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) f->c[i] = (uint16_t)(scale * centred(t->c[i]));
}

/* c in [-q/2, q/2) is c + q in [0, q) with q modulo 3 too much: 2 for an odd number of bits, 1 for an even one. Where it is
 * negative, 3 - (q modulo 3) makes up for it. And modulo Phi subtracts the last coefficient, or adds twice it. */
void lk_cyclic_mod3_c(lk_trits *restrict t, const lk_cyclic_poly *restrict f, size_t n, unsigned bits)
{
    const uint16_t mask = (uint16_t)((1u << bits) - 1), correction = bits % 2 == 1 ? 1 : 2;
    const uint16_t c = f->c[n - 1] & mask;
    const uint16_t last = (uint16_t)(2 * lk_mod3((uint16_t)(c + (c >> (bits - 1)) * correction)));
    for (size_t i = 0; i < n - 1; i++) {
        const uint16_t x = f->c[i] & mask;
        t->c[i] = (uint8_t)lk_mod3((uint16_t)(x + (x >> (bits - 1)) * correction + last));
    }
    for (size_t i = n - 1; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) t->c[i] = 0;
}

/* x is -1, 0 or 1 where x + 1 is below 3. The trits of 0, 1 and -1 are the low two bits with the upper one less the lower one
 * where it is set. */
uint32_t lk_cyclic_to_trits_c(lk_trits *restrict t, const lk_cyclic_poly *restrict f, size_t n, unsigned bits)
{
    const uint16_t mask = (uint16_t)((1u << bits) - 1);
    uint16_t wrong = 0;
    for (size_t i = 0; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) {
        const uint16_t above = (uint16_t)((f->c[i] + 1) & mask);
        wrong |= (uint16_t)((above & ~3u) | (above & above >> 1));
        t->c[i] = (uint8_t)((above >> 1 & 1) + 2 * (~above >> 1 & ~above & 1));
    }
    return lk_ct_nonzero(wrong);
}

/* ---- Small operations ---- */

void lk_cyclic_times_x_minus_1_c(lk_cyclic_poly *f, size_t n)
{
    const uint16_t last = f->c[n - 1];
    for (size_t i = n - 1; i > 0; i--) f->c[i] = (uint16_t)(f->c[i - 1] - f->c[i]);
    f->c[0] = (uint16_t)(last - f->c[0]);
}

void lk_cyclic_two_minus_c(lk_cyclic_poly *f, size_t n)
{
    for (size_t i = 0; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) f->c[i] = (uint16_t)(0u - f->c[i]);
    f->c[0] = (uint16_t)(f->c[0] + 2);
}

void lk_cyclic_add_c(lk_cyclic_poly *restrict f, const lk_cyclic_poly *restrict g, size_t n)
{
    for (size_t i = 0; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) f->c[i] = (uint16_t)(f->c[i] + g->c[i]);
}

void lk_cyclic_sub_c(lk_cyclic_poly *restrict f, const lk_cyclic_poly *restrict g, size_t n)
{
    for (size_t i = 0; i < LK_CYCLIC_UNIT * lk_cyclic_units(n); i++) f->c[i] = (uint16_t)(f->c[i] - g->c[i]);
}

void lk_cyclic_mod_phi_c(lk_cyclic_poly *f, size_t n)
{
    const uint16_t last = f->c[n - 1];
    for (size_t i = 0; i < n; i++) f->c[i] = (uint16_t)(f->c[i] - last);
}

void lk_cyclic_sum_zero_c(lk_cyclic_poly *f, size_t n)
{
    uint16_t sum = 0;
    for (size_t i = 0; i < n - 1; i++) sum = (uint16_t)(sum + f->c[i]);
    f->c[n - 1] = (uint16_t)(0u - sum);
}
