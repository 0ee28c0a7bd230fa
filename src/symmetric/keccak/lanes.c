/* The lane scheduler: which job runs in which lane, and how many lanes are used.
 *
 * Lanes 0 to used - 1 have jobs. They run until jobs are complete. Then their lanes are vacant and take the next jobs of
 * the queue. When no jobs wait, the last lane moves into the gap, so that the backend can use a narrower permutation;
 * when followers come up, lanes are added again.
 *
 * While a long job runs, other jobs can share few lanes. If using fewer lanes is faster per call ("narrow" lanes), a job
 * starts in a further ("wide") lane only if the narrow lanes could not finish it in time. The plan has the numbers for
 * this. SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/keccak/lanes.h"

#include "shared/ct.h"
#include "symmetric/keccak/scheduler.h"

/* Estimates from the lengths of jobs, for backends with narrow lanes. In each step until last_end the narrow lanes run
 * kernels->narrow permutations. If these, and those of the jobs in wide lanes, are as many as are ahead, no wide lane
 * begins a job. */
typedef struct {
    uint32_t ahead;    /* permutations that the jobs still need in all */
    uint32_t last_end; /* the step at which the longest job of all lanes so far is complete */
    uint32_t provided; /* permutations of the narrow lanes until last_end, and of the jobs in wide lanes */
} lane_plan;

/* The scheduler's memory, from lk_lanes_take. */
typedef struct {
    lk_blocks blocks;
    lk_queue queue;
    lane_plan plan;
    uint32_t leading; /* lanes with jobs that have followers or a later part */
    uint32_t vacant;  /* lanes with complete jobs */
    uint8_t used;     /* lanes */
} group;

static group *carve(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    group counted, *taken = lk_take(arena, sizeof(group)), *g = taken ? taken : &counted;
    lk_blocks *b = &g->blocks;
    b->states = lk_take(arena, kernels->lanes * LK_KECCAK_WORDS * sizeof(uint64_t));
    b->lanes = lk_take(arena, kernels->lanes * sizeof(lk_lane));
    b->blocks = lk_take(arena, kernels->lanes * sizeof(lk_block));
    b->sampled = lk_take(arena, kernels->lanes * sizeof(lk_block));
    return taken;
}

void *lk_lanes_take(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    return carve(arena, kernels);
}

/* ---- The plan ---- */

/* Whether it takes the slower permutation to use lane i. */
static int is_wide(const lk_keccak_kernels *kernels, size_t i)
{
    return kernels->narrow > 0 && i >= kernels->narrow;
}

static uint32_t less(uint32_t count, uint32_t done)
{
    return count > done ? count - done : 0;
}

/* Steps until the longest job in a lane is complete, about. */
static uint32_t longest(const group *g)
{
    return less(g->plan.last_end, g->blocks.steps);
}

/* Computes provided anew, after lanes have become vacant. */
static void provide(const lk_keccak_kernels *kernels, group *g)
{
    uint32_t provided = (uint32_t)kernels->narrow * longest(g);
    for (size_t i = kernels->narrow; i < g->used; i++)
        if (!lk_has_lane(g->vacant, i)) provided += less(g->blocks.lanes[i].end, g->blocks.steps);
    g->plan.provided = provided;
}

/* Counts the job, or the stream, that begins in lane i. */
static inline void expect(const lk_keccak_kernels *kernels, group *g, size_t i)
{
    lk_lane *l = &g->blocks.lanes[i];
    const uint32_t longest_before = longest(g);
    l->end = g->blocks.steps + l->job->permutations;
    if (l->end > g->plan.last_end) g->plan.last_end = l->end;
    g->plan.provided += (uint32_t)kernels->narrow * (longest(g) - longest_before);
    if (is_wide(kernels, i)) g->plan.provided += l->job->permutations;
}

/* ---- Which lane is next, and which job ---- */

/* The next lane from i on that is in no set of lanes, or kernels->lanes if there is none, or if those in use are enough. */
static inline size_t free_lane(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    if (g->vacant)
        while (!lk_has_lane(g->vacant, i)) i++;
    else
        i = g->used;
    return is_wide(kernels, i) && g->plan.ahead <= g->plan.provided ? kernels->lanes : i;
}

/* Returns the link to lane i's next job: the head of the list, or in a wide lane the first of the shortest jobs, so
 * that the lane is freed early. If half of the wide lanes or more will be busy until the longest job ends anyway, a
 * wide lane takes the head too. */
