/* The portable kernels of Z_q[X]/(X^n - 1).
 *
 * Multiplication is in 16-bit words; 13 bits of them come out right (toom.h): A polynomial has s units of 64 places.
 * Toom-Cook splits it into four limbs of 16 s places; four layers of Karatsuba, which are striding (even and odd
 * exponents), leave 7 * 81 products of s coefficients each, independent of each other. The product has twice the
 * places, and the places from n on are added back.
 *
 * The pieces of the first layer, even parts, odd parts and their sums, are multiplied one after the other, in the same
 * memory. The small build has another multiplication (schoolbook.c). SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "base/families.h"
#include "ring/cyclic/coding.h"
#include "ring/cyclic/schoolbook.h"
#include "ring/ternary/bits.h"
#include "ring/toom.h"

enum { EVALUATED_UNIT = 896, SCRATCH_UNIT = 1728 }; /* bytes */

/* The small build's scratch memory, for inversion alone. */
enum { PLAIN_SCRATCH_UNIT = 64 };

enum {
    PIECES = 3,                    /* of the first layer */
    LANES = 9 * LK_TOOM_POINTS,    /* of a row of such a piece, by two more layers */
    STRIDE = 2 * LANES,            /* from an even row to the next */
    ALL = PIECES * LK_TOOM_POINTS, /* lanes of a row once these layers are undone */
    TERMS_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT
};

/* An evaluated polynomial has three pieces of 2 s rows of LANES words; row i holds coefficient i of all smaller pieces.
 * The fourth layer of Karatsuba is left to the multiplication, which saves memory. */
_Static_assert(PIECES * 2 * LANES * sizeof(uint16_t) <= EVALUATED_UNIT, "");

/* Scratch memory in words for each unit: the products of the three pieces, and two buffers that the layers of
 * interpolation use in turn. Before, the second holds the sums of even and odd rows of both factors and three rows of
 * products. */
enum { WHOLE = 16 * ALL, FIRST = 4 * LANES, SECOND = 8 * LANES / 3 };
_Static_assert(8 * SECOND >= 8 * STRIDE + 3 * LANES, "the smallest n has 8 units");
_Static_assert((WHOLE + FIRST + SECOND) * sizeof(uint16_t) <= SCRATCH_UNIT, "");

/* ---- Evaluation ---- */

/* Two layers of Karatsuba on four rows, which are 2 LK_TOOM_POINTS words apart: behind each pair of blocks of lanes
 * goes the block of their sums. */
static inline void evaluate_piece(uint16_t *restrict out, const uint16_t *restrict in)
{
    enum { BLOCK = 3 * LK_TOOM_POINTS };
    for (size_t d = 0; d < 2; d++) {
        uint16_t *block = out + BLOCK * d;
        const uint16_t *even = in + 4 * LK_TOOM_POINTS * d, *odd = even + 2 * LK_TOOM_POINTS;
        for (size_t p = 0; p < LK_TOOM_POINTS; p++) {
            block[p] = even[p];
            block[LK_TOOM_POINTS + p] = odd[p];
            block[2 * LK_TOOM_POINTS + p] = (uint16_t)(even[p] + odd[p]);
        }
    }
    for (size_t p = 0; p < BLOCK; p++) out[2 * BLOCK + p] = (uint16_t)(out[p] + out[BLOCK + p]);
}

static void evaluate(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    const size_t units = lk_cyclic_units(n), piece = STRIDE * units;
    uint16_t *even = e, *odd = even + piece, *sum = odd + piece, (*values)[LK_TOOM_POINTS] = scratch;
    lk_toom_evaluate(values, f->c, 16 * units);
    for (size_t i = 0; i < 2 * units; i++) {
        evaluate_piece(even + LANES * i, values[8 * i]);
        evaluate_piece(odd + LANES * i, values[8 * i + 1]);
    }
    for (size_t p = 0; p < piece; p++) sum[p] = (uint16_t)(even[p] + odd[p]);
}

/* ---- Multiplication ---- */

/* out = f[0] g[0] + f[1] g[-1] + ... for every lane, rows of f and g standing STRIDE words apart. Unsigned words of 32
 * bits wrap where int would overflow. */
static inline void convolve(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g,
                            size_t terms)
{
    for (size_t p = 0; p < LANES; p++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < terms; i++) sum += (uint32_t)f[STRIDE * i + p] * *(g + p - STRIDE * i);
        out[p] = (uint16_t)sum;
    }
}

