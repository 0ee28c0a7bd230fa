/* Hash jobs: the one way in which schemes hash.
 *
 * A scheme writes down all hash computations that do not depend on each other as an array of jobs and runs them together.
 * Keccak jobs share the lanes of the backend: H(ek), the sampling of the matrix, the noise PRFs and J(z || ct) run side
 * by side, and in a batch the jobs of several operations do. Whether a job's input and output are secret is the
 * scheme's affair: only lengths influence the time, and, for jobs with a sink, what the sink does with its stream.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_JOB_H
#define LK_SYMMETRIC_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/sink.h"
#include "base/workspace.h"
#include "symmetric/kernels.h"

/* First the Keccak family, then that of SHA-2 and AES. */
typedef enum {
    LK_SHA3_256,
    LK_SHA3_512,
    LK_SHAKE128,
    LK_SHAKE256,
    LK_SHA256,
    LK_SHA512,
    LK_AES256_CTR /* key in in[0] (32 bytes), nonce = tail and zeros (12 bytes), counter from 0; out_len is a multiple of
                   * 16; within one run an address stands for one key */
} lk_hash;

/* The message is in[0] || in[1] || tail. */
typedef struct {
    lk_hash hash;
    const uint8_t *in[2];
    size_t in_len[2];
    uint8_t tail[2];
    uint8_t tail_len;

    uint8_t *out; /* out_len bytes go here; fixed by the function for SHA-2, at most its length for SHA-3 */
    size_t out_len;

    const lk_sink *sink; /* or, if not NULL, the stream goes here until the sink is complete */
    lk_sink_state state;
} lk_job;

/* lk_jobs_scratch takes from the arena the memory that lk_jobs_run needs on these kernels for jobs of the family of hash
 * (Keccak, or SHA-2 and AES). */
void *lk_jobs_scratch(lk_arena *arena, const lk_symmetric *kernels, lk_hash hash);

/* lk_jobs_run runs n independent jobs of one family to their ends. Lanes take jobs in array order: put the longest first.
 * scratch holds secrets afterwards. A sink sees its stream in order, in blocks of the rate (Keccak) or in pieces whose
 * length is a multiple of 3 and of 64 (AES). */
void lk_jobs_run(const lk_symmetric *kernels, lk_job *jobs, size_t n, void *scratch);

/* lk_job_make makes the job hash(in0 || in1) -> out. in1 may be NULL with length 0. Field by field: compilers build an
 * initialiser in memory and copy it, which takes longer than the job's share of a permutation. */
static inline lk_job lk_job_make(lk_hash hash, uint8_t *out, size_t out_len, const uint8_t *in0, size_t in0_len,
                                 const uint8_t *in1, size_t in1_len)
{
    lk_job job;
    job.hash = hash;
    job.in[0] = in0;
    job.in[1] = in1;
    job.in_len[0] = in0_len;
    job.in_len[1] = in1_len;
    job.tail[0] = job.tail[1] = 0;
    job.tail_len = 0;
    job.out = out;
    job.out_len = out_len;
    job.sink = NULL;
    job.state.kernels = NULL;
    job.state.out = NULL;
    job.state.have = 0;
    return job;
}

#endif