static lk_job **job_for(const lk_keccak_kernels *kernels, group *g, size_t i)
{
    if (!is_wide(kernels, i) || 2 * g->plan.ahead >= (kernels->narrow + kernels->lanes) * longest(g))
        return &g->queue.waiting;
    return lk_queue_shortest(&g->queue);
}

/* ---- A job begins in a lane, and moves to another ---- */

/* Copies 25 words between strided arrays. Five words a turn, which compilers unroll. */
static void copy_state(uint64_t *to, size_t to_stride, const uint64_t *from, size_t from_stride)
{
    for (size_t row = 0; row < 5; row++, to += 5 * to_stride, from += 5 * from_stride)
        for (size_t i = 0; i < 5; i++) to[i * to_stride] = from[i * from_stride];
}

/* Lane i begins with the state that an earlier part left. */
static void resume(const lk_keccak_kernels *kernels, const lk_blocks *b, size_t i)
{
    copy_state(b->states + i, kernels->lanes, b->lanes[i].job->saved_state, 1);
}

static void keep(const lk_keccak_kernels *kernels, const lk_blocks *b, size_t i)
{
    copy_state(b->lanes[i].job->saved_state, 1, b->states + i, kernels->lanes);
}

/* The first lanes with a sink that reads interleaved states make it the group's; others of the same kind join. */
static void join_sink(lk_blocks *b, uint32_t lanes, const lk_job *job)
{
    const size_t rate = lk_keccak_functions[job->hash].rate;
    if (!job->sink || !job->sink->lanes) return;
    if (b->sinking == 0) {
        b->sink = job->sink;
        b->sink_rate = rate;
    }
    if (job->sink == b->sink && rate == b->sink_rate) b->sinking |= lanes;
}

/* A free lane begins a job, or one of its streams. */
static inline void take_lane(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    lk_lane *l = &g->blocks.lanes[i];
    l->job = job;
    l->to = lk_job_begin(job);
    l->f = lk_keccak_functions[job->hash];
    g->vacant &= ~lk_lane_bit(i);
    if (i == g->used) g->used++;
    if (kernels->narrow > 0) expect(kernels, g, i);
}

/* Lane i, which is free, begins a job that is one computation. */
static void start(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    lk_blocks *b = &g->blocks;
    take_lane(kernels, g, i, job);
    b->done += lk_job_astray(job, &b->lanes[i].to);
    b->lanes[i].at = 0;
    b->lanes[i].head_left = job->head_len;
    if (job->follower_count > 0 || job->flags & LK_JOB_GOES_ON) g->leading |= lk_lane_bit(i);
    join_sink(b, lk_lane_bit(i), job);
    if (job->flags & LK_JOB_RESUMES) {
        resume(kernels, b, i);
        if (job->body_len > 0) b->reading |= lk_lane_bit(i);
        return;
    }
    b->reading |= lk_lane_bit(i);
    b->fresh |= lk_lane_bit(i);
}

/* Lane i, which is free, begins the next stream of a job, and other free lanes, wide if this is, those that follow. */
static void start_streams(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    const lk_function f = lk_keccak_functions[job->hash];
    const uint64_t suffix = (uint64_t)f.suffix << 8 * job->head_len;
    const size_t end = kernels->narrow > 0 && i < kernels->narrow ? kernels->narrow : kernels->lanes;
    uint64_t ends[LK_KECCAK_LANES_MAX] = {0};
    uint32_t lanes = 0;
    for (; i < end && job->begun < job->streams; i = free_lane(kernels, g, i)) {
        ends[i] = job->nonces[job->begun] | suffix;
        lanes |= lk_lane_bit(i);
        take_lane(kernels, g, i, job);
    }
    join_sink(&g->blocks, lanes, job);
    kernels->absorb_seed(g->blocks.states, lanes, job->body, ends, f.rate / 8 - 1u);
}

/* Lane from, the last one, takes the place of lane to, because lane to has completed its job. */
static void move_lane(const lk_keccak_kernels *kernels, group *g, size_t to, size_t from)
{
    lk_blocks *b = &g->blocks;
    b->lanes[to] = b->lanes[from];
    b->reading = (b->reading & ~lk_lane_bit(from)) | (b->reading >> from & 1) << to;
    b->sinking = (b->sinking & ~lk_lane_bit(from)) | (b->sinking >> from & 1) << to;
    g->leading = (g->leading & ~lk_lane_bit(from)) | (g->leading >> from & 1) << to;
    copy_state(b->states + to, kernels->lanes, b->states + from, kernels->lanes);
}

