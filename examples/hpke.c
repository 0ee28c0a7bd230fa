/* A message encrypted to a public key. Build: cc hpke.c $(pkg-config --cflags --libs latkem-protocol)
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/hpke.h>
#include <latkem/hybrid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X-Wing's sizes in bytes (hybrid.h). */
enum { EK = 1216, SK = 32, ENC = 1120 };

static const uint8_t info[] = "example of latkem"; /* what both sides know: the application and its version */

static int send_message(uint8_t *enc, uint8_t *ct, const uint8_t *ek, const uint8_t *pt, size_t pt_len)
{
    void *context = malloc(latkem_hpke_bytes());
    if (!context) return LATKEM_ERR_CRYPTO;
    int error = latkem_hpke_sender(context, enc, latkem_hybrid_find("X-Wing"), LATKEM_HPKE_HKDF_SHA256,
                                   LATKEM_HPKE_CHACHA20_POLY1305, ek, EK, info, sizeof info);
    if (!error) error = latkem_hpke_seal(context, ct, NULL, 0, pt, pt_len);
    latkem_hpke_end(context);
    free(context);
    return error;
}

static int receive_message(uint8_t *pt, const uint8_t *sk, const uint8_t *enc, const uint8_t *ct, size_t ct_len)
{
    void *context = malloc(latkem_hpke_bytes());
    if (!context) return LATKEM_ERR_CRYPTO;
    int error = latkem_hpke_recipient(context, latkem_hybrid_find("X-Wing"), LATKEM_HPKE_HKDF_SHA256,
                                      LATKEM_HPKE_CHACHA20_POLY1305, enc, ENC, sk, SK, info, sizeof info);
    if (!error) error = latkem_hpke_open(context, pt, NULL, 0, ct, ct_len);
    latkem_hpke_end(context);
    free(context);
    return error;
}

int main(void)
{
    static const uint8_t message[] = "for the recipient alone";
    uint8_t ek[EK], sk[SK], enc[ENC], ct[sizeof message + LATKEM_HPKE_TAG_BYTES], opened[sizeof message];

    /* The recipient publishes ek and keeps sk; the sender sends enc and ct. */
    int error = latkem_keypair(latkem_hybrid_find("X-Wing"), ek, sk);
    if (!error) error = send_message(enc, ct, ek, message, sizeof message);
    if (!error) error = receive_message(opened, sk, enc, ct, sizeof ct);
    if (error) {
        fprintf(stderr, "hpke: %s\n", latkem_strerror(error));
        return 1;
    }
    printf("X-Wing: opened \"%s\"\n", (const char *)opened);
    return memcmp(opened, message, sizeof message) != 0;
}
