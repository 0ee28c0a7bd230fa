// Jobs of the SHA-2 and AES family on every backend, against independent implementations.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "backends.h"
#include "guarded.h"
#include "harness/model/crypto.h"

namespace
{

class Jobs : public testing::TestWithParam<const lk_backend *>
{
  protected:
    using Memory = Guarded<uint8_t>;

    const uint8_t *keep(const Bytes &bytes)
    {
        memory.push_back(std::make_unique<Memory>(bytes.data(), bytes.size(), next_byte_offset()));
        return memory.back()->in();
    }

    uint8_t *output(size_t size)
    {
        memory.push_back(std::make_unique<Memory>(size, next_byte_offset()));
        return memory.back()->out();
    }

    void run(std::vector<lk_job> &jobs)
    {
        const lk_symmetric &symmetric = GetParam()->symmetric;
        lk_arena counting = {nullptr, 0};
        lk_run_take(&counting, &symmetric, LK_AES256_CTR);
        Memory scratch(counting.used, 0);
        lk_arena arena = {scratch.out(), 0};
        const lk_run run = lk_run_take(&arena, &symmetric, LK_AES256_CTR);
        lk_run_begin(&run);
        lk_run_add(&run, jobs.data(), jobs.size());
        ASSERT_EQ(lk_run_stage(&run), 0);
    }

    // All lengths of messages, split at random, run as one call.
    void check_sha2(lk_hash hash, size_t size, Bytes (*reference)(const Bytes &))
    {
        std::vector<lk_job> jobs;
        std::vector<Bytes> expected;
        for (size_t length = 0; length <= 300; length++) {
            const Bytes message = random.bytes(length);
            const size_t head = random.below(std::min<size_t>(length, LK_JOB_HEAD_MAX) + 1), rest = length - head;
            lk_job job;
            lk_job_make(&job, hash, output(size), size, rest ? keep(slice(message, head, rest)) : nullptr, rest);
            lk_job_head(&job, message.data(), head);
            jobs.push_back(job);
            expected.push_back(reference(message));
        }
        run(jobs);
        for (size_t i = 0; i < jobs.size(); i++)
            ASSERT_EQ(to_hex(Bytes(jobs[i].out, jobs[i].out + size)), to_hex(expected[i])) << i << " bytes";
    }

    // A counter-mode job with its nonce.
    lk_job ctr_job(const uint8_t *key, const Bytes &nonce)
    {
        lk_job job;
        lk_job_stream(&job, LK_AES256_CTR, key, nonce.data(), nonce.size());
        return job;
    }

    Random random{13};
    std::vector<std::unique_ptr<Memory>> memory;
};

Bytes key_stream(const Bytes &key, Bytes nonce, size_t length)
{
    nonce.resize(12);
    return aes256_ctr(key, nonce, length);
}

TEST_P(Jobs, Sha256)
{
    check_sha2(LK_SHA256, 32, sha256);
}

TEST_P(Jobs, Sha512)
{
    check_sha2(LK_SHA512, 64, sha512);
}

// Keys that change and keys that stay from job to job, nonces of none, one and two bytes.
TEST_P(Jobs, Aes256CtrToMemory)
{
    const Bytes keys[] = {random.bytes(32), random.bytes(32)};
    const uint8_t *kept[] = {keep(keys[0]), keep(keys[1])};
    std::vector<lk_job> jobs;
    std::vector<Bytes> expected;
    for (size_t blocks = 1; blocks <= 40; blocks++) {
        const size_t which = random.below(2);
        const Bytes nonce = random.bytes(blocks % 3);
        jobs.push_back(ctr_job(kept[which], nonce));
        jobs.back().out = output(16 * blocks);
        jobs.back().out_len = 16 * blocks;
        expected.push_back(key_stream(keys[which], nonce, 16 * blocks));
    }
    run(jobs);
    for (size_t i = 0; i < jobs.size(); i++)
        ASSERT_EQ(to_hex(Bytes(jobs[i].out, jobs[i].out + jobs[i].out_len)), to_hex(expected[i]));
}

// Bytes of the head behind head_len are not part of the nonce.
TEST_P(Jobs, NonceEndsWithTheHead)
{
    const Bytes key = random.bytes(32);
    std::vector<lk_job> jobs = {ctr_job(keep(key), {7})};
    jobs[0].head[1] = 0xff;
    jobs[0].out = output(16);
    jobs[0].out_len = 16;
    run(jobs);
    EXPECT_EQ(to_hex(Bytes(jobs[0].out, jobs[0].out + 16)), to_hex(key_stream(key, {7}, 16)));
}

// A key that another job makes, and followers of followers.
TEST_P(Jobs, Followers)
{
    const Bytes message = random.bytes(100);
    uint8_t *digest = output(64), *first = output(32), *last = output(32);
    std::vector<lk_job> jobs(3);
    const uint8_t nonce[] = {5};
    lk_job_make(&jobs[0], LK_SHA512, digest, 64, keep(message), message.size());
    lk_job_stream(&jobs[1], LK_AES256_CTR, digest + 32, nonce, 1);
    lk_job_out(&jobs[1], first, 32);
    lk_job_stream(&jobs[2], LK_SHA256, first, nonce, 1);
    lk_job_out(&jobs[2], last, 32);
    lk_job_then(&jobs[0], &jobs[1], 1);
    lk_job_then(&jobs[1], &jobs[2], 1);
    run(jobs);
    const Bytes hash = sha512(message), stream = key_stream(slice(hash, 32, 32), {5}, 32);
    EXPECT_EQ(to_hex(Bytes(digest, digest + 64)), to_hex(hash));
    EXPECT_EQ(to_hex(Bytes(first, first + 32)), to_hex(stream));
    EXPECT_EQ(to_hex(Bytes(last, last + 32)), to_hex(sha256(stream + Bytes{5})));
}

struct Stream {
    Bytes got;
    size_t wanted;
};

int take(lk_sink_state *state, const uint8_t *block, size_t len)
{
    Stream &stream = *static_cast<Stream *>(state->out);
    EXPECT_LT(stream.got.size(), stream.wanted) << "called after completion";
    EXPECT_EQ(len % 3, 0u);
    EXPECT_EQ(len % 64, 0u);
    stream.got.insert(stream.got.end(), block, block + len);
    return stream.got.size() >= stream.wanted;
}

TEST_P(Jobs, Aes256CtrToSinks)
{
    const lk_sink sink = {take, nullptr, 0};
    const Bytes key = random.bytes(32);
    const uint8_t *kept = keep(key);
    std::vector<Stream> streams;
    for (size_t wanted = 1; wanted <= 3000; wanted += 61) streams.push_back({{}, wanted});
    std::vector<lk_job> jobs;
    for (Stream &stream : streams) {
        jobs.push_back(ctr_job(kept, {static_cast<uint8_t>(jobs.size()), 0x5a}));
        jobs.back().sink = &sink;
        jobs.back().state = {nullptr, &stream, 0};
    }
    run(jobs);
    for (size_t i = 0; i < streams.size(); i++)
        ASSERT_EQ(streams[i].got, key_stream(key, {static_cast<uint8_t>(i), 0x5a}, streams[i].got.size()));
}

TEST_P(Jobs, NoJobs)
{
    std::vector<lk_job> none;
    run(none);
}

LATKEM_FOR_EVERY_BACKEND(Jobs);

} // namespace
