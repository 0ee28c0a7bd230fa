/* Parameters that OpenSSL passes (OSSL_PARAM(3)). SPDX-License-Identifier: Apache-2.0 */
#ifndef LKV_PARAMS_H
#define LKV_PARAMS_H

#include "key.h"

/* Names that headers of OpenSSL 3.0 do not have. */
#define LKV_PARAM_SEED "seed"
#define LKV_PARAM_IKME "ikme"

/* lkv_take_bytes points bytes at a parameter's value, or leaves it if there is no such parameter. lkv_put_number and
 * lkv_put_bytes answer a question, if it is asked; bytes that are not there (at NULL) leave it without an answer. All
 * return 1, or 0 with an error in the queue. */
int lkv_take_bytes(const lkv_core *core, const OSSL_PARAM params[], const char *name, lkv_bytes *bytes);
int lkv_put_number(const lkv_core *core, OSSL_PARAM params[], const char *name, int number);
int lkv_put_bytes(const lkv_core *core, OSSL_PARAM params[], const char *name, lkv_bytes bytes);

/* Whether a file with a private key, and one with a public key, is for a selection. A private key has a public part too.
 * Without a selection OpenSSL guesses. */
int lkv_does_private(void *context, int selection);
int lkv_does_public(void *context, int selection);

/* lkv_key_export hands the selected parts of a key to a callback, as parameters, for another provider. */
int lkv_key_export(const lkv_key *key, int selection, OSSL_CALLBACK *callback, void *argument);

#endif
