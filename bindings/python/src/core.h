/* Shared by the files of latkem._core. Of the library it sees the public headers alone.
 *
 * A function that returns an object returns NULL with an exception set; one that returns int returns 0, or -1 with an
 * exception set, unless it says otherwise. Secrets lie on the heap, in a key's own block or in the bytes object that the
 * caller gets, and every other copy is wiped. The GIL is released during each operation of the library.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_PYTHON_CORE_H
#define LATKEM_PYTHON_CORE_H

#include <Python.h>
#include <latkem/latkem.h>
#include <stdint.h>
#include <string.h>

/* ML-KEM's sets have key classes of their own. The others share PrivateKey and PublicKey. */
enum { OWN_CLASSES = 3, SETS_MAX = 32 };

/* The module's state, which each Kem refers to. */
typedef struct {
    PyTypeObject *kem_type;
    PyTypeObject *private_type, *own_private_types[OWN_CLASSES];
    PyTypeObject *public_type, *own_public_types[OWN_CLASSES];
    PyObject *invalid_key, *random_failure, *encapsulation;
    PyObject *to_base64, *from_base64;
    PyObject *kems[SETS_MAX]; /* in the order of latkem_kem_at, NULL past the end */
} core_state;

/* Content of a Kem object. */
typedef struct {
    core_state *state;
    const latkem_kem *set;
} kem_content;

/* content_of returns an object's own data. Nothing else knows where it lies behind the object's header. */
static inline void *content_of(PyObject *object)
{
    return (char *)object + sizeof(PyObject);
}

/* object_new allocates an object of a type of ours, with a content of zero bytes; object_free is the end of a tp_dealloc. */
PyObject *object_new(PyTypeObject *type);
void object_free(PyObject *object);

/* wipe sets bytes to zero in a way that the optimiser keeps. */
static inline void wipe(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* arguments.c: a function's parameters, each by position or by name. The last optional ones may be left out. */
typedef struct {
    const char *function;
    int required, count;
    const char *names[4];
} parameters;

int read_arguments(const parameters *wanted, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                   PyObject **found);

/* Contiguous memory of a caller's object. release_buffers lets go of those that were acquired (obj is not NULL). */
int read_buffer(PyObject *object, Py_buffer *view);
int write_buffer(PyObject *object, Py_buffer *view);
void release_buffers(Py_buffer *views, size_t count);
int buffers_overlap(const Py_buffer *a, const Py_buffer *b);

/* check_length raises ValueError unless a thing, "a ciphertext", has its length. */
int check_length(const latkem_kem *set, const char *thing, size_t wanted, const Py_buffer *view);

/* read_exactly acquires the buffer of a thing of that length; without one, nothing is acquired. */
int read_exactly(const latkem_kem *set, const char *thing, size_t wanted, PyObject *object, Py_buffer *view);

/* raise_error sets the exception of an enum latkem_error, or leaves the one that is set. NULL. */
enum { RAISED = 1 };
PyObject *raise_error(PyObject *kem, int error);

/* new_bytes returns bytes; the caller writes their content at *at. */
PyObject *new_bytes(size_t len, uint8_t **at);

/* kem.c */
extern PyType_Spec kem_spec;
static inline const latkem_kem *set_of(PyObject *kem)
{
    return ((const kem_content *)content_of(kem))->set;
}

static inline core_state *state_of(PyObject *kem)
{
    return ((const kem_content *)content_of(kem))->state;
}

int make_kems(core_state *state);
PyObject *find_kem(core_state *state, const latkem_kem *set);
int is_mlkem(const latkem_kem *set);

/* kem_of_class returns the Kem of a class of its own; class_for the class of a Kem's keys. */
PyObject *kem_of_class(core_state *state, PyTypeObject *const *own_types, PyTypeObject *type);
PyTypeObject *class_for(PyObject *kem, PyTypeObject *const *own_types, PyTypeObject *general);

/* The two parts of an encapsulation, while they are written. finish_encapsulation makes the object that the caller gets, or
 * raises the operation's error; it owns the parts. */
typedef struct {
    PyObject *secret, *ciphertext;
    uint8_t *ss, *ct;
} encapsulation;

int new_encapsulation(PyObject *kem, encapsulation *new);
PyObject *finish_encapsulation(PyObject *kem, encapsulation *new, int error);

/* private_key.c */
extern PyType_Spec private_key_spec, own_private_key_specs[OWN_CLASSES];
PyObject *private_key_generate(PyObject *kem);
PyObject *private_key_from_seed(PyObject *kem, PyObject *seed);
PyObject *private_key_from_expanded(PyObject *kem, PyObject *data);

/* A key that a file has: the seed is NULL if there is none. */
PyObject *private_key_from_file(PyObject *kem, const uint8_t *seed, const uint8_t *dk);

/* public_key.c */
extern PyType_Spec public_key_spec, own_public_key_specs[OWN_CLASSES];

/* public_key_new makes a public key of bytes that are valid; public_key_from_bytes checks them. */
PyObject *public_key_new(PyObject *kem, const uint8_t *ek);
PyObject *public_key_from_bytes(PyObject *kem, PyObject *data);
PyObject *encapsulate_derand(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* A prepared key's storage, or NULL without memory; free_wiped wipes and frees, and NULL is fine. */
void *prepared_new(size_t bytes);
void free_wiped(void *p, size_t bytes);

/* batch.c, keyfile.c */
PyObject *batch_generate(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *batch_encapsulate(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *batch_decapsulate(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *load_private_key(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *load_public_key(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* read_encoding returns 1 for "PEM", 0 for "DER", and raises ValueError for another; NULL is "PEM". */
int read_encoding(PyObject *encoding);

/* private_key_file and public_key_file write a key in a form of keyfile.h. key is the seed or the expanded dk. */
PyObject *private_key_file(PyObject *kem, int pem, int form, const uint8_t *key, size_t key_len);
PyObject *public_key_file(PyObject *kem, int pem, const uint8_t *ek);

/* A method that takes its arguments by position or by name. */
#define METHOD(name, function, flags, doc)                                                                             \
    {                                                                                                                  \
        name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS | (flags), doc                    \
    }

#endif
