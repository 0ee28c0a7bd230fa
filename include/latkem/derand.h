/* Deterministic forms of key generation and encapsulation: for seeds as private keys, tests and HSMs.
 * Conventions as in latkem.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_DERAND_H
#define LATKEM_DERAND_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of randomness that key generation and encapsulation take: the scheme's requests one after the other.
 * ML-KEM and Kyber: seed = d || z (64 bytes), coins = m (32 bytes; Kyber hashes it before use). 0 for NULL. */
LATKEM_API size_t latkem_seed_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_coins_bytes(const latkem_kem *kem);

/* latkem_keypair_derand makes the key pair of a seed (ML-KEM.KeyGen_internal, FIPS 203 algorithm 16). The seed is a
 * private key: it is as secret as dk. Errors: LATKEM_ERR_LENGTH. */
LATKEM_API int latkem_keypair_derand(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, const uint8_t *seed,
                                     size_t seed_len);

/* latkem_encaps_derand encapsulates with given coins (ML-KEM.Encaps_internal, FIPS 203 algorithm 17), after the checks
 * of latkem_encaps. Coins must be secret, uniformly random and never used twice. Errors: LATKEM_ERR_LENGTH,
 * LATKEM_ERR_EK. */
LATKEM_API int latkem_encaps_derand(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                                    const uint8_t *coins, size_t coins_len);

#ifdef __cplusplus
}
#endif
#endif
