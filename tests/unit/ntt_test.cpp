// NTT, base multiplication and reductions against their definitions, at the bounds of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "harness/model/crypto.h"
#include "ring.h"

namespace
{

using fips203::q;

constexpr int any_low = -32768, any_high = 32767;

class Ntt : public RingTest
{
  protected:
    void check_ntt(const Poly &f, const Poly &expected)
    {
        const Poly values = call(ring.ntt, f);
        ASSERT_LE(largest(values), LK_Q3329_NTT_OUT);
        ASSERT_EQ(to_standard(ring, values), expected);
    }

    // The values are in the backend's own order, as any sequence of numbers is.
    void check_inverse(const Poly &values)
    {
        const Poly f = call(ring.invntt_tomont, values);
        ASSERT_LE(largest(f), LK_Q3329_INVNTT_OUT);
        ASSERT_EQ(fips203::ntt(fips203::mod_q(f)), fips203::scale(to_standard(ring, values), fips203::R));
    }

    void check_product(const std::vector<Poly> &f, const std::vector<Poly> &g)
    {
        const Poly h = inner_product(ring, f, g);
        ASSERT_LE(largest(h), LK_Q3329_PRODUCT_OUT);
        Poly sum = fill(0);
        for (size_t i = 0; i < f.size(); i++)
            sum = fips203::add(sum, fips203::multiply_ntts(to_standard(ring, f[i]), to_standard(ring, g[i])));
        ASSERT_EQ(fips203::scale(to_standard(ring, h), fips203::R), sum);
    }
};

TEST_P(Ntt, EqualsEvaluation)
{
    for (const Poly &f : extremes(-LK_Q3329_NTT_IN, LK_Q3329_NTT_IN, random))
        ASSERT_NO_FATAL_FAILURE(check_ntt(f, fips203::ntt(f)));
    for (int i = 0; i < 500; i++) {
        const Poly f = random_poly(random, -LK_Q3329_NTT_IN, LK_Q3329_NTT_IN);
        ASSERT_NO_FATAL_FAILURE(check_ntt(f, fips203::ntt(f)));
    }
}

// Every value in [-q, q], alone at some position and at all positions; by linearity the definition is needed once.
TEST_P(Ntt, EveryValue)
{
    std::vector<Poly> unit;
    for (size_t i = 0; i < 256; i++) {
        Poly one = fill(0);
        one[i] = 1;
        unit.push_back(fips203::ntt(one));
    }
    const Poly all_one = fips203::ntt(fill(1));
    for (int c = -LK_Q3329_NTT_IN; c <= LK_Q3329_NTT_IN; c++) {
        const size_t i = static_cast<size_t>(c + q) % 256;
        Poly alone = fill(0);
        alone[i] = static_cast<int16_t>(c);
        ASSERT_NO_FATAL_FAILURE(check_ntt(alone, fips203::scale(unit[i], c)));
        ASSERT_NO_FATAL_FAILURE(check_ntt(fill(c), fips203::scale(all_one, c)));
    }
}

TEST_P(Ntt, KnownAnswer)
{
    Poly f;
    for (size_t i = 0; i < f.size(); i++) f[i] = static_cast<int16_t>(i);
    const Poly values = call(ring.ntt, f);
    const std::vector<int> first = {2429, 2845, 425, 795, 1865, 1356, 624, 31};
    const Poly standard = to_standard(ring, values);
    EXPECT_EQ(std::vector<int>(standard.begin(), standard.begin() + 8), first);
    const Bytes encoded = call(ring.encode_d12, LK_Q3329_POLY_BYTES, call(ring.reduce, values));
    EXPECT_EQ(to_hex(slice(sha3_256(encoded), 0, 8)), "75c811226cd14c4e");
}

TEST_P(Ntt, InverseOfAnyValues)
{
    for (const Poly &values : extremes(any_low, any_high, random)) ASSERT_NO_FATAL_FAILURE(check_inverse(values));
    for (const Poly &values : extremes(-LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT, random))
        ASSERT_NO_FATAL_FAILURE(check_inverse(values));
    for (int i = 0; i < 500; i++) ASSERT_NO_FATAL_FAILURE(check_inverse(random_poly(random, any_low, any_high)));
}

// Multiples of 1 + X + ... + X^(run - 1) have the same remainder of run coefficients in every ring that the layers pass on
// the way to such remainders: from there on all sums of the inverse grow together, as far as their bounds allow.
TEST_P(Ntt, InverseWhereSumsGrow)
{
    for (size_t run = 1; run < 256; run *= 2) {
        Poly ones = fill(0);
        std::fill_n(ones.begin(), run, int16_t{1});
        const Poly values = fips203::ntt(ones);
        for (int c = 0; c < q; c++) {
            const Poly f = call(ring.invntt_tomont, to_backend(ring, fips203::scale(values, c)));
            ASSERT_LE(largest(f), LK_Q3329_INVNTT_OUT) << c << " in runs of " << run;
            ASSERT_EQ(fips203::mod_q(f), fips203::scale(fips203::scale(ones, c), fips203::R));
        }
    }
}

TEST_P(Ntt, InverseTakesBackNtt)
{
    for (const Poly &f : extremes(-LK_Q3329_NTT_IN, LK_Q3329_NTT_IN, random)) {
        const Poly back = call(ring.invntt_tomont, call(ring.ntt, f));
        ASSERT_EQ(fips203::mod_q(back), fips203::scale(f, fips203::R));
    }
}

TEST_P(Ntt, InnerProductAtTheBounds)
{
    const std::vector<Poly> f = extremes(0, LK_Q3329_DECODED_MAX, random),
                            g = extremes(-LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT, random);
    for (size_t k = 1; k <= LK_Q3329_RANK_MAX; k++) {
        for (const Poly &right : g) {
            ASSERT_NO_FATAL_FAILURE(
                check_product(std::vector<Poly>(k, fill(LK_Q3329_DECODED_MAX)), std::vector<Poly>(k, right)));
        }
        for (int i = 0; i < draws(300); i++) {
            std::vector<Poly> left, right;
            for (size_t j = 0; j < k; j++) {
                left.push_back(f[random.below(f.size())]);
                right.push_back(g[random.below(g.size())]);
            }
            ASSERT_NO_FATAL_FAILURE(check_product(left, right));
        }
    }
}

TEST_P(Ntt, InnerProductOfRandomValues)
{
    for (int i = 0; i < draws(400); i++) {
        std::vector<Poly> f, g;
        for (int j = 0; j < i % LK_Q3329_RANK_MAX + 1; j++) {
            f.push_back(random_poly(random, 0, LK_Q3329_DECODED_MAX));
            g.push_back(random_poly(random, -LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT));
        }
        ASSERT_NO_FATAL_FAILURE(check_product(f, g));
    }
}

// The way of the scheme: one factor as it is decoded, the other through the NTT, the sum of products back through the
// inverse, where the factors R cancel.
TEST_P(Ntt, MultipliesPolynomials)
{
    for (size_t i = 0; i < 200; i++) {
        const size_t k = i % LK_Q3329_RANK_MAX + 1;
        std::vector<Poly> left, right;
        Poly expected = fill(0);
        for (size_t j = 0; j < k; j++) {
            const Poly f = random_poly(random, -LK_Q3329_NTT_IN, LK_Q3329_NTT_IN),
                       g = i < 8 ? fill(i % 2 ? q : -q) : random_poly(random, -LK_Q3329_NTT_IN, LK_Q3329_NTT_IN);
            left.push_back(call(ring.reduce, call(ring.ntt, f)));
            right.push_back(call(ring.ntt, g));
            expected = fips203::add(expected, fips203::multiply(f, g));
        }
        const Poly h = call(ring.invntt_tomont, inner_product(ring, left, right));
        ASSERT_EQ(call(ring.reduce, h), expected);
    }
}

// Each of the 65 536 values, at places that move with the round.
std::vector<Poly> every_value()
{
    std::vector<Poly> list;
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 256; i++) {
            Poly f;
            for (int j = 0; j < 256; j++)
                f[static_cast<size_t>(j + 51 * round) % 256] = static_cast<int16_t>(256 * i + j + any_low);
            list.push_back(f);
        }
    return list;
}

