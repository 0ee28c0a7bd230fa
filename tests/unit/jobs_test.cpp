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
        uint32_t measure = 0;
        for (const lk_job &job : jobs) measure += job.measure;
        lk_run_add(&run, jobs.data(), jobs.size());
        ASSERT_EQ(lk_run_stage(&run), 0);
        ASSERT_EQ(lk_run_done(&run), measure);
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

    // Streams in counter mode, with nonces of the same length.
    lk_job ctr_job(const uint8_t *key, const std::vector<Bytes> &nonces)
    {
        lk_job job;
        lk_job_streams(&job, LK_AES256_CTR, key, nonces[0].size());
        for (const Bytes &nonce : nonces)
            lk_job_stream(&job, nonce[0] | (nonce.size() > 1 ? unsigned{nonce[1]} << 8 : 0));
        return job;
    }

    std::vector<Bytes> random_nonces(size_t most)
    {
        const size_t length = 1 + random.below(2);
        std::vector<Bytes> nonces(1 + random.below(most));
        for (Bytes &nonce : nonces) nonce = random.bytes(length);
        return nonces;
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

// Keys that change and keys that stay from job to job, nonces of one and two bytes.
TEST_P(Jobs, Aes256CtrToMemory)
{
    const Bytes keys[] = {random.bytes(32), random.bytes(32)};
    const uint8_t *kept[] = {keep(keys[0]), keep(keys[1])};
    std::vector<lk_job> jobs;
    std::vector<Bytes> expected;
    for (size_t blocks = 1; blocks <= 40; blocks++) {
        const size_t which = random.below(2);
        const std::vector<Bytes> nonces = random_nonces(LK_STREAMS_MAX);
        jobs.push_back(ctr_job(kept[which], nonces));
        lk_job_out(&jobs.back(), output(16 * blocks * nonces.size()), 16 * blocks);
        expected.emplace_back();
        for (const Bytes &nonce : nonces)
            expected.back() = expected.back() + key_stream(keys[which], nonce, 16 * blocks);
    }
    run(jobs);
    for (size_t i = 0; i < jobs.size(); i++)
        ASSERT_EQ(to_hex(Bytes(jobs[i].out, jobs[i].out + expected[i].size())), to_hex(expected[i]));
}

// A key that another job makes, and followers of followers.
TEST_P(Jobs, Followers)
{
    const Bytes message = random.bytes(100);
    uint8_t *digest = output(64), *first = output(32), *last = output(32);
    std::vector<lk_job> jobs(3);
    const uint8_t nonce[] = {5};
    lk_job_make(&jobs[0], LK_SHA512, digest, 64, keep(message), message.size());
    lk_job_make(&jobs[1], LK_SHA256, first, 32, digest, 64);
    lk_job_head(&jobs[1], nonce, 1);
    jobs[2] = ctr_job(first, {{5}});
    lk_job_out(&jobs[2], last, 32);
    lk_job_then(&jobs[0], &jobs[1], 1);
    lk_job_then(&jobs[1], &jobs[2], 1);
    run(jobs);
    const Bytes hash = sha512(message), key = sha256(Bytes{5} + hash);
    EXPECT_EQ(to_hex(Bytes(digest, digest + 64)), to_hex(hash));
    EXPECT_EQ(to_hex(Bytes(first, first + 32)), to_hex(key));
    EXPECT_EQ(to_hex(Bytes(last, last + 32)), to_hex(key_stream(key, {5}, 32)));
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
    std::vector<std::vector<Bytes>> nonces;
    std::vector<std::vector<Stream>> streams;
    std::vector<lk_job> jobs;
    for (size_t wanted = 1; wanted <= 3000; wanted += 61) {
        nonces.push_back(random_nonces(4));
        streams.emplace_back(nonces.back().size(), Stream{{}, wanted});
        jobs.push_back(ctr_job(kept, nonces.back()));
        lk_job_sink(&jobs.back(), &sink, nullptr, streams.back().data(), sizeof(Stream));
    }
    run(jobs);
    for (size_t j = 0; j < jobs.size(); j++)
        for (size_t i = 0; i < nonces[j].size(); i++)
            ASSERT_EQ(streams[j][i].got, key_stream(key, nonces[j][i], streams[j][i].got.size()));
}

TEST_P(Jobs, NoJobs)
{
    std::vector<lk_job> none;
    run(none);
}

LATKEM_FOR_EVERY_BACKEND(Jobs);

} // namespace
