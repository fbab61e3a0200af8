/* The aggregates of arrays, element by element: arrays of one PE after the other as p_allToAllv brings them,
 * and then a loop. Python (unisono._arrays) has found the arrays and made room for the result. */

#include "core.h"

#include <exchange.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers --------------------------------------------------------------------------------------------
 * They are in the stable ABI from 3.11 on, unchanged since 3.3 and exported by 3.10 too. */
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
enum { PyBUF_WRITABLE = 1, PyBUF_FORMAT = 4, PyBUF_ND = 8, PyBUF_STRIDES = 0x10 | PyBUF_ND };
enum { PyBUF_C_CONTIGUOUS = 0x20 | PyBUF_STRIDES };
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
#endif

struct array {
    Py_buffer view;
    const struct core_type *type;
    size_t count, bytes;
};

static bool open_array(const char *name, struct array *a, PyObject *object, bool writable) {
    memset(a, 0, sizeof *a);
    if (PyObject_GetBuffer(object, &a->view,
                           PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)))
        return false;
    a->type = core_type_of(name, a->view.format ? a->view.format : "B", a->view.itemsize);
    if (!a->type) {
        PyBuffer_Release(&a->view);
        return false;
    }
    a->bytes = (size_t)a->view.len;
    a->count = a->bytes / (size_t)a->type->size;
    return true;
}

static void close_array(struct array *a) {
    if (a->view.obj)
        PyBuffer_Release(&a->view);
}

/* The result has room for so many bytes of the type; types of counts and masks are the caller's. */
static bool fits(const char *name, const struct array *out, const struct core_type *type, size_t bytes) {
    if ((!type || out->type == type) && out->bytes == bytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: out= has %zu bytes of %s; the result has %zu of %s", name, out->bytes,
                 out->type->name, bytes, type ? type->name : out->type->name);
    return false;
}

static bool apart(const char *name, const struct array *x, const struct array *out) {
    const char *a = x->view.buf, *b = out->view.buf;
    bool overlap = a < b + out->bytes && b < a + x->bytes;
    if (overlap)
        PyErr_Format(PyExc_ValueError, "%s: out= and the array overlap", name);
    return !overlap;
}

/* ---- moving ------------------------------------------------------------------------------------------ */

/* Of each member, by its place in the group. */
struct blocks {
    size_t bytes[64 * CORE_WORDS], at[64 * CORE_WORDS];
};

static struct blocks to, from;

/* Room that is kept from call to call: to touch fresh memory takes longer than to move what is in it. */
static char *room(size_t bytes) {
    static char *kept;
    static size_t size;
    if (bytes >= size) {
        free(kept);
        kept = malloc(bytes + 1);
        size = kept ? bytes + 1 : 0;
    }
    return kept;
}

static void move(void *there, const void *here) {
    p_allToAllv(there, to.bytes, to.at, here, from.bytes, from.at);
}

/* Blocks that follow each other, each of `bytes` bytes, or all the same one. */
static void follow(struct blocks *blocks, size_t bytes, bool same) {
    for (int k = 0; k < p_population(); k++) {
        blocks->bytes[k] = bytes;
        blocks->at[k] = same ? 0 : (size_t)k * bytes;
    }
}

/* Elements of the largest part. */
static size_t share_of(const struct array *a) {
    size_t m = (size_t)p_population();
    return (a->count + m - 1) / m;
}

/* An array dealt out to the members: as many elements each, the last ones fewer. */
static void deal(struct blocks *blocks, const struct array *a) {
    size_t m = (size_t)p_population(), size = (size_t)a->type->size, share = share_of(a);
    for (size_t k = 0; k < m; k++) {
        size_t first = k * share < a->count ? k * share : a->count;
        size_t next = first + share < a->count ? first + share : a->count;
        blocks->at[k] = first * size;
        blocks->bytes[k] = (next - first) * size;
    }
}

/* Whether all members bring as many elements, of the same type, to the same operation, and have memory for
 * it.
 */
