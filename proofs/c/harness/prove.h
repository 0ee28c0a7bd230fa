/* What the harnesses say to CBMC: unknowns, what is assumed of them, and what is claimed. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef LATKEM_PROVE_H
#define LATKEM_PROVE_H

#include <stddef.h>
#include <stdint.h>

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

/* Makes every byte of an object an unknown. */
#define ANY(object) __CPROVER_havoc_object(&(object))

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

#endif
