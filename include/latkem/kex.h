/* UAKE and AKE: the key exchanges of the Kyber round-3 code, for research and comparison.
 *
 * A starts with message 1, B replies with message 2, A finishes; both then have the same key. B has a static key pair, and
 * in AKE A has one too: keys of latkem_keypair, which each side must know to be the other's. A's ephemeral key is new in
 * each exchange.
 *
 * These exchanges are not for new designs: they confirm no key, bind neither names nor messages, and the pre-standard
 * KEM below them has been replaced. noise.h has exchanges with a proof. docs/kex.md says what an attacker can do.
 *
 * The sets are those of Kyber and Kyber-90s; every other is refused with LATKEM_ERR_ARGUMENT and has size 0. No message
 * of the right length is an error: a wrong one gives the two sides different keys. Outputs are zeroed on every error. A
 * call takes as much stack as a batch may (latkem_stack_bytes_batch in batch.h).
 *
 * Conventions as in latkem.h. Source: kex.c of the Kyber round-3 package; Bos and others, "CRYSTALS-Kyber", ePrint
 * 2017/634, section 5. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_KEX_H
#define LATKEM_KEX_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the key that both sides get. */
#define LATKEM_KEX_KEY_BYTES 32

/* Sizes in bytes, 0 for NULL and for sets without an exchange. Message 1 is ek || ct in both exchanges, message 2 is ct
 * in UAKE and ct || ct in AKE. Between them A keeps the state: the ephemeral dk and a secret of 32 bytes. */
LATKEM_API size_t latkem_kex_message1_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_uake_message2_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_ake_message2_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_kex_state_bytes(const latkem_kem *kem);

/* latkem_uake_start makes message 1 for the owner of ek_b, and the state that latkem_uake_finish takes. The state is
 * secret and serves once. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_RNG. */
LATKEM_API int latkem_uake_start(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                                 size_t ek_b_len);

/* latkem_uake_reply takes message 1 and B's dk, and makes message 2 and the key. Errors: LATKEM_ERR_LENGTH,
 * LATKEM_ERR_RNG. */
LATKEM_API int latkem_uake_reply(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                                 size_t message1_len, const uint8_t *dk_b, size_t dk_b_len);

/* latkem_uake_finish takes message 2 and the state, and makes the key. It wipes the state, unless its length is wrong.
 * Errors: LATKEM_ERR_LENGTH. */
LATKEM_API int latkem_uake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len,
                                  uint8_t *state, size_t state_len);

/* The same for AKE, in which B also encapsulates to A's static key. */
LATKEM_API int latkem_ake_start(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                                size_t ek_b_len);
LATKEM_API int latkem_ake_reply(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                                size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, const uint8_t *ek_a,
                                size_t ek_a_len);
LATKEM_API int latkem_ake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len,
                                 uint8_t *state, size_t state_len, const uint8_t *dk_a, size_t dk_a_len);

/* The same with the caller's generator. start asks for 32 bytes d, 32 z and 32 m; reply for 32 m of each encapsulation,
 * that to the ephemeral key first. */
LATKEM_API int latkem_uake_start_rng(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                                     size_t ek_b_len, latkem_rng_fn *fill, void *ctx);
LATKEM_API int latkem_uake_reply_rng(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                                     size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, latkem_rng_fn *fill,
                                     void *ctx);
LATKEM_API int latkem_ake_start_rng(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                                    size_t ek_b_len, latkem_rng_fn *fill, void *ctx);
LATKEM_API int latkem_ake_reply_rng(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                                    size_t message1_len, const uint8_t *dk_b, size_t dk_b_len, const uint8_t *ek_a,
                                    size_t ek_a_len, latkem_rng_fn *fill, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
