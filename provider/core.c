/* The way to the core: errors, and bytes of its BIOs. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <openssl/crypto.h>
#include <stdarg.h>
#include <string.h>

#include "context.h"

int lkv_core_open(lkv_core *core, const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *functions)
{
    core->handle = handle;
    for (; functions->function_id != 0; functions++) {
        switch (functions->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS: core->get_params = OSSL_FUNC_core_get_params(functions); break;
        case OSSL_FUNC_CORE_OBJ_CREATE: core->obj_create = OSSL_FUNC_core_obj_create(functions); break;
        case OSSL_FUNC_CORE_NEW_ERROR: core->new_error = OSSL_FUNC_core_new_error(functions); break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG: core->set_error_debug = OSSL_FUNC_core_set_error_debug(functions); break;
        case OSSL_FUNC_CORE_VSET_ERROR: core->vset_error = OSSL_FUNC_core_vset_error(functions); break;
        case OSSL_FUNC_BIO_READ_EX: core->read = OSSL_FUNC_BIO_read_ex(functions); break;
        case OSSL_FUNC_BIO_WRITE_EX: core->write = OSSL_FUNC_BIO_write_ex(functions); break;
        case OSSL_FUNC_CRYPTO_MALLOC: core->is_ours = OSSL_FUNC_CRYPTO_malloc(functions) == CRYPTO_malloc; break;
        }
    }
    return core->get_params && core->obj_create && core->new_error && core->set_error_debug && core->vset_error &&
           core->read && core->write;
}

/* ---- Errors ---- */

#define OF_LATKEM(error, text)                                                                                         \
    {                                                                                                                  \
        -(error), (void *)(text)                                                                                       \
    }
#define OF_PROVIDER(reason, text)                                                                                      \
    {                                                                                                                  \
        reason, (void *)(text)                                                                                         \
    }

const OSSL_ITEM lkv_reasons[] = {
    OF_LATKEM(LATKEM_ERR_ARGUMENT, "invalid argument"),
    OF_LATKEM(LATKEM_ERR_LENGTH, "wrong length"),
    OF_LATKEM(LATKEM_ERR_EK, "invalid public key"),
    OF_LATKEM(LATKEM_ERR_DK, "invalid private key"),
    OF_LATKEM(LATKEM_ERR_RNG, "the random generator failed"),
    OF_LATKEM(LATKEM_ERR_CT, "ciphertext without a valid point"),
    OF_LATKEM(LATKEM_ERR_CRYPTO, "libcrypto failed"),
    OF_LATKEM(LATKEM_ERR_FORMAT, "not a key file of this kind"),
    OF_PROVIDER(LKV_NO_KEY, "the key has not the part that is needed"),
    OF_PROVIDER(LKV_SMALL_BUFFER, "the output's buffer is too small"),
    OF_PROVIDER(LKV_FOREIGN_KEY, "the parts of the key do not belong together"),
    OF_PROVIDER(LKV_BAD_PARAMETER, "a parameter is of the wrong type or length"),
    OF_PROVIDER(LKV_BAD_OPTION, "unknown value of an option"),
    OF_PROVIDER(LKV_NO_PASSPHRASE, "no passphrase"),
    OF_PROVIDER(LKV_NO_CIPHER, "no cipher to encrypt the key with"),
    OF_PROVIDER(LKV_SECOND_KEY, "the key is complete and takes no other public key"),
    OF_PROVIDER(LKV_NO_MEMORY, "out of memory"),
    {0, NULL},
};

int lkv_reason_of(int error)
{
    return -error;
}

int lkv_refuse_at(const lkv_core *core, const char *file, int line, const char *function, int reason,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    core->new_error(core->handle);
    core->set_error_debug(core->handle, file, line, function);
    core->vset_error(core->handle, (uint32_t)reason, format, arguments);
    va_end(arguments);
    return 0;
}

/* ---- Bytes ---- */

void *lkv_new(const lkv_core *core, size_t bytes)
{
    void *const new = OPENSSL_zalloc(bytes);
    if (!new) lkv_refuse(core, LKV_NO_MEMORY, NULL);
    return new;
}

/* The header of a DER object: its tag, and a length of up to two bytes behind its own; and the longest that a key file
 * has. */
enum { SHORT_HEADER = 2, SEQUENCE = 0x30, TWO_BYTES = 0x82, ONE_BYTE = 0x81 };

/* The BIO may hand out less than it is asked for. Returns the bytes read, fewer at its end. */
static size_t read_all(const lkv_core *core, OSSL_CORE_BIO *bio, unsigned char *to, size_t len)
{
    size_t done = 0, n = 0;
    while (done < len && core->read(bio, to + done, len - done, &n) == 1 && n > 0) done += n;
    return done;
}

/* The length of the object that begins with a header: the whole of it, or 0 if it is none that a key file has. */
static size_t header_len(const lkv_core *core, OSSL_CORE_BIO *bio, unsigned char header[4], size_t *body)
{
    if (read_all(core, bio, header, SHORT_HEADER) < SHORT_HEADER || header[0] != SEQUENCE) return 0;
    const size_t more = header[1] == TWO_BYTES ? 2 : header[1] == ONE_BYTE ? 1 : 0;
    if (header[1] > TWO_BYTES || header[1] == 0x80) return 0;
    if (read_all(core, bio, header + SHORT_HEADER, more) < more) return 0;
    *body = more == 2 ? (size_t)header[2] << 8 | header[3] : more == 1 ? header[2] : header[1];
    return SHORT_HEADER + more;
}

int lkv_read_der(const lkv_core *core, OSSL_CORE_BIO *bio, unsigned char **der, size_t *len)
{
    unsigned char header[4];
    size_t body = 0;
    const size_t before = header_len(core, bio, header, &body);
    *der = NULL;
    if (before == 0) return 1;
    *len = before + body;
    *der = OPENSSL_secure_malloc(*len);
    if (!*der) return lkv_refuse(core, LKV_NO_MEMORY, NULL);
    memcpy(*der, header, before);
    if (read_all(core, bio, *der + before, body) == body) return 1;
    OPENSSL_secure_clear_free(*der, *len);
    *der = NULL;
    return 1;
}

int lkv_write(const lkv_core *core, OSSL_CORE_BIO *bio, const void *bytes, size_t len)
{
    size_t written = 0;
    return core->write(bio, bytes, len, &written) == 1 && written == len;
}
