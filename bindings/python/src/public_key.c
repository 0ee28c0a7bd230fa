/* The class PublicKey, and one for each set of ML-KEM. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/prepared.h>
#include <stdlib.h>

#include "core.h"

/* Content of a PublicKey. Nothing in it is secret. */
typedef struct {
    PyObject *kem;
    uint8_t *ek;
    void *prepared; /* from the first encapsulation on */
} public_content;

static inline public_content *public_of(PyObject *self)
{
    return content_of(self);
}

static size_t ek_bytes(PyObject *self)
{
    return latkem_ek_bytes(set_of(public_of(self)->kem));
}

/* Prepared keys are read by whole vectors: each begins on a cache line. */
void *prepared_new(size_t bytes)
{
    enum { LINE = 64 };
    void *const new = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (!new) PyErr_NoMemory();
    return new;
}

void free_wiped(void *p, size_t bytes)
{
    if (p) wipe(p, bytes);
    free(p);
}

PyObject *public_key_new(PyObject *kem, const uint8_t *ek)
{
    const core_state *state = state_of(kem);
    PyObject *const key = object_new(class_for(kem, state->own_public_types, state->public_type));
    if (!key) return NULL;
    *public_of(key) = (public_content){.kem = Py_NewRef(kem), .ek = malloc(latkem_ek_bytes(set_of(kem)))};
    if (!public_of(key)->ek) {
        Py_DECREF(key);
        return PyErr_NoMemory();
    }
    memcpy(public_of(key)->ek, ek, latkem_ek_bytes(set_of(kem)));
    return key;
}

PyObject *public_key_from_bytes(PyObject *kem, PyObject *data)
{
    const latkem_kem *set = set_of(kem);
    Py_buffer view;
    if (read_exactly(set, "a public key", latkem_ek_bytes(set), data, &view)) return NULL;
    PyObject *const key = public_key_new(kem, view.buf);
    PyBuffer_Release(&view);
    if (!key) return NULL;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_check_ek(set, public_of(key)->ek, latkem_ek_bytes(set));
    PyEval_RestoreThread(thread);
    if (!error) return key;
    Py_DECREF(key);
    return raise_error(kem, error);
}

/* Threads that encapsulate first at the same time each prepare the key; the first to be ready keeps its own. */
static int prepare(PyObject *self)
{
    public_content *const key = public_of(self);
    const latkem_kem *set = set_of(key->kem);
    void *const new = prepared_new(latkem_prepared_ek_bytes(set));
    if (!new) return -1;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_prepare_ek(set, new, key->ek, latkem_ek_bytes(set));
    PyEval_RestoreThread(thread);
    if (error || key->prepared)
        free(new);
    else
        key->prepared = new;
    if (error) raise_error(key->kem, error);
    return error ? -1 : 0;
}

/* encapsulate_at returns an enum latkem_error, or RAISED with an exception set. */
static int encapsulate_at(PyObject *self, uint8_t *ct, uint8_t *ss)
{
    const public_content *key = public_of(self);
    if (!key->prepared && prepare(self)) return RAISED;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_encaps_prepared(set_of(key->kem), ct, ss, key->prepared);
    PyEval_RestoreThread(thread);
    return error;
}

static PyObject *encapsulate(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *const kem = public_of(self)->kem;
    encapsulation new;
    if (new_encapsulation(kem, &new)) return NULL;
    return finish_encapsulation(kem, &new, encapsulate_at(self, new.ct, new.ss));
}

static PyObject *encapsulate_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"encapsulate_into", 1, 1, {"shared_secret"}};
    PyObject *const kem = public_of(self)->kem;
    const latkem_kem *set = set_of(kem);
    PyObject *into, *ciphertext = NULL;
    Py_buffer view;
    uint8_t *ct;
    if (read_arguments(&wanted, args, nargs, kwnames, &into) || write_buffer(into, &view)) return NULL;
    if (check_length(set, "a shared secret", latkem_ss_bytes(set), &view) == 0)
        ciphertext = new_bytes(latkem_ct_bytes(set), &ct);
    const int error = ciphertext ? encapsulate_at(self, ct, view.buf) : 0;
    PyBuffer_Release(&view);
    if (!error) return ciphertext;
    Py_DECREF(ciphertext);
    return raise_error(kem, error);
}

PyObject *encapsulate_derand(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"encapsulate", 2, 2, {"public_key", "coins"}};
    const core_state *state = PyModule_GetState(module);
    PyObject *found[2];
    Py_buffer coins;
    encapsulation new;
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    if (!PyObject_TypeCheck(found[0], state->public_type))
        return PyErr_Format(PyExc_TypeError, "public_key must be a PublicKey, not %R", Py_TYPE(found[0]));
    const public_content *key = public_of(found[0]);
    const latkem_kem *set = set_of(key->kem);
    if (read_exactly(set, "the coins", latkem_coins_bytes(set), found[1], &coins)) return NULL;
    int error = new_encapsulation(key->kem, &new);
    if (!error) {
        PyThreadState *const thread = PyEval_SaveThread();
        error = latkem_encaps_derand(set, new.ct, new.ss, key->ek, latkem_ek_bytes(set), coins.buf, (size_t)coins.len);
        PyEval_RestoreThread(thread);
        PyBuffer_Release(&coins);
        return finish_encapsulation(key->kem, &new, error);
    }
    PyBuffer_Release(&coins);
    return NULL;
}

