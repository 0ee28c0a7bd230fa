/* Division steps (ring/ternary/bits.h) on bit planes in NEON registers, for inversion modulo Phi and 2 or 3.
 *
 * A step's effect on all coefficients depends on the constants of F and G; vector instructions make masks of these. F
 * and G take a block of steps first; V and W follow with the same masks. A polynomial is distributed over the halves of
 * R registers: coefficient i is in half i % 2R, which for h < R is the lower one of register h and for R + h its upper
 * one. In a half the coefficients go from the uppermost bit down. Division by X then renames the registers, and
 * exchanges the halves of one with a shift of one of them. R is small for F and G once few coefficients can still
 * matter, and for V and W as long as their degrees are small; these two are reversed and aligned to the end, so that X
 * times V is a division as well. Between different R, polynomials pass through bytes, one for each coefficient; bit i
 * of a byte belongs to plane i.
 *
 * The file that includes this defines BIT_PLANES, 1 modulo 2 and 2 modulo 3, where a coefficient's bit in plane 0 says
 * that it is not 0 and then that in plane 1 that it is -1; and eliminate(f, g, c), which adds to G the multiple of F,
 * and makes of F the old G where the step exchanges. The sum may have another sign: that of G and W together is free.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_DIVSTEPS_H
#define LK_ARCH_AARCH64_NEON_DIVSTEPS_H

#include <arm_neon.h>
#include <string.h>

#include "arch/compilers.h"
#include "ring/ternary/bits.h"

enum {
    SMALL = 3,         /* R of small polynomials */
    REGISTERS_MAX = 7, /* R for n = 821 */
    HALF_BITS = 64,
    BLOCK = 84, /* steps; divisible by each R */
    LINEAR_BYTES = 2 * HALF_BITS * REGISTERS_MAX + 64
};

typedef uint64x2_t registers[REGISTERS_MAX][BIT_PLANES];

/* The state of an inversion, in scratch memory. Linear is for polynomials on their way in and out. */
typedef struct {
    registers f, g, v, w;
    uint64x2_t masks[BLOCK][BIT_PLANES + 1];
    uint64x2_t minus_delta;
    uint8_t linear[LINEAR_BYTES];
} division;

/* ---- Bytes and registers ---- */

/* Rows, the last one first, become pairs of columns. */
static inline void columns_of(uint8x16_t x[8])
{
    uint8x16x2_t a[4];
    uint16x8x2_t b[2][2];
    UNROLL for (size_t i = 0; i < 4; i++) a[i] = vzipq_u8(x[7 - 2 * i], x[6 - 2 * i]);
    UNROLL for (size_t i = 0; i < 4; i++) b[i / 2][i % 2] = vzipq_u16(
        vreinterpretq_u16_u8(a[i / 2 * 2].val[i % 2]), vreinterpretq_u16_u8(a[i / 2 * 2 + 1].val[i % 2]));
    UNROLL for (size_t i = 0; i < 4; i++)
    {
        const uint32x4x2_t c = vzipq_u32(vreinterpretq_u32_u16(b[0][i / 2].val[i % 2]),
                                         vreinterpretq_u32_u16(b[1][i / 2].val[i % 2]));
        x[2 * i] = vreinterpretq_u8_u32(c.val[0]);
        x[2 * i + 1] = vreinterpretq_u8_u32(c.val[1]);
    }
}

/* Back. */
static inline void rows_of(uint8x16_t x[8])
{
    uint8x16x2_t a[4];
    uint16x8x2_t b[2][2];
    UNROLL for (size_t i = 0; i < 4; i++)
    {
        const uint32x4x2_t c = vuzpq_u32(vreinterpretq_u32_u8(x[2 * i]), vreinterpretq_u32_u8(x[2 * i + 1]));
        b[0][i / 2].val[i % 2] = vreinterpretq_u16_u32(c.val[0]);
        b[1][i / 2].val[i % 2] = vreinterpretq_u16_u32(c.val[1]);
    }
    UNROLL for (size_t i = 0; i < 4; i++)
    {
        const uint16x8x2_t c = vuzpq_u16(b[i / 2][i % 2].val[0], b[i / 2][i % 2].val[1]);
        a[i / 2 * 2].val[i % 2] = vreinterpretq_u8_u16(c.val[0]);
        a[i / 2 * 2 + 1].val[i % 2] = vreinterpretq_u8_u16(c.val[1]);
    }
    UNROLL for (size_t i = 0; i < 4; i++)
    {
        const uint8x16x2_t c = vuzpq_u8(a[i].val[0], a[i].val[1]);
        x[7 - 2 * i] = c.val[0];
        x[6 - 2 * i] = c.val[1];
    }
}

