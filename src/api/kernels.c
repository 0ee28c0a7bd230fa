/* The list of kernels, and where those of a backend come from: read off the tables.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <string.h>

#include "arch/backend.h"

/* A kernel's name, the place of its table in a backend, and its own place in the table. */
typedef struct {
    const char *name;
    size_t table, place;
} kernel;

typedef void function(void);

#define NAME(family, name) #family "/" #name
#define OF_RING(family, name, group)                                                                                   \
    {                                                                                                                  \
        NAME(family, name), offsetof(lk_backend, family), offsetof(lk_##family##_kernels, name)                        \
    }
#define SYMMETRIC(family, name, group)                                                                                 \
    {                                                                                                                  \
        NAME(family, name), offsetof(lk_backend, symmetric.family), offsetof(lk_##family##_kernels, name)              \
    }

static const kernel kernels[] = {
    LK_Q3329_LIST(OF_RING),    LK_NEGACYCLIC_LIST(OF_RING), LK_CYCLIC_LIST(OF_RING), LK_TERNARY_LIST(OF_RING),
    LK_KECCAK_LIST(SYMMETRIC), LK_AES_LIST(SYMMETRIC),      LK_SHA2_LIST(SYMMETRIC),
};

/* NULL where this build leaves the family out. */
static const void *table_of(const lk_backend *backend, const kernel *k)
{
    const void *table;
    memcpy(&table, (const char *)backend + k->table, sizeof table);
    return table;
}

static function *function_at(const void *table, const kernel *k)
{
    function *f;
    memcpy(&f, (const char *)table + k->place, sizeof f);
    return f;
}

static int is_recompiled(const lk_backend *backend, const kernel *k)
{
    const void *recompiled = NULL;
    if (k->table == offsetof(lk_backend, cyclic)) recompiled = backend->cyclic->recompiled;
    if (k->table == offsetof(lk_backend, ternary)) recompiled = backend->ternary->recompiled;
    return recompiled && function_at(recompiled, k);
}

/* The portable backend has assembly too, where the compiler's target has chosen it. */
static int is_of_target(function *f)
{
#if defined(LK_KECCAK_OF_TARGET)
    return f == (function *)LK_KECCAK_OF_TARGET;
#else
    (void)f;
    return 0;
#endif
}

static const kernel *kernel_at(size_t index)
{
    const lk_backend *portable = lk_backend_list(0);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (table_of(portable, &kernels[i]) && index-- == 0) return &kernels[i];
    return NULL;
}

static const lk_backend *backend_named(const char *name)
{
    const lk_backend *backend = NULL;
    for (size_t i = 0; (backend = lk_backend_list(i)); i++)
        if (strcmp(backend->name, name) == 0) break;
    return backend;
}

const char *latkem_kernel_at(size_t index)
{
    const kernel *k = kernel_at(index);
    return k ? k->name : NULL;
}

const char *latkem_kernel_origin(size_t index, const char *backend)
{
    const kernel *k = kernel_at(index);
    const lk_backend *b = backend ? backend_named(backend) : NULL;
    if (!k || !b) return NULL;
    function *f = function_at(table_of(b, k), k);
    if (!f) return "none";
    if (is_of_target(f)) return "native";
    if (f == function_at(table_of(lk_backend_list(0), k), k)) return "portable";
    return is_recompiled(b, k) ? "recompiled" : "native";
}
