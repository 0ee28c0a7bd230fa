/* What this CPU can do. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_CPU_H
#define LK_ARCH_CPU_H

#include <stdint.h>

/* Features that backends require, as bits; each is reported only if the operating system saves its registers. */
enum {
    LK_CPU_AVX2 = 1 << 0,   /* AVX2, BMI1, BMI2 and PCLMULQDQ */
    LK_CPU_AVX512 = 1 << 1, /* AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VPCLMULQDQ */
    LK_CPU_AESNI = 1 << 2,
    LK_CPU_VAES = 1 << 3, /* VAES in 256-bit registers at least */
    LK_CPU_SHANI = 1 << 4,
    LK_CPU_NEON = 1 << 8,
    LK_CPU_ARM_AES = 1 << 9,
    LK_CPU_ARM_SHA2 = 1 << 10, /* SHA-256 */
    LK_CPU_ARM_SHA3 = 1 << 11  /* SHA-3 and, which comes with it, SHA-512 */
};

/* lk_cpu_features returns the features of this CPU. It asks the CPU every time; callers keep the answer. */
uint32_t lk_cpu_features(void);

#endif
