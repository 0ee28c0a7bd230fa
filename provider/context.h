/* The provider's context: the core's functions, a library context of libcrypto, the options of the configuration.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LKV_CONTEXT_H
#define LKV_CONTEXT_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include "offered.h"

/* The functions of the core that are called. The core is the libcrypto that has loaded the provider; what is allocated
 * or counted there must go back there. The module's own calls may bind to another libcrypto, as where a program has
 * OpenSSL linked in. */
typedef struct {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_get_params_fn *get_params;
    OSSL_FUNC_core_obj_create_fn *obj_create;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_FUNC_BIO_read_ex_fn *read;
    OSSL_FUNC_BIO_write_ex_fn *write;
    int is_ours; /* the module's own calls reach the core too */
} lkv_core;

/* The algorithms of a kind, as OpenSSL asks for them: sets with each format that they have, and an end. */
enum { LKV_ENCODER_FORMATS = 7, LKV_DECODER_FORMATS = 2 };
typedef struct {
    OSSL_ALGORITHM keymgmts[LKV_SETS + 1], kems[LKV_SETS + 1];
    OSSL_ALGORITHM encoders[LKV_SETS * LKV_ENCODER_FORMATS + 1], decoders[LKV_SETS * LKV_DECODER_FORMATS + 1];
} lkv_algorithms;

/* A loaded provider. Read only once it is loaded: threads share it. */
typedef struct {
    lkv_core core;
    OSSL_LIB_CTX *libcrypto;          /* a child of the core's */
    const latkem_kem *kems[LKV_SETS]; /* of the rows of lkv_sets; hybrids use libcrypto above */
    void *hybrids[LKV_SETS];          /* storage of the hybrids among them; or NULL */
    int form;                         /* of private keys that are written: a LATKEM_FORM_ */
    int offers_group[LKV_SETS];       /* whether TLS is offered the group of a row */
    lkv_algorithms algorithms;
} lkv_context;

/* lkv_core_open takes what is needed of the core's functions, and returns 0 if one is missing. */
int lkv_core_open(lkv_core *core, const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *functions);

/* lkv_configure reads the options. Returns 1, or 0 with an error in the queue and on stderr. */
int lkv_configure(lkv_context *context);

/* lkv_refuse puts an error into the core's queue and returns 0, the provider interface's failure: reason is one of
 * lkv_reasons, and format, which may be NULL, makes further text. No text has a byte of a key. */
#define lkv_refuse(core, reason, ...) lkv_refuse_at(core, __FILE__, __LINE__, __func__, reason, __VA_ARGS__)
int lkv_refuse_at(const lkv_core *core, const char *file, int line, const char *function, int reason,
                  const char *format, ...);

/* lkv_refuse_error does so for an error of latkem. */
#define lkv_refuse_error(core, error) lkv_refuse(core, lkv_reason_of(error), NULL)

/* Reasons: the errors of latkem, as positive numbers, and further ones. */
enum {
    LKV_NO_KEY = 64,   /* an operation's key has not the part that it needs */
    LKV_SMALL_BUFFER,  /* the output's */
    LKV_FOREIGN_KEY,   /* parts of a key that do not belong together, or of another set */
    LKV_BAD_PARAMETER, /* a parameter of the wrong type or length */
    LKV_BAD_OPTION,    /* of the configuration */
    LKV_NO_PASSPHRASE, /* none was given */
    LKV_NO_CIPHER,     /* none of that name, or none was asked for */
    LKV_SECOND_KEY,    /* a key that is complete gets another one */
    LKV_NO_MEMORY
};
extern const OSSL_ITEM lkv_reasons[];
int lkv_reason_of(int error);

/* lkv_new returns zeroed memory of libcrypto's heap, or NULL with an error in the queue. */
void *lkv_new(const lkv_core *core, size_t bytes);

/* lkv_read_der reads one DER object from the core's BIO: *der is allocated, or NULL if there is none that could be a key
 * file. lkv_write writes bytes. Both return 1, or 0 with an error in the queue. */
int lkv_read_der(const lkv_core *core, OSSL_CORE_BIO *bio, unsigned char **der, size_t *len);
int lkv_write(const lkv_core *core, OSSL_CORE_BIO *bio, const void *bytes, size_t len);

#endif
