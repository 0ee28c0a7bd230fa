/* The tables of functions that OpenSSL asks the provider for, each in its own file. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKV_DISPATCH_H
#define LKV_DISPATCH_H

#include "context.h"

/* The functions of a set's keys, those of every KEM, and those of a format of key files: `properties` are how OpenSSL
 * asks for it (property(7)). Decoders know their set. */
extern const OSSL_DISPATCH *const lkv_keymgmt_functions[LKV_SETS];
extern const OSSL_DISPATCH lkv_kem_functions[];
typedef struct {
    const char *properties;
    const OSSL_DISPATCH *functions;
} lkv_format;
extern const lkv_format lkv_encoder_formats[LKV_ENCODER_FORMATS];
extern const lkv_format lkv_decoder_formats[LKV_SETS][LKV_DECODER_FORMATS];

/* The property by which a program asks for the provider's implementations (property(7)). */
#define LKV_PROPERTY "provider=latkem"

/* An entry of a table. C has no other type for a function of any kind, and OpenSSL casts it back. */
#define LKV_FUNCTION(id, function)                                                                                     \
    {                                                                                                                  \
        id, (void (*)(void))(function)                                                                                 \
    }
#define LKV_FUNCTIONS_END                                                                                              \
    {                                                                                                                  \
        0, NULL                                                                                                        \
    }

/* lkv_capabilities hands OpenSSL's TLS the groups. */
int lkv_capabilities(void *context, const char *capability, OSSL_CALLBACK *callback, void *argument);

#endif
