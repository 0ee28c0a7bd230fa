// NTRU's recoding of coefficients to digits, of all there are. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "Vlatkem_ntru_recode.h"
#include "unit/ntru.h"

namespace
{

TEST(NtruRecode, GivesTheDigitsOfEveryCoefficient)
{
    VerilatedContext context;
    Vlatkem_ntru_recode m(&context);
    for (unsigned value = 0; value < q; ++value) {
        unsigned sum = 0;
        for (unsigned pass = 0; pass <= full; ++pass) {
            m.coeff_i = value;
            m.pass_i = pass;
            m.eval();
            const int digit = digit_of(value, pass);
            const unsigned above = (q - 1) >> 2 * pass << 2 * pass;
            ASSERT_EQ(m.one_o, std::abs(digit) == 1 ? above : 0u) << value << ", pass " << pass;
            ASSERT_EQ(m.two_o, std::abs(digit) == 2 ? above & (above << 1) : 0u) << value << ", pass " << pass;
            ASSERT_EQ(m.negative_o, digit < 0) << value << ", pass " << pass;
            sum += static_cast<unsigned>(digit) << 2 * pass;
        }
        ASSERT_EQ(sum % q, value);
    }
}

} // namespace
