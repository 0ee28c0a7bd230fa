/* Runs hash jobs, stage by stage. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_RUN_H
#define LK_SYMMETRIC_RUN_H

#include "base/workspace.h"
#include "symmetric/job.h"

/* Runs the jobs of one family: Keccak in lanes, SHA-2 and AES one after the other. One of the memories is NULL, so that a
 * processor that guesses the family wrongly finds nothing there. The other holds secrets afterwards. */
typedef struct {
    const lk_symmetric *kernels;
    void *lanes;
    void *serial;
} lk_run;

/* lk_run_take returns what runs jobs of the family of hash on these kernels, with memory from the arena. */
lk_run lk_run_take(lk_arena *arena, const lk_symmetric *kernels, lk_hash hash);

/* lk_run_begin makes it ready, in the first stage. */
void lk_run_begin(const lk_run *run);

/* lk_run_add makes n independent jobs a part of the stage that each names; followers wait for their leaders. The
 * scheduler decides their order: the longest first, for which its followers count (keccak/lanes.h). Jobs of later
 * stages come behind all others, in their order: they are added in one call, by stage. Jobs stay where they are and are
 * changed until they are complete. */
void lk_run_add(const lk_run *run, lk_job *jobs, size_t n);

/* lk_run_stage runs jobs until all of the present stage are complete, with their followers, and ends the stage. Those
 * of later stages may be on their way then. A sink sees its stream in order, in blocks of the rate (Keccak) or in
 * pieces with a length that is a multiple of 3 and of 64 (AES). Returns 1 if there were jobs of later stages, which
 * stay where they are, else 0. */
int lk_run_stage(const lk_run *run);

/* lk_run_done returns what has been done since lk_run_begin, in the measure of jobs. */
uint32_t lk_run_done(const lk_run *run);

#endif
