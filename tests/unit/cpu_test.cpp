// The features read from a CPU's answers, and the kernels that a CPU gets: for CPUs that tests do not run on too, and
// against the compiler options of the files behind each feature. SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#include <unistd.h>
#endif

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

// The better backend comes later, because the last is the default.
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

// The first letters of "GenuineIntel" and "AuthenticAMD", as CPUID gives them.
constexpr uint32_t intel = 0x756e6547, amd = 0x68747541;

constexpr lk_cpuid_words everything = {~0u, ~0u, ~0u, ~0u};

lk_cpuid_words without(const lk_cpuid_words &bits)
{
    return {~bits.leaf1_ecx, ~bits.leaf7_ebx, ~bits.leaf7_ecx, ~bits.xcr0};
}

Features features_without(const lk_cpuid_words &bits)
{
    const lk_cpuid_words cpu = without(bits);
    return lk_cpu_features_of(&cpu, intel, 0);
}

TEST(Cpuid, EverythingAndNothing)
{
    const lk_cpuid_words nothing = {};
    EXPECT_EQ(lk_cpu_features_of(&nothing, intel, 0), 0u);
    EXPECT_EQ(lk_cpu_features_of(&everything, intel, 0),
              Features{LK_CPU_AVX2 | LK_CPU_AVX512 | LK_CPU_AESNI | LK_CPU_VAES | LK_CPU_SHANI});
}

// Multiplications in 512-bit registers are for the maker of CPUs that do not slow down for them.
TEST(Cpuid, SteadyByMaker)
{
    EXPECT_EQ(lk_cpu_features_of(&everything, amd, 0), lk_cpu_features_of(&everything, intel, 0) | LK_CPU_STEADY);
    EXPECT_EQ(lk_cpu_features_of(&everything, 0, 0), lk_cpu_features_of(&everything, intel, 0));
}

// Signatures of CPUs that were sold, as CPUID gives them.
TEST(Cpuid, TwoPassesByFamilyAndModel)
{
    const auto halves = [](uint32_t maker, uint32_t signature) {
        return (lk_cpu_features_of(&everything, maker, signature) & LK_CPU_HALVES) != 0;
    };
    for (uint32_t zen4 : {0x00A10F11u, 0x00A10F81u, 0x00A60F12u, 0x00A70F41u, 0x00AA0F02u}) {
        EXPECT_TRUE(halves(amd, zen4)) << std::hex << zen4;
        EXPECT_FALSE(halves(intel, zen4)) << std::hex << zen4;
    }
    // Zen 3 of a server and of a desktop, Zen 2, Zen 5 of both
    for (uint32_t other : {0x00A00F11u, 0x00A20F12u, 0x00A50F00u, 0x00830F10u, 0x00B00F21u, 0x00B40F40u})
        EXPECT_FALSE(halves(amd, other)) << std::hex << other;
    // Skylake-X, Ice Lake, Sapphire Rapids
    for (uint32_t other : {0x00050654u, 0x000606A6u, 0x000806F8u})
        EXPECT_FALSE(halves(intel, other)) << std::hex << other;
}

TEST(Cpuid, Zen5ByFamilyAndModel)
{
    const auto zen5 = [](uint32_t maker, uint32_t signature) {
        return (lk_cpu_features_of(&everything, maker, signature) & LK_CPU_ZEN5) != 0;
    };
    for (uint32_t of_servers_and_desktops : {0x00B00F21u, 0x00B00F81u, 0x00B10F10u, 0x00B40F40u}) {
        EXPECT_TRUE(zen5(amd, of_servers_and_desktops)) << std::hex << of_servers_and_desktops;
        EXPECT_FALSE(zen5(intel, of_servers_and_desktops)) << std::hex << of_servers_and_desktops;
    }
    // Zen 5 of laptops, Zen 4, Zen 3
    for (uint32_t other : {0x00B20F40u, 0x00B60F00u, 0x00A10F11u, 0x00A60F12u, 0x00A00F11u})
        EXPECT_FALSE(zen5(amd, other)) << std::hex << other;
}

