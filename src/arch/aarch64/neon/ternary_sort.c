/* A sorting network for NEON: Batcher's merge exchange (Knuth, The Art of Computer Programming 5.2.2, algorithm M).
 *
 * The words are in rows of four, 16 for each unit. First every lane's column is sorted, then columns are merged by
 * two, as lists of consecutive words. To merge sorted sequences x and y of J elements, x_j meets y_j, and then y_j
 * meets x_(j+s) for s = S, S/2 ... 1, where S is the highest power of two below J; the result is x_0, y_0, x_1, y_1 ...
 * Sorting a column is merging too, of elements that are 1, 2, 4 ... rows apart. All these J are u times the units or,
 * of words, 4u times. The steps down to s = u keep elements together with numbers that are equal modulo u: all of them
 * are in registers. The steps below u go along the sequences, with the next u/2 elements of x in registers.
 * SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <stdint.h>

#include "arch/aarch64/neon/ternary.h"
#include "arch/compilers.h"

/* Of NEXT registers AHEAD_MAX are used at most; gcc would make a tuple of four and keep it in memory. */
enum { LANES = 4, LIST_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT, AHEAD_MAX = 4, NEXT = 5 };

_Static_assert(LK_CYCLIC_UNIT * sizeof(int32_t) <= LK_TERNARY_SCRATCH_UNIT, "");

static inline void compare(int32x4_t *a, int32x4_t *b)
{
    const int32x4_t low = vminq_s32(*a, *b);
    *b = vmaxq_s32(*a, *b);
    *a = low;
}

/* ---- In registers ---- */

static ALWAYS_INLINE void load(int32x4_t *x, const int32_t *from, size_t stride, size_t units, const size_t size)
{
    UNROLL for (size_t i = 0; i < size; i++) x[i] = i < units ? vld1q_s32(from + stride * i) : vdupq_n_s32(INT32_MAX);
}

static ALWAYS_INLINE void store(int32_t *to, const int32x4_t *x, size_t stride, size_t units, const size_t size)
{
    UNROLL for (size_t i = 0; i < size; i++) if (i < units) vst1q_s32(to + stride * i, x[i]);
}

/* A step of algorithm M: places i with (i & p) = r meet places i + d. */
static ALWAYS_INLINE void step(int32x4_t *x, const size_t size, const size_t p, const size_t r, const size_t d)
{
    UNROLL for (size_t i = 0; i < LIST_MAX; i++) if ((i & p) == r && i + d < size) compare(&x[i], &x[i + d]);
}

static ALWAYS_INLINE void sort(int32x4_t *x, const size_t size)
{
    step(x, size, 8, 0, 8);
    step(x, size, 4, 0, 4);
    step(x, size, 4, 4, 4);
    step(x, size, 2, 0, 2);
    step(x, size, 2, 2, 6);
    step(x, size, 2, 2, 2);
    step(x, size, 1, 0, 1);
    step(x, size, 1, 1, 7);
    step(x, size, 1, 1, 3);
    step(x, size, 1, 1, 1);
}

static ALWAYS_INLINE void merge(int32x4_t *a, int32x4_t *b, const size_t size)
{
    UNROLL for (size_t i = 0; i < size; i++) compare(&a[i], &b[i]);
    UNROLL for (size_t i = 0; i + 8 < size; i++) compare(&b[i], &a[i + 8]);
    UNROLL for (size_t i = 0; i + 4 < size; i++) compare(&b[i], &a[i + 4]);
    UNROLL for (size_t i = 0; i + 2 < size; i++) compare(&b[i], &a[i + 2]);
    UNROLL for (size_t i = 0; i + 1 < size; i++) compare(&b[i], &a[i + 1]);
}

/* Sorts two lists of size elements, a unit apart and half a unit from each other, and merges them; units of the elements
 * are there. */
static ALWAYS_INLINE void sort_lists(int32_t *out, const int32_t *in, size_t units, const size_t size)
{
    int32x4_t a[LIST_MAX], b[LIST_MAX];
    load(a, in, LK_CYCLIC_UNIT, units, size);
    sort(a, size);
    load(b, in + LK_CYCLIC_UNIT / 2, LK_CYCLIC_UNIT, units, size);
    sort(b, size);
    merge(a, b, size);
    store(out, a, LK_CYCLIC_UNIT, units, size);
    store(out + LK_CYCLIC_UNIT / 2, b, LK_CYCLIC_UNIT, units, size);
}

static ALWAYS_INLINE void merge_list(int32_t *x, int32_t *y, size_t stride, size_t units, const size_t size)
{
    int32x4_t a[LIST_MAX], b[LIST_MAX];
    load(a, x, stride, units, size);
    load(b, y, stride, units, size);
    merge(a, b, size);
    store(x, a, stride, units, size);
    store(y, b, stride, units, size);
}

