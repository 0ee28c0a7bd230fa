/* Key files of ML-KEM (RFC 9935): DER by the library's one parser, PEM around it with Python's base64.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/keyfile.h>
#include <stdlib.h>

#include "core.h"

enum { PEM_LINE = 64 };

/* The bytes of a file, or a part of one. */
typedef struct {
    const uint8_t *at;
    size_t len;
} span;

static int is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static int begins(span text, const char *with)
{
    return text.len >= strlen(with) && memcmp(text.at, with, strlen(with)) == 0;
}

/* drop_wiped lets go of an object that nobody else has, once its bytes are wiped. Python shares those of 0 and 1 byte. */
static void drop_wiped(PyObject *bytes)
{
    if (bytes && PyBytes_Size(bytes) > 1) wipe(PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    Py_XDECREF(bytes);
}

/* A function of binascii with bytes, which may be secret and are not kept. */
static PyObject *convert(PyObject *function, span in, const char *option, int value)
{
    PyObject *const view = PyMemoryView_FromMemory((char *)in.at, (Py_ssize_t)in.len, PyBUF_READ);
    PyObject *const args = view ? PyTuple_Pack(1, view) : NULL;
    PyObject *const options = Py_BuildValue("{s:O}", option, value ? Py_True : Py_False);
    PyObject *const out = args && options ? PyObject_Call(function, args, options) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(args);
    Py_XDECREF(options);
    return out;
}

/* ---- reading ---- */

static span trimmed(span text)
{
    while (text.len > 0 && is_space(text.at[0])) text = (span){text.at + 1, text.len - 1};
    while (text.len > 0 && is_space(text.at[text.len - 1])) text.len--;
    return text;
}

/* The text between the two boundaries of a label, or none (at is NULL). */
static span between_boundaries(span text, const char *label)
{
    char begin[40], end[40];
    PyOS_snprintf(begin, sizeof begin, "-----BEGIN %s-----", label);
    PyOS_snprintf(end, sizeof end, "-----END %s-----", label);
    text = trimmed(text);
    const span last = {text.at + text.len - strlen(end), strlen(end)};
    if (text.len < strlen(begin) + strlen(end) || !begins(text, begin) || !begins(last, end)) return (span){NULL, 0};
    return (span){text.at + strlen(begin), text.len - strlen(begin) - strlen(end)};
}

/* The bytes of a PEM text; NULL without an exception if it is none. */
static PyObject *decode(const core_state *state, span text, const char *label)
{
    const span body = between_boundaries(text, label);
    uint8_t *const packed = body.at ? malloc(body.len + 1) : NULL;
    if (!packed) return body.at ? PyErr_NoMemory() : NULL;
    size_t len = 0;
    for (size_t i = 0; i < body.len; i++)
        if (!is_space(body.at[i])) packed[len++] = body.at[i];
    PyObject *const der = convert(state->from_base64, (span){packed, len}, "strict_mode", 1);
    wipe(packed, len);
    free(packed);
    if (!der && PyErr_ExceptionMatches(PyExc_ValueError)) PyErr_Clear();
    return der;
}

typedef PyObject *der_reader(core_state *state, span der);

/* No DER of a key begins with a hyphen, and every PEM of one does, but for white space before it. */
static PyObject *load(core_state *state, span file, const char *label, der_reader *read)
{
    const span text = trimmed(file);
    if (text.len == 0 || text.at[0] != '-') return read(state, file);
    PyObject *const der = decode(state, text, label);
    PyObject *key = NULL;
    if (der)
        key = read(state, (span){(const uint8_t *)PyBytes_AsString(der), (size_t)PyBytes_Size(der)});
    else if (!PyErr_Occurred())
        PyErr_Format(state->invalid_key, "no PEM text with the label '%s'", label);
    drop_wiped(der);
    return key;
}

static PyObject *not_a_file(const core_state *state, const char *kind, int error)
{
    return PyErr_Format(state->invalid_key, "no key file of an ML-KEM %s key: %s", kind, latkem_strerror(error));
}

static PyObject *read_public(core_state *state, span der)
{
    const latkem_kem *set;
    uint8_t ek[LATKEM_MLKEM_EK_MAX];
    size_t ek_len = sizeof ek;
    const int error = der.len == 0 ? LATKEM_ERR_FORMAT : latkem_public_key_read(&set, ek, &ek_len, der.at, der.len);
    if (error) return not_a_file(state, "public", error);
    PyObject *const kem = find_kem(state, set);
    PyObject *const key = public_key_new(kem, ek);
    Py_DECREF(kem);
    return key;
}

/* A private key's parts, on the heap. */
typedef struct {
    uint8_t seed[LATKEM_MLKEM_SEED_BYTES], dk[LATKEM_MLKEM_DK_MAX];
    size_t seed_len, dk_len;
} parts;

static PyObject *read_parts(core_state *state, span der, parts *key)
{
    const latkem_kem *set;
    int form, error = LATKEM_ERR_FORMAT;
    key->seed_len = sizeof key->seed;
    key->dk_len = sizeof key->dk;
    if (der.len > 0) {
        PyThreadState *const thread = PyEval_SaveThread();
        error = latkem_private_key_read(&set, &form, key->seed, &key->seed_len, key->dk, &key->dk_len, der.at, der.len);
        PyEval_RestoreThread(thread);
    }
    if (error) return not_a_file(state, "private", error);
    PyObject *const kem = find_kem(state, set);
    PyObject *const made = private_key_from_file(kem, key->seed_len > 0 ? key->seed : NULL, key->dk);
    Py_DECREF(kem);
    return made;
}

static PyObject *read_private(core_state *state, span der)
{
    parts *const key = malloc(sizeof *key);
    if (!key) return PyErr_NoMemory();
    PyObject *const made = read_parts(state, der, key);
    free_wiped(key, sizeof *key);
    return made;
}

PyObject *load_private_key(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"load_private_key", 1, 1, {"data"}};
    PyObject *data;
    Py_buffer view;
    if (read_arguments(&wanted, args, nargs, kwnames, &data) || read_buffer(data, &view)) return NULL;
    PyObject *const key = load(PyModule_GetState(module), (span){view.buf, (size_t)view.len}, "PRIVATE KEY",
                               read_private);
    PyBuffer_Release(&view);
    return key;
}

