/* The aggregates of arrays, element by element: arrays of one PE after the other as p_allToAllv brings them,
 * and then a loop. Python (unisono._arrays) has found the arrays and made room for the result. */

#include "buffer.h"

#include <exchange.h>
#include <stdlib.h>
#include <string.h>

/* The result has room for so many bytes of this type; NULL: types of counts and masks are the caller's. */
static bool fits(const char *name, const struct core_array *out, const char *kind, size_t bytes) {
    if ((!kind || strcmp(out->kind, kind) == 0) && out->bytes == bytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: out= has %zu bytes of %s; the result has %zu of %s", name, out->bytes,
                 out->kind, bytes, kind ? kind : out->kind);
    return false;
}

/* The result is for all, or for the PE root. */
static bool is_for_me(int root) {
    return root < 0 || root == p_iproc();
}

static char nothing[2];

/* ---- moving ------------------------------------------------------------------------------------------ */

static struct core_blocks to, from;

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

/* The place of a member in the group. */
static int place(int pe) {
    int before = 0;
    for (int k = 0; k < pe; k++)
        before += core_in_group(k);
    return before;
}

/* Leave out all that goes to another PE than the root. */
static void only_to(int root) {
    int at = place(root);
    for (int k = 0; k < p_population(); k++) {
        if (k != at)
            from.bytes[k] = 0;
        if (root != p_iproc())
            to.bytes[k] = 0;
    }
}

/* Blocks that follow each other, each of `bytes` bytes, or all the same one. */
static void follow(struct core_blocks *blocks, size_t bytes, bool same) {
    for (int k = 0; k < p_population(); k++) {
        blocks->bytes[k] = bytes;
        blocks->at[k] = same ? 0 : (size_t)k * bytes;
    }
}

/* Elements of the largest part. */
static size_t share_of(const struct core_array *a) {
    size_t m = (size_t)p_population();
    return (a->count + m - 1) / m;
}

/* An array dealt out to the members: as many elements each, the last ones fewer. */
static void deal(struct core_blocks *blocks, const struct core_array *a) {
    size_t m = (size_t)p_population(), size = (size_t)a->type->size, share = share_of(a);
    for (size_t k = 0; k < m; k++) {
        size_t first = k * share < a->count ? k * share : a->count;
        size_t next = first + share < a->count ? first + share : a->count;
        blocks->at[k] = first * size;
        blocks->bytes[k] = (next - first) * size;
    }
}

/* ---- reductions and scans ---------------------------------------------------------------------------- */

enum { ONE_BY_ONE = 2 }; /* as many elements take less time each by itself */

static void combine_each(const struct core_array *x, const struct core_array *out, enum core_op op,
                         bool scan) {
    const struct core_type *t = x->type;
    for (size_t i = 0; i < x->count; i++) {
        union core_value v = t->load((const char *)x->view.buf + i * (size_t)t->size);
        v = scan ? t->scan[op](v) : t->reduce[op](v);
        if (out)
            t->store((char *)out->view.buf + i * (size_t)t->size, v);
    }
}

/* block: room for a share of each member, here and below. */
static void scan_shares(char *block, const struct core_array *x, const struct core_array *out,
                        enum core_op op) {
    size_t m = (size_t)p_population();
    deal(&from, x);
    size_t own = from.bytes[p_enumerate()], count = own / (size_t)x->type->size;
    follow(&to, own, false);
    move(block, x->view.buf);
    for (size_t k = 1; k < m; k++)
        x->type->loops->combine[op](block + k * own, block + (k - 1) * own, block + k * own, count);
    deal(&to, x);
    follow(&from, own, false);
    move(out->view.buf, block);
}

/* This member's own share is not copied, and of two members the result comes about where it belongs. */
static void reduce_shares(char *block, const struct core_array *x, const struct core_array *out,
                          enum core_op op, int root) {
    size_t m = (size_t)p_population(), me = (size_t)p_enumerate();
    deal(&from, x);
    size_t own = from.bytes[me], at = from.at[me], count = own / (size_t)x->type->size;
    follow(&to, own, false);
    from.bytes[me] = to.bytes[me] = 0;
    move(block, x->view.buf);
    bool in_place = m == 2 && out;
    char *result = in_place ? (char *)out->view.buf + at : block;
    for (size_t k = 1; k < m; k++) {
        const char *mine = (const char *)x->view.buf + at;
        const char *left = k == 1 && me == 0 ? mine : block, *right = k == me ? mine : block + k * own;
        x->type->loops->combine[op](k == m - 1 ? result : block, left, right, count);
    }
    deal(&to, x);
    follow(&from, own, true);
    if (root >= 0)
        only_to(root);
    if (in_place)
        from.bytes[me] = to.bytes[me] = 0;
    move(out ? out->view.buf : nothing, result);
}

/* out: NULL: the result is for another PE alone. */
static void combine(char *block, const struct core_array *x, const struct core_array *out, enum core_op op,
                    bool scan, int root) {
    if (x->count <= ONE_BY_ONE)
        combine_each(x, out, op, scan);
    else if (p_population() == 1)
        memmove(out->view.buf, x->view.buf, x->bytes);
    else if (scan)
        scan_shares(block, x, out, op);
    else
        reduce_shares(block, x, out, op, root);
}

