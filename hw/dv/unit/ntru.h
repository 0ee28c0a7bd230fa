// Shared by the tests of NTRU's units. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_UNIT_NTRU_H
#define LATKEM_HW_UNIT_NTRU_H

#include <cstddef>
#include <vector>

// RING coefficients modulo 2^LOG_Q; HRSS is 0 or 1.
constexpr unsigned n = RING, log_q = LOG_Q, q = 1u << log_q, group_size = 5;
constexpr bool hrss = HRSS != 0;
constexpr unsigned groups = (n + group_size - 1) / group_size;            // of n coefficients,
constexpr unsigned packed_groups = (n - 1 + group_size - 1) / group_size; // of n - 1
constexpr unsigned full = (log_q + 1) / 2 - 1;                            // passes after the first one, of all bits
using Polynomial = std::vector<unsigned>;                                 // coefficients from index 0 on

// Digit j in base 4 of a coefficient, -1 to 2: with what the digits below it carry, 3 and 4 are -1 and 0, and carry.
inline int digit_of(unsigned value, unsigned j)
{
    unsigned carry = 0;
    for (unsigned i = 0; i < j; ++i) carry = (value >> 2 * i) % 4 + carry >= 3;
    const int digit = static_cast<int>((value >> 2 * j) % 4 + carry);
    return digit >= 3 ? digit - 4 : digit;
}

// Coefficients with extreme digits: all 0, 1, 2 or -1; 2 and -1 in turn; at the top alone.
inline const std::vector<unsigned> extremes = {0,
                                               1,
                                               2,
                                               q - 1,
                                               q - 2,
                                               q / 2,
                                               q / 2 - 1,
                                               q / 2 + 1,
                                               0x6666 & (q - 1),
                                               0x9999 & (q - 1),
                                               0x5555 & (q - 1),
                                               0xaaaa & (q - 1),
                                               0x3333 & (q - 1)};

// Zero but for coefficient `at`.
inline Polynomial single(unsigned at, unsigned value)
{
    Polynomial a(n);
    a[at] = value;
    return a;
}

#endif
