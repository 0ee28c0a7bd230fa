// The kernels of a backend's rings of NTRU as functions of values. Each call gives the kernel guarded memory of as many
// units as n takes, at changing alignments, and so checks its sizes, its alignment, that its inputs stay as they are and
// that the places behind coefficient n - 1 are 0.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_NTRU_RING_H
#define LATKEM_TESTS_NTRU_RING_H

#include <utility>

#include "backends.h"
#include "guarded.h"
#include "harness/model/ntru.h"

constexpr size_t degrees[] = {509, 677, 701, 821};
constexpr int product_modulus = 1 << LK_CYCLIC_BITS;

inline size_t places(size_t n)
{
    return lk_cyclic_units(n) * LK_CYCLIC_UNIT;
}

// Word is what Structure has LK_CYCLIC_PLACES of.
template <class Structure, class Word> class GuardedPlaces : public Guarded<Word>
{
  public:
    explicit GuardedPlaces(size_t n) : Guarded<Word>(places(n), next_poly_offset()), n_(n)
    {
    }
    Structure *out()
    {
        return reinterpret_cast<Structure *>(words());
    }
    const Structure *in()
    {
        return reinterpret_cast<const Structure *>(Guarded<Word>::in());
    }

  protected:
    Word *words()
    {
        return Guarded<Word>::out();
    }
    void expect_padding() const
    {
        auto *self = const_cast<GuardedPlaces *>(this);
        EXPECT_TRUE(std::all_of(self->words() + n_, self->words() + places(n_), [](Word w) { return w == 0; }))
            << "a place behind coefficient n - 1 is not 0";
    }
    const size_t n_;
};

// The words hold the low `bits` bits of the coefficients; the others are arbitrary.
class GuardedCyclic : public GuardedPlaces<lk_cyclic_poly, uint16_t>
{
  public:
    explicit GuardedCyclic(size_t n) : GuardedPlaces(n)
    {
    }
    GuardedCyclic(const ntru::Poly &f, unsigned bits, Random &random) : GuardedPlaces(f.size())
    {
        std::fill(words(), words() + places(n_), uint16_t{0});
        for (size_t i = 0; i < n_; i++)
            words()[i] = static_cast<uint16_t>((f[i] & ((1 << bits) - 1)) | static_cast<int>(random.word() << bits));
    }
    ntru::Poly value(unsigned bits)
    {
        expect_padding();
        ntru::Poly f(words(), words() + n_);
        return ntru::mod(f, 1 << bits);
    }
};

class GuardedTrits : public GuardedPlaces<lk_trits, uint8_t>
{
  public:
    explicit GuardedTrits(size_t n) : GuardedPlaces(n)
    {
    }
    explicit GuardedTrits(const ntru::Poly &t) : GuardedPlaces(t.size())
    {
        std::fill(words(), words() + places(n_), uint8_t{0});
        std::copy(t.begin(), t.end(), words());
    }
    ntru::Poly value()
    {
        expect_padding();
        return ntru::Poly(words(), words() + n_);
    }
};

// Words behind those that count are not read as one of them.
class GuardedSortWords : public GuardedPlaces<lk_ternary_words, int32_t>
{
  public:
    explicit GuardedSortWords(size_t count) : GuardedPlaces(count)
    {
    }
    GuardedSortWords(const std::vector<int32_t> &list, Random &random) : GuardedPlaces(list.size())
    {
        for (size_t i = 0; i < places(n_); i++) words()[i] = static_cast<int32_t>(random.word());
        std::copy(list.begin(), list.end(), words());
    }
    std::vector<int32_t> value(size_t count)
    {
        return std::vector<int32_t>(words(), words() + count);
    }
};

class NtruRing
{
  public:
    NtruRing(const lk_backend &backend, Random &random)
        : cyclic(*backend.cyclic), ternary(*backend.ternary), random_(random)
    {
    }

    // ---- cyclic ----

    ntru::Poly product(const ntru::Poly &f, const ntru::Poly &g) const
    {
        const size_t n = f.size(), units = lk_cyclic_units(n);
        Guarded<uint8_t> left(units * cyclic.evaluated_unit, next_poly_offset());
        Guarded<uint8_t> right(units * cyclic.evaluated_unit, next_poly_offset());
        GuardedCyclic h(n), f_words(f, LK_CYCLIC_BITS, random_), g_words(g, LK_CYCLIC_BITS, random_);
        {
            Scratch scratch(units * cyclic.scratch_unit);
            cyclic.evaluate(left.out(), f_words.in(), n, scratch.out());
        }
        Scratch scratch(units * cyclic.scratch_unit);
        cyclic.evaluate(right.out(), g_words.in(), n, scratch.out());
        cyclic.product(h.out(), left.in(), right.in(), n, scratch.out());
        return h.value(LK_CYCLIC_BITS);
    }

