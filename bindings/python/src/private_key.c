/* The class PrivateKey, and one for each set of ML-KEM. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <latkem/prepared.h>
#include <stdlib.h>

#include "core.h"

/* The part behind ek in an expanded key that holds it: H(ek) and z (FIPS 203 algorithm 16; Kyber and Saber alike). */
enum { BEHIND_EK = 64 };

/* A key's secrets, on the heap. Behind dk lies ek, if the key has one. */
typedef struct {
    void *prepared; /* from the first decapsulation on */
    int has_seed, has_ek;
    uint8_t seed[LATKEM_MLKEM_SEED_BYTES];
    uint8_t dk[];
} secrets;

/* Content of a PrivateKey. The secrets of a closed key are wiped and freed by the last of its users. */
typedef struct {
    PyObject *kem;
    secrets *held;
    size_t users;
    int closed;
} private_content;

static inline private_content *private_of(PyObject *self)
{
    return content_of(self);
}

static size_t secrets_bytes(const latkem_kem *set)
{
    return sizeof(secrets) + latkem_dk_bytes(set) + latkem_ek_bytes(set);
}

static secrets *secrets_new(const latkem_kem *set)
{
    secrets *const new = malloc(secrets_bytes(set));
    if (new)
        *new = (secrets){.prepared = NULL};
    else
        PyErr_NoMemory();
    return new;
}

static void secrets_free(const latkem_kem *set, secrets *held)
{
    if (!held) return;
    free_wiped(held->prepared, latkem_prepared_dk_bytes(set));
    free_wiped(held, secrets_bytes(set));
}

static uint8_t *ek_in(const latkem_kem *set, secrets *held)
{
    return held->dk + latkem_dk_bytes(set);
}

/* wrap makes the object of a key that was made without an error; else it frees the key and raises. */
static PyObject *wrap(PyObject *kem, secrets *held, int error)
{
    const core_state *state = state_of(kem);
    PyObject *const key = error ? raise_error(kem, error)
                                : object_new(class_for(kem, state->own_private_types, state->private_type));
    if (key)
        *private_of(key) = (private_content){.kem = Py_NewRef(kem), .held = held};
    else
        secrets_free(set_of(kem), held);
    return key;
}

/* The system's generator, which notes ML-KEM's one request, d || z. */
static int note_seed(void *context, uint8_t *out, size_t len)
{
    secrets *const held = context;
    if (latkem_system_rng(NULL, out, len) != 0 || len != sizeof held->seed) return -1;
    memcpy(held->seed, out, len);
    held->has_seed = 1;
    return 0;
}

PyObject *private_key_generate(PyObject *kem)
{
    const latkem_kem *set = set_of(kem);
    secrets *const new = secrets_new(set);
    if (!new) return NULL;
    new->has_ek = 1;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_keypair_rng(set, ek_in(set, new), new->dk, is_mlkem(set) ? note_seed : latkem_system_rng,
                                         new);
    PyEval_RestoreThread(thread);
    return wrap(kem, new, error);
}

static PyObject *generate_from(PyObject *kem, const uint8_t *seed, size_t len)
{
    const latkem_kem *set = set_of(kem);
    secrets *const new = secrets_new(set);
    if (!new) return NULL;
    new->has_ek = 1;
    new->has_seed = is_mlkem(set);
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_keypair_derand(set, ek_in(set, new), new->dk, seed, len);
    if (new->has_seed) memcpy(new->seed, seed, len);
    PyEval_RestoreThread(thread);
    return wrap(kem, new, error);
}

