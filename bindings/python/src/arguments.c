/* Arguments, buffers and errors. SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

/* The parameter of that name, or -1. */
static int parameter_at(const parameters *wanted, PyObject *name)
{
    for (int i = 0; i < wanted->count; i++)
        if (PyUnicode_CompareWithASCIIString(name, wanted->names[i]) == 0) return i;
    return -1;
}

static int read_named(const parameters *wanted, PyObject *const *values, PyObject *kwnames, PyObject **found)
{
    const Py_ssize_t count = kwnames ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const name = PyTuple_GetItem(kwnames, i);
        const int at = parameter_at(wanted, name);
        if (at < 0 || found[at]) {
            PyErr_Format(PyExc_TypeError,
                         at < 0 ? "%s() got an unexpected keyword argument '%U'"
                                : "%s() got multiple values for argument '%U'",
                         wanted->function, name);
            return -1;
        }
        found[at] = values[i];
    }
    return 0;
}

int read_arguments(const parameters *wanted, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                   PyObject **found)
{
    if (nargs > wanted->count) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments but %zd were given", wanted->function, wanted->count,
                     nargs);
        return -1;
    }
    for (int i = 0; i < wanted->count; i++) found[i] = i < nargs ? args[i] : NULL;
    if (read_named(wanted, args + nargs, kwnames, found)) return -1;
    for (int i = 0; i < wanted->required; i++)
        if (!found[i]) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", wanted->function, wanted->names[i]);
            return -1;
        }
    return 0;
}

int read_buffer(PyObject *object, Py_buffer *view)
{
    return PyObject_GetBuffer(object, view, PyBUF_SIMPLE);
}

/* A buffer that can only be read is of the wrong type, whichever exception its exporter has for it. */
int write_buffer(PyObject *object, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE) == 0) return 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) != 0) {
        PyErr_Clear();
        PyErr_Restore(type, value, traceback);
        return -1;
    }
    PyBuffer_Release(view);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyErr_Format(PyExc_TypeError, "a writable bytes-like object is required, not a read-only %R", Py_TYPE(object));
    return -1;
}

void release_buffers(Py_buffer *views, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (views[i].obj) PyBuffer_Release(&views[i]);
}

int buffers_overlap(const Py_buffer *a, const Py_buffer *b)
{
    const uintptr_t x = (uintptr_t)a->buf, y = (uintptr_t)b->buf;
    if (a->len == 0 || b->len == 0) return 0;
    return x <= y ? y - x < (uintptr_t)a->len : x - y < (uintptr_t)b->len;
}

int check_length(const latkem_kem *set, const char *thing, size_t wanted, const Py_buffer *view)
{
    if ((size_t)view->len == wanted) return 0;
    PyErr_Format(PyExc_ValueError, "%s: %s has %zu bytes, not %zd", latkem_kem_name(set), thing, wanted, view->len);
    return -1;
}

int read_exactly(const latkem_kem *set, const char *thing, size_t wanted, PyObject *object, Py_buffer *view)
{
    if (read_buffer(object, view)) return -1;
    if (check_length(set, thing, wanted, view) == 0) return 0;
    PyBuffer_Release(view);
    return -1;
}

PyObject *raise_error(PyObject *kem, int error)
{
    const core_state *state = state_of(kem);
    const char *name = latkem_kem_name(set_of(kem)), *said = latkem_strerror(error);
    if (error == RAISED) return NULL;
    switch (error) {
    case LATKEM_ERR_EK:
    case LATKEM_ERR_DK: return PyErr_Format(state->invalid_key, "%s: %s", name, said);
    case LATKEM_ERR_RNG: return PyErr_Format(state->random_failure, "%s: %s", name, said);
    case LATKEM_ERR_FAULT: return PyErr_Format(PyExc_RuntimeError, "%s: %s", name, said);
    default: return PyErr_Format(PyExc_ValueError, "%s: %s", name, said);
    }
}

PyObject *new_bytes(size_t len, uint8_t **at)
{
    PyObject *const bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
    if (bytes) *at = (uint8_t *)PyBytes_AsString(bytes);
    return bytes;
}
