// Every kernel of every backend is called, on inputs that its contract allows, with known values in the registers that
// the procedure call standard (AAPCS64) asks a function to keep: x19 to x29 and the lower halves of v8 to v15. The bits
// of a register that a narrow argument leaves undefined are set. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness/kernels/calls.h"

extern "C" {
uint64_t abi_call(const void *called, const uint64_t *arguments, uint64_t *state);
extern const char abi_changes_one[];
}

namespace
{

constexpr size_t kept_registers = 19, general_registers = 11;
using State = std::array<uint64_t, kept_registers>;

std::string register_name(size_t place)
{
    return place < general_registers ? "x" + std::to_string(19 + place)
                                     : "d" + std::to_string(8 + place - general_registers);
}

uint64_t word(uint64_t value)
{
    return value;
}
uint64_t word(uint32_t value)
{
    return value | 0xa5a5a5a500000000;
}
uint64_t word(const void *pointer)
{
    return reinterpret_cast<uintptr_t>(pointer);
}

std::vector<std::string> changed; // registers, since the list was cleared

uint64_t checked_call(const void *called, const std::array<uint64_t, 8> &arguments)
{
    State before, after;
    for (size_t i = 0; i < kept_registers; i++) before[i] = 0x0123456789abcdef * (i + 1);
    after = before;
    const uint64_t result = abi_call(called, arguments.data(), after.data());
    for (size_t i = 0; i < kept_registers; i++)
        if (before[i] != after[i]) changed.push_back(register_name(i));
    return result;
}

// A kernel of the same type that calls the original one and looks at its registers.
template <auto Member> struct Checked;
template <class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...)>
struct Checked<Member> {
    static_assert(sizeof...(Arguments) <= 8, "arguments on the stack");
    static inline Result (*original)(Arguments...) = nullptr;

    static Result call(Arguments... arguments)
    {
        return static_cast<Result>(checked_call(reinterpret_cast<const void *>(original), {word(arguments)...}));
    }
};

template <class Table> Table copied; // of each family, with checked kernels

lk_backend checked(const lk_backend &original)
{
    lk_backend backend = original;
    for_each_family([&](auto family) {
        const auto *&table = family.in(backend);
        auto &copy = copied<std::decay_t<decltype(*table)>>;
        copy = *table;
        table = &copy;
    });
    for_each_kernel([&](auto family, auto kernel) {
        auto &entry = copied<std::decay_t<decltype(*family.in(backend))>>.*kernel.member;
        Checked<kernel.member>::original = entry;
        if (entry != nullptr) entry = Checked<kernel.member>::call;
    });
    return backend;
}

TEST(Abi, AChangedRegisterIsFound)
{
    for (size_t i = 0; i < kept_registers; i++) {
        changed.clear();
        checked_call(abi_changes_one + 16 * i, {});
        EXPECT_EQ(changed, std::vector<std::string>{register_name(i)});
    }
}

TEST(Abi, KernelsKeepTheRegisters)
{
    size_t calls = 0;
    for (size_t i = 0; const lk_backend *original = lk_backend_list(i); i++) {
        const lk_backend backend = checked(*original);
        const auto check = [&](const std::string &name, bool zero, auto call) {
            const auto pool = kernel_calls::make_pool(*original, zero);
            changed.clear();
            call(*pool, 0);
            EXPECT_EQ(changed, std::vector<std::string>{}) << name;
            calls++;
        };
        kernel_calls::for_each_kernel_call(backend, check, [](const std::string &) {});
    }
    EXPECT_GT(calls, 0u);
}

} // namespace
