// A counting backend: see counting.h.
// SPDX-License-Identifier: Apache-2.0
#include "counting.h"

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
template <class Table> Table copied; // the counting backend's table of each family

template <class Table> void copy_table(Family<Table> family)
{
    copied<Table> = *family.in(counting);
    family.in(counting) = &copied<Table>;
}

template <class Table, class Entry> void interpose(Family<Table>, Entry kernel)
{
    using Count = Counter<kernel.member>;
    auto &entry = copied<Table>.*kernel.member;
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
