/* Two parties who know each other's keys talk: a whole session of PQNoise in memory. Build:
 * cc noise.c $(pkg-config --cflags --libs latkem-protocol)
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/noise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ML-KEM-768's sizes in bytes. */
enum { EK = 1184, DK = 2400 };

static const char protocol[] = "Noise_pqKK_MLKEM768_ChaChaPoly_SHA256";
static const uint8_t prologue[] = "example of latkem"; /* what both sides know: the application and its version */

/* The bytes that go over the network, in both directions. */
static uint8_t wire[LATKEM_NOISE_MESSAGE_MAX];

/* One message with a text, which may be empty, and what the other side reads. */
static int pass(void *from, void *to, const char *text)
{
    uint8_t read[100];
    size_t wire_len = sizeof wire, read_len = sizeof read;
    int error = latkem_noise_write(from, wire, &wire_len, (const uint8_t *)text, strlen(text));
    if (!error) error = latkem_noise_read(to, read, &read_len, wire, wire_len);
    if (!error) printf("%zu bytes: \"%.*s\"\n", wire_len, (int)read_len, (const char *)read);
    return error;
}

static int talk(void *initiator, void *responder)
{
    /* The handshake. Nobody need be believed yet, so the messages carry no text. */
    int error = pass(initiator, responder, "");
    if (!error) error = pass(responder, initiator, "");
    /* The initiator's first message, sent at once, shows the responder who that is. */
    if (!error) error = pass(initiator, responder, "");
    if (!error && latkem_noise_stage(responder) != LATKEM_NOISE_READY) error = LATKEM_ERR_STATE;
    if (!error) error = pass(responder, initiator, "who is there?");
    return error ? error : pass(initiator, responder, "the one whose key you know");
}

int main(void)
{
    uint8_t ek[2][EK], dk[2][DK];
    void *side[2] = {malloc(latkem_noise_bytes()), malloc(latkem_noise_bytes())};
    int error = side[0] && side[1] ? 0 : LATKEM_ERR_CRYPTO;

    /* Each has an ordinary key pair, and got the other's ek in a way that it trusts. */
    for (int i = 0; i < 2 && !error; i++) error = latkem_keypair(latkem_kem_find("ML-KEM-768"), ek[i], dk[i]);
    for (int i = 0; i < 2 && !error; i++)
        error = latkem_noise_start(side[i], protocol, i == 0 ? LATKEM_NOISE_INITIATOR : LATKEM_NOISE_RESPONDER,
                                   prologue, sizeof prologue, dk[i], DK, ek[1 - i], EK);
    if (!error) error = talk(side[0], side[1]);
    for (int i = 0; i < 2; i++) {
        if (side[i]) latkem_noise_end(side[i]);
        free(side[i]);
    }
    if (error) fprintf(stderr, "noise: %s\n", latkem_strerror(error));
    return error != 0;
}
