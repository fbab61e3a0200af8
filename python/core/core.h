/* The extension module unisono._core, which the package's functions in Python call. It checks its arguments,
 * releases the interpreter's lock and calls the library; all the rest is written in Python (python/unisono).
 *
 * Built for CPython's stable ABI of 3.10, so that one wheel serves every later version. */

#ifndef UNISONO_CORE_H
#define UNISONO_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <papers.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- the session (session.c) ------------------------------------------------------------------------- */

/* True if the calling thread is a PE. */
extern _Thread_local bool core_is_pe;

/* Check in, at the first call of a process. Returns true if this thread is a PE now; otherwise an exception
 * is set. */
bool core_check_in(void);

static inline bool core_enter(void) {
    return __builtin_expect(core_is_pe, 1) || core_check_in();
}

enum { CORE_WORDS = 16384 / 64 }; /* of a mask, at most (papers.h) */

/* The present group. */
extern uint64_t core_group[CORE_WORDS];

static inline bool core_in_group(int pe) {
    return core_group[pe / 64] >> (pe % 64) & 1;
}

/* Call the library. The value is true if that ended by an error: then an exception is set, and the variables
 * that the statement sets have no meaning. An error comes back by longjmp, which skips functions of the
 * library only.
 *
 * The interpreter's lock is released: at once if the call moves more than a few bytes, otherwise when a wait
 * begins to take longer than some microseconds, since the lock is half of what a short call costs. No thread
 * waits longer for the lock than for any function of C's that never releases it. */
#define CORE_FAILS(bytes, statement)                                                                         \
    ({                                                                                                       \
        bool core_failed = true;                                                                             \
        core_locked = true;                                                                                  \
        if ((bytes) > CORE_FEW)                                                                              \
            core_unlock();                                                                                   \
        if (_setjmp(core_failure) == 0) {                                                                    \
            statement;                                                                                       \
            core_failed = false;                                                                             \
        }                                                                                                    \
        if (!core_locked)                                                                                    \
            PyEval_RestoreThread(core_thread);                                                               \
        core_locked = false;                                                                                 \
        core_thread = NULL;                                                                                  \
        __builtin_expect(core_failed, 0) && core_fail();                                                     \
    })
enum { CORE_FEW = 4096 }; /* bytes: they are moved within a microsecond */
extern jmp_buf core_failure;
extern bool core_locked;           /* the PE is in the library, and has the lock */
extern PyThreadState *core_thread; /* the PE's, if it is in the library and has not */

static inline void core_unlock(void) {
    core_locked = false;
    core_thread = PyEval_SaveThread();
}

/* This PE has failed: set the exception, and let no other call pass. Returns true. */
bool core_fail(void);

/* The name of the function of the package that this PE is in, as its caller writes it; NULL: it is in none.
 * The launcher reads it for its reports, and finds it by this name (src/engine/interpreter.c). */
extern __attribute__((visibility("default"))) const char *unisono_call;

/* Called after p_exit, if it is set. */
extern void (*core_after_exit)(void);

/* unisono.Error */
PyObject *core_make_error(void);

/* ---- arguments (arguments.c) ------------------------------------------------------------------------- */

struct core_function {
    const char *name;
    int required, most;        /* arguments */
    const char *parameters[5]; /* their names */
};

/* Put the arguments in the order of the parameters; NULL for one that is not given, or is None. Returns
 * whether they fit; if not, an exception is set. */
bool core_arguments(const struct core_function *function, PyObject *const *given, Py_ssize_t count,
                    PyObject *keywords, PyObject **arguments);

