/* The lane scheduler.
 *
 * Each step of the loop absorbs one block into every lane that still reads its message, permutes all lanes at once, and
 * squeezes one block from every lane that has read its message. A lane with a complete job takes the next job. When
 * no jobs wait, the last lane moves into the gap, so that the backend can use a narrower permutation; when followers
 * come up, lanes are added again. While a long job runs, other jobs can share few lanes. If using fewer lanes is faster
 * per call ("narrow" lanes), a job starts in a further ("wide") lane only if the narrow lanes could not finish it in
 * time.
 *
 * A permutation takes some hundred nanoseconds for all lanes together, so a lane's bookkeeping has a few for each step.
 * Values that do not change from step to step are kept ready, and sets of lanes are bit masks. SPDX-License-Identifier:
 * Apache-2.0 */
#include "symmetric/keccak/lanes.h"

#include <string.h>

/* FIPS 202 section 6: the rate and the suffix with the first bit of the padding. */
typedef struct {
    uint8_t rate, suffix;
} function;

static const function functions[] = {
    [LK_SHA3_256] = {LK_SHA3_256_RATE, 0x06},
    [LK_SHA3_512] = {LK_SHA3_512_RATE, 0x06},
    [LK_SHAKE128] = {LK_SHAKE128_RATE, 0x1F},
    [LK_SHAKE256] = {LK_SHAKE256_RATE, 0x1F},
};

/* The whole blocks of the function's rate in so many bytes. */
static uint32_t whole_blocks(uint8_t hash, size_t bytes)
{
    static const uint32_t inverse[] = {
        [LK_SHA3_256] = LK_INVERSE(LK_SHA3_256_RATE),
        [LK_SHA3_512] = LK_INVERSE(LK_SHA3_512_RATE),
        [LK_SHAKE128] = LK_INVERSE(LK_SHAKE128_RATE),
        [LK_SHAKE256] = LK_INVERSE(LK_SHAKE256_RATE),
    };
    return (uint32_t)(bytes / 8) * inverse[hash] >> 20;
}

/* Permutations that a job, or each of its streams, takes, about: one for each block of the message, and one for each
 * block of output but the first. */
static uint32_t permutations(const lk_job *job)
{
    const uint32_t further = job->out_len > 0 ? whole_blocks(job->hash, job->out_len - 1) : 0;
    return 1 + whole_blocks(job->hash, job->head_len + job->body_len) + further;
}

typedef struct {
    lk_job *job;
    size_t at;        /* bytes of the body that are absorbed */
    lk_sink_state to; /* without a sink .have counts the bytes that .out has got */
    uint32_t end;     /* the step at which the job is thought to be complete */
    function f;
    uint8_t head_left;
} lane;

typedef uint8_t block[LK_KECCAK_RATE_MAX + 8]; /* a block and the rest of its last word */

/* The scheduler's memory, from lk_lanes_take. Bit l of a set of lanes is lane l. */
typedef struct {
    uint64_t *states;
    lane *lanes;
    block *blocks;         /* a lane's last or straddling input block, or the output block that waits for its sink */
    uint32_t reading;      /* lanes that have not absorbed their whole message */
    uint32_t fresh;        /* lanes that have not absorbed a block */
    uint32_t sinking;      /* lanes with streams that go straight to the one sink that reads interleaved states */
    uint32_t leading;      /* lanes with jobs that have followers or a later part */
    uint32_t vacant;       /* lanes with complete jobs */
    uint32_t done;         /* the measure of jobs, as far as they are done, if all kernels ran */
    uint8_t used;          /* lanes */
    uint8_t stage, latest; /* the present one, and the last that a job is of */
    uint32_t steps;        /* so far */
    uint32_t ahead;        /* permutations that the jobs still need in all, about */
    uint32_t last_end;     /* of all lanes so far */
    uint32_t provided;     /* permutations: see provide */
    const lk_sink *sink;
    size_t sink_rate;
    lk_sink_state *to[LK_KECCAK_LANES_MAX]; /* where the streams of lanes go */

    lk_job *waiting; /* the jobs that can begin, by rank, linked; one of streams stays until all of them have begun */
} group;

static group *carve(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    group counted, *taken = lk_take(arena, sizeof(group)), *g = taken ? taken : &counted;
    g->states = lk_take(arena, kernels->lanes * LK_KECCAK_WORDS * sizeof(uint64_t));
    g->lanes = lk_take(arena, kernels->lanes * sizeof(lane));
    g->blocks = lk_take(arena, kernels->lanes * sizeof(block));
    return taken;
}

