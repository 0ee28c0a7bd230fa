/* OpenSSL 3.0 or newer. Everything is fetched from a library context. X25519 goes through EVP_PKEY, without work that is
 * not needed: a key gets any share if nobody asked for its share, because libcrypto would compute it, and EVP validates
 * no peer. SPDX-License-Identifier: Apache-2.0 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include "crypto/libcrypto.h"

enum { X25519_BYTES = 32 };

int lkp_context_known(const OSSL_LIB_CTX *libctx)
{
    (void)libctx;
    return 1;
}

const EVP_MD *lkp_find_md(OSSL_LIB_CTX *libctx, const char *name)
{
    return EVP_MD_fetch(libctx, name, NULL);
}

const EVP_CIPHER *lkp_find_cipher(const char *name)
{
    return EVP_CIPHER_fetch(NULL, name, NULL);
}

void lkp_release_md(const EVP_MD *md)
{
    EVP_MD_free((EVP_MD *)md);
}

void lkp_release_cipher(const EVP_CIPHER *cipher)
{
    EVP_CIPHER_free((EVP_CIPHER *)cipher);
}

static int authenticate(EVP_MAC_CTX *context, uint8_t *out, size_t out_len, const lkp_piece *pieces, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        if (EVP_MAC_update(context, pieces[i].at, pieces[i].len) != 1) return 0;
    return EVP_MAC_final(context, out, &len, out_len) == 1 && len == out_len;
}

int lkp_mac(const char *name, uint8_t *out, size_t out_len, const uint8_t *key, size_t key_len, const lkp_piece *pieces,
            size_t count)
{
    OSSL_PARAM params[2];
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)name, 0);
    params[1] = OSSL_PARAM_construct_end();
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac ? EVP_MAC_CTX_new(mac) : NULL;
    const int ok = context && EVP_MAC_init(context, key, key_len, params) == 1 &&
                   authenticate(context, out, out_len, pieces, count);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    return ok;
}

EC_GROUP *lkp_new_points(OSSL_LIB_CTX *libctx, int nid)
{
    return EC_GROUP_new_by_curve_name_ex(libctx, NULL, nid);
}

BN_CTX *lkp_new_numbers(OSSL_LIB_CTX *libctx)
{
    return BN_CTX_secure_new_ex(libctx);
}

BIGNUM *lkp_new_secret(const uint8_t *bytes, size_t len)
{
    BIGNUM *number = BN_secure_new();
    if (number && !BN_bin2bn(bytes, (int)len, number)) {
        BN_clear_free(number);
        return NULL;
    }
    if (number) BN_set_flags(number, BN_FLG_CONSTTIME);
    return number;
}

/* It looks whether the point is on the curve, and says so if not; that is asked again, because it says the same if its
 * memory runs out. */
int lkp_load_point(const EC_GROUP *points, EC_POINT *point, const uint8_t *bytes, size_t len, BN_CTX *numbers)
{
    if (EC_POINT_oct2point(points, point, bytes, len, numbers) == 1) return 1;
    if (ERR_GET_REASON(ERR_peek_last_error()) != EC_R_POINT_IS_NOT_ON_CURVE) return -1;
    return EC_POINT_is_on_curve(points, point, numbers) == 0 ? 0 : -1;
}

/* A key of a share, or of a scalar with a share or without, which libcrypto then computes. It copies both. */
static EVP_PKEY *import(EVP_PKEY_CTX *context, const uint8_t *scalar, const uint8_t *share)
{
    OSSL_PARAM params[3];
    size_t n = 0;
    EVP_PKEY *key = NULL;
    if (scalar) params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, (void *)scalar, X25519_BYTES);
    if (share) params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)share, X25519_BYTES);
    params[n] = OSSL_PARAM_construct_end();
    if (EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params) != 1) return NULL;
    return key;
}

static int derive(OSSL_LIB_CTX *libctx, uint8_t *secret, EVP_PKEY *own, EVP_PKEY *peer)
{
    size_t len = X25519_BYTES;
    EVP_PKEY_CTX *context = peer ? EVP_PKEY_CTX_new_from_pkey(libctx, own, NULL) : NULL;
    const int ok = context && EVP_PKEY_derive_init(context) == 1 &&
                   EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1 && EVP_PKEY_derive(context, secret, &len) == 1 &&
                   len == X25519_BYTES;
    EVP_PKEY_CTX_free(context);
    return ok;
}

int lkp_x25519_exchange(OSSL_LIB_CTX *libctx, EVP_PKEY_CTX **kept, uint8_t *share, uint8_t *secret,
                        const uint8_t *scalar, const uint8_t *peer)
{
    size_t len = X25519_BYTES;
    if (!*kept) *kept = EVP_PKEY_CTX_new_from_name(libctx, "X25519", NULL);
    if (!*kept || EVP_PKEY_fromdata_init(*kept) != 1) return 0;
    EVP_PKEY *own = import(*kept, scalar, share ? NULL : peer);
    EVP_PKEY *other = secret ? import(*kept, NULL, peer) : NULL;
    int ok = own != NULL;
    if (ok && share) ok = EVP_PKEY_get_raw_public_key(own, share, &len) == 1 && len == X25519_BYTES;
    if (ok && secret) ok = derive(libctx, secret, own, other);
    EVP_PKEY_free(own);
    EVP_PKEY_free(other);
    return ok;
}
