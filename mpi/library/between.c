/* The collectives of intercommunicators, in which what a group gives goes to the other one. They move data by
 * messages from rank to rank; what is combined is so within its group first. */

#include <stdlib.h>

#include "collective/base.h"
#include "collective/collective.h"
#include "library/calls.h"
#include "library/ops.h"
#include "library/parcels.h"
#include "library/predefined.h"

enum { WAITS = UNO_SIGNATURE_MPI_BETWEEN };

/* ---- who takes part ------------------------------------------------------------------------------------ */

/* Nobody. */
static struct uno_side none(const char *name) {
    return uno_side_of(name, 0, NULL);
}

/* One rank of the other group. */
static struct uno_side one(const char *name, int rank) {
    return uno_side_of(name, 1, &(struct uno_edge){rank, 0});
}

/* All of them. */
static struct uno_side all(const char *name, const struct uno_mpi_comm *comm) {
    struct uno_edge *edge = uno_base_allocate((size_t)comm->peers, sizeof *edge);
    for (int r = 0; r < comm->peers; r++)
        edge[r].rank = r;
    struct uno_side side = uno_side_of(name, comm->peers, edge);
    free(edge);
    return side;
}

/* Where data go to one rank: its group sends to it, */
static void to_root(struct uno_mpi_comm *comm, int root, struct uno_side *out, struct uno_side *in) {
    *out = root >= 0 ? one("send", root) : none("send");
    *in = root == MPI_ROOT ? all("recv", comm) : none("recv");
}

/* or receives from it. */
static void from_root(struct uno_mpi_comm *comm, int root, struct uno_side *out, struct uno_side *in) {
    *out = root == MPI_ROOT ? all("send", comm) : none("send");
    *in = root >= 0 ? one("recv", root) : none("recv");
}

/* ---- data that move ------------------------------------------------------------------------------------ */

int uno_inter_barrier(struct uno_mpi_comm *comm) {
    uno_barrier(comm->both);
    return MPI_SUCCESS;
}

int uno_inter_bcast(void *buffer, MPI_Count count, struct uno_mpi_type *datatype, int root,
                    struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    from_root(comm, root, &out, &in);
    int error = uno_side_fill(&out, buffer, count, datatype, 0);
    error = error ? error : uno_side_fill(&in, buffer, count, datatype, 0);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_gather(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                     MPI_Count recvcount, struct uno_mpi_type *recvtype, int root,
                     struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    to_root(comm, root, &out, &in);
    int error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 1);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_gatherv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                      struct uno_numbers recvcounts, struct uno_numbers displs, struct uno_mpi_type *recvtype,
                      int root, struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    to_root(comm, root, &out, &in);
    int error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 1);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, displs, recvtype, NULL);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_scatter(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                      MPI_Count recvcount, struct uno_mpi_type *recvtype, int root,
                      struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    from_root(comm, root, &out, &in);
    int error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 1);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_scatterv(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers displs,
                       struct uno_mpi_type *sendtype, void *recvbuf, MPI_Count recvcount,
                       struct uno_mpi_type *recvtype, int root, struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    from_root(comm, root, &out, &in);
    int error = uno_side_fill_each(&out, sendbuf, sendcounts, displs, sendtype, NULL);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_allgather(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                        void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                        struct uno_mpi_comm *comm) {
    struct uno_side out = all("send", comm), in = all("recv", comm);
    int error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 0);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_allgatherv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                         void *recvbuf, struct uno_numbers recvcounts, struct uno_numbers displs,
                         struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    struct uno_side out = all("send", comm), in = all("recv", comm);
    int error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 0);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, displs, recvtype, NULL);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_alltoall(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                       MPI_Count recvcount, struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    struct uno_side out = all("send", comm), in = all("recv", comm);
    int error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 1);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_alltoallv(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,
                        struct uno_mpi_type *sendtype, void *recvbuf, struct uno_numbers recvcounts,
                        struct uno_numbers rdispls, struct uno_mpi_type *recvtype,
                        struct uno_mpi_comm *comm) {
    struct uno_side out = all("send", comm), in = all("recv", comm);
    int error = uno_side_fill_each(&out, sendbuf, sendcounts, sdispls, sendtype, NULL);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, rdispls, recvtype, NULL);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

int uno_inter_alltoallw(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,
                        const MPI_Datatype sendtypes[], void *recvbuf, struct uno_numbers recvcounts,
                        struct uno_numbers rdispls, const MPI_Datatype recvtypes[],
                        struct uno_mpi_comm *comm) {
    struct uno_side out = all("send", comm), in = all("recv", comm);
    int error = uno_side_fill_each(&out, sendbuf, sendcounts, sdispls, NULL, sendtypes);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, rdispls, NULL, recvtypes);
    return uno_sides_exchange(comm, &out, &in, error, WAITS);
}