void *lk_lanes_take(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    return carve(arena, kernels);
}

static uint32_t bit(size_t l)
{
    return (uint32_t)1 << l;
}

static int has(uint32_t lanes, size_t l)
{
    return lanes >> l & 1;
}

static lk_job *pop(lk_job **list)
{
    lk_job *first = *list;
    *list = first->next;
    return first;
}

static void push(lk_job **list, lk_job *job)
{
    job->next = *list;
    *list = job;
}

/* Before all jobs of its rank. */
static void insert(lk_job **list, lk_job *job)
{
    while (*list && (*list)->rank > job->rank) list = &(*list)->next;
    push(list, job);
}

/* Copies 25 words between strided arrays. Five words a turn, which compilers unroll. */
static void copy_state(uint64_t *to, size_t to_stride, const uint64_t *from, size_t from_stride)
{
    for (size_t row = 0; row < 5; row++, to += 5 * to_stride, from += 5 * from_stride)
        for (size_t i = 0; i < 5; i++) to[i * to_stride] = from[i * from_stride];
}

/* Lane i begins with the state that an earlier part left. */
static void resume(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    copy_state(g->states + i, kernels->lanes, g->lanes[i].job->saved_state, 1);
}

static void keep(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    copy_state(g->lanes[i].job->saved_state, 1, g->states + i, kernels->lanes);
}

/* Whether it takes the slower permutation to use lane i. */
static int is_wide(const lk_keccak_kernels *kernels, size_t i)
{
    return kernels->narrow > 0 && i >= kernels->narrow;
}

static uint32_t less(uint32_t count, uint32_t done)
{
    return count > done ? count - done : 0;
}

/* Permutations until the longest job in a lane is complete, about. */
static uint32_t longest(const group *g)
{
    return less(g->last_end, g->steps);
}

/* provided = permutations that the narrow lanes can still run before the longest job ends, plus those already started
 * in wide lanes. Wide lanes take jobs while there is more ahead. */
static void provide(const lk_keccak_kernels *kernels, group *g)
{
    g->provided = (uint32_t)kernels->narrow * longest(g);
    for (size_t i = kernels->narrow; i < g->used; i++)
        if (!has(g->vacant, i)) g->provided += less(g->lanes[i].end, g->steps);
}

/* The next lane from i on that is in no set of lanes, or kernels->lanes if there is none, or if those in use are enough. */
static inline size_t free_lane(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    if (g->vacant)
        while (!has(g->vacant, i)) i++;
    else
        i = g->used;
    return is_wide(kernels, i) && g->ahead <= g->provided ? kernels->lanes : i;
}

/* Returns the link to lane i's next job: the head of the list, or in a wide lane the first of the shortest jobs, so
 * that the lane is freed early. If half of the wide lanes or more will be busy until the longest job ends anyway, a
 * wide lane takes the head too. */
static lk_job **job_for(const lk_keccak_kernels *kernels, group *g, size_t i)
{
    lk_job **chosen = &g->waiting;
    if (!is_wide(kernels, i) || 2 * g->ahead >= (kernels->narrow + kernels->lanes) * longest(g)) return chosen;
    for (lk_job **at = chosen; *at; at = &(*at)->next)
        if ((*at)->permutations < (*chosen)->permutations) chosen = at;
    return chosen;
}

/* The first lanes with a sink that reads interleaved states make it the group's; others of the same kind join. */
static void join_sink(group *g, uint32_t lanes, const lk_job *job)
{
    const size_t rate = functions[job->hash].rate;
    if (!job->sink || !job->sink->lanes) return;
    if (g->sinking == 0) {
        g->sink = job->sink;
        g->sink_rate = rate;
    }
    if (job->sink == g->sink && rate == g->sink_rate) g->sinking |= lanes;
}

/* A free lane begins a job, or one of its streams. */
static inline void take_lane(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    lane *l = &g->lanes[i];
    l->job = job;
    l->to = lk_job_begin(job);
    l->f = functions[job->hash];
    g->vacant &= ~bit(i);
    if (i == g->used) g->used++;
    if (kernels->narrow == 0) return;
    const uint32_t longest_before = longest(g);
    l->end = g->steps + job->permutations;
    if (l->end > g->last_end) g->last_end = l->end;
    g->provided += (uint32_t)kernels->narrow * (longest(g) - longest_before);
    if (is_wide(kernels, i)) g->provided += job->permutations;
}

