/* The types, and the functions of papers.h for each: a row per type, made from papers/types.def. */

#include "core.h"

#include <stdio.h>
#include <string.h>

static const char *const op_names[CORE_OPS] = {
#define X(name, shape, combine, unused) #combine,
    PAPERS_REDUCTIONS_ALL(X, ) PAPERS_REDUCTIONS_INTEGER(X, )
#undef X
};

/* ---- Python's numbers -------------------------------------------------------------------------------- */

static bool out_of_range(const char *type, PyObject *number) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError))
        return false;
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError, "%R does not fit into %s; give dtype= a type that has room", number,
                 type);
    return false;
}

static PyObject *to_i(union core_value v) {
    return PyLong_FromLongLong(v.i);
}

static PyObject *to_u(union core_value v) {
    return PyLong_FromUnsignedLongLong(v.u);
}

static PyObject *to_truth(union core_value v) {
    return PyBool_FromLong(v.u != 0);
}

static PyObject *to_d(union core_value v) {
    return PyFloat_FromDouble(v.d);
}

/* ---- the functions of one type ----------------------------------------------------------------------- */

#define VALUE(name, field, type, suffix)                                                                     \
    static union core_value name##_##suffix(union core_value v) {                                            \
        return (union core_value){.field = name##suffix((type)v.field)};                                     \
    }
#define NUMBER(name, field, type, suffix)
#define REDUCTION(name, shape, combine, field, type, suffix) shape(name, field, type, suffix)

#define COMMON(field, type, suffix)                                                                          \
    static union core_value load_##suffix(const void *element) {                                             \
        core_element_##suffix e;                                                                             \
        memcpy(&e, element, sizeof e);                                                                       \
        return (union core_value){.field = e};                                                               \
    }                                                                                                        \
    static void store_##suffix(void *element, union core_value v) {                                          \
        core_element_##suffix e = (core_element_##suffix)v.field;                                            \
        memcpy(element, &e, sizeof e);                                                                       \
    }                                                                                                        \
    PAPERS_REDUCTIONS_ALL(REDUCTION, field, type, suffix)                                                    \
    PAPERS_SCANS_ALL(REDUCTION, field, type, suffix)                                                         \
    static union core_value putget_##suffix(union core_value v, int s) {                                     \
        return (union core_value){.field = p_putget##suffix((type)v.field, s)};                              \
    }                                                                                                        \
    static void put_##suffix(union core_value v) {                                                           \
        p_bcastPut##suffix((type)v.field);                                                                   \
    }                                                                                                        \
    static union core_value get_##suffix(void) {                                                             \
        return (union core_value){.field = p_bcastGet##suffix()};                                            \
    }                                                                                                        \
    static void gather_##suffix(union core_value *all, union core_value v) {                                 \
        type raw[64 * CORE_WORDS];                                                                           \
        p_gather##suffix(raw, (type)v.field);                                                                \
        int n = p_nproc();                                                                                   \
        for (int k = 0; k < n; k++)                                                                          \
            if (core_in_group(k))                                                                            \
                all[k].field = raw[k];                                                                       \
    }                                                                                                        \
    static int rank_##suffix(union core_value v) {                                                           \
        return p_rank##suffix((type)v.field);                                                                \
    }                                                                                                        \
    static void match_##suffix(uint64_t *mask, union core_value v) {                                         \
        p_matchWide##suffix(mask, (type)v.field);                                                            \
    }                                                                                                        \
    static int match_count_##suffix(union core_value v) {                                                    \
        return p_matchCount##suffix((type)v.field);                                                          \
    }
#define INTEGER(field, type, suffix)                                                                         \
    COMMON(field, type, suffix)                                                                              \
    PAPERS_REDUCTIONS_INTEGER(REDUCTION, field, type, suffix)                                                \
    PAPERS_SCANS_INTEGER(REDUCTION, field, type, suffix)

#define UNSIGNED(suffix, type, width)                                                                        \
    static bool from_##suffix(PyObject *number, union core_value *v) {                                       \
        if (width == 1) {                                                                                    \
            int truth = PyObject_IsTrue(number);                                                             \
            v->u = truth > 0;                                                                                \
            return truth >= 0;                                                                               \
        }                                                                                                    \
        v->u = PyLong_AsUnsignedLongLong(number);                                                            \
        if ((v->u == UINT64_MAX && PyErr_Occurred()) || v->u != (type)v->u)                                  \
            return out_of_range("uint" #width, number);                                                      \
        return true;                                                                                         \
    }                                                                                                        \
    INTEGER(u, type, suffix)
#define SIGNED(suffix, type, width)                                                                          \
    static bool from_##suffix(PyObject *number, union core_value *v) {                                       \
        v->i = PyLong_AsLongLong(number);                                                                    \
        if ((v->i == -1 && PyErr_Occurred()) || v->i != (type)v->i)                                          \
            return out_of_range("int" #width, number);                                                       \
        return true;                                                                                         \
    }                                                                                                        \
    INTEGER(i, type, suffix)
