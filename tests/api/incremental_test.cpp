// Encapsulation in parts: ct1 || ct2 is encapsulation's ciphertext, and each part of a key, a state and a ciphertext that is
// another than it should be is refused, or rejected as decapsulation does. Lengths, NULL, overlaps and memory are those of every
// call (calls.h). SPDX-License-Identifier: Apache-2.0
#include "parts.h"

namespace
{

constexpr uint8_t poison = 0xa7;

// All bits of a byte, one after the other, or in the quick tests one that changes with the byte.
std::vector<uint8_t> changes_of(size_t byte)
{
    if (deep()) return {1, 2, 4, 8, 16, 32, 64, 128};
    return {static_cast<uint8_t>(1u << byte % 8)};
}

// Every how many bytes are altered: under an emulator not each.
size_t step(size_t size)
{
    return emulated() && size > 200 ? 37 : 1;
}

template <class Check> void for_every_change(const Bytes &bytes, Check check)
{
    for (size_t i = 0; i < bytes.size(); i += step(bytes.size()))
        for (uint8_t change : changes_of(i)) {
            Bytes altered = bytes;
            altered[i] ^= change;
            SCOPED_TRACE("byte " + std::to_string(i) + " of " + std::to_string(bytes.size()));
            check(altered, i);
        }
}

class Incremental : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        Stream stream(std::string("incremental ") + set().name);
        keys_ = keypair(stream);
        coins_ = stream.bytes(sizes().coins);
        whole_ = encaps(keys_.ek, coins_);
        parts_ = split(kem, keys_.ek);
        first_ = encaps1(kem, parts_.header, coins_);
    }

    // Behind ct2 there is room for a whole ciphertext, in which nothing is written.
    int try_encaps2(Bytes &state, const Bytes &vector)
    {
        Bytes out(latkem_ct2_bytes(kem) + sizes().ct, poison);
        const int rc = latkem_encaps2(kem, out.data(), state.data(), vector.data(), vector.size());
        ct2_ = slice(out, 0, latkem_ct2_bytes(kem));
        EXPECT_EQ(slice(out, ct2_.size(), sizes().ct), Bytes(sizes().ct, poison));
        return rc;
    }

    // The call is refused, and leaves the state for another vector.
    void expect_refused(Bytes state, const Bytes &vector, int error)
    {
        const Bytes before = state;
        EXPECT_EQ(try_encaps2(state, vector), error);
        EXPECT_TRUE(all_zero(ct2_));
        EXPECT_EQ(state, before) << "the state does not stay";
    }

    int try_join(const KeyParts &parts)
    {
        ek_ = Bytes(sizes().ek, poison);
        return latkem_ek_join(kem, ek_.data(), parts.header.data(), parts.header.size(), parts.vector.data(),
                              parts.vector.size());
    }

    KeyPair keys_;
    Bytes coins_, ct2_, ek_;
    Encapsulation whole_;
    KeyParts parts_;
    FirstPart first_;
};

TEST_P(Incremental, Sizes)
{
    EXPECT_EQ(latkem_header_bytes(kem), 64u);
    EXPECT_EQ(latkem_vector_bytes(kem), 384 * set().ring.rank);
    EXPECT_EQ(latkem_ct1_bytes(kem), 32 * set().ring.du * set().ring.rank);
    EXPECT_EQ(latkem_ct2_bytes(kem), 32u * set().ring.dv);
    EXPECT_LE(latkem_encaps_state_bytes(kem), 160u);
}

TEST_P(Incremental, PartsAreTheWhole)
{
    EXPECT_EQ(parts_.vector + slice(parts_.header, 0, 32), keys_.ek);
    EXPECT_EQ(to_hex(slice(parts_.header, 32, 32)), to_hex(sha3_256(keys_.ek)));
    EXPECT_EQ(join(kem, parts_), keys_.ek);
    const Bytes ct2 = encaps2(kem, first_.state, parts_.vector);
    EXPECT_EQ(to_hex(first_.ct1 + ct2), to_hex(whole_.ct));
    EXPECT_EQ(to_hex(first_.ss), to_hex(whole_.ss));
    EXPECT_EQ(to_hex(decaps_parts(kem, first_.ct1, ct2, keys_.dk)), to_hex(whole_.ss));
}