/* 0 if what a lane's computation gives goes where its job wants it, else another number: both addresses are read anew. */
static uint32_t astray(const lane *l)
{
    void *const volatile *to = &l->to.out;
    uint8_t *const volatile *out = &l->job->out;
    return (uint32_t)((uintptr_t)*to - (uintptr_t)*out);
}

/* Lane i, which is free, begins a job that is one computation. */
static void start(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    take_lane(kernels, g, i, job);
    g->done += astray(&g->lanes[i]);
    g->lanes[i].at = 0;
    g->lanes[i].head_left = job->head_len;
    if (job->follower_count > 0 || job->flags & LK_JOB_GOES_ON) g->leading |= bit(i);
    join_sink(g, bit(i), job);
    if (job->flags & LK_JOB_RESUMES) {
        resume(kernels, g, i);
        if (job->body_len > 0) g->reading |= bit(i);
        return;
    }
    g->reading |= bit(i);
    g->fresh |= bit(i);
}

/* Lane i, which is free, begins the next stream of a job, and other free lanes, wide if this is, those that follow. */
static void start_streams(const lk_keccak_kernels *kernels, group *g, size_t i, lk_job *job)
{
    const function f = functions[job->hash];
    const uint64_t suffix = (uint64_t)f.suffix << 8 * job->head_len;
    const size_t end = kernels->narrow > 0 && i < kernels->narrow ? kernels->narrow : kernels->lanes;
    uint64_t ends[LK_KECCAK_LANES_MAX] = {0};
    uint32_t lanes = 0;
    for (; i < end && job->begun < job->streams; i = free_lane(kernels, g, i)) {
        ends[i] = job->nonces[job->begun] | suffix;
        lanes |= bit(i);
        take_lane(kernels, g, i, job);
    }
    join_sink(g, lanes, job);
    kernels->absorb_seed(g->states, lanes, job->body, ends, f.rate / 8 - 1u);
}

/* Whether the job reads whole blocks and leaves the end of the message to a later part. */
static int stays_open(const lk_job *job)
{
    return job->flags & LK_JOB_GOES_ON && job->out_len == 0;
}

/* Puts the suffix behind the last bytes of the message; returns the words, that with the suffix included. */
static uint8_t close_message(uint8_t suffix, uint8_t *last, size_t filled)
{
    memset(last + filled, 0, 8);
    last[filled] = suffix;
    return (uint8_t)(filled / 8 + 1);
}

/* The next message block of lane i and its words: in place where it is a head alone or lies whole in the body, else
 * assembled in the lane's block. Sets the lane's bit in *read if the message, or the job's part of it, ends with it. */
static const uint8_t *next_block(group *g, size_t i, uint8_t *words, uint32_t *read)
{
    lane *l = &g->lanes[i];
    lk_job *job = l->job;
    const size_t head = l->head_left, room = l->f.rate - head, at = l->at, left = job->body_len - at;
    const size_t take = left < room ? left : room;
    uint8_t *assembled = job->head;
    *words = l->f.rate / 8;
    if (take > 0) {
        l->at = at + take;
        l->head_left = 0;
        if (take == left && stays_open(job)) *read |= bit(i);
        if (take == room && head == 0) return job->body + at;
        assembled = g->blocks[i];
        memcpy(assembled, job->head, LK_JOB_HEAD_MAX);
        memcpy(assembled + head, job->body + at, take);
        if (take == room) return assembled;
    }
    *words = close_message(l->f.suffix, assembled, head + take);
    *read |= bit(i);
    return assembled;
}

/* The last bit of the padding, at the end of a block with zeros in its other words, goes straight into the state. */
static void pad(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
    if (stays_open(g->lanes[i].job)) return;
    g->states[(g->lanes[i].f.rate / 8 - 1u) * kernels->lanes + i] ^= (uint64_t)1 << 63;
}

static void absorb_step(const lk_keccak_kernels *kernels, group *g)
{
    const uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[LK_KECCAK_LANES_MAX] = {0};
    uint32_t read = 0;
    if (g->reading == 0) return;
    for (size_t i = 0; g->reading >> i != 0; i++)
        if (has(g->reading, i)) blocks[i] = next_block(g, i, &words[i], &read);
    kernels->absorb(g->states, blocks, words, g->fresh);
    g->fresh = 0;
    g->reading &= ~read;
    for (size_t i = 0; read >> i != 0; i++)
        if (has(read, i)) pad(kernels, g, i);
}

