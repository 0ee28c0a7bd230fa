/* Parameter sets of Saber, round 3. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_SABER_PARAMS_H
#define LK_SCHEME_SABER_PARAMS_H

#include "scheme/scheme.h"

/* In all sets n = 256, q = 2^13 and p = 2^10. */
typedef struct {
    uint8_t l;  /* rank of the module */
    uint8_t mu; /* secrets are in [-mu/2, mu/2] */
    uint8_t et; /* bits of a coefficient of the ciphertext's message part: T = 2^et */
} lk_saber_params;

extern const lk_saber_params lk_lightsaber, lk_saber_3, lk_firesaber;

lk_sizes_fn lk_saber_sizes;
lk_group_fn lk_saber_group;
lk_keypair_fn lk_saber_keypair;
lk_request_fn lk_saber_encaps, lk_saber_decaps;
lk_check_fn lk_saber_check_ek, lk_saber_check_dk;
lk_prepare_fn lk_saber_prepare_ek, lk_saber_prepare_dk;

#endif
