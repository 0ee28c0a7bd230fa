/* The add-on: the rows of operations.h as functions of Node-API 8, in each environment (worker) for itself.
 *
 * A function's arguments are its subject, the index of a set or a key, and Uint8Arrays. It returns a key or a number: an
 * error below 0, or what the operation gives. A key is an external value: a box, which its garbage collection frees
 * with all that is in it. SPDX-License-Identifier: Apache-2.0 */
#define NAPI_VERSION 8
#include <latkem/backend.h>
#include <node_api.h>
#include <stdlib.h>

#include "operations.h"

enum { ARGUMENTS_MAX = 1 + SPANS_MAX };

typedef struct {
    key *held; /* NULL once it is closed */
} box;

static napi_value number_of(napi_env env, int number)
{
    napi_value value = NULL;
    napi_create_int32(env, number, &value);
    return value;
}

static napi_value text_of(napi_env env, const char *text)
{
    napi_value value = NULL;
    if (text)
        napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
    else
        napi_get_undefined(env, &value);
    return value;
}

static void empty(napi_env env, box *b)
{
    int64_t total;
    if (!b->held) return;
    napi_adjust_external_memory(env, -(int64_t)key_footprint(b->held), &total);
    key_free(b->held);
    b->held = NULL;
}

static void collect(napi_env env, void *data, void *hint)
{
    (void)hint;
    empty(env, data);
    free(data);
}

/* value_of_key gives a key to JavaScript. */
static napi_value value_of_key(napi_env env, key *made)
{
    napi_value value = NULL;
    int64_t total;
    box *const b = malloc(sizeof *b);
    if (b) *b = (box){made};
    if (b && napi_create_external(env, b, collect, NULL, &value) == napi_ok) {
        napi_adjust_external_memory(env, (int64_t)key_footprint(made), &total);
        return value;
    }
    key_free(made);
    free(b);
    return number_of(env, ERR_MEMORY);
}

static key *held_in(napi_env env, napi_value value)
{
    void *data;
    return napi_get_value_external(env, value, &data) == napi_ok ? ((box *)data)->held : NULL;
}

static void read_subject(napi_env env, const operation *row, napi_value value, call *c)
{
    uint32_t index;
    if (row->subject == SET)
        c->set = napi_get_value_uint32(env, value, &index) == napi_ok ? latkem_kem_at(index) : NULL;
    else if (row->subject != NOTHING)
        c->subject = held_in(env, value);
}

static int read_span(napi_env env, napi_value value, span *s)
{
    napi_typedarray_type type;
    void *data;
    if (napi_get_typedarray_info(env, value, &type, &s->len, &data, NULL, NULL) != napi_ok) return LATKEM_ERR_ARGUMENT;
    s->at = data;
    return type == napi_uint8_array ? 0 : LATKEM_ERR_ARGUMENT;
}

static napi_value dispatch(napi_env env, napi_callback_info info)
{
    size_t count = ARGUMENTS_MAX;
    napi_value arguments[ARGUMENTS_MAX];
    void *data;
    call c = {.set = NULL};
    int result = 0;
    if (napi_get_cb_info(env, info, &count, arguments, NULL, &data) != napi_ok) return NULL;
    const operation *const row = data;
    const int spans = operation_spans(row);
    read_subject(env, row, arguments[0], &c);
    for (int i = 0; i < spans && result == 0; i++) result = read_span(env, arguments[1 + i], &c.spans[i]);
    if (result == 0) result = operate(row, &c);
    return c.made ? value_of_key(env, c.made) : number_of(env, result);
}

static napi_value close_key(napi_env env, napi_callback_info info)
{
    size_t count = 1;
    napi_value argument;
    void *data;
    if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) == napi_ok &&
        napi_get_value_external(env, argument, &data) == napi_ok)
        empty(env, data);
    return NULL;
}

static napi_value set_of_key(napi_env env, napi_callback_info info)
{
    size_t count = 1;
    napi_value argument;
    if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok) return NULL;
    const key *const k = held_in(env, argument);
    return number_of(env, k ? set_index(k) : LATKEM_ERR_ARGUMENT);
}

static int read_two(napi_env env, napi_callback_info info, uint32_t *a, uint32_t *b)
{
    size_t count = 2;
    napi_value arguments[2];
    return napi_get_cb_info(env, info, &count, arguments, NULL, NULL) == napi_ok &&
           napi_get_value_uint32(env, arguments[0], a) == napi_ok &&
           napi_get_value_uint32(env, arguments[1], b) == napi_ok;
}

static napi_value text_of_set(napi_env env, napi_callback_info info)
{
    uint32_t index, is_family;
    return read_two(env, info, &index, &is_family) ? text_of(env, set_text(index, (int)is_family)) : NULL;
}

static napi_value number_of_set(napi_env env, napi_callback_info info)
{
    uint32_t index, which;
    return read_two(env, info, &index, &which) ? number_of(env, set_number(index, (int)which)) : NULL;
}

static void offer(napi_env env, napi_value exports, const char *name, napi_callback function, const void *data)
{
    napi_value value;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, function, (void *)data, &value) == napi_ok)
        napi_set_named_property(env, exports, name, value);
}

NAPI_MODULE_INIT()
{
    const operation *row;
    for (size_t i = 0; (row = operation_at(i)); i++) offer(env, exports, row->name, dispatch, row);
    offer(env, exports, "close", close_key, NULL);
    offer(env, exports, "setOf", set_of_key, NULL);
    offer(env, exports, "setText", text_of_set, NULL);
    offer(env, exports, "setNumber", number_of_set, NULL);
    napi_set_named_property(env, exports, "version", text_of(env, latkem_version()));
    napi_set_named_property(env, exports, "backend", text_of(env, latkem_backend_name()));
    return exports;
}
