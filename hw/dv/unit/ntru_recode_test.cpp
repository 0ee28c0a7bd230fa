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
            // Two bits, and the carry below them.
            ASSERT_EQ(m.digit_o >> 1, (value >> 2 * pass) % 4) << value << ", pass " << pass;
            ASSERT_EQ(((m.digit_o >> 1) + (m.digit_o & 1)) % 4, static_cast<unsigned>(digit) % 4)
                << value << ", pass " << pass;
            sum += static_cast<unsigned>(digit) << 2 * pass;
        }
        ASSERT_EQ(sum % q, value);
    }
}

} // namespace
