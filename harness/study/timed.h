/* A copy of a backend with timers on the kernels of Saber. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HARNESS_STUDY_TIMED_H
#define LATKEM_HARNESS_STUDY_TIMED_H

#include <stddef.h>
#include <stdint.h>

#include "arch/backend.h"

/* The timed functions: the kernels of two families, the random generator, and a kernel that does nothing. */
#define LK_STUDY_NUMBER(family, name, group) LK_STUDY_##family##_##name
enum { LK_NEGACYCLIC_LIST(LK_STUDY_NUMBER), LK_KECCAK_LIST(LK_STUDY_NUMBER), LK_STUDY_random, LK_STUDY_nothing };
#undef LK_STUDY_NUMBER

/* One timed call. Longer than 32 bits can say counts as the longest. */
typedef struct {
    uint32_t what, ticks;
} lk_study_call;

/* The calls since the log was cleared, in the order in which they ended. Those past the end are counted, not kept. */
enum { LK_STUDY_CALLS_MAX = 8192 };
typedef struct {
    size_t count;
    lk_study_call calls[LK_STUDY_CALLS_MAX];
} lk_study_call_log;
extern lk_study_call_log lk_study_log;

uint64_t lk_study_ticks(void);

/* lk_study_span returns the ticks since start. */
uint32_t lk_study_span(uint64_t start);

/* The copy, and the tables that it points to. */
typedef struct {
    lk_backend backend;
    lk_negacyclic_kernels negacyclic;
    lk_keccak_kernels keccak;
} lk_study_timed;

/* lk_study_time makes the copy of a backend, one at a time. */
void lk_study_time(lk_study_timed *copy, const lk_backend *original);

/* lk_study_random is latkem_system_rng with a timer; lk_study_nothing a kernel that does nothing,
 * lk_study_timed_nothing it with a timer. */
int lk_study_random(void *ctx, uint8_t *out, size_t len);
void lk_study_nothing(void);
void lk_study_timed_nothing(void);

#endif
