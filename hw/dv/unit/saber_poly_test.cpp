// The polynomial unit of Saber, by transforms or by the schoolbook, against products in Z[x] / (x^256 + 1).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "Vpoly.h"
#include "bench.h"
#include "wide.h"

namespace
{

constexpr unsigned secret = 24, coefficient_bits = 13;
constexpr int ntt_loaded = 1, ntt_inverse = 4;
using Poly = std::array<int, 256>;

int modulo(int64_t x, int q)
{
    return static_cast<int>((x % q + q) % q);
}

std::array<int64_t, 256> product(const Poly &f, const Poly &g)
{
    std::array<int64_t, 256> h{};
    for (size_t i = 0; i < 256; ++i)
        for (size_t j = 0; j < 256; ++j) h[(i + j) % 256] += int64_t{f[i]} * g[j] * (i + j < 256 ? 1 : -1);
    return h;
}

struct Product {
    unsigned slot, other, dst;
    bool first, last;
};

class SaberPoly : public testing::Test
{
  protected:
    SaberPoly()
    {
        m.clear_i = m.wipe_i = m.transform_valid_i = m.product_valid_i = m.x_we_i = 0;
        bench.reset();
    }

    // Sixteen coefficients a cycle, or eight.
    void write_x(unsigned slot, const Poly &f, bool halves)
    {
        for (unsigned i = 0; i < 16; ++i)
            for (unsigned half = 0; half < (halves ? 2u : 1u); ++half) {
                m.x_we_i = halves ? 1u << half : 3u;
                m.x_slot_i = slot;
                m.x_index_i = i;
                for (unsigned j = 0; j < 16; ++j)
                    put(m.x_wdata_i, coefficient_bits, j,
                        static_cast<unsigned>(f[16 * i + (halves ? 8 * half + j % 8 : j)]) & 0x1fff);
                bench.step();
            }
        m.x_we_i = 0;
    }

    // Offers both kinds of jobs in order, each as soon as the unit takes it; waits until it is idle.
    void run(std::deque<std::pair<int, unsigned>> transforms, std::deque<Product> products)
    {
        unsigned idle = 0, cycles = 0;
        while (idle < 4) {
            m.transform_valid_i = !transforms.empty();
            if (!transforms.empty())
                m.transform_i = static_cast<unsigned>(transforms.front().first) << 5 | transforms.front().second;
            m.product_valid_i = !products.empty();
            if (!products.empty()) {
                const Product &p = products.front();
                m.product_i = p.slot << 10 | p.other << 6 | p.dst << 2 | p.first << 1 | p.last;
            }
            m.eval();
            const bool transform = m.transform_valid_i && m.transform_ready_o;
            const bool product = m.product_valid_i && m.product_ready_o;
            idle = m.idle_o && transforms.empty() && products.empty() ? idle + 1 : 0;
            bench.step();
            if (transform) transforms.pop_front();
            if (product) products.pop_front();
            ASSERT_LT(++cycles, 20000u);
        }
        m.transform_valid_i = m.product_valid_i = 0;
    }

    Poly read(unsigned acc)
    {
        Poly result{};
        for (unsigned i = 0; i < 32; ++i) {
            m.read_c_i = 1;
            m.read_x_i = 0;
            m.read_acc_i = acc;
            m.read_index_i = i;
            m.eval();
            EXPECT_TRUE(m.read_ready_o);
            for (int j = 0; j < 11; ++j) bench.step();
            for (unsigned j = 0; j < 8; ++j) result[8 * i + j] = static_cast<int>(get(m.read_c_o, coefficient_bits, j));
        }
        return result;
    }

    Poly random_poly(int from, int to)
    {
        Poly f;
        for (int &c : f) {
            c = from + static_cast<int>(bench.random() % static_cast<uint64_t>(to - from + 1));
            if (bench.chance(10)) c = bench.chance(50) ? from : to;
        }
        return f;
    }

    // Row i of A times s for all rows, everything at once: the products follow the transforms.
    void matrix(const std::vector<Poly> &a, const std::vector<Poly> &s)
    {
        const unsigned l = static_cast<unsigned>(s.size());
        std::deque<std::pair<int, unsigned>> secrets, rows, inverses;
        std::deque<Product> products;
        std::vector<std::array<int64_t, 256>> sums(l);
        for (unsigned j = 0; j < l; ++j) {
            write_x(secret + j, s[j], j % 2);
            secrets.emplace_back(ntt_loaded, secret + j);
        }
        for (unsigned i = 0; i < l; ++i)
            for (unsigned j = 0; j < l; ++j) {
                write_x(4 * i + j, a[l * i + j], j % 2);
                rows.emplace_back(ntt_loaded, 4 * i + j);
                products.push_back({4 * i + j, 8 + j, i, j == 0, j == l - 1});
                const auto term = product(a[l * i + j], s[j]);
                for (size_t t = 0; t < 256; ++t) sums[i][t] += term[t];
            }
        for (unsigned i = 0; i < l; ++i) inverses.emplace_back(ntt_inverse, secret + i);
        run(secrets, {});
        run(rows, {});
        run({}, products);
        run(inverses, {});
        for (unsigned i = 0; i < l; ++i) check(i, sums[i]);
    }

