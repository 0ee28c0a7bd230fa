// Products modulo X^n - 1 and the packing of NTRU's polynomials against their definitions.
// SPDX-License-Identifier: Apache-2.0
#include "cyclic.h"

namespace
{

class Cyclic : public testing::TestWithParam<const lk_backend *>
{
  protected:
    using Evaluate = void (*)(void *, const uint16_t *, size_t, void *);
    using Multiply = void (*)(uint16_t *, const void *, const void *, size_t, void *);

    Words product(const Words &f, const Words &g, Evaluate evaluate_g, Multiply multiply)
    {
        const size_t n = f.size();
        GuardedWords left(f), right(g), h(n);
        GuardedUnits ef(n, ring.evaluated_unit), eg(n, ring.evaluated_unit), scratch(n, ring.scratch_unit);
        ring.evaluate(ef.out(), left.in(), n, scratch.out());
        evaluate_g(eg.out(), right.in(), n, scratch.out());
        multiply(h.out(), ef.in(), eg.in(), n, scratch.out());
        return lower_bits(h.value());
    }

    static Words lower_bits(Words f)
    {
        for (uint16_t &c : f) c &= 0x1fff;
        return f;
    }

    void check(const Words &f, const Words &g)
    {
        ASSERT_EQ(product(f, g, ring.evaluate, ring.multiply), lower_bits(schoolbook(f, g))) << "n = " << f.size();
    }

    void check_ternary(const Words &f, const Words &g)
    {
        ASSERT_EQ(product(f, g, ring.evaluate_ternary, ring.multiply_ternary), lower_bits(schoolbook(f, g)))
            << "n = " << f.size();
    }

    const lk_cyclic_kernels &ring = GetParam()->pow2->cyclic;
    Random random{509677701821}; // any number
};

// The ends of every modulus in use, alone, in runs and everywhere.
std::vector<Words> extremes(size_t n, Random &random)
{
    const uint16_t ends[] = {0x03ff, 0x0400, 0x07ff, 0x0800, 0x0fff, 0x1fff, 0x7fff, 0x8000, minus_one};
    std::vector<Words> list = {Words(n, 0), Words(n, 1)};
    for (uint16_t end : ends) {
        list.push_back(Words(n, end));
        Words alternating(n), random_ends(n), alone(n);
        for (size_t i = 0; i < n; i++) alternating[i] = i % 2 == 0 ? end : static_cast<uint16_t>(~end);
        for (uint16_t &c : random_ends) c = random.word() % 2 == 0 ? end : 0;
        alone[random.below(n)] = end;
        list.insert(list.end(), {alternating, random_ends, alone});
    }
    return list;
}

std::vector<Words> ternary_extremes(size_t n, Random &random)
{
    Words alternating(n), runs(n);
    for (size_t i = 0; i < n; i++) alternating[i] = i % 2 == 0 ? 1 : minus_one;
    for (size_t i = 0; i < n; i++) runs[i] = i < n / 2 ? 1 : minus_one;
    return {Words(n, 0), Words(n, 1), Words(n, minus_one), alternating, runs, random_trits(random, n)};
}

TEST_P(Cyclic, ProductsOfRandomWords)
{
    for (size_t n : degrees)
        for (int i = 0; i < 20; i++) ASSERT_NO_FATAL_FAILURE(check(random_words(random, n), random_words(random, n)));
}

TEST_P(Cyclic, ProductsOfExtremes)
{
    for (size_t n : degrees) {
        const std::vector<Words> list = extremes(n, random);
        for (const Words &f : list) {
            ASSERT_NO_FATAL_FAILURE(check(f, f));
            ASSERT_NO_FATAL_FAILURE(check(f, list[random.below(list.size())]));
            ASSERT_NO_FATAL_FAILURE(check(f, random_words(random, n)));
        }
    }
}

TEST_P(Cyclic, ProductsWithTrits)
{
    for (size_t n : degrees) {
        for (const Words &g : ternary_extremes(n, random)) {
            for (const Words &f : extremes(n, random)) ASSERT_NO_FATAL_FAILURE(check_ternary(f, g));
            for (const Words &f : ternary_extremes(n, random)) ASSERT_NO_FATAL_FAILURE(check_ternary(f, g));
        }
        for (int i = 0; i < 20; i++)
            ASSERT_NO_FATAL_FAILURE(check_ternary(random_words(random, n), random_trits(random, n)));
    }
}

// X^i f is f rotated: every place of both factors, and every way round the end.
TEST_P(Cyclic, PowersOfXRotate)
{
    for (size_t n : degrees) {
        const Words f = random_words(random, n);
        for (size_t i = 0; i < n; i++) {
            Words expected(f);
            std::rotate(expected.begin(), expected.end() - static_cast<long>(i), expected.end());
            const Words power = power_of_x(n, i);
            ASSERT_EQ(product(power, f, ring.evaluate, ring.multiply), lower_bits(expected)) << n << ", " << i;
            ASSERT_EQ(product(f, power, ring.evaluate_ternary, ring.multiply_ternary), lower_bits(expected))
                << n << ", " << i;
        }
    }
}

TEST_P(Cyclic, SizesAreWithinTheContract)
{
    EXPECT_EQ(ring.evaluated_unit % LK_ALIGN, 0u);
    EXPECT_LE(ring.evaluated_unit, size_t{LK_CYCLIC_EVALUATED_MAX});
    EXPECT_LE(ring.scratch_unit, size_t{LK_CYCLIC_SCRATCH_MAX});
}

// ---- Packing ----

struct Packing {
    unsigned d;
    void (*lk_cyclic_kernels::*pack)(uint8_t *, const uint16_t *, size_t);
    void (*lk_cyclic_kernels::*unpack)(uint16_t *, const uint8_t *, size_t);
};

const Packing packings[] = {
    {11, &lk_cyclic_kernels::pack_d11, &lk_cyclic_kernels::unpack_d11},
    {12, &lk_cyclic_kernels::pack_d12, &lk_cyclic_kernels::unpack_d12},
    {13, &lk_cyclic_kernels::pack_d13, &lk_cyclic_kernels::unpack_d13},
};

size_t packed_size(size_t n, unsigned d)
{
    return (d * (n - 1) + 7) / 8;
}

Bytes pack_bits(const Words &f, unsigned d)
{
    Bytes bytes(packed_size(f.size(), d));
    for (size_t bit = 0; bit < d * (f.size() - 1); bit++)
        bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] | (f[bit / d] >> bit % d & 1) << bit % 8);
    return bytes;
}

