#include "buffer.h"

#include <string.h>

static bool open_with(struct core_array *a, PyObject *object, int flags, bool writable) {
    memset(a, 0, sizeof *a);
    if (PyObject_GetBuffer(object, &a->view, flags | (writable ? PyBUF_WRITABLE : 0)))
        return false;
    a->bytes = a->count = (size_t)a->view.len;
    return true;
}

bool core_open(const char *name, struct core_array *a, PyObject *object, bool writable) {
    if (!open_with(a, object, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT, writable))
        return false;
    a->type = core_type_of(name, a->view.format ? a->view.format : "B", a->view.itemsize);
    if (!a->type) {
        PyBuffer_Release(&a->view);
        return false;
    }
    a->count = a->bytes / (size_t)a->type->size;
    a->kind = a->type->name;
    return true;
}

bool core_open_bytes(struct core_array *a, PyObject *object, bool writable) {
    return open_with(a, object, PyBUF_SIMPLE, writable);
}

bool core_open_kind(struct core_array *a, PyObject *object, bool writable, const char *kind,
                    Py_ssize_t size) {
    if (!core_open_bytes(a, object, writable))
        return false;
    a->kind = kind;
    a->count = size ? a->bytes / (size_t)size : 0;
    return true;
}

bool core_lacks_objects(const char *name, const char *format) {
    bool field = false; /* within the name of a field, which stands between colons */
    for (const char *c = format ? format : ""; *c; c++) {
        field ^= *c == ':';
        if (*c != 'O' || field)
            continue;
        PyErr_Format(PyExc_TypeError, "%s: the array holds objects, which belong to one PE", name);
        return false;
    }
    return true;
}

bool core_open_message(struct core_array *a, PyObject *object, bool writable) {
    if (!open_with(a, object, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT, writable))
        return false;
    /* Masked arrays of NumPy have a buffer, too, and would lose their masks. */
    PyObject *type = (PyObject *)Py_TYPE(object);
    if (core_lacks_objects("", a->view.format) &&
        (PyBytes_CheckExact(object) || PyByteArray_CheckExact(object) || PyMemoryView_Check(object) ||
         !PyObject_HasAttrString(type, "_defaultmask")))
        return true;
    core_close(a);
    return false;
}

void core_close(struct core_array *a) {
    if (a->view.obj)
        PyBuffer_Release(&a->view);
}

bool core_open_two(const char *name, struct core_array *x, PyObject *in, struct core_array *out,
                   PyObject *result) {
    if (!core_open(name, x, in, false))
        return false;
    if (core_open(name, out, result, true))
        return true;
    core_close(x);
    return false;
}

bool core_apart(const char *name, const struct core_array *x, const struct core_array *out) {
    const char *a = x->view.buf, *b = out->view.buf;
    bool overlap = a < b + out->bytes && b < a + x->bytes;
    if (overlap)
        PyErr_Format(PyExc_ValueError, "%s: out= and the array overlap", name);
    return !overlap;
}

PyObject *core_done(bool right) {
    if (!right)
        return NULL;
    Py_RETURN_NONE;
}
