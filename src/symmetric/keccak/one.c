/* The scheduler of the small build, in place of lanes.c, queue.c and blocks.c: one state, in which one job runs after the
 * other. A job begins when its leaders are complete; those of later stages wait for their stage. Messages are added to the
 * state where it lies, and outputs are read there, so that no block has memory of its own.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "shared/ct.h"
#include "symmetric/keccak/functions.h"
#include "symmetric/keccak/lanes.h"

/* The memory, from lk_lanes_take. The kernels have one lane. */
typedef struct {
    union {
        uint64_t words[LK_KECCAK_WORDS];
        uint8_t bytes[8 * LK_KECCAK_WORDS]; /* little-endian words, but while they are permuted */
    } state;
    lk_job *waiting;   /* the jobs that have no leaders any more, linked */
    uint32_t done;     /* the measure of jobs, as far as they are done, if all kernels ran */
    uint32_t permuted; /* 1 between the permutation before a block and the block that is given, else 0 */
    uint8_t stage;     /* the present one */
    uint8_t rate, at;  /* of the message: how many bytes of a block have come */
} one;

void *lk_lanes_take(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    (void)kernels;
    return lk_take(arena, sizeof(one));
}

/* ---- Messages ---- */

/* Brings the words into the machine's byte order, or back; compilers drop it where that is the little-endian one. */
static void swap(one *o)
{
    const uint16_t first = 1;
    if (*(const uint8_t *)&first) return;
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) o->state.words[w] = lk_load64_le(o->state.bytes + 8 * w);
}

static void permute(const lk_keccak_kernels *kernels, one *o)
{
    swap(o);
    o->permuted = (uint32_t)kernels->permute(o->state.words, 1);
    o->done += o->permuted - 1;
    swap(o);
}

/* Reads the next bytes of the message; a block that is full is permuted. */
static void absorb(const lk_keccak_kernels *kernels, one *o, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        o->state.bytes[o->at++] ^= bytes[i];
        if (o->at < o->rate) continue;
        permute(kernels, o);
        o->at = 0;
    }
}

static void pad(const lk_keccak_kernels *kernels, one *o, uint8_t suffix)
{
    o->state.bytes[o->at] ^= suffix;
    o->state.bytes[o->rate - 1] ^= 0x80;
    permute(kernels, o);
}

/* ---- Outputs ---- */

/* Copies what the job still wants of the next block of its stream. The barrier keeps the loop from becoming a call, and i
 * from being known behind it. The bytes counted are those between the output's address, read again, and the place that the
 * copy came to. Returns 1 if the job is complete. */
static int copy(one *o, const lk_job *job, lk_sink_state *to)
{
    const size_t left = job->out_len - to->have, bytes = left < o->rate ? left : o->rate;
    uint8_t *out = (uint8_t *)to->out + to->have;
    size_t i = 0;
    while (i < bytes) {
        out[i] = o->state.bytes[i];
        i = lk_barrier_size(i + 1);
    }
    o->done += (uint32_t)((size_t)(out + i - (uint8_t *)to->out) - to->have);
    to->have += bytes;
    return to->have == job->out_len;
}

/* Gives the next block of the stream, and counts the permutation before it. Returns 1 if the job is complete. */
static int give(one *o, const lk_job *job, lk_sink_state *to)
{
    const int complete = job->sink ? job->sink->block(to, o->state.bytes, o->rate) : copy(o, job, to);
    o->done += o->permuted - 1;
    o->permuted = 0;
    return complete;
}

/* ---- Jobs ---- */

/* Runs a computation, or a job's next stream. */
static void run_part(const lk_keccak_kernels *kernels, one *o, lk_job *job)
{
    const lk_function f = lk_keccak_functions[job->hash];
    const int is_stream = job->streams > 0, squeezes = job->flags & LK_JOB_RESUMES && job->body_len == 0;
    const unsigned number = is_stream ? job->nonces[job->begun] : 0;
    const uint8_t nonce[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
    lk_sink_state to = lk_job_begin(job);
    if (!is_stream) o->done += lk_job_astray(job, &to);
    o->rate = f.rate;
    o->at = 0;
    if (job->flags & LK_JOB_RESUMES)
        memcpy(&o->state, job->saved_state, sizeof o->state);
    else
        memset(&o->state, 0, sizeof o->state);
    absorb(kernels, o, is_stream ? job->body : job->head, is_stream ? 32 : job->head_len);
    absorb(kernels, o, is_stream ? nonce : job->body, is_stream ? job->head_len : job->body_len);
    o->permuted = 0;
    if (squeezes)
        permute(kernels, o);
    else if (!lk_stays_open(job))
        pad(kernels, o, f.suffix);
    if (job->sink || job->out_len > 0)
        while (!give(o, job, &to)) permute(kernels, o);
    if (job->flags & LK_JOB_GOES_ON) memcpy(job->saved_state, &o->state, sizeof o->state);
    o->done++;
}

static void enqueue(one *o, lk_job *job)
{
    job->next = o->waiting;
    o->waiting = job;
}

/* Runs a job. If it has run before, the sum of what is done is another than that of the jobs. */
static void run_job(const lk_keccak_kernels *kernels, one *o, lk_job *job)
{
    o->done += job->leaders;
    job->leaders = LK_JOB_HAS_RUN;
    do run_part(kernels, o, job);
    while (job->begun < job->streams);
    for (size_t i = 0; i < job->follower_count; i++) {
        lk_job *f = &job->followers[i];
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
