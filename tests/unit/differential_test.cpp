// Every other backend against the portable one on many random inputs: more of them than the definitions are fast enough
// for. Values are compared modulo q in the standard's order.
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "ntru_ring.h"
#include "ring.h"

namespace
{

const std::vector<const lk_backend *> portable_alone = {lk_backend_list(0)};

class Differential : public RingTest
{
  protected:
    using Result = std::function<Poly(const lk_q3329_kernels &)>;

    // Runs the same computation on both, many times with new inputs drawn by `prepare`.
    void compare(int times, const std::function<Result()> &prepare)
    {
        for (int i = 0; i < draws(times); i++) {
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
        return [f = random_poly(random, -LK_Q3329_NTT_IN, LK_Q3329_NTT_IN)](const lk_q3329_kernels &k) {
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
            f.push_back(random_poly(random, 0, LK_Q3329_DECODED_MAX));
            g.push_back(random_poly(random, -LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT));
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

// The rings of NTRU. Their kernels work on coefficients in the order of exponents.
class DifferentialNtru : public NtruRingTest
{
  protected:
    // Draws an input for each n in turn and compares what both backends make of it.
    template <class Draw, class Run> void compare(int times, Draw draw, Run run)
    {
        for (int i = 0; i < draws(times); i++) {
            const size_t n = degrees[i % std::size(degrees)];
            const auto input = draw(n);
            ASSERT_EQ(run(ring, input), run(portable, input)) << "round " << i << ", n = " << n;
        }
    }

    static ntru::Poly sampled(const NtruRing &r, const Bytes &in, size_t n)
    {
        return r.words_to_trits(r.sort(r.fixed_type_words(in, n, 254)));
    }

    const NtruRing portable{*lk_backend_list(0), random};
};

TEST_P(DifferentialNtru, Product)
{
    compare(
        4000,
        [&](size_t n) {
            return std::pair{random_residues(random, n, product_modulus), random_residues(random, n, product_modulus)};
        },
        [](const NtruRing &r, const auto &fg) { return r.product(fg.first, fg.second); });
}

TEST_P(DifferentialNtru, Inverses)
{
    compare(
        2000, [&](size_t n) { return random_residues(random, n, 2); },
        [](const NtruRing &r, const ntru::Poly &f) { return r.invert_mod2(f); });
    compare(
        2000, [&](size_t n) { return random_residues(random, n, 3); },
        [](const NtruRing &r, const ntru::Poly &t) { return r.invert_s3(t); });
}

TEST_P(DifferentialNtru, Trits)
{
    compare(
        4000, [&](size_t n) { return random_residues(random, n, product_modulus); },
        [](const NtruRing &r, const ntru::Poly &f) {
            const ntru::Poly t = r.mod3(f, 11 + static_cast<unsigned>(f[0] % 3));
            return std::tuple{t, r.lift_quotient(t), r.make_nonnegative(t), r.unpack_s3(r.pack_s3(t), t.size())};
        });
}

TEST_P(DifferentialNtru, Sampling)
{
    compare(
        4000, [&](size_t n) { return random.bytes((30 * (n - 1) + 7) / 8); },
        [](const NtruRing &r, const Bytes &in) {
            const size_t n = 8 * in.size() / 30 + 1;
            return std::pair{r.sample_iid(slice(in, 0, n - 1), n), sampled(r, in, n)};
        });
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Differential);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DifferentialNtru);
INSTANTIATE_TEST_SUITE_P(Others, Differential,
                         testing::ValuesIn(with_own(backends(), portable_alone, &lk_backend::q3329)), backend_name);
INSTANTIATE_TEST_SUITE_P(OtherCpus, Differential,
                         testing::ValuesIn(with_own(variants_for_other_cpus(), backends(), &lk_backend::q3329)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Others, DifferentialNtru,
                         testing::ValuesIn(with_own(backends(), portable_alone, &lk_backend::cyclic,
                                                    &lk_backend::ternary)),
                         backend_name);

} // namespace