    void check(unsigned acc, const std::array<int64_t, 256> &sum)
    {
        const Poly found = read(acc);
        for (size_t t = 0; t < 256; ++t)
            ASSERT_EQ(found[t], modulo(sum[t], 8192)) << "sum " << acc << ", coefficient " << t;
    }

    Bench<Vpoly> bench;
    Vpoly &m = *bench.model;
};

TEST_F(SaberPoly, RandomProducts)
{
    const int bound[] = {5, 4, 3};
    for (unsigned l = 2; l <= 4; ++l) {
        std::vector<Poly> a(l * l), s(l);
        for (Poly &f : a) f = random_poly(0, 8191);
        for (Poly &f : s) f = random_poly(-bound[l - 2], bound[l - 2]);
        matrix(a, s);
    }
}

// Inputs that are never random: the largest sums of either sign.
TEST_F(SaberPoly, LargestSums)
{
    const int bound[] = {5, 4, 3};
    for (unsigned l = 2; l <= 4; ++l)
        for (int sign : {1, -1}) {
            Poly all, small;
            all.fill(8191);
            small.fill(sign * bound[l - 2]);
            matrix(std::vector<Poly>(l * l, all), std::vector<Poly>(l, small));
        }
}

// Each product is of another sum than the one before, as in key generation; and later of the same.
TEST_F(SaberPoly, SumsTakeTurns)
{
    std::array<std::array<int64_t, 256>, 4> sums{};
    std::deque<std::pair<int, unsigned>> transforms, inverses;
    std::deque<Product> products;
    std::vector<Poly> a(16), s(4);
    for (unsigned j = 0; j < 4; ++j) {
        s[j] = random_poly(-5, 5);
        write_x(secret + j, s[j], true);
        transforms.emplace_back(ntt_loaded, secret + j);
        inverses.emplace_back(ntt_inverse, secret + j);
    }
    for (unsigned i = 0; i < 16; ++i) {
        a[i] = random_poly(0, 8191);
        write_x(i, a[i], true);
        transforms.emplace_back(ntt_loaded, i);
        const unsigned row = i / 4, column = i % 4, acc = row < 2 ? column : column / 2 + 2 * (row % 2);
        products.push_back({i, 8 + row, acc, row == 0, false});
        const auto term = product(a[i], s[row]);
        for (size_t t = 0; t < 256; ++t) sums[acc][t] += term[t];
    }
    for (unsigned acc : {0u, 1u, 2u, 3u}) {
        auto last = std::find_if(products.rbegin(), products.rend(), [&](const Product &p) { return p.dst == acc; });
        last->last = true;
    }
    run(transforms, {});
    run({}, products);
    run(inverses, {});
    for (unsigned acc = 0; acc < 4; ++acc) check(acc, sums[acc]);
}

// Products, forward and inverse transforms that have nothing to do with each other, at once.
TEST_F(SaberPoly, Overlapping)
{
    std::vector<Poly> a(16), s(4), b(8);
    for (Poly &f : a) f = random_poly(0, 8191);
    for (Poly &f : s) f = random_poly(-3, 3);
    for (Poly &f : b) f = random_poly(0, 1023);
    std::deque<std::pair<int, unsigned>> first, second;
    std::deque<Product> products, later;
    std::array<std::array<int64_t, 256>, 6> sums{};
    const auto add = [&](unsigned acc, const Poly &f, const Poly &g) {
        const auto term = product(f, g);
        for (size_t t = 0; t < 256; ++t) sums[acc][t] += term[t];
    };
    for (unsigned j = 0; j < 4; ++j) {
        write_x(secret + j, s[j], true);
        first.emplace_back(ntt_loaded, secret + j);
    }
    for (unsigned i = 0; i < 16; ++i) {
        write_x(i, a[i], true);
        first.emplace_back(ntt_loaded, i);
        products.push_back({i, 8 + i % 4, i / 4, i % 4 == 0, i % 4 == 3});
        add(i / 4, a[i], s[i % 4]);
    }
    for (unsigned i = 0; i < 8; ++i) {
        write_x(16 + i, b[i], false);
        second.emplace_back(ntt_loaded, 16 + i);
        later.push_back({16 + i, 8 + i % 4, 5, i == 0, i == 7});
        add(5, b[i], s[i % 4]);
    }
    run(first, {});
    run({}, {{0, 11, 4, true, true}});
    add(4, a[0], s[3]);
    second.emplace_back(ntt_inverse, secret + 4);
    run(second, products);
    run({{ntt_inverse, secret}, {ntt_inverse, secret + 1}, {ntt_inverse, secret + 2}, {ntt_inverse, secret + 3}},
        later);
    run({{ntt_inverse, secret + 5}}, {});
    for (unsigned acc = 0; acc < 6; ++acc) check(acc, sums[acc]);
}

} // namespace
