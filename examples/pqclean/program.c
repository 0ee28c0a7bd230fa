/* A program as users of PQClean and pqm4 have them, with their names. Its generator is the system's. SPDX-License-Identifier: Apache-2.0 */
#include "api.h"
#include <latkem/latkem.h>
#include <stdio.h>
#include <string.h>

static int as_with_pqm4(void)
{
    uint8_t pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES], ct[CRYPTO_CIPHERTEXTBYTES];
    uint8_t ss[CRYPTO_BYTES], same[CRYPTO_BYTES];

    if (crypto_kem_keypair(pk, sk)) return -1;
    if (crypto_kem_enc(ct, ss, pk)) return -1;
    if (crypto_kem_dec(same, ct, sk)) return -1;
    return memcmp(ss, same, sizeof ss);
}

static int as_with_pqclean(void)
{
    uint8_t pk[PQCLEAN_MLKEM768_CLEAN_CRYPTO_PUBLICKEYBYTES];
    uint8_t sk[PQCLEAN_MLKEM768_CLEAN_CRYPTO_SECRETKEYBYTES];
    uint8_t ct[PQCLEAN_MLKEM768_CLEAN_CRYPTO_CIPHERTEXTBYTES];
    uint8_t ss[PQCLEAN_MLKEM768_CLEAN_CRYPTO_BYTES];
    uint8_t same[PQCLEAN_MLKEM768_CLEAN_CRYPTO_BYTES];

    if (PQCLEAN_MLKEM768_CLEAN_crypto_kem_keypair(pk, sk)) return -1;
    if (PQCLEAN_MLKEM768_CLEAN_crypto_kem_enc(ct, ss, pk)) return -1;
    if (PQCLEAN_MLKEM768_CLEAN_crypto_kem_dec(same, ct, sk)) return -1;
    return memcmp(ss, same, sizeof ss);
}

int PQCLEAN_randombytes(uint8_t *out, size_t len)
{
    return latkem_system_rng(NULL, out, len);
}

int main(void)
{
    const int failed = as_with_pqm4() || as_with_pqclean();
    puts(failed ? "the secrets differ" : "the secrets agree");
    return failed;
}
