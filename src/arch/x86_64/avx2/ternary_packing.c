/* Packing of NTRU's small polynomials for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/ternary.h"

#define BACKEND avx2
#include "arch/x86_64/portable_again.h"
#include "ring/ternary/portable_packing.c" // NOLINT(bugprone-suspicious-include)
