// Section 4 of FIPS 203: see fips203.h.
// SPDX-License-Identifier: Apache-2.0
#include "fips203.h"

namespace fips203
{

int mod_q(int64_t x)
{
    return static_cast<int>((x % q + q) % q);
}

Poly mod_q(const Poly &f)
{
    return scale(f, 1);
}

Poly scale(const Poly &f, int factor)
{
    Poly h;
    for (size_t i = 0; i < n; i++) h[i] = static_cast<int16_t>(mod_q(int64_t{f[i]} * factor));
    return h;
}

Poly add(const Poly &f, const Poly &g)
{
    Poly h;
    for (size_t i = 0; i < n; i++) h[i] = static_cast<int16_t>(mod_q(int64_t{f[i]} + g[i]));
    return h;
}

Poly multiply(const Poly &f, const Poly &g)
{
    std::array<int64_t, n> sums{};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const int64_t product = int64_t{f[i]} * g[j];
            sums[(i + j) % n] += i + j < n ? product : -product;
        }
    Poly h;
    for (size_t i = 0; i < n; i++) h[i] = static_cast<int16_t>(mod_q(sums[i]));
    return h;
}

namespace
{

int power(int base, unsigned exponent)
{
    int result = 1;
    for (unsigned i = 0; i < exponent; i++) result = mod_q(int64_t{result} * base);
    return result;
}

unsigned bit_reverse7(unsigned i)
{
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 7; bit++) reversed |= (i >> bit & 1) << (6 - bit);
    return reversed;
}

int gamma(size_t i)
{
    static const std::vector<int> list = [] {
        std::vector<int> gammas;
        for (unsigned j = 0; j < n / 2; j++) gammas.push_back(power(17, 2 * bit_reverse7(j) + 1));
        return gammas;
    }();
    return list[i];
}

} // namespace

Poly ntt(const Poly &f)
{
    Poly values;
    for (size_t i = 0; i < n / 2; i++) {
        int64_t even = 0, odd = 0;
        int x = 1; // gamma_i^j
        for (size_t j = 0; j < n / 2; j++) {
            even += int64_t{f[2 * j]} * x;
            odd += int64_t{f[2 * j + 1]} * x;
            x = x * gamma(i) % q;
        }
        values[2 * i] = static_cast<int16_t>(mod_q(even));
        values[2 * i + 1] = static_cast<int16_t>(mod_q(odd));
    }
    return values;
}

Poly multiply_ntts(const Poly &f, const Poly &g)
{
    Poly h;
    for (size_t i = 0; i < n; i += 2) {
        const int64_t high = mod_q(int64_t{f[i + 1]} * g[i + 1]);
        h[i] = static_cast<int16_t>(mod_q(int64_t{f[i]} * g[i] + high * gamma(i / 2)));
        h[i + 1] = static_cast<int16_t>(mod_q(int64_t{f[i]} * g[i + 1] + int64_t{f[i + 1]} * g[i]));
    }
    return h;
}

// 2^d x / q rounded to the nearest integer, halves up.
unsigned compress(unsigned d, int x)
{
    const int rounded = ((2 << d) * x + q) / (2 * q);
    return static_cast<unsigned>(rounded) % (1u << d);
}

// q y / 2^d rounded to the nearest integer, halves up.
int decompress(unsigned d, unsigned y)
{
    return static_cast<int>((2 * static_cast<unsigned>(q) * y + (1u << d)) / (2u << d));
}

Bytes byte_encode(unsigned d, const std::vector<unsigned> &values)
{
    Bytes bytes(values.size() * d / 8);
    for (size_t i = 0; i < values.size() * d; i++)
        bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | (values[i / d] >> i % d & 1) << i % 8);
    return bytes;
}

std::vector<unsigned> byte_decode(unsigned d, const Bytes &bytes)
{
    std::vector<unsigned> values(8 * bytes.size() / d);
    for (size_t i = 0; i < 8 * bytes.size(); i++) values[i / d] |= (bytes[i / 8] >> i % 8 & 1u) << i % d;
    return values;
}

std::vector<int16_t> sample_ntt(const Bytes &stream)
{
    std::vector<int16_t> accepted;
    for (unsigned d : byte_decode(12, stream))
        if (d < q && accepted.size() < n) accepted.push_back(static_cast<int16_t>(d));
    return accepted;
}

} // namespace fips203
