// The lane scheduler, on every backend and on synthetic kernels of 1, 2, 4 and 8 lanes that hold it to the contract:
// random mixtures of jobs against an independent sponge, and the number of permutations against the optimum.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <queue>

#include "backends.h"
#include "guarded.h"
#include "harness/model/crypto.h"
#include "synthetic_keccak.h"

namespace
{

struct Function {
    lk_hash hash;
    size_t rate;
    uint8_t suffix;
    size_t most_output; // 0: any
};

const Function sha3_256_function = {LK_SHA3_256, 136, 0x06, 32};
const Function sha3_512_function = {LK_SHA3_512, 72, 0x06, 64};
const Function shake128_function = {LK_SHAKE128, 168, 0x1f, 0};
const Function shake256_function = {LK_SHAKE256, 136, 0x1f, 0};
const Function *const functions[] = {&sha3_256_function, &sha3_512_function, &shake128_function, &shake256_function};

// The count for a job and for those that follow it alone.
uint32_t measure_of(const lk_job &job)
{
    uint32_t measure = job.measure;
    for (size_t i = 0; i < job.follower_count; i++) measure += measure_of(job.followers[i]);
    return measure;
}

// Runs with memory of exactly the size that the scheduler asked for.
void run(const lk_keccak_kernels &kernels, std::vector<lk_job> &jobs)
{
    const lk_symmetric symmetric = {&kernels, nullptr, nullptr};
    lk_arena counting = {nullptr, 0};
    ASSERT_EQ(lk_run_take(&counting, &symmetric, LK_SHAKE128).lanes, nullptr);
    Guarded<uint8_t> memory(counting.used, 0);
    lk_arena arena = {memory.out(), 0};
    const lk_run run = lk_run_take(&arena, &symmetric, LK_SHAKE128);
    ASSERT_EQ(arena.used, counting.used);
    uint32_t measure = 0;
    for (const lk_job &job : jobs) measure += measure_of(job);
    lk_run_begin(&run);
    lk_run_add(&run, jobs.data(), jobs.size());
    ASSERT_EQ(lk_run_stage(&run), 0);
    ASSERT_EQ(lk_run_done(&run), measure);
}

// A test sink's knowledge of its stream; state.out points to it.
struct Stream {
    Bytes got;
    size_t wanted_blocks, rate;
    const lk_sink *sink;
};

bool take_block(lk_sink_state *state, const Bytes &block)
{
    Stream &stream = *static_cast<Stream *>(state->out);
    EXPECT_LT(state->have, stream.wanted_blocks) << "called after completion";
    EXPECT_EQ(block.size(), stream.rate);
    stream.got = stream.got + block;
    return ++state->have == stream.wanted_blocks;
}

// Three sinks, which differ in their functions: one that takes bytes, two that read interleaved states.
// Their expected length gives streams of every short message one rank.
extern const lk_sink sinks[3];

// Blocks of each sink that came as bytes since it was last cleared.
std::array<size_t, 3> untangled;

template <size_t Which> int take_bytes(lk_sink_state *state, const uint8_t *block, size_t len)
{
    EXPECT_EQ(static_cast<Stream *>(state->out)->sink, &sinks[Which]);
    untangled[Which]++;
    return take_block(state, Bytes(block, block + len));
}

template <size_t Which>
uint32_t take_lanes(lk_sink_state *const *state, uint32_t mask, const uint64_t *words, size_t lanes, size_t rate)
{
    uint32_t complete = 0;
    EXPECT_NE(mask, 0u);
    EXPECT_EQ(mask >> lanes, 0u);
    for (size_t l = 0; l < lanes; l++) {
        if (!(mask >> l & 1)) continue;
        EXPECT_EQ(static_cast<Stream *>(state[l]->out)->sink, &sinks[Which]);
        Bytes block(rate);
        for (size_t i = 0; i < rate; i++) block[i] = static_cast<uint8_t>(words[i / 8 * lanes + l] >> 8 * (i % 8));
        complete |= static_cast<uint32_t>(take_block(state[l], block)) << l;
    }
    return complete;
}

const lk_sink sinks[3] = {
    {take_bytes<0>, nullptr, 400}, {take_bytes<1>, take_lanes<1>, 400}, {take_bytes<2>, take_lanes<2>, 400}};

// A job with its memory and what must come out.
class Hashing
{
  public:
    // The head is two pieces of the message, the body all the rest.
    Hashing(const Function &function, const Bytes &message, std::array<size_t, 2> pieces, size_t output)
        : function_(function), message_(message), output_(output), out_(output)
    {
        const size_t head = pieces[0] + pieces[1], rest = message.size() - head;
        body_ = std::make_unique<GuardedCopy>(slice(message, head, rest));
        lk_job_make(&job_, function.hash, out_.out(), output, rest == 0 ? nullptr : body_->in(), rest);
        lk_job_head(&job_, message.data(), pieces[0]);
        lk_job_head(&job_, message.data() + pieces[0], pieces[1]);
    }

