/* The aggregates of one value. What is no number of Python's is passed to the function of the same name of
 * unisono._arrays, which is Python. */

#include "core.h"

#include <string.h>

#define CALL(statement)                                                                                      \
    do                                                                                                       \
        if (CORE_FAILS(0, statement))                                                                        \
            return NULL;                                                                                     \
    while (0)

PyObject *core_in_python(const struct core_function *function, PyObject **a) {
    if (PyErr_Occurred())
        return NULL;
    PyObject *module = PyImport_ImportModule("unisono._arrays");
    PyObject *callee = module ? PyObject_GetAttrString(module, function->name) : NULL;
    PyObject *arguments = callee ? PyTuple_New(function->most) : NULL;
    for (int i = 0; arguments && i < function->most; i++) {
        PyObject *argument = a[i] ? a[i] : Py_None;
        Py_INCREF(argument);
        PyTuple_SetItem(arguments, i, argument);
    }
    PyObject *result = arguments ? PyObject_Call(callee, arguments, NULL) : NULL;
    Py_XDECREF(arguments);
    Py_XDECREF(callee);
    Py_XDECREF(module);
    return result;
}

/* A number cannot be filled. */
static bool no_out(const char *name, PyObject *out) {
    if (out)
        PyErr_Format(PyExc_TypeError, "%s: out= is for arrays, and this value is a number", name);
    return !out;
}

/* ---- the barrier, and truth values ------------------------------------------------------------------- */

