/* The lane scheduler's queue: which jobs wait, and in which order they begin.
 *
 * A job waits in one list if it follows no other, or if its leaders are all complete. The list is sorted by rank, the
 * highest first; jobs of one rank keep the order in which a scheme wrote them down. Jobs that still have leaders are in
 * no list: the last of their leaders brings them.
 *
 * Stages are numbered from the run's beginning. A job of a later stage has the lowest rank, so it begins when no job of
 * the present stage waits. SPDX-License-Identifier: Apache-2.0 */
#include "shared/ct.h"
#include "symmetric/keccak/lanes.h"
#include "symmetric/keccak/scheduler.h"

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

static void size_up(const lk_keccak_kernels *kernels, lk_job *job)
{
    job->rank = (uint8_t)lk_job_rank(job);
    job->permutations = kernels->narrow > 0 ? permutations(job) : 0;
}

/* Before all jobs of its rank. */
static void insert(lk_queue *queue, lk_job *job)
{
    lk_job **at = &queue->waiting;
    while (*at && (*at)->rank > job->rank) at = &(*at)->next;
    job->next = *at;
    *at = job;
}

/* From the last job on, so that those of a rank begin in their order. The index of 32 bits is for a processor that goes on
 * too far: it looks for a job where no memory is, not in front of the list. */
uint32_t lk_queue_add(const lk_keccak_kernels *kernels, lk_queue *queue, lk_job *jobs, size_t n)
{
    uint32_t needed = 0;
    while (n-- > 0) {
        lk_job *job = &jobs[lk_barrier((uint32_t)n)];
        size_up(kernels, job);
        needed += job->permutations * (job->streams > 0 ? job->streams : 1);
        if (job->leaders > 0) continue;
        job->stage = (uint8_t)(job->stage + queue->stage);
        if (job->stage > queue->latest) queue->latest = job->stage;
        insert(queue, job);
    }
    return needed;
}

void lk_queue_follow(const lk_keccak_kernels *kernels, lk_queue *queue, const lk_job *leader)
{
    for (lk_job *f = leader->followers + leader->follower_count; f-- > leader->followers;) {
        if (--f->leaders > 0) continue;
        size_up(kernels, f);
        f->stage = leader->stage;
        insert(queue, f);
    }
}

int lk_queue_is_present(const lk_queue *queue)
{
    const lk_job *next = queue->waiting;
    return next && (next->rank > LK_RANK_LATER || next->stage <= queue->stage);
}

lk_job **lk_queue_shortest(lk_queue *queue)
{
    lk_job **chosen = &queue->waiting;
    for (lk_job **at = chosen; *at; at = &(*at)->next)
        if ((*at)->permutations < (*chosen)->permutations) chosen = at;
    return chosen;
}
