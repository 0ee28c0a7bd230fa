/* PQClean's functions on latkem. A linker with --gc-sections keeps those that are called.
 * SPDX-License-Identifier: Apache-2.0 */
#include "pqclean.h"
#include <latkem/derand.h>

static int fill(void *context, uint8_t *out, size_t len)
{
    (void)context;
    return PQCLEAN_randombytes(out, len);
}

static int keypair(const latkem_kem *kem, uint8_t *pk, uint8_t *sk)
{
    return latkem_keypair_rng(kem, pk, sk, fill, NULL);
}

static int enc(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    return latkem_encaps_rng(kem, ct, ss, pk, latkem_ek_bytes(kem), fill, NULL);
}

static int dec(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    return latkem_decaps(kem, ss, ct, latkem_ct_bytes(kem), sk, latkem_dk_bytes(kem));
}

static int keypair_derand(const latkem_kem *kem, uint8_t *pk, uint8_t *sk, const uint8_t *coins)
{
    return latkem_keypair_derand(kem, pk, sk, coins, latkem_seed_bytes(kem));
}

static int enc_derand(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins)
{
    return latkem_encaps_derand(kem, ct, ss, pk, latkem_ek_bytes(kem), coins, latkem_coins_bytes(kem));
}

#define DEFINE(NAME, SET, PK, SK, CT)                                                                                  \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_keypair(uint8_t *pk, uint8_t *sk)                                            \
    {                                                                                                                  \
        return keypair(latkem_kem_find(SET), pk, sk);                                                                  \
    }                                                                                                                  \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk)                             \
    {                                                                                                                  \
        return enc(latkem_kem_find(SET), ct, ss, pk);                                                                  \
    }                                                                                                                  \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)                       \
    {                                                                                                                  \
        return dec(latkem_kem_find(SET), ss, ct, sk);                                                                  \
    }                                                                                                                  \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_keypair_derand(uint8_t *pk, uint8_t *sk, const uint8_t *coins)               \
    {                                                                                                                  \
        return keypair_derand(latkem_kem_find(SET), pk, sk, coins);                                                    \
    }                                                                                                                  \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_enc_derand(uint8_t *ct, uint8_t *ss, const uint8_t *pk,                      \
                                                     const uint8_t *coins)                                             \
    {                                                                                                                  \
        return enc_derand(latkem_kem_find(SET), ct, ss, pk, coins);                                                    \
    }

LATKEM_PQCLEAN_KEMS(DEFINE)