    ntru::Poly invert_mod2(const ntru::Poly &f) const
    {
        GuardedCyclic v(f.size()), words(f, 1, random_);
        Scratch scratch(lk_cyclic_units(f.size()) * cyclic.scratch_unit);
        cyclic.invert_mod2(v.out(), words.in(), f.size(), scratch.out());
        return v.value(LK_CYCLIC_BITS);
    }

    // v becomes an inverse modulo 4.
    ntru::Poly lift_inverse(const ntru::Poly &v, const ntru::Poly &f) const
    {
        GuardedCyclic lifted(v, LK_CYCLIC_BITS, random_), words(f, 2, random_);
        Scratch scratch(lk_cyclic_units(f.size()) * cyclic.scratch_unit);
        cyclic.lift_inverse(lifted.out(), words.in(), f.size(), scratch.out());
        return lifted.value(LK_CYCLIC_BITS);
    }

    ntru::Poly square_of_bits(const ntru::Poly &f, unsigned bit) const
    {
        GuardedCyclic h(f.size()), words(f, LK_CYCLIC_BITS, random_);
        Scratch scratch(lk_cyclic_units(f.size()) * cyclic.scratch_unit);
        cyclic.square_of_bits(h.out(), words.in(), f.size(), bit, scratch.out());
        return h.value(LK_CYCLIC_BITS);
    }

    ntru::Poly from_trits(const ntru::Poly &t, unsigned scale) const
    {
        GuardedCyclic f(t.size());
        GuardedTrits trits(t);
        cyclic.from_trits(f.out(), trits.in(), t.size(), scale);
        return f.value(LK_CYCLIC_BITS);
    }

    ntru::Poly mod3(const ntru::Poly &f, unsigned bits) const
    {
        GuardedTrits t(f.size());
        GuardedCyclic words(f, bits, random_);
        cyclic.mod3(t.out(), words.in(), f.size(), bits);
        return t.value();
    }

    // The trits and what the kernel returned.
    std::pair<ntru::Poly, uint32_t> to_trits(const ntru::Poly &f, unsigned bits) const
    {
        GuardedTrits t(f.size());
        GuardedCyclic words(f, bits, random_);
        const uint32_t failed = cyclic.to_trits(t.out(), words.in(), f.size(), bits);
        return {t.value(), failed};
    }

    ntru::Poly in_place(void (*lk_cyclic_kernels::*kernel)(lk_cyclic_poly *, size_t), const ntru::Poly &f) const
    {
        GuardedCyclic words(f, LK_CYCLIC_BITS, random_);
        (cyclic.*kernel)(words.out(), f.size());
        return words.value(LK_CYCLIC_BITS);
    }

    ntru::Poly in_place(void (*lk_cyclic_kernels::*kernel)(lk_cyclic_poly *, const lk_cyclic_poly *, size_t),
                        const ntru::Poly &f, const ntru::Poly &g) const
    {
        GuardedCyclic words(f, LK_CYCLIC_BITS, random_), other(g, LK_CYCLIC_BITS, random_);
        (cyclic.*kernel)(words.out(), other.in(), f.size());
        return words.value(LK_CYCLIC_BITS);
    }

    Bytes pack_q(const ntru::Poly &f, unsigned bits) const
    {
        Guarded<uint8_t> bytes((bits * (f.size() - 1) + 7) / 8, next_byte_offset());
        GuardedCyclic words(f, bits, random_);
        (bits == 11   ? cyclic.pack_d11
         : bits == 12 ? cyclic.pack_d12
                      : cyclic.pack_d13)(bytes.out(), words.in(), f.size());
        return Bytes(bytes.out(), bytes.out() + (bits * (f.size() - 1) + 7) / 8);
    }

    // All 16 bits of the words.
    ntru::Poly unpack_q(const Bytes &in, size_t n, unsigned bits) const
    {
        Guarded<uint8_t> bytes(in.data(), in.size(), next_byte_offset());
        GuardedCyclic f(n);
        (bits == 11 ? cyclic.unpack_d11 : bits == 12 ? cyclic.unpack_d12 : cyclic.unpack_d13)(f.out(), bytes.in(), n);
        return f.value(16);
    }

    // ---- ternary ----

    ntru::Poly sample_iid(const Bytes &in, size_t n) const
    {
        return trits_of(ternary.sample_iid, in, n);
    }
    ntru::Poly unpack_s3(const Bytes &in, size_t n) const
    {
        return trits_of(ternary.unpack, in, n);
    }