    // The stream goes to a sink that wants a number of blocks.
    void use_sink(const lk_sink &sink, size_t blocks)
    {
        stream_ = {{}, blocks, function_.rate, &sink};
        lk_job_sink(&job_, &sink, nullptr, &stream_, 0);
        output_ = blocks * function_.rate;
    }

    const lk_job &job() const
    {
        return job_;
    }

    // How often the job's state is permuted: the last message block already yields output.
    size_t permutations() const
    {
        const size_t given = output_ == 0 ? 1 : (output_ + function_.rate - 1) / function_.rate;
        return message_.size() / function_.rate + given;
    }

    void check()
    {
        Sponge sponge(function_.rate, function_.suffix);
        sponge.absorb(message_);
        const Bytes got = job_.sink ? stream_.got : Bytes(out_.out(), out_.out() + output_);
        ASSERT_EQ(to_hex(got), to_hex(sponge.squeeze(output_)))
            << "rate " << function_.rate << ", message of " << int{job_.head_len} << " + " << job_.body_len << " bytes";
    }

  private:
    struct GuardedCopy : Guarded<uint8_t> {
        explicit GuardedCopy(const Bytes &bytes) : Guarded(bytes.data(), bytes.size(), next_byte_offset())
        {
        }
    };
    struct GuardedOutput : Guarded<uint8_t> {
        explicit GuardedOutput(size_t size) : Guarded(size, next_byte_offset())
        {
        }
    };

    const Function &function_;
    Bytes message_;
    size_t output_;
    std::unique_ptr<GuardedCopy> body_;
    GuardedOutput out_;
    lk_job job_;
    Stream stream_;
};

using HashingList = std::vector<std::unique_ptr<Hashing>>;

Bytes shake(const Function &function, const Bytes &message, size_t output)
{
    Sponge sponge(function.rate, function.suffix);
    sponge.absorb(message);
    return sponge.squeeze(output);
}

void run_and_check(const lk_keccak_kernels &kernels, const HashingList &list)
{
    std::vector<lk_job> jobs;
    for (const auto &hashing : list) jobs.push_back(hashing->job());
    used_lanes.clear();
    ASSERT_NO_FATAL_FAILURE(run(kernels, jobs));
    for (const auto &hashing : list) ASSERT_NO_FATAL_FAILURE(hashing->check());
}

struct Kernels {
    std::string name;
    const lk_keccak_kernels *table;
};

void PrintTo(const Kernels &kernels, std::ostream *os)
{
    *os << kernels.name;
}

std::vector<Kernels> synthetic_kernels()
{
    return {{"synthetic1", &Synthetic<1>::table},
            {"synthetic2", &Synthetic<2>::table},
            {"synthetic4", &Synthetic<4>::table},
            {"synthetic8", &Synthetic<8>::table}};
}

std::vector<Kernels> all_kernels()
{
    std::vector<Kernels> list = synthetic_kernels();
    for (const lk_backend *backend : backends()) list.push_back({backend->name, backend->symmetric.keccak});
    return list;
}

std::string kernels_name(const testing::TestParamInfo<Kernels> &info)
{
    return test_name(info.param.name);
}

class Lanes : public testing::TestWithParam<Kernels>
{
  protected:
    // Any head in two pieces, often the whole message where that fits.
    std::array<size_t, 2> random_split(size_t length)
    {
        const size_t most = std::min<size_t>(length, LK_JOB_HEAD_MAX);
        const size_t head = random.below(3) == 0 ? most : random.below(most + 1), first = random.below(head + 1);
        return {first, head - first};
    }

    std::unique_ptr<Hashing> hashing(const Function &function, size_t length, size_t output)
    {
        return std::make_unique<Hashing>(function, random.bytes(length), random_split(length), output);
    }

    std::unique_ptr<Hashing> random_hashing()
    {
        const Function &function = *functions[random.below(4)];
        const size_t length = random.below(3) == 0 ? function.rate * random.below(4) : random.below(601);
        auto result = hashing(function, length, 1 + random.below(function.most_output ? function.most_output : 600));
        if (!function.most_output && random.below(2) == 0)
            result->use_sink(sinks[random.below(3)], 1 + random.below(6));
        return result;
    }

