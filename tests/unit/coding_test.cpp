// Encodings, compression and sampling against their definitions, for every value where there are few enough.
// SPDX-License-Identifier: Apache-2.0
#include "harness/model/crypto.h"
#include "harness/model/kem.h"
#include "ring.h"

namespace
{

using fips203::q;

std::vector<unsigned> as_values(const Poly &f)
{
    return std::vector<unsigned>(f.begin(), f.end());
}

// For start = 0, 1 ... modulus - 1: every value below modulus at every position.
Poly ramp(unsigned start, unsigned modulus)
{
    Poly f;
    for (unsigned i = 0; i < f.size(); i++) f[i] = static_cast<int16_t>((start + 13 * i) % modulus);
    return f;
}

class Coding : public RingTest
{
};

TEST_P(Coding, EncodeD12)
{
    for (unsigned start = 0; start < q; start++) {
        const Poly standard = ramp(start, q);
        const Poly f = to_backend(ring, standard);
        ASSERT_EQ(call(ring.encode_d12, LK_Q3329_POLY_BYTES, f), fips203::byte_encode(12, as_values(standard)));
    }
}

TEST_P(Coding, DecodeD12)
{
    for (unsigned start = 0; start < 4096; start++) {
        const Poly standard = ramp(start, 4096);
        const auto [f, below] = decode_d12(ring, fips203::byte_encode(12, as_values(standard)));
        ASSERT_EQ(f, to_backend(ring, standard));
        ASSERT_EQ(below, largest(standard) < q);
    }
}

TEST_P(Coding, DecodeD12AcceptsWhatIsBelowQ)
{
    for (int i = 0; i < 1000; i++) {
        const Poly f = i == 0 ? fill(LK_Q3329_CANONICAL_MAX) : random_poly(random, 0, LK_Q3329_CANONICAL_MAX);
        ASSERT_TRUE(decode_d12(ring, fips203::byte_encode(12, as_values(f))).second);
    }
}

TEST_P(Coding, DecodeD12FindsOneBadValueAnywhere)
{
    for (const unsigned good : {0, q - 1}) {
        Bytes bytes = fips203::byte_encode(12, std::vector<unsigned>(256, good));
        for (size_t position = 0; position < 256; position++) {
            const auto pair = bytes.begin() + static_cast<long>(3 * (position / 2));
            for (unsigned bad = q; bad < 4096; bad += stride()) {
                const Bytes changed = fips203::byte_encode(12, {position % 2 ? good : bad, position % 2 ? bad : good});
                std::copy(changed.begin(), changed.end(), pair);
                ASSERT_FALSE(decode_d12(ring, bytes).second) << bad << " at " << position;
            }
            const Bytes restored = fips203::byte_encode(12, {good, good});
            std::copy(restored.begin(), restored.end(), pair);
        }
        ASSERT_TRUE(decode_d12(ring, bytes).second);
    }
}

// Kernels of one width d.
struct Width {
    unsigned d;
    void (*lk_q3329_kernels::*compress)(uint8_t *, const lk_poly *);
    void (*lk_q3329_kernels::*decompress)(lk_poly *, const uint8_t *);
};

const Width widths[] = {
    {1, &lk_q3329_kernels::compress_d1, &lk_q3329_kernels::decompress_d1},
    {4, &lk_q3329_kernels::compress_d4, &lk_q3329_kernels::decompress_d4},
    {5, &lk_q3329_kernels::compress_d5, &lk_q3329_kernels::decompress_d5},
    {10, &lk_q3329_kernels::compress_d10, &lk_q3329_kernels::decompress_d10},
    {11, &lk_q3329_kernels::compress_d11, &lk_q3329_kernels::decompress_d11},
};

Bytes compressed(unsigned d, const Poly &f)
{
    std::vector<unsigned> values;
    for (int x : f) values.push_back(fips203::compress(d, x));
    return fips203::byte_encode(d, values);
}

Poly decompressed(unsigned d, const Bytes &bytes)
{
    const std::vector<unsigned> values = fips203::byte_decode(d, bytes);
    Poly f;
    for (size_t i = 0; i < f.size(); i++) f[i] = static_cast<int16_t>(fips203::decompress(d, values[i]));
    return f;
}

TEST_P(Coding, Compress)
{
    for (const Width &width : widths)
        for (unsigned start = 0; start < q; start++) {
            const Poly f = ramp(start, q);
            ASSERT_EQ(call(ring.*width.compress, 32 * width.d, f), compressed(width.d, f)) << "d = " << width.d;
        }
}

TEST_P(Coding, Decompress)
{
    for (const Width &width : widths) {
        for (unsigned start = 0; start < 1u << width.d; start++) {
            const Bytes bytes = fips203::byte_encode(width.d, as_values(ramp(start, 1u << width.d)));
            ASSERT_EQ(call(ring.*width.decompress, bytes), decompressed(width.d, bytes)) << "d = " << width.d;
        }
        for (int i = 0; i < 100; i++) {
            const Bytes bytes = random.bytes(32 * width.d);
            ASSERT_EQ(call(ring.*width.decompress, bytes), decompressed(width.d, bytes)) << "d = " << width.d;
        }
    }
}

Poly as_poly(const std::vector<int16_t> &values)
{
    Poly f;
    std::copy_n(values.begin(), f.size(), f.begin());
    return f;
}

void check_cbd(void (*kernel)(lk_poly *, const uint8_t *), unsigned eta, Random &random)
{
    const size_t size = 64 * eta;
    std::vector<Bytes> inputs = {Bytes(size, 0), Bytes(size, 0xff), Bytes(size, 0x55), Bytes(size, 0xaa)};
    for (size_t bit = 0; bit < 8 * size; bit++) {
        Bytes one(size, 0);
        one[bit / 8] = static_cast<uint8_t>(1 << bit % 8);
        inputs.push_back(one);
        for (uint8_t &b : one) b = static_cast<uint8_t>(~b);
        inputs.push_back(one);
    }
    for (int i = 0; i < 1000; i++) inputs.push_back(random.bytes(size));
    for (const Bytes &in : inputs) ASSERT_EQ(call(kernel, in), as_poly(centred_binomial(in, eta))) << to_hex(in);
}

TEST_P(Coding, CbdEta2)
{
    check_cbd(ring.cbd_eta2, 2, random);
}

TEST_P(Coding, CbdEta3)
{
    check_cbd(ring.cbd_eta3, 3, random);
}

TEST_P(Coding, CbdKnownAnswer)
{
    auto first = [](const Poly &f) { return std::vector<int>(f.begin(), f.begin() + 12); };
    const Bytes seed_and_nonce(33, 0);
    EXPECT_EQ(first(call(ring.cbd_eta2, shake256(seed_and_nonce, 128))),
              (std::vector<int>{0, -2, 0, 2, -2, -2, 1, -1, 1, -1, 0, 2}));
    EXPECT_EQ(first(call(ring.cbd_eta3, shake256(seed_and_nonce, 192))),
              (std::vector<int>{0, 0, 2, 0, 1, 0, 0, 1, 0, -1, -3, 1}));
}

LATKEM_FOR_EVERY_TABLE_AND_VARIANT(Coding, &lk_backend::q3329);

// Values that come after the 256th are dropped.
void append(std::vector<int16_t> &values, const std::vector<int16_t> &more)
{
    const size_t room = std::min(256 - values.size(), more.size());
    values.insert(values.end(), more.begin(), more.begin() + static_cast<long>(room));
}

// Rejection sampling: a stream in pieces, with what is accepted so far.
class RejUniform : public RingTest
{
  protected:
    // Delivers a piece to the kernel and checks the count, the values, and that those there before stay.
    void deliver(const Bytes &piece)
    {
        std::vector<int16_t> expected = accepted_;
        append(expected, fips203::sample_ntt(piece));
        GuardedPolys f(as_poly(padded(accepted_)));
        GuardedBytes in(piece);
        ASSERT_EQ(ring.rej_uniform_vartime(f.out(), accepted_.size(), in.in(), piece.size()), expected.size());
        const Poly value = f.value();
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), value.begin()));
        accepted_ = expected;
    }

    void start_with(size_t have)
    {
        accepted_.clear();
        for (size_t i = 0; i < have; i++) accepted_.push_back(static_cast<int16_t>(random.below(q)));
    }

    bool full() const
    {
        return accepted_.size() == 256;
    }

    std::vector<int16_t> accepted_;

  private:
    static std::vector<int16_t> padded(std::vector<int16_t> values)
    {
        values.resize(256);
        return values;
    }
};

