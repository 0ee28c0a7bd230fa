/* The beginning of Sample_fixed_type for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/ternary.h"

#define BACKEND avx2
#include "arch/x86_64/portable_again.h"
#include "ring/ternary/portable_fixed_type.c" // NOLINT(bugprone-suspicious-include)
