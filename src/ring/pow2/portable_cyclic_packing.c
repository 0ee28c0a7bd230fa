/* Packing of polynomials modulo X^n - 1 in portable C. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "ring/pow2/portable.h"

/* Zeroes places n and above of the last unit. */
static void pad(lk_cyclic_poly *f, size_t n)
{
    for (size_t i = n; i < lk_cyclic_places(n); i++) f->c[i] = 0;
}

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
