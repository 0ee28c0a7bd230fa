/* Runs SHA-2 and AES jobs, one after the other. SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/serial.h"

#include <string.h>

#include "base/bytes.h"
#include "base/families.h"

enum {
    AES_BLOCK = 16,
    /* Key stream given to a sink at a time. The first piece has 384 numbers of 12 bits; with a probability of 2^-38
     * fewer than 256 of these are below q; the small build has memory for less. Every piece is a multiple of 3 bytes (so
     * that no sampling group straddles two) and of four AES blocks, but where a job's sink expects less. */
    STREAM_FIRST = LK_IS_SMALL ? 192 : 576,
    STREAM_NEXT = 192
};

typedef struct {
    uint32_t done;            /* the measure of jobs, as far as they are done */
    const uint8_t *key_bytes; /* key has its expansion, or NULL */
    union {
        uint32_t w32[8];
        uint64_t w64[8];
    } state;
    uint8_t block[2 * 128];
    _Alignas(LK_ALIGN) lk_aes256_key key;
    uint8_t stream[STREAM_FIRST];
} serial;

void *lk_serial_take(lk_arena *arena)
{
    return lk_take(arena, sizeof(serial));
}

void lk_serial_begin(void *scratch)
{
    serial *s = scratch;
    s->key_bytes = NULL;
    s->done = 0;
}

uint32_t lk_serial_done(const void *scratch)
{
    return ((const serial *)scratch)->done;
}

static const uint32_t sha256_initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
static const uint64_t sha512_initial[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static void compress(const lk_sha2_kernels *kernels, serial *s, lk_hash hash, const uint8_t *data, size_t blocks)
{
    if (blocks == 0) return;
    if (hash == LK_SHA256)
        kernels->sha256_compress(s->state.w32, data, blocks);
    else
        kernels->sha512_compress(s->state.w64, data, blocks);
}

/* The block size is 2^log_block bytes: 64 or 128. */
static unsigned log_block(lk_hash hash)
{
    return hash == LK_SHA256 ? 6 : 7;
}

/* FIPS 180-4: one piece of message after the other; *filled bytes of s->block wait for a whole block. */
static void update(const lk_sha2_kernels *kernels, serial *s, lk_hash hash, size_t *filled, const uint8_t *in,
                   size_t len)
{
    const size_t size = (size_t)1 << log_block(hash);
    if (len == 0) return;
    if (*filled > 0) {
        const size_t take = len < size - *filled ? len : size - *filled;
        memcpy(s->block + *filled, in, take);
        *filled += take;
        in += take;
        len -= take;
        if (*filled < size) return;
        compress(kernels, s, hash, s->block, 1);
    }
    const size_t rest = len & (size - 1);
    compress(kernels, s, hash, in, len >> log_block(hash));
    memcpy(s->block, in + len - rest, rest);
    *filled = rest;
}

static void run_sha2(const lk_sha2_kernels *kernels, lk_job *job, serial *s)
{
    const int is256 = job->hash == LK_SHA256;
    const size_t size = (size_t)1 << log_block(job->hash), length_field = size / 8;
    size_t filled = 0;
    if (is256)
        memcpy(s->state.w32, sha256_initial, sizeof sha256_initial);
    else
        memcpy(s->state.w64, sha512_initial, sizeof sha512_initial);
    update(kernels, s, job->hash, &filled, job->head, job->head_len);
    update(kernels, s, job->hash, &filled, job->body, job->body_len);

    const size_t padded = filled + 1 + length_field <= size ? size : 2 * size;
    memset(s->block + filled, 0, padded - filled);
    s->block[filled] = 0x80;
    lk_store64_be(s->block + padded - 8, 8 * (uint64_t)(job->head_len + job->body_len));
    compress(kernels, s, job->hash, s->block, padded >> log_block(job->hash));
    uint32_t i = 0;
    for (; i < 8; i++) {
        if (is256)
            lk_store32_be(job->out + 4 * i, s->state.w32[i]);
        else
            lk_store64_be(job->out + 8 * i, s->state.w64[i]);
    }
    s->done += 1 + i * (is256 ? 4 : 8);
}

/* The next stream. */
static void run_stream(const lk_aes_kernels *kernels, lk_job *job, serial *s)
{
    const uint16_t number = job->nonces[job->begun];
    const uint8_t nonce[12] = {(uint8_t)number, (uint8_t)(number >> 8)};
    lk_sink_state to = lk_job_begin(job);
    s->done++;
    if (!job->sink) {
        kernels->ctr(to.out, job->out_len / AES_BLOCK, &s->key, nonce, 0);
        s->done += (uint32_t)job->out_len;
        return;
    }
    size_t len = job->out_len < STREAM_NEXT ? job->out_len : STREAM_FIRST;
    uint32_t counter = 0;
    kernels->ctr(s->stream, len / AES_BLOCK, &s->key, nonce, counter);
    while (!job->sink->block(&to, s->stream, len)) {
        counter += (uint32_t)(len / AES_BLOCK);
        len = STREAM_NEXT;
        kernels->ctr(s->stream, len / AES_BLOCK, &s->key, nonce, counter);
    }
}

static void run_aes(const lk_aes_kernels *kernels, lk_job *job, serial *s)
{
    if (s->key_bytes != job->body) kernels->expand_key(&s->key, job->body);
    s->key_bytes = job->body;
    while (job->begun < job->streams) run_stream(kernels, job, s);
}

static void run_followers(const lk_symmetric *kernels, const lk_job *job, serial *s);

/* Runs a job once. */
static void run_job(const lk_symmetric *kernels, lk_job *job, serial *s)
{
    job->leaders = LK_JOB_HAS_RUN;
    if (job->hash == LK_AES256_CTR)
        run_aes(kernels->aes, job, s);
    else
        run_sha2(kernels->sha2, job, s);
    run_followers(kernels, job, s);
}

static void run_followers(const lk_symmetric *kernels, const lk_job *job, serial *s)
{
    for (size_t i = 0; i < job->follower_count; i++)
        if (--job->followers[i].leaders == 0) run_job(kernels, &job->followers[i], s);
}

void lk_serial_run(const lk_symmetric *kernels, lk_job *jobs, size_t n, void *scratch)
{
    for (size_t i = 0; i < n; i++)
        if (jobs[i].leaders == 0) run_job(kernels, &jobs[i], scratch);
}