/* The last lanes take the places of those that are vacant. */
static void close_gaps(const lk_keccak_kernels *kernels, group *g)
{
    for (size_t i = 0; g->vacant >> i != 0; i++) {
        if (!lk_has_lane(g->vacant, i)) continue;
        while (g->used > i && lk_has_lane(g->vacant, g->used - 1)) g->vacant &= ~lk_lane_bit(--g->used);
        if (g->used > i) move_lane(kernels, g, i, --g->used);
    }
    g->vacant = 0;
}

/* Fills vacant lanes, and adds lanes, with the jobs that can begin. */
static void refill(const lk_keccak_kernels *kernels, group *g)
{
    size_t i = 0;
    if (kernels->narrow > 0) provide(kernels, g);
    while ((i = free_lane(kernels, g, i)) < kernels->lanes) {
        lk_job **at = job_for(kernels, g, i), *job = *at;
        if (!job) break;
        i = lk_below(i, kernels->lanes);
        if (job->streams > 0)
            start_streams(kernels, g, i, job);
        else
            start(kernels, g, i, job);
        if (job->begun == job->streams) *at = job->next;
    }
    if (g->vacant) close_gaps(kernels, g);
}

/* ---- Steps and stages ---- */

/* Keeps the states of parts and lets followers begin. */
static void end_jobs(const lk_keccak_kernels *kernels, group *g, uint32_t lanes)
{
    for (size_t i = 0; lanes >> i != 0; i++) {
        const lk_job *job = g->blocks.lanes[i].job;
        if (!lk_has_lane(lanes, i)) continue;
        if (job->flags & LK_JOB_GOES_ON) keep(kernels, &g->blocks, i);
        if (job->follower_count > 0) lk_queue_follow(kernels, &g->queue, job);
    }
    g->leading &= ~lanes;
}

/* Runs the lanes until some are vacant. */
static void run(const lk_keccak_kernels *kernels, group *g)
{
    const uint32_t before = g->blocks.steps;
    g->vacant = lk_blocks_run(kernels, &g->blocks, g->used);
    g->plan.ahead = less(g->plan.ahead, (g->blocks.steps - before) * g->used);
    if (g->vacant & g->leading) end_jobs(kernels, g, g->vacant & g->leading);
}

static uint32_t number_of(uint32_t lanes)
{
    uint32_t n = 0;
    for (; lanes != 0; lanes &= lanes - 1) n++;
    return n;
}

/* Whether a job of the present stage waits or is in a lane. */
static int pending(const group *g)
{
    const lk_queue *queue = &g->queue;
    const uint32_t busy = (lk_lane_bit(g->used) - 1) & ~g->vacant;
    if (queue->stage >= queue->latest || lk_queue_is_present(queue)) return 1;
    for (size_t i = 0; busy >> i != 0; i++)
        if (lk_has_lane(busy, i) && g->blocks.lanes[i].job->stage <= queue->stage) return 1;
    return 0;
}

void lk_lanes_begin(const lk_keccak_kernels *kernels, void *scratch)
{
    lk_arena arena = {scratch, 0};
    group *g = carve(&arena, kernels);
    g->blocks.reading = g->blocks.fresh = g->blocks.sinking = 0;
    g->blocks.done = g->blocks.steps = 0;
    for (size_t i = 0; i < kernels->lanes; i++) g->blocks.to[i] = &g->blocks.lanes[i].to;
    g->queue.waiting = NULL;
    g->queue.stage = g->queue.latest = 0;
    g->plan.ahead = g->plan.last_end = 0;
    g->used = 0;
    g->leading = g->vacant = 0;
}

void lk_lanes_add(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch)
{
    group *g = scratch;
    g->plan.ahead += lk_queue_add(kernels, &g->queue, jobs, n);
}

uint32_t lk_lanes_done(const void *scratch)
{
    return ((const group *)scratch)->blocks.done;
}

int lk_lanes_stage(const lk_keccak_kernels *kernels, void *scratch)
{
    group *g = scratch;
    while (pending(g)) {
        refill(kernels, g);
        if (g->used == 0) break;
        run(kernels, g);
        g->blocks.done += number_of(g->vacant);
    }
    return g->queue.stage++ < g->queue.latest;
}
