/* The scheduler of the small build, in place of lanes.c, queue.c and blocks.c: one state, in which one job runs after the
 * other. A job begins when its leaders are complete; those of later stages wait for their stage.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "symmetric/keccak/functions.h"
#include "symmetric/keccak/lanes.h"

/* The memory, from lk_lanes_take. The kernels have one lane. */
typedef struct {
    uint64_t state[LK_KECCAK_WORDS];
    lk_job *waiting; /* the jobs that have no leaders any more, linked */
    uint32_t done;   /* the measure of jobs, as far as they are done, if all kernels ran */
    uint8_t stage;   /* the present one */
    lk_block block;  /* of a message or an output, on its way */
} one;

void *lk_lanes_take(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    (void)kernels;
    return lk_take(arena, sizeof(one));
}

/* ---- Messages ---- */

static void permute(const lk_keccak_kernels *kernels, one *o)
{
    o->done += (uint32_t)(kernels->permute(o->state, 1) - 1);
}

static void absorb(const lk_keccak_kernels *kernels, one *o, const uint8_t *block, size_t words)
{
    const uint8_t count = (uint8_t)words;
    kernels->absorb(o->state, &block, &count, 0);
}

/* Reads head || body, in whole blocks, and the rest with the padding if no later part reads more. */
static void read_message(const lk_keccak_kernels *kernels, one *o, const lk_job *job)
{
    const lk_function f = lk_keccak_functions[job->hash];
    const uint8_t *body = job->body;
    size_t filled = job->head_len, left = job->body_len;
    memcpy(o->block, job->head, LK_JOB_HEAD_MAX);
    while (filled + left >= f.rate) {
        const size_t take = f.rate - filled;
        if (filled > 0) memcpy(o->block + filled, body, take);
        absorb(kernels, o, filled > 0 ? o->block : body, f.rate / 8);
        permute(kernels, o);
        body += take;
        left -= take;
        filled = 0;
    }
    if (lk_stays_open(job)) return;
    if (left > 0) memcpy(o->block + filled, body, left);
    absorb(kernels, o, o->block, lk_close_message(f.suffix, o->block, filled + left));
    o->state[f.rate / 8 - 1] ^= (uint64_t)1 << 63;
    permute(kernels, o);
}

/* ---- Outputs ---- */

/* Gives the next block of the stream, or what the job still wants of it. Returns 1 if the job is complete. */
static int give(const lk_keccak_kernels *kernels, one *o, const lk_job *job, lk_sink_state *to)
{
    const size_t rate = lk_keccak_functions[job->hash].rate, wanted = job->sink ? rate : job->out_len - to->have;
    const size_t bytes = wanted < rate ? wanted : rate;
    const uint8_t words = (uint8_t)((bytes + 7) / 8);
    uint8_t *block = o->block;
    o->done += (uint32_t)(kernels->squeeze(&block, o->state, &words) - words);
    if (job->sink) return job->sink->block(to, o->block, rate);
    memcpy((uint8_t *)to->out + to->have, o->block, bytes);
    o->done += (uint32_t)bytes;
    to->have += bytes;
    return to->have == job->out_len;
}

static void give_all(const lk_keccak_kernels *kernels, one *o, const lk_job *job, lk_sink_state *to)
{
    if (!job->sink && job->out_len == 0) return; /* a part that gives nothing */
    while (!give(kernels, o, job, to)) permute(kernels, o);
}

/* ---- Jobs ---- */

static void run_stream(const lk_keccak_kernels *kernels, one *o, lk_job *job)
{
    const lk_function f = lk_keccak_functions[job->hash];
    const uint64_t end = job->nonces[job->begun] | (uint64_t)f.suffix << 8 * job->head_len;
    lk_sink_state to = lk_job_begin(job);
    kernels->absorb_seed(o->state, 1, job->body, &end, f.rate / 8 - 1u);
    permute(kernels, o);
    give_all(kernels, o, job, &to);
    o->done++;
}

static void run_computation(const lk_keccak_kernels *kernels, one *o, lk_job *job)
{
    lk_sink_state to = lk_job_begin(job);
    o->done += lk_job_astray(job, &to);
    if (job->flags & LK_JOB_RESUMES)
        memcpy(o->state, job->saved_state, sizeof o->state);
    else
        memset(o->state, 0, sizeof o->state);
    if (job->flags & LK_JOB_RESUMES && job->body_len == 0)
        permute(kernels, o);
    else
        read_message(kernels, o, job);
    give_all(kernels, o, job, &to);
    if (job->flags & LK_JOB_GOES_ON) memcpy(job->saved_state, o->state, sizeof o->state);
    o->done++;
}

static void enqueue(one *o, lk_job *job)
{
    job->next = o->waiting;
    o->waiting = job;
}

static void run_job(const lk_keccak_kernels *kernels, one *o, lk_job *job)
{
    if (job->streams == 0) run_computation(kernels, o, job);
    while (job->begun < job->streams) run_stream(kernels, o, job);
    for (lk_job *f = job->followers; f < job->followers + job->follower_count; f++) {
        if (--f->leaders > 0) continue;
        f->stage = job->stage;
        enqueue(o, f);
    }
}

/* Takes a job of the present stage off the list; returns NULL if none waits. */
static lk_job *next_job(one *o)
{
    lk_job **at = &o->waiting;
    while (*at && (*at)->stage > o->stage) at = &(*at)->next;
    lk_job *job = *at;
    if (job) *at = job->next;
    return job;
}

void lk_lanes_begin(const lk_keccak_kernels *kernels, void *scratch)
{
    one *o = scratch;
    (void)kernels;
    o->waiting = NULL;
    o->done = 0;
    o->stage = 0;
}

void lk_lanes_add(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch)
{
    one *o = scratch;
    (void)kernels;
    while (n-- > 0) {
        if (jobs[n].leaders > 0) continue;
        jobs[n].stage = (uint8_t)(jobs[n].stage + o->stage);
        enqueue(o, &jobs[n]);
    }
}

uint32_t lk_lanes_done(const void *scratch)
{
    return ((const one *)scratch)->done;
}

int lk_lanes_stage(const lk_keccak_kernels *kernels, void *scratch)
{
    one *o = scratch;
    lk_job *job;
    while ((job = next_job(o))) run_job(kernels, o, job);
    o->stage++;
    return o->waiting != NULL;
}
