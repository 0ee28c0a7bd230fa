/* The one file that asks the CPU. SPDX-License-Identifier: Apache-2.0 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "arch/cpu.h"

#include <stddef.h>

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

#if defined(_MSC_VER) && !defined(__clang__)

#include <intrin.h>

static uint64_t xgetbv(void)
{
    return _xgetbv(0);
}

/* CPUs answer for a leaf that they lack with the last that they have. */
static int cpuid(unsigned leaf, uint32_t *eax, uint32_t *ebx, uint32_t *ecx)
{
    int r[4];
    __cpuid(r, 0);
    if ((unsigned)r[0] < leaf) return 0;
    __cpuidex(r, (int)leaf, 0);
    *eax = (uint32_t)r[0];
    *ebx = (uint32_t)r[1];
    *ecx = (uint32_t)r[2];
    return 1;
}

#else

#include <cpuid.h>

static uint64_t xgetbv(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/* Returns 0 where the CPU has no such leaf. */
static int cpuid(unsigned leaf, uint32_t *eax, uint32_t *ebx, uint32_t *ecx)
{
    uint32_t edx;
    return __get_cpuid_count(leaf, 0, eax, ebx, ecx, &edx);
}

#endif

/* Bits: Intel SDM volume 2, CPUID leaves 1 and 7; XCR0 in volume 1 section 13.3. */
#define BIT(n) (UINT32_C(1) << (n))
#define SSE (BIT(0) | BIT(9) | BIT(19) | BIT(20)) /* SSE3, SSSE3, SSE4.1, SSE4.2 */
#define PCLMULQDQ BIT(1)
#define FMA BIT(12)
#define POPCNT BIT(23)
#define AESNI BIT(25)
#define XSAVE (BIT(26) | BIT(27)) /* and the operating system uses it, without which there is no XGETBV */
#define AVX BIT(28)
#define F16C BIT(29)
#define BMI (BIT(3) | BIT(8))
#define AVX2 BIT(5)
#define AVX512 (BIT(16) | BIT(17) | BIT(30) | BIT(31)) /* F, DQ, BW, VL */
#define SHANI BIT(29)
#define VBMI (BIT(1) | BIT(6))
#define VAES BIT(9)
#define VPCLMULQDQ BIT(10)
#define YMM 0x06
#define ZMM 0xE6

/* A feature takes whatever the options of the files behind it let compilers use, and options imply others: -mavx2
 * POPCNT, and -mavx512f for some compilers FMA and F16C. */
static const struct {
    uint32_t feature;
    lk_cpuid_words words;
} needed[] = {
    {LK_CPU_AVX2, {SSE | PCLMULQDQ | POPCNT | XSAVE | AVX, BMI | AVX2, 0, YMM}},
    {LK_CPU_AVX512, {SSE | PCLMULQDQ | FMA | POPCNT | XSAVE | AVX | F16C, BMI | AVX2 | AVX512, VBMI | VPCLMULQDQ, ZMM}},
    {LK_CPU_AESNI, {AESNI, 0, 0, 0}},
    {LK_CPU_VAES, {AESNI | XSAVE | AVX, 0, VAES, YMM}},
    {LK_CPU_SHANI, {SSE, SHANI, 0, 0}},
};

static int lacks(const lk_cpuid_words *cpu, const lk_cpuid_words *words)
{
    return (words->leaf1_ecx & ~cpu->leaf1_ecx) != 0 || (words->leaf7_ebx & ~cpu->leaf7_ebx) != 0 ||
           (words->leaf7_ecx & ~cpu->leaf7_ecx) != 0 || (words->xcr0 & ~cpu->xcr0) != 0;
}

#define AMD UINT32_C(0x68747541) /* "Auth", of "AuthenticAMD" */
#define ANY_FAMILY 0
#define CORE(name, maker, family, first, last, feature) {maker, family, first, last, feature},
static const struct {
    uint32_t maker, family, first, last, feature;
} cores[] = {
#include "arch/x86_64/cores.inc"
};

/* Intel SDM volume 2, CPUID leaf 1: the extended fields count where the family is 15, that of the model also where it is
 * 6. */
static uint32_t facts_of(uint32_t maker, uint32_t signature)
{
    const uint32_t base = signature >> 8 & 15, family = base == 15 ? base + (signature >> 20 & 255) : base;
    const uint32_t above = base == 6 || base == 15 ? signature >> 12 & 0xF0 : 0, model = above | (signature >> 4 & 15);
    uint32_t facts = 0;
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
        if (cores[i].maker == maker && (cores[i].family == ANY_FAMILY || cores[i].family == family) &&
            cores[i].first <= model && model <= cores[i].last)
            facts |= cores[i].feature;
    return facts;
}

uint32_t lk_cpu_features_of(const lk_cpuid_words *cpu, uint32_t maker, uint32_t signature)
{
    uint32_t features = 0;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!lacks(cpu, &needed[i].words)) features |= needed[i].feature;
    return features | facts_of(maker, signature);
}

