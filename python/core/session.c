/* The state of the PE. The first thread of a process that calls is; the library knows a PE by
 * its thread. */

#include "core.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Thread_local bool core_is_pe;
uint64_t core_group[CORE_WORDS];
const char *unisono_call;

jmp_buf core_failure;
void (*core_after_exit)(void);
bool core_locked;
PyThreadState *core_thread;

static enum { BEFORE, INSIDE, WAITING, AFTER, FORKED, FAILED } state;
static PyObject *error; /* unisono.Error */
static char message[1200];

PyObject *core_make_error(void) {
    error = PyErr_NewExceptionWithDoc("unisono.Error", "The job has failed: the library's message says why.",
                                      PyExc_RuntimeError, NULL);
    return error;
}

/* The library calls this. */
static void take_error(const char *text) {
    snprintf(message, sizeof message, "%s", text);
    _longjmp(core_failure, 1);
}

/* Put the message into the words of the package. */
static void translate(void) {
    PyObject *module = PyImport_ImportModule("unisono._words");
    PyObject *text = module ? PyObject_CallMethod(module, "in_python", "s", message) : NULL;
    const char *words = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (words)
        snprintf(message, sizeof message, "%s", words);
    Py_XDECREF(text);
    Py_XDECREF(module);
    PyErr_Clear();
}

bool core_fail(void) {
    core_is_pe = false;
    if (state != FORKED)
        state = FAILED;
    /* The exception of a signal's function comes first: Ctrl-C is for all PEs, and one may have failed by it
     * already. */
    if (PyErr_Occurred() || PyErr_CheckSignals())
        return true;
    translate();
    PyErr_SetString(error, message);
    return true;
}

/* A child has its parent's memory and is none of the job's PEs. */
static void forked(void) {
    core_is_pe = false;
    if (state == INSIDE || state == WAITING)
        state = FORKED;
}

/* Run Python's functions of signals. If one raises an exception, as Ctrl-C does, the operation does not end,
 * and so the job fails. */
static void look_for_signals(void) {
    core_is_pe = false;
    state = WAITING;
    PyEval_RestoreThread(core_thread);
    bool raised = PyErr_CheckSignals() != 0;
    bool child = state == FORKED;
    if (child && !raised)
        PyErr_SetString(PyExc_RuntimeError, "this process is a child of a PE, made while that waited");
    core_thread = PyEval_SaveThread();
    if (child)
        _longjmp(core_failure, 1);
    core_is_pe = true;
    state = INSIDE;
    if (raised)
        p_error("an exception ended its wait: that of a function that handles a signal");
}

/* The library calls this while the PE waits. Who called it by another way than the package, as ctypes.PyDLL,
 * keeps the interpreter's lock, and hears of signals later. */
static void wait_longer(uint64_t ns) {
    if (core_locked)
        core_unlock();
    if (ns && core_thread)
        look_for_signals();
}

/* Programs that this one starts are no PEs of its job, and those of no other launcher either, whose names it
 * also has from `unisono run`. */
static bool forget_environment(void) {
    if (!getenv("UNISONO_JOB"))
        return true;
    PyObject *os = PyImport_ImportModule("os");
    PyObject *environment = os ? PyObject_GetAttrString(os, "environ") : NULL;
    PyObject *empty = environment ? PyUnicode_FromString("") : NULL;
    bool done = empty && !PyMapping_SetItemString(environment, "UNISONO_JOB", empty);
    Py_XDECREF(empty);
    Py_XDECREF(environment);
    Py_XDECREF(os);
    return done;
}

static PyObject *leave(PyObject *module, PyObject *none);

static bool leave_at_exit(void) {
    static PyMethodDef method = {"_leave", leave, METH_NOARGS, NULL};
    PyObject *atexit = PyImport_ImportModule("atexit");
    PyObject *function = atexit ? PyCFunction_New(&method, NULL) : NULL;
    PyObject *none = function ? PyObject_CallMethod(atexit, "register", "O", function) : NULL;
    bool done = none != NULL;
    Py_XDECREF(none);
    Py_XDECREF(function);
    Py_XDECREF(atexit);
    return done;
}

bool core_check_in(void) {
    static const char *const why[] = {
        [INSIDE] = "another thread of this process is its PE: the one that called first",
        [WAITING] = "this PE waits, and what handles a signal meanwhile cannot call",
        [AFTER] = "this PE has checked out: the interpreter is ending",
        [FORKED] = "this process is a child of a PE, and no PE itself",
    };
    if (state == FAILED) {
        PyErr_Format(error, "the job has failed before: %s", message);
        return false;
    }
    if (state != BEFORE) {
        PyErr_SetString(PyExc_RuntimeError, why[state]);
        return false;
    }
    if (!leave_at_exit())
        return false;
    pthread_atfork(NULL, NULL, forked);
    p_init();
    p_onError(take_error);
    p_onWait(wait_longer);
    state = INSIDE;
    core_is_pe = true;
    for (int k = 0; k < p_nproc(); k++)
        core_group[k / 64] |= (uint64_t)1 << (k % 64);
    return forget_environment();
}

/* At the end of the interpreter. */
static PyObject *leave(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    if (core_is_pe) {
        if (CORE_FAILS(0, p_exit(0)))
            return NULL;
        core_is_pe = false;
        state = AFTER;
        if (core_after_exit)
            core_after_exit();
    }
    Py_RETURN_NONE;
}

static PyObject *rank(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    return core_enter() ? PyLong_FromLong(p_iproc()) : NULL;
}

static PyObject *size(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    return core_enter() ? PyLong_FromLong(p_nproc()) : NULL;
}

PyMethodDef core_session_methods[] = {
    {"rank", rank, METH_NOARGS, "rank()\n--\n\nThis PE's number, from 0."},
    {"size", size, METH_NOARGS, "size()\n--\n\nThe number of PEs in the job."},
    {0},
};
