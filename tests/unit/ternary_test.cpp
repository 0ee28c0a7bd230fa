// Inversion in S3 and S2, reduction to S3, its packing, sampling and sorting against their definitions.
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <numeric>

#include "cyclic.h"

namespace
{

class Ternary : public testing::TestWithParam<const lk_backend *>
{
  protected:
    using Invert = void (*)(uint16_t *, const uint16_t *, size_t, void *);

    Words inverse(Invert invert, const Words &f)
    {
        const size_t n = f.size();
        GuardedWords in(f), out(n), in_place(f);
        GuardedUnits scratch(n, ring.scratch_unit);
        invert(out.out(), in.in(), n, scratch.out());
        invert(in_place.out(), in_place.out(), n, scratch.out());
        EXPECT_EQ(in_place.value(), out.value()) << "in place";
        return out.value();
    }

    const lk_ternary_kernels &ring = *GetParam()->ternary;
    Random random{761857653}; // any number
};

int mod(int x, int p)
{
    return (x % p + p) % p;
}

// f modulo p and Phi: numbers 0 to p - 1, of which the last is 0.
Words reduce(const Words &f, int p)
{
    Words r(f);
    for (uint16_t &c : r) c = static_cast<uint16_t>(mod(static_cast<int16_t>(c) - static_cast<int16_t>(f.back()), p));
    return r;
}

Words in_s3(Words f)
{
    f.back() = 0;
    return f;
}

testing::AssertionResult is_in_s3(const Words &f)
{
    for (size_t i = 0; i < f.size(); i++)
        if ((f[i] > 1 && f[i] != minus_one) || (i == f.size() - 1 && f[i] != 0))
            return testing::AssertionFailure() << "coefficient " << i << " is " << f[i];
    return testing::AssertionSuccess();
}

// The digits of the specification, in which 2 is -1.
std::string digits(const Words &f, size_t count)
{
    std::string text;
    for (size_t i = 0; i < count; i++) text += f[i] == minus_one ? '2' : static_cast<char>('0' + f[i]);
    return text;
}

Bytes squares(size_t size)
{
    Bytes u(size);
    for (size_t i = 0; i < size; i++) u[i] = static_cast<uint8_t>(7 * i * i + 3 * i);
    return u;
}

// ---- Inversion ----

TEST_P(Ternary, InverseInS3)
{
    for (size_t n : degrees) {
        const Words one = power_of_x(n, 0);
        std::vector<Words> list = {one,
                                   in_s3(Words(n, 1)),
                                   in_s3(Words(n, minus_one)),
                                   power_of_x(n, 1),
                                   power_of_x(n, n / 2),
                                   power_of_x(n, n - 2)};
        for (int i = 0; i < 6; i++) list.push_back(in_s3(random_trits(random, n)));
        for (const Words &f : list) {
            const Words r = inverse(ring.invert_s3, f);
            ASSERT_TRUE(is_in_s3(r));
            ASSERT_EQ(reduce(schoolbook(f, r), 3), one) << n;
        }
    }
}

TEST_P(Ternary, InverseInS2)
{
    for (size_t n : degrees) {
        const Words one = power_of_x(n, 0);
        std::vector<Words> list = {one, power_of_x(n, 1), power_of_x(n, n - 2), power_of_x(n, n - 1)};
        for (int i = 0; i < 8; i++) list.push_back(random_words(random, n));
        for (const Words &f : list) {
            const Words r = inverse(ring.invert_s2, f);
            ASSERT_TRUE(std::all_of(r.begin(), r.end(), [](uint16_t c) { return c <= 1; }));
            ASSERT_EQ(r.back(), 0);
            ASSERT_EQ(reduce(schoolbook(f, r), 2), one) << n;
        }
    }
}

// Sparse polynomials take the division steps to their extremes.
TEST_P(Ternary, InverseOfBinomials)
{
    const size_t n = 509;
    for (size_t i = 1; i < n - 1; i++) {
        Words f = power_of_x(n, i);
        f[0] = i % 2 == 0 ? 1 : minus_one;
        ASSERT_EQ(reduce(schoolbook(f, inverse(ring.invert_s3, f)), 3), power_of_x(n, 0)) << i;
        ASSERT_EQ(reduce(schoolbook(f, inverse(ring.invert_s2, f)), 2), power_of_x(n, 0)) << i;
    }
}

TEST_P(Ternary, ZeroHasNoInverse)
{
    for (size_t n : degrees) {
        EXPECT_TRUE(is_in_s3(inverse(ring.invert_s3, Words(n))));
        EXPECT_TRUE(is_in_s3(inverse(ring.invert_s2, Words(n, 1)))); /* Phi */
    }
}

TEST_P(Ternary, KnownInverse)
{
    const size_t n = 701;
    GuardedWords f(n);
    CyclicBytes u(squares(n - 1));
    ring.sample_iid(f.out(), u.in(), n);
    EXPECT_EQ(digits(inverse(ring.invert_s3, f.value()), 24), "021120220111110110112021");
}

// ---- Reduction ----

class TernaryReduce : public Ternary
{
  protected:
    void check(const Words &f, unsigned log_q)
    {
        const size_t n = f.size();
        auto centred = [=](uint16_t c) {
            const int x = c & ((1 << log_q) - 1), q = 1 << log_q;
            return x < q / 2 ? x : x - q;
        };
        Words expected(n);
        for (size_t i = 0; i < n; i++) {
            const int r = mod(centred(f[i]) - centred(f[n - 1]), 3);
            expected[i] = r == 2 ? minus_one : static_cast<uint16_t>(r);
        }
        GuardedWords in(f), out(n), in_place(f);
        ring.reduce_s3(out.out(), in.in(), n, log_q);
        ASSERT_EQ(out.value(), expected) << n << ", " << log_q;
        ring.reduce_s3(in_place.out(), in_place.out(), n, log_q);
        ASSERT_EQ(in_place.value(), expected) << n << ", " << log_q << " in place";
    }
};

// Every value, beside each of the values at the ends and some others as coefficient n - 1.
TEST_P(TernaryReduce, EveryValue)
{
    for (unsigned log_q = 11; log_q <= 13; log_q++) {
        const unsigned q = 1u << log_q;
        for (unsigned last : {0u, 1u, 2u, q / 2 - 1, q / 2, q / 2 + 1, q - 2, q - 1, 0x5a5au}) {
            for (unsigned value = 0; value < q;) {
                Words f(degrees[value % 4]);
                for (uint16_t &c : f) c = static_cast<uint16_t>(value++);
                f.back() = static_cast<uint16_t>(last);
                value--;
                ASSERT_NO_FATAL_FAILURE(check(f, log_q));
            }
        }
    }
}

TEST_P(TernaryReduce, RandomWords)
{
    for (size_t n : degrees)
        for (unsigned log_q = 11; log_q <= 13; log_q++)
            for (int i = 0; i < 20; i++) ASSERT_NO_FATAL_FAILURE(check(random_words(random, n), log_q));
}

// ---- Packing and sampling ----

class TernaryCoding : public Ternary
{
  protected:
    Bytes pack(const Words &f)
    {
        GuardedWords words(f);
        CyclicBytes bytes(lk_ternary_bytes(f.size()));
        ring.pack_s3(bytes.out(), words.in(), f.size());
        return bytes.value();
    }

