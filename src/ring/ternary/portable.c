/* The portable kernels of NTRU's small polynomials.
 *
 * Sorting is by a network: Batcher's merge exchange (Knuth, The Art of Computer Programming 5.2.2, algorithm M).
 *
 * The network has passes for the powers of two p from the highest down; a pass compares places that differ in bit p.
 * While p is at least COLUMNS, they are in runs of p words, which compilers compare as vectors. For smaller p the
 * words are laid out by columns, word COLUMNS k + m at place rows m + k: there all words of a column meet those of
 * another. COLUMNS divides the number of words. The small build has runs alone, and no memory for columns. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "base/families.h"
#include "ring/ternary/bits.h"
#include "ring/ternary/sampling.h"

enum { COLUMNS = LK_IS_SMALL ? 1 : 16, SCRATCH_UNIT = LK_IS_SMALL ? 128 : 256 /* bytes */ };

_Static_assert(LK_CYCLIC_UNIT % COLUMNS == 0, "");
_Static_assert(COLUMNS == 1 || LK_CYCLIC_UNIT * sizeof(int32_t) <= SCRATCH_UNIT, "");

/* a = min, b = max for words next to each other. With sums, because compilers make two selections of exclusive ors. */
static inline void compare_exchange(int32_t *restrict a, int32_t *restrict b, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        const uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i];
        const uint32_t difference = lk_ct_less(b[i], a[i]) & (y - x);
        a[i] = (int32_t)(x + difference);
        b[i] = (int32_t)(y - difference);
    }
}

/* One step of algorithm M: places i with (i & p) = r meet places i + d. Here p >= COLUMNS. */
static void step_in_runs(int32_t *a, size_t words, size_t p, size_t r, size_t d)
{
    for (size_t i = r; i < words - d; i += 2 * p)
        compare_exchange(a + i, a + i + d, p < words - d - i ? p : words - d - i);
}

/* The same by columns: of column m all rows but the last ones meet those of column (m + d) % COLUMNS, some rows on. */
static void step_in_columns(int32_t *a, size_t rows, size_t p, size_t r, size_t d)
{
    for (size_t m = 0; m < COLUMNS; m++) {
        const size_t partner = (m + d) % COLUMNS, shift = (m + d) / COLUMNS;
        if ((m & p) == r && shift < rows) compare_exchange(a + rows * m, a + rows * partner + shift, rows - shift);
    }
}

typedef void step_fn(int32_t *a, size_t size, size_t p, size_t r, size_t d);

/* The steps of one p; top is the highest power of two below the number of words. */
static inline void pass(step_fn *step, int32_t *a, size_t size, size_t p, size_t top)
{
    size_t r = 0, d = p;
    for (size_t q = top; q >= p; q /= 2) {
        step(a, size, p, r, d);
        d = q - p;
        r = p;
    }
}

static void to_columns(int32_t *restrict out, const int32_t *restrict in, size_t rows)
{
    for (size_t k = 0; k < rows; k++)
        for (size_t m = 0; m < COLUMNS; m++) out[rows * m + k] = in[COLUMNS * k + m];
}

static void from_columns(int32_t *restrict out, const int32_t *restrict in, size_t rows)
{
    for (size_t k = 0; k < rows; k++)
        for (size_t m = 0; m < COLUMNS; m++) out[COLUMNS * k + m] = in[rows * m + k];
}

/* The places behind the last word hold the largest number, which stays there. */
static void sort(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    const size_t words = lk_cyclic_places(count), rows = words / COLUMNS;
    int32_t *columns = scratch;
    size_t top = 1, p;
    for (size_t i = count; i < words; i++) a->c[i] = INT32_MAX;
    while (2 * top < words) top *= 2;
    for (p = top; p >= COLUMNS; p /= 2) pass(step_in_runs, a->c, words, p, top);
    if (COLUMNS == 1) return;
    to_columns(columns, a->c, rows);
    for (; p > 0; p /= 2) pass(step_in_columns, columns, rows, p, top);
    from_columns(a->c, columns, rows);
}

/* ---- Inversion modulo (3, Phi) ----
 *
 * Division steps on bit planes (bits.h), two for each polynomial. A coefficient's bit in plane 0 says that it is not 0,
 * the one in plane 1 that it is -1. */

typedef struct {
    lk_plane nonzero, minus;
} planes;

typedef struct {
    planes f, g, v, w;
} division;

_Static_assert(sizeof(division) <= 8 * SCRATCH_UNIT, "the smallest n has 8 units");

static void set_trit(planes *p, size_t i, uint32_t trit)
{
    p->nonzero.w[i / 64] |= (uint64_t)((trit & 1) | (trit >> 1)) << (i % 64);
    p->minus.w[i / 64] |= (uint64_t)(trit >> 1) << (i % 64);
}

/* t modulo Phi: t - t_(n-1). Phi is its own reverse. */
static void begin(division *d, const lk_trits *t, size_t n)
{
    const size_t words = lk_cyclic_units(n);
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < n; i++) set_trit(&d->f, i, 1);
    for (size_t i = 0; i < n - 1; i++) {
        const uint32_t sum = t->c[n - 2 - i] + 2u * t->c[n - 1]; /* 0 to 6 */
        set_trit(&d->g, i, sum - 3 * (sum * 11 >> 5));
    }
    d->w.nonzero.w[words - 1] = (uint64_t)1 << 63;
}

/* A step's effect on all coefficients, as masks. */
typedef struct {
    uint64_t swap;      /* exchange */
    uint64_t factor[2]; /* the multiple of F that is added to G: not 0, -1 */
    uint64_t negate;    /* change the sign of the sum */
} control;

