/* Division steps (ring/ternary/bits.h) on bit planes in vectors, for inversion modulo Phi and 2 or 3, for any vector
 * instructions.
 *
 * A step's effect on all coefficients depends on the constants of F and G. These come from the low 64 coefficients,
 * which general registers run ahead with for a block of steps: vectors only follow, and nothing waits for them. A
 * polynomial is dealt to R registers and, where DEALT is 1, a register to its words: coefficient i is in register i %
 * R, and if there are W words, in word i / R % W at bit i / (R W). Division by X then renames the registers and moves
 * coefficients in one of them: either all bits, or words by a place and one bit in a word. If all coefficients need
 * more than two, R is two for F and G once few of them can still matter, and for V and W as long as their degrees are
 * small, which are kept reversed and aligned to the upper end. There are 2 D steps or one more, where 2 D - 1 are
 * needed: the others only divide V by X.
 *
 * No signs are kept of G and W together: where F and G are exchanged, G + u F takes the place of F + u G = u (G + u F).
 *
 * The file that includes this has included its backend's vec.h and defines BIT_PLANES, 1 modulo 2 and 2 modulo 3 (where
 * a coefficient's bit in plane 0 says that it is not 0, in plane 1 that it is -1, and in vectors anything if it is 0),
 * WORDS, the 64-bit words of a vector, DEALT and SHIFT_DOWN(x) by one coefficient; a type masks and MASKS_OF(control),
 * its initialiser; and eliminate(f, g, masks), which adds to G the multiple of F, and makes of F the old G where the
 * step exchanges. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_DIVSTEPS_H
#define LK_ARCH_X86_64_DIVSTEPS_H

#include <immintrin.h>
#include <string.h>

#include "arch/compilers.h"
#include "ring/ternary/bits.h"

enum {
    REGISTER_BITS = 64 * WORDS,
    LARGE_BITS = 1024,
    LARGE = LARGE_BITS / REGISTER_BITS, /* R, at most */
    FEW = 2 * REGISTER_BITS - 8,        /* steps for which two registers are enough; a multiple of 12 or not used */
    BLOCK = 60                          /* steps, likewise; the low words last for 64 */
};

/* The words of registers one after the other. */
typedef struct {
    uint64_t w[BIT_PLANES][LARGE_BITS / 64];
} planes;

/* The state of an inversion, in scratch memory. Linear is for polynomials on their way in and out. */
typedef struct {
    planes f, g, v, w, linear;
    uint64_t spare[LARGE_BITS / 64], half_dealt[LARGE_BITS / 64], delta, minus_delta;
} division;

/* ---- Linear and dealt order ---- */

/* Of as many words as there are parts, 1 to 4, those bits of the k-th that go to part r; they follow earlier_bits
 * others there. */
static ALWAYS_INLINE uint64_t bits_for(const size_t parts, size_t r, size_t k)
{
    static const uint64_t every_third[5] = {0x2492492492492492, 0x4924924924924924, 0x9249249249249249,
                                            0x2492492492492492, 0x4924924924924924}; /* from bit 1, 2, 0, 1, 2 */
    if (parts == 3) return every_third[2 + r - k];
    return (parts == 1 ? UINT64_MAX : parts == 2 ? 0x5555555555555555 : 0x1111111111111111) << r;
}

static ALWAYS_INLINE unsigned earlier_bits(const size_t parts, size_t r, size_t k)
{
    if (parts == 3) return (unsigned)(64 * k + 2 - r) / 3;
    return (unsigned)k * (parts == 1 ? 64 : parts == 2 ? 32 : 16);
}

/* Bit i of in becomes bit i / parts of part i % parts; each part has so many words. */
static ALWAYS_INLINE void deal_parts(uint64_t *restrict out, const uint64_t *restrict in, const size_t parts,
                                     const size_t words)
{
    UNROLL
    for (size_t r = 0; r < parts; r++) UNROLL
    for (size_t i = 0; i < words; i++) {
        uint64_t word = 0;
        UNROLL
        for (size_t k = 0; k < parts; k++)
            word |= _pext_u64(in[parts * i + k], bits_for(parts, r, k)) << earlier_bits(parts, r, k);
        out[words * r + i] = word;
    }
}

