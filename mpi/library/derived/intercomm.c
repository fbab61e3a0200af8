/* Intercommunicators, whose messages go from each rank of a group to ranks of another one. */

#include <stdlib.h>

#include "collective/base.h"
#include "collective/operation/collective.h"
#include "library/calls.h"
#include "library/communicator/make.h"
#include "library/message/messages.h"
#include "library/rank/ops.h"

/* ---- making ----------------------------------------------------------------------------------------------
 */

/* The other group, as the leader of a group learns of it; count < 0: it has failed. */
struct others {
    int count, *pe;
};

/* Send `bytes` to the other leader, and receive as many as there is room for. */
static int swap(struct uno_mpi_comm *peer, int leader, int tag, const void *out, size_t bytes, void *in,
                size_t room) {
    uint32_t context = uno_comm_leader_context(peer);
    struct uno_channel *channel = uno_rank->channel;
    int pe = peer->peer[leader];
    struct uno_receive receive = {
        .envelope = {.context = context, .source = pe, .tag = tag}, .data = in, .room = room};
    uno_channel_post(channel, &receive);
    uno_channel_send(channel, pe, uno_channel_word(context, tag), out, bytes,
                     UNO_SIGNATURE_MPI_INTERCOMM_CREATE);
    uno_channel_finish(channel, &receive, UNO_SIGNATURE_MPI_INTERCOMM_CREATE);
    return uno_received(&receive);
}

/* Exchange with the other leader the PEs of the groups. */
static int ask_leader(const struct uno_mpi_group *group, struct uno_mpi_comm *peer, int remote_leader,
                      int tag, struct others *others) {
    int error = swap(peer, remote_leader, tag, &group->size, sizeof group->size, &others->count,
                     sizeof others->count);
    if (error)
        return error;
    size_t room = (size_t)others->count * sizeof *others->pe;
    others->pe = uno_base_allocate((size_t)others->count, sizeof *others->pe);
    return swap(peer, remote_leader, tag, group->pe, (size_t)group->size * sizeof *group->pe, others->pe,
                room);
}

/* Pass the other group from the leader to all ranks of its group, and return it. NULL: the leader has
 * failed. */
static struct uno_mpi_group *tell_group(struct uno_comm *c, int leader, struct others *others) {
    if (c->size > 1)
        uno_bcast(c, &others->count, sizeof others->count, &uno_layout_bytes, leader);
    if (others->count < 0)
        return NULL;
    if (!others->pe)
        others->pe = uno_base_allocate((size_t)others->count, sizeof *others->pe);
    if (c->size > 1)
        uno_bcast(c, others->pe, (size_t)others->count * sizeof *others->pe, &uno_layout_bytes, leader);
    return uno_group_make(others->count, others->pe);
}

/* Make an intercommunicator of two groups. Every rank of both calls this. */
static int join(struct uno_mpi_group *group, struct uno_mpi_group *remote,
                struct uno_mpi_errhandler *errhandler, MPI_Comm *newintercomm) {
    for (int r = 0; r < remote->size; r++)
        for (int i = 0; i < group->size; i++)
            if (remote->pe[r] == group->pe[i])
                return uno_error(MPI_ERR_COMM, "rank %d of the group is rank %d of the other one", i, r);
    struct uno_mpi_group *both = uno_comm_union(group, remote);
    int id = uno_comm_agree_in(both);
    uno_object_drop(both);
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
    struct others others = {-1, NULL};
    int error = check_leader("local_leader", local_leader, c->size);
    *newintercomm = MPI_COMM_NULL;
    if (error)
        return error;
    if (c->rank == local_leader) {
        error = peer_comm ? check_leader("remote_leader", remote_leader, peer_comm->peers)
                          : uno_error(MPI_ERR_COMM, "peer_comm is no communicator");
        error = error ? error : ask_leader(local_comm->group, peer_comm, remote_leader, tag, &others);
        others.count = error ? -1 : others.count;
    }
    struct uno_mpi_group *remote = tell_group(c, local_leader, &others);
    free(others.pe);
    if (!remote)
        return error ? error : uno_error(MPI_ERR_RANK, "the leader has not reached the other one");
    error = join(local_comm->group, remote, local_comm->errhandler, newintercomm);
    uno_object_drop(remote);
    return error;
}

int uno_mpi_intercomm_create_from_groups(struct uno_mpi_group *local_group, int local_leader,
                                         struct uno_mpi_group *remote_group, int remote_leader,
                                         const char *stringtag, struct uno_mpi_info *info,
                                         struct uno_mpi_errhandler *errhandler, MPI_Comm *newintercomm) {
    int error = check_leader("local_leader", local_leader, local_group->size);
    *newintercomm = MPI_COMM_NULL;
    (void)stringtag, (void)info; /* calls of one rank go one after the other */
    if (!error && local_group->rank == MPI_UNDEFINED)
        error = uno_error(MPI_ERR_GROUP, "this rank is not in local_group");
    if (error)
        return error;
    struct others others = {-1, NULL};
    if (local_group->rank == local_leader) {
        error = remote_group ? check_leader("remote_leader", remote_leader, remote_group->size)
                             : uno_error(MPI_ERR_GROUP, "remote_group is no group");
        others = (struct others){error ? -1 : remote_group->size, error ? NULL : remote_group->pe};
    }
    struct uno_comm local = {0};
    uno_comm_open(&local, local_group);
    struct uno_mpi_group *remote = tell_group(&local, local_leader, &others);
    uno_comm_disconnect(&local);
    if (local_group->rank != local_leader)
        free(others.pe);
    if (!remote)
        return error ? error : uno_error(MPI_ERR_RANK, "the leader has not given the other group");
    error = join(local_group, remote, errhandler, newintercomm);
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
    struct uno_data in = {&mine, sizeof mine, &uno_layout_bytes}, out = {all, sizeof mine, &uno_layout_bytes};
    uno_allgather(c, &in, &out);
    int other = all[intercomm->first ? own : 0];
    free(all);
    bool first = mine == other ? intercomm->first : !mine;
    int id = uno_comm_agree(c);
    if (id < 0)
        return uno_comm_no_id();
    struct uno_mpi_group *group = first ? uno_group_chain(intercomm->group, intercomm->remote)
                                        : uno_group_chain(intercomm->remote, intercomm->group);
    *newintracomm = (MPI_Comm)uno_comm_child(intercomm, group, NULL, id)->object.handle;
    uno_object_drop(group);
    return MPI_SUCCESS;
}
