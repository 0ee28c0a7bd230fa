// DER's tags and lengths.
// SPDX-License-Identifier: Apache-2.0
#include "der.h"

namespace
{

uint8_t byte_at(std::string_view in, size_t i)
{
    return static_cast<uint8_t>(in[i]);
}

} // namespace

bool take_der(std::string_view &in, DerElement &element)
{
    constexpr size_t most_length_bytes = 4;
    if (in.size() < 2) return false;
    const uint8_t first = byte_at(in, 1);
    const size_t more = first < 0x80 ? 0 : first & 0x7fU;
    if (first == 0x80 || more > most_length_bytes || in.size() < 2 + more) return false;
    size_t length = more == 0 ? first : 0;
    for (size_t i = 0; i < more; i++) length = length << 8 | byte_at(in, 2 + i);
    if (in.size() - 2 - more < length) return false;
    element = {byte_at(in, 0), in.substr(2 + more, length)};
    in.remove_prefix(2 + more + length);
    return true;
}
