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

static int send(uint8_t *enc, uint8_t *ct, const uint8_t *ek, const uint8_t *pt, size_t pt_len)
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

static int receive(uint8_t *pt, const uint8_t *sk, const uint8_t *enc, const uint8_t *ct, size_t ct_len)
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
    static const uint8_t message[] = "the recipient alone reads this";
    uint8_t ek[EK], sk[SK], enc[ENC], ct[sizeof message + LATKEM_HPKE_TAG_BYTES], opened[sizeof message];

    int error = latkem_keypair(latkem_hybrid_find("X-Wing"), ek, sk); /* the recipient publishes ek */
    if (!error) error = send(enc, ct, ek, message, sizeof message);   /* the sender sends enc and ct */
    if (!error) error = receive(opened, sk, enc, ct, sizeof ct);      /* the recipient opens them */
    const int changed = error ? error : (ct[3] ^= 1, receive(opened, sk, enc, ct, sizeof ct));
    printf("hpke: opened: %s; changed: %s\n", latkem_strerror(error), latkem_strerror(changed));
    return error != 0 || changed != LATKEM_ERR_AUTH;
}