TEST_P(Ntt, Reduce)
{
    for (const Poly &f : every_value()) ASSERT_EQ(call(ring.reduce, f), fips203::mod_q(f));
}

TEST_P(Ntt, Tomont)
{
    for (const Poly &f : every_value()) {
        const Poly h = call(ring.tomont, f);
        ASSERT_LT(largest(h), q);
        ASSERT_EQ(fips203::mod_q(h), fips203::scale(f, fips203::R));
    }
}

// g is chosen so that f + g takes every value of int16_t, its ends included.
TEST_P(Ntt, Add)
{
    for (const Poly &f : every_value()) {
        const Poly sum = random_poly(random, any_low, any_high);
        Poly g, expected;
        for (size_t i = 0; i < f.size(); i++) {
            const int wanted = i % 8 == 0 ? any_low : i % 8 == 4 ? any_high : sum[i];
            g[i] = static_cast<int16_t>(std::clamp(wanted - f[i], any_low, any_high));
            expected[i] = static_cast<int16_t>(f[i] + g[i]);
        }
        ASSERT_EQ(call(ring.add, f, g), expected);
    }
}

TEST_P(Ntt, SubFrom)
{
    for (const Poly &f : every_value()) {
        const Poly difference = random_poly(random, any_low, any_high);
        Poly g, expected;
        for (size_t i = 0; i < f.size(); i++) {
            const int wanted = i % 8 == 0 ? any_low : i % 8 == 4 ? any_high : difference[i];
            g[i] = static_cast<int16_t>(std::clamp(wanted + f[i], any_low, any_high));
            expected[i] = static_cast<int16_t>(g[i] - f[i]);
        }
        ASSERT_EQ(call(ring.sub_from, f, g), expected);
    }
}

LATKEM_FOR_EVERY_TABLE_AND_VARIANT(Ntt, &lk_backend::q3329);

} // namespace
