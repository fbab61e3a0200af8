#include "library/communicator/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "collective/operation/collective.h"
#include "collective/transport/plan.h"
#include "library/calls.h"
#include "library/communicator/errhandler.h"
#include "library/communicator/topology.h"
#include "library/object/attributes.h"
#include "library/type/predefined.h"

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

int uno_comm_agree(struct uno_comm *c) {
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

int uno_comm_no_id(void) {
    return uno_error(MPI_ERR_OTHER, "there are %d communicators already; free some of them",
                     UNO_COMMUNICATORS);
}

/* ---- making, and the end ------------------------------------------------------------------------------- */

static void find_peers(struct uno_mpi_comm *comm) {
    const struct uno_mpi_group *group = comm->remote ? comm->remote : comm->group;
    int n = uno_rank->pe->n;
    bool same = group->size == n;
    comm->peers = group->size;
    comm->peer = group->pe;
    for (int r = 0; r < group->size; r++)
        same &= group->pe[r] == r;
    if (same)
        return;
    comm->rank_of = uno_base_allocate((size_t)n, sizeof *comm->rank_of);
    for (int k = 0; k < n; k++)
        comm->rank_of[k] = MPI_UNDEFINED;
    for (int r = 0; r < group->size; r++)
        comm->rank_of[group->pe[r]] = r;
}

void uno_comm_open(struct uno_comm *c, const struct uno_mpi_group *group) {
    int *pe = uno_base_allocate((size_t)group->size, sizeof *pe);
    memcpy(pe, group->pe, (size_t)group->size * sizeof *pe);
    c->size = group->size;
    c->rank = group->rank;
    uno_comm_connect(c, &uno_rank->lane, pe);
    uno_plan_open(c, !uno_rank->pe->spin);
}

struct uno_mpi_group *uno_comm_union(struct uno_mpi_group *a, struct uno_mpi_group *b) {
    return a->pe[0] < b->pe[0] ? uno_group_chain(a, b) : uno_group_chain(b, a);
}

/* Set up the communicator for the collectives of an intercommunicator. */
static void connect_both(struct uno_mpi_comm *comm) {
    struct uno_mpi_group *both = uno_comm_union(comm->group, comm->remote);
    comm->both = uno_base_allocate(1, sizeof *comm->both);
    comm->first = both->pe[0] == comm->group->pe[0];
    uno_comm_open(comm->both, both);
    uno_object_drop(both);
}

static void release(void *object) {
    struct uno_mpi_comm *comm = object;
    uno_attributes_end(&comm->object);
    if (comm->id >= 0 && comm->id < UNO_COMMUNICATORS)
        uno_rank->free_ids[comm->id / 64] |= UINT64_C(1) << comm->id % 64;
    uno_comm_disconnect(&comm->comm);
    if (comm->both)
        uno_comm_disconnect(comm->both);
    free(comm->both);
    uno_object_drop(comm->group);
    uno_object_drop(comm->remote);
    uno_object_drop(comm->errhandler);
    uno_object_drop(comm->info);
    uno_topology_drop(comm->topology);
    free(comm->rank_of);
    for (struct uno_paired *paired; (paired = comm->paired);) {
        comm->paired = paired->next;
        free(paired);
    }
}

struct uno_mpi_comm *uno_comm_make(struct uno_mpi_group *group, struct uno_mpi_group *remote, int id,
                                   uintptr_t handle) {
    struct uno_mpi_comm *comm = uno_object_make(UNO_COMM, sizeof *comm, handle, release);
    comm->group = uno_object_hold(group);
    comm->remote = remote ? uno_object_hold(remote) : NULL;
    comm->id = id;
    comm->scheduled = remote || uno_rank->scheduled;
    comm->errhandler = uno_find_errhandler(MPI_ERRORS_ARE_FATAL);
    if (id >= 0 && id < UNO_COMMUNICATORS)
        uno_rank->free_ids[id / 64] &= ~(UINT64_C(1) << id % 64);
    find_peers(comm);
    uno_comm_open(&comm->comm, group);
    if (remote)
        connect_both(comm);
    return comm;
}

struct uno_mpi_comm *uno_comm_child(const struct uno_mpi_comm *parent, struct uno_mpi_group *group,
                                    struct uno_mpi_group *remote, int id) {
    struct uno_mpi_comm *made = uno_comm_make(group, remote, id, 0);
    made->errhandler = uno_object_hold(parent->errhandler);
    return made;
}

void uno_comm_made(MPI_Comm made, const char *function, const struct uno_mpi_comm *of) {
    struct uno_mpi_comm *comm = uno_find_comm(made);
    if (!comm)
        return;
    if (*of->name)
        snprintf(comm->made, sizeof comm->made, "%s of %s", function, of->name);
    else
        snprintf(comm->made, sizeof comm->made, "%s of communicator %d", function, of->id);
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
    *flag = comm->remote != NULL;
    return MPI_SUCCESS;
}

int uno_mpi_comm_group(struct uno_mpi_comm *comm, MPI_Group *group) {
    uno_object_hold(comm->group);
    *group = (MPI_Group)comm->group->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_comm_compare(struct uno_mpi_comm *comm1, struct uno_mpi_comm *comm2, int *result) {
    *result = uno_groups_compare(comm1->group, comm2->group);
    if (comm1->remote && comm2->remote) {
        int other = uno_groups_compare(comm1->remote, comm2->remote);
        *result = other > *result ? other : *result; /* they are in the order of how different groups are */
    } else if (comm1->remote || comm2->remote) {
        *result = MPI_UNEQUAL;
    }
    if (*result == MPI_IDENT && comm1 != comm2)
        *result = MPI_CONGRUENT;
    return MPI_SUCCESS;
}

int uno_mpi_comm_free(MPI_Comm *comm) {
    struct uno_mpi_comm *found = uno_find_comm(*comm);
    if (!found || found == uno_rank->world || found == uno_rank->self)
        return uno_error(MPI_ERR_COMM, "comm is %s", found ? "predefined, and stays" : "no communicator");
    int error = uno_attributes_end(&found->object);
    if (error)
        return error;
    /* messages that are on their way keep the number in use, but the program has lost the handle */
    uno_object_drop(found);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* Free the communicator as MPI_Comm_free does: sent messages are with the engine, and pending requests hold
 * the communicator. */
int uno_mpi_comm_disconnect(MPI_Comm *comm) {
    return uno_mpi_comm_free(comm);
}

int uno_mpi_comm_get_parent(MPI_Comm *parent) {
    *parent = MPI_COMM_NULL; /* no rank is spawned */
    return MPI_SUCCESS;
}