// A CPU of each kind gets the variant of avx512 for it.
TEST(Select, Avx512ByCore)
{
    const Features plain = lk_cpu_features_of(&everything, intel, 0x000806F8);
    const Features whole = lk_cpu_features_of(&everything, amd, 0x00B20F40);
    const Features zen5 = lk_cpu_features_of(&everything, amd, 0x00B00F21);
    const Features halves = lk_cpu_features_of(&everything, amd, 0x00A10F11);
    if (list_for(plain).size() != 3) GTEST_SKIP() << "skipped: this build lacks a backend";
    const auto of = [](Features features) { return *list_for(features).at("avx512"); };
    EXPECT_NE(of(plain).q3329, of(whole).q3329);
    EXPECT_EQ(of(plain).symmetric.keccak, of(whole).symmetric.keccak);
    EXPECT_EQ(of(whole).q3329, of(halves).q3329);
    EXPECT_NE(of(whole).symmetric.keccak, of(halves).symmetric.keccak);
    EXPECT_NE(of(zen5).symmetric.keccak, of(whole).symmetric.keccak);
    EXPECT_NE(of(zen5).symmetric.keccak, of(halves).symmetric.keccak);
    EXPECT_EQ(of(zen5).q3329, of(whole).q3329);
    EXPECT_EQ(of(zen5).cyclic, of(whole).cyclic);
    // Of NTRU's kernels the faster ones of both backends.
    const lk_backend avx2 = *list_for(halves).at("avx2");
    EXPECT_EQ(of(halves).cyclic->evaluate, avx2.cyclic->evaluate);
    EXPECT_EQ(of(halves).cyclic->product, avx2.cyclic->product);
    EXPECT_EQ(of(halves).cyclic->invert_mod2, of(whole).cyclic->invert_mod2);
    EXPECT_EQ(of(halves).ternary->sort, avx2.ternary->sort);
    EXPECT_EQ(of(halves).ternary->invert, of(whole).ternary->invert);
    EXPECT_NE(of(whole).cyclic->product, avx2.cyclic->product);
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
    EXPECT_EQ(lk_cpu_features_of(&haswell, intel, 0), Features{LK_CPU_AVX2 | LK_CPU_AESNI});
    const lk_cpuid_words skylake_x = {0x7ffefbff, 0xd39ffffb, 0, 0xe7};
    EXPECT_EQ(lk_cpu_features_of(&skylake_x, intel, 0), Features{LK_CPU_AVX2 | LK_CPU_AESNI});
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

// The features to ask for before code that may use an instruction set is entered.
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

// The features that the functions of a file need.
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

const Features sha3_pipes[] = {0, LK_CPU_ARM_SHA3_FULL, LK_CPU_ARM_SHA3_HALF, LK_CPU_ARM_SHA3_QUARTER};
const std::set<std::string> sha3_backends = {"neon-sha3", "neon-sha3-full", "neon-sha3-half", "neon-sha3-quarter"};

TEST(Select, EverySetOfArmFeatures)
{
    const auto all = list_for(~Features{0});
    if (all.size() != 6) GTEST_SKIP() << "skipped: this build lacks a backend";
    const Symmetric portable = symmetric_of(all.at("portable")), neon = symmetric_of(all.at("neon")),
                    sha3 = symmetric_of(all.at("neon-sha3"));
    ASSERT_NE(portable.aes, neon.aes);
    ASSERT_NE(portable.sha256, neon.sha256);
    ASSERT_NE(portable.sha512, sha3.sha512);
    for (Features features : subsets({LK_CPU_NEON, LK_CPU_ARM_AES, LK_CPU_ARM_SHA2, LK_CPU_ARM_SHA3})) {
        const auto list = list_for(features);
        const bool has_sha3 = features & LK_CPU_NEON && features & LK_CPU_ARM_SHA3;
        ASSERT_EQ(list.count("neon"), features & LK_CPU_NEON ? 1u : 0u) << features;
        for (const std::string &name : sha3_backends) ASSERT_EQ(list.count(name), has_sha3 ? 1u : 0u) << features;
        for (const auto &[name, backend] : list) {
            const Symmetric kernels = symmetric_of(backend);
            const bool native = name != "portable";
            EXPECT_EQ(kernels.aes, native && features & LK_CPU_ARM_AES ? neon.aes : portable.aes) << name;
            EXPECT_EQ(kernels.sha256, native && features & LK_CPU_ARM_SHA2 ? neon.sha256 : portable.sha256) << name;
            EXPECT_EQ(kernels.sha512, sha3_backends.count(name) ? sha3.sha512 : portable.sha512) << name;
            // Products without carries come with AES.
            const bool lifts = backend->cyclic && backend->cyclic->lift_inverse;
            EXPECT_EQ(lifts, backend->cyclic && native && features & LK_CPU_ARM_AES) << name << " " << features;
        }
    }
}

// The backend that a CPU with these features gets.
std::string chosen(Features features)
{
    std::string name;
    for (size_t i = 0; const lk_backend *backend = lk_backend_list_for(features, i); i++) name = backend->name;
    return name;
}

// The pipes decide which backend comes last, not which there are.
TEST(Select, ThePipesDecideTheLast)
{
    const Features neon = LK_CPU_NEON, sha3 = neon | LK_CPU_ARM_SHA3;
    if (list_for(~Features{0}).size() != 6) GTEST_SKIP() << "skipped: this build lacks a backend";
    EXPECT_EQ(chosen(neon), "neon");
    EXPECT_EQ(chosen(sha3), "neon-sha3");
    EXPECT_EQ(chosen(sha3 | LK_CPU_ARM_SHA3_FULL), "neon-sha3-full");
    EXPECT_EQ(chosen(sha3 | LK_CPU_ARM_SHA3_HALF), "neon-sha3-half");
    EXPECT_EQ(chosen(sha3 | LK_CPU_ARM_SHA3_QUARTER), "neon-sha3-quarter");
    for (Features pipes : sha3_pipes) {
        EXPECT_EQ(list_for(sha3 | pipes), list_for(sha3)) << pipes;
        EXPECT_STREQ(lk_backend_list_for(sha3 | pipes, 0)->name, "portable");
        EXPECT_STREQ(lk_backend_list_for(sha3 | pipes, 1)->name, "neon");
        EXPECT_EQ(lk_backend_list_for(sha3 | pipes, 6), nullptr);
    }
}

#if defined(__linux__)

constexpr unsigned long all_caps = ~0ul, sha3_caps = 1ul << 17 | 1ul << 21;

Features features_of(unsigned long caps, const std::vector<uint32_t> &midrs)
{
    return lk_cpu_features_of(caps, midrs.data(), midrs.size());
}

// Each bit of HWCAP alone and each alone missing; two features take two each.
TEST(Hwcap, EachBit)
{
    const std::map<unsigned, Features> alone = {{1, LK_CPU_NEON}, {6, LK_CPU_ARM_SHA2}};
    const std::map<unsigned, Features> missing = {{1, LK_CPU_NEON},     {3, LK_CPU_ARM_AES},   {4, LK_CPU_ARM_AES},
                                                  {6, LK_CPU_ARM_SHA2}, {17, LK_CPU_ARM_SHA3}, {21, LK_CPU_ARM_SHA3}};
    const Features all = LK_CPU_NEON | LK_CPU_ARM_AES | LK_CPU_ARM_SHA2 | LK_CPU_ARM_SHA3;
    for (unsigned number = 0; number < 32; number++) {
        const unsigned long one = 1ul << number;
        EXPECT_EQ(features_of(one, {}), alone.count(number) ? alone.at(number) : 0u) << "bit " << number;
        EXPECT_EQ(features_of(~one, {}), missing.count(number) ? all & ~missing.at(number) : all) << "bit " << number;
    }
}

// MIDRs as machines report them.
enum : uint32_t {
    cortex_a53 = 0x410fd034,
    cortex_a55 = 0x412fd050,
    cortex_a72 = 0x410fd083,
    cortex_a76 = 0x414fd0b1,
    cortex_a510 = 0x411fd461,
    cortex_a520 = 0x410fd801,
    cortex_a710 = 0x412fd470,
    cortex_a720 = 0x410fd811,
    cortex_x3 = 0x411fd4e1,
    cortex_x4 = 0x410fd821,
    neoverse_n1 = 0x413fd0c1,
    neoverse_n2 = 0x410fd490,
    neoverse_n3 = 0x410fd8e0,
    neoverse_v1 = 0x411fd401,
    neoverse_v2 = 0x410fd4f0,
    neoverse_v3 = 0x411fd841,
    cobalt_100 = 0x6d0fd490,
    apple_m1 = 0x611f0221,
    of_qemu = 0x000f0510
};

// The backend that a machine with these cores gets, all of them with all instructions.
std::string chosen_for(const std::vector<uint32_t> &midrs)
{
    return chosen(features_of(all_caps, midrs));
}

TEST(Cores, Alike)
{
    if (list_for(~Features{0}).size() != 6) GTEST_SKIP() << "skipped: this build lacks a backend";
    const std::map<std::string, std::vector<uint32_t>> expected = {
        {"neon-sha3", {cortex_a510, cortex_a520, apple_m1, of_qemu, 0}},
        {"neon-sha3-full", {neoverse_n3, cortex_x4, neoverse_v3}},
        {"neon-sha3-half", {cortex_a710, cortex_a720, neoverse_n2, cobalt_100}},
        {"neon-sha3-quarter", {cortex_x3, neoverse_v1, neoverse_v2}}};
    EXPECT_EQ(chosen_for({}), "neon-sha3");
    for (const auto &[backend, midrs] : expected)
        for (uint32_t midr : midrs) {
            EXPECT_EQ(chosen_for({midr}), backend) << std::hex << midr;
            EXPECT_EQ(chosen_for({midr, midr, midr, midr}), backend) << std::hex << midr;
            EXPECT_EQ(chosen_for({midr ^ 0x00f0000f}), backend) << "another revision of " << std::hex << midr;
        }
}

// The same part number means nothing from another implementer.
TEST(Cores, TheImplementerCounts)
{
    EXPECT_NE(features_of(all_caps, {neoverse_v2}), features_of(all_caps, {}));
    EXPECT_EQ(features_of(all_caps, {(neoverse_v2 & 0x00ffffff) | 0x61000000}), features_of(all_caps, {}));
}

// One choice for all, whatever their order.
TEST(Cores, Different)
{
    if (list_for(~Features{0}).size() != 6) GTEST_SKIP() << "skipped: this build lacks a backend";
    const auto either_way = [](std::vector<uint32_t> midrs) {
        const std::string first = chosen_for(midrs);
        EXPECT_EQ(chosen_for({midrs.rbegin(), midrs.rend()}), first);
        return first;
    };
    EXPECT_EQ(either_way({cortex_a510, cortex_a710, cortex_x3}), "neon-sha3-quarter");
    EXPECT_EQ(either_way({cortex_a520, cortex_a720, cortex_x4}), "neon-sha3-half");
    EXPECT_EQ(either_way({cortex_x4, cortex_x4, cortex_a520}), "neon-sha3-full");
    EXPECT_EQ(either_way({apple_m1, neoverse_n2}), "neon-sha3-half");
    EXPECT_EQ(either_way({of_qemu, cortex_a510}), "neon-sha3");
}

// A core that has the instructions does not lend them to a machine that lacks them; and one that issues in order speaks
// for itself alone.
TEST(Cores, WithoutTheInstructions)
{
    for (unsigned long caps : {all_caps & ~sha3_caps, all_caps & ~(1ul << 21), all_caps & ~(1ul << 17)}) {
        const Features known = features_of(caps, {});
        for (uint32_t midr : {neoverse_v2, neoverse_n2, neoverse_n3, neoverse_n1, cortex_a76})
            EXPECT_EQ(features_of(caps, {midr}), known | LK_CPU_ARM_ROTATES) << std::hex << midr;
        for (uint32_t midr : {cortex_a53, cortex_a55, cortex_a510})
            EXPECT_EQ(features_of(caps, {midr, cortex_a55}), known | LK_CPU_ARM_IN_ORDER) << std::hex << midr;
        EXPECT_EQ(features_of(caps, {cortex_a76, cortex_a55}), known | LK_CPU_ARM_ROTATES);
        EXPECT_EQ(features_of(caps, {cortex_a55, cortex_a76}), known | LK_CPU_ARM_ROTATES);
        EXPECT_EQ(features_of(caps, {cortex_a53, cortex_a72}), known);
        EXPECT_EQ(features_of(caps, {of_qemu, cortex_a72}), known);
    }
}

// Which of neon's variants serves these cores.
TEST(Cores, VariantsOfNeon)
{
    const auto keccak = [](Features cores) {
        const auto list = list_for(LK_CPU_NEON | cores);
        return list.count("neon") ? list.at("neon")->symmetric.keccak : nullptr;
    };
    if (!keccak(0)) GTEST_SKIP() << "skipped: this build lacks a backend";
    EXPECT_EQ((std::set<const void *>{keccak(0), keccak(LK_CPU_ARM_ROTATES), keccak(LK_CPU_ARM_IN_ORDER)}).size(), 3u);
    for (Features pipes : sha3_pipes) EXPECT_EQ(keccak(pipes), keccak(0));
}

TEST(Cores, TheTableHasEachOnce)
{
    std::set<std::pair<uint32_t, uint32_t>> numbers;
    for (size_t i = 0; const lk_cpu_core *core = lk_cpu_core_at(i); i++) {
        EXPECT_TRUE(numbers.insert({core->implementer, core->part}).second) << core->name;
        EXPECT_TRUE(core->implementer < 0x100 && core->part < 0x1000) << core->name;
        const Features with = features_of(sha3_caps, {core->implementer << 24 | core->part << 4}) & ~LK_CPU_ARM_SHA3;
        const bool has_pipes = core->feature == LK_CPU_ARM_SHA3_FULL || core->feature == LK_CPU_ARM_SHA3_HALF ||
                               core->feature == LK_CPU_ARM_SHA3_QUARTER;
        EXPECT_EQ(with, has_pipes ? core->feature : 0u) << core->name;
        EXPECT_TRUE(has_pipes || core->feature == LK_CPU_ARM_ROTATES || core->feature == LK_CPU_ARM_IN_ORDER)
            << core->name;
    }
    EXPECT_GE(numbers.size(), 30u);
}

// ---- /sys ----

class Sys : public testing::Test
{
  protected:
    void TearDown() override
    {
        std::filesystem::remove_all(root_);
    }
    void write(unsigned core, const std::string &text)
    {
        const auto folder = root_ / "devices/system/cpu" / ("cpu" + std::to_string(core)) / "regs/identification";
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "midr_el1") << text;
    }
    std::vector<uint32_t> read(const std::string &root, unsigned long caps = 0)
    {
        std::vector<uint32_t> midrs(LK_CPU_MIDRS, 0xffffffff);
        midrs.resize(lk_cpu_midrs(caps, root.c_str(), midrs.data()));
        return midrs;
    }
    std::vector<uint32_t> read()
    {
        return read(root_.string());
    }

    std::filesystem::path root_ = std::filesystem::temp_directory_path() / ("latkem-sys-" + std::to_string(getpid()));
};

