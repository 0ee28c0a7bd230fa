/* X25519, P-256 and P-384 by libcrypto.
 *
 * For P-256 and P-384, EVP has no way from a scalar to its share, and makes the curve anew for each key. EC_POINT has one
 * curve for all; its product with one scalar takes constant time (Montgomery's ladder, or a kernel for the curve).
 * SPDX-License-Identifier: Apache-2.0 */
#include "hybrid/group.h"

#include <latkem/latkem.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <string.h>

#include "crypto/public.h"

#define F8 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff

/* Orders and primes: SEC 2, sections 2.4.2 and 2.5.1. */
static const uint8_t order_p256[32] = {0xff, 0xff, 0xff, 0xff, 0,    0,    0,    0,    F8,   0xbc, 0xe6, 0xfa, 0xad,
                                       0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
static const uint8_t prime_p256[32] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1,    0,    0,    0,    0, 0,
                                       0,    0,    0,    0,    0, 0, 0, 0xff, 0xff, 0xff, 0xff, F8};
static const uint8_t order_p384[48] = {F8,   F8,   F8,   0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37,
                                       0x2d, 0xdf, 0x58, 0x1a, 0x0d, 0xb2, 0x48, 0xb0, 0xa7,
                                       0x7a, 0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73};
static const uint8_t prime_p384[48] = {F8,   F8, F8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff,
                                       0xff, 0,  0,  0,    0,    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff};

const lkp_group lkp_x25519 = {.scalar = 32, .share = 32, .secret = 32, .random = 32};
const lkp_group lkp_p256 = {NID_X9_62_prime256v1, 32, 65, 32, 96, order_p256, prime_p256};
const lkp_group lkp_p384 = {NID_secp384r1, 48, 97, 48, 48, order_p384, prime_p384};

int lkp_library_open(lkp_library *library, const lkp_group *group, OSSL_LIB_CTX *libctx)
{
    *library = (lkp_library){.libctx = libctx};
    if (!lkp_context_known(libctx)) return LATKEM_ERR_ARGUMENT;
    if (!group->nid) return 0;
    ERR_set_mark();
    library->points = lkp_new_points(libctx, group->nid);
    ERR_pop_to_mark();
    return library->points ? 0 : LATKEM_ERR_CRYPTO;
}

void lkp_library_close(lkp_library *library)
{
    EC_GROUP_free(library->points);
}

/* Makes the objects that the call does not have yet. Returns whether it has all. */
static int make_ready(lkp_curve *curve)
{
    const lkp_library *library = curve->library;
    if (!curve->points) curve->points = library->points;
    if (!curve->points) curve->points = lkp_new_points(library->libctx, curve->group->nid);
    if (!curve->numbers) curve->numbers = lkp_new_numbers(library->libctx);
    return curve->points && curve->numbers;
}

void lkp_curve_close(lkp_curve *curve)
{
    if (curve->points != curve->library->points) EC_GROUP_free(curve->points);
    BN_CTX_free(curve->numbers);
    EVP_PKEY_CTX_free(curve->import);
}

/* ---- Scalars ---- */

/* 1 if a < b, else 0: the borrow of a - b, both big-endian. */
static unsigned below(const uint8_t *a, const uint8_t *b, size_t len)
{
    unsigned borrow = 0;
    while (len-- > 0) borrow = ((unsigned)a[len] - b[len] - borrow) >> 8 & 1;
    return borrow;
}

/* 1 if a scalar is in 1..order - 1, else 0. */
static unsigned in_range(const lkp_group *group, const uint8_t *scalar)
{
    unsigned any = 0;
    for (size_t i = 0; i < group->scalar; i++) any |= scalar[i];
    return (0 - any) >> 8 & below(scalar, group->order, group->scalar) & 1;
}

/* The absence of a candidate is public, and by chance never happens. */
int lkp_scalar(const lkp_group *group, uint8_t *scalar, const uint8_t *random)
{
    unsigned found = 0;
    if (!group->order) {
        memcpy(scalar, random, group->scalar);
        return 0;
    }
    memset(scalar, 0, group->scalar);
    for (size_t at = 0; at < group->random; at += group->scalar) {
        const unsigned take = in_range(group, random + at) & ~found;
        for (size_t i = 0; i < group->scalar; i++) scalar[i] |= (uint8_t)(random[at + i] & (0 - take));
        found |= take;
    }
    lk_declassify(&found, sizeof found);
    return found ? 0 : LATKEM_ERR_RNG;
}

int lkp_scalar_valid(const lkp_group *group, const uint8_t *scalar)
{
    const unsigned valid = group->order ? in_range(group, scalar) : 1;
    lk_declassify(&valid, sizeof valid); /* an error or none */
    return (int)valid;
}

/* ---- X25519 ---- */

/* The u-coordinates of small order beside 0, 1 and p - 1 = 2^255 - 20, little-endian: those of the points of order 8.
 * Every scalar is a multiple of 8, so their secret is 0 (RFC 7748 section 6.1). */
static const uint8_t order_8[2][32] = {
    {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
     0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00},
    {0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
     0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57},
};

