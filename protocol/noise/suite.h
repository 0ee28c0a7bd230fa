/* Protocols of Post-Quantum Noise: their names, and what a pattern's messages are made of. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef LKP_NOISE_SUITE_H
#define LKP_NOISE_SUITE_H

#include <latkem/latkem.h>

#include "crypto/crypto.h"

/* The tokens of a message; the payload follows.
 * e     a fresh ek of the sender's
 * s     the sender's static ek, encrypted
 * ekem  an encapsulation to the receiver's e
 * skem  an encapsulation to the receiver's static ek, encrypted once there is a key */
typedef enum { LKP_NO_TOKEN, LKP_E, LKP_S, LKP_EKEM, LKP_SKEM } lkp_noise_token;

enum { LKP_NOISE_MESSAGES = 2, LKP_NOISE_TOKENS = 4 };

typedef struct {
    const char *name;
    uint8_t initiator_has_key, initiator_is_known; /* has a static key; which the responder knows beforehand */
    uint8_t messages[LKP_NOISE_MESSAGES][LKP_NOISE_TOKENS];
} lkp_noise_pattern;

/* The parts of a name by their places in the tables of suite.c. */
typedef struct {
    uint8_t pattern, kem, cipher, hash;
} lkp_noise_name;

/* Their meaning. */
typedef struct {
    const lkp_noise_pattern *pattern;
    const latkem_kem *kem;
    size_t ek, dk, ct; /* the KEM's sizes */
    const lkp_aead *aead;
    int big_endian; /* the counter in the nonce */
    const lkp_digest *hash;
} lkp_noise_suite;

/* lkp_noise_find finds the meaning of a name's parts; returns 0 if there are no such parts, or no such KEM in this
 * build. */
int lkp_noise_find(lkp_noise_name name, lkp_noise_suite *suite);

/* lkp_noise_parse finds the parts of a protocol's name, and their meaning; returns 0 if there is no such protocol. */
int lkp_noise_parse(const char *protocol, lkp_noise_name *name, lkp_noise_suite *suite);

/* lkp_noise_overhead returns how many bytes message 0 or 1 of the handshake has beside its payload. */
size_t lkp_noise_overhead(const lkp_noise_suite *suite, size_t message);

#endif