static bool agreed(const char *name, const struct array *a, unsigned op, bool memory) {
    uint64_t mine = memory ? a->count << 12 | core_type_number(a->type) << 8 | op : UINT64_MAX;
    int same;
    if (CORE_FAILS(same = p_matchCount64u(mine)))
        return false;
    if (!memory)
        PyErr_NoMemory();
    else if (same < p_population())
        PyErr_Format(
            PyExc_ValueError,
            "%s: the members have arrays of different lengths or types, or different operations, or one has "
            "no memory; this PE has %zu elements of %s",
            name, a->count, a->type->name);
    return memory && same == p_population();
}

/* ---- reductions and scans ---------------------------------------------------------------------------- */

enum { ONE_BY_ONE = 2 }; /* as many elements take less time each by itself */

/* block: room for a share of each member. */
static void combine(char *block, const struct array *x, const struct array *out, enum core_op op, bool scan) {
    const struct core_type *t = x->type;
    if (x->count <= ONE_BY_ONE) {
        for (size_t i = 0; i < x->count; i++) {
            union core_value v = t->load((const char *)x->view.buf + i * (size_t)t->size);
            v = scan ? t->scan[op](v) : t->reduce[op](v);
            t->store((char *)out->view.buf + i * (size_t)t->size, v);
        }
        return;
    }
    size_t m = (size_t)p_population();
    deal(&from, x);
    size_t own = from.bytes[p_enumerate()], count = own / (size_t)t->size;
    follow(&to, own, false);
    move(block, x->view.buf);
    for (size_t k = 1; k < m; k++) {
        char *left = scan ? block + (k - 1) * own : block, *right = block + k * own;
        t->loops->combine[op](scan ? right : left, left, right, count);
    }
    deal(&to, x);
    follow(&from, own, !scan);
    move(out->view.buf, block);
}

static PyObject *done(bool right) {
    if (!right)
        return NULL;
    Py_RETURN_NONE;
}

/* Open the arrays of a call; NULL: an exception is set. */
static bool open_two(const char *name, struct array *x, PyObject *in, struct array *out, PyObject *result) {
    if (!open_array(name, x, in, false))
        return false;
    if (open_array(name, out, result, true))
        return true;
    close_array(x);
    return false;
}

static PyObject *array_combine(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *name;
    PyObject *in, *result, *op_name;
    struct array x, out;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "sOOO", &name, &in, &result, &op_name) ||
        !open_two(name, &x, in, &out, result))
        return NULL;
    enum core_op op = core_op_named(name, x.type, op_name == Py_None ? NULL : op_name);
    bool scan = strcmp(name, "scan") == 0;
    char *block = room(share_of(&x) * (size_t)p_population() * (size_t)x.type->size);
    bool right =
        op < CORE_OPS && fits(name, &out, x.type, x.bytes) && agreed(name, &x, op | (scan ? 8 : 0), block);
    right = right && !CORE_FAILS(combine(block, &x, &out, op, scan));
    close_array(&x);
    close_array(&out);
    return done(right);
}

/* ---- what all members' arrays are needed for --------------------------------------------------------- */

enum { GATHER = 16, PUTGET, BCAST, ORDER, MATCH, MATCH_COUNT };

static void gather(const struct array *x, const struct array *out) {
    follow(&from, x->bytes, true);
    follow(&to, x->bytes, true);
    for (int pe = 0, k = 0; pe < p_nproc(); pe++)
        if (core_in_group(pe))
            to.at[k++] = (size_t)pe * x->bytes;
    move(out->view.buf, x->view.buf);
}

static PyObject *array_gather(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *in, *result;
    struct array x, out;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OO", &in, &result) ||
        !open_two("gather", &x, in, &out, result))
        return NULL;
    bool right = fits("gather", &out, x.type, x.bytes * (size_t)p_nproc()) && apart("gather", &x, &out) &&
                 agreed("gather", &x, GATHER, true);
    right = right && !CORE_FAILS(gather(&x, &out));
    close_array(&x);
    close_array(&out);
    return done(right);
}

