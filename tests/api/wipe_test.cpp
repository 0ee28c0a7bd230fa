// Secrets do not stay behind on the stack. Each operation runs on a thread whose stack is the test's own memory, which is
// then searched for every secret value of the operation (secrets.h): seeds, coins, hash outputs, noise and shared secrets
// as bytes, and polynomials packed and as coefficients.
//
// The search sees memory, not registers, and values in the forms listed here, not in every form that a kernel may give
// them on the way.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <cstring>
#include <functional>

#include "crypto.h"
#include "kem_test.h"
#include "secrets.h"
#include "system_rng.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATKEM_INSTRUMENTED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LATKEM_INSTRUMENTED 1
#endif

namespace
{

#if defined(LATKEM_INSTRUMENTED)
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

constexpr size_t stack_size = size_t{1} << 20;
constexpr size_t page = 65536; // at least a page on every platform
constexpr uint8_t fill = 0xa5;

// Stack memory that outlives the thread which ran on it.
class OwnStack
{
  public:
    OwnStack() : memory_(stack_size + page)
    {
    }

    void run(const std::function<void()> &body)
    {
        std::memset(base(), fill, stack_size);
        pthread_attr_t attributes;
        pthread_t thread;
        ASSERT_EQ(pthread_attr_init(&attributes), 0);
        ASSERT_EQ(pthread_attr_setstack(&attributes, base(), stack_size), 0);
        ASSERT_EQ(pthread_create(&thread, &attributes, call, const_cast<std::function<void()> *>(&body)), 0);
        ASSERT_EQ(pthread_join(thread, nullptr), 0);
        pthread_attr_destroy(&attributes);
    }

    std::string search(const Secrets &secrets)
    {
        const uint8_t *begin = base(), *end = begin + stack_size;
        const Bytes untouched(4096, fill);
        while (begin < end && std::memcmp(begin, untouched.data(), untouched.size()) == 0) begin += untouched.size();
        return secrets.search(begin, static_cast<size_t>(end - begin));
    }

  private:
    static void *call(void *body)
    {
        (*static_cast<const std::function<void()> *>(body))();
        return nullptr;
    }

    uint8_t *base()
    {
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        return memory_.data() + (page - address % page) % page;
    }

    Bytes memory_;
};

// What a careless function does; in several places, since what runs later may use a part of its frame.
[[gnu::noinline]] void leave_on_stack(const Bytes &bytes)
{
    alignas(16) uint8_t local[2048];
    for (size_t i = 0; i + bytes.size() <= sizeof local; i += bytes.size()) {
        std::memcpy(local + i, bytes.data(), bytes.size());
    }
    __asm__ volatile("" : : "r"(local) : "memory"); // the copy cannot be left out
}

class Wipe : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
        Stream stream(std::string("wipe ") + set().name);
        seed_ = stream.bytes(sizes().seed);
        coins_ = stream.bytes(sizes().coins);
        keys_ = keypair(seed_);
        encapsulation_ = encaps(keys_.ek, coins_);
        altered_ = encapsulation_.ct;
        altered_[0] ^= 1;
        add_key_generation(secrets_, set(), seed_);
        add_decapsulation_key(secrets_, set(), keys_.dk);
        add_encapsulation(secrets_, set(), keys_.ek, coins_);
        add_decapsulation(secrets_, set(), keys_.dk, encapsulation_.ct);
        add_decapsulation(secrets_, set(), keys_.dk, altered_);
        secrets_.add("ss", encapsulation_.ss);
    }

    // Runs the operation on the test's own stack and searches what it left there.
    void expect_clean(const std::function<int()> &operation)
    {
        int rc = -1;
        stack_.run([&] { rc = operation(); });
        EXPECT_EQ(rc, LATKEM_OK);
        EXPECT_EQ(stack_.search(secrets_), "") << "left on the stack";
    }

    // The same for an operation whose secrets are known from its outputs only.
    void expect_secret_of_output_gone(const Bytes &dk, const Bytes &ss)
    {
        Secrets outputs;
        if (!dk.empty()) add_decapsulation_key(outputs, set(), dk);
        if (!ss.empty()) outputs.add("ss", ss);
        EXPECT_FALSE(all_zero(dk + ss)) << "the operation failed";
        EXPECT_EQ(stack_.search(outputs), "") << "left on the stack";
    }

    // The randomness that an operation made of what the operating system gave: with AES instructions NTRU takes a key.
    static Bytes drawn(const Bytes &given, size_t size)
    {
        const bool stretched = size > 256 && given.size() == 32;
        if (stretched)
            EXPECT_STRNE(latkem_backend_name(), "portable");
        else
            EXPECT_EQ(given.size(), size);
        return stretched ? aes256_ctr(given, Bytes(12), size) : given;
    }

    Bytes seed_, coins_, altered_;
    KeyPair keys_;
    Encapsulation encapsulation_;
    Secrets secrets_;
    OwnStack stack_;
};