    const lk_keccak_kernels &kernels = *GetParam().table;
    Random random{11};
};

// The scheduler counts what was done: kernels that did not run leave something to be done.
size_t no_permutation(uint64_t *states, size_t)
{
    return reinterpret_cast<uintptr_t>(states); // what a register held
}

bool squeezes;

size_t no_squeeze(uint8_t *const *blocks, const uint64_t *, const uint8_t *)
{
    squeezes = true;
    return reinterpret_cast<uintptr_t>(blocks);
}

TEST_P(Lanes, KernelsThatDidNotRunAreNotCounted)
{
    lk_keccak_kernels permutes_not = kernels, squeezes_not = kernels;
    permutes_not.permute = no_permutation;
    squeezes_not.squeeze = no_squeeze;
    squeezes = false; // the small build's scheduler reads the state in place
    for (const lk_keccak_kernels *broken : {&permutes_not, &squeezes_not}) {
        const lk_symmetric symmetric = {broken, nullptr, nullptr};
        const auto only = hashing(sha3_256_function, 64, 32);
        lk_job job = only->job();
        lk_arena counting = {nullptr, 0};
        lk_run_take(&counting, &symmetric, LK_SHA3_256);
        Guarded<uint8_t> memory(counting.used, 0);
        lk_arena arena = {memory.out(), 0};
        const lk_run run = lk_run_take(&arena, &symmetric, LK_SHA3_256);
        lk_run_begin(&run);
        lk_run_add(&run, &job, 1);
        ASSERT_EQ(lk_run_stage(&run), 0);
        if (broken == &permutes_not || squeezes) {
            EXPECT_NE(lk_run_done(&run), job.measure);
        }
    }
}

TEST_P(Lanes, EveryMessageLength)
{
    for (const Function *function : functions) {
        HashingList list;
        for (size_t length = 0; length <= 600; length++) list.push_back(hashing(*function, length, 32));
        run_and_check(kernels, list);
    }
}

// The block boundary and the padding meet every length of head and body.
TEST_P(Lanes, EverySplitAroundTheRate)
{
    for (const Function *function : functions) {
        HashingList list;
        for (size_t length : {function->rate - 1, function->rate, function->rate + 1, 2 * function->rate})
            for (size_t head = 0; head <= LK_JOB_HEAD_MAX; head++)
                list.push_back(
                    std::make_unique<Hashing>(*function, random.bytes(length), std::array<size_t, 2>{head, 0}, 32));
        run_and_check(kernels, list);
    }
}

TEST_P(Lanes, EveryOutputLength)
{
    for (const Function *function : functions) {
        HashingList list;
        const size_t most = function->most_output ? function->most_output : 600;
        for (size_t output = 1; output <= most; output++) list.push_back(hashing(*function, 34, output));
        run_and_check(kernels, list);
    }
}

TEST_P(Lanes, EverySinkAndNumberOfBlocks)
{
    HashingList list;
    for (const Function *function : {&shake128_function, &shake256_function})
        for (const lk_sink &sink : sinks)
            for (size_t blocks = 1; blocks <= 6; blocks++) {
                list.push_back(hashing(*function, 34, 0));
                list.back()->use_sink(sink, blocks);
            }
    run_and_check(kernels, list);
}

// One kind of stream is never untangled, if its sink reads interleaved states.
TEST_P(Lanes, OneSinkReadsInterleavedStates)
{
    HashingList list;
    for (size_t blocks = 1; blocks <= 6; blocks++) {
        list.push_back(hashing(shake128_function, 34, 0));
        list.back()->use_sink(sinks[2], blocks);
        list.push_back(hashing(shake128_function, 34, 32));
    }
    untangled = {};
    run_and_check(kernels, list);
    EXPECT_EQ(untangled[2], 0u);
}

TEST_P(Lanes, RandomMixtures)
{
    for (int i = 0; i < draws(300); i++) {
        HashingList list;
        for (size_t n = 1 + random.below(24); n > 0; n--) list.push_back(random_hashing());
        ASSERT_NO_FATAL_FAILURE(run_and_check(kernels, list));
    }
}

// One computation as a sequence of jobs, cut at random where blocks end.
class Parts
{
  public:
    Parts(const Function &function, Random &random)
        : function_(function), head_(random.bytes(random.below(LK_JOB_HEAD_MAX + 1))),
          body_(random.bytes(1 + random.below(600))),
          out_(function.most_output ? function.most_output : 1 + random.below(900))
    {
    }

