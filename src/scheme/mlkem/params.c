/* The rows (FIPS 203 section 8; Kyber round 3 sections 1.4 and 1.5). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/mlkem/params.h"

static const lk_mlkem_suite sha3 = {
    .h = LK_SHA3_256, .g = LK_SHA3_512, .xof = LK_SHAKE128, .prf = LK_SHAKE256, .kdf = LK_SHAKE256};
static const lk_mlkem_suite ninetys = {
    .h = LK_SHA256, .g = LK_SHA512, .xof = LK_AES256_CTR, .prf = LK_AES256_CTR, .kdf = LK_SHA256};

/* clang-format off */
/*                                          k eta1 du dv  fo             suite    group */
const lk_mlkem_params lk_mlkem_512 =       {2, 3, 10, 4, LK_FO_FIPS203, &sha3,    8};
const lk_mlkem_params lk_mlkem_768 =       {3, 2, 10, 4, LK_FO_FIPS203, &sha3,    8};
const lk_mlkem_params lk_mlkem_1024 =      {4, 2, 11, 5, LK_FO_FIPS203, &sha3,    5};
const lk_mlkem_params lk_kyber_512 =       {2, 3, 10, 4, LK_FO_ROUND3,  &sha3,    8};
const lk_mlkem_params lk_kyber_768 =       {3, 2, 10, 4, LK_FO_ROUND3,  &sha3,    8};
const lk_mlkem_params lk_kyber_1024 =      {4, 2, 11, 5, LK_FO_ROUND3,  &sha3,    5};
const lk_mlkem_params lk_kyber90s_512 =    {2, 3, 10, 4, LK_FO_ROUND3,  &ninetys, 8};
const lk_mlkem_params lk_kyber90s_768 =    {3, 2, 10, 4, LK_FO_ROUND3,  &ninetys, 8};
const lk_mlkem_params lk_kyber90s_1024 =   {4, 2, 11, 5, LK_FO_ROUND3,  &ninetys, 5};
/* clang-format on */