/* The numbers of the halves of count registers. */
static inline uint8x16_t halves_of(size_t count)
{
    const uint8x16_t pairs = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
    return vaddq_u8(pairs, vreinterpretq_u8_u16(vdupq_n_u16((uint16_t)(count << 8))));
}

/* The places of halves in halves_of. */
static inline uint8x16_t places_of(size_t count)
{
    const uint8x16_t all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8x16_t upper = vcgeq_u8(all, vdupq_n_u8((uint8_t)count));
    return vsubq_u8(vaddq_u8(all, all), vandq_u8(upper, vdupq_n_u8((uint8_t)(2 * count - 1))));
}

/* Reads 16 bytes at a time; those beyond the halves do not matter. */
static inline void deal(registers out, const uint8_t *in, size_t count)
{
    for (size_t plane = 0; plane < BIT_PLANES; plane++) {
        const uint8_t *row = in;
        uint8x16_t bits[8];
        for (size_t i = 0; i < 8; i++) {
            uint8x16_t x = vdupq_n_u8(0);
            for (size_t j = 0; j < 8; j++, row += 2 * count) {
                const uint8x16_t bytes = vld1q_u8(row);
                x = vsliq_n_u8(plane == 0 ? bytes : vshrq_n_u8(bytes, 1), x, 1);
            }
            bits[i] = vqtbl1q_u8(x, halves_of(count));
        }
        columns_of(bits);
        for (size_t r = 0; r < count; r++) out[r][plane] = vreinterpretq_u64_u8(bits[r]);
    }
}

/* Writes bytes with the planes as low bits, and up to 16 bytes beyond the last. */
static inline void gather(uint8_t *out, registers in, size_t count)
{
    uint8x16_t bits[BIT_PLANES][8];
    for (size_t plane = 0; plane < BIT_PLANES; plane++) {
        for (size_t r = 0; r < 8; r++) bits[plane][r] = vreinterpretq_u8_u64(in[r < count ? r : 0][plane]);
        rows_of(bits[plane]);
    }
    for (size_t i = 0; i < 8; i++) {
        uint8x16_t x = vqtbl1q_u8(bits[0][i], places_of(count)),
                   y = vqtbl1q_u8(bits[BIT_PLANES - 1][i], places_of(count));
        for (size_t j = 0; j < 8; j++, out += 2 * count) {
            vst1q_u8(out, vsliq_n_u8(vshrq_n_u8(x, 7), vshrq_n_u8(y, 7), 1));
            x = vaddq_u8(x, x);
            y = vaddq_u8(y, y);
        }
    }
}

/* ---- Steps ---- */

/* A step's effect, as masks: add nothing to G, exchange nothing, and modulo 3 the sign of what is added. */
typedef struct {
    uint64x2_t skip, keep, sign;
} control;

static inline void eliminate(uint64x2_t f[BIT_PLANES], uint64x2_t g[BIT_PLANES], control c);

/* x = mask ? x : y, bit by bit and in place: of vbslq_u64 gcc makes what it pleases, and moves registers after it. */
static inline void replace_at_0(uint64x2_t *x, uint64x2_t y, uint64x2_t mask)
{
    __asm__("bif %0.16b, %1.16b, %2.16b" : "+w"(*x) : "w"(y), "w"(mask));
}

/* Masks from the first coefficient's bit. */
static inline uint64x2_t first_is_0(uint64x2_t x)
{
    return vdupq_laneq_u64(vcgezq_s64(vreinterpretq_s64_u64(x)), 0);
}