static ALWAYS_INLINE void gather_parts(uint64_t *restrict out, const uint64_t *restrict in, const size_t parts,
                                       const size_t words)
{
    UNROLL
    for (size_t i = 0; i < words; i++) UNROLL
    for (size_t k = 0; k < parts; k++) {
        uint64_t word = 0;
        UNROLL
        for (size_t r = 0; r < parts; r++)
            word |= _pdep_u64(in[words * r + i] >> earlier_bits(parts, r, k), bits_for(parts, r, k));
        out[parts * i + k] = word;
    }
}

static ALWAYS_INLINE void deal_to(division *d, uint64_t *out, const uint64_t *in, const size_t registers)
{
    uint64_t *dealt = DEALT ? d->half_dealt : out;
    deal_parts(dealt, in, registers, WORDS);
    if (DEALT)
        for (size_t r = 0; r < registers; r++) deal_parts(out + WORDS * r, dealt + WORDS * r, WORDS, 1);
}

static ALWAYS_INLINE void gather_from(division *d, uint64_t *out, const uint64_t *in, const size_t registers)
{
    if (DEALT)
        for (size_t r = 0; r < registers; r++) gather_parts(d->half_dealt + WORDS * r, in + WORDS * r, WORDS, 1);
    gather_parts(out, DEALT ? d->half_dealt : in, registers, WORDS);
}

/* Straight code for each number of registers. */
static void deal(division *d, uint64_t *out, const uint64_t *in, size_t registers)
{
    if (registers == 2)
        deal_to(d, out, in, 2);
    else if (WORDS == 8)
        deal_to(d, out, in, 1);
    else if (registers == 3)
        deal_to(d, out, in, 3);
    else
        deal_to(d, out, in, 4);
}

static void gather(division *d, uint64_t *out, const uint64_t *in, size_t registers)
{
    if (registers == 2)
        gather_from(d, out, in, 2);
    else if (WORDS == 8)
        gather_from(d, out, in, 1);
    else if (registers == 3)
        gather_from(d, out, in, 3);
    else
        gather_from(d, out, in, 4);
}

/* A polynomial of two registers moves to the upper end of more. */
static inline void enlarge_up(division *d, planes *p, size_t registers)
{
    for (size_t i = 0; i < BIT_PLANES; i++) {
        memset(d->spare, 0, WORDS * (registers - 2) * sizeof *d->spare);
        gather(d, d->spare + WORDS * (registers - 2), p->w[i], 2);
        deal(d, p->w[i], d->spare, registers);
    }
}

/* The lower part of a polynomial moves to two registers. */
static inline void shrink_down(division *d, planes *p, size_t registers)
{
    for (size_t i = 0; i < BIT_PLANES; i++) {
        gather(d, d->spare, p->w[i], registers);
        deal(d, p->w[i], d->spare, 2);
    }
}

/* In place: p's bits from first on. */
static inline void drop_bits(uint64_t *p, size_t first)
{
    const size_t words = LARGE_BITS / 64, skip = first / 64, shift = first % 64;
    for (size_t i = 0; i < words; i++) {
        const uint64_t low = i + skip < words ? p[i + skip] : 0, high = i + skip + 1 < words ? p[i + skip + 1] : 0;
        p[i] = low >> shift | high << 1 << (63 - shift);
    }
}

/* ---- Steps ---- */

/* A step's effect, as masks: add a multiple of F to G, which is -1 where minus, and exchange. */
typedef struct {
    uint64_t add, minus, swap;
} control;

/* The low 64 coefficients, the first one uppermost: a shift makes a mask of it. */
typedef struct {
    uint64_t f[BIT_PLANES], g[BIT_PLANES], delta, minus_delta;
} low_words;

static inline uint64_t mask_of_first(uint64_t word)
{
    return lk_barrier64((uint64_t)0 - (word >> 63));
}

static inline uint64_t exchange_if(uint64_t a, uint64_t b, uint64_t mask)
{
    return a ^ ((a ^ b) & mask);
}

static inline control step_low_mod2(low_words *l)
{
    const uint64_t f = l->f[0], g = l->g[0], add = mask_of_first(g);
    const control c = {.add = add, .swap = add & mask_of_first(l->minus_delta)};
    l->f[0] = exchange_if(f, g, c.swap);
    l->g[0] = (g ^ (f & add)) << 1;
    return c;
}

