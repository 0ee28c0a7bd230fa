/* Byte order and unaligned access. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_BASE_BYTES_H
#define LK_BASE_BYTES_H

#include <stdint.h>

/* Compilers turn each of these loops' unrolled forms into one load or store where the machine allows it. */

static inline uint16_t lk_load16_le(const uint8_t *p)
{
    return (uint16_t)(p[0] | ((unsigned)p[1] << 8));
}

static inline uint32_t lk_load32_le(const uint8_t *p)
{
    return (uint32_t)p[0] | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) | ((uint32_t)p[3] << 24);
}

static inline uint64_t lk_load64_le(const uint8_t *p)
{
    return (uint64_t)lk_load32_le(p) | ((uint64_t)lk_load32_le(p + 4) << 32);
}

static inline void lk_store32_le(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
}

static inline void lk_store64_le(uint8_t *p, uint64_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
    p[4] = (uint8_t)(x >> 32);
    p[5] = (uint8_t)(x >> 40);
    p[6] = (uint8_t)(x >> 48);
    p[7] = (uint8_t)(x >> 56);
}

static inline uint32_t lk_load32_be(const uint8_t *p)
{
    return ((uint32_t)p[0] << 24) | ((uint32_t)p[1] << 16) | ((uint32_t)p[2] << 8) | (uint32_t)p[3];
}

static inline uint64_t lk_load64_be(const uint8_t *p)
{
    return ((uint64_t)lk_load32_be(p) << 32) | (uint64_t)lk_load32_be(p + 4);
}

static inline void lk_store32_be(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

static inline void lk_store64_be(uint8_t *p, uint64_t x)
{
    lk_store32_be(p, (uint32_t)(x >> 32));
    lk_store32_be(p + 4, (uint32_t)x);
}

#endif
