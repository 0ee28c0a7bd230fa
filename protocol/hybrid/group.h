/* The groups of hybrids: X25519 (RFC 7748), P-256 and P-384 (SEC 1), all arithmetic libcrypto's.
 *
 * A share is a public key as it is sent, a scalar a private key, a secret the result of Diffie-Hellman: a u-coordinate,
 * or an x-coordinate of fixed length. libcrypto's error queue is left as it was. Secrets in libcrypto's own memory are
 * in objects that it wipes. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_HYBRID_GROUP_H
#define LKP_HYBRID_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "crypto/libcrypto.h"

/* A group. Lengths are in bytes. */
typedef struct {
    int nid;                      /* libcrypto's number of the curve; 0: X25519 */
    size_t scalar, share, secret; /* lengths */
    size_t random;                /* of the randomness for one scalar: candidates, one behind the other */
    const uint8_t *order, *prime; /* of P-256 and P-384, big-endian */
} lkp_group;

extern const lkp_group lkp_x25519, lkp_p256, lkp_p384;

/* The largest of the lengths above; those of a scalar and of a secret are the same. */
enum { LKP_SCALAR_MAX = 48, LKP_SHARE_MAX = 97, LKP_GROUP_RANDOM_MAX = 96 };

/* libcrypto as one hybrid uses it: a library context, and the objects that stay from call to call. Such an object never
 * changes, because many threads use it. It is made without a fetch, because the context may have no provider yet. */
typedef struct {
    OSSL_LIB_CTX *libctx; /* NULL: the default one */
    EC_GROUP *points;     /* of P-256 and P-384; NULL: each call makes its own */
} lkp_library;

/* lkp_library_open makes the objects that stay for a group. Returns 0, LATKEM_ERR_ARGUMENT for a context that libcrypto
 * does not have, or LATKEM_ERR_CRYPTO; after an error there are none. lkp_library_close frees them. */
int lkp_library_open(lkp_library *library, const lkp_group *group, OSSL_LIB_CTX *libctx);
void lkp_library_close(lkp_library *library);

/* The objects of one call in a group. It begins as {group, library}; the functions below make the others when they need
 * them. lkp_curve_close frees them. */
typedef struct {
    const lkp_group *group;
    const lkp_library *library;
    EC_GROUP *points; /* of P-256 and P-384: the library's or the call's own */
    BN_CTX *numbers;
    EVP_PKEY_CTX *import; /* of X25519 */
} lkp_curve;

void lkp_curve_close(lkp_curve *curve);

/* A share is refused: it is not a point, or an X25519 share of small order, with which every secret is 0. */
enum { LKP_BAD_SHARE = 1 };

/* lkp_scalar makes a scalar of group->random bytes: of X25519 these as they are, of the others the first candidate in
 * 1..order - 1, without a branch on which it is. Returns 0, or LATKEM_ERR_RNG if there is none. */
int lkp_scalar(const lkp_group *group, uint8_t *scalar, const uint8_t *random);

/* lkp_scalar_valid returns whether a scalar is in 1..order - 1; of X25519 all are. */
int lkp_scalar_valid(const lkp_group *group, const uint8_t *scalar);

/* lkp_share_check returns 0, LKP_BAD_SHARE or LATKEM_ERR_CRYPTO. The share is public. A share of X25519 is checked without
 * libcrypto. */
int lkp_share_check(lkp_curve *curve, const uint8_t *share);

/* lkp_exchange writes the share of a valid scalar, and the secret of scalar and peer, a share that it checks first. An
 * output that is NULL is not wanted; without a secret peer is not read. Returns 0, LKP_BAD_SHARE or LATKEM_ERR_CRYPTO;
 * outputs are then not to be used. */
int lkp_exchange(lkp_curve *curve, uint8_t *share, uint8_t *secret, const uint8_t *scalar, const uint8_t *peer);

#endif
