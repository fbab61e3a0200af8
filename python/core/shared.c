/* Arrays that all members of a group reach: memory from p_alloc, as an object that has a buffer.
 *
 * p_free is for all members together, and no PE knows when another one's objects go. So memory that a PE has
 * no object for any more is noted, and freed once no member has one: found out at the group's next
 * allocation. No array that somebody has ever loses its memory. */

#define _GNU_SOURCE
#include "buffer.h"

#include <exchange.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct allocation {
    char *data;
    size_t bytes;
    bool held;    /* by an object */
    bool dropped; /* !held, when this was looked at last, with the interpreter's lock */
    struct allocation *next;
    uint64_t group[CORE_WORDS];
};

/* In their order, which for those of one group is the same at all of its members. */
static struct allocation *first;

struct shared {
    PyObject head;
    struct allocation *allocation;
};

static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
    const struct allocation *a = ((struct shared *)object)->allocation;
    return PyBuffer_FillInfo(view, object, a->data, (Py_ssize_t)a->bytes, 0, flags);
}

static void drop(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    ((struct shared *)object)->allocation->held = false;
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyTypeObject *shared_type;

PyObject *core_make_shared(void) {
    static PyType_Slot slots[] = {
        {Py_bf_getbuffer, (void *)get_buffer}, {Py_tp_dealloc, (void *)drop}, {0, NULL}};
    static PyType_Spec spec = {"unisono._core._Shared", sizeof(struct shared), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    PyObject *type = PyType_FromSpec(&spec);
    shared_type = (PyTypeObject *)type;
    return type;
}

/* Free what no member of the present group has any more, up to 64 at a time. */
static void free_dropped(void) {
    for (struct allocation **at = &first; *at;) {
        uint64_t dropped = 0;
        int count = 0;
        for (struct allocation *a = *at; a && count < 64; a = a->next)
            if (memcmp(a->group, core_group, sizeof a->group) == 0)
                dropped |= (uint64_t)a->dropped << count++;
        if (count == 0)
            return;
        dropped = p_reduceAnd64u(dropped);
        for (int k = 0; k < count;) {
            struct allocation *a = *at;
            bool ours = memcmp(a->group, core_group, sizeof a->group) == 0;
            if (ours && dropped >> k & 1) {
                p_free(a->data);
                *at = a->next;
                free(a);
            } else {
                at = &a->next;
            }
            k += ours;
        }
    }
}

/* p_exit takes their memory away: give the arrays that the interpreter still has, and may look at, memory of
 * their own. */
static void replace(void) {
    for (const struct allocation *a = first; a; a = a->next)
        if (a->held)
            mmap(a->data, a->bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

static PyObject *allocate(PyObject *module, PyObject *number) {
    (void)module;
    size_t bytes = PyLong_AsSize_t(number);
    if ((bytes == SIZE_MAX && PyErr_Occurred()) || !core_enter())
        return NULL;
    struct allocation **last = &first, *a = calloc(1, sizeof *a);
    struct shared *shared = a ? PyObject_New(struct shared, shared_type) : NULL;
    if (!shared) {
        free(a);
        return PyErr_NoMemory();
    }
    for (struct allocation *b = first; b; b = b->next)
        b->dropped = !b->held;
    memcpy(a->group, core_group, sizeof a->group);
    a->bytes = bytes;
    shared->allocation = a;
    bool failed = CORE_FAILS(SIZE_MAX, {
        free_dropped();
        a->data = p_alloc(bytes);
    });
    if (failed || !a->data) {
        Py_DECREF((PyObject *)shared);
        free(a);
        if (!failed)
            PyErr_Format(PyExc_MemoryError, "shared: there is no memory for %zu bytes", bytes);
        return NULL;
    }
    while (*last)
        last = &(*last)->next;
    *last = a;
    a->held = true;
    core_after_exit = replace;
    return (PyObject *)shared;
}

PyMethodDef core_shared_methods[] = {
    {"_allocate", allocate, METH_O, NULL},
    {0},
};
