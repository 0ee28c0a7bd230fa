/* The differences between one libcrypto and another: openssl.c has them for OpenSSL, aws_lc.c for AWS-LC, and CMake takes
 * one of the two. All other calls of libcrypto are the same in both. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_CRYPTO_LIBCRYPTO_H
#define LKP_CRYPTO_LIBCRYPTO_H

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

/* AWS-LC has no library contexts. */
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;

/* A piece of what is hashed. */
typedef struct {
    const void *at;
    size_t len;
} lkp_piece;

/* lkp_context_known returns whether a library context can be used. NULL, the default one, always can. */
int lkp_context_known(const OSSL_LIB_CTX *libctx);

/* Algorithms by OpenSSL's names. The caller releases what is not NULL. */
const EVP_MD *lkp_find_md(OSSL_LIB_CTX *libctx, const char *name);
const EVP_CIPHER *lkp_find_cipher(const char *name);
void lkp_release_md(const EVP_MD *md);
void lkp_release_cipher(const EVP_CIPHER *cipher);

/* lkp_mac is HMAC of the pieces with the hash of that name. Returns whether out has been written. */
int lkp_mac(const char *name, uint8_t *out, size_t out_len, const uint8_t *key, size_t key_len, const lkp_piece *pieces,
            size_t count);

/* A curve, storage for numbers, and a number that is secret. Freed by EC_GROUP_free, BN_CTX_free and BN_clear_free. */
EC_GROUP *lkp_new_points(OSSL_LIB_CTX *libctx, int nid);
BN_CTX *lkp_new_numbers(OSSL_LIB_CTX *libctx);
BIGNUM *lkp_new_secret(const uint8_t *bytes, size_t len);

/* lkp_load_point reads an uncompressed point (SEC 1 section 2.3.4). Returns 1, 0 if it is not on the curve, or -1 if
 * libcrypto fails. */
int lkp_load_point(const EC_GROUP *points, EC_POINT *point, const uint8_t *bytes, size_t len, BN_CTX *numbers);

/* lkp_x25519_exchange writes the share of a scalar, and the secret of scalar and peer, which is not of small order. An
 * output that is NULL is not wanted. *kept, NULL at first, is for the next calls of the same caller, and freed by
 * EVP_PKEY_CTX_free. Returns whether the outputs have been written. */
int lkp_x25519_exchange(OSSL_LIB_CTX *libctx, EVP_PKEY_CTX **kept, uint8_t *share, uint8_t *secret,
                        const uint8_t *scalar, const uint8_t *peer);

#endif
