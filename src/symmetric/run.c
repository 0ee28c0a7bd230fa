/* Which jobs run in lanes. SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/run.h"

#include "base/families.h"
#include "symmetric/keccak/lanes.h"
#include "symmetric/serial.h"

/* 1 in all cases where the build has no other hashes, which lets the compiler drop what runs them. */
static int is_keccak(lk_hash hash)
{
    return !LK_HAS_90S || hash <= LK_SHAKE256;
}

static int in_lanes(const lk_run *run)
{
    return !LK_HAS_90S || run->lanes;
}

lk_run lk_run_take(lk_arena *arena, const lk_symmetric *kernels, lk_hash hash)
{
    lk_run run = {kernels, NULL, NULL};
    if (is_keccak(hash))
        run.lanes = lk_lanes_take(arena, kernels->keccak);
    else
        run.serial = lk_serial_take(arena);
    return run;
}

void lk_run_begin(const lk_run *run)
{
    if (in_lanes(run))
        lk_lanes_begin(run->kernels->keccak, run->lanes);
    else
        lk_serial_begin(run->serial);
}

void lk_run_add(const lk_run *run, lk_job *jobs, size_t n)
{
    if (in_lanes(run))
        lk_lanes_add(run->kernels->keccak, jobs, n, run->lanes);
    else
        lk_serial_run(run->kernels, jobs, n, run->serial);
}

uint32_t lk_run_done(const lk_run *run)
{
    return in_lanes(run) ? lk_lanes_done(run->lanes) : lk_serial_done(run->serial);
}

int lk_run_stage(const lk_run *run)
{
    return in_lanes(run) ? lk_lanes_stage(run->kernels->keccak, run->lanes) : 0;
}
