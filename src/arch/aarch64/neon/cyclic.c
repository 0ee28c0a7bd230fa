/* The kernels of Z_q[X]/(X^n - 1) for NEON: here the small operations and conversions, a unit at a time.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/cyclic.h"
#include "arch/aarch64/tables.h"
#include "shared/ct.h"

enum { LANES = 8, REGISTERS = 8, STEP = LANES * REGISTERS };

static inline void load(uint16x8_t v[REGISTERS], const uint16_t *p)
{
    for (size_t k = 0; k < REGISTERS; k++) v[k] = vld1q_u16(p + LANES * k);
}

static inline void store(uint16_t *p, const uint16x8_t v[REGISTERS])
{
    for (size_t k = 0; k < REGISTERS; k++) vst1q_u16(p + LANES * k, v[k]);
}

/* The low bytes of words. */
static inline void store_bytes(uint8_t *p, const uint16x8_t v[REGISTERS], uint8x16_t (*convert)(uint8x16_t))
{
    for (size_t k = 0; k < REGISTERS; k += 2)
        vst1q_u8(p + LANES * k, convert(vuzp1q_u8(vreinterpretq_u8_u16(v[k]), vreinterpretq_u8_u16(v[k + 1]))));
}

/* ---- Trits ---- */

/* The bytes of scale times 0, 1, -1 are looked up. */
static void from_trits(lk_cyclic_poly *restrict f, const lk_trits *restrict t, size_t n, unsigned scale)
{
    const uint8x16_t values = vreinterpretq_u8_u16((uint16x8_t){0, (uint16_t)scale, (uint16_t)(0 - scale)});
    const uint8x16_t low = vuzp1q_u8(values, values), high = vuzp2q_u8(values, values);
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP)
        for (size_t k = 0; k < STEP; k += 16) {
            const uint8x16_t trits = vld1q_u8(t->c + i + k);
            const uint8x16x2_t words = {{vqtbl1q_u8(low, trits), vqtbl1q_u8(high, trits)}};
            vst2q_u8((uint8_t *)(f->c + i + k), words);
        }
}

/* 0, 1, -1 become 0, 1, 2. */
static inline uint8x16_t trits_of_centred(uint8x16_t r)
{
    return vminq_u8(r, vdupq_n_u8(2));
}

/* The residue of least absolute value modulo 2^bits. */
static inline int16x8_t centred(uint16x8_t f, unsigned bits)
{
    const int16x8_t shift = vdupq_n_s16((int16_t)(16 - bits));
    return vshlq_s16(vreinterpretq_s16_u16(vshlq_u16(f, shift)), vnegq_s16(shift));
}

/* x less three times x / 3 rounded is -1, 0 or 1; |x| < 2^13, and the reciprocal's error stays below 1/6 up to 2^14. */
static void mod3(lk_trits *restrict t, const lk_cyclic_poly *restrict f, size_t n, unsigned bits)
{
    const int16x8_t last = centred(vdupq_n_u16(f->c[n - 1]), bits);
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS];
        load(v, f->c + i);
        for (size_t k = 0; k < REGISTERS; k++) {
            const int16x8_t x = vsubq_s16(centred(v[k], bits), last);
            v[k] = vreinterpretq_u16_s16(vmlsq_n_s16(x, vqrdmulhq_n_s16(x, 10923), 3));
        }
        store_bytes(t->c + i, v, trits_of_centred);
    }
    memset(t->c + n, 0, lk_cyclic_places(n) - n);
}

/* 0, 1, 2 mean -1, 0, 1; larger values become some trit. */
static inline uint8x16_t trits_of_above(uint8x16_t above)
{
    return vqtbl1q_u8((uint8x16_t){2, 0, 1}, above);
}

/* x is -1, 0 or 1 where x + 1 is below 3. */
static uint32_t to_trits(lk_trits *restrict t, const lk_cyclic_poly *restrict f, size_t n, unsigned bits)
{
    const uint16x8_t mask = vdupq_n_u16((uint16_t)((1u << bits) - 1)), one = vdupq_n_u16(1);
    uint16x8_t most = vdupq_n_u16(0);
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS];
        load(v, f->c + i);
        for (size_t k = 0; k < REGISTERS; k++) {
            v[k] = vandq_u16(vaddq_u16(v[k], one), mask);
            most = vmaxq_u16(most, v[k]);
        }
        store_bytes(t->c + i, v, trits_of_above);
    }
    return lk_ct_nonzero(vmaxvq_u16(vcgtq_u16(most, vdupq_n_u16(2))));
}

