/* The lane scheduler.
 *
 * Each step of the loop absorbs one block into every lane that still reads its message, permutes all lanes at once, and
 * squeezes one block from every lane that has read its message; a lane whose job is complete takes the next job. When no
 * jobs wait, the last lane moves into the gap, so that the backend can use a narrower permutation; when followers come up,
 * lanes are added again.
 *
 * A permutation takes some hundred nanoseconds for all lanes together, so a lane's bookkeeping has a few for each step:
 * what does not change from step to step is kept ready, and sets of lanes are bit masks.
 * SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/keccak/lanes.h"

#include <string.h>

/* FIPS 202 section 6: the rate in bytes and the suffix with the first bit of the padding. */
static const struct {
    uint8_t rate, suffix;
} functions[] = {
    [LK_SHA3_256] = {136, 0x06},
    [LK_SHA3_512] = {72, 0x06},
    [LK_SHAKE128] = {168, 0x1F},
    [LK_SHAKE256] = {136, 0x1F},
};

typedef struct {
    lk_job *job;
    size_t left;  /* bytes of the body that are not absorbed yet */
    size_t given; /* output bytes given */
    uint8_t head_left, rate;
} lane;

/* The jobs that can begin: what follows jobs that are complete, which are linked, then [next, end). */
typedef struct {
    lk_job *complete;
    lk_job *next;
    const lk_job *end;
} queue;

typedef uint8_t block[LK_KECCAK_RATE_MAX + 8]; /* a block and the rest of its last word */

typedef struct {
    uint64_t *states;
    lane *lanes;
    block *blocks; /* a lane's last or straddling input block, or the output block that waits for its sink */
    size_t used;
    uint32_t reading; /* lanes that have not absorbed their whole message */
    uint32_t fresh;   /* lanes that have not absorbed a block */
} group;

static group carve(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    group g = {0};
    g.states = lk_take(arena, kernels->lanes * LK_KECCAK_WORDS * sizeof(uint64_t));
    g.lanes = lk_take(arena, kernels->lanes * sizeof(lane));
    g.blocks = lk_take(arena, kernels->lanes * sizeof(block));
    return g;
}

void *lk_keccak_scratch(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    return carve(arena, kernels).states;
}

static uint32_t bit(size_t l)
{
    return (uint32_t)1 << l;
}

static int has(uint32_t lanes, size_t l)
{
    return lanes >> l & 1;
}

/* The next job that can begin, or NULL. */
static lk_job *next_job(queue *waiting)
{
    lk_job *before = waiting->complete;
    if (!before) return waiting->next < waiting->end ? waiting->next++ : NULL;
    if (--before->follower_count == 0) waiting->complete = before->link;
    return before->followers++;
}

/* Lane i begins with the state that an earlier part left. */
static void resume(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) g->states[w * kernels->lanes + i] = g->lanes[i].job->kept[w];
}

static void keep(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) g->lanes[i].job->kept[w] = g->states[w * kernels->lanes + i];
}

static void start(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    lane *l = &g->lanes[i];
    lk_job_begin(job);
    l->job = job;
    l->left = job->body_len;
    l->given = 0;
    l->head_left = job->head_len;
    l->rate = functions[job->hash].rate;
    if (job->part & LK_PART_RESUMES) {
        resume(kernels, g, i);
        if (job->body_len > 0) g->reading |= bit(i);
        return;
    }
    g->reading |= bit(i);
    g->fresh |= bit(i);
}

/* Whether the job reads whole blocks and leaves the end of the message to a later part. */
static int stays_open(const lk_job *job)
{
    return job->part & LK_PART_GOES_ON && job->out_len == 0;
}

/* Puts the suffix behind the last bytes of the message; returns the words, that with the suffix included. */
static uint8_t close_message(const lk_job *job, uint8_t *last, size_t filled)
{
    memset(last + filled, 0, 8);
    last[filled] = functions[job->hash].suffix;
    return (uint8_t)(filled / 8 + 1);
}

/* The next message block of lane i and its words: in place where it is a head alone or lies whole in the body, else assembled
 * in the lane's block. Sets the lane's bit in *read if the message, or the job's part of it, ends with it. */
static const uint8_t *next_block(group *g, size_t i, uint8_t *words, uint32_t *read)
{
    lane *l = &g->lanes[i];
    const lk_job *job = l->job;
    const size_t head = l->head_left, room = l->rate - head, take = l->left < room ? l->left : room;
    const uint8_t *body = take > 0 ? job->body + (job->body_len - l->left) : NULL;
    uint8_t *assembled = take > 0 ? g->blocks[i] : l->job->head;
    l->head_left = 0;
    l->left -= take;
    *words = l->rate / 8;
    if (l->left == 0 && stays_open(job)) *read |= bit(i);
    if (take == room && head == 0) return body;
    if (take > 0) {
        memcpy(assembled, job->head, LK_JOB_HEAD_MAX);
        memcpy(assembled + head, body, take);
    }
    if (take == room) return assembled;
    *words = close_message(job, assembled, head + take);
    *read |= bit(i);
    return assembled;
}

/* The last bit of the padding, at the end of the block whose other words are zero, goes straight into the state. */
static void pad(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    if (stays_open(g->lanes[i].job)) return;
    g->states[(g->lanes[i].rate / 8 - 1u) * kernels->lanes + i] ^= (uint64_t)1 << 63;
}

static void absorb_step(const lk_keccak_kernels *kernels, group *g)
{
    const uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[LK_KECCAK_LANES_MAX] = {0};
    uint32_t read = 0;
    if (g->reading == 0) return;
    for (size_t i = 0; i < g->used; i++) {
        if (!has(g->reading, i)) continue;
        blocks[i] = next_block(g, i, &words[i], &read);
    }
    kernels->absorb(g->states, blocks, words, g->fresh);
    g->fresh = 0;
    g->reading &= ~read;
    for (size_t i = 0; read >> i != 0; i++)
        if (has(read, i)) pad(kernels, g, i);
}