/* A function of the module: `a` are its arguments, in the order of the names. */
#define CORE_FUNCTION(function, required, most, ...)                                                         \
    static const struct core_function of_##function = {#function, required, most, {__VA_ARGS__}};            \
    static PyObject *call_##function(PyObject **a);                                                          \
    static PyObject *function(PyObject *module, PyObject *const *given, Py_ssize_t count,                    \
                              PyObject *keywords) {                                                          \
        (void)module;                                                                                        \
        PyObject *a[most];                                                                                   \
        if (!core_enter() || !core_arguments(&of_##function, given, count, keywords, a))                     \
            return NULL;                                                                                     \
        unisono_call = #function;                                                                            \
        PyObject *result = call_##function(a);                                                               \
        unisono_call = NULL;                                                                                 \
        return result;                                                                                       \
    }                                                                                                        \
    static PyObject *call_##function(PyObject **a)

/* The row of a function in a table of methods. */
#define CORE_METHOD(function, text)                                                                          \
    { #function, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, #function text }

/* Return the number of a PE, or -1 if it is none: then an exception is set. */
int core_pe(const char *name, PyObject *number);

/* ---- types (types.c) --------------------------------------------------------------------------------- */

/* A scalar: signed integers are in i, unsigned ones in u, real numbers in d. */
union core_value {
    int64_t i;
    uint64_t u;
    double d;
};

enum core_op {
#define X(name, shape, combine, unused) CORE_##combine,
    PAPERS_REDUCTIONS_ALL(X, ) PAPERS_REDUCTIONS_INTEGER(X, )
#undef X
        CORE_OPS
};

/* A row of papers/types.def. */
struct core_type {
    const char *name;                                        /* NumPy's */
    const char *formats;                                     /* of the struct module */
    Py_ssize_t size;                                         /* of an element of an array */
    bool (*from)(PyObject *number, union core_value *value); /* false: an exception is set */
    PyObject *(*to)(union core_value value);
    union core_value (*load)(const void *element);
    void (*store)(void *element, union core_value value);
    /* those of papers.h; NULL: not for this type */
    union core_value (*reduce[CORE_OPS])(union core_value d);
    union core_value (*scan[CORE_OPS])(union core_value d);
    union core_value (*putget)(union core_value d, int s);
    void (*put)(union core_value d);
    union core_value (*get)(void);
    void (*gather)(union core_value *all, union core_value d);
    int (*rank)(union core_value d);
    void (*match)(uint64_t *mask, union core_value d);
    int (*match_count)(union core_value d);
    const struct core_loops *loops;
};

/* The elements of arrays, of each type; a truth value is a byte. */
typedef uint8_t core_element_1u;
typedef uint8_t core_element_8u;
typedef uint16_t core_element_16u;
typedef uint32_t core_element_32u;
typedef uint64_t core_element_64u;
typedef int8_t core_element_8;
typedef int16_t core_element_16;
typedef int32_t core_element_32;
typedef int64_t core_element_64;
typedef float core_element_f;
typedef double core_element_d;

/* Loops over the elements of arrays (loops.c). */
struct core_loops {
    /* to[i] = a[i] op b[i]; `to` may be a or b. NULL: not for this type. */
    void (*combine[CORE_OPS])(void *to, const void *a, const void *b, size_t count);
    /* to[i] += 1 where the other's element comes before one's own; before: of equal ones it does. */
    void (*order)(int64_t *to, const void *own, const void *other, size_t count, bool before);
    /* to[i] += step where both are equal. */
    void (*match)(uint64_t *to, const void *own, const void *other, size_t count, uint64_t step);
};
#define X(suffix, type, width) extern const struct core_loops core_loops_##suffix;
PAPERS_ALL(X)
#undef X

/* Return the type of the given name ("int32", numpy.int32, numpy.dtype("int32"), int). NULL: an exception is
 * set. */
const struct core_type *core_type_named(const char *name, PyObject *dtype);

/* Return the type of a buffer's elements. NULL: an exception is set. */
const struct core_type *core_type_of(const char *name, const char *format, Py_ssize_t size);

/* Return the type of a Python number: as `dtype` says, or, if that is NULL, by the number itself: bool, int64
 * or float64. NULL, without an exception: it is no number of Python's. */
const struct core_type *core_scalar(const char *name, PyObject *number, PyObject *dtype,
                                    union core_value *value);

/* Return the op of the given name that a reduction, or a scan, of that type combines by; op NULL is "add".
 * CORE_OPS: the type has no such op, and an exception is set. */
enum core_op core_op_named(const char *name, const struct core_type *type, bool scan, PyObject *op);
const char *core_op_name(enum core_op op);

/* Return the type int64, which Python's own integers have. */
const struct core_type *core_wide(void);

/* ---- values (scalar.c) ------------------------------------------------------------------------------- */

/* Call the function of the same name in unisono._arrays, which is written in Python, with the same
 * arguments. */
PyObject *core_in_python(const struct core_function *function, PyObject **arguments);

/* A member of the present group; -1: an exception is set. */
int core_member(const char *name, PyObject *number);

/* ---- masks (group.c) --------------------------------------------------------------------------------- */

PyObject *core_mask(const uint64_t *words);

/* ---- types of the package's own (message.c, shared.c, region.c)
 * ------------------------------------------------- */

PyObject *core_make_message(void), *core_make_shared(void), *core_make_region(void);

/* ---- what the module offers -------------------------------------------------------------------------- */
extern PyMethodDef core_session_methods[], core_group_methods[], core_type_methods[], core_scalar_methods[],
    core_array_methods[], core_message_methods[], core_shared_methods[], core_exchange_methods[],
    core_region_methods[];

#endif