/* ---- Small operations ---- */

static void times_x_minus_1(lk_cyclic_poly *f, size_t n)
{
    uint16x8_t previous = vdupq_n_u16(f->c[n - 1]);
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS];
        load(v, f->c + i);
        for (size_t k = 0; k < REGISTERS; k++) {
            const uint16x8_t x = v[k];
            v[k] = vsubq_u16(vextq_u16(previous, x, LANES - 1), x);
            previous = x;
        }
        store(f->c + i, v);
    }
    f->c[n] = 0;
}

static void two_minus(lk_cyclic_poly *f, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS];
        load(v, f->c + i);
        for (size_t k = 0; k < REGISTERS; k++) v[k] = vsubq_u16(vdupq_n_u16(0), v[k]);
        store(f->c + i, v);
    }
    f->c[0] = (uint16_t)(f->c[0] + 2);
}

static void add(lk_cyclic_poly *restrict f, const lk_cyclic_poly *restrict g, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS], w[REGISTERS];
        load(v, f->c + i);
        load(w, g->c + i);
        for (size_t k = 0; k < REGISTERS; k++) v[k] = vaddq_u16(v[k], w[k]);
        store(f->c + i, v);
    }
}

static void sub(lk_cyclic_poly *restrict f, const lk_cyclic_poly *restrict g, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS], w[REGISTERS];
        load(v, f->c + i);
        load(w, g->c + i);
        for (size_t k = 0; k < REGISTERS; k++) v[k] = vsubq_u16(v[k], w[k]);
        store(f->c + i, v);
    }
}

static void mod_phi(lk_cyclic_poly *f, size_t n)
{
    const uint16x8_t last = vdupq_n_u16(f->c[n - 1]);
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS];
        load(v, f->c + i);
        for (size_t k = 0; k < REGISTERS; k++) v[k] = vsubq_u16(v[k], last);
        store(f->c + i, v);
    }
    memset(f->c + n, 0, (lk_cyclic_places(n) - n) * sizeof *f->c);
}

/* All coefficients are summed, the last one too, which is then taken away. */
static void sum_zero(lk_cyclic_poly *f, size_t n)
{
    uint16x8_t sum = vdupq_n_u16(0);
    for (size_t i = 0; i < lk_cyclic_places(n); i += STEP) {
        uint16x8_t v[REGISTERS];
        load(v, f->c + i);
        for (size_t k = 0; k < REGISTERS; k++) sum = vaddq_u16(sum, v[k]);
    }
    f->c[n - 1] = (uint16_t)(f->c[n - 1] - vaddvq_u16(sum));
}

#define KERNELS                                                                                                        \
    .evaluated_unit = LK_CYCLIC_EVALUATED_UNIT, .scratch_unit = LK_CYCLIC_SCRATCH_UNIT,                                \
    .evaluate = lk_cyclic_evaluate_neon, .product = lk_cyclic_product_neon, .from_trits = from_trits, .mod3 = mod3,    \
    .to_trits = to_trits, .times_x_minus_1 = times_x_minus_1, .two_minus = two_minus, .add = add, .sub = sub,          \
    .mod_phi = mod_phi, .sum_zero = sum_zero, .pack_d11 = lk_cyclic_pack_d11_neon,                                     \
    .pack_d12 = lk_cyclic_pack_d12_neon, .pack_d13 = lk_cyclic_pack_d13_neon, .unpack_d11 = lk_cyclic_unpack_d11_neon, \
    .unpack_d12 = lk_cyclic_unpack_d12_neon, .unpack_d13 = lk_cyclic_unpack_d13_neon

const lk_cyclic_kernels lk_cyclic_neon = {KERNELS, .invert_mod2 = lk_cyclic_invert_mod2_neon};

const lk_cyclic_kernels lk_cyclic_pmull = {
    KERNELS,
    .invert_mod2 = lk_cyclic_invert_mod2_pmull,
    .lift_inverse = lk_cyclic_lift_inverse_pmull,
    .square_of_bits = lk_cyclic_square_of_bits_pmull,
};
