/* The lane scheduler's three parts, each with its own state:
 *
 * - queue.c: which jobs wait, and in which order they begin;
 * - lanes.c: which job runs in which lane, and how many lanes are used;
 * - blocks.c: how many bytes of its job each lane has absorbed and squeezed.
 *
 * lanes.c calls the other two when jobs come, begin or end. A call for each block of a lane would cost time.
 * Private to these files. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_SCHEDULER_H
#define LK_SYMMETRIC_KECCAK_SCHEDULER_H

#include "base/workspace.h"
#include "symmetric/keccak/functions.h"

/* A set of lanes is a bit mask. */
static inline uint32_t lk_lane_bit(size_t l)
{
    return (uint32_t)1 << l;
}

static inline int lk_has_lane(uint32_t lanes, size_t l)
{
    return lanes >> l & 1;
}

/* ---- queue.c ---- */

typedef struct {
    lk_job *waiting; /* the jobs that can begin, by rank, linked; one of streams stays until all of them have begun */
    uint8_t stage;   /* the present one */
    uint8_t latest;  /* the last stage of a job so far */
} lk_queue;

/* lk_queue_add lets n jobs wait, and those that follow none begin. Returns the permutations that all of them need,
 * about, or 0 if the backend has no narrow lanes. */
uint32_t lk_queue_add(const lk_keccak_kernels *kernels, lk_queue *queue, lk_job *jobs, size_t n);

/* lk_queue_follow lets the followers begin that waited for this job alone, those of a rank in their order. */
void lk_queue_follow(const lk_keccak_kernels *kernels, lk_queue *queue, const lk_job *leader);

/* lk_queue_is_present returns 1 if a job of the present stage waits, else 0. */
int lk_queue_is_present(const lk_queue *queue);

/* lk_queue_shortest returns the link to the first of the jobs that need the fewest permutations. */
lk_job **lk_queue_shortest(lk_queue *queue);

/* ---- blocks.c ---- */

/* A lane with a job. */
typedef struct {
    lk_job *job;
    size_t at;        /* bytes of the body that are absorbed */
    lk_sink_state to; /* the output's place; without a sink .have counts the bytes that .out has got */
    uint32_t end;     /* the step at which the job is thought to be complete: lanes.c computes and reads it */
    lk_function f;
    uint8_t head_left; /* bytes of the head that are not absorbed */
} lk_lane;

typedef struct {
    uint32_t done;    /* the measure of jobs, as far as they are done, if all kernels ran */
    uint64_t *states; /* of all lanes, interleaved */
    lk_lane *lanes;
    lk_block *blocks;    /* a lane's last or straddling input block, or an output block on its way */
    lk_block *sampled;   /* the same of a public stream on its way to a sink: nothing secret is here */
    const lk_sink *sink; /* the sink of the lanes in sinking, which reads interleaved states */
    size_t sink_rate;    /* the rate of the lanes in sinking */
    lk_sink_state *to[LK_KECCAK_LANES_MAX]; /* each lane's .to, for that sink */
    uint32_t reading;                       /* lanes that have not absorbed their whole message */
    uint32_t fresh;                         /* lanes that have not absorbed a block */
    uint32_t sinking;                       /* lanes with streams that go straight to .sink */
    uint32_t steps;                         /* of the run so far, each a permutation of all lanes in use */
} lk_blocks;

/* lk_blocks_run runs steps until a job is complete, and returns the lanes with complete jobs. A step absorbs a block into
 * every lane that still reads its message, permutes lanes 0 to used - 1, which all have a job, and squeezes a block from
 * every lane that has read its message. */
uint32_t lk_blocks_run(const lk_keccak_kernels *kernels, lk_blocks *b, size_t used);

#endif