// A triple of bytes with two values.
Bytes triple(unsigned d1, unsigned d2)
{
    return fips203::byte_encode(12, {d1, d2});
}

TEST_P(RejUniform, StreamInPiecesOfAnyLength)
{
    for (int i = 0; i < 300; i++) {
        start_with(0);
        while (!full()) ASSERT_NO_FATAL_FAILURE(deliver(random.bytes(3 * random.below(i % 3 == 0 ? 5 : 193))));
    }
}

TEST_P(RejUniform, BlocksOfShake128AndOfTheCounterMode)
{
    for (const size_t length : {168, 576, 192})
        for (int i = 0; i < 200; i++) {
            start_with(0);
            while (!full()) ASSERT_NO_FATAL_FAILURE(deliver(random.bytes(length)));
        }
}

TEST_P(RejUniform, GoesOnFromAnyCount)
{
    for (size_t have = 0; have < 256; have++)
        for (const size_t triples : {1, 2, 5, 56, 192}) {
            start_with(have);
            ASSERT_NO_FATAL_FAILURE(deliver(random.bytes(3 * triples)));
        }
}

TEST_P(RejUniform, AllRejected)
{
    for (const size_t have : {0, 1, 100, 255})
        for (const unsigned bad : {3329, 4095}) {
            start_with(have);
            Bytes stream;
            for (int i = 0; i < 192; i++) stream = stream + triple(bad, bad);
            ASSERT_NO_FATAL_FAILURE(deliver(stream));
            ASSERT_EQ(accepted_.size(), have);
        }
}