/* The compiler makes straight code of each number of terms. */
static void convolve_terms(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g, size_t terms)
{
    switch (terms) {
    case 1: convolve(out, f, g, 1); break;
    case 2: convolve(out, f, g, 2); break;
    case 3: convolve(out, f, g, 3); break;
    case 4: convolve(out, f, g, 4); break;
    case 5: convolve(out, f, g, 5); break;
    case 6: convolve(out, f, g, 6); break;
    case 7: convolve(out, f, g, 7); break;
    case 8: convolve(out, f, g, 8); break;
    case 9: convolve(out, f, g, 9); break;
    case 10: convolve(out, f, g, 10); break;
    case 11: convolve(out, f, g, 11); break;
    case 12: convolve(out, f, g, 12); break;
    default: convolve(out, f, g, TERMS_MAX); break;
    }
}

/* Row k of the 2 s - 1 rows of the product of pieces of s rows. */
static void multiply_row(uint16_t *restrict out, const uint16_t *restrict f, const uint16_t *restrict g, size_t s,
                         size_t k)
{
    const size_t begin = k < s ? 0 : k + 1 - s, end = k < s ? k : s - 1;
    convolve_terms(out, f + STRIDE * begin, g + STRIDE * end, end - begin + 1);
}

static void add_even_and_odd(uint16_t *restrict out, const uint16_t *restrict f, size_t s)
{
    for (size_t i = 0; i < s; i++)
        for (size_t p = 0; p < LANES; p++)
            out[STRIDE * i + p] = (uint16_t)(f[STRIDE * i + p] + f[STRIDE * i + LANES + p]);
}

/* ---- Interpolation ---- */

/* Karatsuba for one row of the products of even parts, of odd parts and of their sums: two rows of the result, which
 * are stride words apart. That of the odd parts counts once more one row behind them. */
static inline void combine(uint16_t *restrict out, const uint16_t *restrict parts, size_t lanes, size_t stride)
{
    const uint16_t *even = parts, *odd = parts + lanes, *sum = parts + 2 * lanes;
    for (size_t p = 0; p < lanes; p++) {
        out[p] = (uint16_t)(out[p] + even[p]);
        out[stride + p] = (uint16_t)(sum[p] - even[p] - odd[p]);
        out[2 * stride + p] = odd[p];
    }
}

static inline void karatsuba_interpolate(uint16_t *restrict out, const uint16_t *restrict in, size_t rows, size_t lanes,
                                         size_t stride)
{
    memset(out, 0, lanes * sizeof *out);
    for (size_t i = 0; i < rows; i++) combine(out + 2 * stride * i, in + 3 * lanes * i, lanes, stride);
}

/* The 4 s - 1 rows of the product of 2 s rows, by the fourth layer of Karatsuba. spare has SECOND words a unit. */
static void multiply(uint16_t *restrict out, const uint16_t *f, const uint16_t *g, uint16_t *spare, size_t s)
{
    uint16_t *f_sums = spare, *g_sums = spare + LANES, *rows = spare + STRIDE * s;
    add_even_and_odd(f_sums, f, s);
    add_even_and_odd(g_sums, g, s);
    memset(out, 0, LANES * sizeof *out);
    for (size_t k = 0; k < 2 * s - 1; k++) {
        multiply_row(rows, f, g, s, k);
        multiply_row(rows + LANES, f + LANES, g + LANES, s, k);
        multiply_row(rows + 2 * LANES, f_sums, g_sums, s, k);
        combine(out + STRIDE * k, rows, LANES, LANES);
    }
}

/* The product of a piece of the first layer: 16 s - 1 rows of LK_TOOM_POINTS words, side by side with those of the
 * other pieces. */
static void multiply_piece(uint16_t *restrict out, const uint16_t *f, const uint16_t *g, uint16_t *restrict a,
                           uint16_t *restrict b, size_t s)
{
    multiply(a, f, g, b, s);
    karatsuba_interpolate(b, a, 4 * s - 1, LANES / 3, LANES / 3);
    karatsuba_interpolate(out, b, 8 * s - 1, LK_TOOM_POINTS, ALL);
}

/* h = product modulo X^n - 1 from the limbs of 2 limb - 1 coefficients each: even ones are side by side at even places,
 * odd ones at odd places, and count limb places further. */
