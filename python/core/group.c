/* Groups and masks. A mask is an integer of Python's, as long as the job needs: bit k is PE k. */

#include "core.h"

#include <string.h>

static int words(void) {
    return (p_nproc() + 63) / 64;
}

PyObject *core_mask(const uint64_t *mask) {
    int count = words();
    if (count == 1)
        return PyLong_FromUnsignedLongLong(mask[0]);
    static const char digits[] = "0123456789abcdef";
    char text[CORE_WORDS * 16 + 1];
    for (int i = 0; i < count * 16; i++) {
        int nibble = count * 16 - 1 - i;
        text[i] = digits[mask[nibble / 16] >> (nibble % 16 * 4) & 15];
    }
    text[count * 16] = 0;
    return PyLong_FromString(text, NULL, 16);
}

static PyObject *mask(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    return core_enter() ? core_mask(core_group) : NULL;
}

/* The members as numbers, which Python has sorted out of a mask or a set. */
static bool read_members(PyObject *members, uint64_t *to) {
    memset(to, 0, CORE_WORDS * sizeof *to);
    Py_ssize_t count = PyList_Size(members);
    if (count < 0)
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        int pe = core_pe("group", PyList_GetItem(members, i));
        if (pe < 0)
            return false;
        to[pe / 64] |= (uint64_t)1 << (pe % 64);
    }
    return true;
}

static PyObject *enqueue(PyObject *module, PyObject *members) {
    (void)module;
    uint64_t next[CORE_WORDS];
    if (!core_enter() || !read_members(members, next))
        return NULL;
    int me = p_iproc();
    if (!(next[me / 64] >> (me % 64) & 1)) {
        PyErr_Format(PyExc_ValueError, "group: PE %d is no member of %S, and only members may be in it", me,
                     members);
        return NULL;
    }
    memcpy(core_group, next, sizeof next);
    p_enqueueWide(core_group);
    Py_RETURN_NONE;
}

#define PROPERTY(name, function)                                                                             \
    static PyObject *name(PyObject *module, PyObject *none) {                                                \
        (void)module, (void)none;                                                                            \
        return core_enter() ? PyLong_FromLong(function()) : NULL;                                            \
    }
PROPERTY(population, p_population)
PROPERTY(enumerate, p_enumerate)
PROPERTY(select_first, p_selectFirst)
PROPERTY(select_one, p_selectOne)

PyMethodDef core_group_methods[] = {
    {"_enqueue", enqueue, METH_O, NULL},
    {"mask", mask, METH_NOARGS, "mask()\n--\n\nThe present group: bit k is set where PE k is a member."},
    {"population", population, METH_NOARGS,
     "population()\n--\n\nThe number of members of the present group."},
    {"enumerate", enumerate, METH_NOARGS, "enumerate()\n--\n\nThe number of members before this PE."},
    {"select_first", select_first, METH_NOARGS, "select_first()\n--\n\nThe lowest member."},
    {"select_one", select_one, METH_NOARGS, "select_one()\n--\n\nSome member, the same at every member."},
    {0},
};
