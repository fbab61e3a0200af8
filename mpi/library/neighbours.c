/* Collectives of neighbours: each rank sends a block along each edge that leaves it, and gets one along each
 * that comes to it, in the order in which topology.h lists them. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/ops.h"
#include "library/parcels.h"
#include "library/predefined.h"
#include "library/topology.h"

/* One side of a call: a parcel for each edge. */
struct side {
    const char *name; /* "send" */
    int count;
    struct uno_parcel *parcel;
};

static struct side side_of(const char *name, int count, const struct uno_edge *edge) {
    struct side s = {name, count, uno_base_allocate((size_t)count + 1, sizeof *s.parcel)};
    for (int i = 0; i < count; i++) {
        s.parcel[i].rank = edge[i].rank;
        s.parcel[i].way = edge[i].way;
    }
    return s;
}

static int check_buffer(const struct side *s, const void *at) {
    return at != MPI_IN_PLACE
               ? MPI_SUCCESS
               : uno_error(MPI_ERR_BUFFER, "%sbuf is MPI_IN_PLACE, which has no meaning here", s->name);
}

/* All have the same size; step: from one to the next, in elements of `count`; 0: all are the same one. */
static int fill(struct side *s, const void *at, MPI_Count count, const struct uno_mpi_type *type, int step) {
    for (int i = 0; i < s->count; i++)
        s->parcel[i].data = (struct uno_data){(char *)at + i * step * count * type->layout.extent,
                                              (size_t)count, &type->layout};
    return check_buffer(s, at);
}

/* Each has its own size, and its own type, whose places are then in bytes; types: NULL if all have one. */
static int fill_each(struct side *s, const void *at, struct uno_numbers counts, struct uno_numbers places,
                     const struct uno_mpi_type *one, const MPI_Datatype *types) {
    for (int i = 0; i < s->count; i++) {
        MPI_Count count = uno_number(counts, i);
        const struct uno_mpi_type *type = types ? uno_find_type(types[i]) : one;
        if (!type || !type->committed)
            return uno_error(MPI_ERR_TYPE, "%stypes[%d] is %s", s->name, i,
                             type ? "not committed (MPI_Type_commit)" : "no data type");
        if (count < 0)
            return uno_error(MPI_ERR_COUNT, "%scounts[%d] is %lld", s->name, i, (long long)count);
        s->parcel[i].data =
            (struct uno_data){(char *)at + uno_number(places, i) * (types ? 1 : type->layout.extent),
                              (size_t)count, &type->layout};
    }
    return check_buffer(s, at);
}

/* Both sides of a call, and what is wrong with it. */
struct exchange {
    struct uno_mpi_comm *comm;
    struct side out, in;
};

static int begin(struct exchange *x, struct uno_mpi_comm *comm) {
    const struct uno_neighbours *near = uno_neighbours_of(comm);
    if (!near)
        return uno_error(MPI_ERR_TOPOLOGY, "comm has no topology");
    *x =
        (struct exchange){comm, side_of("send", near->outs, near->out), side_of("recv", near->ins, near->in)};
    return MPI_SUCCESS;
}

static int end(struct exchange *x, int error, unsigned signature) {
    if (!error)
        error =
            uno_parcels_exchange(x->comm, x->out.parcel, x->out.count, x->in.parcel, x->in.count, signature);
    free(x->out.parcel);
    free(x->in.parcel);
    return error;
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

int uno_mpi_neighbor_allgather(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                               void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                               struct uno_mpi_comm *comm) {
    struct exchange x;
    int error = begin(&x, comm);
    if (error)
        return error;
    error = fill(&x.out, sendbuf, sendcount, sendtype, 0);
    error = error ? error : fill(&x.in, recvbuf, recvcount, recvtype, 1);
    return end(&x, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLGATHER);
}

int uno_mpi_neighbor_allgatherv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                                void *recvbuf, struct uno_numbers recvcounts, struct uno_numbers displs,
                                struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    struct exchange x;
    int error = begin(&x, comm);
    if (error)
        return error;
    error = fill(&x.out, sendbuf, sendcount, sendtype, 0);
    error = error ? error : fill_each(&x.in, recvbuf, recvcounts, displs, recvtype, NULL);
    return end(&x, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLGATHERV);
}

int uno_mpi_neighbor_alltoall(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                              void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                              struct uno_mpi_comm *comm) {
    struct exchange x;
    int error = begin(&x, comm);
    if (error)
        return error;
    error = fill(&x.out, sendbuf, sendcount, sendtype, 1);
    error = error ? error : fill(&x.in, recvbuf, recvcount, recvtype, 1);
    return end(&x, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLTOALL);
}

int uno_mpi_neighbor_alltoallv(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,
                               struct uno_mpi_type *sendtype, void *recvbuf, struct uno_numbers recvcounts,
                               struct uno_numbers rdispls, struct uno_mpi_type *recvtype,
                               struct uno_mpi_comm *comm) {
    struct exchange x;
    int error = begin(&x, comm);
    if (error)
        return error;
    error = fill_each(&x.out, sendbuf, sendcounts, sdispls, sendtype, NULL);
    error = error ? error : fill_each(&x.in, recvbuf, recvcounts, rdispls, recvtype, NULL);
    return end(&x, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLTOALLV);
}

int uno_mpi_neighbor_alltoallw(const void *sendbuf, struct uno_numbers sendcounts, const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, struct uno_numbers recvcounts,
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                               struct uno_mpi_comm *comm) {
    struct uno_numbers to = {sdispls, true}, from = {rdispls, true};
    struct exchange x;
    int error = begin(&x, comm);
    if (error)
        return error;
    error = fill_each(&x.out, sendbuf, sendcounts, to, NULL, sendtypes);
    error = error ? error : fill_each(&x.in, recvbuf, recvcounts, from, NULL, recvtypes);
    return end(&x, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLTOALLW);
}