TEST_P(RejUniform, AllAcceptedStopsAt256)
{
    for (const size_t have : {0, 1, 2, 200, 254, 255}) {
        start_with(have);
        Bytes stream;
        for (int i = 0; i < 192; i++) stream = stream + triple(q - 1, 0);
        ASSERT_NO_FATAL_FAILURE(deliver(stream));
        ASSERT_TRUE(full());
    }
}

TEST_P(RejUniform, SecondValueOfTheLastTripleIsDropped)
{
    start_with(255);
    ASSERT_NO_FATAL_FAILURE(deliver(triple(q, q) + triple(1234, 2345) + triple(1, 2)));
    EXPECT_EQ(accepted_.back(), 1234);
}

TEST_P(RejUniform, ThresholdIsQ)
{
    for (unsigned d = 0; d < 4096; d++) {
        start_with(100);
        ASSERT_NO_FATAL_FAILURE(deliver(triple(d, 4095 - d)));
    }
}

TEST_P(RejUniform, KnownAnswer)
{
    Shake128 stream;
    stream.absorb(Bytes(32, 0) + Bytes{0, 1});
    while (!full()) ASSERT_NO_FATAL_FAILURE(deliver(stream.squeeze(168)));
    EXPECT_EQ(std::vector<int>(accepted_.begin(), accepted_.begin() + 8),
              (std::vector<int>{3236, 77, 320, 991, 2431, 3064, 1471, 615}));
}

LATKEM_FOR_EVERY_VARIANT(RejUniform);

// Sampling straight from interleaved Keccak states, where a backend has it.
class RejUniformLanes : public RingTest
{
  protected:
    static constexpr size_t rate = 168;

    // The block that lane l of the states begins with.
    static Bytes block(const uint64_t *words, size_t lanes, size_t lane)
    {
        Bytes bytes(rate);
        for (size_t w = 0; w < rate / 8; w++) lk_store64_le(&bytes[8 * w], words[w * lanes + lane]);
        return bytes;
    }
};

std::vector<const lk_backend *> backends_that_sample_lanes()
{
    std::vector<const lk_backend *> list;
    for (const lk_backend *backend : backends())
        if (backend->q3329->rej_uniform_lanes_vartime != nullptr) list.push_back(backend);
    return list;
}

TEST_P(RejUniformLanes, EqualsTheDefinitionInEveryLane)
{
    const size_t lanes = GetParam()->symmetric.keccak->lanes;
    for (int i = 0; i < 2000; i++) {
        Guarded<uint64_t> words(LK_KECCAK_WORDS * lanes, 0);
        for (size_t w = 0; w < LK_KECCAK_WORDS * lanes; w++)
            words.out()[w] = i % 4 == 0 ? random.word() | random.word() : random.word();
        const uint32_t mask = static_cast<uint32_t>(random.between(1, (1 << lanes) - 1));
        std::vector<Poly> before(lanes);
        for (Poly &f : before) f = random_poly(random, 0, LK_Q3329_CANONICAL_MAX);
        GuardedPolys polys(before);
        std::vector<lk_sink_state> states(lanes);
        std::vector<lk_sink_state *> streams(lanes, nullptr);
        for (size_t l = 0; l < lanes; l++) {
            if (!(mask >> l & 1)) continue;
            states[l] = {nullptr, polys.out() + l, i % 2 == 0 ? 0 : random.below(256)};
            streams[l] = &states[l];
        }
        const std::vector<lk_sink_state> states_before = states;
        const uint32_t full = ring.rej_uniform_lanes_vartime(streams.data(), mask, words.in(), lanes, rate);
        ASSERT_EQ(full & ~mask, 0u);
        for (size_t l = 0; l < lanes; l++) {
            const bool taken = mask >> l & 1;
            const size_t kept = taken ? states_before[l].have : 256;
            std::vector<int16_t> expected(before[l].begin(), before[l].begin() + static_cast<long>(kept));
            if (taken) {
                append(expected, fips203::sample_ntt(block(words.in(), lanes, l)));
                ASSERT_EQ(states[l].have, expected.size()) << "lane " << l;
                ASSERT_EQ(full >> l & 1, expected.size() == 256) << "lane " << l;
            }
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), polys.out()[l].c)) << "lane " << l;
        }
    }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RejUniformLanes);
INSTANTIATE_TEST_SUITE_P(Every, RejUniformLanes, testing::ValuesIn(backends_that_sample_lanes()), backend_name);

} // namespace