static PyObject *public_bytes_raw(PyObject *self, PyObject *none)
{
    (void)none;
    return PyBytes_FromStringAndSize((const char *)public_of(self)->ek, (Py_ssize_t)ek_bytes(self));
}

static PyObject *public_bytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"public_bytes", 0, 1, {"encoding"}};
    PyObject *encoding;
    if (read_arguments(&wanted, args, nargs, kwnames, &encoding)) return NULL;
    const int pem = read_encoding(encoding);
    return pem < 0 ? NULL : public_key_file(public_of(self)->kem, pem, public_of(self)->ek);
}

/* A Kem's bound method makes the key again. */
static PyObject *reduce(PyObject *self, PyObject *none)
{
    PyObject *const make = PyObject_GetAttrString(public_of(self)->kem, "public_key");
    return make ? Py_BuildValue("N(N)", make, public_bytes_raw(self, none)) : NULL;
}

static PyObject *compare(PyObject *self, PyObject *other, int operation)
{
    if (Py_TYPE(self) != Py_TYPE(other) || (operation != Py_EQ && operation != Py_NE))
        return Py_NewRef(Py_NotImplemented);
    const public_content *a = public_of(self), *b = public_of(other);
    const int equal = a->kem == b->kem && memcmp(a->ek, b->ek, ek_bytes(self)) == 0;
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

static Py_hash_t hash(PyObject *self)
{
    PyObject *const ek = public_bytes_raw(self, NULL);
    const Py_hash_t found = ek ? PyObject_Hash(ek) : -1;
    Py_XDECREF(ek);
    return found;
}

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<latkem public key of %s>", latkem_kem_name(set_of(public_of(self)->kem)));
}

static void dealloc(PyObject *self)
{
    public_content *const key = public_of(self);
    free(key->prepared);
    free(key->ek);
    Py_XDECREF(key->kem);
    object_free(self);
}

static PyObject *get_kem(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(public_of(self)->kem);
}

static PyObject *class_from_bytes(PyObject *class, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"from_public_bytes", 1, 1, {"data"}};
    core_state *const state = PyType_GetModuleState((PyTypeObject *)class);
    PyObject *data;
    if (read_arguments(&wanted, args, nargs, kwnames, &data)) return NULL;
    return public_key_from_bytes(kem_of_class(state, state->own_public_types, (PyTypeObject *)class), data);
}

static PyMethodDef methods[] = {
    {"encapsulate", encapsulate, METH_NOARGS,
     "encapsulate($self)\n--\n\n"
     "A fresh shared secret, and the ciphertext for the private key's owner."},
    METHOD("encapsulate_into", encapsulate_into, 0,
           "encapsulate_into($self, shared_secret)\n--\n\n"
           "Writes the shared secret to the caller's buffer, and returns the ciphertext."),
    {"public_bytes_raw", public_bytes_raw, METH_NOARGS,
     "public_bytes_raw($self)\n--\n\n"
     "The bytes of the key."},
    METHOD("public_bytes", public_bytes, 0,
           "public_bytes($self, encoding='PEM')\n--\n\n"
           "A key file of ML-KEM (RFC 9935): encoding 'PEM' or 'DER'."),
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"kem", get_kem, NULL, "The parameter set.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "A public key. Two are equal if set and bytes are. It has no constructor: a Kem or a private key makes it."},
    {Py_tp_dealloc, dealloc},
    {Py_tp_repr, represent},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, hash},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION)
#define BASICSIZE (sizeof(PyObject) + sizeof(public_content))

PyType_Spec public_key_spec = {"latkem.PublicKey", BASICSIZE, 0, FLAGS | Py_TPFLAGS_BASETYPE, slots};

static PyMethodDef own_methods[] = {
    METHOD("from_public_bytes", class_from_bytes, METH_CLASS,
           "from_public_bytes($type, data)\n--\n\n"
           "The public key of its bytes, which are checked."),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot own_slots[] = {
    {Py_tp_doc, "A public key of one set of ML-KEM."},
    {Py_tp_methods, own_methods},
    {0, NULL},
};

PyType_Spec own_public_key_specs[OWN_CLASSES] = {
    {"latkem.MLKEM512PublicKey", BASICSIZE, 0, FLAGS, own_slots},
    {"latkem.MLKEM768PublicKey", BASICSIZE, 0, FLAGS, own_slots},
    {"latkem.MLKEM1024PublicKey", BASICSIZE, 0, FLAGS, own_slots},
};
