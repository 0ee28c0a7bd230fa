/* Noise: authenticated key exchange with ML-KEM, in two messages, then encrypted transport. Of liblatkem-protocol.
 *
 * Post-Quantum Noise (Angel and others, CCS 2022, ePrint 2022/539) over the Noise Protocol Framework, revision 34:
 *
 *   pqNK  the responder is authenticated, the initiator is anonymous
 *   pqKK  both are authenticated, and know each other's keys beforehand
 *   pqIK  both are authenticated, the initiator sends its key encrypted
 *
 * A protocol's name is "Noise_" pattern "_" kem "_" cipher "_" hash, with MLKEM512, MLKEM768 or MLKEM1024, ChaChaPoly
 * or AESGCM, SHA256 or SHA512: "Noise_pqKK_MLKEM768_ChaChaPoly_SHA256" is the one to take. docs/noise.md says what each
 * pattern gives against whom.
 *
 * A session lives in the caller's storage: latkem_noise_bytes() bytes, aligned like max_align_t, with one owner. It must
 * not be copied, or used from two threads at a time or on both sides of a fork: nonces would repeat. It is secret;
 * latkem_noise_end wipes it. Storage in which no session was started may have any content: calls on it return
 * LATKEM_ERR_STATE, and its stage is LATKEM_NOISE_DEAD.
 *
 * An error ends a handshake: a check or a tag that fails, a message that is too short or too long, libcrypto or the
 * generator failing. The state is wiped, and every later call returns LATKEM_ERR_STATE. These errors leave a session as
 * it was:
 *
 *   LATKEM_ERR_ARGUMENT  a NULL buffer or callback (a buffer of 0 bytes may be NULL), buffers that overlap each other or
 *                        the session
 *   LATKEM_ERR_STATE     a call out of order, or more messages than a key may encrypt, 2^64 - 1
 *   LATKEM_ERR_LENGTH    a buffer that is too small, or a payload that is too long
 *   LATKEM_ERR_AUTH, LATKEM_ERR_LENGTH of a transport message that is read: drop it, and the one that is
 *                        expected still verifies
 *
 * On every error outputs are zeroed to their capacity, and no byte of a key or payload comes out; outputs that lie in
 * the session are left alone. If a call takes a capacity and gives a length, the length after an error is the bytes
 * needed if the buffer is too small, else 0. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_NOISE_H
#define LATKEM_NOISE_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LATKEM_NOISE_INITIATOR, LATKEM_NOISE_RESPONDER };

/* Stages of a session. */
enum {
    LATKEM_NOISE_WRITE,       /* this side writes the next message of the handshake */
    LATKEM_NOISE_READ,        /* it reads the next one */
    LATKEM_NOISE_UNCONFIRMED, /* the handshake is over, but nobody has proved to be the initiator: the responder of pqKK and
                                 pqIK must not act on what it knows of it before the first transport message verifies */
    LATKEM_NOISE_READY,       /* transport messages in both directions */
    LATKEM_NOISE_DEAD,        /* ended, or never started */
    LATKEM_NOISE_EXPORTED     /* latkem_noise_keys gave the keys away: no messages follow; hash and peer are known */
};

/* The most bytes of any message. */
#define LATKEM_NOISE_MESSAGE_MAX 65535

/* latkem_noise_bytes returns the size of a session's storage. */
LATKEM_PROTOCOL_API size_t latkem_noise_bytes(void);

