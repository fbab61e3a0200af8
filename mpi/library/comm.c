#include "library/comm.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "collective/collective.h"
#include "collective/transport/plan.h"
#include "library/attributes.h"
#include "library/calls.h"
#include "library/groups.h"
#include "library/info.h"
#include "library/predefined.h"
#include "library/topology.h"

/* ---- numbers -----------------------------------------------------------------------------------------
 *
 * All ranks of a new communicator need the same number, and ranks of any two communicators that share one
 * different ones. Each rank knows which numbers it has not got; the members combine what they know by a
 * logical and, and take the first that is free at each of them. A number is free again when nothing of its
 * communicator is left at this rank. */

enum { WORDS = UNO_COMMUNICATORS / 64 };

void uno_comm_ids_start(void) {
    memset(uno_rank->free_ids, 0xff, sizeof uno_rank->free_ids);
    uno_rank->free_ids[0] &= ~((UINT64_C(1) << UNO_ID_FIRST) - 1);
}

/* The first number that is free at all ranks of c; -1: there is none. */
static int agree_on_id(struct uno_comm *c) {
    uint64_t all[WORDS];
    const struct uno_layout *words = &uno_predefined_type[(uintptr_t)MPI_UINT64_T - UNO_TYPES_FROM].layout;
    const uno_kernel *kernels = uno_kernels_of(UNO_UNSIGNED, sizeof *all);
    struct uno_reduction how = {.kernel = kernels[UNO_BAND], .layout = words, .bytes = sizeof *all};
    memcpy(all, uno_rank->free_ids, sizeof all);
    if (c->size > 1 && !uno_allreduce(c, uno_rank->free_ids, all, WORDS, &how))
        return -1;
    for (int w = 0; w < WORDS; w++)
        if (all[w])
            return w * 64 + __builtin_ctzll(all[w]);
    return -1;
}

static int no_id(void) {
    return uno_error(MPI_ERR_OTHER, "there are %d communicators already; free some of them",
                     UNO_COMMUNICATORS);
}

/* ---- making, and the end ------------------------------------------------------------------------------- */

static void find_ranks(struct uno_mpi_comm *comm) {
    int n = uno_rank->pe->n;
    bool same = comm->group->size == n;
    for (int r = 0; r < comm->group->size; r++)
        same &= comm->group->pe[r] == r;
    if (same)
        return;
    comm->rank_of = uno_base_allocate((size_t)n, sizeof *comm->rank_of);
    for (int k = 0; k < n; k++)
        comm->rank_of[k] = MPI_UNDEFINED;
    for (int r = 0; r < comm->group->size; r++)
        comm->rank_of[comm->group->pe[r]] = r;
}

/* What the collectives know of the ranks of a group. */
static void connect(struct uno_comm *c, const struct uno_mpi_group *group) {
    int *pe = uno_base_allocate((size_t)group->size, sizeof *pe);
    memcpy(pe, group->pe, (size_t)group->size * sizeof *pe);
    c->size = group->size;
    c->rank = group->rank;
    uno_comm_connect(c, &uno_rank->lane, pe);
    uno_plan_open(c, !uno_rank->pe->spin, true);
}

static void release(void *object) {
    struct uno_mpi_comm *comm = object;
    uno_attributes_end(&comm->object);
    uno_rank->free_ids[comm->id / 64] |= UINT64_C(1) << comm->id % 64;
    uno_comm_disconnect(&comm->comm);
    uno_object_drop(comm->group);
    uno_object_drop(comm->errhandler);
    uno_object_drop(comm->info);
    uno_topology_drop(comm->topology);
    free(comm->rank_of);
}

struct uno_mpi_comm *uno_comm_make(struct uno_mpi_group *group, int id, uintptr_t handle) {
    struct uno_mpi_comm *comm = uno_object_make(UNO_COMM, handle, release);
    comm->group = uno_object_hold(group);
    comm->id = id;
    comm->errhandler = uno_find_errhandler(MPI_ERRORS_ARE_FATAL);
    uno_rank->free_ids[id / 64] &= ~(UINT64_C(1) << id % 64);
    find_ranks(comm);
    connect(&comm->comm, group);
    return comm;
}

