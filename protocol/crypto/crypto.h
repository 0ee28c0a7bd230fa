/* The protocols' interface to libcrypto: hashes, HMAC, HKDF and AEADs. TurboSHAKE is our own.
 *
 * Functions return 0 or LATKEM_ERR_CRYPTO, and zero their output on an error. libcrypto's error queue is left as it was.
 * Everything secret in libcrypto's own memory is freed by the functions of its that wipe. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef LKP_CRYPTO_H
#define LKP_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#include "crypto/libcrypto.h"

/* A hash or extendable-output function. */
typedef struct {
    const char *name;  /* libcrypto's */
    size_t bytes;      /* of its output; of an XOF what HPKE takes from it */
    size_t turbo_rate; /* of TurboSHAKE, which libcrypto does not have; 0 of all others */
} lkp_digest;

extern const lkp_digest lkp_sha256, lkp_sha384, lkp_sha512, lkp_sha3_256, lkp_shake128, lkp_shake256;
extern const lkp_digest lkp_turboshake128, lkp_turboshake256;

/* The most bytes of a hash's output. */
enum { LKP_DIGEST_MAX = 64 };

/* lkp_hash hashes the pieces, one behind the other, to digest->bytes. lkp_xof does so to out_len bytes. out may be one of
 * the pieces. The digest is fetched from libctx; NULL: the default context, from which the other functions fetch. */
int lkp_hash(OSSL_LIB_CTX *libctx, const lkp_digest *digest, uint8_t *out, const lkp_piece *pieces, size_t count);
int lkp_xof(OSSL_LIB_CTX *libctx, const lkp_digest *digest, uint8_t *out, size_t out_len, const lkp_piece *pieces,
            size_t count);

/* lkp_hmac authenticates the pieces under key (RFC 2104), to digest->bytes. The key may be empty. */
int lkp_hmac(const lkp_digest *digest, uint8_t *out, const uint8_t *key, size_t key_len, const lkp_piece *pieces,
             size_t count);

/* lkp_hkdf_expand is HKDF-Expand (RFC 5869) with the info in pieces, six at most; out_len <= 255 * digest->bytes.
 * HKDF-Extract is lkp_hmac with the salt as key. */
int lkp_hkdf_expand(const lkp_digest *digest, uint8_t *out, size_t out_len, const uint8_t *prk, const lkp_piece *info,
                    size_t count);

/* An AEAD with nonces of 12 bytes and tags of 16. */
typedef struct {
    const char *name; /* libcrypto's */
    size_t key_bytes;
} lkp_aead;

extern const lkp_aead lkp_aes_128_gcm, lkp_aes_256_gcm, lkp_chacha20_poly1305;

enum { LKP_NONCE_BYTES = 12, LKP_TAG_BYTES = 16, LKP_AEAD_KEY_MAX = 32 };

/* lkp_aead_seal encrypts pt to ct, of len + LKP_TAG_BYTES bytes. lkp_aead_open decrypts ct, of len + LKP_TAG_BYTES bytes,
 * to pt, of len; its further error is LATKEM_ERR_AUTH. The two texts must not overlap. */
int lkp_aead_seal(const lkp_aead *aead, uint8_t *ct, const uint8_t *key, const uint8_t *nonce, lkp_piece ad,
                  const uint8_t *pt, size_t len);
int lkp_aead_open(const lkp_aead *aead, uint8_t *pt, const uint8_t *key, const uint8_t *nonce, lkp_piece ad,
                  const uint8_t *ct, size_t len);

/* lkp_wipe_below wipes what libcrypto's functions have left on the stack below the caller's frame: keys and scalars, on some
 * machines. Every call of the public API that has given libcrypto a secret ends with it. */
void lkp_wipe_below(void);

#endif