/* G + F, and what else changes where it is G - F, in as few dependent operations as possible. A coefficient's bit in
 * plane 0 changes where F's is not 0, unless G's is the same. */
static inline control step_low_mod3(low_words *l)
{
    const uint64_t f0 = l->f[0], f1 = l->f[BIT_PLANES - 1], g0 = l->g[0], g1 = l->g[BIT_PLANES - 1];
    const uint64_t add = mask_of_first(g0), same = g0 & ~(f1 ^ g1), minus = mask_of_first(same);
    const control c = {.add = add, .minus = minus, .swap = add & mask_of_first(l->minus_delta)};
    const uint64_t y0 = f0 & add, y1 = f1 & add;
    const uint64_t plus0 = g0 ^ (y0 & ~same), plus1 = (g0 ^ y1) & (g1 ^ y0);
    l->f[0] = exchange_if(f0, g0, c.swap);
    l->f[BIT_PLANES - 1] = exchange_if(f1, g1, c.swap);
    l->g[0] = (plus0 << 1) ^ ((y0 & g0) << 1 & minus);
    l->g[BIT_PLANES - 1] = (plus1 ^ (y0 & ~g1 & minus)) << 1;
    return c;
}

static inline control step_low(low_words *l)
{
    const control c = BIT_PLANES == 1 ? step_low_mod2(l) : step_low_mod3(l);
    const uint64_t exchange = (l->delta ^ l->minus_delta) & c.swap;
    l->delta = (l->delta ^ exchange) + 1;
    l->minus_delta = (l->minus_delta ^ exchange) - 1;
    return c;
}

static inline uint64_t reversed_word(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
    x = (x >> 8 & 0x00FF00FF00FF00FF) | (x & 0x00FF00FF00FF00FF) << 8;
    x = (x >> 16 & 0x0000FFFF0000FFFF) | (x & 0x0000FFFF0000FFFF) << 16;
    return x >> 32 | x << 32;
}

typedef vec registers[LARGE][BIT_PLANES];

/* The low 64 coefficients as step_low takes them. Those in a register are in its first word, or in all. */
static ALWAYS_INLINE uint64_t low_word(registers p, size_t plane, const size_t count)
{
    uint64_t word = 0;
    for (size_t r = 0; r < count; r++) {
        uint64_t words[WORDS], low = 0;
        v_store(words, p[r][plane]);
        for (size_t i = 0; i < WORDS; i++) low |= _pdep_u64(words[i], bits_for(WORDS, i, 0));
        word |= _pdep_u64(DEALT ? low : words[0], bits_for(count, r, 0));
    }
    return reversed_word(word);
}

static inline void load_registers(registers out, const planes *p, size_t count)
{
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < BIT_PLANES; i++) out[r][i] = v_load(p->w[i] + WORDS * r);
}

static inline void store_registers(planes *p, registers in, size_t count)
{
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < BIT_PLANES; i++) v_store(p->w[i] + WORDS * r, in[r][i]);
}

static inline void shift_down(vec p[BIT_PLANES])
{
    for (size_t i = 0; i < BIT_PLANES; i++) p[i] = SHIFT_DOWN(p[i]);
}

/* Steps, a multiple of round of them, which is one of fg and of vw, with F and G in fg registers and vec and W in vw.
 * Coefficients i of G and vec with i % R = r are in register r + k at the step k of a round. */
static ALWAYS_INLINE void divsteps(division *d, size_t steps, const size_t fg, const size_t vw, const size_t round)
{
    registers f, g, v, w;
    low_words l = {.delta = d->delta, .minus_delta = d->minus_delta};
    load_registers(f, &d->f, fg);
    load_registers(g, &d->g, fg);
    load_registers(v, &d->v, vw);
    load_registers(w, &d->w, vw);
    while (steps > 0) {
        const size_t block = steps < BLOCK ? steps : BLOCK;
        for (size_t i = 0; i < BIT_PLANES; i++) {
            l.f[i] = low_word(f, i, fg);
            l.g[i] = low_word(g, i, fg);
        }
        l.f[BIT_PLANES - 1] &= l.f[0];
        l.g[BIT_PLANES - 1] &= l.g[0];
        for (size_t i = 0; i < block; i += round) UNROLL
        for (size_t k = 0; k < round; k++) {
            const control c = step_low(&l);
            const masks m = MASKS_OF(&c);
            shift_down(v[k % vw]);
            UNROLL
            for (size_t r = 0; r < vw; r++) eliminate(v[(r + k + 1) % vw], w[r], m);
            UNROLL
            for (size_t r = 0; r < fg; r++) eliminate(f[r], g[(r + k) % fg], m);
            shift_down(g[k % fg]);
        }
        steps -= block;
    }
    store_registers(&d->f, f, fg);
    store_registers(&d->g, g, fg);
    store_registers(&d->v, v, vw);
    store_registers(&d->w, w, vw);
    d->delta = l.delta;
    d->minus_delta = l.minus_delta;
}

