// The kernels of NTRU's small polynomials against their definitions.
// SPDX-License-Identifier: Apache-2.0
#include <climits>
#include <limits>

#include "harness/model/crypto.h"
#include "ntru_ring.h"

namespace
{

using ntru::Poly;

class Ternary : public NtruRingTest
{
  protected:
    void check_inverse(const Poly &t)
    {
        const Poly v = ring.invert_s3(t);
        ASSERT_TRUE(are_trits(v));
        ASSERT_EQ(v.back(), 0);
        ASSERT_EQ(ntru::mod(ntru::mod_phi(ntru::multiply(t, v, 3)), 3), ntru::one(t.size())) << "n = " << t.size();
    }

    void check_sort(const std::vector<int32_t> &list)
    {
        std::vector<int32_t> sorted = list;
        std::sort(sorted.begin(), sorted.end());
        ASSERT_EQ(ring.sort(list), sorted);
    }

    std::vector<int32_t> random_words(size_t count, int32_t low, int32_t high)
    {
        std::vector<int32_t> list(count);
        const auto values = static_cast<uint64_t>(int64_t{high} - low + 1);
        for (int32_t &word : list) word = static_cast<int32_t>(low + static_cast<int64_t>(random.word() % values));
        return list;
    }
};

// u_i = 7 i^2 + 3 i modulo 256.
Bytes quadratic(size_t length)
{
    Bytes bytes(length);
    for (size_t i = 0; i < length; i++) bytes[i] = static_cast<uint8_t>(7 * i * i + 3 * i);
    return bytes;
}

std::string digits(const Poly &t)
{
    std::string text;
    for (size_t i = 0; i < 24; i++) text += static_cast<char>('0' + t[i]);
    return text;
}

// ---- Sampling ----

TEST_P(Ternary, SampleIid)
{
    for (size_t n : degrees)
        for (unsigned start = 0; start < 256; start++) {
            Bytes in(n - 1);
            for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<uint8_t>(start + 37 * i);
            ASSERT_EQ(ring.sample_iid(in, n), ntru::iid(in, n)) << "n = " << n;
        }
}

// Sums of t_i t_(i+1) from the most negative to the largest, 0 and its neighbours among them. Bytes 0, 1, 2 are the trits.
TEST_P(Ternary, MakeNonnegative)
{
    for (size_t n : degrees) {
        std::vector<Poly> list = {Poly(n, 0), Poly(n, 1), Poly(n, 2)};
        for (size_t length = 1; length < n; length += length < 4 ? 1 : n / 16) {
            Poly alternating(n, 0);
            for (size_t i = 0; i < length; i++) alternating[i] = i % 2 ? 1 : 2;
            list.push_back(alternating);
            std::reverse(alternating.begin(), alternating.end() - 1);
            list.push_back(alternating);
        }
        for (int i = 0; i < 200; i++) list.push_back(random_trits(random, n));
        for (Poly &t : list) {
            t.back() = 0;
            ASSERT_EQ(ring.make_nonnegative(t), ntru::iid_plus(Bytes(t.begin(), t.end()), n)) << "n = " << n;
        }
    }
}

TEST_P(Ternary, FixedTypeWords)
{
    for (size_t n : degrees)
        for (size_t weight : {size_t{254}, size_t{510}}) {
            if (weight > n - 1) continue;
            const size_t size = (30 * (n - 1) + 7) / 8;
            std::vector<Bytes> inputs = {Bytes(size, 0), Bytes(size, 0xff), quadratic(size)};
            for (int i = 0; i < 20; i++) inputs.push_back(random.bytes(size));
            for (const Bytes &in : inputs)
                ASSERT_EQ(ring.fixed_type_words(in, n, weight), ntru::fixed_type_words(in, n, weight)) << "n = " << n;
        }
}

TEST_P(Ternary, WordsToTrits)
{
    for (size_t n : degrees)
        for (int i = 0; i < 20; i++) {
            std::vector<int32_t> list = random_words(n - 1, INT32_MIN / 4, INT32_MAX / 4);
            Poly expected;
            for (int32_t &word : list) {
                expected.push_back(static_cast<int>(random.below(3)));
                word = word * 4 + expected.back();
            }
            expected.push_back(0);
            ASSERT_EQ(ring.words_to_trits(list), expected) << "n = " << n;
        }
}

TEST_P(Ternary, KnownSamples)
{
    const size_t n = 509;
    const Poly m = ring.words_to_trits(ring.sort(ring.fixed_type_words(quadratic(1905), n, 254)));
    EXPECT_EQ(digits(m), "200120101210220000000111");
    EXPECT_EQ(to_hex(slice(sha3_256(ring.pack_s3(m)), 0, 8)), "7cf1b27cfc942791");
    EXPECT_EQ(ring.weight_differs(m, 254), 0u);
    EXPECT_EQ(digits(ring.make_nonnegative(ring.sample_iid(quadratic(700), 701))), "012021100111101002001002");
}

// ---- Sorting ----

// A network that sorts all sequences of 0 and 1 sorts everything (Knuth, TAOCP 3, section 5.3.4, theorem Z).
TEST_P(Ternary, SortsAllSmallSequencesOfTwoValues)
{
    for (size_t count = 1; count <= (emulated() ? 12 : 16); count++)
        for (uint32_t bits = 0; bits < 1u << count; bits++) {
            std::vector<int32_t> list(count);
            for (size_t i = 0; i < count; i++) list[i] = static_cast<int32_t>(bits >> i & 1);
            ASSERT_NO_FATAL_FAILURE(check_sort(list));
        }
}

// At every count that keys have, and at those around units: every number of ones at random places, and in two blocks.
TEST_P(Ternary, SortsTwoValues)
{
    for (size_t count : {size_t{63}, size_t{64}, size_t{65}, size_t{127}, size_t{508}, size_t{512}, size_t{676},
                         size_t{700}, size_t{820}, size_t{821}})
        for (size_t ones = 0; ones <= count; ones++) {
            std::vector<int32_t> list(count, 0);
            std::fill_n(list.begin(), ones, 1);
            ASSERT_NO_FATAL_FAILURE(check_sort(list));
            for (size_t i = count; i > 1; i--) std::swap(list[i - 1], list[random.below(i)]);
            ASSERT_NO_FATAL_FAILURE(check_sort(list));
        }
}

TEST_P(Ternary, SortsEveryCount)
{
    constexpr int32_t lowest = INT32_MIN, highest = INT32_MAX - 1;
    for (size_t count = 1; count <= LK_CYCLIC_N_MAX; count++) {
        ASSERT_NO_FATAL_FAILURE(check_sort(random_words(count, lowest, highest)));
        ASSERT_NO_FATAL_FAILURE(check_sort(random_words(count, -3, 3)));
    }
}

// Signs decide: the top bit is the sign and not the largest digit. Differences that do not fit a word are compared too.
TEST_P(Ternary, SortsExtremes)
{
    constexpr int32_t ends[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 2, INT32_MAX - 1};
    for (size_t count : {size_t{2}, size_t{7}, size_t{508}, size_t{820}}) {
        std::vector<int32_t> rising = random_words(count, INT32_MIN, INT32_MAX - 1);
        std::sort(rising.begin(), rising.end());
        std::vector<int32_t> falling(rising.rbegin(), rising.rend());
        ASSERT_NO_FATAL_FAILURE(check_sort(rising));
        ASSERT_NO_FATAL_FAILURE(check_sort(falling));
        for (int i = 0; i < 50; i++) {
            std::vector<int32_t> list(count);
            for (int32_t &word : list) word = ends[random.below(std::size(ends))];
            ASSERT_NO_FATAL_FAILURE(check_sort(list));
        }
        for (int32_t value : ends) ASSERT_NO_FATAL_FAILURE(check_sort(std::vector<int32_t>(count, value)));
    }
}

// ---- Weights ----

TEST_P(Ternary, WeightDiffers)
{
    for (size_t n : degrees)
        for (size_t weight : {size_t{254}, size_t{510}, size_t{2}}) {
            if (weight > n - 3) continue;
            for (size_t ones = weight / 2 - 1; ones <= weight / 2 + 1; ones++)
                for (size_t twos = weight / 2 - 1; twos <= weight / 2 + 1; twos++) {
                    Poly t(n, 0);
                    std::fill_n(t.begin(), ones, 1);
                    std::fill_n(t.begin() + static_cast<std::ptrdiff_t>(ones), twos, 2);
                    for (size_t i = n - 1; i > 1; i--) std::swap(t[i - 1], t[random.below(i)]);
                    const bool equal = ones == weight / 2 && twos == weight / 2;
                    ASSERT_EQ(ring.weight_differs(t, weight), equal ? 0 : 0xffffffff)
                        << ones << " ones, " << twos << " twos, n = " << n;
                }
            for (int trit : {0, 1, 2}) ASSERT_EQ(ring.weight_differs(Poly(n, trit), weight), 0xffffffff);
        }
}

// As many as there should be modulo 256, which is how far a byte counts. For one weight and n there is no room for more.
TEST_P(Ternary, WeightDiffersBy256)
{
    for (size_t n : degrees)
        for (size_t weight : {size_t{254}, size_t{510}, size_t{2}}) {
            if (weight + 256 > n - 1) continue;
            for (const auto &[more_ones, more_twos] : {std::pair<size_t, size_t>{256, 0}, {0, 256}}) {
                Poly t(n, 0);
                const auto twos = std::fill_n(t.begin(), weight / 2 + more_ones, 1);
                std::fill_n(twos, weight / 2 + more_twos, 2);
                for (size_t i = n - 1; i > 1; i--) std::swap(t[i - 1], t[random.below(i)]);
                ASSERT_EQ(ring.weight_differs(t, weight), 0xffffffff) << "n = " << n << ", weight " << weight;
            }
        }
}

// ---- Bytes ----

TEST_P(Ternary, Pack)
{
    for (size_t n : degrees) {
        std::vector<Poly> list = {Poly(n, 0), Poly(n, 1), Poly(n, 2)};
        for (int i = 0; i < 200; i++) list.push_back(random_trits(random, n));
        for (Poly &t : list) {
            t.back() = 0;
            ASSERT_EQ(ring.pack_s3(t), ntru::pack_s3(t)) << "n = " << n;
            ASSERT_EQ(ring.unpack_s3(ring.pack_s3(t), n), t) << "n = " << n;
        }
    }
}

TEST_P(Ternary, UnpackEveryByte)
{
    for (size_t n : degrees)
        for (unsigned start = 0; start < 256; start++) {
            Bytes in((n + 3) / 5);
            for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<uint8_t>(start + 37 * i);
            ASSERT_EQ(ring.unpack_s3(in, n), ntru::unpack_s3(in, n)) << "n = " << n << ", start " << start;
        }
}

// ---- Products ----

// With 2 in all places every sum is as large as it can be.
TEST_P(Ternary, Products)
{
    if (!ring.ternary.multiply) GTEST_SKIP() << "skipped: the backend has no such kernel";
    for (size_t n : degrees) {
        std::vector<Poly> list = {Poly(n, 0), Poly(n, 1), Poly(n, 2)};
        for (size_t i = 0; i < n; i += n / 30) list.push_back(monomial(n, i, 1 + static_cast<int>(i % 2)));
        list.push_back(monomial(n, n - 1, 2));
        for (int i = 0; i < 20; i++) list.push_back(random_residues(random, n, 3));
        for (size_t i = 0; i < list.size(); i++)
            for (const Poly &g : {list[i], list[(i + 1) % list.size()], list[2], list.back()}) {
                const Poly product = ntru::mod(ntru::mod_phi(ntru::multiply(list[i], g, 3)), 3);
                ASSERT_EQ(ring.multiply_s3(list[i], g), product) << "n = " << n << ", factor " << i;
            }
    }
}

// Each pair of coefficients is multiplied, and nothing beside.
TEST_P(Ternary, ProductsOfEveryPower)
{
    if (!ring.ternary.multiply) GTEST_SKIP() << "skipped: the backend has no such kernel";
    for (size_t n : degrees) {
        const Poly f = random_residues(random, n, 3);
        for (size_t i = 0; i < n; i += stride()) {
            const Poly power = monomial(n, i, 1 + static_cast<int>(i % 2));
            const Poly product = ntru::mod(ntru::mod_phi(ntru::multiply(f, power, 3)), 3);
            ASSERT_EQ(ring.multiply_s3(f, power), product) << "X^" << i << ", n = " << n;
            ASSERT_EQ(ring.multiply_s3(power, f), product) << "X^" << i << ", n = " << n;
        }
    }
}

// ---- Lift and inverses ----

TEST_P(Ternary, LiftQuotient)
{
    for (size_t n : degrees) {
        std::vector<Poly> list = {Poly(n, 0), Poly(n, 1), Poly(n, 2)};
        for (size_t i = 0; i < n - 1; i++) list.push_back(monomial(n, i, 1 + static_cast<int>(i % 2)));
        for (int i = 0; i < 200; i++) list.push_back(random_trits(random, n));
        for (Poly &t : list) {
            t.back() = 0;
            ASSERT_EQ(ring.lift_quotient(t), ntru::lift_quotient(t)) << "n = " << n;
        }
    }
}

TEST_P(Ternary, InverseOfEveryPower)
{
    for (size_t n : degrees)
        for (size_t i = 0; i < n; i += stride()) {
            const int sign = i % 2 ? 1 : 2;
            const Poly inverse = ntru::mod(ntru::mod_phi(monomial(n, n - i, sign)), 3);
            ASSERT_EQ(ring.invert_s3(monomial(n, i, sign)), inverse) << sign << " X^" << i << ", n = " << n;
        }
}

// Phi is irreducible modulo 3, so that all but 0 have an inverse, whether their highest coefficient is 0 or not.
TEST_P(Ternary, Inverse)
{
    for (size_t n : degrees) {
        for (int i = 0; i < 50; i++)
            ASSERT_NO_FATAL_FAILURE(check_inverse(i % 2 ? random_trits(random, n) : random_residues(random, n, 3)));
        for (size_t i = 1; i < n; i += n / 20) {
            Poly two_terms = monomial(n, i), all_but_one(n, 1), beginning(n, 0);
            two_terms[0] = 2;
            all_but_one[i] = 2;
            std::fill_n(beginning.begin(), i, 2);
            for (const Poly &t : {two_terms, all_but_one, beginning}) ASSERT_NO_FATAL_FAILURE(check_inverse(t));
        }
    }
}

TEST_P(Ternary, KnownInverse)
{
    EXPECT_EQ(digits(ring.invert_s3(ntru::iid(quadratic(700), 701))), "021120220111110110112021");
}

TEST_P(Ternary, InverseOfZeroIsZero)
{
    for (size_t n : degrees)
        for (int trit : {0, 1, 2}) EXPECT_EQ(ring.invert_s3(Poly(n, trit)), Poly(n, 0));
}

LATKEM_FOR_EVERY_TABLE_AND_VARIANT(Ternary, &lk_backend::ternary);

} // namespace
