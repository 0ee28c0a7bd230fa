/* The lane scheduler: runs Keccak jobs side by side. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_LANES_H
#define LK_SYMMETRIC_KECCAK_LANES_H

#include "symmetric/job.h"

/* lk_keccak_scratch takes the scheduler's memory for a group of kernels->lanes lanes from the arena. */
void *lk_keccak_scratch(lk_arena *arena, const lk_keccak_kernels *kernels);

/* What lk_jobs_begin, lk_jobs_advance and lk_jobs_add do for SHA-3 and SHAKE jobs. */
void lk_keccak_begin(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch);
void lk_keccak_advance(const lk_keccak_kernels *kernels, const lk_job *end, const lk_job *also, void *scratch);
void lk_keccak_add(lk_job *job, void *scratch);

#endif