/* A new communicator as the child of another. */
static struct uno_mpi_comm *child_of(const struct uno_mpi_comm *parent, struct uno_mpi_group *group, int id) {
    struct uno_mpi_comm *made = uno_comm_make(group, id, 0);
    made->errhandler = uno_object_hold(parent->errhandler);
    return made;
}

/* ---- the program's calls ------------------------------------------------------------------------------- */

int uno_mpi_comm_size(struct uno_mpi_comm *comm, int *size) {
    *size = comm->comm.size;
    return MPI_SUCCESS;
}

int uno_mpi_comm_rank(struct uno_mpi_comm *comm, int *rank) {
    *rank = comm->comm.rank;
    return MPI_SUCCESS;
}

int uno_mpi_comm_test_inter(struct uno_mpi_comm *comm, int *flag) {
    (void)comm;
    *flag = 0;
    return MPI_SUCCESS;
}

int uno_mpi_comm_group(struct uno_mpi_comm *comm, MPI_Group *group) {
    uno_object_hold(comm->group);
    *group = (MPI_Group)comm->group->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_comm_compare(struct uno_mpi_comm *comm1, struct uno_mpi_comm *comm2, int *result) {
    *result = uno_groups_compare(comm1->group, comm2->group);
    if (*result == MPI_IDENT && comm1 != comm2)
        *result = MPI_CONGRUENT;
    return MPI_SUCCESS;
}

static int dup(struct uno_mpi_comm *comm, const struct uno_mpi_info *info, MPI_Comm *newcomm) {
    int id = agree_on_id(&comm->comm);
    if (id < 0)
        return no_id();
    struct uno_mpi_comm *made = child_of(comm, comm->group, id);
    if (info)
        made->info = uno_info_copy(info);
    made->topology = uno_topology_share(comm->topology);
    int error = uno_attributes_copy(&comm->object, &made->object);
    if (error)
        uno_object_drop(made);
    *newcomm = error ? MPI_COMM_NULL : (MPI_Comm)made->object.handle;
    return error;
}

int uno_mpi_comm_dup(struct uno_mpi_comm *comm, MPI_Comm *newcomm) {
    return dup(comm, comm->info, newcomm);
}

int uno_mpi_comm_dup_with_info(struct uno_mpi_comm *comm, struct uno_mpi_info *info, MPI_Comm *newcomm) {
    return dup(comm, info, newcomm);
}

int uno_mpi_comm_set_info(struct uno_mpi_comm *comm, struct uno_mpi_info *info) {
    uno_object_drop(comm->info);
    comm->info = info ? uno_info_copy(info) : NULL;
    return MPI_SUCCESS;
}

int uno_mpi_comm_get_info(struct uno_mpi_comm *comm, MPI_Info *info_used) {
    *info_used = (MPI_Info)uno_info_copy(comm->info)->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_comm_create(struct uno_mpi_comm *comm, struct uno_mpi_group *group, MPI_Comm *newcomm) {
    int id = agree_on_id(&comm->comm);
    *newcomm = MPI_COMM_NULL;
    if (id < 0)
        return no_id();
    for (int r = 0; r < group->size; r++)
        if (uno_comm_rank_of(comm, group->pe[r]) == MPI_UNDEFINED)
            return uno_error(MPI_ERR_GROUP, "rank %d of group is not in comm", r);
    if (group->rank != MPI_UNDEFINED)
        *newcomm = (MPI_Comm)child_of(comm, group, id)->object.handle;
    return MPI_SUCCESS;
}

/* The members alone meet, as a group of the engine that is no communicator yet. */
int uno_mpi_comm_create_group(struct uno_mpi_comm *comm, struct uno_mpi_group *group, int tag,
                              MPI_Comm *newcomm) {
    struct uno_comm members = {0};
    *newcomm = MPI_COMM_NULL;
    (void)tag; /* calls of one rank go one after the other */
    if (group->rank == MPI_UNDEFINED)
        return uno_error(MPI_ERR_GROUP, "this rank is not in group");
    connect(&members, group);
    int id = agree_on_id(&members);
    uno_comm_disconnect(&members);
    if (id < 0)
        return no_id();
    *newcomm = (MPI_Comm)child_of(comm, group, id)->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_comm_free(MPI_Comm *comm) {
    struct uno_mpi_comm *found = uno_find_comm(*comm);
    if (!found || found == uno_rank->world || found == uno_rank->self)
        return uno_error(MPI_ERR_COMM, "comm is %s", found ? "predefined, and stays" : "no communicator");
    int error = uno_attributes_end(&found->object);
    if (error)
        return error;
    /* messages that are on their way keep its number, but the program has lost it */
    uno_object_drop(found);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* ---- splitting --------------------------------------------------------------------------------------- */

struct choice {
    int color, key, pe, rank;
};

static int by_key(const void *a, const void *b) {
    const struct choice *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->rank > y->rank) - (x->rank < y->rank);
}

/* The group of those that chose as this rank does. */
static struct uno_mpi_group *group_of(const struct uno_mpi_comm *comm, struct choice *all, int color) {
    int n = 0, *pe = uno_base_allocate((size_t)comm->comm.size, sizeof *pe);
    for (int r = 0; r < comm->comm.size; r++)
        if (all[r].color == color)
            all[n++] = all[r];
    qsort(all, (size_t)n, sizeof *all, by_key);
    for (int i = 0; i < n; i++)
        pe[i] = all[i].pe;
    struct uno_mpi_group *group = uno_group_make(n, pe);
    free(pe);
    return group;
}

int uno_comm_split(struct uno_mpi_comm *comm, int color, int key, struct uno_mpi_comm **made) {
    struct uno_comm *c = &comm->comm;
    struct choice mine = {color, key, uno_rank->pe->me, c->rank};
    struct choice *all = uno_base_allocate((size_t)c->size, sizeof *all);
    struct uno_data in = {&mine, sizeof mine, &uno_layout_bytes}, out = {all, sizeof mine, &uno_layout_bytes};
    *made = NULL;
    all[c->rank] = mine;
    if (c->size > 1)
        uno_allgather(c, &in, &out);
    int id = agree_on_id(c);
    if (id >= 0 && color != MPI_UNDEFINED) {
        struct uno_mpi_group *group = group_of(comm, all, color);
        *made = child_of(comm, group, id);
        uno_object_drop(group);
    }
    free(all);
    return id < 0 ? no_id() : MPI_SUCCESS;
}

static int split(struct uno_mpi_comm *comm, int color, int key, MPI_Comm *newcomm) {
    struct uno_mpi_comm *made;
    int error = uno_comm_split(comm, color, key, &made);
    *newcomm = made ? (MPI_Comm)made->object.handle : MPI_COMM_NULL;
    return error;
}

int uno_mpi_comm_split(struct uno_mpi_comm *comm, int color, int key, MPI_Comm *newcomm) {
    if (color < 0 && color != MPI_UNDEFINED)
        return uno_error(MPI_ERR_ARG, "color is %d; it is at least 0, or MPI_UNDEFINED", color);
    return split(comm, color, key, newcomm);
}

/* All ranks of a job share memory; smaller parts of the machine are not told apart. */
int uno_mpi_comm_split_type(struct uno_mpi_comm *comm, int split_type, int key, struct uno_mpi_info *info,
                            MPI_Comm *newcomm) {
    (void)info;
    if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED &&
        split_type != MPI_COMM_TYPE_HW_GUIDED && split_type != MPI_COMM_TYPE_HW_UNGUIDED &&
        split_type != MPI_COMM_TYPE_RESOURCE_GUIDED)
        return uno_error(MPI_ERR_ARG, "split_type is %d, which is none", split_type);
    return split(comm, split_type == MPI_COMM_TYPE_SHARED ? 0 : MPI_UNDEFINED, key, newcomm);
}
