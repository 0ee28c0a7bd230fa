// The results made of NTRU's products, against the purpose of each. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "Vlatkem_ntru_result.h"
#include "bench.h"
#include "unit/ntru.h"
#include "wide.h"

namespace
{

constexpr unsigned streams = STREAMS;
enum Read : unsigned { Plain, Newton, ThreeG, Phi, Trits, LiftFrom, LiftTo }; // read_e
constexpr unsigned weight = q / 8 - 2;                                        // of a sorted polynomial

// A trit, 0 to 2, of a coefficient from -q/2 on; and the coefficient of a trit.
unsigned trit_of(unsigned value)
{
    const int centred = value < q / 2 ? static_cast<int>(value) : static_cast<int>(value) - static_cast<int>(q);
    return static_cast<unsigned>((centred % 3 + 3) % 3);
}

unsigned coeff_of(unsigned trit)
{
    return trit == 2 ? q - 1 : trit;
}

// Modulo 3 and Phi.
Polynomial trits_of(const Polynomial &c)
{
    Polynomial trits(n);
    for (size_t i = 0; i < n; ++i) trits[i] = (trit_of(c[i]) + 3 - trit_of(c[n - 1])) % 3;
    return trits;
}

unsigned sum_of(const Polynomial &trits)
{
    unsigned sum = 0;
    for (unsigned trit : trits) sum += trit;
    return sum % 3;
}

class NtruResult : public testing::Test
{
  protected:
    struct Made {
        Polynomial results, trits;
    };

    NtruResult()
    {
        m.clear_i = m.valid_i = m.head_i = m.checks_i = m.read_i = m.sum_i = 0;
        bench.reset();
        for (int i = 0; i < 7; ++i, bench.step()) EXPECT_FALSE(m.valid_o || m.beside_take_o) << "after a reset";
        clear();
    }

    void clear()
    {
        m.clear_i = 1;
        for (int i = 0; i < 8; ++i) bench.step();
        m.clear_i = 0;
    }

    // Coefficient n - 1, then all of them; so of what is beside them, which begins with nothing.
    Made make(Read read, const Polynomial &c, const Polynomial &beside = Polynomial(n))
    {
        Made made;
        m.read_i = read;
        size_t at = 0, taken = 0;
        for (unsigned cycle = 0; made.results.size() < n && cycle < 100 * n; ++cycle) {
            m.valid_i = at <= n && !bench.chance(pauses);
            m.head_i = at == 0;
            for (unsigned i = 0; i < streams; ++i) {
                const size_t place = at + i;
                const unsigned value = place == 0 ? c[n - 1] : place <= n ? c[place - 1] : 0;
                put(m.elements_i, log_q, i, m.valid_i ? value : static_cast<unsigned>(bench.random()) % q);
                const size_t other = taken + i;
                put(m.beside_i, log_q, i, other == 0 || other > n ? 0 : beside[other - 1]);
            }
            m.eval();
            if (m.beside_take_o) taken += streams;
            if (m.valid_i) at += streams;
            bench.step();
            for (unsigned i = m.head_o ? 1 : 0; m.valid_o && i < streams; ++i) {
                made.results.push_back(get(m.results_o, log_q, i));
                made.trits.push_back(get(m.trits_o, 2, i));
            }
        }
        m.valid_i = 0;
        for (int i = 0; i < 4; ++i) bench.step();
        EXPECT_EQ(taken, read == LiftFrom || read == LiftTo ? n + 1 : 0u);
        return made;
    }

    Polynomial random()
    {
        Polynomial c(n);
        for (unsigned &value : c) value = bench.random() % q;
        return c;
    }

    Polynomial random_trits()
    {
        Polynomial trits(n);
        for (size_t i = 0; i + 1 < n; ++i) trits[i] = bench.random() % 3;
        return trits;
    }

    static Polynomial coeffs_of(Polynomial trits)
    {
        for (unsigned &trit : trits) trit = coeff_of(trit);
        return trits;
    }

    // Random ones, all alike, and one coefficient alone at either end.
    std::vector<Polynomial> some()
    {
        std::vector<Polynomial> all = {random(), random(), random()};
        for (unsigned value : extremes) {
            all.emplace_back(n, value);
            for (unsigned at : {0u, 1u, n - 2, n - 1}) all.push_back(single(at, value));
        }
        return all;
    }

    // Lift(m), by what it must be: in HRSS x - 1 times a ternary polynomial, and m modulo 3 and Phi.
    static void is_lift(const Polynomial &lift, const Polynomial &trits)
    {
        if (!hrss) {
            ASSERT_EQ(lift, coeffs_of(trits));
            return;
        }
        unsigned v = 0;
        for (size_t i = 0; i < n; ++i) {
            v = (v - lift[i]) % q;
            ASSERT_TRUE(v == 0 || v == 1 || v == q - 1) << i;
        }
        ASSERT_EQ(v, 0u) << "no multiple of x - 1";
        for (size_t i = 0; i + 1 < n; ++i) ASSERT_EQ((trit_of(lift[i]) + 3 - trit_of(lift[n - 1])) % 3, trits[i]) << i;
    }

    static Polynomial difference(const Polynomial &a, const Polynomial &b)
    {
        Polynomial c(n);
        for (size_t i = 0; i < n; ++i) c[i] = (a[i] - b[i]) % q;
        return c;
    }

    // f3(1) for a product with a as OpTrits: a(1) f3(1) must be what the product is in 1. There is none for all.
    static int factor(const Polynomial &a, const Polynomial &product)
    {
        unsigned sum = 0;
        for (unsigned value : product) sum += trit_of(value);
        for (unsigned f3 = 0; f3 < 3; ++f3)
            if (f3 * sum_of(trits_of(a)) % 3 == sum % 3) return static_cast<int>(f3);
        return -1;
    }

