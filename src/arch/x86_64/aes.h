/* AES with the AES instructions. A key is kept as its 15 round keys in order. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AES_H
#define LK_ARCH_X86_64_AES_H

#include "symmetric/aes/kernels.h"

void lk_aes256_expand_key_aesni(lk_aes256_key *expanded, const uint8_t key[32]);

#endif
