/* Packing of polynomials modulo X^n - 1 for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/cyclic.h"

#define BACKEND avx2
#include "arch/x86_64/portable_again.h"
#include "ring/pow2/portable_cyclic_packing.c" // NOLINT(bugprone-suspicious-include)
