/* Inverses modulo 2 and 4 and squares modulo 4 for NEON, with carry-less multiplication of 64 bits (PMULL).
 *
 * 1/f modulo 2 is a power of f (arch/cyclic_fermat.h). For a polynomial F of bits let c(F) be the sum of F_i F_j X^(i+j)
 * over i < j, modulo 2: over the integers, F^2 = F(X^2) + 2 c(F). Modulo (4, Phi) X is a root of unity of odd order, a
 * Teichmueller representative, and a sum of them is that of their sum modulo 2, and twice the root of c(F). So for
 * f = A + 2 A' and the inverse B of A modulo 2, 1/f = B + 2 (root of c(B) + (root of c(A) + A') B^2). All of it is done
 * modulo X^n - 1. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/cyclic.h"
#include "arch/compilers.h"
#include "arch/cyclic_fermat.h"
#include "shared/ct.h"

enum { PAIRS_MAX = 7, QUARTER_BITS = 16, SQUARINGS_MAX = 16, STRIDE = 8 };

/* Coefficient i at bit i % 64 of word i / 64, in pairs of words, 0 from n on; and products before they are taken modulo
 * X^n - 1. */
typedef struct {
    uint64_t w[2 * PAIRS_MAX];
} bits;

typedef struct {
    uint64_t w[4 * PAIRS_MAX];
} long_bits;

/* Scratch memory. The powers are those of the chain; spread has coefficients as bytes, twice and up to the end of a
 * word. */
typedef struct {
    bits powers[LK_FERMAT_STEPS + 1], f, g, carry, root, square;
    long_bits product;
    uint8_t spread[2 * LK_CYCLIC_PLACES];
} memory;

_Static_assert(sizeof(memory) <= 8 * (size_t)LK_CYCLIC_SCRATCH_UNIT, "the smallest n has 8 units");

static inline size_t pairs_of(size_t n)
{
    return (n + 127) / 128;
}

static inline uint64x2_t load(const uint64_t *w)
{
    return vld1q_u64(w);
}

/* The products of the lower words and of the upper ones. */
static inline uint64x2_t times_low(uint64x2_t f, uint64x2_t g)
{
    return vreinterpretq_u64_p128(vmull_p64((poly64_t)vgetq_lane_u64(f, 0), (poly64_t)vgetq_lane_u64(g, 0)));
}

static inline uint64x2_t times_high(uint64x2_t f, uint64x2_t g)
{
    return vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(f), vreinterpretq_p64_u64(g)));
}

static inline uint64x2_t exchanged(uint64x2_t f)
{
    return vextq_u64(f, f, 1);
}

/* ---- Modulo X^n - 1 ---- */

/* Clears what is not below n. */
static inline void cut(bits *h, size_t n)
{
    h->w[n / 64] &= ((uint64_t)1 << (n % 64)) - 1;
    for (size_t i = n / 64 + 1; i < 2 * pairs_of(n); i++) h->w[i] = 0;
}

static inline void fold(bits *restrict h, const long_bits *restrict p, size_t n)
{
    const uint64_t *above = p->w + n / 64;
    const int64x2_t up = vdupq_n_s64((int64_t)(64 - n % 64)), down = vsubq_s64(up, vdupq_n_s64(64));
    for (size_t i = 0; i < 2 * pairs_of(n); i += 2) {
        const uint64x2_t low = vshlq_u64(load(above + i), down), high = vshlq_u64(load(above + i + 1), up);
        vst1q_u64(h->w + i, veorq_u64(load(p->w + i), veorq_u64(low, high)));
    }
    cut(h, n);
}

static inline void add(bits *restrict h, const bits *restrict f, size_t n)
{
    for (size_t i = 0; i < 2 * pairs_of(n); i += 2) vst1q_u64(h->w + i, veorq_u64(load(h->w + i), load(f->w + i)));
}

/* A word times itself has its bits at even places. */
static inline void square(bits *h, const bits *f, long_bits *restrict product, size_t n)
{
    for (size_t i = 0; i < 2 * pairs_of(n); i += 2) {
        const uint64x2_t pair = load(f->w + i);
        vst1q_u64(product->w + 2 * i, times_low(pair, pair));
        vst1q_u64(product->w + 2 * i + 2, times_high(pair, pair));
    }
    fold(h, product, n);
}

/* The bits at even places of two words, side by side in the lower halves; clears the others. */
static inline uint64x2_t even_bits(uint64x2_t x)
{
    x = vandq_u64(x, vdupq_n_u64(0x5555555555555555));
    x = vandq_u64(vsraq_n_u64(x, x, 1), vdupq_n_u64(0x3333333333333333));
    x = vandq_u64(vsraq_n_u64(x, x, 2), vdupq_n_u64(0x0F0F0F0F0F0F0F0F));
    x = vandq_u64(vsraq_n_u64(x, x, 4), vdupq_n_u64(0x00FF00FF00FF00FF));
    x = vandq_u64(vsraq_n_u64(x, x, 8), vdupq_n_u64(0x0000FFFF0000FFFF));
    return vsraq_n_u64(x, x, 16);
}