    Bench<Vlatkem_ntru_result> bench;
    Vlatkem_ntru_result &m = *bench.model;
    unsigned pauses = 0;
};

TEST_F(NtruResult, MakesTheLinearOnes)
{
    for (unsigned percent : {0u, 50u}) {
        pauses = percent;
        for (const Polynomial &c : some()) {
            ASSERT_EQ(make(Plain, c).results, c);
            Polynomial two(n);
            two[0] = 2;
            ASSERT_EQ(make(Newton, c).results, difference(two, c));
            ASSERT_EQ(make(Phi, c).results, difference(c, Polynomial(n, c[n - 1])));
            Polynomial g(n);
            for (size_t i = 0; i < n; ++i) g[i] = 3 * (hrss ? c[(i + n - 1) % n] - c[i] : c[i]) % q;
            ASSERT_EQ(make(ThreeG, c).results, g);
        }
    }
}

// Every coefficient there is.
TEST_F(NtruResult, ReducesModulo3)
{
    for (const Polynomial &c : some()) ASSERT_EQ(make(Trits, c).results, coeffs_of(trits_of(c)));
    for (unsigned from = 0; from < q; from += n - 1) {
        Polynomial c(n);
        for (unsigned i = 0; i + 1 < n; ++i) c[i] = (from + i) % q;
        c[n - 1] = from % q;
        const Made made = make(Trits, c);
        ASSERT_EQ(made.results, coeffs_of(trits_of(c))) << from;
        ASSERT_EQ(made.trits, trits_of(c)) << from;
    }
}

TEST_F(NtruResult, LiftsWhatIsBeside)
{
    for (unsigned percent : {0u, 50u}) {
        pauses = percent;
        std::vector<Polynomial> polynomials = {Polynomial(n), random_trits(), random_trits(), random_trits()};
        for (unsigned trit : {1u, 2u}) {
            polynomials.emplace_back(n, trit);
            polynomials.back()[n - 1] = 0;
            for (unsigned at : {0u, 1u, n / 2, n - 2}) polynomials.push_back(single(at, trit));
        }
        for (const Polynomial &trits : polynomials) {
            const Polynomial c = random();
            m.sum_i = sum_of(trits);
            is_lift(difference(make(LiftTo, c, coeffs_of(trits)).results, c), trits);
        }
    }
}

TEST_F(NtruResult, LiftsWhatItReduces)
{
    unsigned lifted = 0;
    for (unsigned percent : {0u, 50u}) {
        pauses = percent;
        for (const Polynomial &product : some()) {
            const Polynomial a = random(), c = random();
            const int f3 = factor(a, product);
            if (f3 < 0) continue; // about two in nine
            ++lifted;
            make(Trits, a);
            m.sum_i = static_cast<unsigned>(f3);
            const Made made = make(LiftFrom, product, c);
            ASSERT_EQ(made.trits, trits_of(product));
            is_lift(difference(c, made.results), trits_of(product));
        }
    }
    EXPECT_GT(lifted, 40u);
}

// A polynomial with so many of each trit, zeros last but for coefficient n - 1.
TEST_F(NtruResult, WeighsM)
{
    const unsigned half = weight / 2;
    const auto bad = [&](unsigned ones, unsigned twos) {
        Polynomial c(n);
        for (unsigned i = 0; i < ones; ++i) c[n - 2 - i] = 1;
        for (unsigned i = 0; i < twos; ++i) c[i] = q - 1;
        clear();
        make(LiftFrom, c, random());
        return m.bad_o != 0;
    };
    if (hrss) {
        EXPECT_FALSE(bad(3, 5)) << "any weight is right";
        return;
    }
    EXPECT_FALSE(bad(half, half));
    EXPECT_TRUE(bad(half + 1, half));
    EXPECT_TRUE(bad(half, half + 1));
    EXPECT_TRUE(bad(half - 1, half));
    EXPECT_TRUE(bad(half, half - 1));
    EXPECT_TRUE(bad(half - 1, half + 1));
    EXPECT_TRUE(bad(0, 0));
}

// Of r a coefficient that is not 0, 1 or -1 is seen at every place, and nothing else is.
TEST_F(NtruResult, ChecksR)
{
    const auto bad = [&](const Polynomial &c, bool checks) {
        // The weight of m, which clearing makes wrong in HPS, was right.
        clear();
        if (!hrss) {
            Polynomial weighed(n);
            for (unsigned i = 0; i < weight; ++i) weighed[i] = i % 2 != 0 ? 1 : q - 1;
            make(LiftFrom, weighed, Polynomial(n));
        }
        m.checks_i = checks;
        make(Phi, c);
        m.checks_i = 0;
        return m.bad_o != 0;
    };
    const Polynomial good = coeffs_of(random_trits());
    EXPECT_FALSE(bad(good, true));
    for (size_t at = 0; at + 1 < n; at += at < 9 || at + 9 > n ? 1 : n / 16)
        for (unsigned value : {2u, q - 2, q / 2, q / 2 - 1, q / 2 + 1}) {
            Polynomial c = good;
            c[at] = value;
            ASSERT_TRUE(bad(c, true)) << value << " at " << at;
            ASSERT_FALSE(bad(c, false));
        }
    for (unsigned bit = 1; bit < log_q; ++bit) EXPECT_TRUE(bad(single(n / 2, 1u << bit), true)) << bit;
    EXPECT_TRUE(bad(single(n - 1, 3), true)) << "-3 everywhere";
}

} // namespace
