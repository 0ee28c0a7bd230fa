// DER as far as it identifies a file: tags and lengths. The library reads the keys.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_DER_H
#define LATKEM_CLI_DER_H

#include <cstdint>
#include <string_view>

enum DerTag : uint8_t {
    der_integer = 0x02,
    der_bit_string = 0x03,
    der_octet_string = 0x04,
    der_oid = 0x06,
    der_sequence = 0x30
};

struct DerElement {
    uint8_t tag;
    std::string_view content;
};

// take_der takes the element at the beginning of in, and returns false if there is no whole one of definite length. The
// length may have more bytes than it needs: refusing that is left to the library.
bool take_der(std::string_view &in, DerElement &element);

#endif
