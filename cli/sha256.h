// SHA-256 (FIPS 180-4) for the known answers of `latkem selftest`: public data only.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_SHA256_H
#define LATKEM_CLI_SHA256_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

class Sha256
{
  public:
    void update(std::string_view data);
    std::string hex_digest(); // ends the hash; call it once

  private:
    void compress();

    std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<uint8_t, 64> block_{};
    uint64_t length_ = 0;
};

#endif