PyObject *load_public_key(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"load_public_key", 1, 1, {"data"}};
    PyObject *data;
    Py_buffer view;
    if (read_arguments(&wanted, args, nargs, kwnames, &data) || read_buffer(data, &view)) return NULL;
    PyObject *const key = load(PyModule_GetState(module), (span){view.buf, (size_t)view.len}, "PUBLIC KEY",
                               read_public);
    PyBuffer_Release(&view);
    return key;
}

/* ---- writing ---- */

int read_encoding(PyObject *encoding)
{
    if (!encoding) return 1;
    if (!PyUnicode_Check(encoding)) {
        PyErr_Format(PyExc_TypeError, "encoding must be str, not %R", Py_TYPE(encoding));
        return -1;
    }
    if (PyUnicode_CompareWithASCIIString(encoding, "PEM") == 0) return 1;
    if (PyUnicode_CompareWithASCIIString(encoding, "DER") == 0) return 0;
    PyErr_Format(PyExc_ValueError, "encoding is 'PEM' or 'DER', not %R", encoding);
    return -1;
}

/* lay_out writes base64 text in lines between two boundaries. */
static PyObject *lay_out(span base64, const char *label)
{
    const size_t lines = (base64.len + PEM_LINE - 1) / PEM_LINE, label_len = strlen(label);
    const size_t len = sizeof "-----BEGIN -----\n-----END -----\n" - 1 + 2 * label_len + base64.len + lines;
    uint8_t *at;
    PyObject *const text = new_bytes(len, &at);
    if (!text) return NULL;
    at += PyOS_snprintf((char *)at, len, "-----BEGIN %s-----\n", label);
    for (size_t i = 0; i < base64.len; i += PEM_LINE) {
        const size_t now = base64.len - i < PEM_LINE ? base64.len - i : PEM_LINE;
        memcpy(at, base64.at + i, now);
        at[now] = '\n';
        at += now + 1;
    }
    PyOS_snprintf((char *)at, sizeof "-----END -----\n" + label_len, "-----END %s-----\n", label);
    return text;
}

static PyObject *file_of(const core_state *state, int pem, span der, const char *label)
{
    if (!pem) return PyBytes_FromStringAndSize((const char *)der.at, (Py_ssize_t)der.len);
    PyObject *const base64 = convert(state->to_base64, der, "newline", 0);
    if (!base64) return NULL;
    PyObject *const text = lay_out((span){(uint8_t *)PyBytes_AsString(base64), (size_t)PyBytes_Size(base64)}, label);
    drop_wiped(base64);
    return text;
}

static PyObject *raise_unwritten(PyObject *kem, int error)
{
    if (error != LATKEM_ERR_ARGUMENT) return raise_error(kem, error);
    return PyErr_Format(PyExc_ValueError, "%s: there are key files of ML-KEM alone", latkem_kem_name(set_of(kem)));
}

PyObject *public_key_file(PyObject *kem, int pem, const uint8_t *ek)
{
    uint8_t der[LATKEM_PUBLIC_KEY_DER_MAX];
    size_t len = sizeof der;
    const int error = latkem_public_key_write(set_of(kem), der, &len, ek, latkem_ek_bytes(set_of(kem)));
    return error ? raise_unwritten(kem, error) : file_of(state_of(kem), pem, (span){der, len}, "PUBLIC KEY");
}

PyObject *private_key_file(PyObject *kem, int pem, int form, const uint8_t *key, size_t key_len)
{
    size_t len = LATKEM_PRIVATE_KEY_DER_MAX;
    uint8_t *const der = malloc(len);
    if (!der) return PyErr_NoMemory();
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_private_key_write(set_of(kem), form, der, &len, key, key_len);
    PyEval_RestoreThread(thread);
    PyObject *const file = error ? raise_unwritten(kem, error)
                                 : file_of(state_of(kem), pem, (span){der, len}, "PRIVATE KEY");
    free_wiped(der, LATKEM_PRIVATE_KEY_DER_MAX);
    return file;
}
