/* The accesses of this rank's in an epoch. */

#include "windows.h"

#include <stddef.h>
#include <string.h>

static MPI_Op op_of(const struct window *v) {
    const MPI_Op ops[] = {MPI_SUM, MPI_BXOR, MPI_MAX, MPI_MIN, MPI_BOR, MPI_BAND};
    return ops[v->op];
}

/* ---- issuing ----------------------------------------------------------------------------------------- */

/* Call a function, or the one by a request, with the same arguments. */
#define ASK(a, name, small, ...)                                                                             \
    do {                                                                                                     \
        if ((a)->asks)                                                                                       \
            GOOD(MPI_R##small(__VA_ARGS__, &(a)->request));                                                  \
        else                                                                                                 \
            GOOD(MPI_##name(__VA_ARGS__));                                                                   \
    } while (0)

/* Elements so many words apart. */
static MPI_Datatype apart(int step) {
    MPI_Datatype type;
    GOOD(MPI_Type_create_resized(MPI_UINT32_T, 0, (MPI_Aint)sizeof(word) * step, &type));
    GOOD(MPI_Type_commit(&type));
    return type;
}

static MPI_Aint displacement(const struct window *v, const struct access *a, size_t at) {
    return (v->flavor == DYNAMIC ? v->place[a->to] : 0) + (MPI_Aint)at / v->unit;
}

static void move(struct window *v, struct access *a, bool put) {
    MPI_Aint at = displacement(v, a, slice_at(v, a->by, a->slice));
    MPI_Datatype here = apart(a->here), there = apart(a->there);
    if (put)
        ASK(a, Put, put, a->in, a->n, here, a->to, at, a->n, there, v->win);
    else
        ASK(a, Get, get, a->out, a->n, here, a->to, at, a->n, there, v->win);
    GOOD(MPI_Type_free(&here)); /* the call holds what it needs */
    GOOD(MPI_Type_free(&there));
}

/* Store it without a call, where the memory is shared. */
static void store(struct window *v, const struct access *a) {
    MPI_Aint bytes;
    int unit;
    char *memory;
    GOOD(MPI_Win_shared_query(v->win, a->to, &bytes, &unit, &memory));
    CHECK(bytes == (MPI_Aint)v->bytes && unit == v->unit);
    word *slice = (word *)(memory + slice_at(v, a->by, a->slice));
    for (int i = 0; i < a->n; i++)
        slice[i * a->there] = ((word *)a->in)[i * a->here];
    GOOD(MPI_Win_sync(v->win));
}

static void on_head(struct window *v, struct access *a) {
    MPI_Datatype type = MPI_UINT64_T;
    MPI_Aint at = displacement(v, a, offsetof(struct head, common) + (size_t)a->first * 8);
    uint64_t one = 1;
    if (a->kind == COMBINE) {
        ASK(a, Accumulate, accumulate, a->in, a->n, type, a->to, at, a->n, type, op_of(v), v->win);
    } else if (a->kind == COUNT) {
        memcpy(a->in, &one, sizeof one);
        GOOD(MPI_Fetch_and_op(a->in, a->out, type, a->to, displacement(v, a, offsetof(struct head, count)),
                              MPI_SUM, v->win));
    } else if (a->kind == SWAP) {
        memcpy(a->in + 8, &v->before[a->to].swap, 8);
        GOOD(MPI_Compare_and_swap(a->in, a->in + 8, a->out, type, a->to,
                                  displacement(v, a, offsetof(struct head, swap)), v->win));
    } else {
        MPI_Op op = a->kind == LOOK ? MPI_NO_OP : op_of(v);
        ASK(a, Get_accumulate, get_accumulate, a->in, a->n, type, a->out, a->n, type, a->to, at, a->n, type,
            op, v->win);
    }
}

static size_t room(const struct access *a) {
    return (size_t)a->n * 8 + 16;
}

static void prepare(const struct window *v, struct access *a) {
    a->in = malloc(room(a));
    a->out = malloc(room(a));
    memset(a->in, 0xdd, room(a));
    memset(a->out, 0xdd, room(a));
    for (int i = 0; i < a->n; i++) {
        uint64_t number = number_of(v, a, i);
        if (a->kind <= STORE)
            ((word *)a->in)[i * a->here] = (word)number;
        else
            memcpy(a->in + i * 8, &number, 8);
    }
}

static void take_lock(struct window *v, const struct access *a) {
    bool shares = v->epoch == SHARE;
    if (v->epoch != EXCLUDE && (!shares || v->locked[a->to]))
        return;
    GOOD(MPI_Win_lock(shares || a->n % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, a->to, 0, v->win));
    v->locked[a->to] = true;
}

void access_issue(struct window *v, struct access *a) {
    prepare(v, a);
    take_lock(v, a);
    if (a->kind == STORE)
        store(v, a);
    else if (a->kind > STORE)
        on_head(v, a);
    else
        move(v, a, a->kind != GET);
    if (a->kind == PUT_GET) {
        GOOD(MPI_Win_flush(a->to, v->win));
        move(v, a, false);
    }
    if (a->settles)
        access_settle(v, a);
    if (v->epoch == EXCLUDE) {
        GOOD(MPI_Wait(&a->request, MPI_STATUS_IGNORE));
        GOOD(MPI_Win_unlock(a->to, v->win));
        v->locked[a->to] = false;
    }
}

/* ---- completing -------------------------------------------------------------------------------------- */

void access_settle(struct window *v, struct access *a) {
    int (*const one[])(int, MPI_Win) = {MPI_Win_flush, MPI_Win_flush_local};
    int (*const all[])(MPI_Win) = {MPI_Win_flush_all, MPI_Win_flush_local_all};
    if (a->request != MPI_REQUEST_NULL)
        GOOD(MPI_Wait(&a->request, MPI_STATUS_IGNORE));
    else if (a->here == a->there)
        GOOD(one[a->n % 2](a->to, v->win));
    else
        GOOD(all[a->n % 2](v->win));
    memset(a->in, 0xee, room(a)); /* it is the program's again */
    if (a->kind <= PUT_GET)
        access_compare(v, a);
}

static void compare_slice(const struct window *v, const struct access *a) {
    const word *slice = (const word *)(model_of(v, a->to) + slice_at(v, a->by, a->slice)),
               *out = (word *)a->out;
    for (int i = 0; i < a->n; i++)
        CHECK(out[i * a->here] == slice[i * a->there]);
    for (int i = 0; i < a->n && a->here == 2; i++)
        CHECK(out[2 * i + 1] == UNTOUCHED);
    CHECK(out[a->n * a->here] == UNTOUCHED);
}

/* A number that lies between two by an operation that never goes back. */
static bool between(int op, uint64_t before, uint64_t got, uint64_t after) {
    const bool holds[] = {true,
                          true,
                          before <= got && got <= after,
                          before >= got && got >= after,
                          !(before & ~got) && !(got & ~after),
                          !(got & ~before) && !(after & ~got)};
    return holds[op];
}

static void compare_head(const struct window *v, const struct access *a) {
    const struct head *before = &v->before[a->to], *after = (const struct head *)model_of(v, a->to);
    uint64_t got[COMMON];
    memcpy(got, a->out, (size_t)a->n * 8);
    if (a->kind == COUNT)
        CHECK(got[0] >= before->count && got[0] < after->count);
    else if (a->kind == SWAP)
        CHECK(got[0] == before->swap || got[0] == after->swap);
    else if (a->kind != COMBINE)
        for (int i = 0; i < a->n; i++)
            CHECK(between(v->op, before->common[a->first + i], got[i], after->common[a->first + i]));
}

void access_compare(const struct window *v, const struct access *a) {
    if (a->kind == GET || a->kind == PUT_GET)
        compare_slice(v, a);
    else if (a->kind > STORE)
        compare_head(v, a);
}
