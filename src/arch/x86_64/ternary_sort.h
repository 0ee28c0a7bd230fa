/* A sorting network in vectors of 32-bit words, for any vector instructions: bitonic (Knuth, The Art of Computer
 * Programming 5.3.4), in the form that compares the second sequence of a merge backwards, so that all comparators point
 * one way.
 *
 * The words are in rows of a vector; the places behind them hold the largest number. Each lane's column is sorted
 * first, and then columns are merged by two, four ... until all of them are one sequence, column after column. Most
 * comparators join rows, with up to eight rows in registers at a time; the others exchange lanes. Last the rows are
 * transposed.
 *
 * The file that includes this has included its backend's vec.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_TERNARY_SORT_H
#define LK_ARCH_X86_64_TERNARY_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "arch/compilers.h"
#include "ring/ternary/kernels.h"

enum {
    REGISTERS = 8,   /* rows in registers at a time */
    ROW = LANES / 2, /* words */
    ROWS_MIN = 16,   /* for transposing squares */
    SCRATCH_UNIT = 1024
};

_Static_assert(ROW <= (int)ROWS_MIN && ROW * ROWS_MIN * sizeof(int32_t) <= SCRATCH_UNIT, "");
_Static_assert(1024 * sizeof(int32_t) <= 9 * SCRATCH_UNIT, "the number of units from which there are 1024 words");

static inline void compare(vec *a, vec *b)
{
    const vec low = v_min32(*a, *b);
    *b = v_max32(*a, *b);
    *a = low;
}

/* Batcher's network for eight. */
static inline void sort_registers(vec r[REGISTERS])
{
    for (size_t i = 0; i < 8; i += 2) compare(&r[i], &r[i + 1]);
    for (size_t i = 0; i < 8; i += 4) {
        compare(&r[i], &r[i + 2]);
        compare(&r[i + 1], &r[i + 3]);
        compare(&r[i + 1], &r[i + 2]);
    }
    for (size_t i = 0; i < 4; i++) compare(&r[i], &r[i + 4]);
    compare(&r[2], &r[4]);
    compare(&r[3], &r[5]);
    for (size_t i = 1; i < 7; i += 2) compare(&r[i], &r[i + 1]);
}

/* A bitonic sequence of two, four or eight is sorted. */
static ALWAYS_INLINE void merge_registers(vec r[REGISTERS], const size_t count)
{
    for (size_t d = count / 2; d > 0; d /= 2)
        for (size_t i = 0; i < count; i++)
            if ((i & d) == 0) compare(&r[i], &r[i + d]);
}

static ALWAYS_INLINE void load_rows(vec r[REGISTERS], const int32_t *a, const size_t count, size_t stride)
{
    for (size_t i = 0; i < count; i++) r[i] = v_load(a + ROW * stride * i);
}

static ALWAYS_INLINE void store_rows(int32_t *a, vec r[REGISTERS], const size_t count, size_t stride)
{
    for (size_t i = 0; i < count; i++) v_store(a + ROW * stride * i, r[i]);
}

/* The stages of a merge of size rows down to those that leave size / count rows to merge. */
static ALWAYS_INLINE void merge_stages(int32_t *a, size_t rows, size_t size, const size_t count)
{
    const size_t stride = size / count;
    for (size_t begin = 0; begin < rows; begin += size)
        for (size_t i = begin; i < begin + stride; i++) {
            vec r[REGISTERS];
            load_rows(r, a + ROW * i, count, stride);
            merge_registers(r, count);
            store_rows(a + ROW * i, r, count, stride);
        }
}

/* Columns of all rows, which are bitonic in runs of size rows, are sorted in these runs. */
static void merge_rows(int32_t *a, size_t rows, size_t size)
{
    while (size > REGISTERS) switch (size / REGISTERS) {
        case 2:
            merge_stages(a, rows, size, 2);
            size /= 2;
            break;
        case 4:
            merge_stages(a, rows, size, 4);
            size /= 4;
            break;
        default:
            merge_stages(a, rows, size, 8);
            size /= 8;
            break;
        }
    merge_stages(a, rows, size, 8);
}

/* Of the rows only so many have words, a multiple of REGISTERS. Behind them stays the largest number, which no comparator
 * would move. */
