/* The neon-sha3-half backend: a scalar state of Keccak beside two in vectors, for cores that issue out of order and run the
 * SHA-3 instructions on one of two vector pipes. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/sha3_backend.h"

const lk_backend lk_backend_neon_sha3_half[LK_SHA3_VARIANTS_COUNT] = LK_SHA3_VARIANTS("neon-sha3-half",
                                                                                      lk_keccak_sha3_half);
