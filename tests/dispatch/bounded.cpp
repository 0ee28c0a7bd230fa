// Checked backends (bounded.h), and that they see what they are to see.
// SPDX-License-Identifier: Apache-2.0
#include "bounded.h"

#include <gtest/gtest.h>

#include <optional>

#include "harness/kernels/bounds.h"
#include "harness/kernels/calls.h"

namespace
{

std::optional<BoundedBackend> bounded;

} // namespace

const lk_backend *check_bounds(const lk_backend &original)
{
    bounded.emplace(original);
    kernel_bounds::violations.clear();
    kernel_bounds::checked.clear();
    return &bounded->interposed();
}

std::set<std::string> broken_bounds()
{
    return kernel_bounds::violations;
}

size_t kernels_checked()
{
    return kernel_bounds::checked.size();
}

namespace
{

// Calls every kernel.
struct Call {
    const lk_backend *backend;

    template <class Function> void operator()(const std::string &, bool zero, const Function &call) const
    {
        const auto pool = kernel_calls::make_pool(*backend, zero);
        call(*pool, 0);
    }
};

// An overload of before or after with arguments that are not quite the kernel's would never be called.
TEST(Bounds, AllAreLookedAt)
{
    std::set<std::string> all;
    for (size_t i = 0; const lk_backend *backend = lk_backend_list(i); i++) {
        Call call = {backend};
        kernel_calls::for_each_kernel_call(*check_bounds(*backend), call, [](const std::string &) {});
        all.insert(kernel_bounds::checked.begin(), kernel_bounds::checked.end());
    }
    // Kernels that not every machine has: the first comes with another one.
    const size_t lifts = 2 * all.count("cyclic/lift_inverse"), multiplies = all.count("ternary/multiply");
    EXPECT_EQ(all.size(), 43 + lifts + multiplies);
}

lk_q3329_kernels careless;

void too_large(lk_poly *f)
{
    f->c[0] = LK_Q3329_NTT_OUT + 1;
}

TEST(Bounds, ABrokenOneIsSeen)
{
    lk_backend backend = *lk_backend_list(0);
    careless = *backend.q3329;
    careless.ntt = too_large;
    backend.q3329 = &careless;
    const lk_q3329_kernels &kernels = *check_bounds(backend)->q3329;
    lk_poly f = {};
    uint8_t out[LK_Q3329_POLY_BYTES];
    kernels.ntt(&f);
    EXPECT_EQ(broken_bounds(), std::set<std::string>{"q3329/ntt gives"});
    kernels.encode_d12(out, &f);
    EXPECT_EQ(broken_bounds(), (std::set<std::string>{"q3329/ntt gives", "q3329/encode_d12 takes"}));
}

} // namespace
