/* The lane scheduler's blocks: how many bytes of its job each lane has absorbed and squeezed.
 *
 * A lane is in one of two states. While it is in the set `reading`, each step absorbs the next block of its message:
 * head, then body, then the padding. `at` and `head_left` say how far it is. After its message it gives one block of its
 * stream in each step, to memory (`to.have` counts the bytes) or to a sink, until the job is complete. lanes.c sets
 * these members when a job begins in the lane, and moves them when the lane's job moves.
 *
 * A permutation takes some hundred nanoseconds for all lanes together, so a lane's bookkeeping has a few for each step.
 * Values that do not change from step to step are kept in the lane. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "symmetric/keccak/scheduler.h"

/* Numbers of words for more lanes than there are. A processor that goes on too far has nothing to move. */
enum { WORDS = 4 * LK_KECCAK_LANES_MAX };

/* ---- Absorbing ---- */

/* The next message block of lane i and its words: in place where it is a head alone or lies whole in the body, else
 * assembled in the lane's block. Sets the lane's bit in *read if the message, or the job's part of it, ends with it. */
static const uint8_t *next_block(lk_blocks *b, size_t i, uint8_t *words, uint32_t *read)
{
    lk_lane *l = &b->lanes[i];
    lk_job *job = l->job;
    const size_t head = l->head_left, room = l->f.rate - head, at = l->at, left = job->body_len - at;
    const size_t take = left < room ? left : room;
    uint8_t *assembled = job->head;
    *words = l->f.rate / 8;
    if (take > 0) {
        l->at = at + take;
        l->head_left = 0;
        if (take == left && lk_stays_open(job)) *read |= lk_lane_bit(i);
        if (take == room && head == 0) return job->body + at;
        assembled = b->blocks[i];
        memcpy(assembled, job->head, LK_JOB_HEAD_MAX);
        memcpy(assembled + head, job->body + at, take);
        if (take == room) return assembled;
    }
    *words = lk_close_message(l->f.suffix, assembled, head + take);
    *read |= lk_lane_bit(i);
    return assembled;
}

/* The last bit of the padding, at the end of a block with zeros in its other words, goes straight into the state. */
static void pad(const lk_keccak_kernels *kernels, const lk_blocks *b, size_t i)
{
    if (lk_stays_open(b->lanes[i].job)) return;
    b->states[(b->lanes[i].f.rate / 8 - 1u) * kernels->lanes + i] ^= (uint64_t)1 << 63;
}

static void absorb_step(const lk_keccak_kernels *kernels, lk_blocks *b)
{
    const uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[WORDS] = {0};
    uint32_t read = 0;
    for (size_t i = 0; b->reading >> i != 0; i++)
        if (lk_has_lane(b->reading, i)) blocks[i] = next_block(b, i, &words[i], &read);
    kernels->absorb(b->states, blocks, words, b->fresh);
    b->fresh = 0;
    b->reading &= ~read;
    for (size_t i = 0; read >> i != 0; i++)
        if (lk_has_lane(read, i)) pad(kernels, b, i);
}

/* ---- Squeezing ---- */

/* Bytes that the lane's next output block gives its job, at most the rate. */
static size_t output_ahead(const lk_lane *l)
{
    if (l->job->sink) return l->f.rate;
    return l->job->out_len - l->to.have < l->f.rate ? l->job->out_len - l->to.have : l->f.rate;
}

static size_t words_for(size_t bytes)
{
    return (bytes + 7) / 8;
}

/* The address for the next byte of a lane without a sink. */
static uint8_t *next_out(const lk_lane *l)
{
    return (uint8_t *)l->to.out + l->to.have;
}

/* The place for the next `ahead` bytes of lane i: its sink's room; the job's output, of whole words; or else b->blocks. */
static uint8_t *block_for(const lk_blocks *b, size_t i, size_t ahead)
{
    const lk_lane *l = &b->lanes[i];
    if (l->job->sink) return b->sampled[i];
    if (ahead == 0) return NULL; /* a part that gives nothing */
    return ahead % 8 == 0 ? next_out(l) : b->blocks[i];
}

/* Takes the squeezed block of lane i to where it belongs; returns 1 if its job is complete. Adds to *given the bytes that
 * went to memory, less the words that squeeze has counted. */
static uint32_t deliver(const lk_blocks *b, size_t i, const uint8_t *block, size_t *given)
{
    lk_lane *l = &b->lanes[i];
    const size_t ahead = output_ahead(l);
    *given -= words_for(ahead);
    if (l->job->sink) return (uint32_t)l->job->sink->block(&l->to, block, ahead);
    if (ahead > 0 && block != next_out(l)) memcpy(next_out(l), block, ahead);
    *given += ahead;
    l->to.have += ahead;
    return l->to.have == l->job->out_len;
}

/* Squeezes the next block of every lane in mask. Returns the lanes with complete jobs. */
static uint32_t squeeze_blocks(const lk_keccak_kernels *kernels, lk_blocks *b, uint32_t mask)
{
    uint8_t *blocks[LK_KECCAK_LANES_MAX] = {NULL};
    uint8_t words[WORDS] = {0};
    uint32_t complete = 0;
    for (size_t i = 0; mask >> i != 0; i++) {
        if (!lk_has_lane(mask, i)) continue;
        const size_t ahead = output_ahead(&b->lanes[i]);
        blocks[i] = block_for(b, i, ahead);
        words[i] = (uint8_t)words_for(ahead);
    }
    size_t given = kernels->squeeze(blocks, b->states, words);
    for (size_t i = 0; mask >> i != 0; i++)
        if (lk_has_lane(mask, i)) complete |= deliver(b, i, blocks[i], &given) << i;
    b->done += (uint32_t)given;
    return complete;
}

static uint32_t squeeze_step(const lk_keccak_kernels *kernels, lk_blocks *b, size_t used)
{
    const uint32_t ready = (lk_lane_bit(used) - 1) & ~b->reading, straight = ready & b->sinking;
    const uint32_t rest = ready & ~straight;
    uint32_t complete = 0;
    if (straight) complete = b->sink->lanes(b->to, straight, b->states, kernels->lanes, b->sink_rate);
    if (rest) complete |= squeeze_blocks(kernels, b, rest);
    return complete;
}

uint32_t lk_blocks_run(const lk_keccak_kernels *kernels, lk_blocks *b, size_t used)
{
    uint32_t complete;
    do {
        if (b->reading != 0) absorb_step(kernels, b);
        b->done += (uint32_t)(kernels->permute(b->states, used) - used);
        b->steps++;
        complete = squeeze_step(kernels, b, used);
    } while (complete == 0);
    b->sinking &= ~complete;
    return complete;
}
