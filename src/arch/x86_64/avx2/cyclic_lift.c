/* Inverses and squares modulo 4 from arithmetic modulo 2, with carry-less multiplication.
 *
 * For a polynomial F of bits let c(F) be the sum of F_i F_j X^(i+j) over i < j, modulo 2: over the integers,
 * F^2 = F(X^2) + 2 c(F). Modulo (4, Phi) X is a root of unity of odd order, a Teichmueller representative, and a sum of
 * them is that of their sum modulo 2, and twice the root of c(F). So for f = A + 2 A' and the inverse B of A modulo 2,
 * 1/f = B + 2 (root of c(B) + (root of c(A) + A') B^2). All of it is done modulo X^n - 1.
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <string.h>

#include "arch/compilers.h"
#include "arch/x86_64/avx2/cyclic_lift.h"

enum { WORDS = 16 /* of 64 bits */ };

/* Coefficient i at bit i % 64 of word i / 64, 0 from n on; and products before they are taken modulo X^n - 1. */
typedef struct {
    uint64_t w[WORDS];
} bits;

typedef struct {
    uint64_t w[2 * WORDS];
} long_bits;

/* Scratch memory. */
typedef struct {
    bits f, g, carry, root, square;
    long_bits product;
} memory;

_Static_assert(sizeof(memory) == LK_CYCLIC_LIFT_BYTES, "");

static inline size_t pairs_of(size_t n)
{
    return (n + 127) / 128;
}

/* ---- Modulo X^n - 1 ---- */

static inline void fold(bits *restrict h, const long_bits *restrict p, size_t n)
{
    const size_t units = lk_cyclic_units(n), first = n / 64;
    memset(h, 0, sizeof *h);
    for (size_t i = 0; i < units; i++)
        h->w[i] = p->w[i] ^ p->w[first + i] >> (n % 64) ^ p->w[first + i + 1] << (64 - n % 64);
    h->w[first] &= ((uint64_t)1 << (n % 64)) - 1;
}

static inline void add(bits *restrict h, const bits *restrict f)
{
    for (size_t i = 0; i < WORDS; i++) h->w[i] ^= f->w[i];
}

/* Bits of low at even places, of high at odd ones. */
static inline void interleave(uint64_t out[2], uint64_t low, uint64_t high)
{
    const uint64_t even = 0x5555555555555555;
    out[0] = _pdep_u64(low, even) | _pdep_u64(high, ~even);
    out[1] = _pdep_u64(low >> 32, even) | _pdep_u64(high >> 32, ~even);
}

static inline void square(bits *restrict h, const bits *restrict f, long_bits *restrict product, size_t n)
{
    for (size_t i = 0; i < WORDS; i++) interleave(product->w + 2 * i, f->w[i], 0);
    fold(h, product, n);
}

/* X^i becomes X^(i/2) for even i, X^((i+n)/2) for odd ones. */
static inline void square_root(bits *restrict h, const bits *restrict f, size_t n)
{
    const uint64_t even = 0x5555555555555555;
    const size_t half = (n + 1) / 2;
    memset(h, 0, sizeof *h);
    for (size_t i = 0; i < pairs_of(n); i++) {
        const uint64_t low = f->w[2 * i], high = f->w[2 * i + 1],
                       odd = _pext_u64(low, ~even) | _pext_u64(high, ~even) << 32;
        h->w[i] ^= _pext_u64(low, even) | _pext_u64(high, even) << 32;
        h->w[half / 64 + i] ^= odd << (half % 64);
        h->w[half / 64 + i + 1] ^= odd >> 1 >> (63 - half % 64);
    }
}

/* ---- Products ---- */

static inline __m128i pair_of(const bits *f, size_t i)
{
    return _mm_loadu_si128((const __m128i *)(f->w + 2 * i));
}

/* A sum of products of pairs: of their lower words, their upper words, and one of each. */
typedef struct {
    __m128i low, high, middle;
} sums;

static inline void add_product(sums *s, __m128i f, __m128i g)
{
    const __m128i first = _mm_clmulepi64_si128(f, g, 0x01), second = _mm_clmulepi64_si128(f, g, 0x10);
    s->low = _mm_xor_si128(s->low, _mm_clmulepi64_si128(f, g, 0x00));
    s->high = _mm_xor_si128(s->high, _mm_clmulepi64_si128(f, g, 0x11));
    s->middle = _mm_xor_si128(s->middle, _mm_xor_si128(first, second));
}

/* Sums of all products of pairs i and j, or of those with i < j, by i + j. */
static inline void multiply_pairs(long_bits *restrict h, const bits *f, const bits *g, size_t pairs, int ordered)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i high = zero, middle = zero;
    memset(h, 0, sizeof *h);
    for (size_t k = 0; k < 2 * pairs; k++) {
        sums s = {zero, zero, zero};
        for (size_t i = k < pairs ? 0 : k - pairs + 1; i < pairs && i <= k && (!ordered || 2 * i < k); i++)
            add_product(&s, pair_of(f, i), pair_of(g, k - i));
        if (ordered && k % 2 == 0 && k < 2 * pairs) {
            const __m128i pair = pair_of(f, k / 2);
            s.middle = _mm_xor_si128(s.middle, _mm_clmulepi64_si128(pair, pair, 0x10));
        }
        const __m128i across = _mm_alignr_epi8(s.middle, middle, 8); /* the middle is a word higher */
        _mm_storeu_si128((__m128i *)(h->w + 2 * k), _mm_xor_si128(_mm_xor_si128(s.low, high), across));
        high = s.high;
        middle = s.middle;
    }
}

