/* The symmetric kernels for AArch64. Contracts: symmetric/(keccak, aes, sha2)/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_SYMMETRIC_H
#define LK_ARCH_AARCH64_SYMMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include "arch/compilers.h"
#include "symmetric/aes/kernels.h"

/* Keccak: three lanes. */
void lk_keccak_permute_neon(uint64_t *states, size_t used);
void lk_keccak_absorb_neon(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_neon(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

/* Keccak: two lanes. */
void lk_keccak_permute_sha3(uint64_t *states, size_t used);
void lk_keccak_absorb_sha3(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_sha3(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

/* The permutations in assembly, of as many of the first lanes; they are given lk_keccak_round_constants. */
void lk_keccak_permute_x1_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x2_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x3_neon(uint64_t *states, const uint64_t *round_constants);
void lk_keccak_permute_x2_sha3(uint64_t *states, const uint64_t *round_constants);

/* AES instructions; a key is kept as its 15 round keys in order. */
void lk_aes256_expand_key_armv8(lk_aes256_key *expanded, const uint8_t key[32]);
void lk_aes256_ctr_armv8(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12],
                         uint32_t counter);

/* Instructions for SHA-256 and SHA-512. */
void lk_sha256_compress_armv8(uint32_t state[8], const uint8_t *data, size_t blocks);
void lk_sha512_compress_armv8(uint64_t state[8], const uint8_t *data, size_t blocks);

#endif
