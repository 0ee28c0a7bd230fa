// The kernels of Z_q[X]/(X^n - 1) against their definitions, at the bounds of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "ntru_ring.h"

namespace
{

using ntru::Poly;

constexpr unsigned widths[] = {11, 12, 13};

class Cyclic : public NtruRingTest
{
  protected:
    void check_product(const Poly &f, const Poly &g)
    {
        ASSERT_EQ(ring.product(f, g), ntru::multiply(f, g, product_modulus)) << "n = " << f.size();
    }

    void check_inverse_mod2(const Poly &f)
    {
        const Poly v = ring.invert_mod2(f);
        ASSERT_TRUE(std::all_of(v.begin(), v.end(), [](int c) { return c == 0 || c == 1; }));
        ASSERT_EQ(v.back(), 0);
        ASSERT_EQ(ntru::mod(ntru::mod_phi(ntru::multiply(f, v, 2)), 2), ntru::one(f.size())) << "n = " << f.size();
    }

    Poly random_values(size_t n)
    {
        return random_residues(random, n, product_modulus);
    }
};

// Coefficients at the ends of their range: all alike, ends that change in runs of 1, 2, 4 ... places, and random ends.
std::vector<Poly> extremes(size_t n, Random &random)
{
    const int q = product_modulus;
    std::vector<Poly> list = {Poly(n, q - 1), Poly(n, q / 2), Poly(n, q / 2 - 1), Poly(n, 1), Poly(n, 0)};
    for (const auto &[low, high] : {std::pair{0, q - 1}, {q / 2, q / 2 - 1}, {1, q - 1}}) {
        for (size_t run = 1; run < n; run *= 2) {
            Poly f(n);
            for (size_t i = 0; i < n; i++) f[i] = i / run % 2 ? low : high;
            list.push_back(f);
        }
        Poly f(n);
        for (int &c : f) c = random.word() & 1 ? low : high;
        list.push_back(f);
    }
    return list;
}

// ---- Products ----

TEST_P(Cyclic, EvaluatedPolynomialsFitPreparedKeys)
{
    if (ring.cyclic.plain)
        EXPECT_EQ(ring.cyclic.evaluated_unit, LK_CYCLIC_UNIT * sizeof(uint16_t));
    else
        EXPECT_GE(ring.cyclic.evaluated_unit, LK_CYCLIC_UNIT * sizeof(int32_t));
    EXPECT_LE(ring.cyclic.evaluated_unit, size_t{LK_CYCLIC_EVALUATED_UNIT_MAX});
    EXPECT_EQ(ring.cyclic.evaluated_unit % LK_ALIGN, 0u);
    EXPECT_EQ(ring.cyclic.scratch_unit % LK_ALIGN, 0u);
}

// By bilinearity these are all products, each power as the left and as the right factor.
TEST_P(Cyclic, ProductWithEveryPower)
{
    for (size_t n : degrees) {
        const Poly f = random_values(n);
        for (size_t i = 0; i < n; i++) {
            const int c = static_cast<int>(random.below(product_modulus));
            Poly expected(n);
            for (size_t j = 0; j < n; j++) expected[(i + j) % n] = f[j] * c % product_modulus;
            const Poly power = monomial(n, i, c);
            ASSERT_EQ(i % 2 ? ring.product(f, power) : ring.product(power, f), expected)
                << c << " X^" << i << ", n = " << n;
        }
    }
}

TEST_P(Cyclic, ProductAtTheBounds)
{
    for (size_t n : degrees) {
        const std::vector<Poly> list = extremes(n, random);
        for (const Poly &f : list)
            for (const Poly &g : {list[0], list[1], f, list[random.below(list.size())]})
                ASSERT_NO_FATAL_FAILURE(check_product(f, g));
    }
}

TEST_P(Cyclic, ProductOfRampsAndRandomValues)
{
    for (size_t n : degrees)
        for (int i = 0; i < 50; i++) {
            const Poly f = i % 5 ? random_values(n) : ramp(n, i, product_modulus);
            const Poly g = i % 3 ? random_values(n) : ntru::centred(random_trits(random, n), 3);
            ASSERT_NO_FATAL_FAILURE(check_product(f, ntru::mod(g, product_modulus)));
        }
}

// ---- Inverses modulo 2 ----

TEST_P(Cyclic, InverseMod2OfEveryPower)
{
    for (size_t n : degrees)
        for (size_t i = 0; i < n; i += stride()) {
            const Poly inverse = ntru::mod(ntru::mod_phi(monomial(n, n - i)), 2);
            ASSERT_EQ(ring.invert_mod2(monomial(n, i)), inverse) << "X^" << i << ", n = " << n;
        }
}

// Phi is irreducible modulo 2, so that all but 0 have an inverse, whether their highest coefficient is 0 or not.
TEST_P(Cyclic, InverseMod2)
{
    for (size_t n : degrees) {
        for (int i = 0; i < draws(50); i++) ASSERT_NO_FATAL_FAILURE(check_inverse_mod2(random_residues(random, n, 2)));
        for (size_t i = 1; i < n; i += n / 20) {
            Poly two_terms = monomial(n, i), all_but_one(n, 1), beginning(n, 0);
            two_terms[0] = 1;
            all_but_one[i] = 0;
            std::fill_n(beginning.begin(), i, 1);
            for (const Poly &f : {two_terms, all_but_one, beginning}) ASSERT_NO_FATAL_FAILURE(check_inverse_mod2(f));
        }
    }
}

TEST_P(Cyclic, InverseMod2OfZeroIsZero)
{
    for (size_t n : degrees)
        for (const Poly &zero : {Poly(n, 0), Poly(n, 1)}) EXPECT_EQ(ring.invert_mod2(zero), Poly(n, 0));
}

// ---- Modulo 4 ----

TEST_P(Cyclic, LiftedInverses)
{
    if (!ring.cyclic.lift_inverse) GTEST_SKIP() << "skipped: the backend has no such kernel";
    for (size_t n : degrees)
        for (int i = 0; i < 50; i++) {
            Poly f = random_residues(random, n, 4);
            if (i % 5 == 0) f = ntru::mod(ntru::centred(random_trits(random, n), 3), 4);
            const Poly v = ring.lift_inverse(ring.invert_mod2(f), f);
            ASSERT_TRUE(std::all_of(v.begin(), v.end(), [](int c) { return c >= 0 && c <= LK_CYCLIC_MOD4_MAX; }));
            ASSERT_EQ(ntru::mod(ntru::mod_phi(ntru::multiply(f, v, 4)), 4), ntru::one(n)) << "n = " << n;
        }
}

TEST_P(Cyclic, SquaresOfBits)
{
    if (!ring.cyclic.square_of_bits) GTEST_SKIP() << "skipped: the backend has no such kernel";
    for (size_t n : degrees) {
        std::vector<Poly> list = extremes(n, random);
        for (int i = 0; i < draws(20); i++) list.push_back(random_values(n));
        for (const Poly &f : list)
            for (unsigned bit = 0; bit < LK_CYCLIC_BITS; bit++) {
                Poly bits = f;
                for (int &c : bits) c = c >> bit & 1;
                ASSERT_EQ(ring.square_of_bits(f, bit), ntru::multiply(bits, bits, 4)) << "n = " << n << ", bit " << bit;
            }
    }
}

// ---- Trits ----

TEST_P(Cyclic, FromTrits)
{
    for (size_t n : degrees)
        for (unsigned scale : {1u, 3u, 2u, 4095u})
            for (int start = 0; start < 3; start++) {
                const Poly t = ramp(n, start, 3);
                const Poly expected = ntru::scale(ntru::centred(t, 3), static_cast<int>(scale));
                ASSERT_EQ(ring.from_trits(t, scale), ntru::mod(expected, product_modulus)) << "n = " << n;
            }
}

// Every residue; the coefficient that is taken away from all others is 0, 1 or -1 modulo 3 in turn.
TEST_P(Cyclic, Mod3OfEveryValue)
{
    for (size_t n : degrees)
        for (unsigned bits : widths) {
            const int q = 1 << bits;
            for (int start = 0; start < q; start += 61) {
                const Poly f = ramp(n, start, q);
                ASSERT_EQ(ring.mod3(f, bits), ntru::rq_to_s3(f, q)) << "n = " << n << ", q = " << q;
            }
            for (const Poly &f : {Poly(n, q / 2), Poly(n, q / 2 - 1), Poly(n, q - 1), Poly(n, 0)})
                ASSERT_EQ(ring.mod3(f, bits), ntru::rq_to_s3(f, q)) << "n = " << n << ", q = " << q;
        }
}

// One coefficient takes every value while the others are 0, 1 and -1.
TEST_P(Cyclic, ToTritsOfEveryValue)
{
    for (unsigned bits : widths) {
        const int q = 1 << bits;
        for (int value = 0; value < q; value++) {
            const size_t n = degrees[value % 4], at = static_cast<size_t>(value) % (n - 1);
            Poly t = random_trits(random, n), f = ntru::mod(ntru::centred(t, 3), q);
            f[at] = value;
            t[at] = value <= 1 ? value : 2;
            const auto [trits, failed] = ring.to_trits(f, bits);
            const bool is_trit = value <= 1 || value == q - 1;
            ASSERT_EQ(failed, is_trit ? 0 : 0xffffffff) << value << " X^" << at << ", q = " << q;
            ASSERT_TRUE(is_trit ? trits == t : are_trits(trits)) << value << " X^" << at << ", q = " << q;
        }
    }
}

TEST_P(Cyclic, ToTritsOfAnyValues)
{
    for (size_t n : degrees)
        for (unsigned bits : widths)
            for (const Poly &f : extremes(n, random)) {
                Poly reduced = ntru::mod(f, 1 << bits);
                reduced.back() = 0;
                const auto [trits, failed] = ring.to_trits(reduced, bits);
                const bool is_ternary = std::all_of(reduced.begin(), reduced.end(),
                                                    [bits](int c) { return c <= 1 || c == (1 << bits) - 1; });
                ASSERT_EQ(failed, is_ternary ? 0 : 0xffffffff);
                ASSERT_TRUE(are_trits(trits));
            }
}

// ---- Sums and reductions ----

TEST_P(Cyclic, InPlace)
{
    for (size_t n : degrees) {
        std::vector<Poly> list = extremes(n, random);
        for (int i = 0; i < 20; i++) list.push_back(random_values(n));
        for (const Poly &f : list) {
            const Poly g = random_values(n);
            auto mod_q = [](const Poly &h) { return ntru::mod(h, product_modulus); };
            Poly two(n, 0), sum_zero = f;
            two[0] = 2;
            for (size_t i = sum_zero.back() = 0; i < n - 1; i++) sum_zero.back() -= f[i];
            using K = lk_cyclic_kernels;
            ASSERT_EQ(ring.in_place(&K::add, f, g), mod_q(ntru::add(f, g)));
            ASSERT_EQ(ring.in_place(&K::sub, f, g), mod_q(ntru::add(f, ntru::scale(g, -1))));
            ASSERT_EQ(ring.in_place(&K::two_minus, f), mod_q(ntru::add(two, ntru::scale(f, -1))));
            ASSERT_EQ(ring.in_place(&K::times_x_minus_1, f), mod_q(ntru::times_x_minus_1(f)));
            ASSERT_EQ(ring.in_place(&K::mod_phi, f), mod_q(ntru::mod_phi(f)));
            ASSERT_EQ(ring.in_place(&K::sum_zero, f), mod_q(sum_zero));
        }
    }
}

// ---- Bytes ----

TEST_P(Cyclic, PackAndUnpack)
{
    for (size_t n : degrees)
        for (unsigned bits : widths)
            for (int start = 0; start < 1 << bits; start += 61) {
                Poly f = ramp(n, start, 1 << bits);
                const Bytes packed = ntru::pack_q(f, bits);
                ASSERT_EQ(ring.pack_q(f, bits), packed) << "n = " << n << ", " << bits << " bits, start " << start;
                f.back() = 0;
                ASSERT_EQ(ring.unpack_q(packed, n, bits), f) << "n = " << n << ", " << bits << " bits";
            }
}

TEST_P(Cyclic, UnusedBits)
{
    for (size_t n : degrees)
        for (unsigned bits : widths) {
            const size_t used = bits * (n - 1) % 8;
            Bytes packed = ring.pack_q(Poly(n, (1 << bits) - 1), bits);
            ASSERT_EQ(packed.back(), used == 0 ? 0xff : (1 << used) - 1) << "n = " << n << ", " << bits << " bits";
            packed.back() = 0xff;
            Poly expected(n, (1 << bits) - 1);
            expected.back() = 0;
            ASSERT_EQ(ring.unpack_q(packed, n, bits), expected);
        }
}

LATKEM_FOR_EVERY_TABLE_AND_VARIANT(Cyclic, &lk_backend::cyclic);

} // namespace