uint32_t lk_cpu_features(void)
{
    lk_cpuid_words cpu = {0};
    uint32_t maker = 0, signature, unused;
    if (!cpuid(1, &signature, &unused, &cpu.leaf1_ecx)) return 0;
    if ((cpu.leaf1_ecx & XSAVE) == XSAVE) cpu.xcr0 = (uint32_t)xgetbv();
    (void)cpuid(7, &unused, &cpu.leaf7_ebx, &cpu.leaf7_ecx);
    (void)cpuid(0, &unused, &maker, &unused);
    return lk_cpu_features_of(&cpu, maker, signature);
}

#elif defined(__aarch64__)

static uint32_t features_of(int neon, int aes, int sha2, int sha3)
{
    return (neon ? LK_CPU_NEON : 0) | (aes ? LK_CPU_ARM_AES : 0) | (sha2 ? LK_CPU_ARM_SHA2 : 0) |
           (sha3 ? LK_CPU_ARM_SHA3 : 0);
}

#if defined(__linux__)

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define CORE(name, implementer, part, feature) {name, implementer, part, feature},
static const lk_cpu_core cores[] = {
#include "arch/aarch64/cores.inc"
};

const lk_cpu_core *lk_cpu_core_at(size_t index)
{
    return index < sizeof cores / sizeof cores[0] ? &cores[index] : NULL;
}

static uint32_t feature_of(uint32_t midr)
{
    const uint32_t implementer = midr >> 24, part = midr >> 4 & 0xFFF;
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
        if (cores[i].implementer == implementer && cores[i].part == part) return cores[i].feature;
    return 0;
}

/* One choice holds for all cores, because a thread may move at any time. The narrowest unit decides, because it loses
 * most by the wrong choice; cores in order do not unless all are, because work that takes long runs on the others
 * (docs/kernels/ keccak.md has the figures). The features' values are in this order. */
static uint32_t feature_of_all(const uint32_t *midrs, size_t count)
{
    uint32_t narrowest = 0;
    size_t in_order = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t feature = feature_of(midrs[i]);
        if (feature == LK_CPU_ARM_IN_ORDER)
            in_order++;
        else if (feature > narrowest)
            narrowest = feature;
    }
    return in_order > 0 && in_order == count ? LK_CPU_ARM_IN_ORDER : narrowest;
}

/* HWCAP bits of the Linux ABI (arch/arm64/include/uapi/asm/hwcap.h), named here as old libc headers lack some. */
enum { ASIMD = 1, AES = 3, PMULL = 4, SHA2 = 6, CPUID = 11, SHA3 = 17, SHA512 = 21 };

