/* Parameter sets of NTRU, round 3. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_NTRU_PARAMS_H
#define LK_SCHEME_NTRU_PARAMS_H

#include "scheme/scheme.h"

/* How messages and secrets are sampled and messages lifted (sections 1.3.2 and 1.3.3). */
typedef enum { LK_NTRU_HPS, LK_NTRU_HRSS } lk_ntru_kind;

typedef struct {
    lk_row row;
    lk_ntru_kind kind;
    uint16_t n;
    uint8_t log_q;
    uint16_t weight;              /* HPS: nonzero coefficients of g and m, half of them 1, half -1: q/8 - 2 */
    uint16_t s3_bytes, iid_bytes; /* of a polynomial packed modulo 3; random ones of one from Ternary */
} lk_ntru_params;

extern const lk_ntru_params lk_ntru_hps2048509, lk_ntru_hps2048677, lk_ntru_hps4096821, lk_ntru_hrss701;

lk_request_fn lk_ntru_keypair, lk_ntru_encaps, lk_ntru_decaps;
lk_request_fn lk_ntru_check_ek, lk_ntru_check_dk;
lk_request_fn lk_ntru_prepare_ek, lk_ntru_prepare_dk;

#endif
