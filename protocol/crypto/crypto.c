/* libcrypto's hashes, HMAC and AEADs. SPDX-License-Identifier: Apache-2.0 */
#include "crypto/crypto.h"

#include <latkem/latkem.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <string.h>

#include "call/output.h"
#include "crypto/turboshake.h"

const lkp_digest lkp_sha256 = {"SHA256", 32, 0}, lkp_sha384 = {"SHA384", 48, 0}, lkp_sha512 = {"SHA512", 64, 0};
const lkp_digest lkp_sha3_256 = {"SHA3-256", 32, 0}, lkp_shake128 = {"SHAKE128", 32, 0},
                 lkp_shake256 = {"SHAKE256", 64, 0};
const lkp_digest lkp_turboshake128 = {NULL, 32, 168}, lkp_turboshake256 = {NULL, 64, 136};

const lkp_aead lkp_aes_128_gcm = {"AES-128-GCM", 16}, lkp_aes_256_gcm = {"AES-256-GCM", 32};
const lkp_aead lkp_chacha20_poly1305 = {"ChaCha20-Poly1305", 32};

/* libcrypto for i386 writes keys deeper than those of other machines. */
enum { STACK_BELOW = sizeof(void *) == 4 ? 16384 : 8192 };

#if defined(__GNUC__)
__attribute__((noinline))
#elif defined(_MSC_VER)
__declspec(noinline)
#endif
void lkp_wipe_below(void)
{
    unsigned char below[STACK_BELOW];
    OPENSSL_cleanse(below, sizeof below);
}

/* libcrypto's 1 for success as our error. */
static int crypto_error(int ok)
{
    return ok == 1 ? 0 : LATKEM_ERR_CRYPTO;
}

static int absorb(EVP_MD_CTX *context, const EVP_MD *md, const lkp_piece *pieces, size_t count)
{
    int ok = context && md && EVP_DigestInit_ex(context, md, NULL) == 1;
    for (size_t i = 0; ok && i < count; i++) ok = EVP_DigestUpdate(context, pieces[i].at, pieces[i].len) == 1;
    return ok;
}

/* out_len is a XOF's, or 0. */
static int digest_of(OSSL_LIB_CTX *libctx, const lkp_digest *digest, uint8_t *out, size_t out_len,
                     const lkp_piece *pieces, size_t count)
{
    ERR_set_mark();
    const EVP_MD *md = lkp_find_md(libctx, digest->name);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int ok = absorb(context, md, pieces, count);
    if (ok)
        ok = (out_len > 0 ? EVP_DigestFinalXOF(context, out, out_len) : EVP_DigestFinal_ex(context, out, NULL)) == 1;
    EVP_MD_CTX_free(context);
    lkp_release_md(md);
    ERR_pop_to_mark();
    return crypto_error(ok);
}

int lkp_hash(OSSL_LIB_CTX *libctx, const lkp_digest *digest, uint8_t *out, const lkp_piece *pieces, size_t count)
{
    const int error = digest_of(libctx, digest, out, 0, pieces, count);
    return error ? lkp_fail(error, out, digest->bytes) : 0;
}

int lkp_xof(OSSL_LIB_CTX *libctx, const lkp_digest *digest, uint8_t *out, size_t out_len, const lkp_piece *pieces,
            size_t count)
{
    if (out_len == 0) return 0;
    if (digest->turbo_rate > 0) {
        lkp_turboshake(digest->turbo_rate, out, out_len, pieces, count);
        return 0;
    }
    const int error = digest_of(libctx, digest, out, out_len, pieces, count);
    return error ? lkp_fail(error, out, out_len) : 0;
}

int lkp_hmac(const lkp_digest *digest, uint8_t *out, const uint8_t *key, size_t key_len, const lkp_piece *pieces,
             size_t count)
{
    static const uint8_t empty[1];
    ERR_set_mark();
    const int ok = lkp_mac(digest->name, out, digest->bytes, key_len > 0 ? key : empty, key_len, pieces, count);
    ERR_pop_to_mark();
    return ok ? 0 : lkp_fail(LATKEM_ERR_CRYPTO, out, digest->bytes);
}