/* For lists of as many elements as there are units. They are a unit apart, or a quarter or half of one. */
typedef struct {
    void (*sort)(int32_t *out, const int32_t *in, size_t units);
    void (*merge)(int32_t *x, int32_t *y, size_t units);
    void (*merge_half)(int32_t *x, int32_t *y, size_t units);
    void (*merge_quarter)(int32_t *x, int32_t *y, size_t units);
} lists;

#define LISTS(name, size, count)                                                                                       \
    static void sort_##name(int32_t *out, const int32_t *in, size_t units)                                             \
    {                                                                                                                  \
        (void)units;                                                                                                   \
        sort_lists(out, in, count, size);                                                                              \
    }                                                                                                                  \
    static void merge_##name(int32_t *x, int32_t *y, size_t units)                                                     \
    {                                                                                                                  \
        (void)units;                                                                                                   \
        merge_list(x, y, LK_CYCLIC_UNIT, count, size);                                                                 \
    }                                                                                                                  \
    static void merge_half_##name(int32_t *x, int32_t *y, size_t units)                                                \
    {                                                                                                                  \
        (void)units;                                                                                                   \
        merge_list(x, y, LK_CYCLIC_UNIT / 2, count, size);                                                             \
    }                                                                                                                  \
    static void merge_quarter_##name(int32_t *x, int32_t *y, size_t units)                                             \
    {                                                                                                                  \
        (void)units;                                                                                                   \
        merge_list(x, y, LK_CYCLIC_UNIT / 4, count, size);                                                             \
    }                                                                                                                  \
    static const lists lists_##name = {sort_##name, merge_##name, merge_half_##name, merge_quarter_##name};

LISTS(of_8, 8, 8)
LISTS(of_11, 11, 11)
LISTS(of_13, 13, 13)
LISTS(of_any, LIST_MAX, units)

static inline const lists *lists_for(size_t units)
{
    switch (units) {
    case 8: return &lists_of_8;
    case 11: return &lists_of_11;
    case 13: return &lists_of_13;
    default: return &lists_of_any;
    }
}

/* The steps down to s = u that merge sequences of u times units rows, which are stride words apart. */
static ALWAYS_INLINE void first_steps(const lists *l, int32_t *x, int32_t *y, const size_t stride, size_t units,
                                      const size_t u)
{
    const size_t distance = stride * u;
    for (size_t i = 0; i < distance; i += stride) {
        if (distance == LK_CYCLIC_UNIT)
            l->merge(x + i, y + i, units);
        else if (distance == LK_CYCLIC_UNIT / 2)
            l->merge_half(x + i, y + i, units);
        else
            l->merge_quarter(x + i, y + i, units);
    }
}

/* ---- Along sequences ---- */

/* The steps s = ahead, ahead/2 ... 1, where ahead is a power of two that divides the length of the sequences. All those
 * of y_j are done before y_(j+1) is read; x_j is in next[j % ahead] from y_(j-ahead) on, if there is one. */
static ALWAYS_INLINE void meet_next(int32x4_t *y, int32x4_t *next, const size_t j, int more, const size_t ahead)
{
    UNROLL for (size_t s = ahead; s > 0; s /= 2) if (more || j + s < ahead) compare(y, &next[(j + s) & (ahead - 1)]);
}

/* Two times ahead elements; after the last ones of y there is no x. The loop goes on for AHEAD_MAX: clang 14 unrolls none
 * that has another end in each caller. */
static ALWAYS_INLINE void last_round(int32_t *x, int32_t *y, int32x4_t *next, const size_t stride, const size_t ahead,
                                     const int last)
{
    UNROLL for (size_t i = 0; i < 2 * AHEAD_MAX; i++)
    {
        if (i >= 2 * ahead) continue;
        const int more = !last || i < ahead;
        const size_t j = i & (ahead - 1);
        int32x4_t element = vld1q_s32(y + stride * i);
        if (more) next[j] = vld1q_s32(x + stride * (i + ahead));
        meet_next(&element, next, j, more, ahead);
        vst1q_s32(y + stride * i, element);
        if (more || j + 1 < ahead) vst1q_s32(x + stride * (i + 1), next[(i + 1) & (ahead - 1)]);
    }
}

/* There are two times ahead elements for each unit. */
static ALWAYS_INLINE void last_steps(int32_t *x, int32_t *y, const size_t stride, size_t units, const size_t ahead)
{
    const size_t round = 2 * ahead * stride;
    int32x4_t next[NEXT];
    UNROLL for (size_t i = 0; i < ahead; i++) next[i] = vld1q_s32(x + stride * i);
    for (; units > 1; units--, x += round, y += round) last_round(x, y, next, stride, ahead, 0);
    last_round(x, y, next, stride, ahead, 1);
}

