// Values side by side in a port of a model. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_WIDE_H
#define LATKEM_HW_WIDE_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Bit `at` of a port, which is a number or has words of 32 bits.
template <class Port> unsigned bit_of(const Port &port, size_t at)
{
    if constexpr (std::is_integral_v<Port>)
        return static_cast<unsigned>(uint64_t{port} >> at & 1);
    else
        return port[at / 32] >> at % 32 & 1;
}

template <class Port> void put_bit(Port &port, size_t at, unsigned bit)
{
    if constexpr (std::is_integral_v<Port>)
        port = static_cast<Port>((port & ~(uint64_t{1} << at)) | uint64_t{bit} << at);
    else
        port[at / 32] = (port[at / 32] & ~(1u << at % 32)) | bit << at % 32;
}

// Value i has `width` bits from width * i on.
template <class Port> unsigned get(const Port &port, size_t width, size_t i)
{
    unsigned value = 0;
    for (size_t bit = 0; bit < width; ++bit) value |= bit_of(port, width * i + bit) << bit;
    return value;
}

template <class Port> void put(Port &&port, size_t width, size_t i, unsigned value)
{
    for (size_t bit = 0; bit < width; ++bit) put_bit(port, width * i + bit, value >> bit & 1);
}

#endif