    // Makes the next part; returns false if there is none.
    bool next(lk_job &job, Random &random)
    {
        const bool resumes = read_ > 0;
        if (given_ == out_.size()) return false;
        if (read_ == head_.size() + body_.size())
            read_more(job, read_, 0);
        else
            read_more(job, next_end(random, read_, head_.size() + body_.size() - 1), resumes ? 0 : head_.size());
        if (read_ == head_.size() + body_.size()) {
            job.out = out_.data() + given_;
            job.out_len = std::min(out_.size() - given_, function_.rate * (1 + random.below(3)));
            job.measure = LK_JOB_COUNT(1, job.out_len);
            given_ += job.out_len;
        }
        const unsigned goes_on = given_ < out_.size() ? LK_JOB_GOES_ON : 0;
        lk_job_part(&job, kept_.data(), goes_on | (resumes ? LK_JOB_RESUMES : 0));
        return true;
    }

    void check() const
    {
        EXPECT_EQ(to_hex(out_), to_hex(shake(function_, head_ + body_, out_.size())));
    }

  private:
    // The end of a whole block behind `from` and before the last byte, or the end of the message.
    size_t next_end(Random &random, size_t from, size_t last) const
    {
        const size_t end = from + function_.rate * (1 + random.below(3));
        return end <= last ? end : last + 1;
    }

    void read_more(lk_job &job, size_t end, size_t head)
    {
        const size_t begin = read_ + head - head_.size();
        lk_job_make(&job, function_.hash, nullptr, 0, read_ < end ? body_.data() + begin : nullptr,
                    read_ < end ? end - head_.size() - begin : 0);
        lk_job_head(&job, head_.data(), head);
        read_ = end;
    }

    const Function &function_;
    Bytes head_, body_, out_;
    size_t read_ = 0, given_ = 0;
    std::array<uint64_t, LK_JOB_STATE_WORDS> kept_{};
};

TEST_P(Lanes, Parts)
{
    for (int i = 0; i < 100; i++) {
        std::vector<Parts> computations;
        std::vector<lk_job> jobs;
        for (size_t n = 1 + random.below(12); n > 0; n--)
            computations.emplace_back(*functions[random.below(4)], random);
        do {
            const auto beside = hashing(shake128_function, random.below(400), 1 + random.below(400));
            jobs.clear();
            for (Parts &parts : computations)
                if (lk_job job; parts.next(job, random)) jobs.push_back(job);
            jobs.push_back(beside->job());
            ASSERT_NO_FATAL_FAILURE(run(kernels, jobs));
            ASSERT_NO_FATAL_FAILURE(beside->check());
        } while (jobs.size() > 1);
        for (const Parts &parts : computations) parts.check();
    }
}

// Streams that are one job, with what must come out.
class Streams
{
  public:
    Streams(const Function &function, const uint8_t *seed, size_t nonce_len, size_t count, Random &random)
        : function_(function), seed_(seed), nonce_len_(nonce_len), nonces_(count)
    {
        lk_job_streams(&job, function.hash, seed, nonce_len);
        for (size_t &nonce : nonces_) {
            nonce = random.below(size_t{1} << 8 * nonce_len);
            lk_job_stream(&job, static_cast<unsigned>(nonce));
        }
    }

    void use_memory(size_t bytes)
    {
        bytes_ = bytes;
        out_ = std::make_unique<Guarded<uint8_t>>(bytes * nonces_.size(), next_byte_offset());
        lk_job_out(&job, out_->out(), bytes);
    }

    void use_sink(const lk_sink &sink, size_t blocks)
    {
        bytes_ = blocks * function_.rate;
        streams_.assign(nonces_.size(), {{}, blocks, function_.rate, &sink});
        lk_job_sink(&job, &sink, nullptr, streams_.data(), sizeof(Stream));
    }

    void check() const
    {
        for (size_t i = 0; i < nonces_.size(); i++) {
            Bytes message(seed_, seed_ + 32);
            for (size_t b = 0; b < nonce_len_; b++) message.push_back(static_cast<uint8_t>(nonces_[i] >> 8 * b));
            const Bytes wanted = shake(function_, message, bytes_);
            const Bytes got = streams_.empty() ? Bytes(out_->out() + bytes_ * i, out_->out() + bytes_ * (i + 1))
                                               : streams_[i].got;
            ASSERT_EQ(to_hex(got), to_hex(wanted)) << "stream " << i << " of " << nonces_.size();
        }
    }

