/* The lane scheduler: runs Keccak jobs side by side. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_LANES_H
#define LK_SYMMETRIC_KECCAK_LANES_H

#include "base/workspace.h"
#include "symmetric/job.h"

/* lk_lanes_take takes the scheduler's memory for a group of kernels->lanes lanes from the arena. */
void *lk_lanes_take(lk_arena *arena, const lk_keccak_kernels *kernels);

/* lk_run_begin, lk_run_add, lk_run_stage and lk_run_done for SHA-3 and SHAKE jobs (symmetric/run.h). */
void lk_lanes_begin(const lk_keccak_kernels *kernels, void *scratch);
void lk_lanes_add(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch);
int lk_lanes_stage(const lk_keccak_kernels *kernels, void *scratch);
uint32_t lk_lanes_done(const void *scratch);

/* Jobs begin by rank, the highest first. Of the present stage that is the longest, by the bytes that they read and give:
 * below 1024 bytes a rank is 256 bytes. Each computation and stream that follows a job counts for 300 bytes, about two
 * permutations, which for all operations here leaves fewest lanes without work (tests/dispatch). */
enum { LK_RANK_LATER, LK_RANK_SHORTEST, LK_RANK_1024 = 5, LK_RANK_2048 };
enum { LK_FOLLOWER_BYTES = 300 };

static inline size_t lk_job_rank(const lk_job *job)
{
    const size_t bytes = job->body_len + job->out_len + LK_FOLLOWER_BYTES * (size_t)job->led;
    const size_t rank = LK_RANK_SHORTEST + bytes / 256;
    if (job->stage > 0) return LK_RANK_LATER;
    if (bytes >= 2048) return LK_RANK_2048;
    return bytes >= 1024 ? (size_t)LK_RANK_1024 : rank;
}

#endif