/* The result from word 8 j + 1 on: y_j and x_(j+1) in turns; the last x is beyond the end. */
static inline void put_pairs(int32_t *out, int32x4_t y, int32x4_t x, int last)
{
    const int32x4_t first = vzip1q_s32(y, x), second = vzip2q_s32(y, x);
    vst1q_s32(out, first);
    if (last)
        vst1q_s32(out + 3, vextq_s32(first, second, 3));
    else
        vst1q_s32(out + LANES, second);
}

/* Between registers of words: the register of x before the next one, and where its words met y_(j-2). */
typedef struct {
    int32x4_t here, twos;
} before;

static ALWAYS_INLINE void last_round_of_words(int32_t *out, const int32_t *x, const int32_t *y, int32x4_t *next,
                                              before *b, const size_t ahead, const int last)
{
    UNROLL for (size_t i = 0; i < 2 * AHEAD_MAX; i++)
    {
        if (i >= 2 * ahead) continue;
        const int more = !last || i < ahead, end = !more && i + 1 == 2 * ahead;
        const size_t j = i & (ahead - 1);
        int32x4_t element = vld1q_s32(y + LANES * i);
        if (more) next[j] = vld1q_s32(x + LANES * (i + ahead));
        meet_next(&element, next, j, more, ahead);
        const int32x4_t after = end ? vdupq_n_s32(INT32_MAX) : next[(i + 1) & (ahead - 1)];
        int32x4_t two = vextq_s32(b->here, after, 2);
        compare(&element, &two);
        int32x4_t one = vextq_s32(b->twos, two, 3);
        compare(&element, &one);
        put_pairs(out + 2 * LANES * i, element, one, end);
        b->here = after;
        b->twos = two;
    }
}

/* The same for lists of words, two times ahead registers of them for each unit, with the steps s = 2 and 1 of words and
 * the result. If the first lane of a register has y_j, that of another has x_(j+2) and then x_(j+1). */
static ALWAYS_INLINE void last_steps_of_words(int32_t *out, const int32_t *x, const int32_t *y, size_t units,
                                              const size_t ahead)
{
    const size_t round = 2 * ahead * LANES;
    int32x4_t next[NEXT];
    before b;
    b.here = vld1q_s32(x);
    b.twos = vextq_s32(b.here, b.here, 2);
    *out++ = x[0];
    UNROLL for (size_t i = 0; i < ahead; i++) next[i] = vld1q_s32(x + LANES * i);
    for (; units > 1; units--, x += round, y += round, out += 2 * round)
        last_round_of_words(out, x, y, next, &b, ahead, 0);
    last_round_of_words(out, x, y, next, &b, ahead, 1);
}

/* ---- Rows and lists ---- */

/* Merges rows i modulo 16/u, which are sorted, with the rows i + 8/u, for all i below 8/u. */
static ALWAYS_INLINE void merge_rows(const lists *l, int32_t *a, size_t units, const size_t u)
{
    const size_t stride = LK_CYCLIC_UNIT / u;
    for (size_t i = 0; i < stride / 2; i += LANES) {
        int32_t *x = a + i, *y = x + stride / 2;
        first_steps(l, x, y, stride, units, u);
        last_steps(x, y, stride, units, u / 2);
    }
}

static void sort_columns(const lists *l, int32_t *out, const int32_t *in, size_t units)
{
    for (size_t i = 0; i < LK_CYCLIC_UNIT / 2; i += LANES) l->sort(out + i, in + i, units);
    merge_rows(l, out, units, 2);
    merge_rows(l, out, units, 4);
    merge_rows(l, out, units, 8);
}

static void take_columns(int32_t *out, const int32_t *in, size_t rows)
{
    for (size_t i = 0; i < rows; i += LANES) {
        const int32x4x4_t columns = vld4q_s32(in + LANES * i);
        UNROLL for (size_t c = 0; c < LANES; c++) vst1q_s32(out + rows * c + i, columns.val[c]);
    }
}

/* Lists of u times units registers. */
static ALWAYS_INLINE void merge_lists(const lists *l, int32_t *out, int32_t *x, int32_t *y, size_t units,
                                      const size_t u)
{
    first_steps(l, x, y, LANES, units, u);
    last_steps_of_words(out, x, y, units, u / 2);
}

/* The places behind the last word hold the largest number, which stays there. */
void lk_ternary_sort_neon(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    const size_t units = lk_cyclic_units(count), half = LK_CYCLIC_UNIT * units / 2;
    const lists *l = lists_for(units);
    int32_t *words = scratch;
    for (size_t i = count; i < LK_CYCLIC_UNIT * units; i++) a->c[i] = INT32_MAX;
    sort_columns(l, words, a->c, units);
    take_columns(a->c, words, half / 2);
    merge_lists(l, words, a->c, a->c + half / 2, units, 4);
    merge_lists(l, words + half, a->c + half, a->c + half + half / 2, units, 4);
    merge_lists(l, a->c, words, words + half, units, 8);
}
