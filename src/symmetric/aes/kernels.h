/* Contract of the AES-256 kernels (FIPS 197). Keys and outputs are secret: no kernel has a table lookup, branch or
 * address that depends on them. A buffer that a kernel writes overlaps nothing else that it is given; buffers that it
 * only reads may overlap. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_AES_KERNELS_H
#define LK_SYMMETRIC_AES_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* An expanded key in the backend's own form; aligned to LK_ALIGN wherever the library keeps one. */
typedef struct {
    uint64_t words[120]; /* 15 round keys of eight bit slices; a backend may use less */
} lk_aes256_key;

typedef struct lk_aes_kernels {
    /* 1 where the CPU has instructions for AES, so that a key stream costs less than the operating system's generator;
     * else 0. */
    size_t instructions;

    /* Expands a 32-byte key of any alignment. */
    void (*expand_key)(lk_aes256_key *expanded, const uint8_t key[32]);

    /* Writes blocks 16-byte blocks of key stream to out (any alignment): block i is the encryption of the 12-byte nonce
     * followed by counter + i as a 32-bit big-endian integer. counter + blocks <= 2^32. */
    void (*ctr)(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12], uint32_t counter);
} lk_aes_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_AES_LIST(X) X(aes, expand_key, "aes"), X(aes, ctr, "aes")

/* The definition (portable.c): bit-sliced, four blocks at a time. */
extern const lk_aes_kernels lk_aes_portable;

#endif
