// A copy of a backend that checks, at each call of a kernel, the bounds that its contract (kernels.h) states for inputs
// and outputs. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_BOUNDS_H
#define LATKEM_HARNESS_KERNELS_BOUNDS_H

#include <set>
#include <string>
#include <tuple>

#include "interpose.h"

namespace kernel_bounds
{

// The findings since the set was cleared: "FAMILY/KERNEL takes" or "FAMILY/KERNEL gives" a value beyond its bound.
// And the kernels that had their bounds checked.
inline std::set<std::string> violations, checked;

struct Side {
    std::string kernel;
    const char *verb;

    void within(bool fits) const
    {
        checked.insert(kernel);
        if (!fits) violations.insert(kernel + " " + verb);
    }
    template <class T> void within(const T *values, size_t count, int low, int high) const
    {
        bool fits = true;
        for (size_t i = 0; i < count; i++) fits = fits && values[i] >= low && values[i] <= high;
        within(fits);
    }
    void canonical(const lk_poly *f) const
    {
        within(f->c, LK_Q3329_N, 0, LK_Q3329_CANONICAL_MAX);
    }
    void at_most(const lk_poly *f, int bound, size_t count = 1) const
    {
        within(f->c, count * LK_Q3329_N, -bound, bound);
    }
    // Residues modulo 8192, centred.
    void residues(const lk_negacyclic_poly *f, int low, int high) const
    {
        for (uint16_t c : f->c) {
            const int residue = c % 8192, centred = residue < 4096 ? residue : residue - 8192;
            within(centred >= low && centred <= high);
        }
    }
    void trits(const lk_trits *t, size_t n) const
    {
        within(t->c, n, 0, LK_TRIT_MAX);
    }
};

// The checks before and after a kernel's call, by its member: none unless there is one below. The
// overloads have the kernel's own types of arguments, so that they are the better match.
template <auto Member> struct At {
};
template <auto Member, class... Arguments> void before(At<Member>, const Side &, Arguments...)
{
}
template <auto Member, class... Arguments> void after(At<Member>, const Side &, Arguments...)
{
}

#define BEFORE(table, name, ...) inline void before(At<&lk_##table##_kernels::name>, const Side &side, __VA_ARGS__)
#define AFTER(table, name, ...) inline void after(At<&lk_##table##_kernels::name>, const Side &side, __VA_ARGS__)

// ---- q3329 ----

BEFORE(q3329, ntt, lk_poly *f)
{
    side.at_most(f, LK_Q3329_NTT_IN);
}
AFTER(q3329, ntt, lk_poly *f)
{
    side.at_most(f, LK_Q3329_NTT_OUT);
}
AFTER(q3329, invntt_tomont, lk_poly *f)
{
    side.at_most(f, LK_Q3329_INVNTT_OUT);
}
BEFORE(q3329, mulcache, lk_mulcache *, const lk_poly *g)
{
    side.at_most(g, LK_Q3329_NTT_OUT);
}
BEFORE(q3329, inner_product, lk_poly *, const lk_poly *f, const lk_poly *g, const lk_mulcache *, size_t k)
{
    side.within(k >= 1 && k <= LK_Q3329_RANK_MAX);
    side.within(f->c, k * LK_Q3329_N, 0, LK_Q3329_DECODED_MAX);
    side.at_most(g, LK_Q3329_NTT_OUT, k);
}
AFTER(q3329, inner_product, lk_poly *h, const lk_poly *, const lk_poly *, const lk_mulcache *, size_t)
{
    side.at_most(h, LK_Q3329_PRODUCT_OUT);
}
AFTER(q3329, tomont, lk_poly *f)
{
    side.at_most(f, LK_Q3329_TOMONT_OUT);
}
BEFORE(q3329, add, lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < LK_Q3329_N; i++) side.within(static_cast<int16_t>(f->c[i] + g->c[i]) == f->c[i] + g->c[i]);
}
BEFORE(q3329, sub_from, lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < LK_Q3329_N; i++) side.within(static_cast<int16_t>(g->c[i] - f->c[i]) == g->c[i] - f->c[i]);
}
AFTER(q3329, reduce, lk_poly *f)
{
    side.canonical(f);
}
AFTER(q3329, decode_d12, lk_poly *f, const uint8_t *)
{
    side.within(f->c, LK_Q3329_N, 0, LK_Q3329_DECODED_MAX);
}
AFTER(q3329, cbd_eta2, lk_poly *f, const uint8_t *)
{
    side.at_most(f, 2);
}
AFTER(q3329, cbd_eta3, lk_poly *f, const uint8_t *)
{
    side.at_most(f, 3);
}

#define ENCODES(name)                                                                                                  \
    BEFORE(q3329, name, uint8_t *, const lk_poly *f)                                                                   \
    {                                                                                                                  \
        side.canonical(f);                                                                                             \
    }
#define DECODES(name)                                                                                                  \
    AFTER(q3329, name, lk_poly *f, const uint8_t *)                                                                    \
    {                                                                                                                  \
        side.canonical(f);                                                                                             \
    }
ENCODES(encode_d12)
ENCODES(compress_d1)
ENCODES(compress_d4)
ENCODES(compress_d5)
ENCODES(compress_d10)
ENCODES(compress_d11)
DECODES(decompress_d1)
DECODES(decompress_d4)
DECODES(decompress_d5)
DECODES(decompress_d10)
DECODES(decompress_d11)

// ---- negacyclic; coefficients are in the backend's order ----

