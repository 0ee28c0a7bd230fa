// The kernels of a backend's ring as functions of values. Each call gives the kernel guarded memory at changing
// alignments and so checks its sizes, its alignment and that its inputs stay as they are.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_RING_H
#define LATKEM_TESTS_RING_H

#include <cstring>
#include <utility>

#include "backends.h"
#include "guarded.h"
#include "harness/model/fips203.h"

using fips203::Poly;

class GuardedPolys : public Guarded<lk_poly>
{
  public:
    GuardedPolys() : Guarded(1, next_poly_offset())
    {
    }
    explicit GuardedPolys(const Poly &f) : GuardedPolys(std::vector<Poly>{f})
    {
    }
    explicit GuardedPolys(const std::vector<Poly> &list) : Guarded(list.size(), next_poly_offset())
    {
        for (size_t i = 0; i < list.size(); i++) std::memcpy(out()[i].c, list[i].data(), sizeof(lk_poly));
    }
    Poly value()
    {
        Poly f;
        std::memcpy(f.data(), out()->c, sizeof(lk_poly));
        return f;
    }
};

class GuardedBytes : public Guarded<uint8_t>
{
  public:
    explicit GuardedBytes(size_t size) : Guarded(size, next_byte_offset()), size_(size)
    {
    }
    explicit GuardedBytes(const Bytes &bytes)
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

inline Poly call(void (*kernel)(lk_poly *), const Poly &f)
{
    GuardedPolys memory(f);
    kernel(memory.out());
    return memory.value();
}

inline Poly call(void (*kernel)(lk_poly *, const lk_poly *), const Poly &f, const Poly &g)
{
    GuardedPolys memory(f), other(g);
    kernel(memory.out(), other.in());
    return memory.value();
}

inline Bytes call(void (*kernel)(uint8_t *, const lk_poly *), size_t size, const Poly &f)
{
    GuardedBytes bytes(size);
    GuardedPolys memory(f);
    kernel(bytes.out(), memory.in());
    return bytes.value();
}

inline Poly call(void (*kernel)(lk_poly *, const uint8_t *), const Bytes &in)
{
    GuardedPolys memory;
    GuardedBytes bytes(in);
    kernel(memory.out(), bytes.in());
    return memory.value();
}

// The polynomial and whether every value was below q.
inline std::pair<Poly, bool> decode_d12(const lk_q3329_kernels &ring, const Bytes &in)
{
    GuardedPolys memory;
    GuardedBytes bytes(in);
    const uint32_t above = ring.decode_d12(memory.out(), bytes.in());
    return {memory.value(), above == 0};
}

// Makes the caches of g and multiplies.
inline Poly inner_product(const lk_q3329_kernels &ring, const std::vector<Poly> &f, const std::vector<Poly> &g)
{
    GuardedPolys h, left(f), right(g);
    Guarded<lk_mulcache> cache(g.size(), next_poly_offset());
    for (size_t i = 0; i < g.size(); i++) ring.mulcache(cache.out() + i, right.in() + i);
    ring.inner_product(h.out(), left.in(), right.in(), cache.in(), g.size());
    return h.value();
}

// NTT-domain values from the standard's order to the backend's, and back made canonical.
inline Poly to_backend(const lk_q3329_kernels &ring, const Poly &standard)
{
    return ring.ntt_order ? call(ring.ntt_order, standard) : standard;
}

inline Poly to_standard(const lk_q3329_kernels &ring, const Poly &f)
{
    const Bytes bytes = call(ring.encode_d12, LK_Q3329_POLY_BYTES, call(ring.reduce, f));
    const std::vector<unsigned> values = fips203::byte_decode(12, bytes);
    Poly standard;
    for (size_t i = 0; i < standard.size(); i++) standard[i] = static_cast<int16_t>(values[i]);
    return standard;
}

inline int largest(const Poly &f)
{
    int most = 0;
    for (int c : f) most = std::max(most, std::abs(c));
    return most;
}

inline testing::AssertionResult is_canonical(const Poly &f)
{
    for (size_t i = 0; i < f.size(); i++)
        if (f[i] < 0 || f[i] >= fips203::q) return testing::AssertionFailure() << "coefficient " << i << " is " << f[i];
    return testing::AssertionSuccess();
}

inline Poly fill(int value)
{
    Poly f;
    f.fill(static_cast<int16_t>(value));
    return f;
}

inline Poly random_poly(Random &random, int low, int high)
{
    Poly f;
    for (int16_t &c : f) c = static_cast<int16_t>(random.between(low, high));
    return f;
}

// Polynomials of coefficients in [low, high] that press on its ends: all at one end, changing ends in runs of 1, 2,
// 4 ... 128, random ends, one coefficient alone at an end, and one at an end among random others.
inline std::vector<Poly> extremes(int low, int high, Random &random)
{
    std::vector<Poly> list = {fill(low), fill(high), fill(0)};
    auto end = [&](bool up) { return static_cast<int16_t>(up ? high : low); };
    for (size_t run = 1; run < 256; run *= 2) {
        Poly f;
        for (size_t i = 0; i < f.size(); i++) f[i] = end(i / run % 2 == 0);
        list.push_back(f);
        for (int16_t &c : f) c = c == high ? end(false) : end(true);
        list.push_back(f);
    }
    for (int i = 0; i < 200; i++) {
        Poly f;
        for (int16_t &c : f) c = end(random.word() & 1);
        list.push_back(f);
    }
    for (size_t i = 0; i < 256; i++) {
        Poly alone = fill(0), among = random_poly(random, low, high);
        alone[i] = among[i] = end(i % 2 == 0);
        list.push_back(alone);
        list.push_back(among);
    }
    return list;
}

// The fixture: tests of one backend's ring.
class RingTest : public testing::TestWithParam<const lk_backend *>
{
  protected:
    const lk_q3329_kernels &ring = *GetParam()->q3329;
    Random random{20240813}; // any number
};

#endif