    lk_job job;

  private:
    const Function &function_;
    const uint8_t *seed_;
    size_t nonce_len_, bytes_ = 0;
    std::vector<size_t> nonces_;
    std::unique_ptr<Guarded<uint8_t>> out_;
    std::vector<Stream> streams_;
};

std::unique_ptr<Streams> random_streams(const uint8_t *seed, Random &random)
{
    const Function &function = random.below(2) ? shake128_function : shake256_function;
    auto streams = std::make_unique<Streams>(function, seed, 1 + random.below(2), 1 + random.below(LK_STREAMS_MAX),
                                             random);
    if (random.below(2))
        streams->use_memory(1 + random.below(600));
    else
        streams->use_sink(sinks[random.below(3)], 1 + random.below(6));
    return streams;
}

// Several jobs of streams, from seeds of any alignment, beside others.
TEST_P(Lanes, StreamsOfOneSeed)
{
    for (int i = 0; i < draws(200); i++) {
        std::vector<std::unique_ptr<Guarded<uint8_t>>> seeds;
        std::vector<std::unique_ptr<Streams>> list;
        std::vector<lk_job> jobs;
        const auto beside = random_hashing();
        for (size_t n = 1 + random.below(4); n > 0; n--) {
            seeds.push_back(std::make_unique<Guarded<uint8_t>>(random.bytes(32).data(), 32, next_byte_offset()));
            list.push_back(random_streams(seeds.back()->in(), random));
            jobs.push_back(list.back()->job);
        }
        jobs.push_back(beside->job());
        ASSERT_NO_FATAL_FAILURE(run(kernels, jobs));
        for (const auto &streams : list) ASSERT_NO_FATAL_FAILURE(streams->check());
        ASSERT_NO_FATAL_FAILURE(beside->check());
    }
}

// Trees of jobs, each reading what the one before wrote, as its body or as its seed, beside streams of other lengths.
TEST_P(Lanes, Followers)
{
    constexpr size_t trees = 5, leaves = 3;
    for (int round = 0; round < 20; round++) {
        std::vector<Bytes> roots(trees), stems(trees, Bytes(32)), branches(trees, Bytes(64)), streams(trees);
        std::vector<std::unique_ptr<Streams>> ends;
        std::vector<lk_job> jobs(2 * trees), branch_jobs(trees), leaf_jobs(trees * leaves);
        for (size_t t = 0; t < trees; t++) {
            roots[t] = random.bytes(1 + random.below(500));
            streams[t].resize(1 + random.below(1500));
            lk_job_make(&jobs[t], LK_SHAKE128, streams[t].data(), streams[t].size(), roots[t].data(), 1);
            lk_job *stem = &jobs[trees + t], *branch = &branch_jobs[t], *leaf = &leaf_jobs[leaves * t];
            lk_job_make(stem, LK_SHA3_256, stems[t].data(), 32, roots[t].data(), roots[t].size());
            lk_job_make(branch, LK_SHA3_512, branches[t].data(), 64, stems[t].data(), 32);
            for (size_t i = 0; i < leaves; i++) {
                ends.push_back(random_streams(branches[t].data() + 32, random));
                leaf[i] = ends.back()->job;
            }
            lk_job_then(stem, branch, 1);
            lk_job_then(branch, leaf, leaves);
        }
        ASSERT_NO_FATAL_FAILURE(run(kernels, jobs));
        for (size_t t = 0; t < trees; t++) {
            ASSERT_EQ(to_hex(streams[t]), to_hex(shake(shake128_function, slice(roots[t], 0, 1), streams[t].size())));
            ASSERT_EQ(to_hex(stems[t]), to_hex(shake(sha3_256_function, roots[t], 32)));
            ASSERT_EQ(to_hex(branches[t]), to_hex(shake(sha3_512_function, stems[t], 64)));
        }
        for (const auto &leaf : ends) ASSERT_NO_FATAL_FAILURE(leaf->check());
    }
}

// A follower waits for the last of its leaders, whichever that is.
TEST_P(Lanes, TwoLeaders)
{
    for (const std::array<size_t, 2> lengths : {std::array<size_t, 2>{20, 500}, {500, 20}}) {
        Bytes both(64), out(32);
        const Bytes messages[2] = {random.bytes(lengths[0]), random.bytes(lengths[1])};
        lk_job jobs[2], follower;
        lk_job_make(&follower, LK_SHA3_256, out.data(), out.size(), both.data(), both.size());
        for (size_t i = 0; i < 2; i++) {
            lk_job_make(&jobs[i], LK_SHA3_256, both.data() + 32 * i, 32, messages[i].data(), messages[i].size());
            lk_job_then(&jobs[i], &follower, 1);
        }
        const lk_symmetric symmetric = {&kernels, nullptr, nullptr};
        lk_arena counting = {nullptr, 0};
        lk_run_take(&counting, &symmetric, LK_SHA3_256);
        Guarded<uint8_t> memory(counting.used, 0);
        lk_arena arena = {memory.out(), 0};
        const lk_run run = lk_run_take(&arena, &symmetric, LK_SHA3_256);
        lk_run_begin(&run);
        lk_run_add(&run, jobs, 2);
        ASSERT_EQ(lk_run_stage(&run), 0);
        ASSERT_EQ(lk_run_done(&run), 3 * jobs[0].measure);
        ASSERT_EQ(to_hex(out), to_hex(shake(sha3_256_function, both, 32)));
    }
}

// Jobs in stages, with their memory.
class Stages
{
  public:
    // Job i ends with stage ends[i].
    Stages(const lk_keccak_kernels &kernels, const HashingList &list, const std::vector<size_t> &ends)
        : symmetric_{&kernels, nullptr, nullptr}
    {
        lk_arena counting = {nullptr, 0};
        lk_run_take(&counting, &symmetric_, LK_SHAKE128);
        memory_ = std::make_unique<Guarded<uint8_t>>(counting.used, 0);
        lk_arena arena = {memory_->out(), 0};
        run_ = lk_run_take(&arena, &symmetric_, LK_SHAKE128);
        for (size_t i = 0; i < list.size(); i++) {
            jobs_.push_back(list[i]->job());
            lk_job_later(&jobs_.back(), ends[i]);
        }
        lk_run_begin(&run_);
        lk_run_add(&run_, jobs_.data(), jobs_.size());
    }