static PyObject *array_combine(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *name;
    int root;
    PyObject *in, *result, *op_name;
    struct core_array x, room_for_it = {0}, *out = NULL;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "sOOOi", &name, &in, &result, &op_name, &root) ||
        !core_open(name, &x, in, false))
        return NULL;
    bool scan = strcmp(name, "scan") == 0, gets = is_for_me(root);
    bool right = !gets || core_open(name, out = &room_for_it, result, true);
    enum core_op op =
        right ? core_op_named(name, x.type, scan, op_name == Py_None ? NULL : op_name) : CORE_OPS;
    char *block = room(share_of(&x) * (size_t)p_population() * (size_t)x.type->size);
    right = right && op < CORE_OPS && (!gets || fits(name, out, x.kind, x.bytes)) &&
            core_agreed(name, &x, core_op_name(op), root, block);
    right = right && !CORE_FAILS(x.bytes, combine(block, &x, out, op, scan, root));
    core_close(&x);
    core_close(&room_for_it);
    return core_done(right);
}

/* ---- what all members' arrays are needed for --------------------------------------------------------- */

static void gather(const struct core_array *x, const struct core_array *out, int root) {
    follow(&from, x->bytes, true);
    follow(&to, x->bytes, true);
    for (int pe = 0, k = 0; pe < p_nproc(); pe++)
        if (core_in_group(pe))
            to.at[k++] = (size_t)pe * x->bytes;
    if (root >= 0)
        only_to(root);
    move(out->view.obj ? out->view.buf : nothing, x->view.buf);
}

static PyObject *array_gather(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *kind;
    int root;
    Py_ssize_t size;
    PyObject *in, *result;
    struct core_array x, out = {0};
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OOsni", &in, &result, &kind, &size, &root) ||
        !core_open_kind(&x, in, false, kind, size))
        return NULL;
    bool right = !is_for_me(root) || (core_open_bytes(&out, result, true) && core_apart("gather", &x, &out));
    out.kind = kind; /* that it is of this type Python has seen */
    right = right && (!is_for_me(root) || fits("gather", &out, kind, x.bytes * (size_t)p_nproc())) &&
            core_agreed("gather", &x, NULL, root, true);
    right = right && !CORE_FAILS(out.bytes, gather(&x, &out, root));
    core_close(&x);
    core_close(&out);
    return core_done(right);
}

static void putget(const struct core_array *x, const struct core_array *out, int source) {
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
    const char *kind;
    Py_ssize_t size;
    PyObject *in, *result;
    int source;
    struct core_array x, out = {0};
    if (!core_enter() || !PyArg_ParseTuple(arguments, "OOsni", &in, &result, &kind, &size, &source) ||
        !core_open_kind(&x, in, false, kind, size))
        return NULL;
    bool right = core_open_kind(&out, result, true, kind, size) && fits("putget", &out, kind, x.bytes) &&
                 core_apart("putget", &x, &out) && core_agreed("putget", &x, NULL, -1, true);
    right = right && !CORE_FAILS(x.bytes, putget(&x, &out, source));
    core_close(&x);
    core_close(&out);
    return core_done(right);
}

static void bcast(const struct core_array *x, int root) {
    bool puts = root == p_iproc();
    follow(&from, puts ? x->bytes : 0, true);
    follow(&to, 0, true);
    from.bytes[p_enumerate()] = 0;
    to.bytes[place(root)] = puts ? 0 : x->bytes;
    move(puts ? &nothing[0] : x->view.buf, puts ? x->view.buf : &nothing[1]);
}

static PyObject *array_bcast(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *kind;
    Py_ssize_t size;
    PyObject *in;
    int root;
    struct core_array x;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "Osni", &in, &kind, &size, &root) ||
        !core_open_kind(&x, in, root != p_iproc(), kind, size))
        return NULL;
    bool right = core_agreed("bcast", &x, NULL, root, true);
    right = right && !CORE_FAILS(x.bytes, bcast(&x, root));
    core_close(&x);
    return core_done(right);
}

/* ---- what is compared with all members' arrays ------------------------------------------------------- */

enum what { ORDER, MATCH, MATCH_COUNT };

static void compare(const struct core_array *x, const struct core_array *out, enum what what, char *all) {
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
    struct core_array x, out;
    if (!core_enter() || !PyArg_ParseTuple(arguments, "sOO", &name, &in, &result) ||
        !core_open_two(name, &x, in, &out, result))
        return NULL;
    enum what what = strcmp(name, "order") == 0 ? ORDER : strcmp(name, "match") == 0 ? MATCH : MATCH_COUNT;
    char *all = room(x.bytes * (size_t)p_population());
    bool right = fits(name, &out, NULL, x.count * sizeof(uint64_t)) && core_agreed(name, &x, NULL, -1, all);
    right = right && !CORE_FAILS(x.bytes * (size_t)p_population(), compare(&x, &out, what, all));
    core_close(&x);
    core_close(&out);
    return core_done(right);
}

PyMethodDef core_array_methods[] = {
    {"_array_combine", array_combine, METH_VARARGS, NULL},
    {"_array_gather", array_gather, METH_VARARGS, NULL},
    {"_array_putget", array_putget, METH_VARARGS, NULL},
    {"_array_bcast", array_bcast, METH_VARARGS, NULL},
    {"_array_compare", array_compare, METH_VARARGS, NULL},
    {0},
};