#define DIVSTEPS(fg, vw, round)                                                                                        \
    static void divsteps_##fg##_##vw(division *d, size_t steps)                                                        \
    {                                                                                                                  \
        divsteps(d, steps, fg, vw, round);                                                                             \
    }

#if WORDS == 8
DIVSTEPS(1, 1, 2)
#else
DIVSTEPS(3, 2, 6)
DIVSTEPS(3, 3, 3)
DIVSTEPS(2, 3, 6)
DIVSTEPS(4, 2, 4)
DIVSTEPS(4, 4, 4)
DIVSTEPS(2, 4, 4)
#endif
DIVSTEPS(2, 2, 2)

/* ---- Inversion ---- */

/* Registers of all coefficients. */
static inline size_t registers_of(size_t n)
{
    return (n + REGISTER_BITS - 1) / REGISTER_BITS;
}

/* F = Phi, G from linear. */
static inline void begin(division *d, size_t n)
{
    const size_t count = registers_of(n);
    memset(&d->f, 0, sizeof d->f);
    memset(&d->v, 0, sizeof d->v);
    memset(&d->w, 0, sizeof d->w);
    memset(d->spare, 0, sizeof d->spare);
    memset(d->spare, 0xFF, n / 64 * sizeof *d->spare);
    d->spare[n / 64] = ((uint64_t)1 << (n % 64)) - 1;
    deal(d, d->f.w[0], d->spare, count);
    for (size_t i = 0; i < BIT_PLANES; i++) deal(d, d->g.w[i], d->linear.w[i], count);
    d->w.w[0][WORDS * (count < 2 ? count : 2) - 1] = (uint64_t)1 << 63; /* 1: the last bit of the last register */
    d->delta = 1;
    d->minus_delta = UINT64_MAX;
}

#if WORDS == 8
static inline void all_divsteps(division *d, size_t steps, size_t count)
{
    (count == 1 ? divsteps_1_1 : divsteps_2_2)(d, steps);
}
#else
static inline void all_divsteps(division *d, size_t steps, size_t count)
{
    if (count == 2) {
        divsteps_2_2(d, steps);
        return;
    }
    (count == 3 ? divsteps_3_2 : divsteps_4_2)(d, FEW);
    enlarge_up(d, &d->v, count);
    enlarge_up(d, &d->w, count);
    (count == 3 ? divsteps_3_3 : divsteps_4_4)(d, steps - 2 * FEW);
    shrink_down(d, &d->f, count);
    shrink_down(d, &d->g, count);
    (count == 3 ? divsteps_2_3 : divsteps_2_4)(d, FEW);
}
#endif

/* Bits of linear, coefficient i reversed at place lk_cyclic_places(n) - 1 - i and anything where i >= n - 1, become
 * those of the inverse in their natural order, but for the sign; of something where there is none. Returns 1 if the
 * sign must change, else 0. */
static inline uint32_t invert_planes(division *d, size_t n)
{
    const size_t count = registers_of(n), spare_steps = count == 3 ? 1 : 0; /* a multiple of 2, 3 or 4 */
    for (size_t i = 0; i < BIT_PLANES; i++) drop_bits(d->linear.w[i], lk_cyclic_places(n) - (n - 1));
    begin(d, n);
    all_divsteps(d, 2 * (n - 1) + spare_steps, count);
    memset(&d->linear, 0, sizeof d->linear);
    for (size_t i = 0; i < BIT_PLANES; i++) {
        gather(d, d->linear.w[i], d->v.w[i], count);
        drop_bits(d->linear.w[i], REGISTER_BITS * count - n - spare_steps);
    }
    return BIT_PLANES == 1 ? 0 : (uint32_t)d->f.w[BIT_PLANES - 1][0] & 1;
}

#endif
