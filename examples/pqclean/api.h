/* pqm4's names, in place of the api.h and the params.h of a scheme there. Change the set here, or give one with -DPQM4_SET.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef API_H
#define API_H

#include "pqclean.h"

#ifndef PQM4_SET
#define PQM4_SET MLKEM768
#endif

#define PQM4_JOINED(set, name) PQCLEAN_##set##_CLEAN_##name
#define PQM4_NAME(set, name) PQM4_JOINED(set, name)

#define CRYPTO_PUBLICKEYBYTES PQM4_NAME(PQM4_SET, CRYPTO_PUBLICKEYBYTES)
#define CRYPTO_SECRETKEYBYTES PQM4_NAME(PQM4_SET, CRYPTO_SECRETKEYBYTES)
#define CRYPTO_CIPHERTEXTBYTES PQM4_NAME(PQM4_SET, CRYPTO_CIPHERTEXTBYTES)
#define CRYPTO_BYTES PQM4_NAME(PQM4_SET, CRYPTO_BYTES)

#define crypto_kem_keypair PQM4_NAME(PQM4_SET, crypto_kem_keypair)
#define crypto_kem_enc PQM4_NAME(PQM4_SET, crypto_kem_enc)
#define crypto_kem_dec PQM4_NAME(PQM4_SET, crypto_kem_dec)

#endif