    void add(lk_job &job)
    {
        lk_run_add(&run_, &job, 1);
    }

    bool next()
    {
        return lk_run_stage(&run_);
    }

  private:
    lk_symmetric symmetric_;
    std::unique_ptr<Guarded<uint8_t>> memory_;
    std::vector<lk_job> jobs_;
    lk_run run_;
};

// With a stage its jobs are complete; a computation in parts goes on beside those of later stages, part by part.
TEST_P(Lanes, StagesThatAreAddedTo)
{
    for (int i = 0; i < draws(200); i++) {
        HashingList list;
        std::vector<size_t> ends;
        for (size_t n = 1 + random.below(24); n > 0; n--) {
            list.push_back(random_hashing());
            ends.push_back((ends.empty() ? 0 : ends.back()) + random.below(3) / 2);
        }
        Stages stages(kernels, list, ends);
        Parts parts(*functions[random.below(4)], random);
        lk_job part;
        for (size_t stage = 0, more = 1; more || stage <= ends.back(); stage++) {
            more = parts.next(part, random);
            if (more) stages.add(part);
            ASSERT_EQ(stages.next(), stage < ends.back());
            for (size_t j = 0; j < list.size() && ends[j] <= stage; j++) ASSERT_NO_FATAL_FAILURE(list[j]->check());
        }
        parts.check();
    }
}

// A follower belongs to the stage of its job.
TEST_P(Lanes, StagesEndWithFollowers)
{
    const HashingList later = [this] {
        HashingList list;
        list.push_back(hashing(shake128_function, 34, 2000));
        return list;
    }();
    Stages stages(kernels, later, {1});
    const Bytes root = random.bytes(10);
    Bytes stem(32), leaf(32);
    std::array<lk_job, 2> chain;
    lk_job_make(&chain[0], LK_SHA3_256, stem.data(), 32, root.data(), root.size());
    lk_job_make(&chain[1], LK_SHA3_256, leaf.data(), 32, stem.data(), stem.size());
    lk_job_then(&chain[0], &chain[1], 1);
    stages.add(chain[0]);
    EXPECT_TRUE(stages.next());
    EXPECT_EQ(to_hex(leaf), to_hex(shake(sha3_256_function, shake(sha3_256_function, root, 32), 32)));
    EXPECT_FALSE(stages.next());
    later[0]->check();
}

TEST_P(Lanes, NoJobs)
{
    std::vector<lk_job> none;
    used_lanes.clear();
    run(kernels, none);
    EXPECT_TRUE(used_lanes.empty());
}

INSTANTIATE_TEST_SUITE_P(Every, Lanes, testing::ValuesIn(all_kernels()), kernels_name);

// How well the lanes are filled, which only the synthetic kernels show.
class LaneFilling : public Lanes
{
  protected:
    // A job of so many permutations: a message of one block and a stream of blocks.
    std::unique_ptr<Hashing> stream_of(size_t permutations)
    {
        auto result = hashing(shake128_function, 34, 0);
        result->use_sink(sinks[0], permutations);
        return result;
    }

