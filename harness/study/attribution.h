/* Which function of the Saber document each timed call of an operation works for.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HARNESS_STUDY_ATTRIBUTION_H
#define LATKEM_HARNESS_STUDY_ATTRIBUTION_H

#include "saber.h"
#include "timed.h"

enum { LK_STUDY_OPERATION_CALLS_MAX = LK_STUDY_CALLS_MAX / 4 };

/* The calls of one operation, and the parts of each one's time that belong to each function: 1 in all. */
typedef struct {
    size_t count;
    uint32_t what[LK_STUDY_OPERATION_CALLS_MAX];
    float weights[LK_STUDY_OPERATION_CALLS_MAX][LK_STUDY_FUNCTIONS];
} lk_study_attribution;

/* lk_study_watch makes a copy of a timed backend that follows the hash computations of one operation that runs on it. */
void lk_study_watch(lk_study_timed *watched, const lk_study_timed *timed);

/* lk_study_attribute finds the functions of that operation's calls, which are in the log. Returns NULL, or what it did
 * not understand: nothing is guessed. */
const char *lk_study_attribute(lk_study_attribution *attribution, const latkem_kem *kem, size_t operation);

#endif
