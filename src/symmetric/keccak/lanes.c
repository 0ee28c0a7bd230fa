/* The lane scheduler.
 *
 * Each step of the loop absorbs one block into every lane that still reads its message, permutes all lanes at once, and
 * squeezes one block from every lane that has read its message; a lane whose job is complete takes the next job. When no
 * jobs wait, the last lane moves into the gap, so that the backend can use a narrower permutation at the end.
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
    const uint8_t *bytes; /* what is not absorbed yet of the message's segment */
    size_t left;
    size_t given; /* output bytes given */
    uint8_t segment, rate;
} lane;

enum { TAIL = 2, READ = 3 }; /* the last segment, after in[0] and in[1]; the message is absorbed */

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

static void start(group *g, size_t l, lk_job *job)
{
    const lane begin = {job, job->in[0], job->in_len[0], 0, 0, functions[job->hash].rate};
    g->lanes[l] = begin;
    g->reading |= bit(l);
    g->fresh |= bit(l);
}

static void next_segment(lane *l)
{
    l->segment++;
    l->bytes = l->segment == TAIL ? l->job->tail : l->job->in[l->segment];
    l->left = l->segment == TAIL ? l->job->tail_len : l->job->in_len[l->segment];
}

/* memcpy, which for tails and seeds spares the call. */
static void copy(uint8_t *out, const uint8_t *in, size_t len)
{
    switch (len) {
    case 0: break;
    case 1: out[0] = in[0]; break;
    case 2: memcpy(out, in, 2); break;
    case 32: memcpy(out, in, 32); break;
    default: memcpy(out, in, len);
    }
}

/* Copies the next bytes of the message, up to one block, into out, and the suffix where the message ends. Returns the
 * words of out that are not just padding. */
static size_t assemble(lane *l, block out)
{
    size_t filled = 0;
    for (;;) {
        const size_t room = l->rate - filled, take = l->left < room ? l->left : room;
        copy(out + filled, l->bytes, take);
        filled += take;
        l->left -= take;
        if (l->left > 0) {
            l->bytes += take;
            return l->rate / 8;
        }
        if (l->segment == TAIL) break;
        next_segment(l);
    }
    if (filled == l->rate) return l->rate / 8;
    memset(out + filled, 0, 8);
    out[filled] = functions[l->job->hash].suffix;
    l->segment = READ;
    return filled / 8 + 1;
}

/* The next message block of lane i and its words: in place where a whole block of a segment lies ahead, else assembled. */
static const uint8_t *next_block(group *g, size_t i, uint8_t *words)
{
    lane *l = &g->lanes[i];
    if (l->left > l->rate) {
        l->bytes += l->rate;
        l->left -= l->rate;
        *words = l->rate / 8;
        return l->bytes - l->rate;
    }
    *words = (uint8_t)assemble(l, g->blocks[i]);
    return g->blocks[i];
}

/* The last bit of the padding, at the end of the block whose other words are zero, goes straight into the state. */
static void pad(const lk_keccak_kernels *kernels, const group *g, size_t i)
{
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
        blocks[i] = next_block(g, i, &words[i]);
        read |= (uint32_t)(g->lanes[i].segment == READ) << i;
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

/* Fills the lanes whose jobs are complete: with the jobs that wait, then with the last lanes. */
static void refill(const lk_keccak_kernels *kernels, group *g, uint32_t complete, lk_job **next, const lk_job *end)
{
    for (size_t i = 0; complete >> i != 0; i++) {
        if (!has(complete, i)) continue;
        if (*next < end) {
            start(g, i, (*next)++);
            continue;
        }
        while (g->used > i && has(complete, g->used - 1)) complete &= ~bit(--g->used);
        if (g->used > i) move_lane(kernels, g, i, --g->used);
    }
}

void lk_keccak_run(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch)
{
    lk_arena arena = {scratch, 0};
    group g = carve(&arena, kernels);
    lk_job *next = jobs;
    const lk_job *const end = jobs + n;
    while (g.used < kernels->lanes && next < end) start(&g, g.used++, next++);
    while (g.used > 0) {
        absorb_step(kernels, &g);
        kernels->permute(g.states, g.used);
        const uint32_t complete = squeeze_step(kernels, &g);
        if (complete) refill(kernels, &g, complete, &next, end);
    }
}
