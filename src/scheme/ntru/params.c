/* The rows (NTRU round 3, sections 1.3, 1.5 and 1.6). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/ntru/internal.h"

/* A row and the sizes that follow from it: ek = h, dk = f || 1/f modulo 3 || 1/h || z, ct = c. A prepared ek is h, a
 * prepared dk z and the three polynomials; no backend's evaluated polynomials are larger than assumed here. */
#define ROW(kind_, n_, log_q_, weight_, keys, most)                                                                    \
    {                                                                                                                  \
        .row = {.bytes = {.ek = Q_BYTES(n_, log_q_),                                                                   \
                          .dk = 2 * S3_BYTES(n_) + Q_BYTES(n_, log_q_) + LK_NTRU_KEY_BYTES,                            \
                          .ct = Q_BYTES(n_, log_q_),                                                                   \
                          .ss = LK_NTRU_KEY_BYTES,                                                                     \
                          .seed = {SAMPLE_##kind_(n_), LK_NTRU_KEY_BYTES},                                             \
                          .coins = {SAMPLE_##kind_(n_)},                                                               \
                          .prepared_ek = EVALUATED(n_),                                                                \
                          .prepared_dk = LK_ALIGNED(LK_NTRU_KEY_BYTES) + LK_NTRU_FACTORS * EVALUATED(n_)},             \
                .hash = LK_SHA3_256,                                                                                   \
                .group = most,                                                                                         \
                .key_group = keys,                                                                                     \
                .below = LK_BELOW_KECCAK},                                                                             \
        .kind = kind_, .n = n_, .log_q = log_q_, .weight = weight_, .s3_bytes = S3_BYTES(n_), .iid_bytes = (n_)-1,     \
    }
#define S3_BYTES(n_) (((n_) + 3) / 5)
#define Q_BYTES(n_, log_q_) (((log_q_) * ((n_)-1) + 7) / 8)
#define EVALUATED(n_) (((n_) + LK_CYCLIC_UNIT - 1) / LK_CYCLIC_UNIT * LK_CYCLIC_EVALUATED_UNIT_MAX)
#define SAMPLE_LK_NTRU_HPS(n_) ((n_)-1 + (30 * ((n_)-1) + 7) / 8)
#define SAMPLE_LK_NTRU_HRSS(n_) (2 * ((n_)-1))

/* clang-format off */
/*                                            kind          n    log_q weight keys group */
const lk_ntru_params lk_ntru_hps2048509 = ROW(LK_NTRU_HPS,  509, 11,   254,   8,   8);
const lk_ntru_params lk_ntru_hps2048677 = ROW(LK_NTRU_HPS,  677, 11,   254,   6,   8);
const lk_ntru_params lk_ntru_hps4096821 = ROW(LK_NTRU_HPS,  821, 12,   510,   4,   6);
const lk_ntru_params lk_ntru_hrss701 =    ROW(LK_NTRU_HRSS, 701, 13,   0,     7,   8);
/* clang-format on */
