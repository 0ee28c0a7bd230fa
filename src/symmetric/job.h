/* Hash jobs: the one way in which schemes hash.
 *
 * A scheme writes down as jobs all hash computations that do not depend on each other, and has them run together
 * (run.h). Keccak jobs share the lanes of the backend: H(ek), the sampling of the matrix, the noise PRFs and J(z || ct)
 * run side by side, and in a batch the jobs of several operations do. Streams that differ in a nonce alone, as those of
 * a matrix do, are one job. A job may have followers, which begin when it is complete: so a short chain runs beside a
 * long job. A job may be for a later stage: it fills lanes that are idle, and is waited for later. A computation may be
 * cut into parts, jobs of stages that follow each other, with arithmetic between them on what is there already. Whether
 * a job's input and output are secret is the scheme's affair: only lengths influence the time, and, for jobs with a
 * sink, the sink's use of its stream. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_JOB_H
#define LK_SYMMETRIC_JOB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/sink.h"
#include "symmetric/kernels.h"

/* First the Keccak family, then that of SHA-2 and AES. */
typedef enum {
    LK_SHA3_256,
    LK_SHA3_512,
    LK_SHAKE128,
    LK_SHAKE256,
    LK_SHA256,
    LK_SHA512,
    LK_AES256_CTR /* streams alone: key = seed, nonce = theirs and zeros (12 bytes), counter from 0; out_len is a multiple
                   * of 16; within one run an address means one key */
} lk_hash;

enum { LK_JOB_HEAD_MAX = 40, LK_JOB_STATE_WORDS = 25, LK_STREAMS_MAX = 16, LK_JOB_HAS_RUN = 255 };

/* One computation, of the message head || body; or several streams, of the messages seed || nonce. Short pieces are
 * copied into the head, from which lanes read them in place. */
typedef struct lk_job {
    uint8_t hash;     /* lk_hash */
    uint8_t head_len; /* or that of each nonce */
    uint8_t streams;  /* 0: the job is one computation */
    uint8_t begun;    /* of the streams */
    uint8_t flags;    /* LK_JOB_... */
    uint8_t stage;    /* the deadline: number of stages after the current one */
    uint8_t leaders;  /* that have to be complete before it begins; LK_JOB_HAS_RUN where jobs run once, one by one */
    uint8_t follower_count;
    uint16_t led; /* computations and streams that follow */
    union {
        uint8_t head[LK_JOB_HEAD_MAX + 8]; /* head_len bytes, and room for the padding */
        uint16_t nonces[LK_STREAMS_MAX];   /* low bytes first */
    };
    uint32_t measure;    /* what is counted until the job is complete: LK_JOB_COUNT */
    const uint8_t *body; /* any length, any alignment, or the seed of streams; read from when the job begins */
    size_t body_len;     /* 0 for streams */

    uint8_t *out; /* out_len bytes go here; fixed by the function for SHA-2, at most its length for SHA-3 */
    size_t out_len;
    size_t stride;       /* from where one stream goes to where the next does */
    const lk_sink *sink; /* or NULL; makes of the stream what goes to out, until it has enough: out_len bytes or so */
    const void *kernels; /* of the sink */

    struct lk_job *followers; /* one behind the other */

    /* For the code that runs the job: a list, the place in it, and how long the job, or each of its streams, takes. */
    struct lk_job *next;
    uint8_t rank;
    uint32_t permutations;

    uint64_t *saved_state; /* between parts */
} lk_job;

enum {
    LK_JOB_RESUMES = 1, /* a part that is not the first */
    LK_JOB_GOES_ON = 2  /* a part that is not the last */
};

/* The jobs that an operation has written down. They are counted twice, so that none is lost by a single fault. The
 * counts are apart, so that no single instruction on vectors does both. */
typedef struct {
    size_t count;
    lk_job *list;
    size_t counted;
} lk_jobs;

/* lk_jobs_next returns the next job of the list, to be made, and lk_jobs_several the first of the next n. */
static inline lk_job *lk_jobs_several(lk_jobs *jobs, size_t n)
{
    lk_job *first = &jobs->list[jobs->count];
    jobs->count += n;
    jobs->counted += n;
    return first;
}

static inline lk_job *lk_jobs_next(lk_jobs *jobs)
{
    return lk_jobs_several(jobs, 1);
}

/* The measure of computations or streams that give so many bytes each (to a sink: none). It is computed when the job is
 * made, from its parts, and counted again as the work is done. A fault between the two makes a difference. */
#define LK_JOB_COUNT(streams, bytes) ((uint32_t)(streams) * (1 + (uint32_t)(bytes)))

/* In place of the measure of a job that is counted: no sum of measures is as large. */
#define LK_JOB_COUNTED ((uint32_t)1 << 31)

/* lk_job_make makes *job the job hash(body) -> out. body may be NULL with length 0. In place and field by field: a copy
 * or an initialiser takes longer than the job's share of a permutation. */
static inline void lk_job_make(lk_job *job, lk_hash hash, uint8_t *out, size_t out_len, const uint8_t *body,
                               size_t body_len)
{
    job->hash = (uint8_t)hash;
    job->head_len = 0;
    job->streams = job->begun = 0;
    job->follower_count = 0;
    job->led = 0;
    job->flags = 0;
    job->stage = 0;
    job->leaders = 0;
    job->body = body;
    job->body_len = body_len;
    job->out = out;
    job->out_len = out_len;
    job->sink = NULL;
    job->kernels = NULL;
    job->measure = LK_JOB_COUNT(1, out_len);
}

