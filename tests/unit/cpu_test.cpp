// What is taken from a CPU's answers, and which kernels a CPU gets: for CPUs that tests do not run on too, and against the
// compiler options of the files behind each feature.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "backends.h"

extern "C" {
#include "arch/cpu.h"
}

namespace
{

using Features = uint32_t;

std::map<std::string, const lk_backend *> list_for(Features features)
{
    std::map<std::string, const lk_backend *> list;
    for (size_t i = 0; const lk_backend *backend = lk_backend_list_for(features, i); i++) list[backend->name] = backend;
    return list;
}

#if defined(__x86_64__) || defined(__aarch64__)

// The symmetric kernels that need instructions of their own.
struct Symmetric {
    const void *aes, *sha256, *sha512;
};

Symmetric symmetric_of(const lk_backend *backend)
{
    return {reinterpret_cast<const void *>(backend->symmetric.aes->ctr),
            reinterpret_cast<const void *>(backend->symmetric.sha2->sha256_compress),
            reinterpret_cast<const void *>(backend->symmetric.sha2->sha512_compress)};
}

std::vector<Features> subsets(const std::vector<Features> &all)
{
    std::vector<Features> list = {0};
    for (Features one : all)
        for (size_t i = list.size(); i-- > 0;) list.push_back(list[i] | one);
    return list;
}

#endif

TEST(Select, NothingNeedsMoreThanTheFeatures)
{
    EXPECT_EQ(list_for(0).size(), 1u);
    for (Features features = ~Features{0}; features != 0; features >>= 1)
        for (const auto &[name, backend] : list_for(features)) EXPECT_EQ(backend->needs & ~features, 0u) << name;
}

TEST(Select, TheListOfThisCpuIsThatOfItsFeatures)
{
    for (size_t i = 0; lk_backend_list(i) != nullptr; i++)
        EXPECT_EQ(lk_backend_list(i), lk_backend_list_for(lk_cpu_features(), i));
    EXPECT_EQ(lk_backend_list_for(lk_cpu_features(), backends().size()), nullptr);
}

#if defined(__x86_64__)

const std::vector<Features> all_x86 = {LK_CPU_AVX2, LK_CPU_AVX512, LK_CPU_AESNI, LK_CPU_VAES, LK_CPU_SHANI};

// Each backend is there if its instructions are, and has AES and SHA-256 by the best that there is, and no other.
TEST(Select, EverySetOfX86Features)
{
    const auto all = list_for(~Features{0});
    if (all.size() != 3) GTEST_SKIP() << "skipped: this build lacks a backend";
    const Symmetric portable = symmetric_of(all.at("portable")), avx2 = symmetric_of(all.at("avx2")),
                    avx512 = symmetric_of(all.at("avx512"));
    ASSERT_EQ((std::set<const void *>{portable.aes, avx2.aes, avx512.aes}).size(), 3u);
    ASSERT_NE(portable.sha256, avx2.sha256);
    for (Features features : subsets(all_x86)) {
        const auto list = list_for(features);
        const void *sha256 = features & LK_CPU_SHANI ? avx2.sha256 : portable.sha256;
        const void *aes = features & LK_CPU_AESNI ? avx2.aes : portable.aes;
        ASSERT_EQ(list.count("portable"), 1u);
        ASSERT_EQ(list.count("avx2"), features & LK_CPU_AVX2 ? 1u : 0u) << features;
        ASSERT_EQ(list.count("avx512"), features & LK_CPU_AVX2 && features & LK_CPU_AVX512 ? 1u : 0u) << features;
        for (const auto &[name, backend] : list) {
            const Symmetric kernels = symmetric_of(backend);
            const bool native = name != "portable", vaes = name == "avx512" && features & LK_CPU_VAES;
            EXPECT_EQ(kernels.aes, vaes ? avx512.aes : native ? aes : portable.aes) << name << ", " << features;
            EXPECT_EQ(kernels.sha256, native ? sha256 : portable.sha256) << name << ", " << features;
        }
    }
}

// The better backend comes later, for the last is the default.
TEST(Select, Avx512ComesAfterAvx2)
{
    const Features both = LK_CPU_AVX2 | LK_CPU_AVX512;
    if (list_for(both).size() != 3) GTEST_SKIP() << "skipped: this build lacks a backend";
    EXPECT_STREQ(lk_backend_list_for(both, 1)->name, "avx2");
    EXPECT_STREQ(lk_backend_list_for(both, 2)->name, "avx512");
    EXPECT_EQ(lk_backend_list_for(both, 3), nullptr);
}

// ---- CPUID ----

constexpr uint32_t bit(unsigned number)
{
    return uint32_t{1} << number;
}

constexpr lk_cpuid_words everything = {~0u, ~0u, ~0u, ~0u};

lk_cpuid_words without(const lk_cpuid_words &bits)
{
    return {~bits.leaf1_ecx, ~bits.leaf7_ebx, ~bits.leaf7_ecx, ~bits.xcr0};
}

Features features_without(const lk_cpuid_words &bits)
{
    const lk_cpuid_words cpu = without(bits);
    return lk_cpu_features_of(&cpu);
}

TEST(Cpuid, EverythingAndNothing)
{
    const lk_cpuid_words nothing = {};
    EXPECT_EQ(lk_cpu_features_of(&nothing), 0u);
    EXPECT_EQ(lk_cpu_features_of(&everything),
              Features{LK_CPU_AVX2 | LK_CPU_AVX512 | LK_CPU_AESNI | LK_CPU_VAES | LK_CPU_SHANI});
}

// XMM and YMM registers, then mask registers, the upper halves of ZMM0 to ZMM15 and the other ZMM registers: each has a bit
// of its own in XCR0, and the system may save some and not the others.
TEST(Cpuid, RegistersThatTheSystemDoesNotSave)
{
    const Features xmm = LK_CPU_AESNI | LK_CPU_SHANI, ymm = xmm | LK_CPU_AVX2 | LK_CPU_VAES;
    for (unsigned number : {1u, 2u}) EXPECT_EQ(features_without({0, 0, 0, bit(number)}), xmm) << "bit " << number;
    for (unsigned number : {5u, 6u, 7u}) EXPECT_EQ(features_without({0, 0, 0, bit(number)}), ymm) << "bit " << number;
    EXPECT_EQ(features_without({0, 0, 0, ~0u}), xmm);
    EXPECT_EQ(features_without({bit(27), 0, 0, ~0u}), xmm);
}

// A CPU of the first generation with AVX2, and one with AVX-512 but without VBMI2 (Skylake-X).
TEST(Cpuid, OlderCpus)
{
    const lk_cpuid_words haswell = {0x7ffafbff, 0x000027ab, 0, 0x07};
    EXPECT_EQ(lk_cpu_features_of(&haswell), Features{LK_CPU_AVX2 | LK_CPU_AESNI});
    const lk_cpuid_words skylake_x = {0x7ffefbff, 0xd39ffffb, 0, 0xe7};
    EXPECT_EQ(lk_cpu_features_of(&skylake_x), Features{LK_CPU_AVX2 | LK_CPU_AESNI});
}

// ---- Compiler options ----

// A source of a backend and the macros that its options add: the instruction sets that compilers may use for it.
struct CompiledFile {
    std::string name;
    std::set<std::string> macros;
};

const std::vector<CompiledFile> compiled_files = {
#include "compiled_for.inc"
};

// What must be asked for before code that may use an instruction set is entered.
const std::map<std::string, lk_cpuid_words> instruction_sets = {
    {"__SSE3__", {bit(0), 0, 0, 0}},          {"__SSSE3__", {bit(9), 0, 0, 0}},
    {"__SSE4_1__", {bit(19), 0, 0, 0}},       {"__SSE4_2__", {bit(20), 0, 0, 0}},
    {"__CRC32__", {bit(20), 0, 0, 0}},        {"__PCLMUL__", {bit(1), 0, 0, 0}},
    {"__FMA__", {bit(12), 0, 0, 0}},          {"__MOVBE__", {bit(22), 0, 0, 0}},
    {"__POPCNT__", {bit(23), 0, 0, 0}},       {"__AES__", {bit(25), 0, 0, 0}},
    {"__XSAVE__", {bit(26), 0, 0, 0}},        {"__AVX__", {bit(28), 0, 0, 0}},
    {"__F16C__", {bit(29), 0, 0, 0}},         {"__BMI__", {0, bit(3), 0, 0}},
    {"__AVX2__", {0, bit(5), 0, 0}},          {"__BMI2__", {0, bit(8), 0, 0}},
    {"__AVX512F__", {0, bit(16), 0, 0}},      {"__AVX512DQ__", {0, bit(17), 0, 0}},
    {"__ADX__", {0, bit(19), 0, 0}},          {"__AVX512IFMA__", {0, bit(21), 0, 0}},
    {"__AVX512CD__", {0, bit(28), 0, 0}},     {"__SHA__", {0, bit(29), 0, 0}},
    {"__AVX512BW__", {0, bit(30), 0, 0}},     {"__AVX512VL__", {0, bit(31), 0, 0}},
    {"__AVX512VBMI__", {0, 0, bit(1), 0}},    {"__AVX512VBMI2__", {0, 0, bit(6), 0}},
    {"__GFNI__", {0, 0, bit(8), 0}},          {"__VAES__", {0, 0, bit(9), 0}},
    {"__VPCLMULQDQ__", {0, 0, bit(10), 0}},   {"__AVX512VNNI__", {0, 0, bit(11), 0}},
    {"__AVX512BITALG__", {0, 0, bit(12), 0}}, {"__AVX512VPOPCNTDQ__", {0, 0, bit(14), 0}},
};

// Consequences that are no instruction set.
const std::set<std::string> other_macros = {"__BIGGEST_ALIGNMENT__", "__EVEX256__", "__EVEX512__"};

// The features behind which the functions of a file stand.
Features gate_of(const std::string &name)
{
    const auto ends_in = [&name](const std::string &end) {
        return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    Features gate = LK_CPU_AVX2;
    if (name.find("/avx512/") != std::string::npos) gate |= LK_CPU_AVX512;
    if (ends_in("avx2/aes.c")) gate |= LK_CPU_AESNI;
    if (ends_in("avx512/aes.c")) gate |= LK_CPU_VAES;
    if (ends_in("sha2.c")) gate |= LK_CPU_SHANI;
    return gate;
}

TEST(Cpuid, EveryInstructionSetThatAFileMayUseIsAskedFor)
{
    if (compiled_files.empty()) GTEST_SKIP() << "skipped: no file of this build is compiled with options of its own";
    for (const CompiledFile &file : compiled_files)
        for (const std::string &macro : file.macros) {
            if (other_macros.count(macro)) continue;
            ASSERT_EQ(instruction_sets.count(macro), 1u) << "nothing is known about " << macro << " of " << file.name;
            const Features left = features_without(instruction_sets.at(macro));
            EXPECT_NE(gate_of(file.name) & ~left, 0u) << file.name << " is entered without " << macro;
        }
}

#endif

#if defined(__aarch64__)

TEST(Select, EverySetOfArmFeatures)
{
    const auto all = list_for(~Features{0});
    if (all.size() != 3) GTEST_SKIP() << "skipped: this build lacks a backend";
    const Symmetric portable = symmetric_of(all.at("portable")), neon = symmetric_of(all.at("neon")),
                    sha3 = symmetric_of(all.at("neon-sha3"));
    ASSERT_NE(portable.aes, neon.aes);
    ASSERT_NE(portable.sha256, neon.sha256);
    ASSERT_NE(portable.sha512, sha3.sha512);
    for (Features features : subsets({LK_CPU_NEON, LK_CPU_ARM_AES, LK_CPU_ARM_SHA2, LK_CPU_ARM_SHA3})) {
        const auto list = list_for(features);
        ASSERT_EQ(list.count("neon"), features & LK_CPU_NEON ? 1u : 0u) << features;
        ASSERT_EQ(list.count("neon-sha3"), features & LK_CPU_NEON && features & LK_CPU_ARM_SHA3 ? 1u : 0u) << features;
        for (const auto &[name, backend] : list) {
            const Symmetric kernels = symmetric_of(backend);
            const bool native = name != "portable";
            EXPECT_EQ(kernels.aes, native && features & LK_CPU_ARM_AES ? neon.aes : portable.aes) << name;
            EXPECT_EQ(kernels.sha256, native && features & LK_CPU_ARM_SHA2 ? neon.sha256 : portable.sha256) << name;
            EXPECT_EQ(kernels.sha512, name == "neon-sha3" ? sha3.sha512 : portable.sha512) << name;
        }
    }
}

TEST(Select, Sha3ComesAfterNeon)
{
    const Features both = LK_CPU_NEON | LK_CPU_ARM_SHA3;
    if (list_for(both).size() != 3) GTEST_SKIP() << "skipped: this build lacks a backend";
    EXPECT_STREQ(lk_backend_list_for(both, 1)->name, "neon");
    EXPECT_STREQ(lk_backend_list_for(both, 2)->name, "neon-sha3");
}

#if defined(__linux__)

// Each bit of HWCAP alone and each alone missing; one feature takes two.
TEST(Hwcap, EachBit)
{
    const std::map<unsigned, Features> alone = {{1, LK_CPU_NEON}, {3, LK_CPU_ARM_AES}, {6, LK_CPU_ARM_SHA2}};
    const std::map<unsigned, Features> missing = {
        {1, LK_CPU_NEON}, {3, LK_CPU_ARM_AES}, {6, LK_CPU_ARM_SHA2}, {17, LK_CPU_ARM_SHA3}, {21, LK_CPU_ARM_SHA3}};
    const Features all = LK_CPU_NEON | LK_CPU_ARM_AES | LK_CPU_ARM_SHA2 | LK_CPU_ARM_SHA3;
    for (unsigned number = 0; number < 32; number++) {
        const unsigned long one = 1ul << number;
        EXPECT_EQ(lk_cpu_features_of(one), alone.count(number) ? alone.at(number) : 0u) << "bit " << number;
        EXPECT_EQ(lk_cpu_features_of(~one), missing.count(number) ? all & ~missing.at(number) : all)
            << "bit " << number;
    }
}

#endif

#endif

} // namespace
