/* The schemes' functions by operation. SPDX-License-Identifier: Apache-2.0 */
#include "api/columns.h"

#include "base/families.h"
#include "scheme/mlkem/params.h"
#include "scheme/ntru/params.h"
#include "scheme/saber/params.h"

/* clang-format off */
#define COLUMN(operation)                                                                                              \
    {                                                                                                                  \
        [LK_MLKEM] = LK_IF(LK_HAS_MLKEM, lk_mlkem_##operation),                                                        \
        [LK_SABER] = LK_IF(LK_HAS_SABER, lk_saber_##operation),                                                        \
        [LK_NTRU] = LK_IF(LK_HAS_NTRU, lk_ntru_##operation),                                                           \
    }
/* clang-format on */

lk_request_fn *const lk_keypair_in[LK_SCHEMES] = COLUMN(keypair);
lk_request_fn *const lk_encaps_in[LK_SCHEMES] = COLUMN(encaps);
lk_request_fn *const lk_decaps_in[LK_SCHEMES] = COLUMN(decaps);
lk_request_fn *const lk_check_ek_in[LK_SCHEMES] = COLUMN(check_ek);
lk_request_fn *const lk_check_dk_in[LK_SCHEMES] = COLUMN(check_dk);
lk_request_fn *const lk_prepare_ek_in[LK_SCHEMES] = COLUMN(prepare_ek);
lk_request_fn *const lk_prepare_dk_in[LK_SCHEMES] = COLUMN(prepare_dk);