/* lk_job_head appends len bytes to the head, which takes LK_JOB_HEAD_MAX in all; bytes may be NULL if len is 0. */
static inline void lk_job_head(lk_job *job, const uint8_t *bytes, size_t len)
{
    if (len > 0) memcpy(job->head + job->head_len, bytes, len);
    job->head_len = (uint8_t)(job->head_len + len);
}

/* lk_job_pair makes *job the job hash(a || b) -> out, a and b of 32 bytes. */
static inline void lk_job_pair(lk_job *job, lk_hash hash, uint8_t *out, size_t out_len, const uint8_t a[32],
                               const uint8_t b[32])
{
    lk_job_make(job, hash, out, out_len, b, 32);
    lk_job_head(job, a, 32);
}

/* lk_job_streams makes *job a job of streams from one seed of 32 bytes, each with its nonce of 1 or 2 bytes: SHAKE of
 * seed || nonce, or AES with the seed as its key. lk_job_stream adds one, of LK_STREAMS_MAX at most; there is one at
 * least. The seed is read when streams begin: that of a follower may be what its leader writes. Streams lead no other
 * job and are not cut into parts. */
static inline void lk_job_streams(lk_job *job, lk_hash hash, const uint8_t seed[32], size_t nonce_len)
{
    lk_job_make(job, hash, NULL, 0, seed, 0);
    job->head_len = (uint8_t)nonce_len;
}

static inline void lk_job_stream(lk_job *job, unsigned nonce)
{
    job->nonces[job->streams++] = (uint16_t)nonce;
}

/* lk_job_out sends streams to memory, out_len bytes of each, one behind the other. */
static inline void lk_job_out(lk_job *job, uint8_t *out, size_t out_len)
{
    job->out = out;
    job->out_len = job->stride = out_len;
    job->measure = LK_JOB_COUNT(job->streams, out_len);
}

/* lk_job_later lets a job end with the stage that comes so many after the present one. */
static inline void lk_job_later(lk_job *job, size_t stages)
{
    job->stage = (uint8_t)stages;
}

/* lk_job_part makes a Keccak job one part of a computation; the other parts are jobs of earlier and later stages.
 * flags are LK_JOB_RESUMES and LK_JOB_GOES_ON. state is LK_JOB_STATE_WORDS words, which the first part writes. A part
 * that is not the last is one of these:
 *
 * - an absorbing part reads whole blocks of the message, gives nothing, and leaves at least one byte of the message to
 *   later parts;
 * - a squeezing part reads the rest of the message, if there is any, and gives whole blocks of the stream.
 *
 * A part that is not the first has no head; with an empty body it continues the stream. */
static inline void lk_job_part(lk_job *job, uint64_t *state, unsigned flags)
{
    job->saved_state = state;
    job->flags |= (uint8_t)flags;
}

/* LK_INVERSE is 2^20 by the words of a rate, rounded up. */
#define LK_INVERSE(rate) (((uint32_t)1 << 20) / ((rate) / 8) + 1)

/* LK_WHOLE_BLOCKS is how many of len bytes the whole blocks of a rate take: a constant, of 136 or 168 bytes. In: len <
 * 2^16, for which the product with the inverse is exact. An operator would divide in code made small. */
#define LK_WHOLE_BLOCKS(len, rate) ((size_t)(rate) * ((uint32_t)((len) / 8) * LK_INVERSE(rate) >> 20))

/* The bytes of a message, [from, to) of len, that a part is about. */
typedef struct {
    size_t from, to, len;
} lk_range;

/* lk_job_hash_part makes *job the part of SHA3-256(bytes) that reads the blocks which are whole with the first `to`
 * bytes and are not with the first `from`; with to = len it reads the rest and writes the hash to out. Parts in order
 * take from = 0, or all that the one before took, and have a whole block at least. */
static inline void lk_job_hash_part(lk_job *job, uint8_t out[32], const uint8_t *bytes, lk_range range, uint64_t *state)
{
    const int last = range.to == range.len;
    const size_t begin = LK_WHOLE_BLOCKS(range.from, LK_SHA3_256_RATE);
    const size_t end = last ? range.len : LK_WHOLE_BLOCKS(range.to, LK_SHA3_256_RATE);
    lk_job_make(job, LK_SHA3_256, out, last ? 32 : 0, bytes + begin, end - begin);
    lk_job_part(job, state, (begin > 0 ? LK_JOB_RESUMES : 0) | (last ? 0 : LK_JOB_GOES_ON));
}

/* lk_job_then makes count jobs follow a job, and others if they follow others already. The followers are side by side
 * in the list, and their seeds and bodies may be outputs of their leaders. */
static inline void lk_job_then(lk_job *job, lk_job *followers, size_t count)
{
    job->followers = followers;
    job->follower_count = (uint8_t)count;
    for (size_t i = 0; i < count; i++) {
        followers[i].leaders++;
        job->led = (uint16_t)(job->led + (followers[i].streams > 0 ? followers[i].streams : 1));
    }
}

/* lk_job_sink sends what a job gives to a sink instead, for which kernels and out are meant (base/sink.h); the next
 * stream's out is stride bytes further. */
static inline void lk_job_sink(lk_job *job, const lk_sink *sink, const void *kernels, void *out, size_t stride)
{
    job->sink = sink;
    job->kernels = kernels;
    job->out = (uint8_t *)out;
    job->out_len = sink->expected;
    job->stride = stride;
    job->measure = LK_JOB_COUNT(job->streams > 0 ? job->streams : 1, 0);
}

/* lk_job_begin is for the code that runs a job. It returns the place for the job's output, or for that of its next
 * stream. */
static inline lk_sink_state lk_job_begin(lk_job *job)
{
    const lk_sink_state to = {job->kernels, job->streams > 0 ? job->out + job->stride * job->begun++ : job->out, 0};
    return to;
}

#endif
