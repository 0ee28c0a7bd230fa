/* The groups that TLS is offered (provider-base(7), CAPABILITIES). SPDX-License-Identifier: Apache-2.0 */
#include <latkem/hybrid.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>
#include <string.h>

#include "dispatch.h"

/* The same value twice is a smallest and a largest version; 0 as the largest is no limit, -1 is never. */
static int offer(const lkv_context *context, size_t set, OSSL_CALLBACK *callback, void *argument)
{
    const lkv_set *s = &lkv_sets[set];
    unsigned id = latkem_tls_group(context->kems[set]), bits = (unsigned)s->security_bits, is_kem = 1;
    int from = TLS1_3_VERSION, without_limit = 0, never = -1;
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME, (char *)s->group, 0),
        OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, (char *)s->group, 0),
        OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_ALG, (char *)s->name, 0),
        OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &id),
        OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &bits),
        OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, &is_kem),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &from),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &without_limit),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &never),
        OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &never),
        OSSL_PARAM_construct_end(),
    };
    return callback(params, argument);
}

int lkv_capabilities(void *data, const char *capability, OSSL_CALLBACK *callback, void *argument)
{
    const lkv_context *context = data;
    int ok = strcmp(capability, "TLS-GROUP") == 0;
    for (size_t set = 0; ok && set < LKV_SETS; set++)
        if (context->offers_group[set]) ok = offer(context, set, callback, argument);
    return ok;
}
