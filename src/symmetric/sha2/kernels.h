/* Contract of the SHA-2 kernels (FIPS 180-4). State and data are secret. A buffer that a kernel writes overlaps nothing
 * else that it is given; buffers that it only reads may overlap. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_SHA2_KERNELS_H
#define LK_SYMMETRIC_SHA2_KERNELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct lk_sha2_kernels {
    /* Compresses blocks (0 or more) 64-byte blocks of any alignment into the state (words a to h in the machine's byte
     * order). */
    void (*sha256_compress)(uint32_t state[8], const uint8_t *data, size_t blocks);

    /* Compresses blocks 128-byte blocks of any alignment into the state. */
    void (*sha512_compress)(uint64_t state[8], const uint8_t *data, size_t blocks);
} lk_sha2_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_SHA2_LIST(X) X(sha2, sha256_compress, "sha2"), X(sha2, sha512_compress, "sha2")

/* The definition (portable.c), and its kernels by themselves, for machines with instructions for one of the two. */
extern const lk_sha2_kernels lk_sha2_portable;
void lk_sha256_compress_c(uint32_t state[8], const uint8_t *data, size_t blocks);
void lk_sha512_compress_c(uint64_t state[8], const uint8_t *data, size_t blocks);

/* K of each round (FIPS 180-4 section 4.2.2). */
extern const uint32_t lk_sha256_k[64];
extern const uint64_t lk_sha512_k[80];

#endif
