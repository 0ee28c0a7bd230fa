// Section 4 of FIPS 203 as it is written there, in exact integers: what the kernels of the ring are compared with.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_FIPS203_H
#define LATKEM_HARNESS_MODEL_FIPS203_H

#include <array>
#include <vector>

#include "hex.h"

namespace fips203
{

constexpr int q = 3329;
constexpr int n = 256;
constexpr int R = 65536 % q; // the Montgomery factor of the contract, not of the standard

using Poly = std::array<int16_t, n>; // canonical unless stated

int mod_q(int64_t x);
Poly mod_q(const Poly &f);
Poly scale(const Poly &f, int factor);
Poly add(const Poly &f, const Poly &g);

// The product in Z_q[X]/(X^256 + 1).
Poly multiply(const Poly &f, const Poly &g);

// NTT by its definition: f modulo X^2 - gamma_i for each i, gamma_i = 17^(2 BitRev7(i) + 1).
Poly ntt(const Poly &f);

// MultiplyNTTs (algorithm 11).
Poly multiply_ntts(const Poly &f, const Poly &g);

// Compress_d and Decompress_d (section 4.2.1).
unsigned compress(unsigned d, int x);
int decompress(unsigned d, unsigned y);

// ByteEncode_d (algorithm 5) and ByteDecode_d (algorithm 6) without its reduction.
Bytes byte_encode(unsigned d, const std::vector<unsigned> &values);
std::vector<unsigned> byte_decode(unsigned d, const Bytes &bytes);

// The values that SampleNTT (algorithm 7) accepts, at most 256, from a piece of the stream.
std::vector<int16_t> sample_ntt(const Bytes &stream);

} // namespace fips203

#endif
