/* The features of this CPU. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_CPU_H
#define LK_ARCH_CPU_H

#include <stddef.h>
#include <stdint.h>

/* Features that backends require, as bits; each is reported only if the operating system saves its registers. */
enum {
    LK_CPU_AVX2 = 1 << 0,   /* AVX2, BMI1, BMI2, POPCNT and PCLMULQDQ */
    LK_CPU_AVX512 = 1 << 1, /* that, AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VPCLMULQDQ, FMA and F16C */
    LK_CPU_AESNI = 1 << 2,
    LK_CPU_VAES = 1 << 3, /* VAES in 256-bit registers at least */
    LK_CPU_SHANI = 1 << 4,
    /* Facts about the core (x86_64/cores.inc): it does not slow down where 512-bit registers multiply; instructions on
     * 512-bit registers take its units twice; it starts few instructions a cycle that read three registers, and has an
     * order of Keccak of its own. */
    LK_CPU_STEADY = 1 << 5,
    LK_CPU_HALVES = 1 << 6,
    LK_CPU_ZEN5 = 1 << 7,
    LK_CPU_NEON = 1 << 8,
    LK_CPU_ARM_AES = 1 << 9,   /* AES and PMULL, the carry-less multiplication of 64 bits, which come together */
    LK_CPU_ARM_SHA2 = 1 << 10, /* SHA-256 */
    LK_CPU_ARM_SHA3 = 1 << 11, /* SHA-3 and, which comes with it, SHA-512 */
    /* Facts about the cores of this machine; at most one of these is reported, for all of them (aarch64/cores.inc).
     * Without SHA-3: they rotate operands on all integer pipes, or they issue in order. */
    LK_CPU_ARM_ROTATES = 1 << 12,
    LK_CPU_ARM_IN_ORDER = 1 << 16,
    /* With SHA-3: out of order, and all of their vector pipes run it, or one of two, or one of four. */
    LK_CPU_ARM_SHA3_FULL = 1 << 13,
    LK_CPU_ARM_SHA3_HALF = 1 << 14,
    LK_CPU_ARM_SHA3_QUARTER = 1 << 15
};

/* lk_cpu_features returns the features of this CPU. It asks the CPU every time; callers keep the answer. */
uint32_t lk_cpu_features(void);

/* lk_cpu_features_of returns the features of the CPU that gave an answer, for tests also one that they do not run on:
 * the words of CPUID, where a leaf that the CPU lacks is 0, and the low half of XCR0; or Linux's AT_HWCAP and the MIDR of
 * each core. */
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
typedef struct {
    uint32_t leaf1_ecx, leaf7_ebx, leaf7_ecx, xcr0;
} lk_cpuid_words;

/* The maker is the first letters of its name (CPUID leaf 0, EBX), the signature leaf 1, EAX, with family and model. */
uint32_t lk_cpu_features_of(const lk_cpuid_words *cpu, uint32_t maker, uint32_t signature);
#elif defined(__aarch64__) && defined(__linux__)
/* A core by the fields of its MIDR, the implementer's number and the part's, and the feature above that says most. */
typedef struct {
    const char *name;
    uint32_t implementer, part, feature;
} lk_cpu_core;

/* lk_cpu_core_at returns the known core at an index from 0, NULL past the end. */
const lk_cpu_core *lk_cpu_core_at(size_t index);

uint32_t lk_cpu_features_of(unsigned long caps, const uint32_t *midrs, size_t count);

/* lk_cpu_midrs writes the MIDRs that can be read, at most LK_CPU_MIDRS, and returns their number: that of the core it
 * runs on, if the system lets programs ask for it, and those of the first cores from the files under sys, which is "/sys".
 * Chips with different cores have each kind among their first 16. */
enum { LK_CPU_CORES_READ = 16, LK_CPU_MIDRS };

size_t lk_cpu_midrs(unsigned long caps, const char *sys, uint32_t midrs[LK_CPU_MIDRS]);
#endif

#endif
