/* The lane scheduler.
 *
 * Each step of the loop absorbs one block into every lane that still reads its message, permutes all lanes at once, and
 * squeezes one block from every lane that has read its message; a lane whose job is complete takes the next job. When no
 * jobs wait, the last lane moves into the gap, so that the backend can use a narrower permutation at the end.
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
    size_t segment; /* where the message stands: in[0], in[1], tail, and 3 once the padding is absorbed */
    size_t offset;  /* bytes of that segment absorbed */
    size_t given;   /* output bytes given */
    uint8_t fresh;  /* no block absorbed yet */
} lane;

typedef uint8_t block[LK_KECCAK_RATE_MAX];

typedef struct {
    uint64_t *states;
    lane *lanes;
    block *blocks; /* a lane's padded or straddling input block, or the output block that waits for its sink */
} group;

static group carve(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    group g;
    g.states = lk_take(arena, kernels->lanes * LK_KECCAK_WORDS * sizeof(uint64_t));
    g.lanes = lk_take(arena, kernels->lanes * sizeof(lane));
    g.blocks = lk_take(arena, kernels->lanes * sizeof(block));
    return g;
}

void *lk_keccak_scratch(lk_arena *arena, const lk_keccak_kernels *kernels)
{
    return carve(arena, kernels).states;
}

static size_t rate_of(const lane *l)
{
    return functions[l->job->hash].rate;
}

static int absorbing(const lane *l)
{
    return l->segment < 3;
}

static void segment_at(const lk_job *job, size_t segment, const uint8_t **bytes, size_t *len)
{
    *bytes = segment < 2 ? job->in[segment] : job->tail;
    *len = segment < 2 ? job->in_len[segment] : job->tail_len;
}

/* Copies the next bytes of the message, up to one block, into out; pads the block where the message ends. */
static void assemble(lane *l, block out)
{
    const size_t rate = rate_of(l);
    size_t filled = 0;
    while (l->segment < 3 && filled < rate) {
        const uint8_t *bytes;
        size_t len;
        segment_at(l->job, l->segment, &bytes, &len);
        size_t take = len - l->offset;
        if (take > rate - filled) take = rate - filled;
        if (take > 0) memcpy(out + filled, bytes + l->offset, take);
        filled += take;
        l->offset += take;
        if (l->offset < len) return;
        if (l->segment == 2 && filled == rate) return;
        l->segment++;
        l->offset = 0;
    }
    if (l->segment < 3) return;
    memset(out + filled, 0, rate - filled);
    out[filled] ^= functions[l->job->hash].suffix;
    out[rate - 1] ^= 0x80;
}

/* The lane's next message block: in place where a whole block of a segment lies ahead, else assembled in spare. */
static const uint8_t *next_block(lane *l, block spare)
{
    const uint8_t *bytes;
    size_t len;
    segment_at(l->job, l->segment, &bytes, &len);
    if (len - l->offset > rate_of(l)) {
        l->offset += rate_of(l);
        return bytes + l->offset - rate_of(l);
    }
    assemble(l, spare);
    return spare;
}

static void absorb_step(const lk_keccak_kernels *kernels, group *g, size_t used)
{
    const uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[LK_KECCAK_LANES_MAX] = {0};
    uint32_t fresh = 0;
    size_t busy = 0;
    for (size_t i = 0; i < used; i++) {
        lane *l = &g->lanes[i];
        if (!absorbing(l)) continue;
        blocks[i] = next_block(l, g->blocks[i]);
        words[i] = (uint8_t)(rate_of(l) / 8);
        fresh |= (uint32_t)l->fresh << i;
        l->fresh = 0;
        busy++;
    }
    if (busy) kernels->absorb(g->states, blocks, words, fresh);
}

/* Bytes that the lane's next output block gives its job, at most the rate. */
static size_t output_ahead(const lane *l)
{
    const size_t rate = rate_of(l);
    if (l->job->sink) return rate;
    return l->job->out_len - l->given < rate ? l->job->out_len - l->given : rate;
}

/* Squeezes the next block of every lane in mask: whole words straight to the job's output, all else to g->blocks. */
static void squeeze_blocks(const lk_keccak_kernels *kernels, group *g, uint32_t mask)
{
    uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[LK_KECCAK_LANES_MAX] = {0};
    for (size_t i = 0; i < kernels->lanes; i++) {
        if (!(mask >> i & 1)) continue;
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

/* Lets a sink that reads interleaved states have all its lanes in mask at once. Removes them from *mask; returns those
 * that are complete. */
static uint32_t deliver_interleaved(const lk_keccak_kernels *kernels, group *g, uint32_t *mask)
{
    uint32_t complete = 0;
    for (size_t i = 0; i < kernels->lanes; i++) {
        if (!(*mask >> i & 1)) continue;
        const lk_sink *sink = g->lanes[i].job->sink;
        if (!sink || !sink->lanes) continue;
        lk_sink_state *states[LK_KECCAK_LANES_MAX] = {NULL};
        uint32_t same = 0;
        for (size_t j = i; j < kernels->lanes; j++) {
            if (!(*mask >> j & 1) || g->lanes[j].job->sink != sink || rate_of(&g->lanes[j]) != rate_of(&g->lanes[i]))
                continue;
            states[j] = &g->lanes[j].job->state;
            same |= (uint32_t)1 << j;
        }
        complete |= sink->lanes(states, same, g->states, kernels->lanes, rate_of(&g->lanes[i]));
        *mask &= ~same;
    }
    return complete;
}

/* Gives one output block to every lane that has read its message; returns the lanes whose jobs are complete. */
static uint32_t squeeze_step(const lk_keccak_kernels *kernels, group *g, size_t used)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < used; i++) mask |= (uint32_t)!absorbing(&g->lanes[i]) << i;
    uint32_t complete = deliver_interleaved(kernels, g, &mask);
    if (mask == 0) return complete;
    squeeze_blocks(kernels, g, mask);
    for (size_t i = 0; i < used; i++)
        if (mask >> i & 1) complete |= (uint32_t)deliver(g, i) << i;
    return complete;
}

static void start(lane *l, lk_job *job)
{
    const lane begin = {job, 0, 0, 0, 1};
    *l = begin;
}

static void move_lane(const lk_keccak_kernels *kernels, group *g, size_t to, size_t from)
{
    g->lanes[to] = g->lanes[from];
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++)
        g->states[w * kernels->lanes + to] = g->states[w * kernels->lanes + from];
}

void lk_keccak_run(const lk_keccak_kernels *kernels, lk_job *jobs, size_t n, void *scratch)
{
    lk_arena arena = {scratch, 0};
    group g = carve(&arena, kernels);
    size_t used = 0, next = 0;
    while (used < kernels->lanes && next < n) start(&g.lanes[used++], &jobs[next++]);
    while (used > 0) {
        absorb_step(kernels, &g, used);
        kernels->permute(g.states, used);
        const uint32_t complete = squeeze_step(kernels, &g, used);
        for (size_t i = used; i-- > 0;) {
            if (!(complete >> i & 1)) continue;
            if (next < n)
                start(&g.lanes[i], &jobs[next++]);
            else if (i < --used)
                move_lane(kernels, &g, i, used);
        }
    }
}
