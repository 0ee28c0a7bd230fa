// latkem_reduce, latkem_butterfly, latkem_delayed_sum against their definitions. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "Vlatkem_butterfly.h"
#include "Vlatkem_delayed_sum.h"
#include "Vlatkem_reduce.h"
#include "bench.h"

namespace
{

constexpr int64_t q = MODULUS;

unsigned modulo(int64_t x)
{
    return static_cast<unsigned>((x % q + q) % q);
}

struct Operands {
    bool before, after;
    int64_t a, b, z, less;
};

// Values that are seldom random: the ends, the middle, and what is odd beside it.
int64_t pick(Bench<Vlatkem_butterfly> &bench)
{
    constexpr std::array<int64_t, 8> ends = {0, 1, 2, q / 2 - 1, q / 2, q / 2 + 1, q - 2, q - 1};
    return bench.chance(60) ? ends[bench.random() % ends.size()] : static_cast<int64_t>(bench.random() % q);
}

} // namespace

// All of them, or, of the larger modulus, each seventh and the last.
TEST(Reduce, EveryProduct)
{
    Bench<Vlatkem_reduce> bench;
    const int64_t last = (q - 1) * (q - 1);
    const int64_t stride = q > 4096 ? 7 : 1;
    int64_t before = 0;
    bench.step();
    for (int64_t x = last % stride; x <= last + stride; x += stride) {
        bench.model->product_i = x;
        bench.step();
        if (x >= stride) ASSERT_EQ(bench.model->residue_o, before % q) << before;
        before = x;
    }
}

// A new operation enters at each edge; the flags and what is taken away come as late as the ports say.
TEST(Butterfly, EveryKindSideBySide)
{
    Bench<Vlatkem_butterfly> bench;
    std::deque<Operands> given; // the newest first
    for (unsigned i = 0; i < 300000; ++i) {
        const unsigned kind = bench.random() % 3;
        given.push_front(
            {kind == 1, kind == 0, pick(bench), pick(bench), pick(bench), bench.chance(50) ? pick(bench) : 0});
        bench.model->before_i = given[0].before;
        bench.model->a_i = given[0].a;
        bench.model->b_i = given[0].b;
        bench.model->z_i = given[0].z;
        if (i >= 2) bench.model->less_i = given[2].less;
        if (i >= 3) bench.model->after_i = given[3].after;
        bench.step();
        if (i < 4) continue;
        const Operands &o = given[4];
        const int64_t half = (q + 1) / 2;
        const unsigned a = modulo((o.before ? (o.a + o.b) * half : o.a) - o.less);
        const unsigned product = modulo(o.z * (o.before ? o.b - o.a : o.b));
        ASSERT_EQ(bench.model->product_o, product) << i;
        ASSERT_EQ(bench.model->sum_o, o.after ? modulo(int64_t{a} + product) : a) << i;
        ASSERT_EQ(bench.model->difference_o, modulo((o.after ? int64_t{a} : 0) - product)) << i;
        given.pop_back();
    }
}

// Fed zeros, it holds nothing of what it worked on.
TEST(Butterfly, ZerosFlushIt)
{
    Bench<Vlatkem_butterfly> bench;
    for (unsigned i = 0; i < 10; ++i) {
        const bool zero = i >= 5;
        bench.model->before_i = bench.model->after_i = 1;
        bench.model->a_i = bench.model->b_i = bench.model->z_i = bench.model->less_i = zero ? 0 : 7;
        bench.step();
    }
    EXPECT_EQ(bench.model->sum_o | bench.model->difference_o | bench.model->product_o, 0u);
}

// All pairs of ends, and random ones, five edges later.
TEST(DelayedSum, FiveEdgesLater)
{
    Bench<Vlatkem_delayed_sum> bench;
    std::deque<unsigned> expected;
    for (unsigned i = 0; i < 100000; ++i) {
        const int64_t x = bench.chance(30) ? q - 1 : static_cast<int64_t>(bench.random() % q);
        const int64_t y = bench.chance(30) ? q - 1 - x : static_cast<int64_t>(bench.random() % q);
        bench.model->x_i = x;
        bench.model->y_i = y;
        expected.push_back(modulo(x + y));
        bench.step();
        if (expected.size() < 5) continue;
        ASSERT_EQ(bench.model->sum_o, expected.front()) << i;
        expected.pop_front();
    }
}
