// Secrets do not stay behind on the stack. Each operation runs on a thread with the test's own memory as its stack,
// which is then searched for every secret value of the operation (secrets.h): seeds, coins, hash outputs, noise and
// shared secrets as bytes, and polynomials packed and as coefficients.
//
// The search sees memory, not registers, and values in the forms listed here, not in every form that a kernel may give
// them on the way.
// SPDX-License-Identifier: Apache-2.0

#include <latkem/workspace.h>

#include <cstring>
#include <functional>

#include "harness/model/crypto.h"
#include "kex_sides.h"
#include "own_stack.h"
#include "parts.h"
#include "secrets.h"
#include "system_rng.h"

namespace
{

// The work of a careless function; in several places, since what runs later may use a part of its frame.
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

    std::string search(const Secrets &secrets)
    {
        return secrets.search(stack_.deepest(), stack_.depth());
    }

    // Runs the operation on the test's own stack and searches what it left there.
    void expect_clean(const std::function<int()> &operation)
    {
        int rc = -1;
        stack_.run([&] { rc = operation(); });
        EXPECT_EQ(rc, LATKEM_OK);
        EXPECT_EQ(search(secrets_), "") << "left on the stack";
    }

    // The same for an operation with secrets that are known from its outputs only.
    void expect_secret_of_output_gone(const Bytes &dk, const Bytes &ss)
    {
        Secrets outputs;
        if (!dk.empty()) add_decapsulation_key(outputs, set(), dk);
        if (!ss.empty()) outputs.add("ss", ss);
        EXPECT_FALSE(all_zero(dk + ss)) << "the operation failed";
        EXPECT_EQ(search(outputs), "") << "left on the stack";
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
        if (number++ % (emulated() ? 50 : 5) != 0 && !deep()) continue; // the deep tests plant all
        stack_.run([&, &planted = bytes] { leave_on_stack(planted); });
        EXPECT_NE(search(secrets_), "") << name << " was planted";
    }
    stack_.run([&] { leave_on_stack(keys_.ek); });
    EXPECT_EQ(search(secrets_), "") << "ek is no secret";
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

TEST_P(Wipe, InAWorkspace)
{
    Bytes space(latkem_workspace_bytes(kem)), ek(sizes().ek), dk(sizes().dk), ct(sizes().ct), ss(sizes().ss);
    expect_clean([&] {
        return latkem_keypair_derand_in(space.data(), space.size(), kem, ek.data(), dk.data(), seed_.data(),
                                        seed_.size());
    });
    expect_clean([&] {
        return latkem_encaps_derand_in(space.data(), space.size(), kem, ct.data(), ss.data(), ek.data(), ek.size(),
                                       coins_.data(), coins_.size());
    });
    for (const Bytes &input : {encapsulation_.ct, altered_})
        expect_clean([&] {
            return latkem_decaps_in(space.data(), space.size(), kem, ss.data(), input.data(), input.size(), dk.data(),
                                    dk.size());
        });
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
    EXPECT_EQ(search(of_keypair), "") << "left on the stack";

    stack_.run([&] { latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()); });
    const Bytes for_encaps = slice(rng.given(), for_keypair.size(), rng.given().size() - for_keypair.size());
    const Bytes coins = drawn(for_encaps, sizes().coins);
    EXPECT_EQ(to_hex(encaps(ek, coins).ss), to_hex(ss));
    Secrets of_encaps;
    of_encaps.add("the system's randomness", for_encaps);
    add_encapsulation(of_encaps, set(), ek, coins);
    EXPECT_EQ(search(of_encaps), "") << "left on the stack";
}

LATKEM_FOR_EVERY_CASE(Wipe);

// Encapsulation in parts.
class WipeParts : public Wipe
{
};

TEST_P(WipeParts, EveryCall)
{
    const KeyParts key = split(kem, keys_.ek);
    FirstPart first = encaps1(kem, key.header, coins_);
    const Bytes state = first.state;
    Bytes ct2(latkem_ct2_bytes(kem)), ss(sizes().ss);
    const Bytes &header = key.header;
    expect_clean([&] {
        return latkem_encaps1_derand(kem, first.state.data(), first.ct1.data(), first.ss.data(), header.data(),
                                     header.size(), coins_.data(), coins_.size());
    });
    RecordingRng rng{coins_};
    expect_clean([&] {
        return latkem_encaps1_rng(kem, first.state.data(), first.ct1.data(), first.ss.data(), header.data(),
                                  header.size(), RecordingRng::fill, &rng);
    });
    EXPECT_EQ(first.state, state);
    EXPECT_EQ(first.ss, encapsulation_.ss);
    expect_clean(
        [&] { return latkem_encaps2(kem, ct2.data(), first.state.data(), key.vector.data(), key.vector.size()); });
    EXPECT_EQ(first.ct1 + ct2, encapsulation_.ct);
    for (const Bytes &ct : {encapsulation_.ct, altered_}) {
        const Bytes ct1 = slice(ct, 0, first.ct1.size());
        expect_clean([&] {
            return latkem_decaps_parts(kem, ss.data(), ct1.data(), ct1.size(), ct2.data(), ct2.size(), keys_.dk.data(),
                                       keys_.dk.size());
        });
    }
}

