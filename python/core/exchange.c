/* The all-to-all exchange, permutations and sort of <exchange.h>, for arrays of Python. Python's part
 * (unisono._exchange) has checked their shapes and types. */

#include "buffer.h"

#include <errno.h>
#include <exchange.h>
#include <string.h>

/* Check, before anything is sent, that elements of this format may go to other members. */
static PyObject *check_format(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *name, *format;
    return core_done(PyArg_ParseTuple(arguments, "ss", &name, &format) && core_lacks_objects(name, format));
}

static PyObject *all_to_all(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *kind;
    Py_ssize_t size;
    PyObject *in, *result;
    struct core_array x, out = {0};
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OOsn", &in, &result, &kind, &size) ||
        !core_open_kind(&x, in, false, kind, size))
        return NULL;
    bool right = core_open_bytes(&out, result, true);
    size_t block = x.bytes / (size_t)p_population();
    if (right && out.bytes != x.bytes) {
        PyErr_Format(PyExc_ValueError, "alltoall: out= has %zu bytes; the result has %zu", out.bytes,
                     x.bytes);
        right = false;
    }
    right = right && core_apart("alltoall", &x, &out) && core_agreed("alltoall", &x, NULL, -1, true) &&
            !CORE_FAILS(x.bytes, p_allToAll(out.view.buf, x.view.buf, block));
    core_close(&x);
    core_close(&out);
    return core_done(right);
}

/* Blocks that follow each other, of the numbers of bytes in a list; or that all begin where the first one
 * does. False: an exception is set. */
static bool read_blocks(struct core_blocks *blocks, PyObject *list, bool same, size_t room) {
    Py_ssize_t m = p_population();
    size_t at = 0;
    if (PyList_Size(list) != m) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "alltoallv: %zd counts; the present group has %zd members",
                         PyList_Size(list), m);
        return false;
    }
    for (Py_ssize_t k = 0; k < m; k++) {
        size_t bytes = PyLong_AsSize_t(PyList_GetItem(list, k));
        if (bytes == SIZE_MAX && PyErr_Occurred())
            return false;
        if (bytes > room - at) {
            PyErr_Format(PyExc_ValueError,
                         "alltoallv: the counts are of more than the %zu bytes of the array", room);
            return false;
        }
        blocks->bytes[k] = bytes;
        blocks->at[k] = at;
        at += same ? 0 : bytes;
    }
    return true;
}

static PyObject *all_to_all_v(PyObject *module, PyObject *arguments) {
    (void)module;
    static struct core_blocks to, from;
    PyObject *in, *result, *of_in, *of_result;
    int same;
    struct core_array x, out = {0};
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OOOOp", &result, &of_result, &in, &of_in, &same) ||
        !core_open_bytes(&x, in, false))
        return NULL;
    bool right = core_open_bytes(&out, result, true) && core_apart("alltoallv", &x, &out) &&
                 read_blocks(&to, of_result, false, out.bytes) && read_blocks(&from, of_in, same, x.bytes);
    right = right && !CORE_FAILS(x.bytes + out.bytes,
                                 p_allToAllv(out.view.buf, to.bytes, to.at, x.view.buf, from.bytes, from.at));
    core_close(&x);
    core_close(&out);
    return core_done(right);
}

/* One of the two permutations: `own` is this member's part, to which `index` belongs. */
static PyObject *permute(PyObject *arguments, const char *name, bool puts) {
    PyObject *shared, *part, *numbers;
    Py_ssize_t bytes;
    struct core_array array, own = {0}, index = {0};
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OOOn", &shared, &part, &numbers, &bytes) ||
        !core_open_bytes(&array, shared, puts))
        return NULL;
    size_t element = (size_t)bytes, length = element ? array.bytes / element : 0;
    bool right = core_open_bytes(&own, part, !puts) && core_apart(name, &array, &own) &&
                 core_open_bytes(&index, numbers, false);
    size_t count = index.bytes / sizeof(uint64_t);
    if (right && own.bytes != count * element) {
        PyErr_Format(PyExc_ValueError, "%s: %zu indices, of elements of %zu bytes, and an array of %zu bytes",
                     name, count, element, own.bytes);
        right = false;
    }
    right = right && !CORE_FAILS(own.bytes, puts ? p_permutePut(array.view.buf, length, own.view.buf,
                                                                index.view.buf, count, element)
                                                 : p_permuteGet(own.view.buf, array.view.buf, length,
                                                                index.view.buf, count, element));
    core_close(&array);
    core_close(&own);
    core_close(&index);
    return core_done(right);
}

static PyObject *permute_put(PyObject *module, PyObject *arguments) {
    (void)module;
    return permute(arguments, "permute_put", true);
}

static PyObject *permute_get(PyObject *module, PyObject *arguments) {
    (void)module;
    return permute(arguments, "permute_get", false);
}

static PyObject *sort(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *in;
    const char *type;
    Py_ssize_t record, offset;
    int error;
    struct core_array x;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "Onsn", &in, &record, &type, &offset) ||
        !core_open_bytes(&x, in, true))
        return NULL;
    bool failed = CORE_FAILS(
        SIZE_MAX, error = p_sort(x.view.buf, x.bytes / (size_t)record, (size_t)record, type, (size_t)offset));
    core_close(&x);
    if (!failed && error)
        PyErr_SetString(PyExc_MemoryError, "sort: there is no memory for it");
    return core_done(!failed && !error);
}

PyMethodDef core_exchange_methods[] = {
    {"_check_format", check_format, METH_VARARGS, NULL},
    {"_alltoall", all_to_all, METH_VARARGS, NULL},
    {"_alltoallv", all_to_all_v, METH_VARARGS, NULL},
    {"_permute_put", permute_put, METH_VARARGS, NULL},
    {"_permute_get", permute_get, METH_VARARGS, NULL},
    {"_sort", sort, METH_VARARGS, NULL},
    {0},
};