static inline uint64x2_t first_is_1(uint64x2_t x)
{
    return vdupq_laneq_u64(vcltzq_s64(vreinterpretq_s64_u64(x)), 0);
}

/* The multiple of F has another sign than G. Steps exchange if -delta < 0, and make its complement of it. */
static inline control decide(const uint64x2_t f[BIT_PLANES], const uint64x2_t g[BIT_PLANES], uint64x2_t *minus_delta)
{
    control c = {.skip = first_is_0(g[0]), .sign = first_is_1(veorq_u64(f[BIT_PLANES - 1], g[BIT_PLANES - 1]))};
    c.keep = vorrq_u64(c.skip, vcgezq_s64(vreinterpretq_s64_u64(*minus_delta)));
    const uint64x2_t complement = vreinterpretq_u64_u32(vmvnq_u32(vreinterpretq_u32_u64(*minus_delta)));
    *minus_delta = vbslq_u64(c.keep, vaddq_u64(*minus_delta, c.keep), complement);
    return c;
}

static inline void divide_by_x(uint64x2_t p[BIT_PLANES])
{
    for (size_t i = 0; i < BIT_PLANES; i++) p[i] = vextq_u64(p[i], vshlq_n_u64(p[i], 1), 1);
}

/* The sign is kept modulo 3 only. */
static inline void put_masks(uint64x2_t masks[BIT_PLANES + 1], control c)
{
    masks[BIT_PLANES] = c.sign;
    masks[0] = c.skip;
    masks[1] = c.keep;
}

static inline control take_masks(const uint64x2_t masks[BIT_PLANES + 1])
{
    return (control){.skip = masks[0], .keep = masks[1], .sign = masks[BIT_PLANES]};
}

static ALWAYS_INLINE void copy_registers(registers out, registers in, const size_t count)
{
    UNROLL for (size_t r = 0; r < count; r++) UNROLL for (size_t i = 0; i < BIT_PLANES; i++) out[r][i] = in[r][i];
}

/* Steps, a multiple of R of them. Half h of G and V is in register (h + k) % R at step k of a round of R. */
static ALWAYS_INLINE void steps_fg(division *d, size_t steps, const size_t count)
{
    registers f, g;
    uint64x2_t minus_delta = d->minus_delta;
    copy_registers(f, d->f, count);
    copy_registers(g, d->g, count);
    for (uint64x2_t(*masks)[BIT_PLANES + 1] = d->masks; masks < d->masks + steps; masks += count) {
        UNROLL for (size_t k = 0; k < count; k++)
        {
            const control c = decide(f[0], g[k], &minus_delta);
            put_masks(masks[k], c);
            UNROLL for (size_t r = 0; r < count; r++) eliminate(f[r], g[(r + k) % count], c);
            divide_by_x(g[k]);
        }
    }
    copy_registers(d->f, f, count);
    copy_registers(d->g, g, count);
    d->minus_delta = minus_delta;
}

static ALWAYS_INLINE void steps_vw(division *d, size_t steps, const size_t count)
{
    registers v, w;
    copy_registers(v, d->v, count);
    copy_registers(w, d->w, count);
    for (uint64x2_t(*masks)[BIT_PLANES + 1] = d->masks; masks < d->masks + steps; masks += count) {
        UNROLL for (size_t k = 0; k < count; k++)
        {
            const control c = take_masks(masks[k]);
            divide_by_x(v[k]);
            UNROLL for (size_t r = 0; r < count; r++) eliminate(v[(r + k + 1) % count], w[r], c);
        }
    }
    copy_registers(d->v, v, count);
    copy_registers(d->w, w, count);
}

typedef void steps_fn(division *d, size_t steps);

#define STEPS(count)                                                                                                   \
    static void steps_fg_##count(division *d, size_t steps)                                                            \
    {                                                                                                                  \
        steps_fg(d, steps, count);                                                                                     \
    }                                                                                                                  \
    static void steps_vw_##count(division *d, size_t steps)                                                            \
    {                                                                                                                  \
        steps_vw(d, steps, count);                                                                                     \
    }

STEPS(3)
STEPS(4)
STEPS(6)
STEPS(7)

