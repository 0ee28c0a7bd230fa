/* latkem._core: the module, its classes and functions. SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include <latkem/backend.h>

PyObject *object_new(PyTypeObject *type)
{
    return PyType_GenericAlloc(type, 0);
}

void object_free(PyObject *object)
{
    PyTypeObject *const type = Py_TYPE(object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *backend(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    return PyUnicode_FromString(latkem_backend_name());
}

static PyObject *backends(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    Py_ssize_t count = 0;
    while (latkem_backend_at((size_t)count)) count++;
    PyObject *const names = PyTuple_New(count);
    for (Py_ssize_t i = 0; names && i < count; i++) {
        PyObject *const name = PyUnicode_FromString(latkem_backend_at((size_t)i));
        if (!name || PyTuple_SetItem(names, i, name)) {
            Py_DECREF(names);
            return NULL;
        }
    }
    return names;
}

static PyObject *use_backend(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const parameters wanted = {"use_backend", 1, 1, {"name"}};
    PyObject *name;
    const char *text = NULL;
    Py_ssize_t len = 0;
    (void)module;
    if (read_arguments(&wanted, args, nargs, kwnames, &name)) return NULL;
    if (name != Py_None && !(text = PyUnicode_AsUTF8AndSize(name, &len))) return NULL;
    if ((text && strlen(text) != (size_t)len) || latkem_backend_use(text) != 0)
        return PyErr_Format(PyExc_ValueError, "%R is no backend of this CPU; backends() has them", name);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"backend", backend, METH_NOARGS,
     "backend($module)\n--\n\n"
     "The name of the backend in force: which kernels run."},
    {"backends", backends, METH_NOARGS,
     "backends($module)\n--\n\n"
     "The names of the backends that this CPU can run, the library's choice last."},
    METHOD("use_backend", use_backend, 0,
           "use_backend($module, name)\n--\n\n"
           "Puts a backend in force; None restores the library's own choice."),
    METHOD("load_private_key", load_private_key, 0,
           "load_private_key($module, data)\n--\n\n"
           "The private key of a key file, DER or PEM."),
    METHOD("load_public_key", load_public_key, 0,
           "load_public_key($module, data)\n--\n\n"
           "The public key of a key file, DER or PEM."),
    METHOD("encapsulate_derand", encapsulate_derand, 0, NULL),
    METHOD("batch_generate", batch_generate, 0, NULL),
    METHOD("batch_encapsulate", batch_encapsulate, 0, NULL),
    METHOD("batch_decapsulate", batch_decapsulate, 0, NULL),
    {NULL, NULL, 0, NULL},
};

/* add_type makes a class of the module, below a base if it is not NULL. */
static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject *base, PyTypeObject **made)
{
    *made = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, (PyObject *)base);
    return *made ? PyModule_AddType(module, *made) : -1;
}

static int add_types(PyObject *module, core_state *state)
{
    if (add_type(module, &kem_spec, NULL, &state->kem_type) ||
        add_type(module, &private_key_spec, NULL, &state->private_type) ||
        add_type(module, &public_key_spec, NULL, &state->public_type))
        return -1;
    for (int i = 0; i < OWN_CLASSES; i++)
        if (add_type(module, &own_private_key_specs[i], state->private_type, &state->own_private_types[i]) ||
            add_type(module, &own_public_key_specs[i], state->public_type, &state->own_public_types[i]))
            return -1;
    return 0;
}

/* add_exception makes an exception of the package. */
static int add_exception(PyObject *module, const char *name, const char *doc, PyObject *base, PyObject **made)
{
    *made = PyErr_NewExceptionWithDoc(name, doc, base, NULL);
    return *made ? PyModule_AddObjectRef(module, strchr(name, '.') + 1, *made) : -1;
}

static int import_from(const char *module_name, const char *name, PyObject **found)
{
    PyObject *const module = PyImport_ImportModule(module_name);
    *found = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return *found ? 0 : -1;
}

static int execute(PyObject *module)
{
    core_state *const state = PyModule_GetState(module);
    if (add_types(module, state) || make_kems(state) ||
        add_exception(module, "latkem.InvalidKey", "The bytes of a key, or a key file, are not valid.",
                      PyExc_ValueError, &state->invalid_key) ||
        add_exception(module, "latkem.RandomFailure", "The operating system's random generator failed.", PyExc_OSError,
                      &state->random_failure) ||
        import_from("latkem._encapsulation", "Encapsulation", &state->encapsulation) ||
        import_from("binascii", "b2a_base64", &state->to_base64) ||
        import_from("binascii", "a2b_base64", &state->from_base64))
        return -1;
    return PyModule_AddStringConstant(module, "version", latkem_version());
}

/* Every reference of the state, for the two functions below. */
#define EACH_REFERENCE(visit)                                                                                          \
    do {                                                                                                               \
        visit(state->kem_type);                                                                                        \
        visit(state->private_type);                                                                                    \
        visit(state->public_type);                                                                                     \
        for (int i = 0; i < OWN_CLASSES; i++) {                                                                        \
            visit(state->own_private_types[i]);                                                                        \
            visit(state->own_public_types[i]);                                                                         \
        }                                                                                                              \
        visit(state->invalid_key);                                                                                     \
        visit(state->random_failure);                                                                                  \
        visit(state->encapsulation);                                                                                   \
        visit(state->to_base64);                                                                                       \
        visit(state->from_base64);                                                                                     \
        for (int i = 0; i < SETS_MAX; i++) visit(state->kems[i]);                                                      \
    } while (0)

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    const core_state *state = PyModule_GetState(module);
    EACH_REFERENCE(Py_VISIT);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *const state = PyModule_GetState(module);
    EACH_REFERENCE(Py_CLEAR);
    return 0;
}

static void release(void *module)
{
    clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,  .m_name = "latkem._core", .m_size = sizeof(core_state),
    .m_methods = functions, .m_slots = slots,         .m_traverse = traverse,
    .m_clear = clear,       .m_free = release,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
