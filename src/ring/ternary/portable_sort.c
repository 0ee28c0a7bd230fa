/* A sorting network in portable C: Batcher's merge exchange (Knuth, The Art of Computer Programming 5.2.2, algorithm M).
 *
 * The network has passes for the powers of two p from the highest down; a pass compares places whose bit p differs. While p
 * is at least COLUMNS, they stand in runs of p words, which compilers compare as vectors. For smaller p the words are laid
 * out by columns, word COLUMNS k + m at place rows m + k: there all words of a column meet those of another. COLUMNS divides
 * the number of words.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ring/ternary/portable.h"

enum { COLUMNS = 16 };

_Static_assert(LK_CYCLIC_UNIT % COLUMNS == 0, "");
_Static_assert(LK_CYCLIC_UNIT * sizeof(int32_t) <= LK_TERNARY_SCRATCH_UNIT_C, "");

/* a = min, b = max for words next to each other. With sums, for of exclusive ors compilers make two selections. */
static inline void compare_exchange(int32_t *restrict a, int32_t *restrict b, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        const uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i];
        const uint32_t difference = (0 - (uint32_t)(b[i] < a[i])) & (y - x);
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
void lk_ternary_sort_c(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    const size_t words = lk_cyclic_places(count), rows = words / COLUMNS;
    int32_t *columns = scratch;
    size_t top = 1, p;
    for (size_t i = count; i < words; i++) a->c[i] = INT32_MAX;
    while (2 * top < words) top *= 2;
    for (p = top; p >= COLUMNS; p /= 2) pass(step_in_runs, a->c, words, p, top);
    to_columns(columns, a->c, rows);
    for (; p > 0; p /= 2) pass(step_in_columns, columns, rows, p, top);
    from_columns(a->c, columns, rows);
}
