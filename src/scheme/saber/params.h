/* Parameter sets of Saber, round 3. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_SABER_PARAMS_H
#define LK_SCHEME_SABER_PARAMS_H

#include "scheme/scheme.h"

/* In all sets n = 256, q = 2^13 and p = 2^10. */
typedef struct {
    lk_row row;
    uint8_t l;                          /* rank of the module */
    uint8_t mu;                         /* secrets are in [-mu/2, mu/2] */
    uint8_t et;                         /* bits of a coefficient of the ciphertext's message part: T = 2^et */
    uint16_t matrix_bytes, noise_bytes; /* of the streams of gen_A and gen_s */
} lk_saber_params;

lk_request_fn lk_saber_keypair, lk_saber_encaps, lk_saber_decaps;
lk_request_fn lk_saber_check_ek, lk_saber_check_dk;
lk_request_fn lk_saber_prepare_ek, lk_saber_prepare_dk;

#endif
