// One digest over thousands of rounds of key generation, encapsulation, decapsulation and rejection.
//
// A SHAKE128 stream of the empty string supplies every random byte and, in each round, a random ciphertext. Both published
// definitions are computed in one pass: with dk in the digest (C2SP/CCTV) and without it (Go's crypto/mlkem).
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include "kem_test.h"

namespace
{

class Accumulated : public KemTest
{
};

int from_stream(void *stream, uint8_t *out, size_t length)
{
    static_cast<Shake128 *>(stream)->squeeze(out, length);
    return 0;
}

// The environment may ask for fewer rounds than the build's default, for emulators and sanitizers.
unsigned wanted_rounds()
{
    const char *text = std::getenv("LATKEM_TEST_ROUNDS");
    return text == nullptr ? LATKEM_TEST_ROUNDS : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

TEST_P(Accumulated, BothDigests)
{
    const unsigned rounds = wanted_rounds();
    const AccumulatedDigest *expected = nullptr;
    for (const AccumulatedDigest &digest : set().accumulated)
        if (digest.rounds == rounds) expected = &digest;
    ASSERT_NE(expected, nullptr) << "no digest for LATKEM_TEST_ROUNDS=" << rounds << "; choose 100, 1000 or 10000";
    std::cout << "rounds: " << rounds << "\n";

    Shake128 stream, with_dk, without_dk;
    Bytes ek(sizes().ek), dk(sizes().dk), ct(sizes().ct), ss(sizes().ss);
    for (unsigned round = 0; round < rounds; round++) {
        ASSERT_EQ(latkem_keypair_rng(kem, ek.data(), dk.data(), from_stream, &stream), LATKEM_OK);
        ASSERT_EQ(latkem_encaps_rng(kem, ct.data(), ss.data(), ek.data(), ek.size(), from_stream, &stream), LATKEM_OK);
        ASSERT_EQ(decaps(dk, ct), ss) << "round " << round;
        const Bytes rejected = decaps(dk, stream.squeeze(sizes().ct));
        const Bytes tail = ct + ss + rejected;
        with_dk.absorb(ek + dk + tail);
        without_dk.absorb(ek + tail);
    }
    EXPECT_EQ(to_hex(with_dk.squeeze(32)), expected->with_dk);
    EXPECT_EQ(to_hex(without_dk.squeeze(32)), expected->without_dk);
}

LATKEM_FOR_EVERY_CASE(Accumulated);

} // namespace
