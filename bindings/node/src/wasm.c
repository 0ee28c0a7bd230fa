/* WebAssembly: what lib/wasm.js calls. Buffers lie in memory from allocate, which release wipes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "operations.h"

#define EXPORT(name) __attribute__((export_name(name)))

/* A call's buffers as JavaScript writes them, and the key that was made. */
typedef struct {
    span spans[SPANS_MAX];
    key *made;
} frame;

EXPORT("allocate") void *node_allocate(size_t len)
{
    return calloc(1, len);
}

EXPORT("release") void node_release(void *p, size_t len)
{
    free_wiped(p, len);
}

EXPORT("frameBytes") size_t node_frame_bytes(void)
{
    return sizeof(frame);
}

EXPORT("run") int node_run(size_t index, size_t subject, frame *f)
{
    const operation *const row = operation_at(index);
    call c = {.set = NULL};
    if (row->subject == SET)
        c.set = latkem_kem_at(subject);
    else if (row->subject != NOTHING)
        c.subject = (key *)subject; /* JavaScript keeps it as a number */
    memcpy(c.spans, f->spans, sizeof c.spans);
    const int result = operate(row, &c);
    f->made = c.made;
    return result;
}

EXPORT("close") void node_close(key *k)
{
    key_free(k);
}

EXPORT("setOf") int node_set_of(const key *k)
{
    return set_index(k);
}

EXPORT("operationName") const char *node_operation_name(size_t index)
{
    const operation *const row = operation_at(index);
    return row ? row->name : NULL;
}

EXPORT("operationInputs") int node_operation_inputs(size_t index)
{
    return operation_at(index)->inputs;
}

EXPORT("operationMakesKey") int node_operation_makes_key(size_t index)
{
    return operation_at(index)->makes_key;
}

EXPORT("setText") const char *node_set_text(size_t index, int is_family)
{
    return set_text(index, is_family);
}

EXPORT("setNumber") int node_set_number(size_t index, int which)
{
    return set_number(index, which);
}

EXPORT("version") const char *node_version(void)
{
    return latkem_version();
}
