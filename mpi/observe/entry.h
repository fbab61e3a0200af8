/* Helpers of the entries that are made for each ABI (table/observe.py), which include this behind `next`, the
 * functions below them. */

#ifndef UNO_SEEN_ENTRY_H
#define UNO_SEEN_ENTRY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "observe/call.h"

/* Define an entry, for the program and for who goes by PMPI_, as MPI libraries for Fortran do. Its name in C
 * is different, since mpi.h has the standard's prototype for that. */
#define UNO_SEEN(name, parameters)                                                                           \
    int seen_##name parameters __asm__("MPI_" #name) __attribute__((visibility("default")));                 \
    int also_##name parameters __asm__("PMPI_" #name)                                                        \
        __attribute__((alias("MPI_" #name), visibility("default")));                                         \
    int seen_##name parameters

#define UNO_SEEN_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))
#define UNO_SEEN_OBJECT(handle) uno_seen_object(UNO_SEEN_HANDLE(handle)) /* of a window or a file */

/* Begin the recording of a call, or only make it. */
#define UNO_SEEN_ENTER(number, comm, call)                                                                   \
    struct uno_seen_passed m;                                                                                \
    if (!uno_seen_enter(&m, number, __builtin_return_address(0), __builtin_frame_address(0), comm))          \
    return call

/* The bytes of elements of one type, or of types, of so many counts; `there`: that the block i_ goes to
 * somebody. */
#define UNO_SEEN_SUM(count, type, n, there)                                                                  \
    ({                                                                                                       \
        int64_t sum_ = 0;                                                                                    \
        for (int i_ = 0, n_ = (n); (count) && i_ < n_; i_++)                                                 \
            if (there)                                                                                       \
                sum_ += (count)[i_];                                                                         \
        uno_seen_bytes(sum_, UNO_SEEN_HANDLE(type));                                                         \
    })
#define UNO_SEEN_SUM_EACH(count, type, n, there)                                                             \
    ({                                                                                                       \
        uint64_t sum_ = 0;                                                                                   \
        for (int i_ = 0, n_ = (n); (count) && (type) && i_ < n_; i_++)                                       \
            if (there)                                                                                       \
                sum_ += uno_seen_bytes((count)[i_], UNO_SEEN_HANDLE((type)[i_]));                            \
        sum_;                                                                                                \
    })

/* Tell the handles of requests that a call may complete. */
#define UNO_SEEN_LOOK(n, request)                                                                            \
    uno_seen_look(&m, (request) ? (n) : 0);                                                                  \
    for (long i_ = 0; i_ < m.handles; i_++)                                                                  \
    m.handle[i_] = UNO_SEEN_HANDLE((request)[i_])

/* A request is complete: its status, or NULL. */
#define UNO_SEEN_DONE(i, status)                                                                             \
    uno_seen_done(&m, i, (status) ? (status)->MPI_SOURCE : 0, (status) ? (status)->MPI_TAG : 0)

/* Unisono's MPI library keeps from where a request was made, or a message looked for, and has taken the entry
 * for that: tell it. Other libraries do not have the function. */
static void (*seen_called)(const void *request, const void *from);
#define UNO_SEEN_TELL(request)                                                                               \
    if (seen_called)                                                                                         \
    seen_called(request, __builtin_return_address(0))

/* ---- what the recording takes from the MPI library ----------------------------------------------------- */

static uint64_t type_size(uint64_t type) {
    int bytes = 0;
    next.Type_size((uno_face_type)(uintptr_t)type, &bytes);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

/* Return the world's rank of each member of a group, to be freed; NULL: they cannot be found. */
static int *world_ranks(uno_face_group group, int *count) {
    uno_face_group world;
    if (next.Group_size(group, count) || next.Comm_group(UNO_FACE_COMM_WORLD, &world))
        return NULL;
    int *rank = malloc(((size_t)*count + 1) * sizeof *rank),
        *all = malloc(((size_t)*count + 1) * sizeof *all);
    for (int i = 0; rank && i < *count; i++)
        rank[i] = i;
    bool found = rank && all && next.Group_translate_ranks(group, *count, rank, world, all) == 0;
    next.Group_free(&world);
    free(rank);
    if (found)
        return all;
    free(all);
    return NULL;
}

static bool members(uint64_t handle, int *peers, int **peer, int *others, int **other) {
    uno_face_comm comm = (uno_face_comm)(uintptr_t)handle;
    uno_face_group group;
    int between = 0;
    if (next.Comm_test_inter(comm, &between) ||
        (between ? next.Comm_remote_group : next.Comm_group)(comm, &group))
        return false;
    *peer = world_ranks(group, peers);
    next.Group_free(&group);
    if (between && next.Comm_group(comm, &group) == 0) {
        *other = world_ranks(group, others);
        next.Group_free(&group);
    }
    return *peer && (!between || *other);
}

static void comm_name(uint64_t comm, char name[UNO_SEEN_NAME]) {
    char text[MPI_MAX_OBJECT_NAME] = "";
    int length;
    if (next.Comm_get_name((uno_face_comm)(uintptr_t)comm, text, &length) == 0)
        snprintf(name, UNO_SEEN_NAME, "%.*s", UNO_SEEN_NAME - 1, text);
}

/* Return the number of blocks that a collective of neighbours has for them, of which it may send none where
 * the neighbour is absent. */
static int blocks_to(uno_face_comm comm) {
    int kind = 0, from = 0, to = 0, rank, weighted;
    next.Topo_test(comm, &kind);
    if (kind == UNO_FACE_CART && next.Cartdim_get(comm, &to) == 0)
        return 2 * to;
    if (kind == UNO_FACE_GRAPH && next.Comm_rank(comm, &rank) == 0)
        next.Graph_neighbors_count(comm, rank, &to);
    if (kind == UNO_FACE_DIST_GRAPH)
        next.Dist_graph_neighbors_count(comm, &from, &to, &weighted);
    return to;
}

/* Return true if there is a neighbour for that block: a grid has none beyond edges that are not periodic. */
static bool is_neighbour(uno_face_comm comm, int block) {
    int kind = 0, low, high;
    if (next.Topo_test(comm, &kind) || kind != UNO_FACE_CART ||
        next.Cart_shift(comm, block / 2, 1, &low, &high))
        return true;
    return (block % 2 ? high : low) != UNO_FACE_PROC_NULL;
}

/* Return the number of neighbours to which a collective of neighbours sends. */
static int neighbours_to(uno_face_comm comm) {
    int blocks = blocks_to(comm), there = 0;
    for (int block = 0; block < blocks; block++)
        there += is_neighbour(comm, block);
    return there;
}

static bool is_null_comm(uint64_t comm) {
    return comm == UNO_SEEN_HANDLE(UNO_FACE_COMM_NULL);
}

static bool is_null_request(uint64_t request) {
    return request == UNO_SEEN_HANDLE(UNO_FACE_REQUEST_NULL);
}

static const struct uno_seen_below seen_below = {
    .names = seen_names,
    .functions = SEEN_FUNCTIONS,
    .type_size = type_size,
    .members = members,
    .name = comm_name,
    .any_source = UNO_FACE_ANY_SOURCE,
    .any_tag = UNO_FACE_ANY_TAG,
    .root = UNO_FACE_ROOT,
    .python = "/mpi4py/MPI.",
    .is_null_comm = is_null_comm,
    .is_null_request = is_null_request,
};

/* ---- the run ----------------------------------------------------------------------------------------- */

/* Find the functions below. */
__attribute__((constructor)) static void seen_load(void) {
    void **function = (void **)&next;
    for (unsigned i = 0; i < SEEN_FUNCTIONS; i++)
        function[i] = dlsym(RTLD_NEXT, seen_names[i]);
    *(void **)&seen_called = dlsym(RTLD_NEXT, UNO_SEEN_CALLED_FROM);
}

static void seen_begin_run(int outcome, int provided) {
    int rank, size;
    if (outcome == 0 && next.Comm_rank(UNO_FACE_COMM_WORLD, &rank) == 0 &&
        next.Comm_size(UNO_FACE_COMM_WORLD, &size) == 0)
        uno_seen_start(&seen_below, rank, size, provided == UNO_FACE_THREAD_MULTIPLE);
}

UNO_SEEN(Init, (int *argc, char ***argv)) {
    int outcome = next.Init(argc, argv);
    seen_begin_run(outcome, 0);
    return outcome;
}

UNO_SEEN(Init_thread, (int *argc, char ***argv, int required, int *provided)) {
    int outcome = next.Init_thread(argc, argv, required, provided);
    seen_begin_run(outcome, *provided);
    return outcome;
}

/* All ranks come to it, and it ends the recording. */
UNO_SEEN(Finalize, (void)) {
    UNO_SEEN_ENTER(seen_number_Finalize, UNO_SEEN_HANDLE(UNO_FACE_COMM_WORLD), next.Finalize());
    uno_seen_meet(&m, -1, 0);
    uno_seen_go(&m, false);
    int outcome = next.Finalize();
    uno_seen_back(&m);
    uno_seen_leave(&m);
    uno_seen_finish();
    return outcome;
}

#endif
