// UAKE and AKE: both sides get one key, what is asked of the generator, what becomes of the state, and what a wrong message does.
// Lengths, NULLs, overlaps, alignment and stacks are with those of the other calls (calls.cpp).
// SPDX-License-Identifier: Apache-2.0
#include "kex_sides.h"

namespace
{

// The content of outputs before a call.
constexpr uint8_t poison = 0xa7;

class KexTest : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        Stream stream("key exchange");
        a_ = keypair(stream);
        b_ = keypair(stream);
    }

    Exchange exchange(Kex kind) const
    {
        return {kem, kind, a_, b_};
    }

    // So that both sides are the same in every run.
    static Started start(const Exchange &x)
    {
        RecordingRng rng{Stream("start").bytes(96)};
        return x.start({RecordingRng::fill, &rng});
    }
    static Replied reply(const Exchange &x, const Bytes &message1)
    {
        RecordingRng rng{Stream("reply").bytes(64)};
        return x.reply(message1, {RecordingRng::fill, &rng});
    }

    int try_start(Kex kind, RecordingRng &rng, Bytes &message1, Bytes &state) const
    {
        const auto run = kind == Kex::uake ? latkem_uake_start_rng : latkem_ake_start_rng;
        return run(kem, message1.data(), state.data(), b_.ek.data(), b_.ek.size(), RecordingRng::fill, &rng);
    }
    int try_reply(Kex kind, RecordingRng &rng, Bytes &message2, Bytes &key, const Bytes &message1) const
    {
        if (kind == Kex::uake)
            return latkem_uake_reply_rng(kem, message2.data(), key.data(), message1.data(), message1.size(),
                                         b_.dk.data(), b_.dk.size(), RecordingRng::fill, &rng);
        return latkem_ake_reply_rng(kem, message2.data(), key.data(), message1.data(), message1.size(), b_.dk.data(),
                                    b_.dk.size(), a_.ek.data(), a_.ek.size(), RecordingRng::fill, &rng);
    }
    int try_finish(Kex kind, Bytes &key, const Bytes &message2, size_t message2_len, Bytes &state,
                   size_t state_len) const
    {
        if (kind == Kex::uake)
            return latkem_uake_finish(kem, key.data(), message2.data(), message2_len, state.data(), state_len);
        return latkem_ake_finish(kem, key.data(), message2.data(), message2_len, state.data(), state_len, a_.dk.data(),
                                 a_.dk.size());
    }

    KeyPair a_, b_;
};

TEST_P(KexTest, SizesAreThoseOfTheObjectsInTheMessages)
{
    EXPECT_EQ(latkem_kex_message1_bytes(kem), sizes().ek + sizes().ct);
    EXPECT_EQ(latkem_uake_message2_bytes(kem), sizes().ct);
    EXPECT_EQ(latkem_ake_message2_bytes(kem), 2 * sizes().ct);
    EXPECT_EQ(latkem_kex_state_bytes(kem), sizes().dk + 32);
}

// The exchange, written with the KEM's own operations.
TEST_P(KexTest, IsTheKemAndItsKdf)
{
    const auto kdf = [&](const Bytes &secrets) {
        return set().family == Family::kyber ? shake256(secrets, 32) : sha256(secrets);
    };
    const Bytes at_a = Stream("start").bytes(96), at_b = Stream("reply").bytes(64);
    const KeyPair e = keypair(slice(at_a, 0, 64));
    const Encapsulation to_b = encaps(b_.ek, slice(at_a, 64, 32));
    const Encapsulation to_e = encaps(e.ek, slice(at_b, 0, 32)), to_a = encaps(a_.ek, slice(at_b, 32, 32));
    const Exchange uake = exchange(Kex::uake), ake = exchange(Kex::ake);
    for (const Exchange &x : {uake, ake}) {
        EXPECT_EQ(to_hex(start(x).message1), to_hex(e.ek + to_b.ct));
        EXPECT_EQ(to_hex(start(x).state), to_hex(e.dk + to_b.ss));
    }
    EXPECT_EQ(to_hex(reply(uake, e.ek + to_b.ct).message2), to_hex(to_e.ct));
    EXPECT_EQ(to_hex(reply(ake, e.ek + to_b.ct).message2), to_hex(to_e.ct + to_a.ct));
    EXPECT_EQ(to_hex(reply(uake, e.ek + to_b.ct).key), to_hex(kdf(to_e.ss + to_b.ss)));
    EXPECT_EQ(to_hex(reply(ake, e.ek + to_b.ct).key), to_hex(kdf(to_e.ss + to_a.ss + to_b.ss)));
    EXPECT_EQ(to_hex(uake.finish(to_e.ct, e.dk + to_b.ss)), to_hex(kdf(to_e.ss + to_b.ss)));
    EXPECT_EQ(to_hex(ake.finish(to_e.ct + to_a.ct, e.dk + to_b.ss)), to_hex(kdf(to_e.ss + to_a.ss + to_b.ss)));
}

