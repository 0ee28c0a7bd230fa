// Runs each operation, or each kernel, once between two markers, and prints one line for each such section: its name.
// A recorder of the harness (qemu, stepping) writes down what is executed there; without one the markers do nothing.
//
// Usage: sections [timed] operations SET BACKEND SEEDS | sections [timed] kernels BACKEND | sections list. The last
// prints the sets, the backends and what is chosen on each core of the library's table and on others, one a line.
// BACKEND is a name, or NAME@CORE for the variant that is for such a core; on x86-64 CORE is the first four letters of
// the maker, the family and the model, as Auth-25-17. `sections which BACKEND` prints a number, the same for the same
// kernels. With `timed` each section runs many times, and
// the line has its cycles after the name. SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/kernels/calls.h"

extern "C" {
#include "arch/cpu.h"

__attribute__((noinline)) void latkem_section_begin()
{
    __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) void latkem_section_end()
{
    __asm__ volatile("" ::: "memory");
}
}

namespace
{

using Bytes = std::vector<uint8_t>;

using Clock = std::chrono::steady_clock;

bool timed;

template <class Run> double nanoseconds(Run &&run)
{
    const auto start = Clock::now();
    run();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Each addition waits for the one before: as many cycles as there are, but for the loop's end.
void add_in_turn(unsigned additions)
{
    for (unsigned i = 0, sum = 0; i < additions; i++) {
        sum += i;
        __asm__ volatile("" : "+r"(sum));
    }
}

// The least of many times, each of some 20 microseconds, in cycles of the clock that ran meanwhile. Disturbances only
// prolong a measurement.
template <class Run> double cycles_of(Run &&run)
{
    enum { ADDITIONS = 50000, ROUNDS = 300 };
    const double shortest = 2e4;
    const auto calls = static_cast<unsigned>(1 + shortest / std::min(nanoseconds(run), nanoseconds(run)));
    double least = 1e18, of_additions = 1e18;
    for (unsigned round = 0; round < ROUNDS; round++) {
        of_additions = std::min(of_additions, nanoseconds([] { add_in_turn(ADDITIONS); }));
        least = std::min(least, nanoseconds([&] {
                             for (unsigned i = 0; i < calls; i++) run();
                         }));
    }
    return least / calls * ADDITIONS / of_additions;
}

template <class Run> void section(const std::string &name, Run &&run)
{
    std::cout << name;
    if (timed) std::cout << ' ' << cycles_of(run);
    std::cout << '\n';
    if (timed) return;
    latkem_section_begin();
    run();
    latkem_section_end();
}

void require(int result)
{
    if (result != LATKEM_OK) throw std::runtime_error(latkem_strerror(result));
}

void operation(const char *name, const latkem_kem *kem, int result_of(const latkem_kem *))
{
    int result = LATKEM_OK;
    section(std::string("op/") + name + '/' + latkem_kem_name(kem) + '/' + latkem_backend_name(),
            [&] { result = result_of(kem); });
    require(result);
}

Bytes seed, coins, ek, dk, ct, ss, again;

void run_operations(const latkem_kem *kem, unsigned number)
{
    std::mt19937 generator(number);
    for (Bytes *bytes : {&seed, &coins})
        for (uint8_t &b : *bytes) b = static_cast<uint8_t>(generator());
    operation("keygen", kem, [](const latkem_kem *k) {
        return latkem_keypair_derand(k, ek.data(), dk.data(), seed.data(), seed.size());
    });
    operation("encaps", kem, [](const latkem_kem *k) {
        return latkem_encaps_derand(k, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size());
    });
    operation("decaps", kem, [](const latkem_kem *k) {
        return latkem_decaps(k, again.data(), ct.data(), ct.size(), dk.data(), dk.size());
    });
    if (ss != again) throw std::runtime_error("the shared secrets differ");
}

void count_operations(const char *set, unsigned seeds)
{
    const latkem_kem *kem = latkem_kem_find(set);
    if (!kem) throw std::runtime_error(std::string("no set ") + set);
    seed.resize(latkem_seed_bytes(kem)), coins.resize(latkem_coins_bytes(kem));
    ek.resize(latkem_ek_bytes(kem)), dk.resize(latkem_dk_bytes(kem)), ct.resize(latkem_ct_bytes(kem));
    ss.resize(latkem_ss_bytes(kem)), again.resize(latkem_ss_bytes(kem));
    for (unsigned number = 1; number <= seeds; number++) run_operations(kem, number);
}

void count_kernels()
{
    const lk_backend &backend = *lk_backend_current();
    const auto run = [&](const std::string &name, bool zero, auto call) {
        const auto pool = kernel_calls::make_pool(backend, zero);
        section(name, [&] { call(*pool, 0); });
    };
    kernel_calls::for_each_kernel_call(backend, run, [](const std::string &) {});
}

#if defined(__aarch64__)

const char *chosen_with(uint32_t features)
{
    const char *name = nullptr;
    for (size_t i = 0; const lk_backend *backend = lk_backend_list_for(features, i); i++) name = backend->name;
    return name;
}

const uint32_t without_sha3 = LK_CPU_NEON | LK_CPU_ARM_AES | LK_CPU_ARM_SHA2;

// Of cores in order the oldest lack the instructions for SHA-3, and so do those that are known for rotating alone.
uint32_t features_of(const lk_cpu_core &core)
{
    const std::set<std::string> in_order_with_sha3 = {"cortex-a510", "cortex-a520"};
    if (core.feature == LK_CPU_ARM_ROTATES) return without_sha3 | core.feature;
    if (core.feature == LK_CPU_ARM_IN_ORDER && in_order_with_sha3.count(core.name) == 0)
        return without_sha3 | core.feature;
    const uint32_t midr = core.implementer << 24 | core.part << 4;
    return lk_cpu_features_of(~0ul, &midr, 1);
}

void list_cores()
{
    for (size_t i = 0; const lk_cpu_core *core = lk_cpu_core_at(i); i++)
        std::cout << "core " << core->name << ' ' << chosen_with(features_of(*core)) << '\n';
    const uint32_t unknown = 0;
    std::cout << "core other " << chosen_with(without_sha3) << '\n';
    std::cout << "core other-sha3 " << chosen_with(lk_cpu_features_of(~0ul, &unknown, 1)) << '\n';
}

void use(const std::string &backend)
{
    const size_t at = backend.find('@');
    if (at == std::string::npos) return require(latkem_backend_use(backend.c_str()));
    for (size_t i = 0; const lk_cpu_core *core = lk_cpu_core_at(i); i++) {
        if (core->name != backend.substr(at + 1)) continue;
        for (size_t j = 0; const lk_backend *variant = lk_backend_list_for(features_of(*core), j); j++)
            if (variant->name == backend.substr(0, at)) return lk_backend_force(variant);
    }
    throw std::runtime_error("no backend " + backend);
}

#else

// The library's table of cores is asked by maker, family and model. Features that this machine lacks stay away.
uint32_t features_of(const std::string &core)
{
    std::smatch parts;
    if (!std::regex_match(core, parts, std::regex("([A-Za-z]{4})-([0-9]{1,3})-([0-9]{1,3})")))
        throw std::runtime_error("no core " + core);
    const std::string maker = parts[1];
    const auto family = static_cast<uint32_t>(std::stoul(parts[2])),
               model = static_cast<uint32_t>(std::stoul(parts[3]));
    const lk_cpuid_words all = {~0u, ~0u, ~0u, ~0u};
    const uint32_t letters = static_cast<uint32_t>(maker[0]) | static_cast<uint32_t>(maker[1]) << 8 |
                             static_cast<uint32_t>(maker[2]) << 16 | static_cast<uint32_t>(maker[3]) << 24;
    const unsigned most = 15; // of a family's first field
    const uint32_t of_family = family < most ? family << 8 : (family - most) << 20 | most << 8;
    const uint32_t signature = of_family | (model >> 4) << 16 | (model & 15) << 4;
    return lk_cpu_features_of(&all, letters, signature) &
           (lk_cpu_features() | LK_CPU_STEADY | LK_CPU_HALVES | LK_CPU_ZEN5);
}

void list_cores()
{
}

void use(const std::string &backend)
{
    const size_t at = backend.find('@');
    if (at == std::string::npos) return require(latkem_backend_use(backend.c_str()));
    const uint32_t features = features_of(backend.substr(at + 1));
    for (size_t i = 0; const lk_backend *variant = lk_backend_list_for(features, i); i++)
        if (variant->name == backend.substr(0, at)) return lk_backend_force(variant);
    throw std::runtime_error("no backend " + backend);
}

#endif

void list()
{
    for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++)
        std::cout << "set " << latkem_kem_name(kem) << '\n';
    for (size_t i = 0; const char *backend = latkem_backend_at(i); i++) std::cout << "backend " << backend << '\n';
    list_cores();
}

int run(std::vector<std::string> arguments)
{
    timed = !arguments.empty() && arguments[0] == "timed";
    if (timed) arguments.erase(arguments.begin());
    const std::string what = arguments.empty() ? "" : arguments[0];
    const bool operations = what == "operations" && arguments.size() == 4;
    const bool kernels = what == "kernels" && arguments.size() == 2, which = what == "which" && arguments.size() == 2;
    if (operations || kernels || which) use(arguments[operations ? 2 : 1]);
    if (operations)
        count_operations(arguments[1].c_str(), static_cast<unsigned>(std::stoul(arguments[3])));
    else if (kernels)
        count_kernels();
    else if (what == "list")
        list();
    else if (which)
        std::cout << reinterpret_cast<uintptr_t>(lk_backend_current()) << '\n';
    else
        return 2;
    return 0;
}

} // namespace

int main(int argc, char **argv)
try {
    return run({argv + 1, argv + argc});
} catch (const std::exception &error) {
    std::cerr << "sections: " << error.what() << '\n';
    return 1;
}