static void fold(lk_cyclic_poly *restrict h, uint16_t *restrict even, const uint16_t *restrict odd, size_t limb,
                 size_t n)
{
    for (size_t i = 0; i < 6 * limb; i++) even[limb + i] = (uint16_t)(even[limb + i] + odd[i]);
    for (size_t i = 0; i < n; i++) h->c[i] = (uint16_t)(even[i] + even[n + i]);
    for (size_t i = n; i < 4 * limb; i++) h->c[i] = 0;
}

/* whole holds the rows of the three pieces' products and is overwritten; b is spare. */
static void interpolate(lk_cyclic_poly *restrict h, uint16_t *restrict whole, uint16_t *restrict b, size_t n)
{
    const size_t s = lk_cyclic_units(n), limb = 16 * s;
    uint16_t limbs[7][8], columns[LK_TOOM_POINTS][8];
    karatsuba_interpolate(b, whole, 16 * s - 1, LK_TOOM_POINTS, LK_TOOM_POINTS);
    memset(b + LK_TOOM_POINTS * (2 * limb - 1), 0, LK_TOOM_POINTS * sizeof *b);

    uint16_t *even = whole, *odd = whole + 8 * limb;
    for (size_t j = 0; j < 2 * limb; j += 8) {
        lk_toom_transpose(columns, (const uint16_t(*)[LK_TOOM_POINTS])(b + LK_TOOM_POINTS * j));
        lk_toom_interpolate(limbs[0], limbs[4], 8, (const uint16_t(*)[8])columns);
        for (size_t k = 0; k < 7; k++)
            memcpy((k % 2 == 0 ? even + limb * k : odd + limb * (k - 1)) + j, limbs[k], sizeof limbs[k]);
    }
    fold(h, even, odd, limb, n);
}

static void product(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                    void *restrict scratch)
{
    const size_t s = lk_cyclic_units(n), piece = STRIDE * s;
    const uint16_t *left = f, *right = g;
    uint16_t *whole = scratch, *first = whole + WHOLE * s, *second = first + FIRST * s;
    for (size_t d = 0; d < PIECES; d++)
        multiply_piece(whole + LK_TOOM_POINTS * d, left + piece * d, right + piece * d, first, second, s);
    interpolate(h, whole, first, n);
}

/* ---- Inversion modulo (2, Phi): division steps on bit planes (ternary/bits.h) ---- */

typedef struct {
    lk_plane f, g, v, w;
} division;

_Static_assert(sizeof(division) <= 8 * PLAIN_SCRATCH_UNIT, "the smallest n has 8 units");

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

static void invert_mod2(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    division *d = scratch;
    const size_t places = lk_cyclic_places(n), first = places - (n - 1);
    uint32_t delta = 1;
    begin(d, f, n);
    for (size_t i = 0; i < lk_divstep_count(n); i++) divstep(d, &delta, n, i);
    for (size_t i = 0; i < n - 1; i++) v->c[i] = (uint16_t)lk_plane_bit(&d->v, first + i);
    for (size_t i = n - 1; i < places; i++) v->c[i] = 0;
}

/* ---- Packing ---- */

/* Eight coefficients of d bits fill d bytes. The last eight may be fewer: missing ones are 0, and bytes beyond the last
 * are not there. */
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
    for (size_t i = n - 1; i < lk_cyclic_places(n); i++) f->c[i] = 0;
}

static void pack_d11(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 11);
}

static void pack_d12(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 12);
}

static void pack_d13(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 13);
}

static void unpack_d11(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

static void unpack_d12(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 12);
}

static void unpack_d13(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}

const lk_cyclic_kernels lk_cyclic_portable = {
    .evaluated_unit = LK_IS_SMALL ? LK_CYCLIC_PLAIN_UNIT : EVALUATED_UNIT,
    .scratch_unit = LK_IS_SMALL ? PLAIN_SCRATCH_UNIT : SCRATCH_UNIT,
    .plain = LK_IS_SMALL,
    .evaluate = LK_IS_SMALL ? lk_cyclic_evaluate_plain : evaluate,
    .product = LK_IS_SMALL ? lk_cyclic_product_plain : product,
    .invert_mod2 = invert_mod2,
    .lift_inverse = NULL,
    .square_of_bits = NULL,
    .pack_d11 = pack_d11,
    .pack_d12 = pack_d12,
    .pack_d13 = pack_d13,
    .unpack_d11 = unpack_d11,
    .unpack_d12 = unpack_d12,
    .unpack_d13 = unpack_d13,
    LK_CYCLIC_CODING,
};