/* Bytes that the lane's next output block gives its job, at most the rate. */
static size_t output_ahead(const lane *l)
{
    if (l->job->sink) return l->f.rate;
    return l->job->out_len - l->to.have < l->f.rate ? l->job->out_len - l->to.have : l->f.rate;
}

/* Counts bytes that are in place; returns 1 if the job is complete. */
static uint32_t give(lane *l, size_t bytes)
{
    l->to.have += bytes;
    return l->to.have == l->job->out_len;
}

/* The address for the next byte of a lane without a sink. */
static uint8_t *next_out(const lane *l)
{
    return (uint8_t *)l->to.out + l->to.have;
}

/* Takes the squeezed block of lane i to where it belongs; returns 1 if its job is complete. */
static uint32_t deliver(const group *g, size_t i)
{
    lane *l = &g->lanes[i];
    const size_t ahead = output_ahead(l);
    if (l->job->sink) return (uint32_t)l->job->sink->block(&l->to, g->blocks[i], ahead);
    memcpy(next_out(l), g->blocks[i], ahead);
    return give(l, ahead);
}

/* Squeezes the next block of every lane in mask: whole words straight to the job's output, all else by way of
 * g->blocks. Returns the lanes with complete jobs. */
static uint32_t squeeze_blocks(const lk_keccak_kernels *kernels, group *g, uint32_t mask)
{
    uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[LK_KECCAK_LANES_MAX] = {0};
    uint32_t complete = 0, indirect = 0;
    size_t given = 0; /* bytes for memory, less words for all */
    for (size_t i = 0; mask >> i != 0; i++) {
        if (!has(mask, i)) continue;
        lane *l = &g->lanes[i];
        const size_t ahead = output_ahead(l);
        const size_t needed = (ahead + 7) / 8;
        words[i] = (uint8_t)needed;
        given += (l->job->sink ? 0 : ahead) - needed;
        if (ahead == 0) { /* a part that gives nothing */
            complete |= bit(i);
        } else if (l->job->sink || ahead % 8 != 0) {
            blocks[i] = g->blocks[i];
            indirect |= bit(i);
        } else {
            blocks[i] = next_out(l);
            complete |= give(l, ahead) << i;
        }
    }
    g->done += (uint32_t)(given + kernels->squeeze(blocks, g->states, words));
    for (size_t i = 0; indirect >> i != 0; i++)
        if (has(indirect, i)) complete |= deliver(g, i) << i;
    return complete;
}

/* Gives one output block to every lane that has read its message; returns the lanes with complete jobs. */
static uint32_t squeeze_step(const lk_keccak_kernels *kernels, group *g)
{
    const uint32_t ready = (bit(g->used) - 1) & ~g->reading, straight = ready & g->sinking, rest = ready & ~straight;
    uint32_t complete = 0;
    if (straight) complete = g->sink->lanes(g->to, straight, g->states, kernels->lanes, g->sink_rate);
    if (rest) complete |= squeeze_blocks(kernels, g, rest);
    return complete;
}

static void size_up(const lk_keccak_kernels *kernels, lk_job *job)
{
    job->rank = (uint8_t)lk_job_rank(job);
    job->permutations = kernels->narrow > 0 ? permutations(job) : 0;
}

/* The followers that have waited for this job alone can begin, those of a rank in their order. */
static void let_follow(const lk_keccak_kernels *kernels, group *g, lk_job *leader)
{
    for (lk_job *f = leader->followers + leader->follower_count; f-- > leader->followers;) {
        if (--f->leaders > 0) continue;
        size_up(kernels, f);
        f->stage = leader->stage;
        insert(&g->waiting, f);
    }
}

/* Keeps the states of parts and lets followers begin. */
static void end_jobs(const lk_keccak_kernels *kernels, group *g, uint32_t lanes)
{
    for (size_t i = 0; lanes >> i != 0; i++) {
        lk_job *job = g->lanes[i].job;
        if (!has(lanes, i)) continue;
        if (job->flags & LK_JOB_GOES_ON) keep(kernels, g, i);
        if (job->follower_count > 0) let_follow(kernels, g, job);
    }
}