TEST_P(KexTest, Requests)
{
    for (Kex kind : both_exchanges) {
        RecordingRng rng{Stream("requests").bytes(160)};
        const Started a = exchange(kind).start({RecordingRng::fill, &rng});
        EXPECT_EQ(rng.requests, (std::vector<size_t>{32, 32, 32})) << name_of(kind);
        rng.requests.clear();
        exchange(kind).reply(a.message1, {RecordingRng::fill, &rng});
        EXPECT_EQ(rng.requests, std::vector<size_t>(kind == Kex::uake ? 1 : 2, 32)) << name_of(kind);
    }
}

TEST_P(KexTest, GeneratorFailsAtAnyRequest)
{
    for (Kex kind : both_exchanges) {
        const Bytes message1 = start(exchange(kind)).message1;
        for (int fail_at = 1; fail_at <= 3; fail_at++) {
            RecordingRng rng{Stream("failure").bytes(96), fail_at};
            Bytes m(latkem_kex_message1_bytes(kem), poison), s(latkem_kex_state_bytes(kem), poison);
            EXPECT_EQ(try_start(kind, rng, m, s), LATKEM_ERR_RNG) << name_of(kind) << " " << fail_at;
            EXPECT_EQ(rng.requests.size(), static_cast<size_t>(fail_at));
            EXPECT_TRUE(all_zero(m + s));
        }
        for (int fail_at = 1; fail_at <= (kind == Kex::uake ? 1 : 2); fail_at++) {
            RecordingRng rng{Stream("failure").bytes(64), fail_at};
            Bytes m(message2_bytes(kem, kind), poison), key(LATKEM_KEX_KEY_BYTES, poison);
            EXPECT_EQ(try_reply(kind, rng, m, key, message1), LATKEM_ERR_RNG) << name_of(kind) << " " << fail_at;
            EXPECT_EQ(rng.requests.size(), static_cast<size_t>(fail_at));
            EXPECT_TRUE(all_zero(m + key));
        }
    }
}

// With the system's generator no two exchanges are alike.
TEST_P(KexTest, OperatingSystem)
{
    Bytes keys[4];
    for (size_t i = 0; i < 4; i++) {
        const Kex kind = both_exchanges[i / 2];
        Bytes m1(latkem_kex_message1_bytes(kem)), state(latkem_kex_state_bytes(kem)), m2(message2_bytes(kem, kind));
        Bytes at_a(LATKEM_KEX_KEY_BYTES), at_b(LATKEM_KEX_KEY_BYTES);
        const auto start = kind == Kex::uake ? latkem_uake_start : latkem_ake_start;
        ASSERT_EQ(start(kem, m1.data(), state.data(), b_.ek.data(), b_.ek.size()), LATKEM_OK);
        ASSERT_EQ(kind == Kex::uake
                      ? latkem_uake_reply(kem, m2.data(), at_b.data(), m1.data(), m1.size(), b_.dk.data(), b_.dk.size())
                      : latkem_ake_reply(kem, m2.data(), at_b.data(), m1.data(), m1.size(), b_.dk.data(), b_.dk.size(),
                                         a_.ek.data(), a_.ek.size()),
                  LATKEM_OK);
        ASSERT_EQ(try_finish(kind, at_a, m2, m2.size(), state, state.size()), LATKEM_OK);
        EXPECT_EQ(to_hex(at_a), to_hex(at_b));
        keys[i] = at_a;
        for (size_t j = 0; j < i; j++) EXPECT_NE(keys[i], keys[j]);
    }
}