PyObject *private_key_from_seed(PyObject *kem, PyObject *seed)
{
    const latkem_kem *set = set_of(kem);
    Py_buffer view;
    if (read_exactly(set, "a seed", latkem_seed_bytes(set), seed, &view)) return NULL;
    PyObject *const key = generate_from(kem, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return key;
}

/* take_expanded copies a dk, and the ek in it; NTRU's has none. */
static void take_expanded(const latkem_kem *set, secrets *held, const uint8_t *dk)
{
    const size_t dk_len = latkem_dk_bytes(set), ek_len = latkem_ek_bytes(set);
    memcpy(held->dk, dk, dk_len);
    held->has_ek = strcmp(latkem_kem_family(set), "NTRU") != 0;
    if (held->has_ek) memcpy(ek_in(set, held), held->dk + dk_len - BEHIND_EK - ek_len, ek_len);
}

PyObject *private_key_from_expanded(PyObject *kem, PyObject *data)
{
    const latkem_kem *set = set_of(kem);
    Py_buffer view;
    if (read_exactly(set, "a private key", latkem_dk_bytes(set), data, &view)) return NULL;
    secrets *const new = secrets_new(set);
    int error = 0;
    if (new) {
        PyThreadState *const thread = PyEval_SaveThread();
        take_expanded(set, new, view.buf);
        error = latkem_check_dk(set, new->dk, latkem_dk_bytes(set));
        PyEval_RestoreThread(thread);
    }
    PyBuffer_Release(&view);
    return new ? wrap(kem, new, error) : NULL;
}

PyObject *private_key_from_file(PyObject *kem, const uint8_t *seed, const uint8_t *dk)
{
    secrets *const new = secrets_new(set_of(kem));
    if (!new) return NULL;
    take_expanded(set_of(kem), new, dk);
    new->has_seed = seed != NULL;
    if (seed) memcpy(new->seed, seed, sizeof new->seed);
    return wrap(kem, new, 0);
}

static void let_go(PyObject *self)
{
    private_content *const key = private_of(self);
    if (!key->closed || key->users > 0) return;
    secrets_free(set_of(key->kem), key->held);
    key->held = NULL;
}

/* enter returns the secrets, which stay until leave, or NULL and ValueError if the key is closed. */
static secrets *enter(PyObject *self)
{
    private_content *const key = private_of(self);
    if (key->closed) {
        PyErr_Format(PyExc_ValueError, "%s: the private key is closed", latkem_kem_name(set_of(key->kem)));
        return NULL;
    }
    key->users++;
    return key->held;
}

static void leave(PyObject *self)
{
    private_of(self)->users--;
    let_go(self);
}

static PyObject *close_key(PyObject *self, PyObject *none)
{
    (void)none;
    private_of(self)->closed = 1;
    let_go(self);
    Py_RETURN_NONE;
}

static PyObject *enter_context(PyObject *self, PyObject *none)
{
    (void)none;
    if (!enter(self)) return NULL;
    leave(self);
    return Py_NewRef(self);
}

static PyObject *exit_context(PyObject *self, PyObject *args)
{
    (void)args;
    return close_key(self, NULL);
}

/* Threads that decapsulate first at the same time each prepare the key; the first to be ready keeps its own. */
static int prepare(PyObject *self, secrets *held)
{
    const latkem_kem *set = set_of(private_of(self)->kem);
    const size_t bytes = latkem_prepared_dk_bytes(set);
    void *const new = prepared_new(bytes);
    if (!new) return -1;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_prepare_dk(set, new, held->dk, latkem_dk_bytes(set));
    PyEval_RestoreThread(thread);
    if (error || held->prepared)
        free_wiped(new, bytes);
    else
        held->prepared = new;
    if (error) raise_error(private_of(self)->kem, error);
    return error ? -1 : 0;
}

static int decapsulate_at(PyObject *self, secrets *held, uint8_t *ss, const Py_buffer *ct)
{
    const latkem_kem *set = set_of(private_of(self)->kem);
    if (!held->prepared && prepare(self, held)) return -1;
    const void *const prepared = held->prepared;
    PyThreadState *const thread = PyEval_SaveThread();
    const int error = latkem_decaps_prepared(set, ss, ct->buf, (size_t)ct->len, prepared);
    PyEval_RestoreThread(thread);
    if (error) raise_error(private_of(self)->kem, error);
    return error ? -1 : 0;
}

static PyObject *decapsulate(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"decapsulate", 1, 1, {"ciphertext"}};
    const latkem_kem *set = set_of(private_of(self)->kem);
    PyObject *data, *secret = NULL;
    Py_buffer ct;
    uint8_t *ss;
    if (read_arguments(&wanted, args, nargs, kwnames, &data)) return NULL;
    secrets *const held = enter(self);
    if (!held) return NULL;
    if (read_exactly(set, "a ciphertext", latkem_ct_bytes(set), data, &ct) == 0) {
        secret = new_bytes(latkem_ss_bytes(set), &ss);
        if (secret && decapsulate_at(self, held, ss, &ct)) Py_CLEAR(secret);
        PyBuffer_Release(&ct);
    }
    leave(self);
    return secret;
}