    Bytes pack_s3(const ntru::Poly &t) const
    {
        const size_t size = (t.size() + 3) / 5;
        Guarded<uint8_t> bytes(size, next_byte_offset());
        GuardedTrits trits(t);
        ternary.pack(bytes.out(), trits.in(), t.size());
        return Bytes(bytes.out(), bytes.out() + size);
    }

    ntru::Poly make_nonnegative(const ntru::Poly &t) const
    {
        GuardedTrits trits(t);
        ternary.make_nonnegative(trits.out(), t.size());
        return trits.value();
    }

    std::vector<int32_t> fixed_type_words(const Bytes &in, size_t n, size_t weight) const
    {
        Guarded<uint8_t> bytes(in.data(), in.size(), next_byte_offset());
        GuardedSortWords words(n);
        ternary.fixed_type_words(words.out(), bytes.in(), n, weight);
        return words.value(n - 1);
    }

    std::vector<int32_t> sort(const std::vector<int32_t> &list) const
    {
        GuardedSortWords words(list, random_);
        Scratch scratch(lk_cyclic_units(list.size()) * ternary.scratch_unit);
        ternary.sort(words.out(), list.size(), scratch.out());
        return words.value(list.size());
    }

    // Of n - 1 words; the place of the last coefficient is read as little as those behind it.
    ntru::Poly words_to_trits(std::vector<int32_t> list) const
    {
        list.push_back(static_cast<int32_t>(random_.word()));
        GuardedSortWords words(list, random_);
        GuardedTrits t(list.size());
        ternary.words_to_trits(t.out(), words.in(), list.size());
        return t.value();
    }

    uint32_t weight_differs(const ntru::Poly &t, size_t weight) const
    {
        GuardedTrits trits(t);
        return ternary.weight_differs(trits.in(), t.size(), weight);
    }

    ntru::Poly lift_quotient(const ntru::Poly &t) const
    {
        GuardedTrits b(t.size()), trits(t);
        ternary.lift_quotient(b.out(), trits.in(), t.size());
        return b.value();
    }

    ntru::Poly multiply_s3(const ntru::Poly &f, const ntru::Poly &g) const
    {
        GuardedTrits h(f.size()), f_trits(f), g_trits(g);
        Scratch scratch(lk_cyclic_units(f.size()) * ternary.scratch_unit);
        ternary.multiply(h.out(), f_trits.in(), g_trits.in(), f.size(), scratch.out());
        return h.value();
    }

    ntru::Poly invert_s3(const ntru::Poly &t) const
    {
        GuardedTrits v(t.size()), trits(t);
        Scratch scratch(lk_cyclic_units(t.size()) * ternary.scratch_unit);
        ternary.invert(v.out(), trits.in(), t.size(), scratch.out());
        return v.value();
    }

    const lk_cyclic_kernels &cyclic;
    const lk_ternary_kernels &ternary;

  private:
    struct Scratch : Guarded<uint8_t> {
        explicit Scratch(size_t size) : Guarded(size, next_poly_offset())
        {
        }
    };

    static ntru::Poly trits_of(void (*kernel)(lk_trits *, const uint8_t *, size_t), const Bytes &in, size_t n)
    {
        GuardedTrits t(n);
        Guarded<uint8_t> bytes(in.data(), in.size(), next_byte_offset());
        kernel(t.out(), bytes.in(), n);
        return t.value();
    }

    Random &random_;
};

inline ntru::Poly random_residues(Random &random, size_t n, int bound)
{
    ntru::Poly f(n);
    for (int &c : f) c = static_cast<int>(random.below(static_cast<size_t>(bound)));
    return f;
}

inline bool are_trits(const ntru::Poly &f)
{
    return std::all_of(f.begin(), f.end(), [](int c) { return c >= 0 && c <= 2; });
}

// n - 1 trits and a 0.
inline ntru::Poly random_trits(Random &random, size_t n)
{
    ntru::Poly t = random_residues(random, n, 3);
    t.back() = 0;
    return t;
}

inline ntru::Poly monomial(size_t n, size_t exponent, int value = 1)
{
    ntru::Poly f(n, 0);
    f[exponent % n] = value;
    return f;
}

// For start = 0, 1 ... bound - 1: every value below bound at every place.
inline ntru::Poly ramp(size_t n, int start, int bound)
{
    ntru::Poly f(n);
    for (size_t i = 0; i < n; i++)
        f[i] = static_cast<int>((static_cast<size_t>(start) + 37 * i) % static_cast<size_t>(bound));
    return f;
}

// The fixture: tests of one backend's rings.
class NtruRingTest : public testing::TestWithParam<const lk_backend *>
{
  protected:
    Random random{20200930}; // any number
    const NtruRing ring{*GetParam(), random};
};

#endif