    HashingList streams(const std::vector<size_t> &lengths)
    {
        HashingList list;
        for (size_t length : lengths) list.push_back(stream_of(length));
        return list;
    }
};

// Lanes in use at each step when each waiting job starts in the first lane that becomes free.
std::vector<size_t> ideal_use(const HashingList &list, size_t lanes)
{
    std::priority_queue<size_t, std::vector<size_t>, std::greater<size_t>> ends; // of the jobs in the lanes
    std::vector<size_t> use;
    for (const auto &hashing : list) {
        size_t begin = 0;
        if (ends.size() == lanes) {
            begin = ends.top();
            ends.pop();
        }
        const size_t end = begin + hashing->permutations();
        ends.push(end);
        if (use.size() < end) use.resize(end);
        for (size_t step = begin; step < end; step++) use[step]++;
    }
    return use;
}

// The scheduler's order: the longest first.
HashingList by_rank(HashingList list)
{
    const auto rank = [](const std::unique_ptr<Hashing> &hashing) { return lk_job_rank(&hashing->job()); };
    std::stable_sort(list.begin(), list.end(), [&](const auto &a, const auto &b) { return rank(a) > rank(b); });
    return list;
}

TEST_P(LaneFilling, RandomMixturesTakeNoStepMoreThanNeeded)
{
    for (int i = 0; i < 100; i++) {
        HashingList list;
        for (size_t n = 1 + random.below(24); n > 0; n--) list.push_back(random_hashing());
        ASSERT_NO_FATAL_FAILURE(run_and_check(kernels, list));
        ASSERT_EQ(used_lanes, ideal_use(by_rank(std::move(list)), kernels.lanes));
    }
}

// Each job ends with a stage of its own, but the first keeps its place: of the present stage are none but it.
TEST_P(LaneFilling, StagesTakeNoStep)
{
    for (int i = 0; i < 100; i++) {
        HashingList list;
        std::vector<size_t> ends;
        for (size_t n = 1 + random.below(24); n > 0; n--) {
            ends.push_back(list.size());
            list.push_back(random_hashing());
        }
        Stages stages(kernels, list, ends);
        used_lanes.clear();
        while (stages.next()) continue;
        ASSERT_EQ(used_lanes, ideal_use(list, kernels.lanes));
    }
}

// A job of the present stage takes the first lane that is vacant.
TEST_P(LaneFilling, AddedJobsComeBeforeLaterStages)
{
    const HashingList list = streams({2, 4, 4, 4, 4, 4, 4, 4, 4, 4}), added = streams({3});
    Stages stages(kernels, list, {0, 2, 2, 2, 2, 2, 2, 2, 2, 2});
    used_lanes.clear();
    stages.next();
    ASSERT_EQ(used_lanes.size(), 2u);
    lk_job job = added[0]->job();
    stages.add(job);
    stages.next();
    ASSERT_EQ(used_lanes.size(), 5u);
    added[0]->check();
    while (stages.next()) continue;
    for (const auto &hashing : list) hashing->check();
}

INSTANTIATE_TEST_SUITE_P(Every, LaneFilling, testing::ValuesIn(synthetic_kernels()), kernels_name);

// ---- Lanes that are left vacant ----

// Kernels of eight lanes; four are faster.
class NarrowLanes : public LaneFilling
{
  protected:
    // Of jobs of so many permutations.
    std::vector<size_t> use_of(const std::vector<size_t> &lengths)
    {
        HashingList list;
        for (size_t length : lengths) list.push_back(hashing(shake128_function, 34, 168 * length));
        run_and_check(kernels, list);
        return used_lanes;
    }