/* ---- data that are combined ---------------------------------------------------------------------------- */

/* Room for so many elements, at which the first one begins at `at`. */
struct room {
    void *memory, *at;
};

static struct room room_for(MPI_Count count, const struct uno_mpi_type *type) {
    const struct uno_layout *l = &type->layout;
    ptrdiff_t step = l->extent < 0 ? -l->extent : l->extent;
    ptrdiff_t reach = count ? (ptrdiff_t)(count - 1) * step : 0, back = l->extent < 0 ? reach : 0;
    struct room r = {.memory = uno_base_allocate((size_t)(reach + l->true_extent) + 1, 1)};
    r.at = (char *)r.memory + back - type->true_low;
    return r;
}

/* Combine what a group has, for its first rank, and let that rank send it. */
static int combine(const void *sendbuf, struct room *room, MPI_Count count, struct uno_mpi_type *type,
                   struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    *room = comm->comm.rank == 0 ? room_for(count, type) : (struct room){0};
    if (sendbuf == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE, which has no meaning here");
    return uno_mpi_reduce(sendbuf, room->at, count, type, op, 0, comm);
}

int uno_inter_reduce(const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype,
                     struct uno_mpi_op *op, int root, struct uno_mpi_comm *comm) {
    struct room room = {0};
    int error = root >= 0 ? combine(sendbuf, &room, count, datatype, op, comm) : MPI_SUCCESS;
    struct uno_side out = root >= 0 && comm->comm.rank == 0 ? one("send", root) : none("send");
    struct uno_side in = root == MPI_ROOT ? one("recv", 0) : none("recv");
    error = error ? error : uno_side_fill(&out, room.at, count, datatype, 1);
    error = error ? error : uno_side_fill(&in, recvbuf, count, datatype, 1);
    error = uno_sides_exchange(comm, &out, &in, error, WAITS);
    free(room.memory);
    return error;
}

int uno_inter_allreduce(const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype,
                        struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    struct room room;
    int error = combine(sendbuf, &room, count, datatype, op, comm);
    struct uno_side out = comm->comm.rank == 0 ? all("send", comm) : none("send"), in = one("recv", 0);
    error = error ? error : uno_side_fill(&out, room.at, count, datatype, 0);
    error = error ? error : uno_side_fill(&in, recvbuf, count, datatype, 1);
    error = uno_sides_exchange(comm, &out, &in, error, WAITS);
    free(room.memory);
    return error;
}

/* The first ranks tell each other what their groups have come to, and deal out what they get in their own. */
int uno_inter_reduce_scatter(const void *sendbuf, void *recvbuf, struct uno_numbers recvcounts,
                             struct uno_mpi_type *datatype, struct uno_mpi_op *op,
                             struct uno_mpi_comm *comm) {
    int n = comm->comm.size, rank = comm->comm.rank;
    bool first = rank == 0;
    MPI_Count total = 0, *at = uno_base_allocate(2 * (size_t)n, sizeof *at), *counts = at + n;
    for (int r = 0; r < n; r++) {
        at[r] = total;
        total += counts[r] = uno_number(recvcounts, r);
    }
    struct room room, theirs = first ? room_for(total, datatype) : (struct room){0};
    int error = combine(sendbuf, &room, total, datatype, op, comm);
    struct uno_side out = first ? one("send", 0) : none("send"), in = first ? one("recv", 0) : none("recv");
    error = error ? error : uno_side_fill(&out, room.at, total, datatype, 1);
    error = error ? error : uno_side_fill(&in, theirs.at, total, datatype, 1);
    error = uno_sides_exchange(comm, &out, &in, error, WAITS);
    if (!error)
        error =
            uno_mpi_scatterv(theirs.at, (struct uno_numbers){counts, true}, (struct uno_numbers){at, true},
                             datatype, recvbuf, counts[rank], datatype, 0, comm);
    free(room.memory);
    free(theirs.memory);
    free(at);
    return error;
}

int uno_inter_reduce_scatter_block(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                   struct uno_mpi_type *datatype, struct uno_mpi_op *op,
                                   struct uno_mpi_comm *comm) {
    MPI_Count *counts = uno_base_allocate((size_t)comm->comm.size, sizeof *counts);
    for (int r = 0; r < comm->comm.size; r++)
        counts[r] = recvcount;
    int error =
        uno_inter_reduce_scatter(sendbuf, recvbuf, (struct uno_numbers){counts, true}, datatype, op, comm);
    free(counts);
    return error;
}
