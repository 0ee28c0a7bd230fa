/* The rows (FIPS 203 section 8; Kyber round 3 sections 1.4 and 1.5). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/mlkem/internal.h"

static const lk_mlkem_suite sha3 = {.h = LK_SHA3_256, .g = LK_SHA3_512, .xof = LK_SHAKE128, .prf = LK_SHAKE256};
static const lk_mlkem_suite ninetys = {.h = LK_SHA256, .g = LK_SHA512, .xof = LK_AES256_CTR, .prf = LK_AES256_CTR};

/* J or KDF, by the family of hashes. */
#define KDF_LK_SHA3_256 LK_SHAKE256
#define KDF_LK_SHA256 LK_SHA256

/* By the family of hashes; 0: not known. */
enum { BELOW_LK_SHA3_256 = LK_BELOW_KECCAK, BELOW_LK_SHA256 = 0 };

/* Random requests: ML-KEM draws d || z at once, Kyber d and z. */
#define SEED_LK_FO_FIPS203                                                                                             \
    {                                                                                                                  \
        2 * LK_SYM_BYTES                                                                                               \
    }
#define SEED_LK_FO_ROUND3                                                                                              \
    {                                                                                                                  \
        LK_SYM_BYTES, LK_SYM_BYTES                                                                                     \
    }

/* The first part of a ciphertext, u: of ML-KEM. */
#define CT1_LK_FO_FIPS203(bytes) bytes
#define CT1_LK_FO_ROUND3(bytes) 0

/* A row and the sizes that follow from it: ek = t || rho, dk = s || ek || H(ek) || z, ct = u || v (FIPS 203 section 8,
 * table 3). */
#define ROW(k_, eta1_, du_, dv_, fo_, suite_, family, most)                                                            \
    {                                                                                                                  \
        .row = {.bytes = {.ek = VECTOR(k_) + LK_SYM_BYTES,                                                             \
                          .dk = 2 * VECTOR(k_) + 3 * LK_SYM_BYTES,                                                     \
                          .ct = 32 * ((du_) * (k_) + (dv_)),                                                           \
                          .ss = LK_SYM_BYTES,                                                                          \
                          .ct1 = CT1_##fo_(32 * (du_) * (k_)),                                                         \
                          .seed = SEED_##fo_,                                                                          \
                          .coins = {LK_SYM_BYTES},                                                                     \
                          .prepared_ek = LK_MLKEM_PREPARED_EK(k_),                                                     \
                          .prepared_dk = LK_MLKEM_PREPARED_DK(k_)},                                                    \
                .hash = family,                                                                                        \
                .kdf = KDF_##family,                                                                                   \
                .exchanges = (fo_) == LK_FO_ROUND3,                                                                    \
                .group = most,                                                                                         \
                .below = BELOW_##family},                                                                              \
        .k = k_, .eta1 = eta1_, .du = du_, .dv = dv_, .fo = fo_, .suite = suite_, .vector_bytes = VECTOR(k_),          \
        .c1_bytes = 32 * (du_) * (k_),                                                                                 \
    }
#define VECTOR(k_) (LK_Q3329_POLY_BYTES * (k_))

/* clang-format off */
/*                                            k eta1 du dv  fo             suite     family        group */
const lk_mlkem_params lk_mlkem_512 =      ROW(2, 3,  10, 4, LK_FO_FIPS203, &sha3,    LK_SHA3_256,  8);
const lk_mlkem_params lk_mlkem_768 =      ROW(3, 2,  10, 4, LK_FO_FIPS203, &sha3,    LK_SHA3_256,  8);
const lk_mlkem_params lk_mlkem_1024 =     ROW(4, 2,  11, 5, LK_FO_FIPS203, &sha3,    LK_SHA3_256,  5);
const lk_mlkem_params lk_kyber_512 =      ROW(2, 3,  10, 4, LK_FO_ROUND3,  &sha3,    LK_SHA3_256,  8);
const lk_mlkem_params lk_kyber_768 =      ROW(3, 2,  10, 4, LK_FO_ROUND3,  &sha3,    LK_SHA3_256,  8);
const lk_mlkem_params lk_kyber_1024 =     ROW(4, 2,  11, 5, LK_FO_ROUND3,  &sha3,    LK_SHA3_256,  5);
const lk_mlkem_params lk_kyber90s_512 =   ROW(2, 3,  10, 4, LK_FO_ROUND3,  &ninetys, LK_SHA256,    8);
const lk_mlkem_params lk_kyber90s_768 =   ROW(3, 2,  10, 4, LK_FO_ROUND3,  &ninetys, LK_SHA256,    8);
const lk_mlkem_params lk_kyber90s_1024 =  ROW(4, 2,  11, 5, LK_FO_ROUND3,  &ninetys, LK_SHA256,    5);
/* clang-format on */
