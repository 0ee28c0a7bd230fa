/* The class Kem: a parameter set. There is one object for each. SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include <latkem/derand.h>

int is_mlkem(const latkem_kem *set)
{
    return strcmp(latkem_kem_family(set), "ML-KEM") == 0;
}

int make_kems(core_state *state)
{
    for (size_t i = 0; latkem_kem_at(i); i++) {
        if (i + 1 == SETS_MAX) {
            PyErr_SetString(PyExc_SystemError, "latkem._core has no room for all parameter sets");
            return -1;
        }
        PyObject *const kem = object_new(state->kem_type);
        if (!kem) return -1;
        *(kem_content *)content_of(kem) = (kem_content){state, latkem_kem_at(i)};
        state->kems[i] = kem;
    }
    return 0;
}

PyObject *find_kem(core_state *state, const latkem_kem *set)
{
    for (size_t i = 0; state->kems[i]; i++)
        if (set_of(state->kems[i]) == set) return Py_NewRef(state->kems[i]);
    return NULL;
}

/* ML-KEM's sets are the first of the registry, from the smallest to the largest, as the classes are. */
PyObject *kem_of_class(core_state *state, PyTypeObject *const *own_types, PyTypeObject *type)
{
    int i = 0;
    while (own_types[i] != type) i++;
    return state->kems[i];
}

PyTypeObject *class_for(PyObject *kem, PyTypeObject *const *own_types, PyTypeObject *general)
{
    for (int i = 0; i < OWN_CLASSES; i++)
        if (state_of(kem)->kems[i] == kem) return own_types[i];
    return general;
}

int new_encapsulation(PyObject *kem, encapsulation *new)
{
    new->secret = new_bytes(latkem_ss_bytes(set_of(kem)), &new->ss);
    new->ciphertext = new_bytes(latkem_ct_bytes(set_of(kem)), &new->ct);
    if (new->secret &&new->ciphertext) return 0;
    Py_CLEAR(new->secret);
    Py_CLEAR(new->ciphertext);
    return -1;
}

PyObject *finish_encapsulation(PyObject *kem, encapsulation *new, int error)
{
    PyObject *const class = state_of(kem)->encapsulation;
    PyObject *const made = error ? raise_error(kem, error)
                                 : PyObject_CallFunctionObjArgs(class, new->secret, new->ciphertext, NULL);
    if (!made) wipe(new->ss, latkem_ss_bytes(set_of(kem)));
    Py_CLEAR(new->secret);
    Py_CLEAR(new->ciphertext);
    return made;
}

static PyObject *kem_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", NULL};
    PyObject *name, *found = NULL;
    core_state *state = PyType_GetModuleState(type);
    if (!state || !PyArg_ParseTupleAndKeywords(args, kwargs, "U:Kem", names, &name)) return NULL;
    Py_ssize_t len;
    const char *const text = PyUnicode_AsUTF8AndSize(name, &len);
    if (!text) return NULL;
    if (strlen(text) == (size_t)len) found = find_kem(state, latkem_kem_find(text));
    return found ? found : PyErr_Format(PyExc_ValueError, "%R is no parameter set; Kem.names() has them", name);
}

static void kem_dealloc(PyObject *self)
{
    object_free(self);
}

static PyObject *kem_names(PyObject *class, PyObject *none)
{
    (void)class, (void)none;
    Py_ssize_t count = 0;
    while (latkem_kem_at((size_t)count)) count++;
    PyObject *const names = PyTuple_New(count);
    for (Py_ssize_t i = 0; names && i < count; i++) {
        PyObject *const name = PyUnicode_FromString(latkem_kem_name(latkem_kem_at((size_t)i)));
        if (!name || PyTuple_SetItem(names, i, name)) {
            Py_DECREF(names);
            return NULL;
        }
    }
    return names;
}

static PyObject *kem_repr(PyObject *self)
{
    return PyUnicode_FromFormat("Kem('%s')", latkem_kem_name(set_of(self)));
}

static PyObject *kem_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    return Py_BuildValue("O(s)", (PyObject *)state_of(self)->kem_type, latkem_kem_name(set_of(self)));
}

static PyObject *kem_generate(PyObject *self, PyObject *none)
{
    (void)none;
    return private_key_generate(self);
}

static PyObject *kem_from_seed(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"from_seed", 1, 1, {"seed"}};
    PyObject *seed;
    return read_arguments(&wanted, args, nargs, kwnames, &seed) ? NULL : private_key_from_seed(self, seed);
}

static PyObject *kem_private_key(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"private_key", 1, 1, {"data"}};
    PyObject *data;
    return read_arguments(&wanted, args, nargs, kwnames, &data) ? NULL : private_key_from_expanded(self, data);
}

static PyObject *kem_public_key(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"public_key", 1, 1, {"data"}};
    PyObject *data;
    return read_arguments(&wanted, args, nargs, kwnames, &data) ? NULL : public_key_from_bytes(self, data);
}