TEST_F(Sys, EveryCoreThatIsOnline)
{
    write(0, "0x00000000410fd801\n");
    write(3, "0x00000000410fd811\n");
    write(11, "0x00000000410fd821\n");
    EXPECT_EQ(read(), (std::vector<uint32_t>{cortex_a520, cortex_a720, cortex_x4}));
}

TEST_F(Sys, NoMoreThanTheFirst)
{
    for (unsigned core = 0; core < 20; core++) write(core, "0x00000000410fd4f0\n");
    EXPECT_EQ(read(), std::vector<uint32_t>(16, neoverse_v2));
}

TEST_F(Sys, WhatIsNoMidrIsLeftOut)
{
    unsigned core = 0;
    for (const char *text :
         {"", "\n", "0x410fd4f0\n", "0x00000001410fd4f0\n", "0x00000000410fd4f\n", "0x00000000410fd4F0\n",
          "0x00000000410fd4g0\n", "1x00000000410fd4f0\n", "00000000410fd4f0ab\n"})
        write(core++, text);
    EXPECT_EQ(read(), std::vector<uint32_t>{});
    EXPECT_EQ(read("/no/such/folder"), std::vector<uint32_t>{});
    EXPECT_EQ(read(std::string(5000, 'x')), std::vector<uint32_t>{});
}

// If the system says that it lets programs ask, the core is asked, and the files count beside it.
TEST_F(Sys, TheCoreItselfIsAskedToo)
{
    if (!(getauxval(AT_HWCAP) >> 11 & 1)) GTEST_SKIP() << "skipped: this system keeps MIDR_EL1 from programs";
    write(0, "0x00000000410fd4f0\n");
    const auto midrs = read(root_.string(), 1ul << 11);
    ASSERT_EQ(midrs.size(), 2u);
    EXPECT_NE(midrs[0], 0u);
    EXPECT_EQ(midrs[1], neoverse_v2);
}

#endif

#endif

} // namespace