class CyclicPacking : public Cyclic
{
  protected:
    Bytes pack(const Packing &p, const Words &f)
    {
        GuardedWords words(f);
        CyclicBytes bytes(packed_size(f.size(), p.d));
        (ring.*p.pack)(bytes.out(), words.in(), f.size());
        return bytes.value();
    }

    Words unpack(const Packing &p, const Bytes &in, size_t n)
    {
        GuardedWords words(n);
        CyclicBytes bytes(in);
        (ring.*p.unpack)(words.out(), bytes.in(), n);
        return words.value();
    }
};

TEST_P(CyclicPacking, PacksTheLowerBits)
{
    for (const Packing &p : packings)
        for (size_t n : degrees) {
            for (const Words &f : extremes(n, random)) ASSERT_EQ(pack(p, f), pack_bits(f, p.d)) << p.d << ", " << n;
            for (int i = 0; i < 20; i++) {
                const Words f = random_words(random, n);
                ASSERT_EQ(pack(p, f), pack_bits(f, p.d)) << p.d << ", " << n;
            }
        }
}

TEST_P(CyclicPacking, UnpacksWhatWasPacked)
{
    for (const Packing &p : packings)
        for (size_t n : degrees)
            for (int i = 0; i < 20; i++) {
                const Words f = random_words(random, n);
                Words expected(f);
                for (uint16_t &c : expected) c = static_cast<uint16_t>(c & ((1u << p.d) - 1));
                expected[n - 1] = 0;
                ASSERT_EQ(unpack(p, pack_bits(f, p.d), n), expected) << p.d << ", " << n;
            }
}

TEST_P(CyclicPacking, UnusedBitsAreIgnored)
{
    for (const Packing &p : packings)
        for (size_t n : degrees) {
            const Words f = random_words(random, n);
            Bytes bytes = pack_bits(f, p.d);
            const Words expected = unpack(p, bytes, n);
            const size_t used = p.d * (n - 1) - 8 * (bytes.size() - 1);
            bytes.back() = static_cast<uint8_t>(bytes.back() | 0xff00 >> (8 - used));
            EXPECT_EQ(unpack(p, bytes, n), expected) << p.d << ", " << n;
        }
}

LATKEM_FOR_EVERY_BACKEND(Cyclic);
LATKEM_FOR_EVERY_BACKEND(CyclicPacking);

} // namespace
