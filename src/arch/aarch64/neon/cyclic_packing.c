/* Packing of polynomials modulo X^n - 1 for NEON, eight coefficients at a time; of the n - 1, four remain.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/cyclic.h"
#include "arch/aarch64/neon/packing.h"

enum { LANES = 8, LAST = 4 };

static inline uint16x8_t load(const lk_cyclic_poly *f, size_t i)
{
    return vld1q_u16(&f->c[LANES * i]);
}

static inline void store(lk_cyclic_poly *f, size_t i, uint16x8_t v)
{
    vst1q_u16(&f->c[LANES * i], v);
}

static inline size_t registers(size_t n)
{
    return (n - 1) / LANES;
}

/* The d low bits of the four words that remain. */
static inline uint16x8_t last_bits(size_t d)
{
    return vcombine_u16(vget_low_u16(low_bits(d)), vdup_n_u16(0));
}

/* ---- To bytes ---- */

PACK(11, JOIN_BITS)
PACK(12, join_bytes)
PACK(13, JOIN_BITS)
PACK_TWO(11)
PACK_TWO(13)

static inline void pack_two_d12(uint8_t *out, uint16x8_t first, uint16x8_t second)
{
    vst1q_u8(out, packed_d12(first));
    vst1q_u8(out + 12, packed_d12(second));
}

typedef uint8x16_t pack_fn(uint16x8_t words);
typedef void pack_two_fn(uint8_t *out, uint16x8_t first, uint16x8_t second);

/* A register's bytes have at most five others behind them, and six or more follow. */
static inline void pack(uint8_t *restrict out, const lk_cyclic_poly *restrict f, size_t n, size_t d,
                        pack_fn *pack_words, pack_two_fn *pack_two)
{
    const size_t count = registers(n);
    size_t i = 0;
    for (; i + 1 < count; i += 2) pack_two(out + d * i, load(f, i), load(f, i + 1));
    if (i < count) vst1q_u8(out + d * i, pack_words(load(f, i)));
    uint64_t rest = vgetq_lane_u64(vreinterpretq_u64_u8(pack_words(vandq_u16(load(f, count), last_bits(d)))), 0);
    for (size_t k = 0; k < (LAST * d + 7) / 8; k++, rest >>= 8) out[d * count + k] = (uint8_t)rest;
}

void lk_cyclic_pack_d11_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 11, packed_d11, pack_two_d11);
}

void lk_cyclic_pack_d12_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 12, packed_d12, pack_two_d12);
}

void lk_cyclic_pack_d13_neon(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 13, packed_d13, pack_two_d13);
}

/* ---- From bytes ---- */

static inline uint16x8_t unpack_words(const uint8_t *in, size_t d, size_t skip)
{
    const uint8x16_t bytes = vld1q_u8(in - skip);
    return d == 12 ? vshlq_u16(gather(bytes, d, skip), shifts_to(0, d)) : gather_three(bytes, d, skip);
}

/* The last bytes are loaded with those before them. */
static inline void unpack(lk_cyclic_poly *restrict f, const uint8_t *restrict in, size_t n, size_t d)
{
    const size_t count = registers(n), rest = (LAST * d + 7) / 8;
    for (size_t i = 0; i < count; i++) store(f, i, vandq_u16(unpack_words(in + d * i, d, 0), low_bits(d)));
    store(f, count, vandq_u16(unpack_words(in + d * count, d, 16 - rest), last_bits(d)));
    for (size_t i = count + 1; i < LK_CYCLIC_UNIT / LANES * lk_cyclic_units(n); i++) store(f, i, vdupq_n_u16(0));
}

void lk_cyclic_unpack_d11_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

void lk_cyclic_unpack_d12_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 12);
}

void lk_cyclic_unpack_d13_neon(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}