uint32_t lk_cpu_features_of(unsigned long caps, const uint32_t *midrs, size_t count)
{
    const int aes = (int)(caps >> AES & caps >> PMULL & 1), sha3 = (int)(caps >> SHA3 & caps >> SHA512 & 1);
    const uint32_t feature = feature_of_all(midrs, count);
    const uint32_t pipes = feature & (LK_CPU_ARM_SHA3_FULL | LK_CPU_ARM_SHA3_HALF | LK_CPU_ARM_SHA3_QUARTER);
    const uint32_t without = pipes ? (uint32_t)LK_CPU_ARM_ROTATES : feature;
    return features_of(caps >> ASIMD & 1, aes, caps >> SHA2 & 1, sha3) | (sha3 ? pipes : without);
}

/* "0x00000000410fd4f0" and a newline: the upper half is reserved. Returns 0 for anything else. */
static uint32_t parse_midr(const char *text, ssize_t length)
{
    enum { DIGITS = 16 };
    uint64_t value = 0;
    if (length < 2 + DIGITS || text[0] != '0' || text[1] != 'x') return 0;
    for (size_t i = 2; i < 2 + DIGITS; i++) {
        const char c = text[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return 0;
        value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return value >> 32 ? 0 : (uint32_t)value;
}

/* Of core 0 to 99; 0 if it cannot be read: the core is offline, the kernel older than 4.7 or the file out of reach. */
static uint32_t read_midr(const char *sys, unsigned core)
{
    static const char before[] = "/devices/system/cpu/cpu", after[] = "/regs/identification/midr_el1";
    char path[128], text[32];
    const size_t length = strlen(sys);
    char *end = path;
    if (length + sizeof before + sizeof after + 2 > sizeof path) return 0;
    memcpy(end, sys, length);
    memcpy(end += length, before, sizeof before - 1);
    end += sizeof before - 1;
    if (core >= 10) *end++ = (char)('0' + core / 10);
    *end++ = (char)('0' + core % 10);
    memcpy(end, after, sizeof after);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t got = read(file, text, sizeof text);
    (void)close(file);
    return parse_midr(text, got);
}

size_t lk_cpu_midrs(unsigned long caps, const char *sys, uint32_t midrs[LK_CPU_MIDRS])
{
    size_t count = 0;
    if (caps >> CPUID & 1) {
        uint64_t midr;
        __asm__("mrs %0, midr_el1" : "=r"(midr));
        midrs[count++] = (uint32_t)midr;
    }
    for (unsigned core = 0; core < LK_CPU_CORES_READ; core++) {
        const uint32_t midr = read_midr(sys, core);
        if (midr) midrs[count++] = midr;
    }
    return count;
}

uint32_t lk_cpu_features(void)
{
    const unsigned long caps = getauxval(AT_HWCAP);
    uint32_t midrs[LK_CPU_MIDRS];
    return lk_cpu_features_of(caps, midrs, lk_cpu_midrs(caps, "/sys", midrs));
}

#elif defined(__APPLE__)

#include <sys/sysctl.h>

static int has(const char *name)
{
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

uint32_t lk_cpu_features(void)
{
    return features_of(1, has("hw.optional.arm.FEAT_AES") && has("hw.optional.arm.FEAT_PMULL"),
                       has("hw.optional.arm.FEAT_SHA256"),
                       has("hw.optional.arm.FEAT_SHA3") && has("hw.optional.arm.FEAT_SHA512"));
}

#elif defined(_WIN32)

#include <windows.h>

/* Values of the PF_ARM constants with which IsProcessorFeaturePresent is asked; old SDKs lack the names. */
enum { NEON = 19, CRYPTO = 30, SHA3 = 64, SHA512 = 65 };

uint32_t lk_cpu_features(void)
{
    const int crypto = IsProcessorFeaturePresent(CRYPTO);
    return features_of(IsProcessorFeaturePresent(NEON), crypto, crypto,
                       IsProcessorFeaturePresent(SHA3) && IsProcessorFeaturePresent(SHA512));
}

#else

/* Every CPU of this architecture that runs an operating system has vectors; of the rest nothing is known. */
uint32_t lk_cpu_features(void)
{
    return features_of(1, 0, 0, 0);
}

#endif

#else

uint32_t lk_cpu_features(void)
{
    return 0;
}

#endif