static void run_steps(division *d, size_t steps, steps_fn *fg, steps_fn *vw)
{
    while (steps > 0) {
        const size_t block = steps < BLOCK ? steps : BLOCK;
        fg(d, block);
        vw(d, block);
        steps -= block;
    }
}

/* ---- Inversion ---- */

/* R and the numbers of steps with V and W small, with all large, and with F and G small. The first leave the degrees of
 * V and W below COEFFICIENTS(SMALL), the last begin where no more coefficients than that matter. */
typedef struct {
    size_t large, begin, middle, end;
    steps_fn *fg, *vw;
} plan;

#define COEFFICIENTS(registers) (2 * (size_t)HALF_BITS * (registers))
#define ROUND_DOWN(steps, unit) ((steps) / (unit) * (unit))
#define ROUND_UP(steps, unit) ROUND_DOWN((steps) + (unit)-1, unit)
#define COUNT(n) (2 * ((size_t)(n)-1) - 1)
#define BEGIN(unit) ROUND_DOWN(COEFFICIENTS(SMALL) - 1, unit)
#define UNTIL_END(n, count, unit) (BEGIN(unit) + ROUND_UP(COUNT(n) - COEFFICIENTS(SMALL) - BEGIN(unit), count))
#define PLAN(n, count, unit)                                                                                           \
    {                                                                                                                  \
        .large = (count), .begin = BEGIN(unit), .middle = UNTIL_END(n, count, unit) - BEGIN(unit),                     \
        .end = ROUND_UP(COUNT(n) - UNTIL_END(n, count, unit), unit), .fg = steps_fg_##count, .vw = steps_vw_##count,   \
    }

/* Rounds of R and of SMALL divide the first and the last steps, rounds of R the others. The steps beyond COUNT(n)
 * divide V by X and nothing more. */
static inline const plan *plan_for(size_t n)
{
    static const plan of_4 = PLAN(509, 4, 12), of_6[] = {PLAN(677, 6, 6), PLAN(701, 6, 6)}, of_7 = PLAN(821, 7, 21);
    switch (n) {
    case 509: return &of_4;
    case 677: return &of_6[0];
    case 701: return &of_6[1];
    default: return &of_7;
    }
}

/* Polynomials of small registers move to the end of large ones. */
static inline void enlarge(division *d, registers p, size_t count)
{
    memset(d->linear, 0, sizeof d->linear);
    gather(d->linear + COEFFICIENTS(count - SMALL), p, SMALL);
    deal(p, d->linear, count);
}

/* The first coefficients of large registers move to small ones. */
static inline void shrink(division *d, registers p, size_t count)
{
    gather(d->linear, p, count);
    deal(p, d->linear, SMALL);
}

/* F = Phi, G from the bytes g. */
static inline void begin(division *d, const uint8_t *g, size_t n, size_t count)
{
    memset(&d->v, 0, sizeof d->v);
    memset(&d->w, 0, sizeof d->w);
    deal(d->g, g, count);
    memset(d->linear, 0, sizeof d->linear);
    memset(d->linear, 1, n);
    deal(d->f, d->linear, count);
    d->w[SMALL - 1][0] = (uint64x2_t){0, 1}; /* the last coefficient */
    d->minus_delta = vdupq_n_u64(UINT64_MAX);
}

/* From G's coefficients, one a byte at g in linear with zeros behind them, the inverse but for its sign, which is that
 * of F's constant: returns where in linear its coefficients begin, in natural order. */
static inline const uint8_t *invert(division *d, const uint8_t *g, size_t n)
{
    const plan *p = plan_for(n);
    const size_t steps = p->begin + p->middle + p->end;
    begin(d, g, n, p->large);
    run_steps(d, p->begin, p->fg, steps_vw_3);
    enlarge(d, d->v, p->large);
    enlarge(d, d->w, p->large);
    run_steps(d, p->middle, p->fg, p->vw);
    shrink(d, d->f, p->large);
    shrink(d, d->g, p->large);
    run_steps(d, p->end, steps_fg_3, p->vw);
    gather(d->linear, d->v, p->large);
    return d->linear + COEFFICIENTS(p->large) - (n - 1) - (steps - COUNT(n));
}

#endif