/* Buffers that overlap are refused before anything is written. */
static int decapsulate_between(PyObject *self, secrets *held, PyObject *from, PyObject *into)
{
    const latkem_kem *set = set_of(private_of(self)->kem);
    Py_buffer views[2] = {{.obj = NULL}, {.obj = NULL}};
    int failed = read_exactly(set, "a ciphertext", latkem_ct_bytes(set), from, &views[0]) ||
                 write_buffer(into, &views[1]) || check_length(set, "a shared secret", latkem_ss_bytes(set), &views[1]);
    if (!failed && buffers_overlap(&views[0], &views[1])) {
        PyErr_Format(PyExc_ValueError, "%s: the buffers overlap", latkem_kem_name(set));
        failed = 1;
    }
    if (!failed) failed = decapsulate_at(self, held, views[1].buf, &views[0]);
    release_buffers(views, 2);
    return failed;
}

static PyObject *decapsulate_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"decapsulate_into", 2, 2, {"ciphertext", "shared_secret"}};
    PyObject *found[2];
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    secrets *const held = enter(self);
    if (!held) return NULL;
    const int failed = decapsulate_between(self, held, found[0], found[1]);
    leave(self);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *public_key(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *const kem = private_of(self)->kem;
    PyObject *key = NULL;
    secrets *const held = enter(self);
    if (!held) return NULL;
    if (held->has_ek)
        key = public_key_new(kem, ek_in(set_of(kem), held));
    else
        PyErr_Format(PyExc_ValueError, "%s: an expanded private key does not hold its public key",
                     latkem_kem_name(set_of(kem)));
    leave(self);
    return key;
}

static void raise_no_seed(PyObject *self)
{
    PyErr_Format(PyExc_ValueError, "%s: the private key has no seed", latkem_kem_name(set_of(private_of(self)->kem)));
}

static PyObject *private_bytes_raw(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *seed = NULL;
    secrets *const held = enter(self);
    if (!held) return NULL;
    if (held->has_seed)
        seed = PyBytes_FromStringAndSize((const char *)held->seed, sizeof held->seed);
    else
        raise_no_seed(self);
    leave(self);
    return seed;
}

static PyObject *expanded_bytes(PyObject *self, PyObject *none)
{
    (void)none;
    secrets *const held = enter(self);
    if (!held) return NULL;
    PyObject *const dk = PyBytes_FromStringAndSize((const char *)held->dk,
                                                   (Py_ssize_t)latkem_dk_bytes(set_of(private_of(self)->kem)));
    leave(self);
    return dk;
}

/* The form of a key file by its name, or 0 and ValueError; NULL is "seed". */
static int read_form(PyObject *form)
{
    static const char *const names[] = {
        [LATKEM_FORM_SEED] = "seed", [LATKEM_FORM_EXPANDED] = "expanded", [LATKEM_FORM_BOTH] = "both"};
    if (!form) return LATKEM_FORM_SEED;
    if (!PyUnicode_Check(form)) {
        PyErr_Format(PyExc_TypeError, "form must be str, not %R", Py_TYPE(form));
        return 0;
    }
    for (int i = LATKEM_FORM_SEED; i <= LATKEM_FORM_BOTH; i++)
        if (PyUnicode_CompareWithASCIIString(form, names[i]) == 0) return i;
    PyErr_Format(PyExc_ValueError, "form is 'seed', 'expanded' or 'both', not %R", form);
    return 0;
}

static PyObject *private_bytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"private_bytes", 0, 2, {"encoding", "form"}};
    PyObject *const kem = private_of(self)->kem, *found[2], *file = NULL;
    if (read_arguments(&wanted, args, nargs, kwnames, found)) return NULL;
    const int pem = read_encoding(found[0]), form = read_form(found[1]);
    if (pem < 0 || !form) return NULL;
    secrets *const held = enter(self);
    if (!held) return NULL;
    if (form != LATKEM_FORM_EXPANDED && !held->has_seed && is_mlkem(set_of(kem)))
        raise_no_seed(self);
    else if (held->has_seed)
        file = private_key_file(kem, pem, form, held->seed, sizeof held->seed);
    else
        file = private_key_file(kem, pem, form, held->dk, latkem_dk_bytes(set_of(kem)));
    leave(self);
    return file;
}

static PyObject *refuse(PyObject *self, PyObject *argument)
{
    (void)argument;
    return PyErr_Format(PyExc_TypeError, "%s: a private key is neither pickled nor copied",
                        latkem_kem_name(set_of(private_of(self)->kem)));
}

static PyObject *represent(PyObject *self)
{
    const private_content *key = private_of(self);
    return PyUnicode_FromFormat("<latkem private key of %s%s>", latkem_kem_name(set_of(key->kem)),
                                key->closed ? ", closed" : "");
}