// ---- The state serves once ----

TEST_P(KexTest, FinishWipesTheState)
{
    for (Kex kind : both_exchanges) {
        const Exchange x = exchange(kind);
        Started a = start(x);
        const Replied b = reply(x, a.message1);
        Bytes key(LATKEM_KEX_KEY_BYTES);
        EXPECT_EQ(try_finish(kind, key, b.message2, b.message2.size(), a.state, a.state.size()), LATKEM_OK);
        EXPECT_EQ(to_hex(key), to_hex(b.key));
        EXPECT_TRUE(all_zero(a.state)) << name_of(kind);
        EXPECT_EQ(try_finish(kind, key, b.message2, b.message2.size(), a.state, a.state.size()), LATKEM_OK);
        EXPECT_NE(to_hex(key), to_hex(b.key)) << name_of(kind) << ": a state served twice";
    }
}

TEST_P(KexTest, FinishThatFailsWipesTheStateToo)
{
    for (Kex kind : both_exchanges) {
        const Exchange x = exchange(kind);
        const Started a = start(x);
        const Bytes m2 = reply(x, a.message1).message2;
        Bytes key(LATKEM_KEX_KEY_BYTES, poison), state = a.state;
        EXPECT_EQ(try_finish(kind, key, m2, m2.size() - 1, state, state.size()), LATKEM_ERR_LENGTH);
        EXPECT_TRUE(all_zero(state + key)) << name_of(kind) << ", message 2 too short";
        key = Bytes(LATKEM_KEX_KEY_BYTES, poison), state = a.state;
        EXPECT_EQ(try_finish(kind, key, m2, m2.size(), state, state.size() - 1), LATKEM_ERR_LENGTH);
        EXPECT_EQ(state, a.state) << name_of(kind) << ": a state of the wrong length was written to";
        EXPECT_TRUE(all_zero(key));
        key = Bytes(LATKEM_KEX_KEY_BYTES, poison), state = a.state;
        Bytes none;
        EXPECT_EQ(try_finish(kind, key, none, m2.size(), state, state.size()), LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(state + key)) << name_of(kind) << ", message 2 is NULL";
    }
}

// ---- A wrong message is no error, and gives another key ----

// A bit near the begin, in the middle and near the end of each object.
std::vector<size_t> bits_of(const std::vector<size_t> &objects)
{
    std::vector<size_t> bits;
    size_t from = 0;
    for (size_t bytes : objects) {
        for (size_t byte : {size_t{0}, size_t{1}, bytes / 3, bytes / 2, bytes - 33, bytes - 1})
            bits.push_back(8 * (from + byte) + (byte + 3) % 8);
        from += bytes;
    }
    return bits;
}

Bytes flip(Bytes bytes, size_t bit)
{
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    return bytes;
}

TEST_P(KexTest, EveryPartOfMessage1MattersToB)
{
    for (Kex kind : both_exchanges) {
        const Exchange x = exchange(kind);
        const Started a = start(x);
        const Replied right = reply(x, a.message1);
        for (size_t bit : bits_of({sizes().ek - 32, 32, sizes().ct})) {
            const Replied wrong = reply(x, flip(a.message1, bit));
            EXPECT_NE(to_hex(wrong.key), to_hex(right.key)) << name_of(kind) << ", bit " << bit;
            EXPECT_NE(to_hex(wrong.key), to_hex(x.finish(wrong.message2, a.state))) << name_of(kind) << ", bit " << bit;
        }
    }
}