// A call that refuses the vector, or the state, has worked with its secrets too.
TEST_P(WipeParts, RefusedVectorsAndStates)
{
    const KeyParts key = split(kem, keys_.ek);
    const Bytes state = encaps1(kem, key.header, coins_).state;
    Bytes ct2(latkem_ct2_bytes(kem));
    const auto run = [&](Bytes altered_state, const Bytes &vector) {
        int rc = 0;
        stack_.run([&] { rc = latkem_encaps2(kem, ct2.data(), altered_state.data(), vector.data(), vector.size()); });
        EXPECT_EQ(search(secrets_), "") << "left on the stack";
        return rc;
    };
    Bytes vector = key.vector, other = state;
    vector.back() ^= 1;
    EXPECT_EQ(run(state, vector), LATKEM_ERR_EK);
    other.back() ^= 1;
    EXPECT_EQ(run(other, key.vector), LATKEM_ERR_STATE);
}

LATKEM_FOR_CASES(WipeParts, has_parts);

// The exchanges; keys_ are the static keys of both sides, and seed_ makes A's ephemeral key.
class WipeExchange : public Wipe
{
  protected:
    void SetUp() override
    {
        Wipe::SetUp();
        if (IsSkipped()) return;
        const Bytes at_b = Stream("reply").bytes(2 * sizes().coins);
        from_a_ = RecordingRng{seed_ + coins_};
        from_b_ = RecordingRng{at_b};
        for (size_t i = 0; i < 2; i++) {
            const Bytes m = slice(at_b, i * sizes().coins, sizes().coins);
            const Encapsulation reply = encaps(keys_.ek, m);
            message2_ = message2_ + reply.ct;
            add_encapsulation(secrets_, set(), keys_.ek, m);
            add_decapsulation(secrets_, set(), keys_.dk, reply.ct);
            secrets_.add("a secret of message 2", reply.ss);
        }
        message1_ = keys_.ek + encapsulation_.ct;
        state_ = keys_.dk + encapsulation_.ss;
    }

    // A's keys are all one, so that what the model knows of keys_ holds for each.
    void expect_both_sides_clean(Kex kind)
    {
        Bytes m1(message1_.size()), state(state_.size()), m2(message2_bytes(kem, kind)), a(32), b(32);
        const Bytes &ek = keys_.ek, &dk = keys_.dk;
        const auto start = kind == Kex::uake ? latkem_uake_start_rng : latkem_ake_start_rng;
        expect_clean(
            [&] { return start(kem, m1.data(), state.data(), ek.data(), ek.size(), RecordingRng::fill, &from_a_); });
        EXPECT_EQ(to_hex(m1 + state), to_hex(message1_ + state_));
        expect_clean([&] {
            return kind == Kex::uake
                       ? latkem_uake_reply_rng(kem, m2.data(), b.data(), m1.data(), m1.size(), dk.data(), dk.size(),
                                               RecordingRng::fill, &from_b_)
                       : latkem_ake_reply_rng(kem, m2.data(), b.data(), m1.data(), m1.size(), dk.data(), dk.size(),
                                              ek.data(), ek.size(), RecordingRng::fill, &from_b_);
        });
        EXPECT_EQ(to_hex(m2), to_hex(slice(message2_, 0, m2.size())));
        secrets_.add("the key", b);
        expect_clean([&] {
            return kind == Kex::uake
                       ? latkem_uake_finish(kem, a.data(), m2.data(), m2.size(), state.data(), state.size())
                       : latkem_ake_finish(kem, a.data(), m2.data(), m2.size(), state.data(), state.size(), dk.data(),
                                           dk.size());
        });
        EXPECT_EQ(to_hex(a), to_hex(b));
    }

    Bytes message1_, message2_, state_;
    RecordingRng from_a_, from_b_;
};

TEST_P(WipeExchange, Uake)
{
    expect_both_sides_clean(Kex::uake);
}

TEST_P(WipeExchange, Ake)
{
    expect_both_sides_clean(Kex::ake);
}

LATKEM_FOR_CASES(WipeExchange, has_exchanges);

} // namespace
