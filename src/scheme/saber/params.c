/* The rows (Saber round 3, section 2.3: parameter sets). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/saber/internal.h"

/* A row and the sizes that follow from it: ek = b || seed_A, dk = s || ek || H(ek) || z, ct = b' || c_m. A prepared ek
 * is A, b and H(ek), a prepared dk s and z as well; no backend's evaluated polynomials are larger than assumed here. */
#define ROW(l_, mu_, et_)                                                                                              \
    {                                                                                                                  \
        .row = {.bytes = {.ek = EK(l_),                                                                                \
                          .dk = LK_SABER_Q_BYTES * (l_) + EK(l_) + 2 * LK_SABER_SYM_BYTES,                             \
                          .ct = LK_SABER_P_BYTES * (l_) + 32 * (et_),                                                  \
                          .ss = LK_SABER_SYM_BYTES,                                                                    \
                          .seed = {LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES, LK_SABER_SYM_BYTES},                        \
                          .coins = {LK_SABER_SYM_BYTES},                                                               \
                          .prepared_ek = LK_ALIGNED(2 * LK_SABER_SYM_BYTES) +                                          \
                                         ((l_) + 1) * (l_)*LK_NEGACYCLIC_EVALUATED_MAX,                                \
                          .prepared_dk = LK_ALIGNED(2 * LK_SABER_SYM_BYTES) +                                          \
                                         ((l_) + 2) * (l_)*LK_NEGACYCLIC_EVALUATED_MAX},                               \
                .hash = LK_SHAKE128,                                                                                   \
                .group = LK_GROUP_MAX,                                                                                 \
                .below = LK_BELOW_KECCAK},                                                                             \
        .l = l_, .mu = mu_, .et = et_, .matrix_bytes = LK_SABER_Q_BYTES * (l_) * (l_),                                 \
        .noise_bytes = 32 * (mu_) * (l_),                                                                              \
    }
#define EK(l_) (LK_SABER_P_BYTES * (l_) + LK_SABER_SYM_BYTES)

/* clang-format off */
/*                                        l  mu et */
const lk_saber_params lk_lightsaber = ROW(2, 10, 3);
const lk_saber_params lk_saber_3 =    ROW(3, 8,  4);
const lk_saber_params lk_firesaber =  ROW(4, 6,  6);
/* clang-format on */