static void sort_columns(int32_t *a, size_t rows, size_t taken)
{
    for (size_t i = 0; i < taken; i += REGISTERS) {
        vec r[REGISTERS];
        load_rows(r, a + ROW * i, REGISTERS, 1);
        sort_registers(r);
        store_rows(a + ROW * i, r, REGISTERS, 1);
    }
    for (size_t size = 2 * REGISTERS; size <= rows; size *= 2) {
        for (size_t begin = 0; begin < taken; begin += size) {
            const size_t end = begin + size;
            for (size_t i = end > taken ? end - taken : 0; i < size / 2; i++) {
                int32_t *first = a + ROW * (begin + i), *second = a + ROW * (end - 1 - i);
                vec low = v_load(first), high = v_load(second);
                compare(&low, &high);
                v_store(first, low);
                v_store(second, high);
            }
        }
        merge_rows(a, taken, size / 2);
    }
}

/* Lanes with bit d take the larger of their word and that of lane ^ d. */
static inline vec compare_lanes(vec x, vec lanes, int32_t d)
{
    const vec other = v_permute32(x, v_xor(lanes, v_set32(d)));
    return v_choose32(v_min32(x, other), v_max32(x, other), v_with_bit32(lanes, d));
}

/* Merges sorted sequences of group / 2 columns to bitonic columns in the order of the result. Of the second sequence,
 * word i is in the mirrored row and lane. */
static void merge_columns(int32_t *a, size_t rows, int32_t group)
{
    const vec lanes = v_numbers32(), mirrored = v_xor(lanes, v_set32(group - 1));
    const v_mask32 second = v_with_bit32(lanes, group / 2);
    for (size_t i = 0; i < rows / 2; i++) {
        int32_t *upper = a + ROW * i, *lower = a + ROW * (rows - 1 - i);
        const vec x = v_load(upper), y = v_permute32(v_load(lower), mirrored), low = v_min32(x, y),
                  high = v_max32(x, y);
        vec p = v_choose32(low, high, second), q = v_permute32(v_choose32(high, low, second), mirrored);
        for (int32_t d = group / 4; d > 0; d /= 2) {
            p = compare_lanes(p, lanes, d);
            q = compare_lanes(q, lanes, d);
        }
        v_store(upper, p);
        v_store(lower, q);
    }
}

/* Columns one after the other, as far as there are words. */
static void transpose_columns(int32_t *restrict out, const int32_t *restrict in, size_t rows, size_t words)
{
    for (size_t c = 0; c < ROW; c += 4)
        for (size_t i = 0; i < rows && rows * c + i < words; i += ROW) {
            vec a[4], b[4];
            for (size_t k = 0; k < 4; k++) a[k] = v_blocks(in + ROW * (i + k) + c, 4 * ROW * sizeof *in);
            for (size_t k = 0; k < 2; k++) {
                b[2 * k] = V_UNPACK_LOW(32, a[2 * k], a[2 * k + 1]);
                b[2 * k + 1] = V_UNPACK_HIGH(32, a[2 * k], a[2 * k + 1]);
            }
            for (size_t k = 0; k < 2; k++) {
                a[2 * k] = V_UNPACK_LOW(64, b[k], b[k + 2]);
                a[2 * k + 1] = V_UNPACK_HIGH(64, b[k], b[k + 2]);
            }
            for (size_t k = 0; k < 4; k++)
                if (rows * (c + k) + i < words) v_store(out + rows * (c + k) + i, a[k]);
        }
}

static inline void sort_words(int32_t *restrict a, size_t count, int32_t *restrict rows_of_lanes)
{
    const size_t words = LK_CYCLIC_UNIT * ((count + LK_CYCLIC_UNIT - 1) / LK_CYCLIC_UNIT);
    const size_t taken = (words / ROW + REGISTERS - 1) / REGISTERS * REGISTERS;
    size_t rows = ROWS_MIN;
    while (rows < taken) rows *= 2;
    for (size_t i = count; i < words; i++) a[i] = INT32_MAX;
    for (size_t i = 0; i < ROW * rows; i += ROW)
        v_store(rows_of_lanes + i, i < words ? v_load(a + i) : v_set32(INT32_MAX));
    sort_columns(rows_of_lanes, rows, taken);
    for (int32_t group = 2; group <= ROW; group *= 2) {
        merge_columns(rows_of_lanes, rows, group);
        merge_rows(rows_of_lanes, rows, rows);
    }
    transpose_columns(a, rows_of_lanes, rows, words);
}

static void sort(lk_ternary_words *restrict a, size_t count, void *restrict scratch)
{
    sort_words(a->c, count, scratch);
}

#endif
