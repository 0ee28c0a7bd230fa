// Polynomials of NTRU for the tests of ring/pow2 and ring/ternary: the four n, padded arrays, and the schoolbook.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_CYCLIC_H
#define LATKEM_TESTS_CYCLIC_H

#include "backends.h"
#include "guarded.h"

using Words = std::vector<uint16_t>; // n coefficients

constexpr size_t degrees[] = {509, 677, 701, 821};
constexpr uint16_t minus_one = 0xffff;

// A padded polynomial in guarded memory.
class GuardedWords : public Guarded<uint16_t>
{
  public:
    explicit GuardedWords(size_t n) : Guarded(lk_cyclic_padded(n), next_poly_offset()), n_(n)
    {
    }
    explicit GuardedWords(const Words &f) : GuardedWords(f.size())
    {
        std::fill(out(), out() + lk_cyclic_padded(n_), uint16_t{0});
        std::copy(f.begin(), f.end(), out());
    }

    // The coefficients, when the padding is zero as it must be.
    Words value()
    {
        EXPECT_TRUE(std::all_of(out() + n_, out() + lk_cyclic_padded(n_), [](uint16_t w) { return w == 0; }))
            << "the padding is not zero";
        return Words(out(), out() + n_);
    }

  private:
    size_t n_;
};

// Memory for a count of bytes for each unit of a padded polynomial: evaluated polynomials and scratch.
class GuardedUnits : public Guarded<uint8_t>
{
  public:
    GuardedUnits(size_t n, size_t unit_bytes)
        : Guarded(lk_cyclic_padded(n) / LK_CYCLIC_UNIT * unit_bytes, next_poly_offset())
    {
    }
};

class CyclicBytes : public Guarded<uint8_t>
{
  public:
    explicit CyclicBytes(size_t size) : Guarded(size, next_byte_offset()), size_(size)
    {
    }
    explicit CyclicBytes(const Bytes &bytes)
        : Guarded(bytes.data(), bytes.size(), next_byte_offset()), size_(bytes.size())
    {
    }
    Bytes value()
    {
        return Bytes(out(), out() + size_);
    }

  private:
    size_t size_;
};

inline Words random_words(Random &random, size_t n)
{
    Words f(n);
    for (uint16_t &c : f) c = static_cast<uint16_t>(random.word());
    return f;
}

inline Words random_trits(Random &random, size_t n)
{
    Words f(n);
    for (uint16_t &c : f) c = static_cast<uint16_t>(random.between(-1, 1));
    return f;
}

inline Words power_of_x(size_t n, size_t i)
{
    Words f(n);
    f[i] = 1;
    return f;
}

// f g modulo X^n - 1 and 2^16, from the definition.
inline Words schoolbook(const Words &f, const Words &g)
{
    const size_t n = f.size();
    Words h(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            uint16_t &c = h[i + j < n ? i + j : i + j - n];
            c = static_cast<uint16_t>(c + uint32_t{f[i]} * g[j]);
        }
    return h;
}

#endif
