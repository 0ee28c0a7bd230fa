/* Backends, errors and version: the API about the library itself. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <latkem/latkem.h>
#include <string.h>

#include "arch/backend.h"

const char *latkem_backend_name(void)
{
    return lk_backend_current()->name;
}

const char *latkem_backend_at(size_t index)
{
    const lk_backend *backend = lk_backend_list(index);
    return backend ? backend->name : NULL;
}

int latkem_backend_use(const char *name)
{
    if (!name) {
        lk_backend_force(NULL);
        return 0;
    }
    const lk_backend *backend;
    for (size_t i = 0; (backend = lk_backend_list(i)); i++) {
        if (strcmp(backend->name, name) != 0) continue;
        lk_backend_force(backend);
        return 0;
    }
    return LATKEM_ERR_BACKEND;
}

const char *latkem_strerror(int error)
{
    switch (error) {
    case LATKEM_OK: return "success";
    case LATKEM_ERR_ARGUMENT: return "an argument is NULL or overlaps an output, or a batch is too large";
    case LATKEM_ERR_LENGTH: return "wrong length of a key, ciphertext, seed or coins";
    case LATKEM_ERR_EK: return "invalid encapsulation key";
    case LATKEM_ERR_DK: return "invalid decapsulation key";
    case LATKEM_ERR_RNG: return "the random generator failed";
    case LATKEM_ERR_BACKEND: return "no such backend on this machine";
    case LATKEM_ERR_PREPARED: return "not a prepared key of this set and kind";
    case LATKEM_ERR_CT: return "invalid hybrid ciphertext: no valid point";
    case LATKEM_ERR_CRYPTO: return "libcrypto failed";
    case LATKEM_ERR_AUTH: return "the message is not authentic";
    case LATKEM_ERR_FORMAT: return "not a key file of this kind";
    case LATKEM_ERR_STATE: return "the call is out of order, the session has ended, or the state is not of this set";
    case LATKEM_ERR_FAULT: return "the operation did not run as it is told: a hardware fault or damaged code";
    default: return "unknown error";
    }
}

const char *latkem_version(void)
{
    return LATKEM_VERSION;
}
