// NTRU's array of products: x^n - 1 and q, after so many passes over digits. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "Vlatkem_ntru_array.h"
#include "bench.h"
#include "unit/ntru.h"
#include "wide.h"

namespace
{

constexpr unsigned streams = STREAMS;
constexpr unsigned turn_steps = streams == 2 ? 2 : 5, delay = 4; // of a pass; of elements behind their step

// a h, where of a's coefficients the digits 0 to `further` count.
Polynomial product(const Polynomial &a, const Polynomial &h, unsigned further)
{
    Polynomial sum(n);
    for (size_t i = 0; i < n; ++i) {
        unsigned value = 0;
        for (unsigned j = 0; j <= further; ++j) value += static_cast<unsigned>(digit_of(a[i], j)) << 2 * j;
        for (size_t k = 0; value != 0 && k < n; ++k) sum[(i + k) % n] += value * h[k];
    }
    for (unsigned &value : sum) value %= q;
    return sum;
}

class NtruArray : public testing::Test
{
  protected:
    NtruArray()
    {
        idle();
        m.turns_i = 0;
        bench.reset();
        clear();
    }

    void idle()
    {
        m.clear_i = m.load_i = m.turn_i = m.zero_i = m.step_i = 0;
        m.digits_i = 0;
        m.digit_i = bench.random();
    }

    void clear()
    {
        m.clear_i = 1;
        for (int i = 0; i < 4; ++i) bench.step();
        m.clear_i = 0;
    }

    // As two bits and a carry, in either way that there is.
    void put_digit(unsigned stream, int digit)
    {
        const unsigned carry = bench.random() % 2, bits = (static_cast<unsigned>(digit) - carry) % 4;
        m.digits_i = 1;
        put(m.digit_i, 3, stream, bits << 1 | carry);
    }

    void put_group(const Polynomial &h, unsigned group)
    {
        m.load_i = 1;
        m.last_i = group + 1 == groups;
        for (unsigned i = 0; i < group_size; ++i) {
            const size_t at = group_size * group + i;
            put(m.coeffs_i, log_q, i, at < n ? h[at] : 0);
        }
    }

    // One edge, before it pauses.
    void step()
    {
        bench.step();
        idle();
        while (bench.chance(pauses)) bench.step();
    }

    void load(const Polynomial &h)
    {
        for (unsigned g = 0; g < groups; ++g) {
            put_group(h, g);
            step();
        }
    }

    void multiply(const Polynomial &a, unsigned further)
    {
        m.zero_i = 1;
        step();
        for (unsigned pass = 0; pass <= further; ++pass) {
            for (size_t at = 0; at < n; at += streams) {
                for (unsigned i = 0; i < streams; ++i) put_digit(i, at + i < n ? digit_of(a[at + i], pass) : 0);
                m.step_i = 1;
                step();
            }
            for (unsigned i = 0; pass < further && i < turn_steps; ++i) {
                m.step_i = 1;
                m.turn_i = i == 0;
                step();
            }
        }
    }

    // Reads a product while the next operand is loaded, if there is one.
    Polynomial read(unsigned further, const Polynomial *next = nullptr)
    {
        m.turns_i = further;
        Polynomial found;
        std::deque<bool> asked(delay);
        unsigned steps = 0, group = 0;
        while (found.size() < n + 1) {
            const bool reads = steps < (n + 1) / streams && !bench.chance(pauses);
            m.step_i = reads;
            steps += reads;
            if (next != nullptr && group < groups && group_size * group + 10 < streams * steps)
                put_group(*next, group++);
            asked.push_back(reads);
            bench.step();
            idle();
            asked.pop_front();
            for (unsigned i = 0; asked.front() && i < streams; ++i) found.push_back(get(m.elements_o, log_q, i));
        }
        for (; next != nullptr && group < groups; ++group) {
            put_group(*next, group);
            step();
        }
        EXPECT_EQ(found.front(), found.back()) << "coefficient n - 1 comes first, and in its place";
        found.erase(found.begin());
        return found;
    }

    void multiplies(const Polynomial &a, const Polynomial &h, unsigned further)
    {
        load(h);
        multiply(a, further);
        ASSERT_EQ(read(further), product(a, h, further)) << "further passes: " << further;
    }

    Polynomial random()
    {
        Polynomial a(n);
        for (unsigned &value : a) value = bench.random() % q;
        return a;
    }

    Bench<Vlatkem_ntru_array> bench;
    Vlatkem_ntru_array &m = *bench.model;
    unsigned pauses = 0; // of a hundred cycles
};

TEST_F(NtruArray, MultipliesExtremesByExtremes)
{
    for (unsigned a : extremes)
        for (unsigned h : extremes) multiplies(Polynomial(n, a), Polynomial(n, h), full);
}

// Coefficients at both ends, of either operand.
TEST_F(NtruArray, MultipliesSingleCoefficients)
{
    for (unsigned at : {0u, 1u, n / 2, n - 2, n - 1})
        for (unsigned value : {1u, q / 2 - 1, q / 2, q - 1}) {
            multiplies(single(at, value), random(), full);
            multiplies(random(), single(at, value), full);
            multiplies(single(at, value), single(n - 1 - at, q - 1), full);
        }
}

TEST_F(NtruArray, CountsTheDigitsOfItsPasses)
{
    for (unsigned further : {0u, 1u, 3u, full})
        for (unsigned value : extremes) {
            multiplies(Polynomial(n, value), random(), further);
            multiplies(random(), Polynomial(n, value), further);
        }
}

TEST_F(NtruArray, PausesChangeNothing)
{
    for (unsigned percent : {10u, 60u}) {
        pauses = percent;
        for (unsigned further : {0u, 1u, 3u, full}) multiplies(random(), random(), further);
    }
}

// The next operand comes beside the product's last coefficients, and behind them.
TEST_F(NtruArray, LoadsWhileItIsRead)
{
    for (unsigned further : {0u, 1u, 3u, full, full, 0u}) {
        const Polynomial a = random(), b = random(), h = random();
        load(h);
        multiply(a, further);
        const Polynomial first = read(further, &b);
        ASSERT_EQ(first, product(a, h, further));
        multiply(h, full);
        ASSERT_EQ(read(full), product(h, b, full));
        pauses = 20;
    }
}

TEST_F(NtruArray, IsEmptyWhenCleared)
{
    for (unsigned cycles : {1u, 20u, n, 3 * n}) {
        load(random());
        m.zero_i = 1;
        step();
        for (unsigned i = 0; i < cycles; ++i) {
            for (unsigned stream = 0; stream < streams; ++stream) put_digit(stream, stream == i % streams);
            m.step_i = 1;
            step();
        }
        clear();
        ASSERT_EQ(read(0), Polynomial(n)) << "sums, after " << cycles << " steps";
        multiply(Polynomial(n, 1), 0);
        ASSERT_EQ(read(0), Polynomial(n)) << "the operand, after " << cycles << " steps";
        multiplies(random(), random(), full);
    }
}

} // namespace
