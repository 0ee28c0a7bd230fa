/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx2/keccak_ordered.h"

#include "arch/x86_64/avx2/keccak_instructions.h"
#include "symmetric/keccak/kernels.h"

#include "arch/x86_64/avx2/keccak_rounds.inc"
#define PERMUTE lk_keccak_permute_x4_avx2
#include "arch/x86_64/avx2/keccak_permute.inc"
