// The backends that tests run on, deterministic random numbers, and polynomials as values.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_BACKENDS_H
#define LATKEM_TESTS_BACKENDS_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/kernels/internals.h"
#include "harness/model/hex.h"
#include "kem_test.h"

extern "C" {
#include "arch/cpu.h"
}

inline std::vector<const lk_backend *> backends()
{
    std::vector<const lk_backend *> list;
    for (size_t i = 0; lk_backend_list(i) != nullptr; i++) list.push_back(lk_backend_list(i));
    return list;
}

// Those that are tested elsewhere: on an emulated CPU the portable backend, the first, which is tested natively. A program
// that is asked for some tests, as those of the small build are, has them all.
inline std::vector<const lk_backend *> tested_elsewhere()
{
    std::vector<const lk_backend *> list = backends();
    list.resize(emulated() && list.size() > 1 && GTEST_FLAG_GET(filter) == "*" ? 1 : 0);
    return list;
}

inline std::vector<const lk_backend *> tested_backends()
{
    std::vector<const lk_backend *> list = backends();
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(tested_elsewhere().size()));
    return list;
}

// That many random inputs, on an emulated CPU a fifth.
inline int draws(int count)
{
    return emulated() ? count / 5 : count;
}

// The step through all values or places: 1, on an emulated CPU another that is prime to their usual periods.
inline unsigned stride()
{
    return emulated() ? 7 : 1;
}

// The variants for other CPUs than this one that need no other instructions.
inline std::vector<const lk_backend *> variants_for_other_cpus()
{
    const std::vector<const lk_backend *> own = backends();
    std::vector<const lk_backend *> list;
    const uint32_t features = lk_cpu_features();
    for (uint32_t others : {features ^ LK_CPU_ARM_ROTATES, features ^ LK_CPU_ARM_IN_ORDER, features ^ LK_CPU_STEADY,
                            (features & ~static_cast<uint32_t>(LK_CPU_ZEN5)) ^ LK_CPU_HALVES, features ^ LK_CPU_ZEN5,
                            features & ~static_cast<uint32_t>(LK_CPU_ARM_AES)})
        for (size_t i = 0; const lk_backend *backend = lk_backend_list_for(others, i); i++)
            if (std::find(own.begin(), own.end(), backend) == own.end()) list.push_back(backend);
    return list;
}

// The kernels of a backend's families, given as members of lk_backend.
template <class... Family> std::vector<const void *> tables_of(const lk_backend &backend, Family... families)
{
    return {backend.*families...};
}

// Backends share tables of kernels; what is tested of a table alone is tested once. Of the list those that have tables of
// their own, which none before them has and none of the others.
template <class... Family>
std::vector<const lk_backend *> with_own(const std::vector<const lk_backend *> &list,
                                         const std::vector<const lk_backend *> &others, Family... families)
{
    std::set<std::vector<const void *>> seen;
    std::vector<const lk_backend *> own;
    for (const lk_backend *backend : others) seen.insert(tables_of(*backend, families...));
    for (const lk_backend *backend : list)
        if (seen.insert(tables_of(*backend, families...)).second) own.push_back(backend);
    return own;
}

inline void PrintTo(const lk_backend *backend, std::ostream *os)
{
    *os << backend->name;
}

inline std::string test_name(std::string name)
{
    for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

inline std::string backend_name(const testing::TestParamInfo<const lk_backend *> &info)
{
    return test_name(info.param->name);
}

inline std::string variant_name(const testing::TestParamInfo<const lk_backend *> &info)
{
    return backend_name(info) + "_variant_" + std::to_string(info.index);
}

#define LATKEM_FOR_EVERY_BACKEND(suite)                                                                                \
    INSTANTIATE_TEST_SUITE_P(Every, suite, testing::ValuesIn(tested_backends()), backend_name)

// For suites of the kernels of some families alone, as &lk_backend::cyclic.
#define LATKEM_FOR_EVERY_TABLE(suite, ...)                                                                             \
    INSTANTIATE_TEST_SUITE_P(Every, suite, testing::ValuesIn(with_own(backends(), tested_elsewhere(), __VA_ARGS__)),   \
                             backend_name)

// The same where variants of a backend differ.
#define LATKEM_FOR_EVERY_TABLE_AND_VARIANT(suite, ...)                                                                 \
    LATKEM_FOR_EVERY_TABLE(suite, __VA_ARGS__);                                                                        \
    INSTANTIATE_TEST_SUITE_P(OtherCpus, suite,                                                                         \
                             testing::ValuesIn(with_own(variants_for_other_cpus(), backends(), __VA_ARGS__)),          \
                             variant_name)

// For suites of kernels in which variants of a backend differ.
#define LATKEM_FOR_EVERY_VARIANT(suite)                                                                                \
    LATKEM_FOR_EVERY_BACKEND(suite);                                                                                   \
    INSTANTIATE_TEST_SUITE_P(OtherCpus, suite, testing::ValuesIn(variants_for_other_cpus()), variant_name)

// The same numbers in every run and on every platform.
class Random
{
  public:
    explicit Random(uint64_t seed) : engine_(seed)
    {
    }
    uint64_t word()
    {
        return engine_();
    }
    size_t below(size_t bound)
    {
        return static_cast<size_t>(engine_() % bound);
    }
    int between(int low, int high)
    {
        return low + static_cast<int>(below(static_cast<size_t>(high - low) + 1));
    }
    Bytes bytes(size_t length)
    {
        Bytes bytes(length);
        for (uint8_t &b : bytes) b = static_cast<uint8_t>(engine_());
        return bytes;
    }

  private:
    std::mt19937_64 engine_;
};

#endif
