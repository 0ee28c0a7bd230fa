/* The hash functions and the end of a message, for every scheduler. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_FUNCTIONS_H
#define LK_SYMMETRIC_KECCAK_FUNCTIONS_H

#include "symmetric/job.h"

typedef uint8_t lk_block[LK_KECCAK_RATE_MAX + 8]; /* a block and the rest of its last word */

/* Of a hash function: the rate in bytes, and the suffix with the first bit of the padding. */
typedef struct {
    uint8_t rate, suffix;
} lk_function;

/* FIPS 202 section 6. */
static const lk_function lk_keccak_functions[] = {
    [LK_SHA3_256] = {LK_SHA3_256_RATE, 0x06},
    [LK_SHA3_512] = {LK_SHA3_512_RATE, 0x06},
    [LK_SHAKE128] = {LK_SHAKE128_RATE, 0x1F},
    [LK_SHAKE256] = {LK_SHAKE256_RATE, 0x1F},
};

/* lk_stays_open returns 1 if the job reads whole blocks and leaves the end of the message to a later part. */
static inline int lk_stays_open(const lk_job *job)
{
    return job->flags & LK_JOB_GOES_ON && job->out_len == 0;
}

/* lk_close_message puts the suffix behind the last bytes of the message; returns the words, that with the suffix
 * included. */
static inline uint8_t lk_close_message(uint8_t suffix, uint8_t *last, size_t filled)
{
    memset(last + filled, 0, 8);
    last[filled] = suffix;
    return (uint8_t)(filled / 8 + 1);
}

/* lk_job_astray returns 0 if a computation gives to where its job wants it, else another number: both addresses are read
 * anew. */
static inline uint32_t lk_job_astray(const lk_job *job, const lk_sink_state *state)
{
    void *const volatile *to = &state->out;
    uint8_t *const volatile *out = &job->out;
    return (uint32_t)((uintptr_t)*to - (uintptr_t)*out);
}

#endif
