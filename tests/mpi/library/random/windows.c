/* Windows: making them, their epochs, and what all ranks find out together when one has ended. */

#include "windows.h"

#include <string.h>

/* ---- making ------------------------------------------------------------------------------------------ */

static word first_of(int rank, size_t i) {
    return (word)i * 2654435761u + (word)rank;
}

static void allocate(struct window *v) {
    MPI_Aint bytes = (MPI_Aint)v->bytes;
    MPI_Comm comm = v->w.comm;
    v->memory = v->flavor >= CREATED ? malloc(v->bytes) : NULL;
    if (v->flavor == ALLOCATED)
        GOOD(MPI_Win_allocate(bytes, v->unit, MPI_INFO_NULL, comm, &v->memory, &v->win));
    else if (v->flavor == SHARED_MEMORY)
        GOOD(MPI_Win_allocate_shared(bytes, v->unit, MPI_INFO_NULL, comm, &v->memory, &v->win));
    else if (v->flavor == CREATED)
        GOOD(MPI_Win_create(v->memory, bytes, v->unit, MPI_INFO_NULL, comm, &v->win));
    else
        GOOD(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &v->win));
    MPI_Aint at = 0;
    if (v->flavor == DYNAMIC) {
        GOOD(MPI_Win_attach(v->win, v->memory, bytes));
        GOOD(MPI_Get_address(v->memory, &at));
    }
    GOOD(MPI_Allgather(&at, 1, MPI_AINT, v->place, 1, MPI_AINT, comm));
}