static PyObject *kem_encapsulate(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"encapsulate", 1, 1, {"public_key"}};
    PyObject *data;
    Py_buffer ek;
    const latkem_kem *set = set_of(self);
    if (read_arguments(&wanted, args, nargs, kwnames, &data)) return NULL;
    if (read_exactly(set, "a public key", latkem_ek_bytes(set), data, &ek)) return NULL;
    encapsulation new;
    int error = new_encapsulation(self, &new);
    if (error) {
        PyBuffer_Release(&ek);
        return NULL;
    }
    PyThreadState *const thread = PyEval_SaveThread();
    error = latkem_encaps(set, new.ct, new.ss, ek.buf, (size_t)ek.len);
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&ek);
    return finish_encapsulation(self, &new, error);
}

static PyObject *decapsulate_with(PyObject *self, const Py_buffer *dk, const Py_buffer *ct)
{
    const latkem_kem *set = set_of(self);
    uint8_t *at;
    PyObject *const secret = new_bytes(latkem_ss_bytes(set), &at);
    if (!secret) return NULL;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_decaps(set, at, ct->buf, (size_t)ct->len, dk->buf, (size_t)dk->len);
    PyEval_RestoreThread(thread);
    if (!error) return secret;
    Py_DECREF(secret);
    return raise_error(self, error);
}

static PyObject *kem_decapsulate(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"decapsulate", 2, 2, {"private_key", "ciphertext"}};
    PyObject *found[2], *secret = NULL;
    Py_buffer dk, ct;
    const latkem_kem *set = set_of(self);
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    if (read_exactly(set, "a private key", latkem_dk_bytes(set), found[0], &dk)) return NULL;
    if (read_exactly(set, "a ciphertext", latkem_ct_bytes(set), found[1], &ct) == 0) {
        secret = decapsulate_with(self, &dk, &ct);
        PyBuffer_Release(&ct);
    }
    PyBuffer_Release(&dk);
    return secret;
}

typedef size_t size_function(const latkem_kem *set);

/* Each property of a size refers to its function here. */
static size_function *const sizes[] = {latkem_ek_bytes, latkem_dk_bytes,   latkem_ct_bytes,
                                       latkem_ss_bytes, latkem_seed_bytes, latkem_coins_bytes};

static PyObject *kem_size(PyObject *self, void *function)
{
    return PyLong_FromSize_t((*(size_function *const *)function)(set_of(self)));
}

static PyObject *kem_name(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(latkem_kem_name(set_of(self)));
}

static PyObject *kem_family(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(latkem_kem_family(set_of(self)));
}

static PyObject *kem_level(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(latkem_kem_level(set_of(self)));
}

static PyObject *kem_is_standard(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(latkem_kem_is_standard(set_of(self)));
}

static PyMethodDef methods[] = {
    {"names", kem_names, METH_NOARGS | METH_STATIC,
     "names()\n--\n\n"
     "The names of all parameter sets."},
    {"generate", kem_generate, METH_NOARGS,
     "generate($self)\n--\n\n"
     "A new private key."},
    METHOD("from_seed", kem_from_seed, 0,
           "from_seed($self, seed)\n--\n\n"
           "The private key of a seed of seed_bytes bytes."),
    METHOD("private_key", kem_private_key, 0,
           "private_key($self, data)\n--\n\n"
           "The private key of its expanded bytes, which are checked."),
    METHOD("public_key", kem_public_key, 0,
           "public_key($self, data)\n--\n\n"
           "The public key of its bytes, which are checked."),
    METHOD("encapsulate", kem_encapsulate, 0,
           "encapsulate($self, public_key)\n--\n\n"
           "A shared secret and its ciphertext, for the bytes of a public key."),
    METHOD("decapsulate", kem_decapsulate, 0,
           "decapsulate($self, private_key, ciphertext)\n--\n\n"
           "The shared secret of a ciphertext, with the bytes of a private key."),
    {"__reduce__", kem_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"name", kem_name, NULL, "The name, such as 'ML-KEM-768'.", NULL},
    {"family", kem_family, NULL, "One design in several sizes: 'ML-KEM', 'Kyber', 'Kyber-90s', 'Saber', 'NTRU'.", NULL},
    {"level", kem_level, NULL, "NIST's security category: 1, 3 or 5.", NULL},
    {"is_standard", kem_is_standard, NULL, "Whether it is a set of a published standard, FIPS 203.", NULL},
    {"public_key_bytes", kem_size, NULL, NULL, (void *)&sizes[0]},
    {"private_key_bytes", kem_size, NULL, "The length of an expanded private key.", (void *)&sizes[1]},
    {"ciphertext_bytes", kem_size, NULL, NULL, (void *)&sizes[2]},
    {"shared_secret_bytes", kem_size, NULL, NULL, (void *)&sizes[3]},
    {"seed_bytes", kem_size, NULL, "The random bytes of a key generation.", (void *)&sizes[4]},
    {"coins_bytes", kem_size, NULL, "The random bytes of an encapsulation.", (void *)&sizes[5]},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Kem(name)\n--\n\nA parameter set: the same object for each use of a name."},
    {Py_tp_new, kem_new},
    {Py_tp_dealloc, kem_dealloc},
    {Py_tp_repr, kem_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

PyType_Spec kem_spec = {
    .name = "latkem.Kem",
    .basicsize = sizeof(PyObject) + sizeof(kem_content),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