/* G + u F with u = -F(0) G(0), and where the two are exchanged F + u G = u (G + u F). The sum of trits x and y is
 * ((x0 ^ y1) & (x1 ^ y0)) for its sign and (x0 ^ y0) | (x1 ^ x0 ^ y1) for being nonzero: six operations. */
static inline void eliminate(uint64_t *restrict f0, uint64_t *restrict f1, uint64_t *restrict g0, uint64_t *restrict g1,
                             size_t words, const control *c)
{
    const uint64_t swap = c->swap, u0 = c->factor[0], u1 = c->factor[1], negate = c->negate;
    for (size_t i = 0; i < words; i++) {
        const uint64_t a0 = f0[i], a1 = f1[i], b0 = g0[i], b1 = g1[i];
        const uint64_t y0 = a0 & u0, y1 = (a1 & u0) ^ (a0 & u1);
        const uint64_t cross = b0 ^ y1;
        const uint64_t sum0 = (b0 ^ y0) | (b1 ^ cross), sum1 = cross & (b1 ^ y0);
        f0[i] = a0 ^ ((a0 ^ b0) & swap);
        f1[i] = a1 ^ ((a1 ^ b1) & swap);
        g0[i] = sum0;
        g1[i] = sum1 ^ (sum0 & negate);
    }
}

/* u is nonzero where G's constant is, and then -1 where the two constants are alike. */
static inline control decide(const division *d, uint32_t *delta)
{
    const uint32_t nonzero = lk_plane_bit(&d->g.nonzero, 0);
    const uint32_t minus = nonzero & ~(lk_plane_bit(&d->g.minus, 0) ^ lk_plane_bit(&d->f.minus, 0));
    const uint32_t swap = lk_divstep_swap(delta, nonzero);
    const control c = {lk_mask64(swap), {lk_mask64(nonzero), lk_mask64(minus)}, lk_mask64(swap & minus)};
    return c;
}

static inline void divstep(division *d, uint32_t *delta, size_t n, size_t i)
{
    const size_t fg = lk_divstep_words_fg(n, i), vw = lk_divstep_words_vw(n, i), low = lk_cyclic_units(n) - vw;
    const control c = decide(d, delta);
    lk_plane_shift_down(d->v.nonzero.w + low, vw, 0);
    lk_plane_shift_down(d->v.minus.w + low, vw, 0);
    eliminate(d->v.nonzero.w + low, d->v.minus.w + low, d->w.nonzero.w + low, d->w.minus.w + low, vw, &c);
    eliminate(d->f.nonzero.w, d->f.minus.w, d->g.nonzero.w, d->g.minus.w, fg, &c);
    lk_plane_shift_down(d->g.nonzero.w, fg, 0);
    lk_plane_shift_down(d->g.minus.w, fg, 0);
}

static void invert(lk_trits *restrict v, const lk_trits *restrict t, size_t n, void *restrict scratch)
{
    division *d = scratch;
    const size_t places = lk_cyclic_places(n), first = places - (n - 1);
    uint32_t delta = 1;
    begin(d, t, n);
    for (size_t i = 0; i < lk_divstep_count(n); i++) divstep(d, &delta, n, i);
    const uint32_t negate = lk_plane_bit(&d->f.minus, 0);
    for (size_t i = 0; i < n - 1; i++) {
        const uint32_t nonzero = lk_plane_bit(&d->v.nonzero, first + i);
        const uint32_t minus = lk_plane_bit(&d->v.minus, first + i) ^ (nonzero & negate);
        v->c[i] = (uint8_t)(nonzero + minus);
    }
    for (size_t i = n - 1; i < places; i++) v->c[i] = 0;
}

/* ---- Sampling and packing ---- */

/* Four fields are fifteen bytes, which two overlapping words of 64 bits cover. */
static void fixed_type_words(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
{
    for (size_t i = 0; i < n - 1; i += 4, in += 15) {
        const uint64_t low = lk_load64_le(in), high = lk_load64_le(in + 7);
        a->c[i] = (int32_t)((uint32_t)low << 2);
        a->c[i + 1] = (int32_t)((uint32_t)(low >> 30) << 2);
        a->c[i + 2] = (int32_t)((uint32_t)(high >> 4) << 2);
        a->c[i + 3] = (int32_t)((uint32_t)(high >> 34) << 2);
    }
    lk_ternary_tag(a, w);
}

static void pack(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
{
    const size_t fives = lk_fifth(n - 1);
    const uint8_t *c = t->c;
    for (size_t i = 0; i < fives; i++)
        out[i] = (uint8_t)(c[5 * i] + 3 * c[5 * i + 1] + 9 * c[5 * i + 2] + 27 * c[5 * i + 3] + 81 * c[5 * i + 4]);
    if (5 * fives == n - 1) return;
    out[fives] = 0;
    for (size_t j = n - 1; j-- > 5 * fives;) out[fives] = (uint8_t)(3 * out[fives] + c[j]);
}

/* 270 is 2^16 / 243 and a bit, so that the digits of a byte follow the point of its product, the uppermost first. From 243 on
 * the whole part falls away. */
static void unpack(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    for (size_t i = 0; i < lk_fifth(n + 3); i++) {
        uint32_t x = in[i] * 270u;
        for (size_t j = 5; j-- > 0;) {
            x = 3 * (x & 0xFFFF);
            t->c[5 * i + j] = (uint8_t)(x >> 16);
        }
    }
    lk_ternary_pad(t, n - 1, n);
}

const lk_ternary_kernels lk_ternary_portable = {
    .scratch_unit = SCRATCH_UNIT,
    .fixed_type_words = fixed_type_words,
    .sort = sort,
    .pack = pack,
    .unpack = unpack,
    .multiply = NULL,
    .invert = invert,
    LK_TERNARY_SAMPLING,
};
