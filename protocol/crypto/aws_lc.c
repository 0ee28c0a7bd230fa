/* AWS-LC. Its algorithms and curves are constants, so nothing is fetched, made or freed; X25519 is two functions.
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/curve25519.h>
#include <openssl/err.h>
#include <openssl/hmac.h>

#include "crypto/libcrypto.h"

int lkp_context_known(const OSSL_LIB_CTX *libctx)
{
    return !libctx;
}

const EVP_MD *lkp_find_md(OSSL_LIB_CTX *libctx, const char *name)
{
    (void)libctx;
    return EVP_get_digestbyname(name);
}

const EVP_CIPHER *lkp_find_cipher(const char *name)
{
    return EVP_get_cipherbyname(name);
}

void lkp_release_md(const EVP_MD *md)
{
    (void)md;
}

void lkp_release_cipher(const EVP_CIPHER *cipher)
{
    (void)cipher;
}

int lkp_mac(const char *name, uint8_t *out, size_t out_len, const uint8_t *key, size_t key_len, const lkp_piece *pieces,
            size_t count)
{
    HMAC_CTX *context = HMAC_CTX_new();
    unsigned len = 0;
    int ok = context && HMAC_Init_ex(context, key, key_len, EVP_get_digestbyname(name), NULL) == 1;
    for (size_t i = 0; ok && i < count; i++) ok = HMAC_Update(context, pieces[i].at, pieces[i].len) == 1;
    ok = ok && HMAC_Final(context, out, &len) == 1 && len == out_len;
    HMAC_CTX_free(context);
    return ok;
}

EC_GROUP *lkp_new_points(OSSL_LIB_CTX *libctx, int nid)
{
    (void)libctx;
    return EC_GROUP_new_by_curve_name(nid);
}

BN_CTX *lkp_new_numbers(OSSL_LIB_CTX *libctx)
{
    (void)libctx;
    return BN_CTX_new();
}

/* Its functions take the same time for every number. */
BIGNUM *lkp_new_secret(const uint8_t *bytes, size_t len)
{
    return BN_bin2bn(bytes, len, NULL);
}

int lkp_load_point(const EC_GROUP *points, EC_POINT *point, const uint8_t *bytes, size_t len, BN_CTX *numbers)
{
    if (EC_POINT_oct2point(points, point, bytes, len, numbers) == 1) return 1;
    return ERR_GET_REASON(ERR_peek_last_error()) == EC_R_POINT_IS_NOT_ON_CURVE ? 0 : -1;
}

int lkp_x25519_exchange(OSSL_LIB_CTX *libctx, EVP_PKEY_CTX **kept, uint8_t *share, uint8_t *secret,
                        const uint8_t *scalar, const uint8_t *peer)
{
    (void)libctx;
    (void)kept;
    if (share) X25519_public_from_private(share, scalar);
    return !secret || X25519(secret, scalar, peer) == 1;
}
