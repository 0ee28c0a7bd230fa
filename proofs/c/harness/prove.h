/* The language of the harnesses: unknowns, assumptions about them, and claims. For CBMC an unknown is any value at
 * once; a program of trials (trials.h) makes the same claims of one value after the other.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_PROVE_H
#define LATKEM_PROVE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__CPROVER__)

/* A function of such a name returns an unknown: any value of its type, a fresh one in each call. */
uint8_t nondet_byte(void);
uint16_t nondet_u16(void);
int16_t nondet_i16(void);
int32_t nondet_i32(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);
size_t nondet_size(void);
int nondet_int(void);

#define ASSUME(condition) __CPROVER_assume(condition)
#define CLAIM(condition, text) __CPROVER_assert(condition, text)

/* Makes every byte of a variable an unknown: of all of it, also where a part of it is named. */
#define ANY(variable) __CPROVER_havoc_object(&(variable))

/* Whether len bytes can be read, and written. */
#define READABLE(p, len) __CPROVER_r_ok(p, len)
#define WRITABLE(p, len) __CPROVER_w_ok(p, len)

/* nondet_below returns an unknown of 0 .. end - 1. */
static inline size_t nondet_below(size_t end)
{
    const size_t x = nondet_size();
    ASSUME(x < end);
    return x;
}

/* A loop over all i below end: CBMC looks at one of them, which is any. */
#define EACH(i, end) for (size_t i = nondet_size(), i##_once = 1; i##_once && i < (end); i##_once = 0)

#else
#include "trials.h"
#endif

#endif