static inline void multiply(bits *h, const bits *f, const bits *g, long_bits *restrict product, size_t n)
{
    multiply_pairs(product, f, g, pairs_of(n), 0);
    fold(h, product, n);
}

/* Of each of four words F the low 64 bits of c(F) at even places to even, at odd ones to odd, side by side. Pairs of
 * bits d places apart, the lower one at i, count at 2 i + d. */
static inline void carries_of_words(uint64_t even[4], uint64_t odd[4], const uint64_t f[4])
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)f);
    __m256i at_even = _mm256_setzero_si256(), at_odd = at_even;
    UNROLL
    for (int d = 63; d > 0; d -= 2) {
        const __m256i by_odd = _mm256_srl_epi64(x, _mm_cvtsi32_si128(d));
        const __m256i by_even = _mm256_srl_epi64(x, _mm_cvtsi32_si128(d + 1));
        at_odd = _mm256_xor_si256(_mm256_add_epi64(at_odd, at_odd), _mm256_and_si256(x, by_odd));
        at_even = _mm256_xor_si256(at_even, _mm256_and_si256(x, by_even));
        at_even = _mm256_add_epi64(at_even, at_even);
    }
    _mm256_storeu_si256((__m256i *)even, at_even);
    _mm256_storeu_si256((__m256i *)odd, at_odd);
}

/* h = c(f): of words with each other, and within words. */
static inline void carries(bits *restrict h, const bits *restrict f, long_bits *restrict product, size_t n)
{
    multiply_pairs(product, f, f, pairs_of(n), 1);
    for (size_t i = 0; i < lk_cyclic_units(n); i += 4) {
        uint64_t even[4], odd[4], both[2];
        carries_of_words(even, odd, f->w + i);
        for (size_t k = 0; k < 4; k++) {
            interleave(both, even[k], odd[k]);
            product->w[2 * (i + k)] ^= both[0];
            product->w[2 * (i + k) + 1] ^= both[1];
        }
    }
    fold(h, product, n);
}

/* ---- Words and bits ---- */

/* The given bits of 32 words. */
static inline uint32_t bits_of_words(const uint16_t *c, unsigned bit)
{
    const __m128i up = _mm_cvtsi32_si128((int)(15 - bit));
    const __m256i low = _mm256_sll_epi16(_mm256_loadu_si256((const __m256i *)c), up);
    const __m256i high = _mm256_sll_epi16(_mm256_loadu_si256((const __m256i *)(c + 16)), up);
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8));
}

static inline void take_bits(bits *restrict f, const lk_cyclic_poly *restrict words, size_t n, unsigned bit)
{
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < lk_cyclic_units(n); i++) {
        const uint16_t *c = words->c + LK_CYCLIC_UNIT * i;
        f->w[i] = bits_of_words(c, bit) | (uint64_t)bits_of_words(c + 32, bit) << 32;
    }
}

/* value where one of the 16 lowest bits is set, and 0 elsewhere. */
static inline __m256i words_of_bits(uint64_t x, short value)
{
    const __m256i each = _mm256_set_epi16((short)0x8000, 0x4000, 0x2000, 0x1000, 0x0800, 0x0400, 0x0200, 0x0100, 0x0080,
                                          0x0040, 0x0020, 0x0010, 0x0008, 0x0004, 0x0002, 0x0001);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi16((short)x), each);
    return _mm256_and_si256(_mm256_cmpeq_epi16(set, each), _mm256_set1_epi16(value));
}

/* h = low + 2 high. */
static inline void put_bits(lk_cyclic_poly *restrict h, const bits *restrict low, const bits *restrict high, size_t n)
{
    for (size_t i = 0; i < lk_cyclic_places(n); i += 16) {
        const __m256i ones = words_of_bits(low->w[i / 64] >> (i % 64), 1);
        const __m256i twos = words_of_bits(high->w[i / 64] >> (i % 64), 2);
        _mm256_storeu_si256((__m256i *)(h->c + i), _mm256_or_si256(ones, twos));
    }
}

/* ---- Kernels ---- */

void lk_cyclic_lift_inverse(lk_cyclic_poly *restrict v, const lk_cyclic_poly *restrict f, size_t n,
                            void *restrict scratch)
{
    memory *m = scratch;
    take_bits(&m->f, f, n, 0);
    take_bits(&m->g, v, n, 0);
    carries(&m->carry, &m->f, &m->product, n);
    square_root(&m->root, &m->carry, n);
    take_bits(&m->f, f, n, 1);
    add(&m->root, &m->f);
    square(&m->square, &m->g, &m->product, n);
    multiply(&m->square, &m->root, &m->square, &m->product, n);
    carries(&m->carry, &m->g, &m->product, n);
    square_root(&m->root, &m->carry, n);
    add(&m->root, &m->square);
    put_bits(v, &m->g, &m->root, n);
}

void lk_cyclic_square_of_bits(lk_cyclic_poly *restrict h, const lk_cyclic_poly *restrict f, size_t n, unsigned bit,
                              void *restrict scratch)
{
    memory *m = scratch;
    take_bits(&m->f, f, n, bit);
    carries(&m->carry, &m->f, &m->product, n);
    square(&m->square, &m->f, &m->product, n);
    put_bits(h, &m->square, &m->carry, n);
}
