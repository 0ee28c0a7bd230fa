/* The symmetric kernels of one backend. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KERNELS_H
#define LK_SYMMETRIC_KERNELS_H

#include "symmetric/aes/kernels.h"
#include "symmetric/keccak/kernels.h"
#include "symmetric/sha2/kernels.h"

typedef struct lk_symmetric {
    const lk_keccak_kernels *keccak;
    const lk_aes_kernels *aes;
    const lk_sha2_kernels *sha2;
} lk_symmetric;

#endif