/* latkem_noise_start begins a session; one that the storage may have held is wiped, whatever comes of it, and an error
 * leaves none. The prologue is what both sides must agree on beforehand; it may be empty and is not secret. The
 * argument own_dk is this side's static key, expanded or as a 64-byte seed, NULL for pqNK's initiator. The other side's
 * is peer_ek, NULL for the responder of pqNK and pqIK. The length of a key that is NULL does not count. Nothing of them
 * need be kept. Errors: LATKEM_ERR_ARGUMENT (no such protocol or role, a key missing or superfluous, the storage NULL
 * or overlapping an input), LATKEM_ERR_LENGTH, LATKEM_ERR_DK, LATKEM_ERR_EK, LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_noise_start(void *state, const char *protocol, int role, const uint8_t *prologue,
                                           size_t prologue_len, const uint8_t *own_dk, size_t own_dk_len,
                                           const uint8_t *peer_ek, size_t peer_ek_len);

/* latkem_noise_write writes the next message, of the handshake or of the transport, with a payload that may be empty.
 * *message_len is the capacity on the way in and the bytes used on the way out: the payload and latkem_noise_overhead.
 * The payload of message 1 can be replayed, and may come from anybody. An unconfirmed responder
 * may write transport messages, to whoever the initiator is. If libcrypto fails a session ends, in transport too.
 * Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_STATE, LATKEM_ERR_LENGTH, LATKEM_ERR_RNG, LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_noise_write(void *state, uint8_t *message, size_t *message_len, const uint8_t *payload,
                                           size_t payload_len);

/* latkem_noise_write_rng is the same with the caller's generator. Message 1 asks for 32 bytes (m of skem), then 64 (d,
 * z of e). Message 2 asks for 32 (m of ekem), then, but in pqNK, 32 (m of skem). Transport messages ask for none. */
LATKEM_PROTOCOL_API int latkem_noise_write_rng(void *state, uint8_t *message, size_t *message_len,
                                               const uint8_t *payload, size_t payload_len, latkem_rng_fn *fill,
                                               void *ctx);

/* latkem_noise_read reads the next message. *payload_len is the capacity on the way in and the bytes used on the way out:
 * message_len less latkem_noise_overhead. Transport messages are read in the order in which they were written, once each.
 * Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_STATE, LATKEM_ERR_LENGTH (the message's own if *payload_len is then 0),
 * LATKEM_ERR_EK (an e or s that is no key), LATKEM_ERR_AUTH, LATKEM_ERR_CRYPTO. The peer need not learn which. */
LATKEM_PROTOCOL_API int latkem_noise_read(void *state, uint8_t *payload, size_t *payload_len, const uint8_t *message,
                                          size_t message_len);

/* latkem_noise_overhead returns how many bytes the next message of either side has beside its payload; 0 if there is no
 * session, or its keys were exported. */
LATKEM_PROTOCOL_API size_t latkem_noise_overhead(const void *state);

/* latkem_noise_stage returns the stage. It does not show that a direction has used up its messages. */
LATKEM_PROTOCOL_API int latkem_noise_stage(const void *state);

/* latkem_noise_peer_ek gives the other side's static key: in pqIK's responder once message 1 is read, which anybody can
 * have written, and wherever it was known at the start. Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_STATE (not known, or no
 * session), LATKEM_ERR_LENGTH. */
LATKEM_PROTOCOL_API int latkem_noise_peer_ek(const void *state, uint8_t *ek, size_t ek_len);

/* latkem_noise_hash gives the hash of the whole handshake, 32 or 64 bytes, which names keys, messages and payloads: a
 * channel binding. *hash_len is the capacity, then the length. Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_STATE before the
 * handshake is over, LATKEM_ERR_LENGTH. */
LATKEM_PROTOCOL_API int latkem_noise_hash(const void *state, uint8_t *hash, size_t *hash_len);

/* latkem_noise_keys gives the two keys instead of transport messages, from initiator to responder and back. It can be
 * called once and ends the session's messages, because two users of one key would repeat nonces. The session wipes its
 * copies, and to write or to read is LATKEM_ERR_STATE from then on. The responder of pqKK and pqIK must then find out
 * itself who the initiator is. Errors, which leave the session as it was: LATKEM_ERR_ARGUMENT, LATKEM_ERR_STATE before
 * the handshake is over, once a message was written or read, or on a second call. */
LATKEM_PROTOCOL_API int latkem_noise_keys(void *state, uint8_t i2r[32], uint8_t r2i[32]);

/* latkem_noise_end wipes the storage. Storage of any content, but not NULL, may be given. */
LATKEM_PROTOCOL_API void latkem_noise_end(void *state);

#ifdef __cplusplus
}
#endif
#endif
