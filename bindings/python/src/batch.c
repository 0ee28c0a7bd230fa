/* Batches over callers' buffers. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/batch.h>

#include "core.h"

/* One of the two or three arrays of a batch. */
typedef struct {
    const char *things;
    size_t each;
    int is_output;
} column;

enum { COLUMNS_MAX = 3 };

/* The number of elements, of the first array, which every other must have; -1 and ValueError if one differs. */
static Py_ssize_t count_elements(const latkem_kem *set, const column *columns, const Py_buffer *views, int count)
{
    const char *const name = latkem_kem_name(set);
    const Py_ssize_t n = views[0].len / (Py_ssize_t)columns[0].each;
    if (views[0].len % (Py_ssize_t)columns[0].each) {
        PyErr_Format(PyExc_ValueError, "%s: %s have a multiple of %zu bytes, not %zd", name, columns[0].things,
                     columns[0].each, views[0].len);
        return -1;
    }
    for (int i = 1; i < count; i++)
        if (views[i].len % (Py_ssize_t)columns[i].each || views[i].len / (Py_ssize_t)columns[i].each != n) {
            PyErr_Format(PyExc_ValueError, "%s: %zd %s have %zd times %zu bytes, not %zd", name, n, columns[i].things,
                         n, columns[i].each, views[i].len);
            return -1;
        }
    return n;
}

/* acquire takes the buffers of a batch and counts its elements. */
static Py_ssize_t acquire(const latkem_kem *set, const column *columns, PyObject *const *objects, Py_buffer *views,
                          int count)
{
    for (int i = 0; i < count; i++) {
        const int failed = columns[i].is_output ? write_buffer(objects[i], &views[i])
                                                : read_buffer(objects[i], &views[i]);
        if (failed) return -1;
    }
    return count_elements(set, columns, views, count);
}

typedef int operation(const latkem_kem *set, size_t n, uint8_t *const *at);

/* run does a batch: found has the Kem and the arrays. Without elements there is nothing to do, and buffers may be NULL. */
static PyObject *run(PyObject *module, PyObject *const *found, const column *columns, int count, operation *operate)
{
    const core_state *state = PyModule_GetState(module);
    PyObject *const kem = found[0];
    Py_buffer views[COLUMNS_MAX] = {{.obj = NULL}, {.obj = NULL}, {.obj = NULL}};
    uint8_t *at[COLUMNS_MAX];
    int error = 0;
    if (!PyObject_TypeCheck(kem, state->kem_type))
        return PyErr_Format(PyExc_TypeError, "kem must be a Kem, not %R", Py_TYPE(kem));
    const Py_ssize_t n = acquire(set_of(kem), columns, found + 1, views, count);
    for (int i = 0; i < count; i++) at[i] = views[i].buf;
    if (n > 0) {
        PyThreadState *const thread = PyEval_SaveThread();
        error = operate(set_of(kem), (size_t)n, at);
        PyEval_RestoreThread(thread);
    }
    release_buffers(views, COLUMNS_MAX);
    if (n < 0) return NULL;
    if (error == LATKEM_ERR_ARGUMENT)
        return PyErr_Format(PyExc_ValueError, "%s: the buffers overlap", latkem_kem_name(set_of(kem)));
    return error ? raise_error(kem, error) : Py_NewRef(Py_None);
}

static int generate(const latkem_kem *set, size_t n, uint8_t *const *at)
{
    return latkem_keypair_batch(set, n, at[0], at[1]);
}

static int encapsulate(const latkem_kem *set, size_t n, uint8_t *const *at)
{
    return latkem_encaps_batch(set, n, at[1], at[2], at[0]);
}

static int decapsulate(const latkem_kem *set, size_t n, uint8_t *const *at)
{
    return latkem_decaps_batch(set, n, at[2], at[1], at[0]);
}

/* set_if returns the set of a Kem. For any other object, which run refuses, it returns NULL, and all sizes are 0. */
static const latkem_kem *set_if(PyObject *module, PyObject *kem)
{
    return PyObject_TypeCheck(kem, ((const core_state *)PyModule_GetState(module))->kem_type) ? set_of(kem) : NULL;
}

PyObject *batch_generate(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"generate", 3, 3, {"kem", "public_keys", "private_keys"}};
    PyObject *found[3];
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    const latkem_kem *set = set_if(module, found[0]);
    const column columns[] = {{"public keys", latkem_ek_bytes(set), 1}, {"private keys", latkem_dk_bytes(set), 1}};
    return run(module, found, columns, 2, generate);
}

PyObject *batch_encapsulate(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"encapsulate", 4, 4, {"kem", "public_keys", "ciphertexts", "shared_secrets"}};
    PyObject *found[4];
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    const latkem_kem *set = set_if(module, found[0]);
    const column columns[] = {{"public keys", latkem_ek_bytes(set), 0},
                              {"ciphertexts", latkem_ct_bytes(set), 1},
                              {"shared secrets", latkem_ss_bytes(set), 1}};
    return run(module, found, columns, 3, encapsulate);
}

PyObject *batch_decapsulate(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"decapsulate", 4, 4, {"kem", "private_keys", "ciphertexts", "shared_secrets"}};
    PyObject *found[4];
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    const latkem_kem *set = set_if(module, found[0]);
    const column columns[] = {{"private keys", latkem_dk_bytes(set), 0},
                              {"ciphertexts", latkem_ct_bytes(set), 0},
                              {"shared secrets", latkem_ss_bytes(set), 1}};
    return run(module, found, columns, 3, decapsulate);
}
