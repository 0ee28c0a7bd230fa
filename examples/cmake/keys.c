/* Makes many key pairs in one call, which vector instructions make side by side. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <latkem/batch.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 64 };

int main(void)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");

    /* The arrays are contiguous: the ek of pair i begins at eks + i * latkem_ek_bytes(kem). */
    uint8_t *eks = malloc(KEYS * latkem_ek_bytes(kem));
    uint8_t *dks = malloc(KEYS * latkem_dk_bytes(kem));
    const int error = latkem_keypair_batch(kem, KEYS, eks, dks); /* refuses NULL, so malloc needs no check of its own */
    if (error)
        fprintf(stderr, "keys: %s\n", latkem_strerror(error));
    else
        printf("latkem %s made %d key pairs on the backend %s\n", latkem_version(), KEYS, latkem_backend_name());

    free(dks); /* private keys: a program that lives on wipes them first */
    free(eks);
    return error != 0;
}
