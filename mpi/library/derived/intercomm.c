/* Intercommunicators, whose messages go from each rank of a group to ranks of another one. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/derived/agree.h"

/* ---- making ----------------------------------------------------------------------------------------------
 */

/* The other group, as the leader of a group learns of it; count < 0: it has failed. */
struct others {
    int count, *pe;
    int id; /* the number of the communicator; UNO_ID_NONE: the ranks agree on one when they know each other
             */
};

/* Exchange with the other leader the PEs of the groups, and where ranks have threads a number, which is that
 * of the group with the lower first PE. */
static int ask_leader(const struct uno_mpi_group *group, int pe, uint32_t context, int tag,
                      struct others *others) {
    struct {
        int count, first, id;
    } mine = {group->size, group->pe[0], uno_rank->scheduled ? uno_comm_id_choose() : UNO_ID_NONE}, theirs;
    int error = uno_makers_swap(pe, context, tag, &mine, sizeof mine, &theirs, sizeof theirs);
    if (error)
        return error;
    size_t room = (size_t)theirs.count * sizeof *others->pe;
    *others = (struct others){.count = theirs.count,
                              .pe = uno_base_allocate((size_t)theirs.count, sizeof *others->pe),
                              .id = mine.first < theirs.first ? mine.id : theirs.id};
    return uno_makers_swap(pe, context, tag, group->pe, (size_t)group->size * sizeof *group->pe, others->pe,
                           room);
}

/* Pass the other group from the leader to all ranks of its group, and return it. NULL: the leader has
 * failed. */
static struct uno_mpi_group *tell_group(const struct uno_makers *makers, int leader, struct others *others) {
    int told[] = {others->count, others->id};
    uno_makers_pass(makers, leader, told, sizeof told);
    others->count = told[0];
    others->id = told[1];
    if (others->count < 0)
        return NULL;
    if (!others->pe)
        others->pe = uno_base_allocate((size_t)others->count, sizeof *others->pe);
    uno_makers_pass(makers, leader, others->pe, (size_t)others->count * sizeof *others->pe);
    return uno_group_make(others->count, others->pe);
}

/* Make an intercommunicator of two groups. Every rank of both calls this. id: its number, or UNO_ID_NONE. */
static int join(struct uno_mpi_group *group, struct uno_mpi_group *remote, int id,
                struct uno_mpi_errhandler *errhandler, MPI_Comm *newintercomm) {
    for (int r = 0; r < remote->size; r++)
        for (int i = 0; i < group->size; i++)
            if (remote->pe[r] == group->pe[i])
                return uno_error(MPI_ERR_COMM, "rank %d of the group is rank %d of the other one", i, r);
    if (id == UNO_ID_NONE) {
        struct uno_mpi_group *both = uno_comm_union(group, remote);
        struct uno_comm all;
        struct uno_makers makers = uno_makers_in(&all, both, NULL, 0);
        uno_object_drop(both);
        id = uno_makers_agree(&makers);
        uno_comm_disconnect(&all);
    }
    if (id < 0)
        return uno_comm_no_id();
    struct uno_mpi_comm *made = uno_comm_make(group, remote, id, 0);
    made->errhandler = uno_object_hold(errhandler);
    *newintercomm = (MPI_Comm)made->object.handle;
    return MPI_SUCCESS;
}

static int check_leader(const char *name, int rank, int size) {
    return rank >= 0 && rank < size
               ? MPI_SUCCESS
               : uno_error(MPI_ERR_RANK, "%s is %d; the ranks are 0 to %d", name, rank, size - 1);
}

int uno_mpi_intercomm_create(struct uno_mpi_comm *local_comm, int local_leader,
                             struct uno_mpi_comm *peer_comm, int remote_leader, int tag,
                             MPI_Comm *newintercomm) {
    struct uno_comm *c = &local_comm->comm;
    struct others others = {.count = -1, .id = UNO_ID_NONE};
    struct uno_makers makers = uno_makers_of(local_comm);
    int error = check_leader("local_leader", local_leader, c->size);
    *newintercomm = MPI_COMM_NULL;
    if (error)
        return error;
    if (c->rank == local_leader) {
        error = peer_comm ? check_leader("remote_leader", remote_leader, peer_comm->peers)
                          : uno_error(MPI_ERR_COMM, "peer_comm is no communicator");
        error = error ? error
                      : ask_leader(local_comm->group, peer_comm->peer[remote_leader],
                                   uno_comm_leader_context(peer_comm), tag, &others);
        others.count = error ? -1 : others.count;
    }
    struct uno_mpi_group *remote = tell_group(&makers, local_leader, &others);
    free(others.pe);
    if (!remote)
        return error ? error : uno_error(MPI_ERR_RANK, "the leader has not reached the other one");
    error = join(local_comm->group, remote, others.id, local_comm->errhandler, newintercomm);
    uno_object_drop(remote);
    return error;
}

