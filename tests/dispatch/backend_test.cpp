// The list of backends and the choice among them: each name leads to that backend's own tables, and no table has a gap.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/backend.h>
#include <latkem/latkem.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/kernels/list.h"

extern "C" {
#include "arch/cpu.h"
}

namespace
{

size_t backend_count()
{
    size_t count = 0;
    while (lk_backend_list(count) != nullptr) count++;
    return count;
}

class Backends : public testing::Test
{
  protected:
    void TearDown() override
    {
        EXPECT_EQ(latkem_backend_use(nullptr), LATKEM_OK);
    }
};

TEST_F(Backends, PortableIsTheFirst)
{
    ASSERT_GE(backend_count(), 1u);
    EXPECT_STREQ(lk_backend_list(0)->name, "portable");
}

TEST_F(Backends, NamesAreListedAndDistinct)
{
    std::set<std::string> names;
    for (size_t i = 0; i < backend_count(); i++) {
        EXPECT_STREQ(latkem_backend_at(i), lk_backend_list(i)->name);
        names.insert(lk_backend_list(i)->name);
    }
    EXPECT_EQ(latkem_backend_at(backend_count()), nullptr);
    EXPECT_EQ(names.size(), backend_count());
}

TEST_F(Backends, ANameLeadsToItsOwnTables)
{
    for (size_t i = 0; i < backend_count(); i++) {
        const lk_backend *listed = lk_backend_list(i);
        ASSERT_EQ(latkem_backend_use(listed->name), LATKEM_OK);
        EXPECT_EQ(lk_backend_current(), listed);
        EXPECT_STREQ(latkem_backend_name(), listed->name);
    }
}

TEST_F(Backends, TheLastIsTheDefault)
{
    ASSERT_EQ(latkem_backend_use("portable"), LATKEM_OK);
    ASSERT_EQ(latkem_backend_use(nullptr), LATKEM_OK);
    EXPECT_EQ(lk_backend_current(), lk_backend_list(backend_count() - 1));
}

TEST_F(Backends, AnUnknownNameChangesNothing)
{
    for (size_t i = 0; i < backend_count(); i++) {
        ASSERT_EQ(latkem_backend_use(lk_backend_list(i)->name), LATKEM_OK);
        for (const char *name : {"", "Portable", "portable ", "portabl", "sse9"})
            EXPECT_EQ(latkem_backend_use(name), LATKEM_ERR_BACKEND) << name;
        EXPECT_EQ(lk_backend_current(), lk_backend_list(i));
    }
}

TEST_F(Backends, AForcedBackendIsInForceUntilTheNextChoice)
{
    lk_backend own = *lk_backend_list(0);
    own.name = "own";
    lk_backend_force(&own);
    EXPECT_EQ(lk_backend_current(), &own);
    EXPECT_STREQ(latkem_backend_name(), "own");
    EXPECT_EQ(latkem_backend_use("own"), LATKEM_ERR_BACKEND);
    lk_backend_force(nullptr);
    EXPECT_EQ(lk_backend_current(), lk_backend_list(backend_count() - 1));
}

TEST_F(Backends, EveryKernelIsThere)
{
    const std::set<std::string> may_be_null = {
        "rej_uniform_lanes_vartime", "ntt_order",    "lift_inverse", "square_of_bits", "decode_d12_mac",
        "rej_uniform_mac_vartime",   "cbd_eta2_add", "add_product",  "multiply"};
    for (size_t i = 0; i < backend_count(); i++) {
        lk_backend backend = *lk_backend_list(i);
        for_each_kernel([&](auto family, auto kernel) {
            if (may_be_null.count(kernel.name)) return;
            EXPECT_NE(family.in(backend)->*kernel.member, nullptr) << backend.name << ": " << kernel.name;
        });
    }
}

// Which backends are listed follows from the features of the CPU.
TEST_F(Backends, TheListFitsTheCpu)
{
    const uint32_t features = lk_cpu_features();
    const bool wide = sizeof(void *) == 8; // there is no backend for 32-bit x86
    std::vector<std::string> expected = {"portable"}, listed;
    if (wide && features & LK_CPU_AVX2) expected.push_back("avx2");
    if (wide && features & LK_CPU_AVX512) expected.push_back("avx512");
    if (features & LK_CPU_NEON) expected.push_back("neon");
    if (features & LK_CPU_ARM_SHA3) {
        // The one that the cores are known for is the last.
        std::vector<std::string> sha3 = {"neon-sha3-quarter", "neon-sha3-half", "neon-sha3-full", "neon-sha3"};
        const uint32_t pipes[] = {LK_CPU_ARM_SHA3_QUARTER, LK_CPU_ARM_SHA3_HALF, LK_CPU_ARM_SHA3_FULL};
        for (size_t i = 0; i < 3; i++)
            if (features & pipes[i]) std::rotate(sha3.begin() + i, sha3.begin() + i + 1, sha3.end());
        expected.insert(expected.end(), sha3.begin(), sha3.end());
    }
    for (size_t i = 0; i < backend_count(); i++) listed.push_back(lk_backend_list(i)->name);
    EXPECT_EQ(listed, expected);
}

#if defined(__aarch64__)
// The features that QEMU gives the CPUs it emulates. That they are found is what all else here builds on.
TEST_F(Backends, FeaturesOfEmulatedCpus)
{
    const uint32_t v8 = LK_CPU_NEON | LK_CPU_ARM_AES | LK_CPU_ARM_SHA2;
    const std::map<std::string, uint32_t> expected = {
        {"cortex-a53", v8}, {"cortex-a72", v8}, {"neoverse-n1", v8}, {"max", v8 | LK_CPU_ARM_SHA3}};
    const char *cpu = std::getenv("QEMU_CPU");
    if (!cpu || expected.count(cpu) == 0) GTEST_SKIP() << "skipped: QEMU_CPU names no CPU whose features are known";
    const uint32_t of_cores = LK_CPU_ARM_ROTATES | LK_CPU_ARM_IN_ORDER;
    EXPECT_EQ(lk_cpu_features() & ~of_cores, expected.at(cpu));
    const std::map<std::string, uint32_t> kinds = {{"cortex-a53", LK_CPU_ARM_IN_ORDER},
                                                   {"neoverse-n1", LK_CPU_ARM_ROTATES}};
    EXPECT_EQ(lk_cpu_features() & of_cores, kinds.count(cpu) ? kinds.at(cpu) : 0u);
}
#endif

// The symmetric kernels that each backend has of its own on this CPU.
TEST_F(Backends, NativeKernels)
{
    using Names = std::set<std::string>;
    const uint32_t features = lk_cpu_features();
    const Names keccak = {"keccak.permute", "keccak.absorb_seed", "keccak.absorb", "keccak.squeeze"};
    Names x86 = keccak, neon = keccak;
    if (features & LK_CPU_AESNI) x86.insert({"aes.expand_key", "aes.ctr"});
    if (features & LK_CPU_SHANI) x86.insert("sha2.sha256_compress");
    if (features & LK_CPU_ARM_AES) neon.insert({"aes.expand_key", "aes.ctr"});
    if (features & LK_CPU_ARM_SHA2) neon.insert("sha2.sha256_compress");
    Names sha3 = neon;
    sha3.insert("sha2.sha512_compress");
    const std::map<std::string, Names> expected = {{"portable", {}},         {"avx2", x86},
                                                   {"avx512", x86},          {"neon", neon},
                                                   {"neon-sha3", sha3},      {"neon-sha3-full", sha3},
                                                   {"neon-sha3-half", sha3}, {"neon-sha3-quarter", sha3}};
    for (size_t i = 0; i < backend_count(); i++) {
        lk_backend portable = *lk_backend_list(0), backend = *lk_backend_list(i);
        Names native;
        for_each_kernel([&](auto family, auto kernel) {
            if (std::set<std::string>{"keccak", "aes", "sha2"}.count(family.name) == 0) return;
            if (family.in(backend)->*kernel.member != family.in(portable)->*kernel.member)
                native.insert(std::string(family.name) + "." + kernel.name);
        });
        ASSERT_EQ(expected.count(backend.name), 1u) << "no list for " << backend.name;
        EXPECT_EQ(native, expected.at(backend.name)) << backend.name;
    }
}

// AES with VAES is another kernel than AES with AES-NI.
TEST_F(Backends, Avx512TakesVaes)
{
    const lk_backend *avx2 = nullptr, *avx512 = nullptr;
    for (size_t i = 0; i < backend_count(); i++) {
        if (std::string("avx2") == lk_backend_list(i)->name) avx2 = lk_backend_list(i);
        if (std::string("avx512") == lk_backend_list(i)->name) avx512 = lk_backend_list(i);
    }
    if (!avx512 || !(lk_cpu_features() & LK_CPU_VAES)) GTEST_SKIP() << "skipped: this CPU has no AVX-512 or no VAES";
    ASSERT_NE(avx2, nullptr);
    EXPECT_NE(avx512->symmetric.aes->ctr, avx2->symmetric.aes->ctr);
}

// The public list has the kernels of the tables in their order. "none" is NULL, and "portable" the portable kernel
// itself; that "recompiled" is true shows in the objects (origins.py).
TEST_F(Backends, OriginsAreThoseOfTheTables)
{
    for (size_t i = 0; i < backend_count(); i++) {
        lk_backend portable = *lk_backend_list(0), backend = *lk_backend_list(i);
        size_t index = 0;
        for_each_kernel([&](auto family, auto kernel) {
            const std::string name = std::string(family.name) + "/" + kernel.name;
            ASSERT_STREQ(latkem_kernel_at(index), name.c_str());
            const std::string origin = latkem_kernel_origin(index++, backend.name);
            const auto own = family.in(backend)->*kernel.member;
            const bool shared = own == family.in(portable)->*kernel.member;
            EXPECT_EQ(origin == "none", own == nullptr) << backend.name << ": " << name;
            EXPECT_EQ(origin == "portable", own != nullptr && shared) << backend.name << ": " << name;
            EXPECT_EQ(origin == "native" || origin == "recompiled", !shared) << backend.name << ": " << name;
        });
        EXPECT_EQ(latkem_kernel_at(index), nullptr);
        EXPECT_EQ(latkem_kernel_origin(index, backend.name), nullptr);
    }
    EXPECT_EQ(latkem_kernel_origin(0, "sse9"), nullptr);
    EXPECT_EQ(latkem_kernel_origin(0, nullptr), nullptr);
}

// A backend that differs from another in no kernel is a name without substance.
TEST_F(Backends, EachIsDifferent)
{
    for (size_t i = 0; i < backend_count(); i++)
        for (size_t j = 0; j < i; j++) {
            lk_backend a = *lk_backend_list(i), b = *lk_backend_list(j);
            size_t different = 0;
            for_each_kernel([&](auto family, auto kernel) {
                different += family.in(a)->*kernel.member != family.in(b)->*kernel.member;
            });
            EXPECT_GT(different, 0u) << a.name << " is " << b.name;
        }
}

} // namespace
