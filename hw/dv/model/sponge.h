// FIPS 202 and FIPS 203's rejection sampling, slow and plain. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_SPONGE_H
#define LATKEM_HW_SPONGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

using Bytes = std::vector<uint8_t>;

// FIPS 202, bit by bit where it can be.
class Sponge
{
  public:
    Sponge(size_t rate, uint8_t suffix, Bytes message) : rate_(rate)
    {
        message.push_back(suffix);
        message.resize((message.size() + rate - 1) / rate * rate);
        message.back() |= 0x80;
        for (size_t i = 0; i < message.size(); ++i) {
            const size_t at = i % rate;
            state_[at / 8] ^= static_cast<uint64_t>(message[i]) << 8 * (at % 8);
            if (at + 1 == rate) permute();
        }
    }

    Bytes squeeze(size_t length)
    {
        Bytes out;
        while (out.size() < length) {
            if (used_ == rate_) {
                permute();
                used_ = 0;
            }
            out.push_back(static_cast<uint8_t>(state_[used_ / 8] >> 8 * (used_ % 8)));
            ++used_;
        }
        return out;
    }

  private:
    static uint64_t rotate(uint64_t lane, unsigned by)
    {
        return by == 0 ? lane : lane << by | lane >> (64 - by);
    }

    void permute()
    {
        uint8_t lfsr = 1;
        for (int round = 0; round < 24; ++round) {
            uint64_t c[5], b[25];
            for (int x = 0; x < 5; ++x)
                c[x] = state_[x] ^ state_[x + 5] ^ state_[x + 10] ^ state_[x + 15] ^ state_[x + 20];
            for (int i = 0; i < 25; ++i) state_[i] ^= c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1);
            int x = 1, y = 0;
            b[0] = state_[0];
            for (unsigned t = 0; t < 24; ++t) {
                b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(state_[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
                const int next = (2 * x + 3 * y) % 5;
                x = y;
                y = next;
            }
            for (int i = 0; i < 25; ++i) state_[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
            for (int j = 0; j < 7; ++j) {
                if (lfsr & 1) state_[0] ^= uint64_t{1} << ((1 << j) - 1);
                lfsr = static_cast<uint8_t>(lfsr << 1 ^ (lfsr & 0x80 ? 0x71 : 0));
            }
        }
    }

    size_t rate_, used_ = 0;
    uint64_t state_[25] = {};
};

// The blocks of SHAKE128 that an entry of the matrix takes (FIPS 203 algorithm 7), of rho || a || b.
inline unsigned entry_blocks(Bytes rho, uint8_t a, uint8_t b)
{
    rho.push_back(a);
    rho.push_back(b);
    Sponge xof(168, 0x1f, rho);
    size_t found = 0, bytes = 0;
    while (found < 256) {
        const Bytes c = xof.squeeze(3);
        bytes += 3;
        found += (c[0] + 256u * (c[1] % 16u)) < 3329;
        found += found < 256 && c[1] / 16u + 16u * c[2] < 3329;
    }
    return static_cast<unsigned>((bytes + 167) / 168);
}

#endif
