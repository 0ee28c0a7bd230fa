/* Sampling and lifting of NTRU's small polynomials for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/ternary.h"

#define BACKEND avx512
#include "arch/x86_64/portable_again.h"
#include "ring/ternary/portable.c" // NOLINT(bugprone-suspicious-include)