TEST_P(Incremental, SystemsRandomness)
{
    Bytes state(latkem_encaps_state_bytes(kem)), ct1(latkem_ct1_bytes(kem)), ss(sizes().ss);
    const Bytes &header = parts_.header;
    ASSERT_EQ(latkem_encaps1(kem, state.data(), ct1.data(), ss.data(), header.data(), header.size()), LATKEM_OK);
    EXPECT_EQ(to_hex(decaps_parts(kem, ct1, encaps2(kem, state, parts_.vector), keys_.dk)), to_hex(ss));
    FirstPart other = first_;
    ASSERT_EQ(latkem_encaps1(kem, other.state.data(), other.ct1.data(), other.ss.data(), header.data(), header.size()),
              LATKEM_OK);
    EXPECT_NE(other.ss, ss);
}

TEST_P(Incremental, CallersRandomness)
{
    RecordingRng rng{coins_};
    FirstPart made = first_;
    made.state.assign(made.state.size(), poison);
    const auto run = [&] {
        return latkem_encaps1_rng(kem, made.state.data(), made.ct1.data(), made.ss.data(), parts_.header.data(),
                                  parts_.header.size(), RecordingRng::fill, &rng);
    };
    ASSERT_EQ(run(), LATKEM_OK);
    EXPECT_EQ(rng.requests, set().encaps_requests);
    EXPECT_EQ(to_hex(made.state + made.ct1 + made.ss), to_hex(first_.state + first_.ct1 + first_.ss));
    rng = RecordingRng{coins_, 1};
    EXPECT_EQ(run(), LATKEM_ERR_RNG);
    EXPECT_TRUE(all_zero(made.state + made.ct1 + made.ss));
}

// A state is bytes: one that was stored and lies elsewhere serves as well, on every backend, and once.
TEST_P(Incremental, StatesAreBytes)
{
    for (size_t i = 0; const char *backend = latkem_backend_at(i); i++) {
        ASSERT_EQ(latkem_backend_use(backend), LATKEM_OK);
        EXPECT_EQ(to_hex(encaps1(kem, parts_.header, coins_).state), to_hex(first_.state)) << backend;
        EXPECT_EQ(to_hex(first_.ct1 + encaps2(kem, first_.state, parts_.vector)), to_hex(whole_.ct)) << backend;
    }
    ASSERT_EQ(latkem_backend_use(GetParam().backend.c_str()), LATKEM_OK);
}

TEST_P(Incremental, AStateServesOnce)
{
    Bytes state = first_.state;
    EXPECT_EQ(try_encaps2(state, parts_.vector), LATKEM_OK);
    EXPECT_TRUE(all_zero(state));
    expect_refused(state, parts_.vector, LATKEM_ERR_STATE);
}

TEST_P(Incremental, EndWipesAState)
{
    Bytes state = first_.state + Bytes(8, poison);
    latkem_encaps_end(kem, state.data());
    EXPECT_EQ(state, Bytes(first_.state.size()) + Bytes(8, poison));
    latkem_encaps_end(kem, nullptr);
}

// The right vector may come after a wrong one.
TEST_P(Incremental, AStateOutlivesRefusals)
{
    Stream stream("another key");
    Bytes state = first_.state;
    const Bytes other = split(kem, keypair(stream).ek).vector;
    EXPECT_EQ(try_encaps2(state, other), LATKEM_ERR_EK);
    EXPECT_EQ(try_encaps2(state, slice(other, 1, other.size() - 1)), LATKEM_ERR_LENGTH);
    EXPECT_EQ(try_encaps2(state, parts_.vector), LATKEM_OK);
    EXPECT_EQ(to_hex(first_.ct1 + ct2_), to_hex(whole_.ct));
}

TEST_P(Incremental, EveryByteOfTheVector)
{
    for_every_change(parts_.vector, [&](const Bytes &altered, size_t) {
        expect_refused(first_.state, altered, LATKEM_ERR_EK);
        EXPECT_EQ(try_join({parts_.header, altered}), LATKEM_ERR_EK);
        EXPECT_TRUE(all_zero(ek_));
    });
}