/* Bytes that the lane's next output block gives its job, at most the rate. */
static size_t output_ahead(const lane *l)
{
    if (l->job->sink) return l->rate;
    return l->job->out_len - l->given < l->rate ? l->job->out_len - l->given : l->rate;
}

/* Squeezes the next block of every lane in mask: whole words straight to the job's output, all else to g->blocks. */
static void squeeze_blocks(const lk_keccak_kernels *kernels, group *g, uint32_t mask)
{
    uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[LK_KECCAK_LANES_MAX] = {0};
    for (size_t i = 0; i < g->used; i++) {
        if (!has(mask, i)) continue;
        const lane *l = &g->lanes[i];
        const size_t ahead = output_ahead(l);
        const int direct = !l->job->sink && ahead % 8 == 0;
        blocks[i] = direct ? l->job->out + l->given : g->blocks[i];
        words[i] = (uint8_t)((ahead + 7) / 8);
    }
    kernels->squeeze(blocks, g->states, words);
}

/* Takes the squeezed block of lane i to where it belongs; returns 1 if its job is complete. */
static int deliver(group *g, size_t i)
{
    lane *l = &g->lanes[i];
    const size_t ahead = output_ahead(l);
    if (l->job->sink) return l->job->sink->block(&l->job->state, g->blocks[i], ahead);
    if (ahead % 8 != 0) memcpy(l->job->out + l->given, g->blocks[i], ahead);
    l->given += ahead;
    return l->given == l->job->out_len;
}

/* Gives the blocks of all lanes in mask with the sink and rate of lane first to that sink, which reads interleaved states.
 * Removes them from *mask; returns those that are complete. */
static uint32_t deliver_interleaved(const lk_keccak_kernels *kernels, const group *g, size_t first, uint32_t *mask)
{
    const lk_sink *sink = g->lanes[first].job->sink;
    const uint8_t rate = g->lanes[first].rate;
    lk_sink_state *states[LK_KECCAK_LANES_MAX] = {NULL};
    uint32_t same = 0;
    for (size_t i = first; i < g->used; i++) {
        const lane *l = &g->lanes[i];
        if (!has(*mask, i) || l->job->sink != sink || l->rate != rate) continue;
        states[i] = &l->job->state;
        same |= bit(i);
    }
    *mask &= ~same;
    return sink->lanes(states, same, g->states, kernels->lanes, rate);
}

/* Gives one output block to every lane that has read its message; returns the lanes whose jobs are complete. */
static uint32_t squeeze_step(const lk_keccak_kernels *kernels, group *g)
{
    uint32_t mask = (bit(g->used) - 1) & ~g->reading, complete = 0;
    for (size_t i = 0; mask >> i != 0; i++) {
        const lk_sink *sink = g->lanes[i].job->sink;
        if (has(mask, i) && sink && sink->lanes) complete |= deliver_interleaved(kernels, g, i, &mask);
    }
    if (mask == 0) return complete;
    squeeze_blocks(kernels, g, mask);
    for (size_t i = 0; i < g->used; i++)
        if (has(mask, i)) complete |= (uint32_t)deliver(g, i) << i;
    return complete;
}

/* Lane from, the last one, takes the place of lane to, whose job is complete. */
static void move_lane(const lk_keccak_kernels *kernels, group *g, size_t to, size_t from)
{
    g->lanes[to] = g->lanes[from];
    g->reading |= (g->reading >> from & 1) << to;
    g->reading &= ~bit(from);
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++)
        g->states[w * kernels->lanes + to] = g->states[w * kernels->lanes + from];
}

static void add_lanes(const lk_keccak_kernels *kernels, group *g, queue *waiting)
{
    lk_job *job;
    while (g->used < kernels->lanes && (job = next_job(waiting))) start(kernels, g, g->used++, job);
}

/* Keeps the states of parts and lets followers begin. */
static void end_jobs(const lk_keccak_kernels *kernels, const group *g, uint32_t complete, queue *waiting)
{
    for (size_t i = 0; complete >> i != 0; i++) {
        lk_job *job = g->lanes[i].job;
        if (!has(complete, i)) continue;
        if (job->part & LK_PART_GOES_ON) keep(kernels, g, i);
        if (job->follower_count == 0) continue;
        job->link = waiting->complete;
        waiting->complete = job;
    }
}

/* Fills the lanes whose jobs are complete: with the jobs that wait, then with the last lanes. */
static void refill(const lk_keccak_kernels *kernels, group *g, uint32_t complete, queue *waiting)
{
    end_jobs(kernels, g, complete, waiting);
    for (size_t i = 0; complete >> i != 0; i++) {
        if (!has(complete, i)) continue;
        lk_job *job = next_job(waiting);
        if (job) {
            start(kernels, g, i, job);
            continue;
        }
        while (g->used > i && has(complete, g->used - 1)) complete &= ~bit(--g->used);
        if (g->used > i) move_lane(kernels, g, i, --g->used);
    }
    add_lanes(kernels, g, waiting);
}

void lk_keccak_run(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch)
{
    lk_arena arena = {scratch, 0};
    group g = carve(&arena, kernels);
    queue waiting = {NULL, jobs, jobs + n};
    add_lanes(kernels, &g, &waiting);
    while (g.used > 0) {
        absorb_step(kernels, &g);
        kernels->permute(g.states, g.used);
        const uint32_t complete = squeeze_step(kernels, &g);
        if (complete) refill(kernels, &g, complete, &waiting);
    }
}
