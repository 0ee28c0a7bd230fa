// Keccak-f[1600] by FIPS 202 section 3.2, step by step on A[x, y], without any of the usual tables of constants.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_KECCAK_F_H
#define LATKEM_HARNESS_MODEL_KECCAK_F_H

#include <array>
#include <cstddef>
#include <cstdint>

using KeccakState = std::array<uint64_t, 25>; // A[x, y] is word x + 5 y

inline uint64_t rotate_word(uint64_t word, unsigned n)
{
    return n % 64 == 0 ? word : word << n % 64 | word >> (64 - n % 64);
}

// rc(t), algorithm 5: one step of the shift register after the other.
inline bool round_constant_bit(unsigned t)
{
    unsigned r = 1; // bit i is R[i]
    for (unsigned i = 0; i < t % 255; i++) r = (r << 1) ^ (r >> 7 & 1 ? 0x171 : 0);
    return r & 1;
}

// RC of each round: bit 2^j - 1 is rc(j + 7 round).
inline const std::array<uint64_t, 24> &round_constants()
{
    static const std::array<uint64_t, 24> constants = [] {
        std::array<uint64_t, 24> list{};
        for (unsigned round = 0; round < 24; round++)
            for (unsigned j = 0; j <= 6; j++)
                if (round_constant_bit(j + 7 * round)) list[round] |= uint64_t{1} << ((1u << j) - 1);
        return list;
    }();
    return constants;
}

inline KeccakState keccak_f(KeccakState a)
{
    auto at = [](size_t x, size_t y) { return x % 5 + 5 * (y % 5); };
    for (uint64_t round_constant : round_constants()) {
        KeccakState theta, pi;
        for (size_t x = 0; x < 5; x++) {
            uint64_t d = 0;
            for (size_t y = 0; y < 5; y++) d ^= a[at(x + 4, y)] ^ rotate_word(a[at(x + 1, y)], 1);
            for (size_t y = 0; y < 5; y++) theta[at(x, y)] = a[at(x, y)] ^ d;
        }
        KeccakState rho = theta;
        size_t x = 1, y = 0;
        for (unsigned t = 0; t < 24; t++) {
            rho[at(x, y)] = rotate_word(theta[at(x, y)], (t + 1) * (t + 2) / 2);
            const size_t next = (2 * x + 3 * y) % 5;
            x = y;
            y = next;
        }
        for (x = 0; x < 5; x++)
            for (y = 0; y < 5; y++) pi[at(x, y)] = rho[at(x + 3 * y, x)];
        for (x = 0; x < 5; x++)
            for (y = 0; y < 5; y++) a[at(x, y)] = pi[at(x, y)] ^ (~pi[at(x + 1, y)] & pi[at(x + 2, y)]);
        a[0] ^= round_constant;
    }
    return a;
}

#endif