    static std::vector<size_t> use(std::initializer_list<std::pair<size_t, size_t>> steps_of_lanes)
    {
        std::vector<size_t> all;
        for (const auto &[steps, lanes] : steps_of_lanes) all.insert(all.end(), steps, lanes);
        return all;
    }
};

// The longest job leaves three lanes time for the others, but for one permutation in the second case.
TEST_P(NarrowLanes, FourAreTakenWhereTheyAreEnough)
{
    EXPECT_EQ(use_of({9, 3, 3, 3, 3, 3, 3, 3, 3, 3}), use({{9, 4}}));
    EXPECT_EQ(use_of({9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1}), use({{1, 5}, {8, 4}}));
    EXPECT_EQ(use_of({6, 3, 3, 3, 3}), use({{3, 4}, {3, 2}}));
    EXPECT_EQ(use_of({1, 1, 1, 1, 1}), use({{1, 5}}));
}

// When eight lanes have done their part, four are enough for the rest.
TEST_P(NarrowLanes, FourAreTakenOnceTheyAreEnough)
{
    const std::vector<size_t> use = use_of({12, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3});
    ASSERT_EQ(use, NarrowLanes::use({{3, 8}, {9, 4}}));
}

// As in decapsulation: of 53 permutations in nine steps four lanes leave 17, so five steps at least are wide.
TEST_P(NarrowLanes, WideLanesTakeTheShortest)
{
    EXPECT_EQ(use_of({9, 9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1}), use({{2, 8}, {3, 7}, {4, 4}}));
}

TEST_P(NarrowLanes, RandomMixtures)
{
    for (int i = 0; i < 300; i++) {
        HashingList list;
        for (size_t n = 1 + random.below(24); n > 0; n--) list.push_back(random_hashing());
        ASSERT_NO_FATAL_FAILURE(run_and_check(kernels, list));
    }
}

INSTANTIATE_TEST_SUITE_P(Eight, NarrowLanes, testing::Values(Kernels{"synthetic8_narrow4", &Synthetic<8>::with_narrow}),
                         kernels_name);

using Use = std::vector<size_t>;

class KnownLaneFilling : public LaneFilling
{
};

TEST_P(KnownLaneFilling, LongestFirst)
{
    run_and_check(kernels, streams({9, 3, 3, 3, 3, 3, 3, 3, 3, 3}));
    EXPECT_EQ(used_lanes, (Use{8, 8, 8, 3, 3, 3, 1, 1, 1}));
}

TEST_P(KnownLaneFilling, EightEqualJobsAreOneGroup)
{
    run_and_check(kernels, streams(Use(8, 3)));
    EXPECT_EQ(used_lanes, (Use{8, 8, 8}));
}

// Followers take lanes again that were given up.
TEST_P(KnownLaneFilling, FollowersSpread)
{
    HashingList list = streams({4, 1});
    const HashingList leaves = streams(Use(9, 2));
    std::vector<lk_job> jobs = {list[0]->job(), list[1]->job()}, followers;
    for (const auto &leaf : leaves) followers.push_back(leaf->job());
    lk_job_then(&jobs[1], followers.data(), followers.size());
    used_lanes.clear();
    run(kernels, jobs);
    EXPECT_EQ(used_lanes, (Use{2, 8, 8, 3, 2}));
}

TEST_P(KnownLaneFilling, LanesAreRefilledAtOnce)
{
    run_and_check(kernels, streams({2, 3, 3, 3, 3, 3, 3, 3, 1, 4}));
    EXPECT_EQ(used_lanes, (Use{8, 8, 8, 1, 1, 1, 1}));
}

// Encapsulation with ML-KEM-768 (without noise): H(ek) takes nine blocks beside nine entries of the matrix. It begins first,
// though it comes last.
TEST_P(KnownLaneFilling, HashOfTheKeyBesideTheMatrix)
{
    HashingList list;
    for (int i = 0; i < 9; i++) list.push_back(stream_of(3));
    list.push_back(hashing(sha3_256_function, 1184, 32));
    run_and_check(kernels, list);
    EXPECT_EQ(used_lanes, (Use{8, 8, 8, 3, 3, 3, 1, 1, 1}));
}

// A job that another follows begins before longer ones.
TEST_P(KnownLaneFilling, LeadersComeFirst)
{
    HashingList list = streams(Use(8, 4)), chain = streams({1, 3});
    std::vector<lk_job> jobs;
    for (const auto &hashing : list) jobs.push_back(hashing->job());
    lk_job follower = chain[1]->job();
    jobs.push_back(chain[0]->job());
    lk_job_then(&jobs.back(), &follower, 1);
    used_lanes.clear();
    run(kernels, jobs);
    EXPECT_EQ(used_lanes, (Use{8, 8, 8, 8, 1, 1, 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(Eight, KnownLaneFilling, testing::Values(synthetic_kernels().back()), kernels_name);

} // namespace