static void dealloc(PyObject *self)
{
    private_content *const key = private_of(self);
    if (key->kem) secrets_free(set_of(key->kem), key->held);
    Py_XDECREF(key->kem);
    object_free(self);
}

static PyObject *get_kem(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(private_of(self)->kem);
}

static PyObject *get_has_seed(PyObject *self, void *closure)
{
    (void)closure;
    const secrets *held = private_of(self)->held;
    return PyBool_FromLong(held && held->has_seed);
}

static PyObject *get_closed(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(private_of(self)->closed);
}

static PyObject *class_generate(PyObject *class, PyObject *none)
{
    (void)none;
    core_state *const state = PyType_GetModuleState((PyTypeObject *)class);
    return private_key_generate(kem_of_class(state, state->own_private_types, (PyTypeObject *)class));
}

static PyObject *class_from_seed(PyObject *class, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"from_seed_bytes", 1, 1, {"data"}};
    core_state *const state = PyType_GetModuleState((PyTypeObject *)class);
    PyObject *data;
    if (read_arguments(&wanted, args, nargs, kwnames, &data)) return NULL;
    return private_key_from_seed(kem_of_class(state, state->own_private_types, (PyTypeObject *)class), data);
}

static PyMethodDef methods[] = {
    {"public_key", public_key, METH_NOARGS,
     "public_key($self)\n--\n\n"
     "The public key. An expanded private key of NTRU does not hold it."},
    METHOD(
        "decapsulate", decapsulate, 0,
        "decapsulate($self, ciphertext)\n--\n\n"
        "The shared secret of a ciphertext. One of the right length that is not valid is no error: the secret is then\n"
        "pseudo-random (implicit rejection)."),
    METHOD("decapsulate_into", decapsulate_into, 0,
           "decapsulate_into($self, ciphertext, shared_secret)\n--\n\n"
           "Writes the shared secret to the caller's buffer."),
    {"private_bytes_raw", private_bytes_raw, METH_NOARGS,
     "private_bytes_raw($self)\n--\n\n"
     "The seed of 64 bytes; ValueError if the key has none."},
    {"expanded_bytes", expanded_bytes, METH_NOARGS,
     "expanded_bytes($self)\n--\n\n"
     "The expanded private key."},
    METHOD("private_bytes", private_bytes, 0,
           "private_bytes($self, encoding='PEM', form='seed')\n--\n\n"
           "A key file of ML-KEM (RFC 9935): encoding 'PEM' or 'DER', form 'seed', 'expanded' or 'both'."),
    {"close", close_key, METH_NOARGS,
     "close($self)\n--\n\n"
     "Wipes the key, once no other thread uses it. Every later use is a ValueError."},
    {"__enter__", enter_context, METH_NOARGS, NULL},
    {"__exit__", exit_context, METH_VARARGS, NULL},
    {"__reduce__", refuse, METH_NOARGS, NULL},
    {"__copy__", refuse, METH_NOARGS, NULL},
    {"__deepcopy__", refuse, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"kem", get_kem, NULL, "The parameter set.", NULL},
    {"has_seed", get_has_seed, NULL, "Whether the key holds its seed; a closed key does not.", NULL},
    {"closed", get_closed, NULL, "Whether the key is closed.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A private key. It is wiped when it is closed, or collected. It has no constructor: a Kem makes it."},
    {Py_tp_dealloc, dealloc},
    {Py_tp_repr, represent},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION)
#define BASICSIZE (sizeof(PyObject) + sizeof(private_content))

PyType_Spec private_key_spec = {"latkem.PrivateKey", BASICSIZE, 0, FLAGS | Py_TPFLAGS_BASETYPE, slots};

static PyMethodDef own_methods[] = {
    {"generate", class_generate, METH_NOARGS | METH_CLASS,
     "generate($type)\n--\n\n"
     "A new private key."},
    METHOD("from_seed_bytes", class_from_seed, METH_CLASS,
           "from_seed_bytes($type, data)\n--\n\n"
           "The private key of its seed of 64 bytes."),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot own_slots[] = {
    {Py_tp_doc, "A private key of one set of ML-KEM."},
    {Py_tp_methods, own_methods},
    {0, NULL},
};

PyType_Spec own_private_key_specs[OWN_CLASSES] = {
    {"latkem.MLKEM512PrivateKey", BASICSIZE, 0, FLAGS, own_slots},
    {"latkem.MLKEM768PrivateKey", BASICSIZE, 0, FLAGS, own_slots},
    {"latkem.MLKEM1024PrivateKey", BASICSIZE, 0, FLAGS, own_slots},
};
