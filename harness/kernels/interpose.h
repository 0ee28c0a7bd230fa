// A copy of a backend in which something happens around each call of a kernel.
//
// A wrapper replaces every pointer of a backend's tables. It makes an object of the class Around with the kernel's
// index among those of for_each_kernel, calls the kernel, and destroys the object. lk_backend_force() puts the copy in
// force. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_INTERPOSE_H
#define LATKEM_HARNESS_KERNELS_INTERPOSE_H

#include <vector>

#include "list.h"

// A kernel of the same type that calls the interposed one.
template <class Around, auto Member> struct Wrapped;
template <class Around, class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...)>
struct Wrapped<Around, Member> {
    static inline Result (*kernel)(Arguments...) = nullptr;
    static inline size_t index = 0;

    static Result call(Arguments... arguments)
    {
        const Around around(index);
        return kernel(arguments...);
    }
    static void interpose(Table &table, size_t place, const char *)
    {
        index = place;
        kernel = table.*Member;
        if (kernel != nullptr) table.*Member = call;
    }
};

// A copy of a backend with the kernels of Wrapper, a template of Wrapped's kind. Wrappers are global: one such
// copy at a time.
template <template <auto> class Wrapper> class WrappedBackend
{
  public:
    struct Name {
        const char *family, *kernel;
    };

    explicit WrappedBackend(const lk_backend &original) : backend_(original), original_(original)
    {
        for_each_family([&](auto family) { interpose_family(family); });
    }
    WrappedBackend(const WrappedBackend &) = delete;
    WrappedBackend &operator=(const WrappedBackend &) = delete;

    const lk_backend &interposed() const
    {
        return backend_;
    }
    const lk_backend &original() const
    {
        return original_;
    }

    // The kernels by their indices.
    const std::vector<Name> &names() const
    {
        return names_;
    }

  private:
    template <class Table> void interpose_family(Family<Table> family)
    {
        const Table *&slot = family.in(backend_);
        table<Table> = *slot;
        slot = &table<Table>;
        std::apply([&](auto... kernel) { (interpose<Table>(kernel), ...); }, family.list.kernels);
    }
    template <class Table, auto Member> void interpose(Kernel<Member> kernel)
    {
        Wrapper<Member>::interpose(table<Table>, names_.size(), kernel.name);
        names_.push_back({Family<Table>::name, kernel.name});
    }

    template <class Table> static inline Table table; // the copy of each family
    lk_backend backend_;
    const lk_backend &original_;
    std::vector<Name> names_;
};

template <class Around> struct WrappedIn {
    template <auto Member> using Wrapper = Wrapped<Around, Member>;
};
template <class Around> using InterposedBackend = WrappedBackend<WrappedIn<Around>::template Wrapper>;

#endif
