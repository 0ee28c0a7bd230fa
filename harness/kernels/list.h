// The list of all kernels: family, name, member pointer and group of each, for programs that do something to every
// kernel. The contracts (kernels.h) have the lists; static_asserts hold them to the tables.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_LIST_H
#define LATKEM_HARNESS_KERNELS_LIST_H

#include <tuple>
#include <type_traits>

#include "internals.h"

template <auto Member> struct Kernel {
    const char *name, *group;
    static constexpr auto member = Member;
};

template <class... Kernels> struct KernelList {
    // A kernel listed twice would be the same base class twice, which is an error.
    struct Distinct : Kernels... {
    };
    std::tuple<Kernels...> kernels;
    static constexpr size_t pointer_bytes = sizeof...(Kernels) * sizeof(void (*)());
    static_assert(std::is_aggregate_v<Distinct>);
};

template <class... Kernels> constexpr KernelList<Kernels...> kernel_list(Kernels... kernels)
{
    return {{kernels...}};
}

template <auto Member> constexpr Kernel<Member> kernel(const char *name, const char *group)
{
    return {name, group};
}

#define LATKEM_KERNEL(family, name, group) kernel<&lk_##family##_kernels::name>(#name, group)

// A family is a table type, its name, its kernels and its place in a backend.
template <class Table> struct Family;

template <> struct Family<lk_q3329_kernels> {
    static constexpr const char *name = "q3329";
    static constexpr auto list = kernel_list(LK_Q3329_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes == sizeof(lk_q3329_kernels), "a kernel of q3329 is not listed");
    static const lk_q3329_kernels *&in(lk_backend &backend)
    {
        return backend.q3329;
    }
};

template <> struct Family<lk_negacyclic_kernels> {
    static constexpr const char *name = "negacyclic";
    static constexpr auto list = kernel_list(LK_NEGACYCLIC_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes + 3 * sizeof(size_t) == sizeof(lk_negacyclic_kernels),
                  "a kernel of negacyclic is not listed");
    static const lk_negacyclic_kernels *&in(lk_backend &backend)
    {
        return backend.negacyclic;
    }
};

template <> struct Family<lk_cyclic_kernels> {
    static constexpr const char *name = "cyclic";
    static constexpr auto list = kernel_list(LK_CYCLIC_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes + 3 * sizeof(size_t) + sizeof(void *) == sizeof(lk_cyclic_kernels),
                  "a kernel of cyclic is not listed");
    static const lk_cyclic_kernels *&in(lk_backend &backend)
    {
        return backend.cyclic;
    }
};

template <> struct Family<lk_ternary_kernels> {
    static constexpr const char *name = "ternary";
    static constexpr auto list = kernel_list(LK_TERNARY_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes + sizeof(size_t) + sizeof(void *) == sizeof(lk_ternary_kernels),
                  "a kernel of ternary is not listed");
    static const lk_ternary_kernels *&in(lk_backend &backend)
    {
        return backend.ternary;
    }
};

template <> struct Family<lk_keccak_kernels> {
    static constexpr const char *name = "keccak";
    static constexpr auto list = kernel_list(LK_KECCAK_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes + sizeof(lk_keccak_kernels::lanes) + sizeof(lk_keccak_kernels::pairs) +
                          sizeof(lk_keccak_kernels::narrow) ==
                      sizeof(lk_keccak_kernels),
                  "a kernel of keccak is not listed");
    static const lk_keccak_kernels *&in(lk_backend &backend)
    {
        return backend.symmetric.keccak;
    }
};

template <> struct Family<lk_aes_kernels> {
    static constexpr const char *name = "aes";
    static constexpr auto list = kernel_list(LK_AES_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes + sizeof(lk_aes_kernels::instructions) == sizeof(lk_aes_kernels),
                  "a kernel of aes is not listed");
    static const lk_aes_kernels *&in(lk_backend &backend)
    {
        return backend.symmetric.aes;
    }
};

template <> struct Family<lk_sha2_kernels> {
    static constexpr const char *name = "sha2";
    static constexpr auto list = kernel_list(LK_SHA2_LIST(LATKEM_KERNEL));
    static_assert(list.pointer_bytes == sizeof(lk_sha2_kernels), "a kernel of sha2 is not listed");
    static const lk_sha2_kernels *&in(lk_backend &backend)
    {
        return backend.symmetric.sha2;
    }
};

#undef LATKEM_KERNEL

// for_each_family calls visit(Family<Table>()) for each family; for_each_kernel calls visit(Family<Table>(), kernel)
// for each kernel of each.
template <class Visit> void for_each_family(Visit &&visit)
{
    visit(Family<lk_q3329_kernels>());
    visit(Family<lk_negacyclic_kernels>());
    visit(Family<lk_cyclic_kernels>());
    visit(Family<lk_ternary_kernels>());
    visit(Family<lk_keccak_kernels>());
    visit(Family<lk_aes_kernels>());
    visit(Family<lk_sha2_kernels>());
}

template <class Visit> void for_each_kernel(Visit &&visit)
{
    for_each_family(
        [&](auto family) { std::apply([&](auto... kernel) { (visit(family, kernel), ...); }, family.list.kernels); });
}

// From its member symmetric on, a backend is the tables of the families; a new family belongs above.
static_assert(sizeof(lk_backend) - offsetof(lk_backend, symmetric) == 7 * sizeof(void *), "a family is not listed");

#endif
