// Every other backend against the portable one on many random inputs: more of them than the definitions are fast enough
// for. Values are compared modulo q in the standard's order.
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "ring.h"

namespace
{

std::vector<const lk_backend *> other_backends()
{
    std::vector<const lk_backend *> list = backends();
    list.erase(list.begin());
    return list;
}

class Differential : public RingTest
{
  protected:
    using Result = std::function<Poly(const lk_q3329_kernels &)>;

    // Runs the same computation on both, many times with new inputs drawn by `prepare`.
    void compare(int times, const std::function<Result()> &prepare)
    {
        for (int i = 0; i < times; i++) {
            const Result result = prepare();
            ASSERT_EQ(result(ring), result(portable)) << "round " << i;
        }
    }

    Poly any()
    {
        return random_poly(random, -32768, 32767);
    }

    const lk_q3329_kernels &portable = *lk_backend_list(0)->q3329;
};

TEST_P(Differential, Ntt)
{
    compare(20000, [&]() -> Result {
        return [f = random_poly(random, -fips203::q, fips203::q)](const lk_q3329_kernels &k) {
            return to_standard(k, call(k.ntt, f));
        };
    });
}

TEST_P(Differential, InverseNtt)
{
    compare(20000, [&]() -> Result {
        return
            [f = any()](const lk_q3329_kernels &k) { return call(k.reduce, call(k.invntt_tomont, to_backend(k, f))); };
    });
}

TEST_P(Differential, InnerProduct)
{
    compare(20000, [&]() -> Result {
        std::vector<Poly> f, g;
        for (size_t rank = 1 + random.below(LK_Q3329_RANK_MAX); rank > 0; rank--) {
            f.push_back(random_poly(random, 0, 4095));
            g.push_back(random_poly(random, -8 * fips203::q + 1, 8 * fips203::q - 1));
        }
        return [f, g](const lk_q3329_kernels &k) {
            std::vector<Poly> left, right;
            for (const Poly &p : f) left.push_back(to_backend(k, p));
            for (const Poly &p : g) right.push_back(to_backend(k, p));
            return to_standard(k, inner_product(k, left, right));
        };
    });
}

TEST_P(Differential, Sampling)
{
    compare(20000, [&]() -> Result {
        return [in = random.bytes(576)](const lk_q3329_kernels &k) {
            GuardedPolys f(fill(0));
            GuardedBytes bytes(in);
            const size_t have = k.rej_uniform_vartime(f.out(), 0, bytes.in(), in.size());
            Poly value = f.value();
            std::fill(value.begin() + static_cast<long>(have), value.end(), int16_t{-1});
            return value;
        };
    });
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Differential);
INSTANTIATE_TEST_SUITE_P(Others, Differential, testing::ValuesIn(other_backends()), backend_name);

} // namespace