/* Return the tag of messages for a call with that string, by which calls of several threads are told apart.
 */
static int tag_of(const char *string) {
    uint32_t tag = 0;
    for (; *string; string++)
        tag = (tag ^ (unsigned char)*string) * UINT32_C(16777619);
    return (int)(tag & INT32_MAX);
}

int uno_mpi_intercomm_create_from_groups(struct uno_mpi_group *local_group, int local_leader,
                                         struct uno_mpi_group *remote_group, int remote_leader,
                                         const char *stringtag, struct uno_mpi_info *info,
                                         struct uno_mpi_errhandler *errhandler, MPI_Comm *newintercomm) {
    int error = check_leader("local_leader", local_leader, local_group->size);
    *newintercomm = MPI_COMM_NULL;
    (void)info;
    if (!error && local_group->rank == MPI_UNDEFINED)
        error = uno_error(MPI_ERR_GROUP, "this rank is not in local_group");
    if (error)
        return error;
    struct others others = {.count = -1, .id = UNO_ID_NONE};
    struct uno_comm local;
    struct uno_makers makers = uno_makers_in(&local, local_group, NULL, tag_of(stringtag));
    if (local_group->rank == local_leader) {
        error = remote_group ? check_leader("remote_leader", remote_leader, remote_group->size)
                             : uno_error(MPI_ERR_GROUP, "remote_group is no group");
        error = error ? error
                      : ask_leader(local_group, remote_group->pe[remote_leader], UNO_CONTEXT_GROUPS,
                                   makers.tag, &others);
        others.count = error ? -1 : others.count;
    }
    struct uno_mpi_group *remote = tell_group(&makers, local_leader, &others);
    uno_comm_disconnect(&local);
    free(others.pe);
    if (!remote)
        return error ? error : uno_error(MPI_ERR_RANK, "the leader has not given the other group");
    error = join(local_group, remote, others.id, errhandler, newintercomm);
    uno_object_drop(remote);
    return error;
}

/* ---- questions --------------------------------------------------------------------------------------------
 */

static int check_inter(const struct uno_mpi_comm *comm) {
    return comm->remote ? MPI_SUCCESS : uno_error(MPI_ERR_COMM, "comm is no intercommunicator");
}

int uno_mpi_comm_remote_size(struct uno_mpi_comm *comm, int *size) {
    int error = check_inter(comm);
    if (!error)
        *size = comm->remote->size;
    return error;
}

int uno_mpi_comm_remote_group(struct uno_mpi_comm *comm, MPI_Group *group) {
    int error = check_inter(comm);
    if (!error)
        *group = (MPI_Group)((struct uno_mpi_group *)uno_object_hold(comm->remote))->object.handle;
    return error;
}

/* ---- the other way ---------------------------------------------------------------------------------------
 */

int uno_mpi_intercomm_merge(struct uno_mpi_comm *intercomm, int high, MPI_Comm *newintracomm) {
    int error = check_inter(intercomm);
    *newintracomm = MPI_COMM_NULL;
    if (error)
        return error;
    struct uno_comm *c = intercomm->both;
    int own = intercomm->comm.size, mine = high != 0, *all = uno_base_allocate((size_t)c->size, sizeof *all);
    struct uno_makers makers = uno_makers_of(intercomm);
    uno_makers_collect(&makers, &mine, sizeof mine, all);
    int other = all[intercomm->first ? own : 0];
    free(all);
    bool first = mine == other ? intercomm->first : !mine;
    int id = uno_makers_agree(&makers);
    if (id < 0)
        return uno_comm_no_id();
    struct uno_mpi_group *group = first ? uno_group_chain(intercomm->group, intercomm->remote)
                                        : uno_group_chain(intercomm->remote, intercomm->group);
    *newintracomm = (MPI_Comm)uno_comm_child(intercomm, group, NULL, id)->object.handle;
    uno_object_drop(group);
    return MPI_SUCCESS;
}
