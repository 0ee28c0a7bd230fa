/* The digits in base 3 of a byte b, of any value, by two multiplications of 16-bit words.
 *
 * Digit j is the first one behind the point of b / 3^(j+1). The factor for it is 2^16 / 3^(j+1) and a little more,
 * because 270 is 2^16 / 243 rounded up. So the low 16 bits of the product are the fraction, too much by less than one
 * in its last place. Three times these bits have the digit above them. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_TERNARY_DIGITS_H
#define LK_ARCH_X86_64_TERNARY_DIGITS_H

#include <stdint.h>

/* 270 3^(4-j) for j = 0 to 4. */
static const uint16_t trit_factors[5] = {21870, 7290, 2430, 810, 270};

#endif
