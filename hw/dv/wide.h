// Values side by side in a wide port of a model. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_WIDE_H
#define LATKEM_HW_WIDE_H

#include <cstddef>
#include <cstdint>

// `wide` has words of 32 bits; value i has `width` bits from width * i on.
template <class Wide> unsigned get(const Wide &wide, size_t width, size_t i)
{
    unsigned value = 0;
    for (size_t bit = 0; bit < width; ++bit) {
        const size_t at = width * i + bit;
        value |= (wide[at / 32] >> at % 32 & 1) << bit;
    }
    return value;
}

template <class Wide> void put(Wide &&wide, size_t width, size_t i, unsigned value)
{
    for (size_t bit = 0; bit < width; ++bit) {
        const size_t at = width * i + bit;
        wide[at / 32] = (wide[at / 32] & ~(1u << at % 32)) | (value >> bit & 1) << at % 32;
    }
}

#endif