/* The lower halves of both words. */
static inline uint64_t joined(uint64x2_t x)
{
    return vget_lane_u64(vreinterpret_u64_u32(vmovn_u64(x)), 0);
}

/* X^i becomes X^(i/2) for even i, X^((i+n)/2) for odd ones. */
static inline void square_root(bits *restrict h, const bits *restrict f, size_t n)
{
    const size_t half = (n + 1) / 2, pairs = pairs_of(n);
    memset(h, 0, sizeof *h);
    for (size_t i = 0; i < pairs; i++) {
        const uint64x2_t pair = load(f->w + 2 * i);
        const uint64_t odd = joined(even_bits(vshrq_n_u64(pair, 1)));
        h->w[i] ^= joined(even_bits(pair));
        h->w[half / 64 + i] ^= odd << (half % 64);
        h->w[half / 64 + i + 1] ^= odd >> 1 >> (63 - half % 64);
    }
}

/* ---- Products ---- */

/* A sum of products of pairs: of their lower words, their upper words, and one of each. */
typedef struct {
    uint64x2_t low, high, middle;
} sums;

static ALWAYS_INLINE void add_product(sums *s, uint64x2_t f, uint64x2_t g)
{
    const uint64x2_t across = exchanged(g);
    s->low = veorq_u64(s->low, times_low(f, g));
    s->high = veorq_u64(s->high, times_high(f, g));
    s->middle = veorq_u64(s->middle, veorq_u64(times_low(f, across), times_high(f, across)));
}

/* Sums of all products of pairs i and j, or of those with i < j, by i + j. */
static ALWAYS_INLINE void multiply_pairs(long_bits *restrict h, const bits *f, const bits *g, const size_t pairs,
                                         const int ordered)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    uint64x2_t high = zero, middle = zero;
    UNROLL
    for (size_t k = 0; k < 2 * pairs; k++) {
        const size_t first = k < pairs ? 0 : k - pairs + 1, last = ordered ? (k + 1) / 2 : k < pairs ? k + 1 : pairs;
        sums s = {zero, zero, zero};
        UNROLL
        for (size_t i = first; i < last; i++) add_product(&s, load(f->w + 2 * i), load(g->w + 2 * (k - i)));
        if (ordered && k % 2 == 0) {
            const uint64x2_t pair = load(f->w + k);
            s.middle = veorq_u64(s.middle, times_low(pair, exchanged(pair)));
        }
        const uint64x2_t across = vextq_u64(middle, s.middle, 1); /* the middle is a word higher */
        vst1q_u64(h->w + 2 * k, veorq_u64(veorq_u64(s.low, high), across));
        high = s.high;
        middle = s.middle;
    }
}

#define PRODUCTS(pairs)                                                                                                \
    static void multiply_##pairs(long_bits *restrict h, const bits *f, const bits *g)                                  \
    {                                                                                                                  \
        multiply_pairs(h, f, g, pairs, 0);                                                                             \
    }                                                                                                                  \
    static void multiply_ordered_##pairs(long_bits *restrict h, const bits *f)                                         \
    {                                                                                                                  \
        multiply_pairs(h, f, f, pairs, 1);                                                                             \
    }

PRODUCTS(4)
PRODUCTS(6)
PRODUCTS(7)

static inline void multiply(bits *h, const bits *f, const bits *g, long_bits *restrict product, size_t n)
{
    const size_t pairs = pairs_of(n);
    (pairs == 4 ? multiply_4 : pairs == 6 ? multiply_6 : multiply_7)(product, f, g);
    fold(h, product, n);
}

/* ---- Carries ---- */

/* c of each of the quarters of two words. Their bits at even and at odd places are side by side. Pairs of bits d places
 * apart, the lower one at i, count at 2 i + d. */
static inline void carries_of_quarters(uint64x2_t *even, uint64x2_t *odd, uint64x2_t pair)
{
    const uint16x8_t x = vreinterpretq_u16_u64(pair);
    uint16x8_t at_even = vdupq_n_u16(0), at_odd = at_even;
    UNROLL
    for (int d = QUARTER_BITS - 1; d > 0; d -= 2) {
        const uint16x8_t by_odd = vshlq_u16(x, vdupq_n_s16((int16_t)-d));
        const uint16x8_t by_even = vshlq_u16(x, vdupq_n_s16((int16_t)(-d - 1)));
        at_odd = veorq_u16(vaddq_u16(at_odd, at_odd), vandq_u16(x, by_odd));
        at_even = veorq_u16(at_even, vandq_u16(x, by_even));
        at_even = vaddq_u16(at_even, at_even);
    }
    *even = vreinterpretq_u64_u16(at_even);
    *odd = vreinterpretq_u64_u16(at_odd);
}