static PyObject *wait_for_all(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    if (!core_enter())
        return NULL;
    unisono_call = "wait";
    bool failed = CORE_FAILS(0, p_wait());
    unisono_call = NULL;
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

CORE_FUNCTION(any, 1, 1, "x") {
    int truth = PyObject_IsTrue(a[0]);
    if (truth < 0)
        return NULL;
    CALL(truth = p_any(truth));
    return PyBool_FromLong(truth);
}

CORE_FUNCTION(all, 1, 1, "x") {
    int truth = PyObject_IsTrue(a[0]);
    if (truth < 0)
        return NULL;
    CALL(truth = p_all(truth));
    return PyBool_FromLong(truth);
}

CORE_FUNCTION(waitvec, 1, 1, "x") {
    uint64_t mask[CORE_WORDS];
    int truth = PyObject_IsTrue(a[0]);
    if (truth < 0)
        return NULL;
    CALL(p_waitvecWide(mask, truth));
    return core_mask(mask);
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* Truth values without a dtype are counted, as NumPy's sum does: the papers' own arithmetic is modulo 2. */
static bool counts(PyObject *number, PyObject *dtype, enum core_op op) {
    return PyBool_Check(number) && !dtype && (op == CORE_add || op == CORE_mul);
}

/* The result for the PE `root` alone, or for all. root: the argument, or NULL. */
static bool is_for_me(int root) {
    return root < 0 || root == p_iproc();
}

#define COMBINES(function, scans, ...)                                                                       \
    CORE_FUNCTION(function, 1, scans ? 4 : 5, "x", "op", "out", "dtype", ##__VA_ARGS__) {                    \
        union core_value v;                                                                                  \
        PyObject *given = scans ? NULL : a[of_##function.most - 1];                                          \
        int root = given ? core_member(#function, given) : -1;                                               \
        if (given && root < 0)                                                                               \
            return NULL;                                                                                     \
        const struct core_type *type = core_scalar(#function, a[0], a[3], &v);                               \
        if (!type)                                                                                           \
            return core_in_python(&of_##function, a);                                                        \
        enum core_op op = core_op_named(#function, type, scans, a[1]);                                       \
        if (op == CORE_OPS || !no_out(#function, a[2]))                                                      \
            return NULL;                                                                                     \
        if (counts(a[0], a[3], op))                                                                          \
            type = core_wide();                                                                              \
        CALL(v = type->function[op](v));                                                                     \
        if (is_for_me(root))                                                                                 \
            return type->to(v);                                                                              \
        Py_RETURN_NONE;                                                                                      \
    }
COMBINES(reduce, false, "root")
COMBINES(scan, true)

int core_member(const char *name, PyObject *number) {
    int pe = core_pe(name, number);
    if (pe >= 0 && !core_in_group(pe)) {
        PyErr_Format(PyExc_ValueError, "%s: PE %d is no member of the present group", name, pe);
        return -1;
    }
    return pe;
}

CORE_FUNCTION(putget, 2, 4, "x", "source", "out", "dtype") {
    union core_value v;
    int source = core_member("putget", a[1]);
    if (source < 0)
        return NULL;
    const struct core_type *type = core_scalar("putget", a[0], a[3], &v);
    if (!type)
        return core_in_python(&of_putget, a);
    if (!no_out("putget", a[2]))
        return NULL;
    CALL(v = type->putget(v, source));
    return type->to(v);
}

CORE_FUNCTION(bcast, 0, 3, "x", "root", "dtype") {
    union core_value v = {0};
    const struct core_type *type = NULL;
    int root = a[1] ? core_member("bcast", a[1]) : 0;
    if (root < 0 ||
        (!a[1] && !core_in_group(0) &&
         (PyErr_SetString(PyExc_ValueError, "bcast: PE 0 is no member of the present group; give root="), 1)))
        return NULL;
    bool puts = root == p_iproc();
    if (a[0])
        type = core_scalar("bcast", a[0], a[2], &v);
    else if (a[2] && !puts)
        type = core_type_named("bcast", a[2]);
    else
        PyErr_SetString(PyExc_TypeError, puts ? "bcast: the root needs a value"
                                              : "bcast: who receives needs dtype=, or any value of the type");
    if (!type)
        return core_in_python(&of_bcast, a);
    if (puts) {
        CALL(type->put(v));
    } else {
        CALL(v = type->get());
    }
    return type->to(v);
}

/* The value of each PE; None for one that is no member. */
CORE_FUNCTION(gather, 1, 4, "x", "out", "dtype", "root") {
    union core_value v, all[64 * CORE_WORDS];
    int root = a[3] ? core_member("gather", a[3]) : -1;
    if (a[3] && root < 0)
        return NULL;
    const struct core_type *type = core_scalar("gather", a[0], a[2], &v);
    if (!type)
        return core_in_python(&of_gather, a);
    if (!no_out("gather", a[1]))
        return NULL;
    CALL(type->gather(all, v));
    if (!is_for_me(root))
        Py_RETURN_NONE;
    int n = p_nproc();
    PyObject *list = PyList_New(n);
    for (int k = 0; list && k < n; k++) {
        PyObject *item = Py_None;
        if (core_in_group(k))
            item = type->to(all[k]);
        else
            Py_INCREF(item);
        if (!item) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SetItem(list, k, item);
    }
    return list;
}

#define COUNTS(function, field)                                                                              \
    CORE_FUNCTION(function, 1, 2, "x", "dtype") {                                                            \
        union core_value v;                                                                                  \
        int count;                                                                                           \
        const struct core_type *type = core_scalar(#function, a[0], a[1], &v);                               \
        if (!type)                                                                                           \
            return core_in_python(&of_##function, a);                                                        \
        CALL(count = type->field(v));                                                                        \
        return PyLong_FromLong(count);                                                                       \
    }
COUNTS(order, rank)
COUNTS(match_count, match_count)

CORE_FUNCTION(match, 1, 2, "x", "dtype") {
    union core_value v;
    uint64_t mask[CORE_WORDS];
    const struct core_type *type = core_scalar("match", a[0], a[1], &v);
    if (!type)
        return core_in_python(&of_match, a);
    CALL(type->match(mask, v));
    return core_mask(mask);
}

/* ---- votes ------------------------------------------------------------------------------------------- */

CORE_FUNCTION(vote, 1, 1, "pe") {
    uint64_t mask[CORE_WORDS];
    int pe = core_pe("vote", a[0]);
    if (pe < 0)
        return NULL;
    CALL(p_voteWide(mask, pe));
    return core_mask(mask);
}

CORE_FUNCTION(vote_count, 1, 1, "pe") {
    int count, pe = core_pe("vote_count", a[0]);
    if (pe < 0)
        return NULL;
    CALL(count = p_voteCount(pe));
    return PyLong_FromLong(count);
}

PyMethodDef core_scalar_methods[] = {
    {"wait", wait_for_all, METH_NOARGS, "wait()\n--\n\nBarrier."},
    CORE_METHOD(any, "(x)\n--\n\nWhether any member's x is true."),
    CORE_METHOD(all, "(x)\n--\n\nWhether every member's x is true."),
    CORE_METHOD(waitvec, "(x)\n--\n\nThe mask of the members whose x is true."),
    CORE_METHOD(reduce,
                "(x, op='add', out=None, dtype=None, root=None)\n--\n\n"
                "All members' x, combined in PE order; with root for that PE alone, and None for others."),
    CORE_METHOD(
        scan,
        "(x, op='add', out=None, dtype=None)\n--\n\nAs reduce, over the members up to and with this PE."),
    CORE_METHOD(putget, "(x, source, out=None, dtype=None)\n--\n\nThe x of the PE `source`."),
    CORE_METHOD(bcast, "(x=None, root=0, dtype=None)\n--\n\nThe x of the PE `root`. An array is filled."),
    CORE_METHOD(gather, "(x, out=None, dtype=None, root=None)\n--\n\n"
                        "The x of each PE, by its number; with root for that PE alone, and None for others."),
    CORE_METHOD(order,
                "(x, dtype=None)\n--\n\nHow many members come before this PE when all are ordered by x."),
    CORE_METHOD(match, "(x, dtype=None)\n--\n\nThe mask of the members whose x equals this PE's."),
    CORE_METHOD(match_count, "(x, dtype=None)\n--\n\nHow many members' x equals this PE's."),
    CORE_METHOD(vote, "(pe)\n--\n\nThe mask of the members that vote for this PE; this one votes for `pe`."),
    CORE_METHOD(vote_count, "(pe)\n--\n\nHow many members vote for this PE."),
    {0},
};
