/* The kernels of NTRU's small polynomials for NEON, but sorting, products and inversion. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/ternary.h"
#include "arch/aarch64/tables.h"
#include "shared/ct.h"

enum { VECTOR = 16 };

/* Zeroes places from first on to the end of the last unit. */
static void pad(lk_trits *t, size_t first, size_t n)
{
    memset(t->c + first, 0, lk_cyclic_places(n) - first);
}

/* ---- Sampling ---- */

/* 16 is 1 modulo 3: the sum of a byte's halves, 30 at most, will do. */
static inline uint8x16_t mod3(uint8x16_t x)
{
    const uint8x16x2_t residues = {
        {{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}, {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}}};
    return vqtbl2q_u8(residues, vsraq_n_u8(vandq_u8(x, vdupq_n_u8(15)), x, 4));
}

/* The last vector ends with the last byte. */
static void sample_iid(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const size_t last = n - 1 - VECTOR;
    for (size_t i = 0; i < last; i += VECTOR) vst1q_u8(t->c + i, mod3(vld1q_u8(in + i)));
    vst1q_u8(t->c + last, mod3(vld1q_u8(in + last)));
    pad(t, n - 1, n);
}

/* 0, 1, -1. */
static inline int8x16_t as_signed(uint8x16_t trits)
{
    const int8x16_t values = {0, 1, -1};
    return vqtbl1q_s8(values, trits);
}

/* A sum of fewer than 128 products 0, 1, -1 is in a byte. Zeros follow t_(n-1) = 0. */
static void make_nonnegative(lk_trits *t, size_t n)
{
    const uint8x16_t zeros = vdupq_n_u8(0), even = vreinterpretq_u8_u16(vdupq_n_u16(0x00FF));
    const uint8x16_t negatives = {0, 2, 1};
    const size_t places = lk_cyclic_places(n);
    int8x16_t sums = vdupq_n_s8(0);
    uint8x16_t trits = vld1q_u8(t->c);
    for (size_t i = 0; i < places; i += VECTOR) {
        const uint8x16_t next = i + VECTOR < places ? vld1q_u8(t->c + i + VECTOR) : zeros;
        sums = vmlaq_s8(sums, as_signed(trits), as_signed(vextq_u8(trits, next, 1)));
        trits = next;
    }
    const uint32_t negative = (uint32_t)(int32_t)vaddlvq_s8(sums) >> 31;
    const uint8x16_t negate = vandq_u8(even, vdupq_n_u8((uint8_t)(0 - lk_barrier(negative))));
    for (size_t i = 0; i < places; i += VECTOR) {
        const uint8x16_t x = vld1q_u8(t->c + i);
        vst1q_u8(t->c + i, vbslq_u8(negate, vqtbl1q_u8(negatives, x), x));
    }
}

static inline uint16x8_t low_halves(const int32_t *words)
{
    const uint16x8_t low = vreinterpretq_u16_s32(vld1q_s32(words)), high = vreinterpretq_u16_s32(vld1q_s32(words + 4));
    return vuzp1q_u16(low, high);
}

static void words_to_trits(lk_trits *restrict t, const lk_ternary_words *restrict a, size_t n)
{
    for (size_t i = 0; i < n - 1; i += VECTOR) {
        const uint8x16_t low = vreinterpretq_u8_u16(low_halves(a->c + i));
        const uint8x16_t high = vreinterpretq_u8_u16(low_halves(a->c + i + 8));
        vst1q_u8(t->c + i, vandq_u8(vuzp1q_u8(low, high), vdupq_n_u8(3)));
    }
    pad(t, n - 1, n);
}

static uint32_t weight_differs(const lk_trits *t, size_t n, size_t w)
{
    uint8x16_t ones = vdupq_n_u8(0), twos = vdupq_n_u8(0);
    for (size_t i = 0; i < n; i += VECTOR) {
        const uint8x16_t trits = vld1q_u8(t->c + i);
        ones = vaddq_u8(ones, vandq_u8(trits, vdupq_n_u8(1)));
        twos = vsraq_n_u8(twos, trits, 1);
    }
    return lk_ct_nonzero((uint32_t)(vaddlvq_u8(ones) ^ (w / 2)) | (uint32_t)(vaddlvq_u8(twos) ^ (w / 2)));
}

/* ---- Lift ---- */

