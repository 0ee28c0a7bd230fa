/* The one file that asks the CPU. SPDX-License-Identifier: Apache-2.0 */
#include "arch/cpu.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include <cpuid.h>

static uint64_t xgetbv(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static int has(uint32_t reg, unsigned bit)
{
    return reg >> bit & 1;
}

static uint32_t when(int condition, uint32_t feature)
{
    return condition ? feature : 0;
}

/* Bit numbers: Intel SDM volume 2, CPUID leaves 1 and 7; XCR0 in volume 1 section 13.3. */
uint32_t lk_cpu_features(void)
{
    uint32_t a, b, c, d, b7, c7, d7;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, 27)) return 0;
    const uint64_t saved = xgetbv();
    const int ymm = (saved & 0x06) == 0x06, zmm = (saved & 0xE6) == 0xE6;
    const int aes = has(c, 25);
    if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7)) return 0;
    const int avx2 = ymm && has(b7, 5) && has(b7, 3) && has(b7, 8) && has(c, 1);
    const int avx512 = avx2 && zmm && has(b7, 16) && has(b7, 17) && has(b7, 30) && has(b7, 31) && has(c7, 1) &&
                       has(c7, 6) && has(c7, 10);
    return when(avx2, LK_CPU_AVX2) | when(avx512, LK_CPU_AVX512) | when(aes, LK_CPU_AESNI) |
           when(aes && ymm && has(c7, 9), LK_CPU_VAES) | when(has(b7, 29), LK_CPU_SHANI);
}

#elif defined(__aarch64__)

static uint32_t features_of(int neon, int aes, int sha2, int sha3)
{
    return (neon ? LK_CPU_NEON : 0) | (aes ? LK_CPU_ARM_AES : 0) | (sha2 ? LK_CPU_ARM_SHA2 : 0) |
           (sha3 ? LK_CPU_ARM_SHA3 : 0);
}

#if defined(__linux__)

#include <sys/auxv.h>

/* HWCAP bits of the Linux ABI (arch/arm64/include/uapi/asm/hwcap.h), named here as old libc headers lack some. */
enum { ASIMD = 1, AES = 3, SHA2 = 6, SHA3 = 17, SHA512 = 21 };

uint32_t lk_cpu_features(void)
{
    const unsigned long caps = getauxval(AT_HWCAP);
    return features_of(caps >> ASIMD & 1, caps >> AES & 1, caps >> SHA2 & 1, caps >> SHA3 & caps >> SHA512 & 1);
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
    return features_of(1, has("hw.optional.arm.FEAT_AES"), has("hw.optional.arm.FEAT_SHA256"),
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
