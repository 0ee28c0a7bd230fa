// A counting backend: see counting.h.
// SPDX-License-Identifier: Apache-2.0
#include "counting.h"

#include <tuple>

#include "kernel_list.h"

namespace
{

template <auto Member> struct Counter;

template <class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...)>
struct Counter<Member> {
    static inline Result (*original)(Arguments...) = nullptr;
    static inline size_t calls = 0;

    static Result count(Arguments... arguments)
    {
        calls++;
        return original(arguments...);
    }
};

lk_backend counting;
std::tuple<lk_q3329_kernels, lk_keccak_kernels, lk_aes_kernels, lk_sha2_kernels> tables;

template <class Table> void copy_table(Family<Table> family)
{
    std::get<Table>(tables) = *family.in(counting);
    family.in(counting) = &std::get<Table>(tables);
}

template <class Table, class Entry> void interpose(Family<Table>, Entry kernel)
{
    using Count = Counter<kernel.member>;
    auto &entry = std::get<Table>(tables).*kernel.member;
    Count::original = entry;
    if (entry != nullptr) entry = Count::count;
}

} // namespace

const lk_backend *count_kernels(const lk_backend &original)
{
    counting = original;
    for_each_family([](auto family) { copy_table(family); });
    for_each_kernel([](auto family, auto kernel) { interpose(family, kernel); });
    forget_calls();
    return &counting;
}

Names called_kernels()
{
    Names names;
    for_each_kernel([&](auto family, auto kernel) {
        if (Counter<kernel.member>::calls > 0) names.insert(std::string(family.name) + "." + kernel.name);
    });
    return names;
}

void forget_calls()
{
    for_each_kernel([](auto, auto kernel) { Counter<kernel.member>::calls = 0; });
}
