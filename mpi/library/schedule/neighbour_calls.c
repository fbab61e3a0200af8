/* The calls of collectives of neighbours: each rank sends a block along each edge that leaves it, and gets
 * one along each that comes to it, in the order in which topology.h lists them. */

#include <stdlib.h>

#include "library/communicator/topology.h"
#include "library/schedule/begin.h"
#include "library/schedule/blocks.h"

/* An edge, and which one it was. */
struct place {
    int way, i;
};

static int by_way(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return x->way != y->way ? (x->way < y->way ? -1 : 1) : x->i - y->i;
}

/* Order the blocks of the edges. All blocks of a schedule have one tag, so both ends of several edges take
 * them in the order of their `way`, which is the same for both. Edges of graphs are in that order already. */
static struct place *in_order(struct uno_schedule *s, const struct uno_edge *edge, int count) {
    struct place *place = uno_schedule_room(s, (size_t)count * sizeof *place);
    bool ordered = true;
    for (int i = 0; i < count; i++) {
        place[i] = (struct place){edge[i].way, i};
        ordered &= i == 0 || edge[i - 1].way <= edge[i].way;
    }
    if (!ordered)
        qsort(place, (size_t)count, sizeof *place, by_way);
    return place;
}

/* in: of each edge that leaves; one block alone if `same`. out: of each that comes. */
static int exchange(struct uno_schedule *s, const struct uno_mpi_blocks *in, bool same,
                    const struct uno_mpi_blocks *out) {
    const struct uno_neighbours *near = uno_neighbours_of(s->comm);
    if (!near)
        return uno_error(MPI_ERR_TOPOLOGY, "comm has no topology");
    int error = uno_blocks_check(s, "send", in, same ? 1 : near->outs);
    error = error ? error : uno_blocks_check(s, "recv", out, near->ins);
    if (error)
        return error;
    const struct place *from = in_order(s, near->in, near->ins), *to = in_order(s, near->out, near->outs);
    for (int k = 0; k < near->ins; k++) {
        struct uno_data block = uno_block(out, from[k].i);
        if (near->in[from[k].i].rank != MPI_PROC_NULL)
            uno_schedule_take(s, near->in[from[k].i].rank, &block);
    }
    for (int k = 0; k < near->outs; k++) {
        struct uno_data block = uno_block(in, same ? 0 : to[k].i);
        if (near->out[to[k].i].rank != MPI_PROC_NULL)
            uno_schedule_give(s, near->out[to[k].i].rank, &block);
    }
    return MPI_SUCCESS;
}

#define SENT const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype
#define RECEIVED void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype
#define RECEIVED_MANY                                                                                        \
    void *recvbuf, struct uno_numbers recvcounts, struct uno_numbers displs, struct uno_mpi_type *recvtype

static int neighbor_allgather(struct uno_schedule *s, SENT, RECEIVED) {
    struct uno_mpi_blocks in = uno_blocks_even(sendbuf, sendcount, sendtype);
    struct uno_mpi_blocks out = uno_blocks_even(recvbuf, recvcount, recvtype);
    return exchange(s, &in, true, &out);
}
UNO_NEIGHBOURS(neighbor_allgather, (SENT, RECEIVED),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))

static int neighbor_allgatherv(struct uno_schedule *s, SENT, RECEIVED_MANY) {
    struct uno_mpi_blocks in = uno_blocks_even(sendbuf, sendcount, sendtype);
    struct uno_mpi_blocks out = uno_blocks_varied(recvbuf, recvcounts, "displs", displs, recvtype);
    return exchange(s, &in, true, &out);
}
UNO_NEIGHBOURS(neighbor_allgatherv, (SENT, RECEIVED_MANY),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype))

static int neighbor_alltoall(struct uno_schedule *s, SENT, RECEIVED) {
    struct uno_mpi_blocks in = uno_blocks_even(sendbuf, sendcount, sendtype);
    struct uno_mpi_blocks out = uno_blocks_even(recvbuf, recvcount, recvtype);
    return exchange(s, &in, false, &out);
}
UNO_NEIGHBOURS(neighbor_alltoall, (SENT, RECEIVED),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))

#define VARIED                                                                                               \
    const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,                          \
        struct uno_mpi_type *sendtype, void *recvbuf, struct uno_numbers recvcounts,                         \
        struct uno_numbers rdispls, struct uno_mpi_type *recvtype

static int neighbor_alltoallv(struct uno_schedule *s, VARIED) {
    struct uno_mpi_blocks in = uno_blocks_varied(sendbuf, sendcounts, "sdispls", sdispls, sendtype);
    struct uno_mpi_blocks out = uno_blocks_varied(recvbuf, recvcounts, "rdispls", rdispls, recvtype);
    return exchange(s, &in, false, &out);
}
UNO_NEIGHBOURS(neighbor_alltoallv, (VARIED),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype))

#define TYPED                                                                                                \
    const void *sendbuf, struct uno_numbers sendcounts, const MPI_Aint sdispls[],                            \
        const MPI_Datatype sendtypes[], void *recvbuf, struct uno_numbers recvcounts,                        \
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]

static int neighbor_alltoallw(struct uno_schedule *s, TYPED) {
    struct uno_numbers from = {sdispls, true}, to = {rdispls, true};
    struct uno_mpi_blocks in = uno_blocks_typed(sendbuf, sendcounts, "sdispls", from, sendtypes);
    struct uno_mpi_blocks out = uno_blocks_typed(recvbuf, recvcounts, "rdispls", to, recvtypes);
    return exchange(s, &in, false, &out);
}
UNO_NEIGHBOURS(neighbor_alltoallw, (TYPED),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes))