// The search must find each form of secret that an operation could leave behind.
TEST_P(Wipe, ControlFindsPlantedSecrets)
{
    size_t number = 0;
    for (const auto &[name, bytes] : secrets_.samples()) {
        if (number++ % 5 != 0 && !deep()) continue; // the deep tests plant all
        stack_.run([&, &planted = bytes] { leave_on_stack(planted); });
        EXPECT_NE(stack_.search(secrets_), "") << name << " was planted";
    }
    stack_.run([&] { leave_on_stack(keys_.ek); });
    EXPECT_EQ(stack_.search(secrets_), "") << "ek is no secret";
}

TEST_P(Wipe, Keypair)
{
    Bytes ek(sizes().ek), dk(sizes().dk);
    expect_clean([&] { return latkem_keypair_derand(kem, ek.data(), dk.data(), seed_.data(), seed_.size()); });
    EXPECT_EQ(dk, keys_.dk);
    RecordingRng rng{seed_};
    expect_clean([&] { return latkem_keypair_rng(kem, ek.data(), dk.data(), RecordingRng::fill, &rng); });
    EXPECT_EQ(dk, keys_.dk);
}

TEST_P(Wipe, Encaps)
{
    Bytes ct(sizes().ct), ss(sizes().ss);
    const Bytes &ek = keys_.ek;
    expect_clean([&] {
        return latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins_.data(), coins_.size());
    });
    EXPECT_EQ(ss, encapsulation_.ss);
    RecordingRng rng{coins_};
    expect_clean(
        [&] { return latkem_encaps_rng(kem, ct.data(), ss.data(), ek.data(), ek.size(), RecordingRng::fill, &rng); });
    EXPECT_EQ(ss, encapsulation_.ss);
}

TEST_P(Wipe, Decaps)
{
    Bytes ss(sizes().ss);
    for (const Bytes &ct : {encapsulation_.ct, altered_})
        expect_clean(
            [&] { return latkem_decaps(kem, ss.data(), ct.data(), ct.size(), keys_.dk.data(), keys_.dk.size()); });
}

TEST_P(Wipe, Prepared)
{
    Prepared ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    expect_clean([&] { return latkem_prepare_ek(kem, ek.data(), keys_.ek.data(), keys_.ek.size()); });
    expect_clean([&] { return latkem_prepare_dk(kem, dk.data(), keys_.dk.data(), keys_.dk.size()); });
    Bytes ct(sizes().ct), ss(sizes().ss);
    for (const Bytes &input : {encapsulation_.ct, altered_})
        expect_clean([&] { return latkem_decaps_prepared(kem, ss.data(), input.data(), input.size(), dk.data()); });
    stack_.run([&] { latkem_encaps_prepared(kem, ct.data(), ss.data(), ek.data()); });
    expect_secret_of_output_gone({}, ss);
}

TEST_P(Wipe, Batch)
{
    constexpr size_t n = 5;
    Bytes eks, dks, cts, sss(n * sizes().ss);
    for (size_t i = 0; i < n; i++) {
        eks = eks + keys_.ek;
        dks = dks + keys_.dk;
        cts = cts + (i % 2 == 0 ? encapsulation_.ct : altered_);
    }
    expect_clean([&] { return latkem_decaps_batch(kem, n, sss.data(), cts.data(), dks.data()); });
    stack_.run([&] { latkem_encaps_batch(kem, n, cts.data(), sss.data(), eks.data()); });
    expect_secret_of_output_gone({}, sss);
    stack_.run([&] { latkem_keypair_batch(kem, n, eks.data(), dks.data()); });
    for (size_t i = 0; i < n; i++) expect_secret_of_output_gone(slice(dks, i * sizes().dk, sizes().dk), {});
}

// The operating system's randomness, as it is or, where it is a key, the key stream.
TEST_P(Wipe, OperatingSystemRandomness)
{
    LATKEM_NEEDS_SYSTEM_RNG();
    Bytes ek(sizes().ek), dk(sizes().dk), ct(sizes().ct), ss(sizes().ss);
    const SystemRng rng(Stream("wipe").bytes(sizes().seed + sizes().coins));
    stack_.run([&] { latkem_keypair(kem, ek.data(), dk.data()); });
    const Bytes for_keypair = rng.given(), seed = drawn(for_keypair, sizes().seed);
    EXPECT_EQ(to_hex(keypair(seed).dk), to_hex(dk));
    Secrets of_keypair;
    of_keypair.add("the system's randomness", for_keypair);
    add_key_generation(of_keypair, set(), seed);
    EXPECT_EQ(stack_.search(of_keypair), "") << "left on the stack";

    stack_.run([&] { latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()); });
    const Bytes for_encaps = slice(rng.given(), for_keypair.size(), rng.given().size() - for_keypair.size());
    const Bytes coins = drawn(for_encaps, sizes().coins);
    EXPECT_EQ(to_hex(encaps(ek, coins).ss), to_hex(ss));
    Secrets of_encaps;
    of_encaps.add("the system's randomness", for_encaps);
    add_encapsulation(of_encaps, set(), ek, coins);
    EXPECT_EQ(stack_.search(of_encaps), "") << "left on the stack";
}

LATKEM_FOR_EVERY_CASE(Wipe);

} // namespace