/* In all lanes. */
static uint8x16_t sum_mod3(const lk_trits *t, size_t n)
{
    uint8x16_t sums = vdupq_n_u8(0);
    for (size_t i = 0; i < n; i += VECTOR) sums = vaddq_u8(sums, vld1q_u8(t->c + i));
    return mod3(vdupq_n_u8(vaddvq_u8(mod3(sums))));
}

/* Lane i: the sum of the lanes up to i. */
static inline uint8x16_t sums_up_to(uint8x16_t x)
{
    const uint8x16_t zeros = vdupq_n_u8(0);
    x = vaddq_u8(x, vextq_u8(zeros, x, 15));
    x = vaddq_u8(x, vextq_u8(zeros, x, 14));
    x = vaddq_u8(x, vextq_u8(zeros, x, 12));
    return vaddq_u8(x, vextq_u8(zeros, x, 8));
}

/* b_i = -(t_0 + ... + t_i + (i + 1) s) with s = t_0 + ... + t_(n-2), all modulo 3. Less b_(i-1), which has the sums of
 * the vectors before, the sums in a vector are between 1 and 37: 32 from trits, 2 from multiples of s, 3 =
 * 0. */
static void lift_quotient(lk_trits *restrict b, const lk_trits *restrict t, size_t n)
{
    const uint8x16x3_t negatives = {{{0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0},
                                     {2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2},
                                     {1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1}}};
    const uint8x16_t numbers = {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1};
    const uint8x16_t multiples = vaddq_u8(mod3(vmulq_u8(numbers, sum_mod3(t, n))), vdupq_n_u8(3));
    uint8x16_t before = vdupq_n_u8(0);
    for (size_t i = 0; i < n; i += VECTOR) {
        const uint8x16_t sums = vaddq_u8(sums_up_to(vld1q_u8(t->c + i)), multiples);
        const uint8x16_t quotient = vqtbl3q_u8(negatives, vsubq_u8(sums, before));
        vst1q_u8(b->c + i, quotient);
        before = vdupq_laneq_u8(quotient, 15);
    }
    pad(b, n - 1, n);
}

/* ---- The beginning of Sample_fixed_type ---- */

enum { WORDS = 4, FIELD_BYTES = 15 }; /* four words' fields of 30 bits */

/* Words from 16 bytes with fields that begin with byte skip: bytes 0 to 7 hold two from bit 0 on, bytes 7 to 14 two
 * from bit 4 on. Shifts bring them to the upper bits. */
static inline uint32x4_t words_of(uint8x16_t bytes, uint8_t skip, uint32x4_t low)
{
    const uint8x16_t order = {0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14};
    const int64x2_t from_halves = {2, -2};
    const int32x4_t from_words = {0, 2, 0, 2};
    const uint64x2_t halves = vreinterpretq_u64_u8(vqtbl1q_u8(bytes, vaddq_u8(order, vdupq_n_u8(skip))));
    const uint32x4_t fields = vshlq_u32(vreinterpretq_u32_u64(vshlq_u64(halves, from_halves)), from_words);
    return vbslq_u32(vdupq_n_u32(3), low, fields);
}

static inline void store_words(lk_ternary_words *a, size_t i, uint32x4_t words)
{
    vst1q_s32(a->c + i, vreinterpretq_s32_u32(words));
}

/* Words begin to end - 1, both divisible by four, with these low bits; returns what follows in. */
static inline const uint8_t *put_words(lk_ternary_words *a, size_t begin, size_t end, const uint8_t *in, uint32_t low)
{
    for (size_t i = begin; i < end; i += WORDS, in += FIELD_BYTES)
        store_words(a, i, words_of(vld1q_u8(in), 0, vdupq_n_u32(low)));
    return in;
}

/* n - 1 is divisible by four. The low bits change within groups of words: those are mended. The last group is loaded
 * with the byte before it, because none is behind. */
static void fixed_type_words(lk_ternary_words *restrict a, const uint8_t *restrict in, size_t n, size_t w)
{
    const size_t ones = w / 2 & ~(size_t)(WORDS - 1), twos = w & ~(size_t)(WORDS - 1), last = n - 1 - WORDS;
    in = put_words(a, 0, ones, in, 1);
    in = put_words(a, ones, twos, in, 2);
    in = put_words(a, twos, last, in, 0);
    store_words(a, last, words_of(vld1q_u8(in - 1), 1, vdupq_n_u32(0)));
    for (size_t i = ones; i < w / 2; i++) a->c[i] ^= 3;
    for (size_t i = twos; i < w; i++) a->c[i] |= 2;
}

