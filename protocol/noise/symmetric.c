/* The symmetric state, in the steps of the Noise Protocol Framework. SPDX-License-Identifier: Apache-2.0 */
#include "noise/symmetric.h"

#include <string.h>

static lkp_piece hash_of(const lkp_noise_suite *suite, const lkp_noise_symmetric *y)
{
    return (lkp_piece){y->h, suite->hash->bytes};
}

/* Section 4.3, HKDF(ck, input, count): HKDF-Extract, then HKDF-Expand without info to count pieces of HASHLEN. */
static int hkdf(const lkp_noise_suite *suite, const lkp_noise_symmetric *y, uint8_t out[3][LKP_DIGEST_MAX],
                lkp_piece input, size_t count)
{
    static const lkp_piece none;
    const size_t bytes = suite->hash->bytes;
    uint8_t prk[LKP_DIGEST_MAX], all[3 * LKP_DIGEST_MAX];
    int error = lkp_hmac(suite->hash, prk, y->ck, bytes, &input, 1);
    if (!error) error = lkp_hkdf_expand(suite->hash, all, count * bytes, prk, &none, 0);
    for (size_t i = 0; i < count && !error; i++) memcpy(out[i], all + i * bytes, bytes);
    OPENSSL_cleanse(prk, sizeof prk);
    OPENSSL_cleanse(all, sizeof all);
    return error;
}

/* A name that fits is padded with zeros, a longer one is hashed. */
int lkp_noise_initialize(const lkp_noise_suite *suite, lkp_noise_symmetric *y, const char *name)
{
    const lkp_piece whole = {name, strlen(name)};
    int error = 0;
    memset(y, 0, sizeof *y);
    if (whole.len <= suite->hash->bytes)
        memcpy(y->h, name, whole.len);
    else
        error = lkp_hash(NULL, suite->hash, y->h, &whole, 1);
    memcpy(y->ck, y->h, sizeof y->ck);
    return error;
}

int lkp_noise_mix_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, lkp_piece data)
{
    const lkp_piece pieces[] = {hash_of(suite, y), data};
    return lkp_hash(NULL, suite->hash, y->h, pieces, 2);
}

static void set_key(lkp_noise_symmetric *y, const uint8_t *key)
{
    memcpy(y->k, key, sizeof y->k);
    y->n = 0;
    y->keyed = 1;
}

int lkp_noise_mix_key(const lkp_noise_suite *suite, lkp_noise_symmetric *y, lkp_piece secret)
{
    uint8_t out[3][LKP_DIGEST_MAX];
    const int error = hkdf(suite, y, out, secret, 2);
    if (!error) {
        memcpy(y->ck, out[0], suite->hash->bytes);
        set_key(y, out[1]);
    }
    OPENSSL_cleanse(out, sizeof out);
    return error;
}

int lkp_noise_mix_key_and_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, lkp_piece secret)
{
    uint8_t out[3][LKP_DIGEST_MAX];
    int error = hkdf(suite, y, out, secret, 3);
    if (!error) {
        memcpy(y->ck, out[0], suite->hash->bytes);
        set_key(y, out[2]);
        error = lkp_noise_mix_hash(suite, y, (lkp_piece){out[1], suite->hash->bytes});
    }
    OPENSSL_cleanse(out, sizeof out);
    return error;
}

/* Sections 12.3 and 12.4: 32 bits of zeros, then the counter. */
void lkp_noise_nonce(const lkp_noise_suite *suite, uint8_t nonce[LKP_NONCE_BYTES], uint64_t n)
{
    memset(nonce, 0, 4);
    for (size_t i = 0; i < 8; i++) nonce[suite->big_endian ? 11 - i : 4 + i] = (uint8_t)(n >> 8 * i);
}

int lkp_noise_encrypt_and_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, uint8_t *ct, const uint8_t *pt,
                               size_t len)
{
    uint8_t nonce[LKP_NONCE_BYTES];
    int error = 0;
    if (y->keyed) {
        lkp_noise_nonce(suite, nonce, y->n++);
        error = lkp_aead_seal(suite->aead, ct, y->k, nonce, hash_of(suite, y), pt, len);
    } else if (len > 0) {
        memcpy(ct, pt, len);
    }
    return error ? error : lkp_noise_mix_hash(suite, y, (lkp_piece){ct, len + (y->keyed ? LKP_TAG_BYTES : 0)});
}

int lkp_noise_decrypt_and_hash(const lkp_noise_suite *suite, lkp_noise_symmetric *y, uint8_t *pt, const uint8_t *ct,
                               size_t len)
{
    uint8_t nonce[LKP_NONCE_BYTES];
    int error = 0;
    if (y->keyed) {
        lkp_noise_nonce(suite, nonce, y->n++);
        error = lkp_aead_open(suite->aead, pt, y->k, nonce, hash_of(suite, y), ct, len);
    } else if (len > 0) {
        memcpy(pt, ct, len);
    }
    return error ? error : lkp_noise_mix_hash(suite, y, (lkp_piece){ct, len + (y->keyed ? LKP_TAG_BYTES : 0)});
}

int lkp_noise_split(const lkp_noise_suite *suite, const lkp_noise_symmetric *y, uint8_t keys[2][LKP_NOISE_KEY_BYTES])
{
    static const lkp_piece empty;
    uint8_t out[3][LKP_DIGEST_MAX];
    const int error = hkdf(suite, y, out, empty, 2);
    for (size_t i = 0; i < 2 && !error; i++) memcpy(keys[i], out[i], LKP_NOISE_KEY_BYTES);
    OPENSSL_cleanse(out, sizeof out);
    return error;
}
