/* Memory of Python's objects: what has a buffer, without a copy of it. */

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

/* Whether a buffer of this format has no pointers to Python's objects; if it has, an exception is set. */
bool core_lacks_objects(const char *name, const char *format);

/* Open what goes into a message, or is filled by one: contiguous memory of any type but of objects. False:
 * Python (unisono._arrays) is to have a closer look; an exception may be set. */
bool core_open_message(struct core_array *a, PyObject *object, bool writable);

void core_close(struct core_array *a);

/* Open the arrays of a call, or none. */
bool core_open_two(const char *name, struct core_array *x, PyObject *in, struct core_array *out,
                   PyObject *result);

/* Whether the two do not overlap; if they do, an exception is set. */
bool core_apart(const char *name, const struct core_array *x, const struct core_array *out);

/* Return true if all members bring as many elements, of the same type, to the same operation, and have memory
 * for it. If not, an exception is set, at every member, which says who differs in what. op: the name of an
 * op, or NULL; root: the PE that it is about, or -1. (agree.c) */
bool core_agreed(const char *name, const struct core_array *a, const char *op, int root, bool memory);

/* What a function returns that has no result: None; not right: an exception is set. */
PyObject *core_done(bool right);

#endif
