/* The content of a session's storage. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_NOISE_SESSION_H
#define LKP_NOISE_SESSION_H

#include <stdalign.h>
#include <stddef.h>

#include "noise/symmetric.h"
#include "shared/row.h"

/* A value that storage is not likely to hold by chance: a session that is alive. */
#define LKP_NOISE_ALIVE UINT64_C(0x5bd1f02c93e7468a)

/* No pointer is kept but those that prepared.h checks. */
typedef struct {
    uint64_t alive;
    lkp_noise_name name;
    uint8_t role;
    uint8_t message; /* of the handshake: the next one; LKP_NOISE_MESSAGES once it is over */
    uint8_t confirmed, knows_peer;
    uint8_t exported; /* the transport's keys went to the caller */
    lkp_noise_symmetric symmetric;
    uint8_t keys[2][LKP_NOISE_KEY_BYTES]; /* of the transport, from initiator to responder and back */
    uint64_t counters[2];
    uint8_t own_ek[LATKEM_MLKEM_EK_MAX], peer_ek[LATKEM_MLKEM_EK_MAX]; /* static keys */
    union {
        uint8_t dk[LATKEM_MLKEM_DK_MAX]; /* the initiator's */
        uint8_t ek[LATKEM_MLKEM_EK_MAX]; /* as the responder knows it */
    } ephemeral;
    alignas(max_align_t) unsigned char own_dk[LK_PREPARED_HEADER + LK_MLKEM_PREPARED_DK(4)]; /* prepared */
} lkp_noise_session;

/* The source of the generator's bytes; fill NULL: the operating system. */
typedef struct {
    latkem_rng_fn *fill;
    void *ctx;
} lkp_noise_rng;

/* A call that works on a session. */
typedef struct {
    lkp_noise_session *session;
    lkp_noise_suite suite;
} lkp_noise_call;

/* A message of the handshake: lkp_noise_write_tokens writes the part before the payload, and lkp_noise_read_tokens
 * reads it; both return an error, after which the caller ends the session. The room is lkp_noise_overhead less the
 * payload's tag. */
int lkp_noise_write_tokens(lkp_noise_call *call, uint8_t *message, lkp_noise_rng rng);
int lkp_noise_read_tokens(lkp_noise_call *call, const uint8_t *message);

#endif
