/* The symmetric kernels for x86-64. Contracts: symmetric/(keccak, aes, sha2)/kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_SYMMETRIC_H
#define LK_ARCH_X86_64_SYMMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include "symmetric/aes/kernels.h"

/* Keccak: four lanes. */
void lk_keccak_permute_avx2(uint64_t *states, size_t used);
void lk_keccak_absorb_avx2(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_avx2(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

/* Keccak: eight lanes; x1 permutes the first alone. */
void lk_keccak_permute_x1_avx512(uint64_t *states);
void lk_keccak_permute_avx512(uint64_t *states, size_t used);
void lk_keccak_absorb_avx512(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);
void lk_keccak_squeeze_avx512(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);

/* AES instructions on one block at a time, and on four with VAES. Both keep a key as its 15 round keys in order. */
void lk_aes256_expand_key_aesni(lk_aes256_key *expanded, const uint8_t key[32]);
void lk_aes256_ctr_aesni(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12],
                         uint32_t counter);
void lk_aes256_ctr_vaes(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12],
                        uint32_t counter);

/* SHA instructions. */
void lk_sha256_compress_shani(uint32_t state[8], const uint8_t *data, size_t blocks);

#endif
