// NTRU's inverters: a times its inverse is 1 modulo Phi, in a time that does not depend on a.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Vlatkem_ntru_inverse_2.h"
#include "Vlatkem_ntru_inverse_3.h"
#include "bench.h"
#include "core/state.h"

namespace
{

constexpr unsigned n = RING, degree = n - 1, group_size = 5;
constexpr unsigned groups = (degree + group_size - 1) / group_size;
using Polynomial = std::vector<unsigned>; // n - 1 coefficients from 0 to p - 1

// a b modulo p and 1 + x + ... + x^(n-1).
Polynomial product(const Polynomial &a, const Polynomial &b, unsigned p)
{
    std::vector<unsigned> sum(n);
    for (size_t i = 0; i < degree; ++i)
        for (size_t j = 0; j < degree; ++j) sum[(i + j) % n] += a[i] * b[j];
    Polynomial reduced(degree);
    for (size_t i = 0; i < degree; ++i) reduced[i] = (sum[i] + (p - 1) * sum[degree]) % p;
    return reduced;
}

// In how many bytes.
size_t differing(const std::string &one, const std::string &other)
{
    EXPECT_EQ(one.size(), other.size());
    size_t count = 0;
    for (size_t i = 0; i < one.size() && i < other.size(); ++i) count += one[i] != other[i];
    return count;
}

// Modulo 2: bits of a group, from the last one down; what is taken comes a cycle later.
struct Binary {
    using Model = Vlatkem_ntru_inverse_2;
    static constexpr unsigned p = 2, bits = 1;
    static constexpr bool down = true;

    static Polynomial taken(Bench<Model> &bench, uint64_t pause)
    {
        Polynomial found;
        Model &m = *bench.model;
        for (unsigned g = 0; g < groups; ++g) {
            m.take_i = 1;
            bench.step();
            m.take_i = 0;
            for (unsigned i = 0; i < group_size; ++i) found.push_back(m.group_o >> i & 1);
            for (uint64_t i = 0; i < pause; ++i) bench.step();
        }
        return found;
    }
};

// Modulo 3: trits of a group, from the first one up.
struct Ternary {
    using Model = Vlatkem_ntru_inverse_3;
    static constexpr unsigned p = 3, bits = 2;
    static constexpr bool down = false;