#define REAL(suffix, type, width)                                                                            \
    static bool from_##suffix(PyObject *number, union core_value *v) {                                       \
        v->d = PyFloat_AsDouble(number);                                                                     \
        return v->d != -1 || !PyErr_Occurred();                                                              \
    }                                                                                                        \
    COMMON(d, type, suffix)
PAPERS_UNSIGNED(UNSIGNED)
PAPERS_SIGNED(SIGNED)
PAPERS_REAL(REAL)

/* ---- the table --------------------------------------------------------------------------------------- */

#define ENTRY_VALUE(name, combine, suffix) [CORE_##combine] = name##_##suffix,
#define ENTRY_NUMBER(name, combine, suffix)
#define ENTRY(name, shape, combine, suffix) ENTRY_##shape(name, combine, suffix)
#define NONE(ENTRY, suffix)

#define ROW(suffix, NAME, FORMATS, TO, REDUCTIONS, SCANS)                                                    \
    {.name = NAME,                                                                                           \
     .formats = FORMATS,                                                                                     \
     .size = sizeof(core_element_##suffix),                                                                  \
     .from = from_##suffix,                                                                                  \
     .to = TO,                                                                                               \
     .load = load_##suffix,                                                                                  \
     .store = store_##suffix,                                                                                \
     .reduce = {PAPERS_REDUCTIONS_ALL(ENTRY, suffix) REDUCTIONS(ENTRY, suffix)},                             \
     .scan = {PAPERS_SCANS_ALL(ENTRY, suffix) SCANS(ENTRY, suffix)},                                         \
     .putget = putget_##suffix,                                                                              \
     .put = put_##suffix,                                                                                    \
     .get = get_##suffix,                                                                                    \
     .gather = gather_##suffix,                                                                              \
     .rank = rank_##suffix,                                                                                  \
     .match = match_##suffix,                                                                                \
     .match_count = match_count_##suffix,                                                                    \
     .loops = &core_loops_##suffix},
#define ROW_INTEGER(suffix, NAME, FORMATS, TO)                                                               \
    ROW(suffix, NAME, FORMATS, TO, PAPERS_REDUCTIONS_INTEGER, PAPERS_SCANS_INTEGER)
#define ROW_REAL(suffix, type, width) ROW(suffix, "float" #width, "fd", to_d, NONE, NONE)
#define ROW_SIGNED(suffix, type, width) ROW_INTEGER(suffix, "int" #width, "bhilq", to_i)
#define ROW_UNSIGNED(suffix, type, width)                                                                    \
    ROW_INTEGER(suffix, width == 1 ? "bool" : "uint" #width, width == 1 ? "?" : "BHILQ",                     \
                width == 1 ? to_truth : to_u)

static const struct core_type types[] = {PAPERS_UNSIGNED(ROW_UNSIGNED) PAPERS_SIGNED(ROW_SIGNED)
                                             PAPERS_REAL(ROW_REAL)};
enum { TYPES = sizeof types / sizeof *types };

/* ---- finding a row ----------------------------------------------------------------------------------- */

const struct core_type *core_type_of(const char *name, const char *format, Py_ssize_t size) {
    const char *plain = format;
    if (*plain == '@' || *plain == '=' || *plain == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>'))
        plain++;
    for (int i = 0; i < TYPES && plain[0] && !plain[1]; i++)
        if (types[i].size == size && strchr(types[i].formats, plain[0]))
            return &types[i];
    PyErr_Format(
        PyExc_TypeError,
        "%s: elements of the format '%s' are no type of the library; it has integers of 8 to 64 bits, "
        "float32, float64 and bool, in this machine's byte order",
        name, format);
    return NULL;
}

/* The name of a dtype: a string itself, the attribute `name` of NumPy's, `__name__` of a class. */
static PyObject *name_of(PyObject *dtype) {
    if (PyUnicode_Check(dtype)) {
        Py_INCREF(dtype);
        return dtype;
    }
    const char *attribute = PyType_Check(dtype) ? "__name__" : "name";
    return PyObject_GetAttrString(dtype, attribute);
}

const struct core_type *core_type_named(const char *name, PyObject *dtype) {
    static const char *const own[][2] = {{"int", "int64"}, {"float", "float64"}, {"bool_", "bool"}};
    PyObject *text = name_of(dtype);
    const struct core_type *found = NULL;
    for (int i = 0; text && PyUnicode_Check(text) && i < TYPES; i++)
        if (PyUnicode_CompareWithASCIIString(text, types[i].name) == 0)
            found = &types[i];
    for (int k = 0; text && PyUnicode_Check(text) && k < 3; k++)
        for (int i = 0; PyUnicode_CompareWithASCIIString(text, own[k][0]) == 0 && i < TYPES; i++)
            if (strcmp(types[i].name, own[k][1]) == 0)
                found = &types[i];
    Py_XDECREF(text);
    if (!found) {
        PyErr_Clear();
        PyErr_Format(
            PyExc_TypeError,
            "%s: dtype=%R is no type of the library; it has int8 to int64, uint8 to uint64, float32, "
            "float64 and bool",
            name, dtype);
    }
    return found;
}

static PyObject *type_name(PyObject *module, PyObject *dtype) {
    (void)module;
    const struct core_type *type = core_type_named("dtype", dtype);
    return type ? PyUnicode_FromString(type->name) : NULL;
}

static PyObject *format_name(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *format;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "sn", &format, &size))
        return NULL;
    const struct core_type *type = core_type_of("dtype", format, size);
    return type ? PyUnicode_FromString(type->name) : NULL;
}

PyMethodDef core_type_methods[] = {
    {"_type_name", type_name, METH_O, NULL},
    {"_format_name", format_name, METH_VARARGS, NULL},
    {0},
};

/* Return the type of 64 bits that Python's own numbers have: float64 if `real`, else int64. */
static const struct core_type *wide(bool real) {
    return real ? &types[TYPES - 1] : &types[TYPES - 3];
}

const struct core_type *core_scalar(const char *name, PyObject *number, PyObject *dtype,
                                    union core_value *value) {
    bool real = PyFloat_Check(number);
    if (!real && !PyLong_Check(number))
        return NULL;
    const struct core_type *own = PyBool_Check(number) ? &types[0] : wide(real);
    const struct core_type *type = dtype ? core_type_named(name, dtype) : own;
    return type && type->from(number, value) ? type : NULL;
}

const struct core_type *core_wide(void) {
    return wide(false);
}

const char *core_op_name(enum core_op op) {
    return op_names[op];
}

/* Return true if the library has the op, which it then has for the integers. */
static bool has(bool scan, int op) {
    return (scan ? wide(false)->scan : wide(false)->reduce)[op];
}

/* Names of the ops in other libraries. */
static const char *const also[][2] = {
    {"sum", "add"},     {"plus", "add"},      {"+", "add"},           {"prod", "mul"},
    {"product", "mul"}, {"multiply", "mul"},  {"times", "mul"},       {"*", "mul"},
    {"minimum", "min"}, {"maximum", "max"},   {"amin", "min"},        {"amax", "max"},
    {"band", "and"},    {"land", "and"},      {"bitwise_and", "and"}, {"logical_and", "and"},
    {"and_", "and"},    {"&", "and"},         {"all", "and"},         {"bor", "or"},
    {"lor", "or"},      {"bitwise_or", "or"}, {"logical_or", "or"},   {"or_", "or"},
    {"|", "or"},        {"any", "or"},
};

/* Return the op of scans, or of reductions, that is meant by another name, which may be that of a function:
 * numpy.add, max, operator.mul, MPI.SUM. NULL: none is. Sets no exception. */
static const char *meant(bool scan, PyObject *op) {
    PyObject *name = PyUnicode_Check(op) ? PyObject_Str(op) : PyObject_GetAttrString(op, "__name__");
    PyObject *lower = name ? PyObject_CallMethod(name, "lower", NULL) : NULL;
    const char *found = NULL, *known = NULL;
    for (size_t k = 0; lower && !known && k < sizeof also / sizeof *also; k++)
        if (PyUnicode_CompareWithASCIIString(lower, also[k][0]) == 0)
            known = also[k][1];
    for (int i = 0; lower && !found && i < CORE_OPS; i++)
        if (has(scan, i) && (known ? strcmp(known, op_names[i]) == 0
                                   : PyUnicode_CompareWithASCIIString(lower, op_names[i]) == 0))
            found = op_names[i];
    Py_XDECREF(lower);
    Py_XDECREF(name);
    PyErr_Clear();
    return found;
}

/* There are 'add' and so on. */
static void no_op(const char *name, bool scan, PyObject *op) {
    char text[CORE_OPS * 16] = "", hint[40] = "";
    size_t length = 0;
    for (int i = 0; i < CORE_OPS && length < sizeof text; i++)
        if (has(scan, i))
            length += (size_t)snprintf(text + length, sizeof text - length, "%s'%s'", length ? ", " : "",
                                       op_names[i]);
    const char *other = meant(scan, op);
    if (other)
        snprintf(hint, sizeof hint, "; did you mean '%s'?", other);
    PyErr_Format(PyExc_ValueError, "%s: there is no op %R%s; there are %s", name, op, hint, text);
}

enum core_op core_op_named(const char *name, const struct core_type *type, bool scan, PyObject *op) {
    int which = op ? 0 : CORE_add;
    while (op && which < CORE_OPS &&
           (!PyUnicode_Check(op) || PyUnicode_CompareWithASCIIString(op, op_names[which]) != 0))
        which++;
    if (which == CORE_OPS || !has(scan, which)) {
        no_op(name, scan, op);
        return CORE_OPS;
    }
    if (!(scan ? type->scan : type->reduce)[which]) {
        PyErr_Format(PyExc_TypeError, "%s: '%s' is for integers, and this value is a %s", name,
                     op_names[which], type->name);
        return CORE_OPS;
    }
    return (enum core_op)which;
}
