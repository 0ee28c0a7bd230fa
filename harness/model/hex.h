// Byte strings and their hexadecimal form.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_HEX_H
#define LATKEM_HARNESS_MODEL_HEX_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;

inline Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline Bytes slice(const Bytes &bytes, size_t from, size_t length)
{
    if (from > bytes.size() || length > bytes.size() - from) throw std::out_of_range("slice of a byte string");
    return Bytes(bytes.data() + from, bytes.data() + from + length);
}

inline std::string to_hex(const Bytes &bytes, const char *digits = "0123456789abcdef")
{
    std::string text;
    text.reserve(2 * bytes.size());
    for (uint8_t b : bytes) {
        text += digits[b >> 4];
        text += digits[b & 15];
    }
    return text;
}

inline std::string to_upper_hex(const Bytes &bytes)
{
    return to_hex(bytes, "0123456789ABCDEF");
}

inline int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    throw std::invalid_argument(std::string("not a hexadecimal digit: ") + c);
}

inline Bytes from_hex(const std::string &text)
{
    if (text.size() % 2 != 0) throw std::invalid_argument("odd number of hexadecimal digits");
    Bytes bytes;
    bytes.reserve(text.size() / 2);
    for (size_t i = 0; i < text.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(hex_digit(text[i]) << 4 | hex_digit(text[i + 1])));
    return bytes;
}

#endif