TEST_P(KexTest, EveryPartOfMessage2MattersToA)
{
    for (Kex kind : both_exchanges) {
        const Exchange x = exchange(kind);
        const Started a = start(x);
        const Replied b = reply(x, a.message1);
        EXPECT_EQ(to_hex(x.finish(b.message2, a.state)), to_hex(b.key));
        const std::vector<size_t> objects(kind == Kex::uake ? 1 : 2, sizes().ct);
        for (size_t bit : bits_of(objects))
            EXPECT_NE(to_hex(x.finish(flip(b.message2, bit), a.state)), to_hex(b.key))
                << name_of(kind) << ", bit " << bit;
    }
}

// A side with another static key than the other side thinks, or another state, has another key.
TEST_P(KexTest, KeysAndStateMatter)
{
    Stream stream("other keys");
    const KeyPair other = keypair(stream);
    for (Kex kind : both_exchanges) {
        const Exchange x = exchange(kind);
        const Started a = start(x);
        const Replied b = reply(x, a.message1);
        Exchange not_b = x, not_a = x;
        not_b.b = not_a.a = other;
        EXPECT_NE(to_hex(reply(not_b, a.message1).key), to_hex(b.key)) << name_of(kind);
        EXPECT_EQ(not_a.finish(b.message2, a.state) == b.key, kind == Kex::uake) << "UAKE leaves A's key alone";
        EXPECT_NE(to_hex(x.finish(b.message2, flip(a.state, 100))), to_hex(b.key)) << name_of(kind);
        EXPECT_NE(to_hex(x.finish(b.message2, flip(a.state, 8 * a.state.size() - 1))), to_hex(b.key)) << name_of(kind);
    }
}

LATKEM_FOR_CASES(KexTest, has_exchanges);

// ---- Sets without exchanges ----

class NoKex : public KemTest
{
};

TEST_P(NoKex, IsRefused)
{
    EXPECT_EQ(latkem_kex_message1_bytes(kem), 0u);
    EXPECT_EQ(latkem_uake_message2_bytes(kem), 0u);
    EXPECT_EQ(latkem_ake_message2_bytes(kem), 0u);
    EXPECT_EQ(latkem_kex_state_bytes(kem), 0u);
    Bytes out(8192, poison), state(8192, poison), in(8192, 1);
    for (size_t length : {size_t{0}, sizes().ek, sizes().dk, sizes().ek + sizes().ct}) {
        Bytes key(LATKEM_KEX_KEY_BYTES, poison);
        EXPECT_EQ(latkem_uake_start(kem, out.data(), state.data(), in.data(), length), LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(latkem_ake_start(kem, out.data(), state.data(), in.data(), length), LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(latkem_uake_reply(kem, out.data(), key.data(), in.data(), length, in.data(), sizes().dk),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(key));
        key = Bytes(LATKEM_KEX_KEY_BYTES, poison);
        EXPECT_EQ(latkem_ake_finish(kem, key.data(), in.data(), length, state.data(), length, in.data(), sizes().dk),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(key));
    }
    EXPECT_EQ(out, Bytes(8192, poison)) << "objects of 0 bytes were written to";
    EXPECT_EQ(state, Bytes(8192, poison)) << "a state of 0 bytes was written to";
}

LATKEM_FOR_CASES(NoKex, [](const SetFacts &set) { return !has_exchanges(set); });

TEST(KexOfNoSet, IsRefused)
{
    Bytes key(LATKEM_KEX_KEY_BYTES, poison), in(64);
    for (auto *size :
         {latkem_kex_message1_bytes, latkem_uake_message2_bytes, latkem_ake_message2_bytes, latkem_kex_state_bytes})
        EXPECT_EQ(size(nullptr), 0u);
    EXPECT_EQ(latkem_uake_finish(nullptr, key.data(), in.data(), 32, in.data(), 32), LATKEM_ERR_ARGUMENT);
    EXPECT_TRUE(all_zero(key));
}

} // namespace