BEFORE(negacyclic, inner_product, lk_negacyclic_poly *, const void *, const void *, size_t l, void *)
{
    side.within(l >= 1 && l <= LK_NEGACYCLIC_RANK_MAX);
}
BEFORE(negacyclic, evaluate_small, void *, const lk_negacyclic_poly *f, void *)
{
    side.residues(f, -LK_NEGACYCLIC_SMALL, LK_NEGACYCLIC_SMALL);
}
AFTER(negacyclic, unpack_d10, lk_negacyclic_poly *f, const uint8_t *)
{
    side.residues(f, 0, LK_NEGACYCLIC_D10_MAX);
}

#define SAMPLES(name, bound)                                                                                           \
    AFTER(negacyclic, name, lk_negacyclic_poly *f, const uint8_t *)                                                    \
    {                                                                                                                  \
        side.residues(f, -(bound), bound);                                                                             \
    }
SAMPLES(cbd_mu6, 3)
SAMPLES(cbd_mu8, 4)
SAMPLES(cbd_mu10, 5)

// ---- cyclic ----

AFTER(cyclic, invert_mod2, lk_cyclic_poly *v, const lk_cyclic_poly *, size_t n, void *)
{
    side.within(v->c, n, 0, LK_CYCLIC_BIT_MAX);
}
BEFORE(cyclic, lift_inverse, lk_cyclic_poly *v, const lk_cyclic_poly *, size_t n, void *)
{
    side.within(v->c, n, 0, LK_CYCLIC_BIT_MAX);
}
AFTER(cyclic, lift_inverse, lk_cyclic_poly *v, const lk_cyclic_poly *, size_t n, void *)
{
    side.within(v->c, n, 0, LK_CYCLIC_MOD4_MAX);
}
AFTER(cyclic, square_of_bits, lk_cyclic_poly *h, const lk_cyclic_poly *, size_t n, unsigned, void *)
{
    side.within(h->c, n, 0, LK_CYCLIC_MOD4_MAX);
}
BEFORE(cyclic, from_trits, lk_cyclic_poly *, const lk_trits *t, size_t n, unsigned)
{
    side.trits(t, n);
}
AFTER(cyclic, mod3, lk_trits *t, const lk_cyclic_poly *, size_t n, unsigned)
{
    side.trits(t, n);
}
AFTER(cyclic, to_trits, lk_trits *t, const lk_cyclic_poly *, size_t n, unsigned)
{
    side.trits(t, n);
}

#define UNPACKS(name, d)                                                                                               \
    AFTER(cyclic, name, lk_cyclic_poly *f, const uint8_t *, size_t n)                                                  \
    {                                                                                                                  \
        side.within(f->c, n, 0, (1 << (d)) - 1);                                                                       \
    }
UNPACKS(unpack_d11, 11)
UNPACKS(unpack_d12, 12)
UNPACKS(unpack_d13, 13)

// ---- ternary ----

AFTER(ternary, sample_iid, lk_trits *t, const uint8_t *, size_t n)
{
    side.trits(t, n);
}
AFTER(ternary, make_nonnegative, lk_trits *t, size_t n)
{
    side.trits(t, n);
}
BEFORE(ternary, sort, lk_ternary_words *a, size_t count, void *)
{
    side.within(count >= 1 && count <= LK_CYCLIC_N_MAX);
    side.within(a->c, count, INT32_MIN, LK_TERNARY_WORD_MAX);
}
AFTER(ternary, words_to_trits, lk_trits *t, const lk_ternary_words *, size_t n)
{
    side.trits(t, n);
}
BEFORE(ternary, pack, uint8_t *, const lk_trits *t, size_t n)
{
    side.trits(t, n);
}
AFTER(ternary, unpack, lk_trits *t, const uint8_t *, size_t n)
{
    side.trits(t, n);
}
AFTER(ternary, lift_quotient, lk_trits *b, const lk_trits *, size_t n)
{
    side.trits(b, n);
}
BEFORE(ternary, multiply, lk_trits *, const lk_trits *f, const lk_trits *g, size_t n, void *)
{
    side.trits(f, n);
    side.trits(g, n);
}
AFTER(ternary, multiply, lk_trits *h, const lk_trits *, const lk_trits *, size_t n, void *)
{
    side.trits(h, n);
}
AFTER(ternary, invert, lk_trits *v, const lk_trits *, size_t n, void *)
{
    side.trits(v, n);
}

#undef BEFORE
#undef AFTER
#undef ENCODES
#undef DECODES
#undef SAMPLES
#undef UNPACKS

// A kernel between the checks.
template <auto Member> struct Checked;
template <class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...)>
struct Checked<Member> {
    static inline Result (*kernel)(Arguments...) = nullptr;
    static inline std::string name;

    struct After {
        std::tuple<Arguments...> arguments;
        ~After()
        {
            std::apply([](auto... all) { after(At<Member>(), Side{name, "gives"}, all...); }, arguments);
        }
    };

    static Result call(Arguments... arguments)
    {
        before(At<Member>(), Side{name, "takes"}, arguments...);
        const After checks = {{arguments...}};
        return kernel(arguments...);
    }
    static void interpose(Table &table, size_t, const char *own_name)
    {
        name = std::string(Family<Table>::name) + "/" + own_name;
        kernel = table.*Member;
        if (kernel != nullptr) table.*Member = call;
    }
};

} // namespace kernel_bounds

using BoundedBackend = WrappedBackend<kernel_bounds::Checked>;

#endif
