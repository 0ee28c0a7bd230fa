// How deep the stack of each call goes: never deeper than the library says, and what it says fits small threads.
//
// A call runs on a thread with the test's own memory as its stack, painted before. The share of the thread itself,
// which a call that does nothing shows, is subtracted. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "calls.h"
#include "own_stack.h"

namespace
{

constexpr size_t small_thread = 131072; // what a thread of musl has
constexpr size_t single_limit = 65536, batch_limit = 98304;

// More than a group of any set and backend, so that batches below have groups of every size.
constexpr size_t batch = 9;

// The result of a call, and how deep its stack went.
struct Outcome {
    int result;
    size_t depth;
};

class Stack : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
#if !defined(__OPTIMIZE__)
        GTEST_SKIP() << "skipped: the figures are those of optimised code";
#endif
        if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
        stack_.run([] {});
        thread_ = stack_.depth();
    }

    // The second run counts: in the first the dynamic linker finds what the call calls. `renew` comes before each.
    Outcome measure(
        const std::function<int()> &call, const std::function<void()> &renew = [] {})
    {
        int result = 0;
        for (int i = 0; i < 2; i++) {
            renew();
            stack_.run([&] { result = call(); });
        }
        return {result, stack_.depth() - std::min(thread_, stack_.depth())};
    }

    OwnStack stack_;
    size_t thread_ = 0;
};

// Inputs of a batch: the same key and ciphertext in every place.
struct Batch {
    Bytes eks, dks, cts, sss;
};

Bytes repeat(const Bytes &bytes)
{
    Bytes all;
    for (size_t i = 0; i < batch; i++) all = all + bytes;
    return all;
}

TEST_P(Stack, OfSingleCallsIsWhatTheLibrarySays)
{
    EXPECT_LE(latkem_stack_bytes(kem), single_limit);
    for (const Call &call : calls_of(set())) {
        if (call.elements > 1) continue;
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        const Outcome run = measure([&] { return call.run(a); },
                                    [&] {
                                        memory.fill_inputs();
                                        a.rng.used = 0;
                                    });
        EXPECT_EQ(run.result, LATKEM_OK) << call.name;
        EXPECT_LE(run.depth, call.is_exchange() ? latkem_stack_bytes_batch(kem) : latkem_stack_bytes(kem)) << call.name;
    }
}

TEST_P(Stack, OfBatchesIsWhatTheLibrarySays)
{
    EXPECT_LE(latkem_stack_bytes_batch(kem), batch_limit);
    Stream stream("stack");
    const KeyPair keys = keypair(stream);
    const Encapsulation encapsulation = encaps(keys.ek, stream.bytes(sizes().coins));
    Batch b = {repeat(keys.ek), repeat(keys.dk), repeat(encapsulation.ct), repeat(encapsulation.ss)};
    const std::pair<const char *, std::function<int(size_t)>> calls[] = {
        {"keypair_batch", [&](size_t n) { return latkem_keypair_batch(kem, n, b.eks.data(), b.dks.data()); }},
        {"encaps_batch",
         [&](size_t n) { return latkem_encaps_batch(kem, n, b.cts.data(), b.sss.data(), b.eks.data()); }},
        {"decaps_batch",
         [&](size_t n) { return latkem_decaps_batch(kem, n, b.sss.data(), b.cts.data(), b.dks.data()); }},
    };
    for (const auto &[name, call] : calls)
        for (size_t n = 1; n <= batch; n += emulated() ? 4 : 1) {
            const Outcome run = measure([&, &one = call] { return one(n); });
            EXPECT_EQ(run.result, LATKEM_OK) << name << " of " << n;
            EXPECT_LE(run.depth, latkem_stack_bytes_batch(kem)) << name << " of " << n;
        }
}

TEST_P(Stack, SmallThreadsRunEveryCall)
{
    for (const Call &call : calls_of(set())) {
        CallMemory memory(set(), kem, call);
        Arguments a = memory.arguments();
        std::pair<const Call *, Arguments *> both = {&call, &a};
        pthread_attr_t attributes;
        pthread_t thread;
        ASSERT_EQ(pthread_attr_init(&attributes), 0);
        ASSERT_EQ(pthread_attr_setstacksize(&attributes, small_thread), 0);
        const auto start = [](void *p) -> void * {
            auto *pair = static_cast<std::pair<const Call *, Arguments *> *>(p);
            EXPECT_EQ(pair->first->run(*pair->second), LATKEM_OK) << pair->first->name;
            return nullptr;
        };
        ASSERT_EQ(pthread_create(&thread, &attributes, start, &both), 0);
        ASSERT_EQ(pthread_join(thread, nullptr), 0);
        pthread_attr_destroy(&attributes);
    }
}

LATKEM_FOR_EVERY_CASE(Stack);

} // namespace
