/* The digits in base 3 of a byte b, whatever it is, by two multiplications of 16-bit words.
 *
 * Digit j is the first one behind the point of b / 3^(j+1). 270 is 2^16 / 243 rounded up, so that the low half of
 * 270 3^(4-j) b is 2^16 times what stands behind that point, too much by less than the digits after it leave free. Three
 * times the low half has the digit in its high half. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_TERNARY_DIGITS_H
#define LK_ARCH_X86_64_TERNARY_DIGITS_H

#include <stdint.h>

/* 270 3^(4-j) for j = 0 to 4. */
static const uint16_t trit_factors[5] = {21870, 7290, 2430, 810, 270};

#endif
