// The unit that joins the residues of Saber's two lanes. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "Vlatkem_saber_crt.h"
#include "bench.h"

namespace
{

constexpr int modulus_a = 7681, modulus_b = 12289;

int modulo(int64_t x, int q)
{
    return static_cast<int>((x % q + q) % q);
}

// Every sum that there can be, of either sign; in the short form all at the ends and around zero, and every 15th else.
TEST(SaberCrt, JoinsResidues)
{
    constexpr int64_t most = int64_t{3} * 256 * 8191 * 4; // of l = 3 and mu = 8, l = 4 and mu = 6; less where l = 2
    constexpr int64_t latency = 8;
    Bench<Vlatkem_saber_crt> bench;
    Vlatkem_saber_crt &m = *bench.model;
    const bool all = std::getenv("LATKEM_HW_LONG") != nullptr;
    std::array<int64_t, latency> inside;
    inside.fill(0);
    uint64_t edges = 0;
    for (int64_t x = -most; x <= most; x += all || most - std::abs(x) < 100000 || std::abs(x) < 100000 ? 1 : 15) {
        m.a_i = static_cast<unsigned>(modulo(x, modulus_a));
        m.b_i = static_cast<unsigned>(modulo(x, modulus_b));
        int64_t &before = inside[edges % latency];
        if (edges >= latency && m.x_o != (before & 8191)) FAIL() << before << " becomes " << m.x_o;
        before = x;
        m.clk_i = 1;
        m.eval();
        m.clk_i = 0;
        m.eval();
        ++edges;
    }
}

} // namespace
