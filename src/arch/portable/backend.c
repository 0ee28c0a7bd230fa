/* The portable backend. SPDX-License-Identifier: Apache-2.0 */
#include "arch/portable/backend.h"

#include "base/families.h"

#if defined(LATKEM_SMALL)
#define NAME "small"
#else
#define NAME "portable"
#endif

const lk_backend lk_backend_portable = {
    .name = NAME,
    .needs = 0,
    .symmetric = {.keccak = &lk_keccak_portable,
                  .aes = LK_IF(LK_HAS_AES, &lk_aes_portable),
                  .sha2 = LK_IF(LK_HAS_90S, &lk_sha2_portable)},
    .q3329 = LK_IF(LK_HAS_MLKEM, &lk_q3329_portable),
    .negacyclic = LK_IF(LK_HAS_SABER, &lk_negacyclic_portable),
    .cyclic = LK_IF(LK_HAS_NTRU, &lk_cyclic_portable),
    .ternary = LK_IF(LK_HAS_NTRU, &lk_ternary_portable),
};