int lkp_hkdf_expand(const lkp_digest *digest, uint8_t *out, size_t out_len, const uint8_t *prk, const lkp_piece *info,
                    size_t count)
{
    enum { INFO_MAX = 6 };
    uint8_t block[LKP_DIGEST_MAX], number = 0;
    lkp_piece pieces[INFO_MAX + 2] = {{block, 0}}; /* T(i) = HMAC(prk, T(i - 1) || info || i) */
    int error = count <= INFO_MAX && out_len <= 255 * digest->bytes ? 0 : LATKEM_ERR_CRYPTO;
    if (!error) memcpy(pieces + 1, info, count * sizeof *info);
    pieces[count <= INFO_MAX ? count + 1 : 0] = (lkp_piece){&number, 1};
    for (size_t done = 0, n; !error && done < out_len; done += n) {
        n = out_len - done < digest->bytes ? out_len - done : digest->bytes;
        number++;
        error = lkp_hmac(digest, block, prk, digest->bytes, pieces, count + 2);
        memcpy(out + done, block, n);
        pieces[0].len = digest->bytes;
    }
    OPENSSL_cleanse(block, sizeof block);
    return error ? lkp_fail(error, out, out_len) : 0;
}

/* EVP_CipherUpdate takes an int: long texts go in several pieces. A test chooses shorter ones. */
#ifndef LKP_AEAD_PIECE
#define LKP_AEAD_PIECE (1 << 30)
#endif

/* out NULL: the bytes are authenticated alone. */
static int update(EVP_CIPHER_CTX *context, uint8_t *out, const uint8_t *in, size_t len)
{
    for (size_t n; len > 0; len -= n, in += n) {
        int written = 0;
        n = len < LKP_AEAD_PIECE ? len : LKP_AEAD_PIECE;
        if (EVP_CipherUpdate(context, out, &written, in, (int)n) != 1) return 0;
        if (out) out += n;
    }
    return 1;
}

static int begin(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, const uint8_t *key, const uint8_t *nonce,
                 int encrypt)
{
    return context && cipher && EVP_CipherInit_ex(context, cipher, NULL, key, nonce, encrypt) == 1;
}

int lkp_aead_seal(const lkp_aead *aead, uint8_t *ct, const uint8_t *key, const uint8_t *nonce, lkp_piece ad,
                  const uint8_t *pt, size_t len)
{
    int none = 0;
    ERR_set_mark();
    const EVP_CIPHER *cipher = lkp_find_cipher(aead->name);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const int ok = begin(context, cipher, key, nonce, 1) && update(context, NULL, ad.at, ad.len) &&
                   update(context, ct, pt, len) && EVP_CipherFinal_ex(context, ct + len, &none) == 1 &&
                   EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, LKP_TAG_BYTES, ct + len) == 1;
    EVP_CIPHER_CTX_free(context);
    lkp_release_cipher(cipher);
    ERR_pop_to_mark();
    return ok ? 0 : lkp_fail(LATKEM_ERR_CRYPTO, ct, len + LKP_TAG_BYTES);
}

int lkp_aead_open(const lkp_aead *aead, uint8_t *pt, const uint8_t *key, const uint8_t *nonce, lkp_piece ad,
                  const uint8_t *ct, size_t len)
{
    uint8_t tag[LKP_TAG_BYTES];
    int none = 0, error = LATKEM_ERR_CRYPTO;
    memcpy(tag, ct + len, sizeof tag);
    ERR_set_mark();
    const EVP_CIPHER *cipher = lkp_find_cipher(aead->name);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (begin(context, cipher, key, nonce, 0) &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, LKP_TAG_BYTES, tag) == 1 &&
        update(context, NULL, ad.at, ad.len) && update(context, pt, ct, len))
        error = EVP_CipherFinal_ex(context, tag, &none) == 1 ? 0 : LATKEM_ERR_AUTH;
    EVP_CIPHER_CTX_free(context);
    lkp_release_cipher(cipher);
    ERR_pop_to_mark();
    return error ? lkp_fail(error, pt, len) : 0;
}