static uint32_t number_of(uint32_t lanes)
{
    uint32_t n = 0;
    for (; lanes != 0; lanes &= lanes - 1) n++;
    return n;
}

static void step(const lk_keccak_kernels *kernels, group *g)
{
    absorb_step(kernels, g);
    g->done += (uint32_t)(kernels->permute(g->states, g->used) - g->used);
    if (kernels->narrow > 0) {
        g->steps++;
        g->ahead = less(g->ahead, g->used);
    }
    g->vacant = squeeze_step(kernels, g);
    if (g->vacant & g->leading) end_jobs(kernels, g, g->vacant & g->leading);
}

/* Lane from, the last one, takes the place of lane to, because lane to has completed its job. */
static void move_lane(const lk_keccak_kernels *kernels, group *g, size_t to, size_t from)
{
    g->lanes[to] = g->lanes[from];
    g->reading = (g->reading & ~bit(from)) | (g->reading >> from & 1) << to;
    g->sinking = (g->sinking & ~bit(from)) | (g->sinking >> from & 1) << to;
    g->leading = (g->leading & ~bit(from)) | (g->leading >> from & 1) << to;
    copy_state(g->states + to, kernels->lanes, g->states + from, kernels->lanes);
}

/* The last lanes take the places of those that are vacant. */
static void close_gaps(const lk_keccak_kernels *kernels, group *g)
{
    for (size_t i = 0; g->vacant >> i != 0; i++) {
        if (!has(g->vacant, i)) continue;
        while (g->used > i && has(g->vacant, g->used - 1)) g->vacant &= ~bit(--g->used);
        if (g->used > i) move_lane(kernels, g, i, --g->used);
    }
    g->vacant = 0;
}

/* Fills vacant lanes, and adds lanes, with the jobs that can begin. */
static void refill(const lk_keccak_kernels *kernels, group *g)
{
    const uint32_t busy = ~g->vacant;
    size_t i = 0;
    g->reading &= busy;
    g->sinking &= busy;
    g->leading &= busy;
    if (kernels->narrow > 0) provide(kernels, g);
    while ((i = free_lane(kernels, g, i)) < kernels->lanes) {
        lk_job **at = job_for(kernels, g, i), *job = *at;
        if (!job) break;
        if (job->streams > 0)
            start_streams(kernels, g, i, job);
        else
            start(kernels, g, i, job);
        if (job->begun == job->streams) (void)pop(at);
    }
    if (g->vacant) close_gaps(kernels, g);
}

/* Whether a job of the present stage waits or is in a lane. */
static int pending(group *g)
{
    const lk_job *next = g->waiting;
    if (g->stage >= g->latest) return 1;
    if (next && (next->rank > LK_RANK_LATER || next->stage <= g->stage)) return 1;
    for (size_t i = 0; i < g->used; i++)
        if (!has(g->vacant, i) && g->lanes[i].job->stage <= g->stage) return 1;
    return 0;
}

void lk_lanes_begin(const lk_keccak_kernels *kernels, void *scratch)
{
    lk_arena arena = {scratch, 0};
    group *g = carve(&arena, kernels);
    g->used = 0;
    g->reading = g->fresh = g->sinking = g->leading = g->vacant = 0;
    g->waiting = NULL;
    g->stage = g->latest = 0;
    g->done = 0;
    g->steps = g->ahead = g->last_end = 0;
    for (size_t i = 0; i < kernels->lanes; i++) g->to[i] = &g->lanes[i].to;
}

/* From the last job on, so that those of a rank begin in their order. */
void lk_lanes_add(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch)
{
    group *g = scratch;
    while (n-- > 0) {
        lk_job *job = &jobs[n];
        size_up(kernels, job);
        g->ahead += job->permutations * (job->streams > 0 ? job->streams : 1);
        if (job->leaders > 0) continue;
        job->stage = (uint8_t)(job->stage + g->stage);
        if (job->stage > g->latest) g->latest = job->stage;
        insert(&g->waiting, job);
    }
}

uint32_t lk_lanes_done(const void *scratch)
{
    return ((const group *)scratch)->done;
}

int lk_lanes_stage(const lk_keccak_kernels *kernels, void *scratch)
{
    group *g = scratch;
    while (pending(g)) {
        refill(kernels, g);
        if (g->used == 0) break;
        do step(kernels, g);
        while (!g->vacant);
        g->done += number_of(g->vacant);
    }
    return g->stage++ < g->latest;
}