// A sender cannot see that a header was altered before it has the vector.
TEST_P(Incremental, EveryByteOfTheHeader)
{
    for_every_change(parts_.header, [&](const Bytes &altered, size_t) {
        const FirstPart first = encaps1(kem, altered, coins_);
        EXPECT_NE(first.ct1, first_.ct1);
        expect_refused(first.state, parts_.vector, LATKEM_ERR_EK);
        EXPECT_EQ(try_join({altered, parts_.vector}), LATKEM_ERR_EK);
        EXPECT_TRUE(all_zero(ek_));
    });
}

// tag || rho || H(ek) || m || r
TEST_P(Incremental, EveryByteOfTheState)
{
    for_every_change(first_.state, [&](const Bytes &altered, size_t i) {
        const bool is_header = i >= 4 && i < 4 + latkem_header_bytes(kem);
        expect_refused(altered, parts_.vector, is_header ? LATKEM_ERR_EK : LATKEM_ERR_STATE);
    });
}

TEST_P(Incremental, OtherStates)
{
    const size_t size = first_.state.size();
    for (const Bytes &other : {Bytes(size), Bytes(size, 0xff), Bytes(size, poison), Stream("no state").bytes(size)})
        expect_refused(other, parts_.vector, LATKEM_ERR_STATE);
}

// A state of another set, with a vector of that set or of this one.
TEST_P(Incremental, StatesOfOtherSets)
{
    for (size_t i = 0; const latkem_kem *other = latkem_kem_at(i); i++) {
        if (latkem_encaps_state_bytes(other) == 0 || other == kem) continue;
        Bytes state = encaps1(other, parts_.header, coins_).state;
        expect_refused(state, parts_.vector, LATKEM_ERR_STATE);
        expect_refused(first_.state, Bytes(latkem_vector_bytes(other)), LATKEM_ERR_LENGTH);
    }
}

// The hash of the vector may be right where the modulus is not: whoever chose the vector chose the header too.
TEST_P(Incremental, Modulus)
{
    for (size_t at : {size_t{0}, size_t{1}, size_t{255}, 256 * set().ring.rank - 1})
        for (unsigned value : {3328u, 3329u, 4095u}) {
            SCOPED_TRACE("coefficient " + std::to_string(at) + " is " + std::to_string(value));
            KeyParts key = parts_;
            uint8_t *pair = key.vector.data() + 3 * (at / 2);
            if (at % 2 == 0) {
                pair[0] = static_cast<uint8_t>(value);
                pair[1] = static_cast<uint8_t>((pair[1] & 0xf0) | value >> 8);
            } else {
                pair[1] = static_cast<uint8_t>((pair[1] & 0x0f) | value << 4);
                pair[2] = static_cast<uint8_t>(value >> 4);
            }
            const Bytes ek = key.vector + slice(key.header, 0, 32);
            key.header = slice(key.header, 0, 32) + sha3_256(ek);
            const int error = value < 3329 ? LATKEM_OK : LATKEM_ERR_EK;
            Bytes state = encaps1(kem, key.header, coins_).state;
            EXPECT_EQ(try_encaps2(state, key.vector), error);
            EXPECT_EQ(all_zero(ct2_), error != LATKEM_OK);
            EXPECT_EQ(try_join(key), error);
            EXPECT_EQ(all_zero(ek_), error != LATKEM_OK);
            KeyParts again{Bytes(64, poison), Bytes(key.vector.size(), poison)};
            EXPECT_EQ(latkem_ek_split(kem, again.header.data(), again.vector.data(), ek.data(), ek.size()), error);
            const Bytes expected = key.header + key.vector;
            EXPECT_EQ(again.header + again.vector, error ? Bytes(expected.size()) : expected);
        }
}

