/* Packing of polynomials modulo X^n - 1 as loops that compilers vectorise: portable.c has them, and so has a backend
 * that compiles them again with its instructions. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_CYCLIC_PACKING_H
#define LK_RING_CYCLIC_PACKING_H

#include <string.h>

#include "base/bytes.h"
#include "ring/cyclic/kernels.h"

/* Zeroes places n and above of the last unit. */
static void lk_cyclic_pad(lk_cyclic_poly *f, size_t n)
{
    for (size_t i = n; i < lk_cyclic_places(n); i++) f->c[i] = 0;
}

/* Eight coefficients of d bits fill d bytes. The last eight may be fewer: missing ones are 0, and bytes beyond the last
 * are not there. */
static inline void lk_cyclic_pack_eight(uint8_t *out, const uint16_t *c, unsigned d)
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

static inline void lk_cyclic_unpack_eight(uint16_t *c, const uint8_t *in, unsigned d)
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

static inline void lk_cyclic_pack(uint8_t *out, const lk_cyclic_poly *f, size_t n, unsigned d)
{
    const size_t eights = (n - 1) / 8, rest = (n - 1) % 8;
    uint16_t last[8] = {0};
    uint8_t bytes[16];
    for (size_t i = 0; i < eights; i++) lk_cyclic_pack_eight(out + d * i, f->c + 8 * i, d);
    memcpy(last, f->c + 8 * eights, rest * sizeof *last);
    lk_cyclic_pack_eight(bytes, last, d);
    memcpy(out + d * eights, bytes, (d * rest + 7) / 8);
}

static inline void lk_cyclic_unpack(lk_cyclic_poly *f, const uint8_t *in, size_t n, unsigned d)
{
    const size_t eights = (n - 1) / 8, rest = (n - 1) % 8;
    uint16_t last[8];
    uint8_t bytes[16] = {0};
    for (size_t i = 0; i < eights; i++) lk_cyclic_unpack_eight(f->c + 8 * i, in + d * i, d);
    memcpy(bytes, in + d * eights, (d * rest + 7) / 8);
    lk_cyclic_unpack_eight(last, bytes, d);
    memcpy(f->c + 8 * eights, last, rest * sizeof *last);
    lk_cyclic_pad(f, n - 1);
}

static void lk_cyclic_pack_d11(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    lk_cyclic_pack(out, f, n, 11);
}

static void lk_cyclic_pack_d12(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    lk_cyclic_pack(out, f, n, 12);
}

static void lk_cyclic_pack_d13(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    lk_cyclic_pack(out, f, n, 13);
}

static void lk_cyclic_unpack_d11(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    lk_cyclic_unpack(f, in, n, 11);
}

static void lk_cyclic_unpack_d12(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    lk_cyclic_unpack(f, in, n, 12);
}

static void lk_cyclic_unpack_d13(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    lk_cyclic_unpack(f, in, n, 13);
}

/* Their places in a table. */
#define LK_CYCLIC_PACKING                                                                                              \
    .pack_d11 = lk_cyclic_pack_d11, .pack_d12 = lk_cyclic_pack_d12, .pack_d13 = lk_cyclic_pack_d13,                    \
    .unpack_d11 = lk_cyclic_unpack_d11, .unpack_d12 = lk_cyclic_unpack_d12, .unpack_d13 = lk_cyclic_unpack_d13

#endif
