/* The rows (NTRU round 3, parameter sets). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/ntru/params.h"

/* clang-format off */
/*                                         kind          n   log_q weight keys group */
const lk_ntru_params lk_ntru_hps2048509 = {LK_NTRU_HPS,  509, 11, 254,   8,   8};
const lk_ntru_params lk_ntru_hps2048677 = {LK_NTRU_HPS,  677, 11, 254,   6,   8};
const lk_ntru_params lk_ntru_hps4096821 = {LK_NTRU_HPS,  821, 12, 510,   4,   6};
const lk_ntru_params lk_ntru_hrss701 =    {LK_NTRU_HRSS, 701, 13, 0,     7,   8};
/* clang-format on */
