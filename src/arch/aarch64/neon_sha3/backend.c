/* The neon-sha3 backend: neon with the instructions for SHA-3 and SHA-512. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/sha3_backend.h"

const lk_backend lk_backend_neon_sha3[LK_SHA3_VARIANTS_COUNT] = LK_SHA3_VARIANTS("neon-sha3", lk_keccak_sha3);