    static Polynomial taken(Bench<Model> &bench, uint64_t pause)
    {
        Polynomial found;
        Model &m = *bench.model;
        while (found.size() < groups * group_size && bench.edges < 10000000) {
            if (m.group_valid_o)
                for (unsigned i = 0; i < group_size; ++i) found.push_back(m.group_o >> 2 * i & 3);
            m.group_take_i = m.group_valid_o;
            bench.step();
            m.group_take_i = 0;
            for (uint64_t i = 0; i < pause; ++i) bench.step();
        }
        return found;
    }
};

template <class Field> class Inverse : public testing::Test
{
  protected:
    void clear()
    {
        m.load_valid_i = m.load_last_i = 0;
        m.load_i = 0;
        m.clear_i = 1;
        for (int i = 0; i < 28; ++i) bench.step();
        m.clear_i = 0;
        bench.step();
    }

    void load(const Polynomial &a, unsigned chance)
    {
        for (unsigned at = 0; at < groups; ++at) {
            const unsigned g = Field::down ? groups - 1 - at : at;
            while (!bench.chance(chance)) bench.step();
            m.load_valid_i = 1;
            m.load_last_i = at + 1 == groups;
            m.load_i = 0;
            for (unsigned i = 0; i < group_size && group_size * g + i < degree; ++i)
                m.load_i |= a[group_size * g + i] << Field::bits * i;
            bench.step();
            m.load_valid_i = m.load_last_i = 0;
        }
    }

    // The inverse, after so many cycles.
    Polynomial inverse(const Polynomial &a, uint64_t &cycles, unsigned chance = 100, uint64_t pause = 0)
    {
        load(a, chance);
        const uint64_t begin = bench.edges;
        while (!m.done_o && bench.edges - begin < 100000) bench.step();
        cycles = bench.edges - begin;
        Polynomial found = Field::taken(bench, pause);
        clear();
        EXPECT_EQ(found.size(), groups * group_size);
        for (size_t i = degree; i < found.size(); ++i) EXPECT_EQ(found[i], 0u) << "behind the last coefficient";
        found.resize(degree);
        return found;
    }

    void SetUp() override
    {
        m.clear_i = 0;
        bench.reset();
        clear();
    }

    // All but the time.
    std::string state()
    {
        bench.context_.time(0);
        return state_bytes(m);
    }

    Polynomial random_polynomial()
    {
        Polynomial a(degree);
        for (unsigned &value : a) value = bench.random() % Field::p;
        return a;
    }

    static Polynomial power(unsigned at, unsigned value = 1)
    {
        Polynomial a(degree);
        a[at] = value;
        return a;
    }

    // Random ones and sparse ones.
    std::vector<Polynomial> some()
    {
        std::vector<Polynomial> all = {power(0), power(1), power(degree - 1), power(0, Field::p - 1),
                                       power(degree / 2)};
        all.emplace_back(degree, 1);
        all.back()[0] = 0;
        for (int i = 0; i < 4; ++i) all.push_back(random_polynomial());
        return all;
    }

    Bench<typename Field::Model> bench;
    typename Field::Model &m = *bench.model;
};

using Fields = testing::Types<Binary, Ternary>;
TYPED_TEST_SUITE(Inverse, Fields);

TYPED_TEST(Inverse, TimesItsOperandIsOne)
{
    for (const Polynomial &a : this->some()) {
        uint64_t cycles = 0;
        const Polynomial found = this->inverse(a, cycles);
        EXPECT_EQ(product(a, found, TypeParam::p), this->power(0));
    }
}

TYPED_TEST(Inverse, TakesOneTimeForAll)
{
    uint64_t usual = 0;
    this->inverse(this->power(0), usual);
    printf("modulo %u: %u cycles\n", TypeParam::p, static_cast<unsigned>(usual));
    EXPECT_GE(usual, 2 * degree - 1);
    for (const Polynomial &a : {Polynomial(degree), Polynomial(degree, TypeParam::p - 1), this->random_polynomial()}) {
        uint64_t cycles = 0;
        this->inverse(a, cycles);
        EXPECT_EQ(cycles, usual);
    }
}

TYPED_TEST(Inverse, PausesChangeNothing)
{
    const Polynomial a = this->random_polynomial();
    uint64_t cycles = 0;
    const Polynomial found = this->inverse(a, cycles);
    EXPECT_EQ(this->inverse(a, cycles, 30, 0), found);
    EXPECT_EQ(this->inverse(a, cycles, 100, 3), found);
}

// Forgotten in any phase, the next one is right.
TYPED_TEST(Inverse, IsForgotten)
{
    const Polynomial a = this->random_polynomial();
    uint64_t cycles = 0;
    const Polynomial found = this->inverse(a, cycles);
    for (unsigned at : {0u, 1u, 7u, 100u, 1000u}) {
        this->load(this->random_polynomial(), 100);
        for (unsigned i = 0; i < at; ++i) this->bench.step();
        this->clear();
        EXPECT_EQ(this->inverse(a, cycles), found) << "after " << at << " cycles";
    }
}

// The state after an operand was forgotten, in any phase, does not depend on it.
TYPED_TEST(Inverse, KeepsNothingOfItsOperand)
{
    LATKEM_NEEDS_STATE();
    constexpr size_t copies = 4; // bytes in which Verilator keeps arguments of functions, no registers
    for (unsigned at : {0u, 7u, 1000u, 20000u}) {
        const auto states = [&] {
            this->load(this->random_polynomial(), 100);
            for (unsigned i = 0; i < at; ++i) this->bench.step();
            const std::string before = this->state();
            this->clear();
            return std::pair(before, this->state());
        };
        const auto one = states(), other = states();
        EXPECT_GT(differing(one.first, other.first), copies) << "after " << at << " cycles";
        EXPECT_LE(differing(one.second, other.second), copies) << "after " << at << " cycles";
    }
}

} // namespace
