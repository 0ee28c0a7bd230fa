/* SHA-256 with the SHA-256 instructions, which CPUs with those for SHA-512 have or not.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_SHA256_H
#define LK_ARCH_AARCH64_SHA256_H

#include <stddef.h>
#include <stdint.h>

void lk_sha256_compress_armv8(uint32_t state[8], const uint8_t *data, size_t blocks);

#endif
