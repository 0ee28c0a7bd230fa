/* The module's entry, and the answers to what it has (provider-base(7)). SPDX-License-Identifier: Apache-2.0 */
#include <latkem/hybrid.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>

#include "dispatch.h"

/* ---- What there is ---- */

static OSSL_ALGORITHM algorithm(size_t set, const char *properties, const OSSL_DISPATCH *functions)
{
    return (OSSL_ALGORITHM){lkv_sets[set].names, properties, functions, lkv_sets[set].name};
}

/* The tables begin as zeroes, and so end with an entry of them. */
static void list_algorithms(lkv_algorithms *all)
{
    OSSL_ALGORITHM *encoder = all->encoders, *decoder = all->decoders;
    for (size_t set = 0; set < LKV_SETS; set++) {
        const int has_files = lkv_sets[set].oid != NULL;
        all->keymgmts[set] = algorithm(set, LKV_PROPERTY, lkv_keymgmt_functions[set]);
        all->kems[set] = algorithm(set, LKV_PROPERTY, lkv_kem_functions);
        for (size_t i = 0; has_files && i < LKV_ENCODER_FORMATS; i++)
            *encoder++ = algorithm(set, lkv_encoder_formats[i].properties, lkv_encoder_formats[i].functions);
        for (size_t i = 0; has_files && i < LKV_DECODER_FORMATS; i++)
            *decoder++ = algorithm(set, lkv_decoder_formats[set][i].properties, lkv_decoder_formats[set][i].functions);
    }
}

static const OSSL_PARAM *gettable(void *data)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
        OSSL_PARAM_END,
    };
    (void)data;
    return params;
}

static int put_text(OSSL_PARAM params[], const char *name, const char *text)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
    return !param || OSSL_PARAM_set_utf8_ptr(param, text);
}

static int get_params(void *data, OSSL_PARAM params[])
{
    OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
    (void)data;
    return put_text(params, OSSL_PROV_PARAM_NAME, "latkem provider") &&
           put_text(params, OSSL_PROV_PARAM_VERSION, latkem_version()) &&
           put_text(params, OSSL_PROV_PARAM_BUILDINFO, latkem_version()) && (!status || OSSL_PARAM_set_int(status, 1));
}

static const OSSL_ALGORITHM *query(void *data, int operation, int *no_cache)
{
    const lkv_algorithms *all = &((const lkv_context *)data)->algorithms;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT: return all->keymgmts;
    case OSSL_OP_KEM: return all->kems;
    case OSSL_OP_ENCODER: return all->encoders;
    case OSSL_OP_DECODER: return all->decoders;
    default: return NULL;
    }
}

static const OSSL_ITEM *reasons(void *data)
{
    (void)data;
    return lkv_reasons;
}

/* ---- Loading ---- */

/* If the core is another libcrypto than ours, ours may have ended before the core unloads the module: both clean up when the
 * program exits. The system then gets back all that ours had allocated. The module stays mapped (CMakeLists.txt), because
 * libcrypto keeps the handler. */
static int has_ended;

static void note_end(void)
{
    has_ended = 1;
}

static void watch_end(void)
{
    OPENSSL_atexit(note_end);
}

static int watch_own_libcrypto(const lkv_core *core)
{
    static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
    return core->is_ours || CRYPTO_THREAD_run_once(&once, watch_end);
}

static void context_free(void *data)
{
    lkv_context *context = data;
    if (has_ended) return;
    for (size_t set = 0; set < LKV_SETS; set++) {
        if (context->hybrids[set]) latkem_hybrid_close(context->hybrids[set]);
        OPENSSL_free(context->hybrids[set]);
    }
    OSSL_LIB_CTX_free(context->libcrypto);
    OPENSSL_free(context);
}

/* A hybrid asks the child context for its curve, and so does what the program's configuration says. */
static int open_set(lkv_context *context, size_t set)
{
    const char *name = lkv_sets[set].name;
    int error = 0;
    if (lkv_sets[set].is_hybrid) {
        context->hybrids[set] = OPENSSL_malloc(latkem_hybrid_bytes());
        if (!context->hybrids[set]) return lkv_refuse(&context->core, LKV_NO_MEMORY, NULL);
        error = latkem_hybrid_open(&context->kems[set], context->hybrids[set], latkem_hybrid_find(name),
                                   context->libcrypto);
    } else {
        context->kems[set] = latkem_kem_find(name);
    }
    return error ? lkv_refuse_error(&context->core, error) : 1;
}

/* libcrypto before 3.5 does not know the object identifiers. */
static int register_object(const lkv_core *core, const lkv_set *set)
{
    return !set->oid || core->obj_create(core->handle, set->oid, set->short_name, set->name);
}

static int open(lkv_context *context, const OSSL_DISPATCH *functions)
{
    if (watch_own_libcrypto(&context->core))
        context->libcrypto = OSSL_LIB_CTX_new_child(context->core.handle, functions);
    int ok = context->libcrypto ? lkv_configure(context) : lkv_refuse_error(&context->core, LATKEM_ERR_CRYPTO);
    for (size_t set = 0; ok && set < LKV_SETS; set++)
        ok = register_object(&context->core, &lkv_sets[set]) && open_set(context, set);
    list_algorithms(&context->algorithms);
    return ok;
}

static const OSSL_DISPATCH functions_of_the_provider[] = {
    LKV_FUNCTION(OSSL_FUNC_PROVIDER_TEARDOWN, context_free),
    LKV_FUNCTION(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable),
    LKV_FUNCTION(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    LKV_FUNCTION(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    LKV_FUNCTION(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, reasons),
    LKV_FUNCTION(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, lkv_capabilities),
    LKV_FUNCTIONS_END,
};

/* The module's one exported symbol (exports.map). */
__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out, void **data)
{
    lkv_core core = {.handle = NULL};
    if (!lkv_core_open(&core, handle, in)) return 0;
    lkv_context *context = lkv_new(&core, sizeof *context);
    if (!context) return 0;
    context->core = core;
    if (!open(context, in)) {
        context_free(context);
        return 0;
    }
    *out = functions_of_the_provider;
    *data = context;
    return 1;
}