/* ---- Packing ----
 *
 * Sixteen bytes, of five trits each, at a time; the last sixteen end with the string. TBL and TBX, for 64 and 16 bytes
 * of the 80, take the trits apart and put them together. */

enum { BYTES = 16, TRITS = 5 };

typedef struct {
    uint8x16x4_t low;
    uint8x16_t high;
} table;

static inline uint8x16_t look_up(const table *t, uint8x16_t places)
{
    return vqtbx1q_u8(vqtbl4q_u8(t->low, places), t->high, vsubq_u8(places, vdupq_n_u8(64)));
}

static inline void pack_group(uint8_t *out, const uint8_t *trits)
{
    const table t = {{{vld1q_u8(trits), vld1q_u8(trits + 16), vld1q_u8(trits + 32), vld1q_u8(trits + 48)}},
                     vld1q_u8(trits + 64)};
    const uint8x16_t fives = {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75};
    uint8x16_t x = look_up(&t, vaddq_u8(fives, vdupq_n_u8(TRITS - 1)));
    for (uint8_t i = TRITS - 1; i-- > 0;) x = vmlaq_u8(look_up(&t, vaddq_u8(fives, vdupq_n_u8(i))), x, vdupq_n_u8(3));
    vst1q_u8(out, x);
}

/* t_(n-1) = 0 and the zeros behind it fill the last byte up. */
static void pack(uint8_t *restrict out, const lk_trits *restrict t, size_t n)
{
    const size_t last = lk_fifth(n + 3) - BYTES;
    for (size_t i = 0; i < last; i += BYTES) pack_group(out + i, t->c + TRITS * i);
    pack_group(out + last, t->c + TRITS * last);
}

/* 171 / 512 is 1/3 + 1/1536, enough for bytes. */
static inline uint8x16_t third(uint8x16_t x)
{
    const uint8x16_t factor = vdupq_n_u8(171);
    const uint16x8_t low = vmull_u8(vget_low_u8(x), vget_low_u8(factor)), high = vmull_high_u8(x, factor);
    return vshrq_n_u8(vuzp2q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high)), 1);
}

/* The five trits of byte i, in a table with a register for each of a byte's trits. */
#define TRITS_OF(i) (i), 16 + (i), 32 + (i), 48 + (i), 64 + (i)

static const uint8_t places[TRITS * BYTES] = {
    TRITS_OF(0), TRITS_OF(1), TRITS_OF(2),  TRITS_OF(3),  TRITS_OF(4),  TRITS_OF(5),  TRITS_OF(6),  TRITS_OF(7),
    TRITS_OF(8), TRITS_OF(9), TRITS_OF(10), TRITS_OF(11), TRITS_OF(12), TRITS_OF(13), TRITS_OF(14), TRITS_OF(15),
};

static inline void unpack_group(uint8_t *trits, const uint8_t *in)
{
    const uint8x16_t bytes = vld1q_u8(in);
    uint8x16_t x = vminq_u8(bytes, vsubq_u8(bytes, vdupq_n_u8(243)));
    table t;
    for (size_t i = 0; i < TRITS - 1; i++) {
        const uint8x16_t quotient = third(x);
        t.low.val[i] = vmlsq_u8(x, quotient, vdupq_n_u8(3));
        x = quotient;
    }
    t.high = x;
    for (size_t i = 0; i < TRITS * BYTES; i += 16) vst1q_u8(trits + i, look_up(&t, vld1q_u8(places + i)));
}

static void unpack(lk_trits *restrict t, const uint8_t *restrict in, size_t n)
{
    const size_t last = lk_fifth(n + 3) - BYTES;
    for (size_t i = 0; i < last; i += BYTES) unpack_group(t->c + TRITS * i, in + i);
    unpack_group(t->c + TRITS * last, in + last);
    memset(t->c + n - 1, 0, lk_cyclic_places(n) - (n - 1));
}

const lk_ternary_kernels lk_ternary_neon = {
    .scratch_unit = LK_TERNARY_SCRATCH_UNIT,
    .sample_iid = sample_iid,
    .make_nonnegative = make_nonnegative,
    .fixed_type_words = fixed_type_words,
    .sort = lk_ternary_sort_neon,
    .words_to_trits = words_to_trits,
    .weight_differs = weight_differs,
    .pack = pack,
    .unpack = unpack,
    .lift_quotient = lift_quotient,
    .multiply = lk_ternary_multiply_neon,
    .invert = lk_ternary_invert_neon,
};
