/* The C calls of harness/bare as an add-on, for times.mjs: open(set) gives a handle, repeat(handle, operation, calls) the
 * result. SPDX-License-Identifier: Apache-2.0 */
#include "bare.h"

#include <stdbool.h>

#include <node_api.h>

static napi_value open_work(napi_env env, napi_callback_info info)
{
    size_t count = 1, len = 0;
    char set[64];
    napi_value argument, result = NULL;
    napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
    napi_get_value_string_utf8(env, argument, set, sizeof set, &len);
    struct bare *const work = bare_open(set);
    if (work)
        napi_create_external(env, work, NULL, NULL, &result);
    else
        napi_throw_error(env, NULL, "there are no keys for the C calls");
    return result;
}

static napi_value repeat(napi_env env, napi_callback_info info)
{
    size_t count = 3;
    napi_value arguments[3], result = NULL;
    void *work = NULL;
    int operation = 0, calls = 0;
    napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
    napi_get_value_external(env, arguments[0], &work);
    napi_get_value_int32(env, arguments[1], &operation);
    napi_get_value_int32(env, arguments[2], &calls);
    napi_create_int32(env, bare_repeat(work, (enum bare_operation)operation, true, calls), &result);
    return result;
}

NAPI_MODULE_INIT()
{
    napi_value f;
    napi_create_function(env, "open", NAPI_AUTO_LENGTH, open_work, NULL, &f);
    napi_set_named_property(env, exports, "open", f);
    napi_create_function(env, "repeat", NAPI_AUTO_LENGTH, repeat, NULL, &f);
    napi_set_named_property(env, exports, "repeat", f);
    return exports;
}
