/* The schemes' functions, a column for each operation with a row for each scheme. Separate columns let a linker drop
 * the operations that a program never calls, which one table of all would keep. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_API_COLUMNS_H
#define LK_API_COLUMNS_H

#include "scheme/scheme.h"

/* The rows. */
typedef enum { LK_MLKEM, LK_SABER, LK_NTRU, LK_SCHEMES } lk_scheme;

extern lk_request_fn *const lk_keypair_in[LK_SCHEMES];
extern lk_request_fn *const lk_encaps_in[LK_SCHEMES];
extern lk_request_fn *const lk_decaps_in[LK_SCHEMES];
extern lk_request_fn *const lk_check_ek_in[LK_SCHEMES];
extern lk_request_fn *const lk_check_dk_in[LK_SCHEMES];
extern lk_request_fn *const lk_prepare_ek_in[LK_SCHEMES];
extern lk_request_fn *const lk_prepare_dk_in[LK_SCHEMES];

/* lk_keypair_of and its like return the function of a set. */
#define LK_FUNCTION_OF(operation)                                                                                      \
    static inline lk_request_fn *lk_##operation##_of(const struct latkem_kem *kem)                                     \
    {                                                                                                                  \
        return kem->functions ? kem->functions->operation : lk_##operation##_in[kem->scheme];                          \
    }
LK_FUNCTION_OF(keypair)
LK_FUNCTION_OF(encaps)
LK_FUNCTION_OF(decaps)
LK_FUNCTION_OF(check_ek)
LK_FUNCTION_OF(check_dk)
LK_FUNCTION_OF(prepare_ek)
LK_FUNCTION_OF(prepare_dk)
#undef LK_FUNCTION_OF

#endif
