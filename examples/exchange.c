/* Two parties agree on a secret. Build: cc exchange.c $(pkg-config --cflags --libs latkem)
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *step, int error)
{
    fprintf(stderr, "exchange: %s: %s\n", step, latkem_strerror(error));
    return 1;
}

int main(int argc, char **argv)
{
    const latkem_kem *kem = latkem_kem_find(argc > 1 ? argv[1] : "ML-KEM-768");
    if (kem == NULL || !latkem_kem_is_standard(kem)) {
        fprintf(stderr, "exchange: ML-KEM-512, ML-KEM-768 or ML-KEM-1024, please\n");
        return 2;
    }
    /* Large enough for ML-KEM of all levels, because the name of the set may come from the command line. */
    uint8_t ek[LATKEM_MLKEM_EK_MAX], dk[LATKEM_MLKEM_DK_MAX], ct[LATKEM_MLKEM_CT_MAX];
    uint8_t ours[LATKEM_MLKEM_SS_BYTES], theirs[LATKEM_MLKEM_SS_BYTES];

    /* We make a key pair, publish ek and keep dk secret. */
    int error = latkem_keypair(kem, ek, dk);
    if (error) return failed("keypair", error);

    /* They read ek, perhaps from the network: the call checks it. They send ct and keep the secret. */
    error = latkem_encaps(kem, ct, theirs, ek, latkem_ek_bytes(kem));
    if (error) return failed("encaps", error);

    /* We recover the secret. A forged ct is no error: the secrets then differ, and the first message fails. */
    error = latkem_decaps(kem, ours, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
    if (error) return failed("decaps", error);

    printf("%s: the secrets %s\n", latkem_kem_name(kem), memcmp(ours, theirs, sizeof ours) == 0 ? "agree" : "differ");
    return memcmp(ours, theirs, sizeof ours) != 0;
}
