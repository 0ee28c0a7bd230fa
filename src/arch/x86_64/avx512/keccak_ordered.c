/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/keccak_ordered.h"

#include "arch/x86_64/avx512/keccak_instructions.h"
#include "symmetric/keccak/kernels.h"

#define VECTOR "ymm"
#define BROADCAST "%{1to4%}"

#include "arch/x86_64/avx512/keccak_rounds.inc"
#define PERMUTE lk_keccak_permute_x4_avx512
#include "arch/x86_64/avx512/keccak_permute.inc"
#undef PERMUTE

#include "arch/x86_64/avx512/keccak_rounds_zen5.inc"
#define PERMUTE lk_keccak_permute_x4_zen5
#include "arch/x86_64/avx512/keccak_permute.inc"
#undef PERMUTE

#undef VECTOR
#undef BROADCAST
#define VECTOR "zmm"
#define BROADCAST "%{1to8%}"

#include "arch/x86_64/avx512/keccak_rounds.inc"
#define PERMUTE lk_keccak_permute_x8_avx512
#include "arch/x86_64/avx512/keccak_permute.inc"
#undef PERMUTE

#include "arch/x86_64/avx512/keccak_rounds_zen5.inc"
#define PERMUTE lk_keccak_permute_x8_zen5
#include "arch/x86_64/avx512/keccak_permute.inc"
