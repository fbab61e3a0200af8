/* A part of memory that this process shares with another one (unisono._arena). It is an object that has a
 * buffer, so an array lies in it without a copy; when the last one that needs it goes, the part's place is
 * put on a list, by which the other process learns that it may be used again. */

#include "buffer.h"

struct region {
    PyObject head;
    Py_buffer memory; /* of the whole, which stays as long as this part */
    size_t at, bytes;
    PyObject *freed; /* a list */
};

static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
    const struct region *r = (struct region *)object;
    return PyBuffer_FillInfo(view, object, (char *)r->memory.buf + r->at, (Py_ssize_t)r->bytes, 0, flags);
}

static void drop(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    struct region *r = (struct region *)object;
    PyObject *kind, *value, *trace, *place = NULL;
    PyErr_Fetch(&kind, &value, &trace);
    if (r->freed && (place = PyLong_FromSize_t(r->at)))
        PyList_Append(r->freed, place);
    Py_XDECREF(place);
    Py_XDECREF(r->freed);
    if (r->memory.obj)
        PyBuffer_Release(&r->memory);
    PyErr_Restore(kind, value, trace);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyTypeObject *region_type;

PyObject *core_make_region(void) {
    static PyType_Slot slots[] = {
        {Py_bf_getbuffer, (void *)get_buffer}, {Py_tp_dealloc, (void *)drop}, {0, NULL}};
    static PyType_Spec spec = {"unisono._core._Region", sizeof(struct region), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    PyObject *type = PyType_FromSpec(&spec);
    region_type = (PyTypeObject *)type;
    return type;
}

static PyObject *make_region(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *memory, *freed;
    Py_ssize_t at, bytes;
    if (!PyArg_ParseTuple(arguments, "OnnO", &memory, &at, &bytes, &freed))
        return NULL;
    struct region *r = PyObject_New(struct region, region_type);
    if (!r)
        return NULL;
    r->memory = (Py_buffer){0};
    r->freed = NULL;
    r->at = (size_t)at;
    r->bytes = (size_t)bytes;
    if (PyObject_GetBuffer(memory, &r->memory, PyBUF_WRITABLE) == 0 && at >= 0 && bytes >= 0 &&
        at <= r->memory.len - bytes) {
        Py_INCREF(freed);
        r->freed = freed;
        return (PyObject *)r;
    }
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the part is not within the memory");
    Py_DECREF((PyObject *)r);
    return NULL;
}

PyMethodDef core_region_methods[] = {
    {"_region", make_region, METH_VARARGS, NULL},
    {0},
};