/* The top bit is ignored, and 0 and 1 are also p and p + 1 (RFC 7748 section 5). */
static int small_order(const uint8_t *share)
{
    uint8_t u[32], low = 0, high = 0xff;
    memcpy(u, share, sizeof u);
    u[31] &= 0x7f;
    for (size_t i = 1; i < sizeof u; i++) {
        low |= u[i];
        high &= u[i] | (i == 31 ? 0x80 : 0);
    }
    if (low == 0) return u[0] <= 1;
    if (high == 0xff) return u[0] >= 0xec && u[0] <= 0xee; /* p - 1, p, p + 1 */
    return memcmp(u, order_8[0], sizeof u) == 0 || memcmp(u, order_8[1], sizeof u) == 0;
}

static int exchange_x25519(lkp_curve *curve, uint8_t *share, uint8_t *secret, const uint8_t *scalar,
                           const uint8_t *peer)
{
    if (secret && small_order(peer)) return LKP_BAD_SHARE;
    const int ok = lkp_x25519_exchange(curve->library->libctx, &curve->import, share, secret, scalar, peer);
    return ok ? 0 : LATKEM_ERR_CRYPTO;
}

/* ---- P-256 and P-384 ---- */

/* Reads a share, which is public. libcrypto would take the hybrid forms 06 and 07 too. */
static int load_share(const lkp_curve *curve, EC_POINT *point, const uint8_t *share)
{
    const lkp_group *g = curve->group;
    const uint8_t *x = share + 1, *y = x + g->secret;
    if (share[0] != POINT_CONVERSION_UNCOMPRESSED) return LKP_BAD_SHARE;
    if (!below(x, g->prime, g->secret) || !below(y, g->prime, g->secret)) return LKP_BAD_SHARE;
    const int loaded = lkp_load_point(curve->points, point, share, g->share, curve->numbers);
    return loaded == 1 ? 0 : loaded == 0 ? LKP_BAD_SHARE : LATKEM_ERR_CRYPTO;
}

static int write_share(const lkp_curve *curve, uint8_t *share, EC_POINT *point, const BIGNUM *scalar)
{
    const size_t len = curve->group->share;
    return EC_POINT_mul(curve->points, point, scalar, NULL, NULL, curve->numbers) == 1 &&
           EC_POINT_point2oct(curve->points, point, POINT_CONVERSION_UNCOMPRESSED, share, len, curve->numbers) == len;
}

static int write_secret(const lkp_curve *curve, uint8_t *secret, EC_POINT *point, const BIGNUM *scalar,
                        const EC_POINT *peer)
{
    const int len = (int)curve->group->secret;
    BIGNUM *x = BN_secure_new();
    const int ok = x && EC_POINT_mul(curve->points, point, NULL, peer, scalar, curve->numbers) == 1 &&
                   EC_POINT_get_affine_coordinates(curve->points, point, x, NULL, curve->numbers) == 1 &&
                   BN_bn2binpad(x, secret, len) == len;
    BN_clear_free(x);
    return ok;
}

static int exchange_nist(lkp_curve *curve, uint8_t *share, uint8_t *secret, const uint8_t *scalar, const uint8_t *peer)
{
    if (!make_ready(curve)) return LATKEM_ERR_CRYPTO;
    EC_POINT *point = EC_POINT_new(curve->points), *other = EC_POINT_new(curve->points);
    BIGNUM *k = lkp_new_secret(scalar, curve->group->scalar);
    int error = point && other && k ? 0 : LATKEM_ERR_CRYPTO;
    if (!error && secret) error = load_share(curve, other, peer);
    if (!error && share && !write_share(curve, share, point, k)) error = LATKEM_ERR_CRYPTO;
    if (!error && secret && !write_secret(curve, secret, point, k, other)) error = LATKEM_ERR_CRYPTO;
    BN_clear_free(k);
    EC_POINT_clear_free(point);
    EC_POINT_clear_free(other);
    return error;
}

static int load_and_forget(lkp_curve *curve, const uint8_t *share)
{
    if (!make_ready(curve)) return LATKEM_ERR_CRYPTO;
    EC_POINT *point = EC_POINT_new(curve->points);
    const int error = point ? load_share(curve, point, share) : LATKEM_ERR_CRYPTO;
    EC_POINT_free(point);
    return error;
}

/* ---- Both ---- */

int lkp_share_check(lkp_curve *curve, const uint8_t *share)
{
    if (!curve->group->nid) return small_order(share) ? LKP_BAD_SHARE : 0;
    ERR_set_mark();
    const int error = load_and_forget(curve, share);
    ERR_pop_to_mark();
    return error;
}

int lkp_exchange(lkp_curve *curve, uint8_t *share, uint8_t *secret, const uint8_t *scalar, const uint8_t *peer)
{
    ERR_set_mark();
    const int error = curve->group->nid ? exchange_nist(curve, share, secret, scalar, peer)
                                        : exchange_x25519(curve, share, secret, scalar, peer);
    ERR_pop_to_mark();
    return error;
}
