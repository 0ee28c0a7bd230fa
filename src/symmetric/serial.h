/* Runs SHA-2 and AES jobs, one after the other: their kernels take many blocks a call. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef LK_SYMMETRIC_SERIAL_H
#define LK_SYMMETRIC_SERIAL_H

#include "base/workspace.h"
#include "symmetric/job.h"

/* lk_serial_take takes the memory from the arena, and lk_serial_begin makes it ready. */
void *lk_serial_take(lk_arena *arena);
void lk_serial_begin(void *scratch);

/* lk_serial_run runs n jobs, those that follow others when these are complete, whatever their stages. */
void lk_serial_run(const lk_symmetric *kernels, lk_job *jobs, size_t n, void *scratch);

/* lk_run_done for these jobs (symmetric/run.h). */
uint32_t lk_serial_done(const void *scratch);

#endif
