/* Arguments of Python's calls, by place or by name. */

#include "core.h"

static int parameter(const struct core_function *function, PyObject *name) {
    for (int i = 0; i < function->most; i++)
        if (PyUnicode_CompareWithASCIIString(name, function->parameters[i]) == 0)
            return i;
    return -1;
}

bool core_arguments(const struct core_function *function, PyObject *const *given, Py_ssize_t count,
                    PyObject *keywords, PyObject **arguments) {
    for (int i = 0; i < function->most; i++)
        arguments[i] = i < count && given[i] != Py_None ? given[i] : NULL;
    if (count > function->most) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d arguments (%zd given)", function->name,
                     function->most, count);
        return false;
    }
    Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(keywords, k);
        int i = parameter(function, name);
        if (i < 0 || i < count) {
            PyErr_Format(PyExc_TypeError,
                         i < 0 ? "%s() has no parameter '%U'" : "%s() got two values for parameter '%U'",
                         function->name, name);
            return false;
        }
        arguments[i] = given[count + k] != Py_None ? given[count + k] : NULL;
    }
    for (int i = 0; i < function->required; i++)
        if (!arguments[i]) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", function->name,
                         function->parameters[i]);
            return false;
        }
    return true;
}

int core_pe(const char *name, PyObject *number) {
    long pe = PyLong_AsLong(number);
    if (pe == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError))
            return -1;
        PyErr_Clear();
        pe = -1;
    }
    if (pe < 0 || pe >= p_nproc()) {
        PyErr_Format(PyExc_ValueError, "%s: there is no PE %S; this job has PEs 0 to %d", name, number,
                     p_nproc() - 1);
        return -1;
    }
    return (int)pe;
}
