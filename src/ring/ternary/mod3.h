/* Division by 3 without a division, in a form that compilers vectorise. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_MOD3_H
#define LK_RING_TERNARY_MOD3_H

#include <stdint.h>

/* lk_mod3 returns x modulo 3. In: x < 2^15. 21846 is 2^16 / 3 and a bit, so that the product's low half is the fraction of
 * x / 3 and a bit, and three times it the remainder and a bit. */
static inline uint16_t lk_mod3(uint16_t x)
{
    const uint16_t fraction = (uint16_t)((uint32_t)x * 21846u);
    return (uint16_t)((uint32_t)fraction * 3u >> 16);
}

#endif
