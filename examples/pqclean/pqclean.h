/* PQClean's names for latkem's KEMs: a table of all sets, and the declarations of each set's api.h and kem.h there.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_PQCLEAN_H
#define LATKEM_PQCLEAN_H

#include <stddef.h>
#include <stdint.h>

/* X(PQClean's name, latkem's name, bytes of public key, secret key and ciphertext) */
#define LATKEM_PQCLEAN_KEMS(X)                                                                                         \
    X(MLKEM512, "ML-KEM-512", 800, 1632, 768)                                                                          \
    X(MLKEM768, "ML-KEM-768", 1184, 2400, 1088)                                                                        \
    X(MLKEM1024, "ML-KEM-1024", 1568, 3168, 1568)                                                                      \
    X(KYBER512, "Kyber512", 800, 1632, 768)                                                                            \
    X(KYBER768, "Kyber768", 1184, 2400, 1088)                                                                          \
    X(KYBER1024, "Kyber1024", 1568, 3168, 1568)                                                                        \
    X(KYBER51290S, "Kyber512-90s", 800, 1632, 768)                                                                     \
    X(KYBER76890S, "Kyber768-90s", 1184, 2400, 1088)                                                                   \
    X(KYBER102490S, "Kyber1024-90s", 1568, 3168, 1568)                                                                 \
    X(LIGHTSABER, "LightSaber", 672, 1568, 736)                                                                        \
    X(SABER, "Saber", 992, 2304, 1088)                                                                                 \
    X(FIRESABER, "FireSaber", 1312, 3040, 1472)                                                                        \
    X(NTRUHPS2048509, "NTRU-HPS-2048-509", 699, 935, 699)                                                              \
    X(NTRUHPS2048677, "NTRU-HPS-2048-677", 930, 1234, 930)                                                             \
    X(NTRUHPS4096821, "NTRU-HPS-4096-821", 1230, 1590, 1230)                                                           \
    X(NTRUHRSS701, "NTRU-HRSS-701", 1138, 1450, 1138)

/* The functions return 0, or one of latkem's errors with the outputs zeroed (a key that fails its check, a generator that
 * failed). PQClean's always return 0. Coins are latkem_seed_bytes for a key pair and latkem_coins_bytes for a ciphertext:
 * 64 and 32 with ML-KEM, for which alone PQClean has these two functions. */
#define LATKEM_PQCLEAN_DECLARE(NAME, SET, PK, SK, CT)                                                                  \
    enum {                                                                                                             \
        PQCLEAN_##NAME##_CLEAN_CRYPTO_PUBLICKEYBYTES = PK,                                                             \
        PQCLEAN_##NAME##_CLEAN_CRYPTO_SECRETKEYBYTES = SK,                                                             \
        PQCLEAN_##NAME##_CLEAN_CRYPTO_CIPHERTEXTBYTES = CT,                                                            \
        PQCLEAN_##NAME##_CLEAN_CRYPTO_BYTES = 32                                                                       \
    };                                                                                                                 \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_keypair(uint8_t *pk, uint8_t *sk);                                           \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk);                            \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);                      \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_keypair_derand(uint8_t *pk, uint8_t *sk, const uint8_t *coins);              \
    int PQCLEAN_##NAME##_CLEAN_crypto_kem_enc_derand(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins);

#ifdef __cplusplus
extern "C" {
#endif

LATKEM_PQCLEAN_KEMS(LATKEM_PQCLEAN_DECLARE)

/* Your generator, as PQClean's and pqm4's code called it: returns 0, or non-zero if it failed. pqm4 calls it randombytes:
 * -DPQCLEAN_randombytes=randombytes. */
int PQCLEAN_randombytes(uint8_t *out, size_t len);

#ifdef __cplusplus
}
#endif
#endif