    Words unpack(const Bytes &in, size_t n)
    {
        GuardedWords words(n);
        CyclicBytes bytes(in);
        ring.unpack_s3(words.out(), bytes.in(), n);
        return words.value();
    }
};

TEST_P(TernaryCoding, PacksFiveTritsAByte)
{
    for (size_t n : degrees)
        for (int i = 0; i < 20; i++) {
            const Words f = in_s3(random_trits(random, n));
            Bytes expected(lk_ternary_bytes(n));
            for (size_t j = n - 1; j-- > 0;)
                expected[j / 5] = static_cast<uint8_t>(3 * expected[j / 5] + (f[j] == minus_one ? 2 : f[j]));
            ASSERT_EQ(pack(f), expected) << n;
            ASSERT_EQ(unpack(expected, n), f) << n;
        }
}

// Every byte at every place; those above 242 count modulo 243.
TEST_P(TernaryCoding, UnpacksEveryByte)
{
    for (size_t n : degrees)
        for (unsigned first = 0; first < 256; first++) {
            Bytes in(lk_ternary_bytes(n));
            for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<uint8_t>(first + i);
            Words expected(n);
            for (size_t i = 0; i < n - 1; i++) {
                unsigned x = in[i / 5] % 243u;
                for (size_t j = 0; j < i % 5; j++) x /= 3;
                expected[i] = x % 3 == 2 ? minus_one : static_cast<uint16_t>(x % 3);
            }
            ASSERT_EQ(unpack(in, n), expected) << n << ", " << first;
        }
}

TEST_P(TernaryCoding, SamplesEveryByte)
{
    for (size_t n : degrees) {
        Bytes in(n - 1);
        std::iota(in.begin(), in.end(), uint8_t{0});
        Words expected(n);
        for (size_t i = 0; i < n - 1; i++) expected[i] = in[i] % 3 == 2 ? minus_one : static_cast<uint16_t>(in[i] % 3);
        GuardedWords f(n);
        CyclicBytes bytes(in);
        ring.sample_iid(f.out(), bytes.in(), n);
        EXPECT_EQ(f.value(), expected) << n;
    }
}

TEST_P(TernaryCoding, SizesAreWithinTheContract)
{
    EXPECT_LE(ring.scratch_unit, size_t{LK_TERNARY_SCRATCH_MAX});
    for (size_t n : degrees) EXPECT_EQ(lk_ternary_padded(n), lk_cyclic_padded(n));
}

// ---- Sorting ----

class TernarySort : public Ternary
{
  protected:
    using Numbers = std::vector<int32_t>;

