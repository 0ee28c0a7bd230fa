/* Parameter sets of ML-KEM, Kyber round 3 and Kyber-90s: one code, many rows. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_MLKEM_PARAMS_H
#define LK_SCHEME_MLKEM_PARAMS_H

#include "scheme/scheme.h"

/* The symmetric functions of FIPS 203 section 4.1 and of Kyber-90s. */
typedef struct {
    lk_hash h, g, xof, prf; /* J of ML-KEM and KDF of Kyber are in the row */
} lk_mlkem_suite;

/* How the KEM is made from the encryption scheme. */
typedef enum {
    LK_FO_FIPS203, /* G(d || k), K is the shared secret, J(z || ct) on rejection, keys are checked */
    LK_FO_ROUND3   /* G(d), the coins are hashed first, the shared secret is KDF(K or z || H(ct)), no checks */
} lk_mlkem_fo;

typedef struct {
    lk_row row;
    uint8_t k, eta1, du, dv; /* FIPS 203 table 2; eta2 = 2 */
    lk_mlkem_fo fo;
    const lk_mlkem_suite *suite;
    uint16_t vector_bytes, c1_bytes; /* of k polynomials encoded with d = 12, of u in a ciphertext */
} lk_mlkem_params;

/* Encapsulation in two parts: the header is rho || H(ek), the vector is t. */
enum { LK_MLKEM_HEADER_BYTES = 64, LK_MLKEM_STATE_BYTES = 132 };

lk_request_fn lk_mlkem_keypair, lk_mlkem_encaps, lk_mlkem_decaps;
lk_request_fn lk_mlkem_check_ek, lk_mlkem_check_dk;
lk_request_fn lk_mlkem_prepare_ek, lk_mlkem_prepare_dk;

/* The parts of encapsulation in ML-KEM, for one operation. lk_mlkem_encaps1 makes ct1, ss and the state of a header;
 * lk_mlkem_encaps2 makes ct2 of the state and the vector, with which it checks the state (LATKEM_ERR_STATE) and the vector
 * (LATKEM_ERR_EK). lk_mlkem_hash_ek checks ek as lk_mlkem_check_ek does, and gives H(ek) where the others give ss. */
lk_request_fn lk_mlkem_encaps1, lk_mlkem_encaps2, lk_mlkem_hash_ek;

#endif
