/* Messages between PEs, of whatever has a buffer: those of <vertex.h>, a tag being its type. */

#include "buffer.h"

#include <limits.h>
#include <vertex.h>

/* unisono.Message */
static PyTypeObject *message_type;

PyObject *core_make_message(void) {
    static PyStructSequence_Field fields[] = {{"source", "the PE that sent it"},
                                              {"tag", "which it was given"},
                                              {"bytes", "how many it has"},
                                              {NULL, NULL}};
    static PyStructSequence_Desc text = {"unisono.Message", "What is known of a message.", fields, 3};
    message_type = PyStructSequence_NewType(&text);
    return (PyObject *)message_type;
}

static PyObject *message(int source, int tag, ssize_t bytes) {
    PyObject *m = PyStructSequence_New(message_type);
    if (!m)
        return NULL;
    PyStructSequence_SetItem(m, 0, PyLong_FromLong(source));
    PyStructSequence_SetItem(m, 1, PyLong_FromLong(tag));
    PyStructSequence_SetItem(m, 2, PyLong_FromSsize_t(bytes));
    if (!PyErr_Occurred())
        return m;
    Py_DECREF(m);
    return NULL;
}

/* Return the tag that is given; -1: an exception is set. */
static int tag_of(const char *name, PyObject *number) {
    long tag = PyLong_AsLong(number);
    if (tag == -1 && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError))
        return -1;
    if (tag >= 0 && tag <= INT_MAX)
        return (int)tag;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s: tag %S; tags are numbers from 0 to %d", name, number, INT_MAX);
    return -1;
}

/* Convert the source and the tag that a receive asks for; one that is not given stands for any. Returns
 * false, with an exception set, at the first one that is wrong. */
static bool asked(const char *name, PyObject *from, PyObject *with, int *source, int *tag) {
    *source = from ? core_pe(name, from) : NANY;
    if (from && *source < 0)
        return false;
    *tag = with ? tag_of(name, with) : NANY;
    return !with || *tag >= 0;
}

CORE_FUNCTION(send, 2, 3, "x", "pe", "tag") {
    struct core_array x;
    int pe = core_pe("send", a[1]);
    if (pe < 0)
        return NULL;
    int tag = a[2] ? tag_of("send", a[2]) : 0;
    if (tag < 0)
        return NULL;
    if (!core_open_message(&x, a[0], false)) {
        PyErr_Clear();
        return core_in_python(&of_send, a);
    }
    bool failed = CORE_FAILS(x.bytes, nwrite(x.view.buf, x.bytes, pe, tag));
    core_close(&x);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

CORE_FUNCTION(recv, 1, 3, "out", "source", "tag") {
    struct core_array out;
    int source, tag;
    ssize_t bytes;
    if (!asked("recv", a[1], a[2], &source, &tag))
        return NULL;
    if (!core_open_message(&out, a[0], true)) {
        PyErr_Clear();
        return core_in_python(&of_recv, a);
    }
    bool failed = CORE_FAILS(out.bytes, bytes = nread(out.view.buf, out.bytes, &source, &tag));
    core_close(&out);
    return failed ? NULL : message(source, tag, bytes);
}

CORE_FUNCTION(probe, 0, 3, "source", "tag", "wait") {
    int source, tag, waits = a[2] ? PyObject_IsTrue(a[2]) : 1;
    ssize_t bytes;
    if (waits < 0 || !asked("probe", a[0], a[1], &source, &tag) ||
        CORE_FAILS(0, bytes = waits ? nprobe(&source, &tag) : ntest(&source, &tag)))
        return NULL;
    if (bytes < 0)
        Py_RETURN_NONE;
    return message(source, tag, bytes);
}

PyMethodDef core_message_methods[] = {
    CORE_METHOD(send, "(x, pe, tag=0)\n--\n\nSend memory to a PE. Returns when x may be changed."),
    CORE_METHOD(recv, "(out, source=None, tag=None)\n--\n\n"
                      "Receive a message into memory, from any PE and of any tag unless they are given."),
    CORE_METHOD(probe, "(source=None, tag=None, wait=True)\n--\n\n"
                       "What recv would receive; the message stays. None: there is none, and wait is false."),
    {0},
};
