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

#endif