/* The place of a member in the group. */
static int place(int pe) {
    int before = 0;
    for (int k = 0; k < pe; k++)
        before += core_in_group(k);
    return before;
}

static void putget(const struct array *x, const struct array *out, int source) {
    uint64_t wanted[CORE_WORDS];
    p_voteWide(wanted, source);
    follow(&from, 0, true);
    follow(&to, 0, true);
    for (int pe = 0, k = 0; pe < p_nproc(); pe++)
        if (core_in_group(pe))
            from.bytes[k++] = wanted[pe / 64] >> (pe % 64) & 1 ? x->bytes : 0;
    to.bytes[place(source)] = x->bytes;
    move(out->view.buf, x->view.buf);
}

static PyObject *array_putget(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *in, *result;
    int source;
    struct array x, out;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OOi", &in, &result, &source) ||
        !open_two("putget", &x, in, &out, result))
        return NULL;
    bool right = fits("putget", &out, x.type, x.bytes) && apart("putget", &x, &out) &&
                 agreed("putget", &x, PUTGET, true);
    right = right && !CORE_FAILS(putget(&x, &out, source));
    close_array(&x);
    close_array(&out);
    return done(right);
}

static void bcast(const struct array *x, int root) {
    static char nothing[2];
    bool puts = root == p_iproc();
    follow(&from, puts ? x->bytes : 0, true);
    follow(&to, 0, true);
    from.bytes[p_enumerate()] = 0;
    to.bytes[place(root)] = puts ? 0 : x->bytes;
    move(puts ? &nothing[0] : x->view.buf, puts ? x->view.buf : &nothing[1]);
}

static PyObject *array_bcast(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *in;
    int root;
    struct array x;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "Oi", &in, &root) ||
        !open_array("bcast", &x, in, root != p_iproc()))
        return NULL;
    bool right = agreed("bcast", &x, BCAST, true);
    right = right && !CORE_FAILS(bcast(&x, root));
    close_array(&x);
    return done(right);
}

/* ---- what is compared with all members' arrays ------------------------------------------------------- */

static void compare(const struct array *x, const struct array *out, unsigned what, char *all) {
    follow(&from, x->bytes, true);
    follow(&to, x->bytes, false);
    move(all, x->view.buf);
    memset(out->view.buf, 0, out->bytes);
    for (int pe = 0, k = 0; pe < p_nproc(); pe++) {
        if (!core_in_group(pe))
            continue;
        const char *other = all + (size_t)k++ * x->bytes;
        if (what == ORDER)
            x->type->loops->order(out->view.buf, x->view.buf, other, x->count, pe < p_iproc());
        else
            x->type->loops->match(out->view.buf, x->view.buf, other, x->count,
                                  what == MATCH ? (uint64_t)1 << pe : 1);
    }
}

static PyObject *array_compare(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *name;
    PyObject *in, *result;
    struct array x, out;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "sOO", &name, &in, &result) ||
        !open_two(name, &x, in, &out, result))
        return NULL;
    unsigned what = strcmp(name, "order") == 0 ? ORDER : strcmp(name, "match") == 0 ? MATCH : MATCH_COUNT;
    char *all = room(x.bytes * (size_t)p_population());
    bool right = fits(name, &out, NULL, x.count * sizeof(uint64_t)) && agreed(name, &x, what, all);
    right = right && !CORE_FAILS(compare(&x, &out, what, all));
    close_array(&x);
    close_array(&out);
    return done(right);
}

PyMethodDef core_array_methods[] = {
    {"_array_combine", array_combine, METH_VARARGS, NULL},
    {"_array_gather", array_gather, METH_VARARGS, NULL},
    {"_array_putget", array_putget, METH_VARARGS, NULL},
    {"_array_bcast", array_bcast, METH_VARARGS, NULL},
    {"_array_compare", array_compare, METH_VARARGS, NULL},
    {0},
};