/* Adds to two words of h and to two more c of the lower word of the pair and of the upper one. A quarter's products with
 * all quarters above it are one product. */
static inline void add_carries(uint64_t *h, uint64x2_t pair)
{
    uint64x2_t even, odd, low = load(h), high = load(h + 2);
    carries_of_quarters(&even, &odd, pair);
    low = veorq_u64(low, veorq_u64(times_low(even, even), times_low(odd, vaddq_u64(odd, odd))));
    high = veorq_u64(high, veorq_u64(times_high(even, even), times_high(odd, vaddq_u64(odd, odd))));
    UNROLL
    for (int at = 0; at < 64 - QUARTER_BITS; at += QUARTER_BITS) {
        const uint64x2_t quarter = vandq_u64(pair, vdupq_n_u64((uint64_t)0xFFFF << at));
        const uint64x2_t above = vandq_u64(pair, vdupq_n_u64(~(uint64_t)0 << at << QUARTER_BITS));
        low = veorq_u64(low, times_low(quarter, above));
        high = veorq_u64(high, times_high(quarter, above));
    }
    vst1q_u64(h, low);
    vst1q_u64(h + 2, high);
}

/* h = c(f): of words with each other, and within words. */
static void carries(bits *restrict h, const bits *restrict f, long_bits *restrict product, size_t n)
{
    const size_t pairs = pairs_of(n);
    (pairs == 4 ? multiply_ordered_4 : pairs == 6 ? multiply_ordered_6 : multiply_ordered_7)(product, f);
    for (size_t i = 0; i < 2 * pairs; i += 2) add_carries(product->w + 2 * i, load(f->w + i));
    fold(h, product, n);
}

/* ---- Words, bytes and bits ---- */

/* The given bit of each of 16 words, as the lowest of a byte. */
static inline uint8x16_t bit_of_words(const uint16_t *c, int16x8_t down)
{
    const uint8x16_t low = vreinterpretq_u8_u16(vshlq_u16(vld1q_u16(c), down));
    const uint8x16_t high = vreinterpretq_u8_u16(vshlq_u16(vld1q_u16(c + 8), down));
    return vuzp1q_u8(low, high);
}

/* The lowest bits of 64 bytes. */
static inline uint64_t word_of_bytes(const uint8x16_t bytes[4])
{
    const uint8x16_t one = vdupq_n_u8(1);
    const int8x16_t places = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    uint8x16_t x[4];
    UNROLL
    for (size_t i = 0; i < 4; i++) x[i] = vshlq_u8(vandq_u8(bytes[i], one), places);
    x[0] = vpaddq_u8(vpaddq_u8(x[0], x[1]), vpaddq_u8(x[2], x[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(x[0], x[0])), 0);
}

static inline void take_bits(bits *restrict f, const lk_cyclic_poly *restrict words, size_t n, unsigned bit)
{
    const int16x8_t down = vdupq_n_s16((int16_t) - (int)bit);
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < lk_cyclic_units(n); i++) {
        const uint16_t *c = words->c + LK_CYCLIC_UNIT * i;
        uint8x16_t bytes[4];
        UNROLL
        for (size_t k = 0; k < 4; k++) bytes[k] = bit_of_words(c + 16 * k, down);
        f->w[i] = word_of_bytes(bytes);
    }
}

/* Bits 16 i to 16 i + 15 as bytes 0 and 255. */
static inline uint8x16_t bytes_of_word(uint8x16_t word, size_t i)
{
    const uint8x16_t first = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const uint8x16_t each = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vtstq_u8(vqtbl1q_u8(word, vaddq_u8(first, vdupq_n_u8((uint8_t)(2 * i)))), each);
}

static inline uint8x16_t repeated(uint64_t word)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(word));
}

/* h = low + 2 high. */
static inline void put_bits(lk_cyclic_poly *restrict h, const bits *restrict low, const bits *restrict high, size_t n)
{
    const uint8x16_t one = vdupq_n_u8(1), two = vdupq_n_u8(2);
    uint16_t *c = h->c;
    for (size_t i = 0; i < lk_cyclic_units(n); i++) {
        const uint8x16_t ones = repeated(low->w[i]), twos = repeated(high->w[i]);
        UNROLL
        for (size_t k = 0; k < 4; k++, c += 16) {
            const uint8x16_t x = vorrq_u8(vandq_u8(bytes_of_word(ones, k), one), vandq_u8(bytes_of_word(twos, k), two));
            vst1q_u16(c, vmovl_u8(vget_low_u8(x)));
            vst1q_u16(c + 8, vmovl_high_u8(x));
        }
    }
}

