/* Division by 3 without a division, in a form that compilers vectorise. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_TERNARY_MOD3_H
#define LK_RING_TERNARY_MOD3_H

#include <stdint.h>

/* lk_third and lk_mod3 return x / 3 and x modulo 3. In: x < 2^15, from where on 2^16 / 3 rounded up is too much. */
static inline uint16_t lk_third(uint16_t x)
{
    return (uint16_t)((uint32_t)x * 21846u >> 16);
}

static inline uint16_t lk_mod3(uint16_t x)
{
    return (uint16_t)(x - 3u * lk_third(x));
}

#endif
