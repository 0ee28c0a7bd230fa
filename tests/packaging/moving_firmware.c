/* The calls of docs/moving-firmware.md, there and here: each is a line, and the objects of both sides are the same.
 * SPDX-License-Identifier: Apache-2.0 */
#include "examples/pqclean/api.h"
#include <latkem/derand.h>
#include <latkem/workspace.h>
#include <stdio.h>
#include <string.h>

enum { OBJECTS = 4 };

static uint8_t workspace[32768];
static uint8_t pk[PQCLEAN_MLKEM768_CLEAN_CRYPTO_PUBLICKEYBYTES], sk[PQCLEAN_MLKEM768_CLEAN_CRYPTO_SECRETKEYBYTES];
static uint8_t ct[PQCLEAN_MLKEM768_CLEAN_CRYPTO_CIPHERTEXTBYTES], ss[PQCLEAN_MLKEM768_CLEAN_CRYPTO_BYTES];
static uint8_t coins[64], kept[OBJECTS][sizeof pk + sizeof sk + sizeof ct + sizeof ss];
static int next, failures;

static void check(int holds, const char *what)
{
    if (!holds) printf("moving_firmware: %s\n", what);
    failures += !holds;
}

/* The generator gives the same bytes for each pair of calls. */
static int same(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memcpy(out, coins, len);
    return 0;
}

int PQCLEAN_randombytes(uint8_t *out, size_t len)
{
    return same(NULL, out, len);
}

static int fill(void *context, uint8_t *out, size_t len)
{
    return same(context, out, len);
}

/* Keeps all objects, and those of the first way are those of every other. */
static void keep(int error, const char *way)
{
    uint8_t *to = kept[next];
    check(!error, way);
    memcpy(to, pk, sizeof pk);
    memcpy(to + sizeof pk, sk, sizeof sk);
    memcpy(to + sizeof pk + sizeof sk, ct, sizeof ct);
    memcpy(to + sizeof pk + sizeof sk + sizeof ct, ss, sizeof ss);
    check(memcmp(kept[next++], kept[0], sizeof kept[0]) == 0, way);
    memset(pk, 0, sizeof pk);
    memset(sk, 0, sizeof sk);
    memset(ct, 0, sizeof ct);
    memset(ss, 0, sizeof ss);
}

static void objects(const latkem_kem *kem)
{
    int error = PQCLEAN_MLKEM768_CLEAN_crypto_kem_keypair(pk, sk);
    if (!error) error = PQCLEAN_MLKEM768_CLEAN_crypto_kem_enc(ct, ss, pk);
    if (!error) error = PQCLEAN_MLKEM768_CLEAN_crypto_kem_dec(ss, ct, sk);
    keep(error, "PQClean's calls");

    error = PQCLEAN_MLKEM768_CLEAN_crypto_kem_keypair_derand(pk, sk, coins);
    if (!error) error = PQCLEAN_MLKEM768_CLEAN_crypto_kem_enc_derand(ct, ss, pk, coins);
    if (!error) error = crypto_kem_dec(ss, ct, sk);
    keep(error, "PQClean's derandomised calls");

    error = latkem_keypair_rng(kem, pk, sk, fill, NULL);
    if (!error) error = latkem_encaps_rng(kem, ct, ss, pk, sizeof pk, fill, NULL);
    if (!error) error = latkem_decaps(kem, ss, ct, sizeof ct, sk, sizeof sk);
    keep(error, "latkem's calls");

    error = crypto_kem_keypair(pk, sk);
    if (!error) error = crypto_kem_enc(ct, ss, pk);
    if (!error) error = latkem_keypair_derand(kem, pk, sk, coins, 64);
    if (!error) error = latkem_encaps_derand(kem, ct, ss, pk, sizeof pk, coins, 32);
    if (!error) error = latkem_keypair_derand_in(workspace, sizeof workspace, kem, pk, sk, coins, 64);
    if (!error) error = latkem_encaps_derand_in(workspace, sizeof workspace, kem, ct, ss, pk, sizeof pk, coins, 32);
    if (!error) error = latkem_decaps_in(workspace, sizeof workspace, kem, ss, ct, sizeof ct, sk, sizeof sk);
    keep(error, "latkem's calls in a workspace");
}

int main(void)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    for (size_t i = 0; i < sizeof coins; i++) coins[i] = (uint8_t)i;
    objects(kem);
    check(CRYPTO_PUBLICKEYBYTES == latkem_ek_bytes(kem) && CRYPTO_SECRETKEYBYTES == latkem_dk_bytes(kem), "keys");
    check(CRYPTO_CIPHERTEXTBYTES == latkem_ct_bytes(kem) && CRYPTO_BYTES == latkem_ss_bytes(kem),
          "ciphertext and secret");
    check(strcmp(latkem_kem_name(kem), "ML-KEM-768") == 0, "name");
    return failures != 0;
}