    void check(const Numbers &x)
    {
        Guarded<int32_t> memory(x.data(), x.size(), next_poly_offset()), scratch(x.size(), next_poly_offset());
        ring.sort(memory.out(), x.size(), scratch.out());
        Numbers expected(x);
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(Numbers(memory.out(), memory.out() + x.size()), expected);
    }

    // Sorts each sequence of 0 and 1 that changes at the given places, and its complement.
    void check_runs(size_t count, const std::vector<size_t> &changes)
    {
        Numbers x(count);
        for (size_t change : changes)
            for (size_t i = change; i < count; i++) x[i] ^= 1;
        check(x);
        for (int32_t &c : x) c ^= 1;
        check(x);
    }

    static constexpr size_t unit = LK_TERNARY_SORT_UNIT;
};

// A network that sorts all sequences of 0 and 1 sorts everything (Knuth 5.3.4, theorem Z).
TEST_P(TernarySort, EverySequenceOfZeroAndOne)
{
    for (uint32_t bits = 0; bits < 1u << unit; bits++) {
        Numbers x(unit);
        for (size_t i = 0; i < unit; i++) x[i] = static_cast<int32_t>(bits >> i & 1);
        ASSERT_NO_FATAL_FAILURE(check(x));
    }
}

// Longer ones are too many to try all: those with up to three changes, and random ones.
TEST_P(TernarySort, RunsOfZeroAndOne)
{
    for (size_t count : {2 * unit, 3 * unit}) {
        for (size_t a = 0; a < count; a++)
            for (size_t b = a; b < count; b++)
                for (size_t c = b; c < count; c++) ASSERT_NO_FATAL_FAILURE(check_runs(count, {a, b, c}));
    }
    for (size_t count = 4 * unit; count <= 64 * unit; count += unit)
        for (size_t change = 0; change < count; change += 1 + random.below(16))
            ASSERT_NO_FATAL_FAILURE(check_runs(count, {change}));
}

TEST_P(TernarySort, RandomSequencesOfZeroAndOne)
{
    for (size_t count = unit; count <= 64 * unit; count += unit)
        for (int i = 0; i < 200; i++) {
            Numbers x(count);
            const size_t of = 1 + random.below(count);
            for (int32_t &c : x) c = random.below(count) < of;
            ASSERT_NO_FATAL_FAILURE(check(x));
        }
}

TEST_P(TernarySort, SignedNumbers)
{
    const int32_t least = std::numeric_limits<int32_t>::min(), most = std::numeric_limits<int32_t>::max();
    for (size_t count = unit; count <= 64 * unit; count += unit) {
        Numbers x(count), ends(count), falling(count);
        for (int32_t &c : x) c = static_cast<int32_t>(random.word());
        for (int32_t &c : ends) c = std::array<int32_t, 6>{least, least + 1, -1, 0, most - 1, most}[random.below(6)];
        for (size_t i = 0; i < count; i++) falling[i] = -static_cast<int32_t>(i);
        ASSERT_NO_FATAL_FAILURE(check(x));
        ASSERT_NO_FATAL_FAILURE(check(ends));
        ASSERT_NO_FATAL_FAILURE(check(falling));
    }
}

LATKEM_FOR_EVERY_BACKEND(Ternary);
LATKEM_FOR_EVERY_BACKEND(TernaryReduce);
LATKEM_FOR_EVERY_BACKEND(TernaryCoding);
LATKEM_FOR_EVERY_BACKEND(TernarySort);

} // namespace
