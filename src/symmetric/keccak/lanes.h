/* The lane scheduler: runs Keccak jobs side by side. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_LANES_H
#define LK_SYMMETRIC_KECCAK_LANES_H

#include "symmetric/job.h"

/* lk_keccak_scratch takes the scheduler's memory for a group of kernels->lanes lanes from the arena. */
void *lk_keccak_scratch(lk_arena *arena, const lk_keccak_kernels *kernels);

/* lk_keccak_run runs n SHA-3 and SHAKE jobs. Contract as lk_jobs_run. */
void lk_keccak_run(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch);

#endif