struct window *window_make(const struct world *of) {
    static const int slices[] = {1, 7, 40, 700};
    struct window *v = calloc(1, sizeof *v);
    struct rng r = rng_for(of->seed, (uint64_t)of->round, 90, (uint64_t)of->size);
    MPI_Comm comm;
    v->flavor = (enum flavor)rng_below(&r, FLAVORS);
    if (v->flavor == SHARED_MEMORY) /* which the ranks of a node have */
        GOOD(MPI_Comm_split_type(of->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    else
        GOOD(MPI_Comm_dup(of->comm, &comm));
    v->w = world_of(of, comm);
    v->slice = slices[rng_below(&r, v->w.size > 8 ? 3 : 4)];
    v->unit = v->flavor == DYNAMIC || rng_below(&r, 2) ? 1 : 4;
    v->bytes = slice_at(v, v->w.size, 0);
    v->model = malloc((size_t)v->w.size * v->bytes);
    v->before = malloc((size_t)v->w.size * sizeof *v->before);
    for (int rank = 0; rank < v->w.size; rank++)
        for (size_t i = 0; i < v->bytes / sizeof(word); i++)
            ((word *)model_of(v, rank))[i] = first_of(rank, i);
    allocate(v);
    memcpy(v->memory, model_of(v, v->w.rank), v->bytes);
    GOOD(MPI_Barrier(comm));
    return v;
}

/* ---- epochs ------------------------------------------------------------------------------------------ */

/* The ranks that this one goes to, or that come to it: all of them, or one. */
static MPI_Group group_of(const struct window *v, int reach) {
    MPI_Group all, one;
    int rank = (v->w.rank + reach + v->w.size) % v->w.size;
    GOOD(MPI_Win_get_group(v->win, &all));
    if (!v->reach)
        return all;
    GOOD(MPI_Group_incl(all, 1, &rank, &one));
    GOOD(MPI_Group_free(&all));
    return one;
}

static void begin(struct window *v) {
    if (v->epoch == FENCE) {
        GOOD(MPI_Win_fence(v->op % 2 ? MPI_MODE_NOPRECEDE : 0, v->win));
    } else if (v->epoch == POST) {
        MPI_Group to = group_of(v, v->reach), from = group_of(v, -v->reach);
        GOOD(MPI_Win_post(from, 0, v->win));
        GOOD(MPI_Win_start(to, 0, v->win));
        GOOD(MPI_Group_free(&to));
        GOOD(MPI_Group_free(&from));
    } else if (v->epoch == LOCK_ALL) {
        GOOD(MPI_Win_lock_all(v->op % 2 ? MPI_MODE_NOCHECK : 0, v->win));
    }
}

static void await(struct window *v) {
    int flag = v->op % 2;
    if (flag)
        GOOD(MPI_Win_wait(v->win));
    while (!flag)
        GOOD(MPI_Win_test(v->win, &flag));
}

/* Complete the requests together. */
static void finish_requests(struct window *v) {
    MPI_Request request[ACCESSES];
    for (int k = 0; k < v->n; k++)
        request[k] = v->mine[k].request;
    GOOD(MPI_Waitall(v->n, request, MPI_STATUSES_IGNORE));
}

static void close(struct window *v) {
    if (v->epoch == FENCE) {
        GOOD(MPI_Win_fence(MPI_MODE_NOSUCCEED, v->win));
    } else if (v->epoch == POST) {
        GOOD(MPI_Win_complete(v->win));
        await(v);
    } else if (v->epoch == LOCK_ALL) {
        finish_requests(v);
        GOOD(MPI_Win_unlock_all(v->win));
    } else if (v->epoch == SHARE) {
        finish_requests(v);
        for (int to = 0; to < v->w.size; to++)
            if (v->locked[to])
                GOOD(MPI_Win_unlock(to, v->win));
    }
    memset(v->locked, 0, sizeof v->locked);
}

/* ---- comparing --------------------------------------------------------------------------------------- */

static uint64_t hash(int to, uint64_t number) {
    struct rng r = rng_for(number, (uint64_t)to, 3, 4);
    return rng_next(&r);
}

/* Each number has been counted once, and of those who swap one has come first. */
static void compare_together(struct window *v) {
    uint64_t sums[MOST_RANKS + 1] = {0}, swap[MOST_RANKS], expected = 0;
    int size = v->w.size;
    GOOD(MPI_Barrier(v->w.comm));
    GOOD(MPI_Allgather(&((struct head *)v->memory)->swap, 1, MPI_UINT64_T, swap, 1, MPI_UINT64_T, v->w.comm));
    for (int to = 0; to < size; to++)
        ((struct head *)model_of(v, to))->swap = swap[to];
    for (int k = 0; k < v->n; k++) {
        const struct access *a = &v->mine[k];
        uint64_t got;
        memcpy(&got, a->out, sizeof got);
        sums[size] += a->kind == COUNT ? hash(a->to, got) : 0;
        sums[a->to] += a->kind == SWAP && got == v->before[a->to].swap;
    }
    GOOD(MPI_Allreduce(MPI_IN_PLACE, sums, size + 1, MPI_UINT64_T, MPI_SUM, v->w.comm));
    for (int to = 0; to < size; to++) {
        CHECK(sums[to] == (v->swaps[to] > 0));
        CHECK(v->swaps[to] || swap[to] == v->before[to].swap);
        for (int i = 0; i < v->counts[to]; i++)
            expected += hash(to, v->before[to].count + (uint64_t)i);
    }
    CHECK(sums[size] == expected);
}

static void compare(struct window *v) {
    compare_together(v);
    CHECK(memcmp(v->memory, model_of(v, v->w.rank), v->bytes) == 0);
    for (int k = 0; k < v->n; k++) {
        access_compare(v, &v->mine[k]);
        free(v->mine[k].in);
        free(v->mine[k].out);
    }
    GOOD(MPI_Barrier(v->w.comm)); /* the next epoch changes the memory */
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* Each rank does so many of its accesses when the epoch begins, and the others when it ends. */
static int early(const struct window *v) {
    struct rng own = rng_for(v->w.seed, (uint64_t)v->w.round, 93, (uint64_t)v->w.rank);
    return rng_below(&own, v->n + 1);
}

static void end_epoch(struct window *v) {
    for (int k = early(v); k < v->n; k++)
        access_issue(v, &v->mine[k]);
    close(v);
    compare(v);
    v->epoch = NO_EPOCH;
}

void window_step(struct window *v, int round) {
    if (v->epoch != NO_EPOCH) {
        end_epoch(v);
        return;
    }
    v->w.round = round;
    plan_epoch(v);
    begin(v);
    for (int k = 0, n = early(v); k < n; k++)
        access_issue(v, &v->mine[k]);
}

void window_end(struct window *v, int round) {
    if (v->epoch == NO_EPOCH)
        window_step(v, round);
    end_epoch(v);
    if (v->flavor == DYNAMIC)
        GOOD(MPI_Win_detach(v->win, v->memory));
    GOOD(MPI_Win_free(&v->win));
    CHECK(v->win == MPI_WIN_NULL);
    GOOD(MPI_Comm_free(&v->w.comm));
    if (v->flavor >= CREATED)
        free(v->memory);
    free(v->model);
    free(v->before);
    free(v);
}