/* ---- Powers ---- */

/* Coefficient i as byte i and once more as byte n + i, where it follows the others. */
static inline void spread_bits(uint8_t *spread, const bits *f, size_t n)
{
    uint8_t *out = spread;
    for (size_t i = 0; i < lk_cyclic_units(n); i++) {
        const uint8x16_t word = repeated(f->w[i]);
        UNROLL
        for (size_t k = 0; k < 4; k++, out += 16) vst1q_u8(out, bytes_of_word(word, k));
    }
    memcpy(spread + n, spread, n);
}

/* h = f^(2^m) with root = 2^-m modulo n. A place is below n; so are the multiples of root, which are added to it. */
static inline void permute(bits *restrict h, const bits *restrict f, size_t root, uint8_t *restrict spread, size_t n)
{
    const uint8_t *from[STRIDE];
    size_t multiple = 0, place = 0;
    spread_bits(spread, f, n);
    for (size_t k = 0; k < STRIDE; k++) {
        from[k] = spread + multiple;
        multiple += root;
        multiple -= multiple < n ? 0 : n;
    }
    for (size_t i = 0; i < lk_cyclic_units(n); i++) {
        uint64_t word = 0;
        for (size_t b = 0; b < 64; b += STRIDE) {
            UNROLL
            for (size_t k = 0; k < STRIDE; k++) word = word >> 1 | (uint64_t)from[k][place] << 63;
            place += multiple;
            place -= place < n ? 0 : n;
        }
        h->w[i] = word;
    }
    cut(h, n);
}

/* Squarings where they take less. */
static void power(bits *restrict h, const bits *restrict f, size_t m, size_t root, memory *s, size_t n)
{
    if (m > SQUARINGS_MAX) {
        permute(h, f, root, s->spread, n);
        return;
    }
    square(h, f, &s->product, n);
    for (size_t i = 1; i < m; i++) square(h, h, &s->product, n);
}

static inline const lk_fermat_step *chain_of(size_t n)
{
    switch (n) {
    case 509: return lk_fermat_509;
    case 677: return lk_fermat_677;
    case 701: return lk_fermat_701;
    default: return lk_fermat_821;
    }
}

/* ---- Kernels ---- */

void lk_cyclic_invert_mod2_pmull(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n,
                                 void *restrict scratch)
{
    const lk_fermat_step *steps = chain_of(n);
    size_t exponents[LK_FERMAT_STEPS + 1] = {1};
    memory *s = scratch;
    take_bits(&s->powers[0], f, n, 0);
    for (size_t i = 0; i < LK_FERMAT_STEPS; i++) {
        const size_t m = exponents[steps[i].other];
        bits *b = s->powers + i + 1;
        power(b, b - 1, m, steps[i].root, s, n);
        multiply(b, b, s->powers + steps[i].other, &s->product, n);
        exponents[i + 1] = exponents[i] + m;
    }
    square(&s->f, s->powers + LK_FERMAT_STEPS, &s->product, n);
    const uint64_t last = lk_barrier64((uint64_t)0 - (s->f.w[n / 64] >> ((n - 1) % 64) & 1)); /* modulo Phi */
    for (size_t i = 0; i < lk_cyclic_units(n); i++) s->f.w[i] ^= last;
    cut(&s->f, n);
    memset(&s->g, 0, sizeof s->g);
    put_bits(v, &s->f, &s->g, n);
}

void lk_cyclic_lift_inverse_pmull(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n,
                                  void *restrict scratch)
{
    memory *s = scratch;
    take_bits(&s->f, f, n, 0);
    take_bits(&s->g, v, n, 0);
    carries(&s->carry, &s->f, &s->product, n);
    square_root(&s->root, &s->carry, n);
    take_bits(&s->f, f, n, 1);
    add(&s->root, &s->f, n);
    square(&s->square, &s->g, &s->product, n);
    multiply(&s->square, &s->root, &s->square, &s->product, n);
    carries(&s->carry, &s->g, &s->product, n);
    square_root(&s->root, &s->carry, n);
    add(&s->root, &s->square, n);
    put_bits(v, &s->g, &s->root, n);
}

void lk_cyclic_square_of_bits_pmull(lk_cyclic_poly *restrict h, const lk_cyclic_poly *restrict f, size_t n,
                                    unsigned bit, void *restrict scratch)
{
    memory *s = scratch;
    take_bits(&s->f, f, n, bit);
    carries(&s->carry, &s->f, &s->product, n);
    square(&s->square, &s->f, &s->product, n);
    put_bits(h, &s->square, &s->carry, n);
}
