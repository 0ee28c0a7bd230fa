/* Noise's symmetric state (the Noise Protocol Framework, revision 34, section 5.2): a hash of the whole transcript and a
 * chain of keys, into which every secret goes. Functions return 0, LATKEM_ERR_CRYPTO or, where they decrypt,
 * LATKEM_ERR_AUTH. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_NOISE_SYMMETRIC_H
#define LKP_NOISE_SYMMETRIC_H

#include "noise/suite.h"

enum { LKP_NOISE_KEY_BYTES = 32 };

typedef struct {
    uint8_t h[LKP_DIGEST_MAX], ck[LKP_DIGEST_MAX];
    uint8_t k[LKP_NOISE_KEY_BYTES];
    uint64_t n;
    int keyed; /* k is not empty */
} lkp_noise_symmetric;

/* Initialize(name). */
int lkp_noise_initialize(const lkp_noise_suite *suite, lkp_noise_symmetric *y, const char *name);

int lkp_noise_mix_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, lkp_piece data);
int lkp_noise_mix_key(const lkp_noise_suite *suite, lkp_noise_symmetric *y, lkp_piece secret);
int lkp_noise_mix_key_and_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, lkp_piece secret);

/* EncryptAndHash and DecryptAndHash of len bytes of plaintext. The other text has LKP_TAG_BYTES more once there is a key.
 * Without one the two texts are the same, and both functions copy. */
int lkp_noise_encrypt_and_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, uint8_t *ct, const uint8_t *pt,
                               size_t len);
int lkp_noise_decrypt_and_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, uint8_t *pt, const uint8_t *ct,
                               size_t len);

/* Split: the keys of the transport, from initiator to responder and back. */
int lkp_noise_split(const lkp_noise_suite *suite, const lkp_noise_symmetric *y, uint8_t keys[2][LKP_NOISE_KEY_BYTES]);

/* lkp_noise_nonce writes the nonce of message n under a key. */
void lkp_noise_nonce(const lkp_noise_suite *suite, uint8_t nonce[LKP_NONCE_BYTES], uint64_t n);

#endif