// Decapsulation of parts rejects as that of a whole ciphertext does.
TEST_P(Incremental, EveryByteOfTheCiphertext)
{
    const size_t ct1 = latkem_ct1_bytes(kem);
    for_every_change(whole_.ct, [&](const Bytes &altered, size_t) {
        const Bytes ss = decaps_parts(kem, slice(altered, 0, ct1), slice(altered, ct1, altered.size() - ct1), keys_.dk);
        EXPECT_EQ(to_hex(ss), to_hex(decaps(keys_.dk, altered)));
        EXPECT_NE(ss, whole_.ss);
    });
}

TEST_P(Incremental, BadDecapsulationKey)
{
    Bytes dk = keys_.dk, ss(sizes().ss, poison);
    dk[dk.size() - 33] ^= 1;
    const Bytes ct2 = encaps2(kem, first_.state, parts_.vector);
    EXPECT_EQ(latkem_decaps_parts(kem, ss.data(), first_.ct1.data(), first_.ct1.size(), ct2.data(), ct2.size(),
                                  dk.data(), dk.size()),
              LATKEM_ERR_DK);
    EXPECT_TRUE(all_zero(ss));
}

// The parts the other way round: each has the other's length.
TEST_P(Incremental, PartsOfACiphertextInTheWrongOrder)
{
    Bytes ss(sizes().ss, poison);
    const Bytes ct2 = encaps2(kem, first_.state, parts_.vector);
    EXPECT_EQ(latkem_decaps_parts(kem, ss.data(), ct2.data(), ct2.size(), first_.ct1.data(), first_.ct1.size(),
                                  keys_.dk.data(), keys_.dk.size()),
              LATKEM_ERR_LENGTH);
    EXPECT_TRUE(all_zero(ss));
}

LATKEM_FOR_CASES(Incremental, has_parts);

// ---- Sets without parts ----

class NoParts : public KemTest
{
};

TEST_P(NoParts, IsRefused)
{
    for (auto *size :
         {latkem_header_bytes, latkem_vector_bytes, latkem_ct1_bytes, latkem_ct2_bytes, latkem_encaps_state_bytes})
        EXPECT_EQ(size(kem), 0u);
    const Bytes in(8192, 1), untouched(8192, poison);
    const size_t dk = sizes().dk;
    for (size_t length : {size_t{0}, size_t{64}, sizes().ek, sizes().ct}) {
        Bytes out(untouched), state(untouched), ek(sizes().ek, poison), ss(sizes().ss, poison);
        EXPECT_EQ(latkem_ek_split(kem, out.data(), state.data(), in.data(), sizes().ek), LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(latkem_ek_join(kem, ek.data(), in.data(), 64, in.data(), length), LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(ek));
        EXPECT_EQ(latkem_encaps1(kem, state.data(), out.data(), ss.data(), in.data(), length), LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(ss));
        ss.assign(ss.size(), poison);
        EXPECT_EQ(latkem_encaps1_derand(kem, state.data(), out.data(), ss.data(), in.data(), length, in.data(), 32),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(ss));
        EXPECT_EQ(latkem_encaps2(kem, out.data(), state.data(), in.data(), length), LATKEM_ERR_ARGUMENT);
        ss.assign(ss.size(), poison);
        EXPECT_EQ(latkem_decaps_parts(kem, ss.data(), in.data(), length, in.data(), 0, in.data(), dk),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_TRUE(all_zero(ss));
        latkem_encaps_end(kem, state.data());
        EXPECT_EQ(out, untouched) << "objects of 0 bytes were written to";
        EXPECT_EQ(state, untouched) << "a state of 0 bytes was written to";
    }
}

LATKEM_FOR_CASES(NoParts, [](const SetFacts &set) { return !has_parts(set); });

TEST(IncrementalOfNoSet, IsRefused)
{
    Bytes bytes(132, poison);
    for (auto *size :
         {latkem_header_bytes, latkem_vector_bytes, latkem_ct1_bytes, latkem_ct2_bytes, latkem_encaps_state_bytes})
        EXPECT_EQ(size(nullptr), 0u);
    latkem_encaps_end(nullptr, bytes.data());
    latkem_encaps_end(nullptr, nullptr);
    EXPECT_EQ(bytes, Bytes(132, poison));
}

} // namespace
