/* Contract of the SHA-2 kernels (FIPS 180-4). State and data are secret. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_SHA2_KERNELS_H
#define LK_SYMMETRIC_SHA2_KERNELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct lk_sha2_kernels {
    /* Compresses blocks (0 or more) 64-byte blocks of any alignment into the state (words a to h in the machine's byte order). */
    void (*sha256_compress)(uint32_t state[8], const uint8_t *data, size_t blocks);

    /* Compresses blocks 128-byte blocks of any alignment into the state. */
    void (*sha512_compress)(uint64_t state[8], const uint8_t *data, size_t blocks);
} lk_sha2_kernels;

#endif
