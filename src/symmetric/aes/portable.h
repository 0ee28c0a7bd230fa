/* The portable AES-256 kernels: bit-sliced, four blocks at a time. Contract: kernels.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_AES_PORTABLE_H
#define LK_SYMMETRIC_AES_PORTABLE_H

#include "symmetric/aes/kernels.h"

void lk_aes256_expand_key_c(lk_aes256_key *expanded, const uint8_t key[32]);
void lk_aes256_ctr_c(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12], uint32_t counter);

#endif
