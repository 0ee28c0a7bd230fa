/* The portable SHA-2 kernels. Contract: kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_SHA2_PORTABLE_H
#define LK_SYMMETRIC_SHA2_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

/* K of each round (FIPS 180-4 section 4.2.2). */
extern const uint32_t lk_sha256_k[64];
extern const uint64_t lk_sha512_k[80];

void lk_sha256_compress_c(uint32_t state[8], const uint8_t *data, size_t blocks);
void lk_sha512_compress_c(uint64_t state[8], const uint8_t *data, size_t blocks);

#endif
