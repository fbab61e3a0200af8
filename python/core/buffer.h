/* Access, without a copy, to the memory of Python's objects that have a buffer. */

#ifndef UNISONO_BUFFER_H
#define UNISONO_BUFFER_H

#include "core.h"

/* Buffers are in the stable ABI from 3.11 on, unchanged since 3.3 and exported by 3.10 too. */
#if Py_LIMITED_API + 0 < 0x030B0000
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;
enum {
    PyBUF_SIMPLE = 0,
    PyBUF_WRITABLE = 1,
    PyBUF_FORMAT = 4,
    PyBUF_ND = 8,
    PyBUF_STRIDES = 0x10 | PyBUF_ND
};
enum { PyBUF_C_CONTIGUOUS = 0x20 | PyBUF_STRIDES };
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
PyAPI_FUNC(int) PyBuffer_FillInfo(Py_buffer *view, PyObject *object, void *data, Py_ssize_t bytes,
                                  int readonly, int flags);
#endif

struct core_array {
    Py_buffer view;
    const struct core_type *type; /* NULL: only its bytes count */
    const char *kind;             /* the name of the type of its elements, as Python calls it */
    size_t count, bytes;
};

/* Blocks of an array, one of each member, by its place in the group. */
struct core_blocks {
    size_t bytes[64 * CORE_WORDS], at[64 * CORE_WORDS];
};

/* Open an array of one of the library's types. False: an exception is set. */
bool core_open(const char *name, struct core_array *a, PyObject *object, bool writable);

/* Open contiguous memory of any type. */
bool core_open_bytes(struct core_array *a, PyObject *object, bool writable);

/* Open contiguous memory whose elements, each of so many bytes, are only moved. */
bool core_open_kind(struct core_array *a, PyObject *object, bool writable, const char *kind, Py_ssize_t size);

/* Return true if elements of this format hold no pointers to Python's objects; otherwise an exception is
 * set. */
bool core_lacks_objects(const char *name, const char *format);

/* Open the memory that a message is sent from, or received into: contiguous, and of any type but Python's
 * objects. Returns false if Python (unisono._arrays) must have a closer look; an exception may be set
 * then. */
bool core_open_message(struct core_array *a, PyObject *object, bool writable);

void core_close(struct core_array *a);

/* Open both arrays of a call, or neither of them. */
bool core_open_two(const char *name, struct core_array *x, PyObject *in, struct core_array *out,
                   PyObject *result);

/* Return true if the two arrays do not overlap; otherwise an exception is set. */
bool core_apart(const char *name, const struct core_array *x, const struct core_array *out);

/* Return true if all members bring as many elements, of the same type, to the same operation, and have memory
 * for it. If not, an exception is set, at every member, which says who differs in what. op: the name of an
 * op, or NULL; root: the PE that it is about, or -1. (agree.c) */
bool core_agreed(const char *name, const struct core_array *a, const char *op, int root, bool memory);

/* Return None, for a function that has no result; or NULL if `right` is false: then an exception has been
 * set. */
PyObject *core_done(bool right);

#endif
