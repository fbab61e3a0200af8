/* Collectives of neighbours: each rank sends a block along each edge that leaves it, and gets one along each
 * that comes to it, in the order in which topology.h lists them. */

#include "library/calls.h"
#include "library/ops.h"
#include "library/parcels.h"
#include "library/topology.h"

/* Both sides of a call: a parcel for each edge. */
static int begin(struct uno_mpi_comm *comm, struct uno_side *out, struct uno_side *in) {
    const struct uno_neighbours *near = uno_neighbours_of(comm);
    if (!near)
        return uno_error(MPI_ERR_TOPOLOGY, "comm has no topology");
    *out = uno_side_of("send", near->outs, near->out);
    *in = uno_side_of("recv", near->ins, near->in);
    return MPI_SUCCESS;
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

int uno_mpi_neighbor_allgather(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                               void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                               struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    int error = begin(comm, &out, &in);
    if (error)
        return error;
    error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 0);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLGATHER);
}

int uno_mpi_neighbor_allgatherv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                                void *recvbuf, struct uno_numbers recvcounts, struct uno_numbers displs,
                                struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    int error = begin(comm, &out, &in);
    if (error)
        return error;
    error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 0);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, displs, recvtype, NULL);
    return uno_sides_exchange(comm, &out, &in, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLGATHERV);
}

int uno_mpi_neighbor_alltoall(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype,
                              void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                              struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    int error = begin(comm, &out, &in);
    if (error)
        return error;
    error = uno_side_fill(&out, sendbuf, sendcount, sendtype, 1);
    error = error ? error : uno_side_fill(&in, recvbuf, recvcount, recvtype, 1);
    return uno_sides_exchange(comm, &out, &in, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLTOALL);
}

int uno_mpi_neighbor_alltoallv(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,
                               struct uno_mpi_type *sendtype, void *recvbuf, struct uno_numbers recvcounts,
                               struct uno_numbers rdispls, struct uno_mpi_type *recvtype,
                               struct uno_mpi_comm *comm) {
    struct uno_side out, in;
    int error = begin(comm, &out, &in);
    if (error)
        return error;
    error = uno_side_fill_each(&out, sendbuf, sendcounts, sdispls, sendtype, NULL);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, rdispls, recvtype, NULL);
    return uno_sides_exchange(comm, &out, &in, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLTOALLV);
}

int uno_mpi_neighbor_alltoallw(const void *sendbuf, struct uno_numbers sendcounts, const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, struct uno_numbers recvcounts,
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                               struct uno_mpi_comm *comm) {
    struct uno_numbers to = {sdispls, true}, from = {rdispls, true};
    struct uno_side out, in;
    int error = begin(comm, &out, &in);
    if (error)
        return error;
    error = uno_side_fill_each(&out, sendbuf, sendcounts, to, NULL, sendtypes);
    error = error ? error : uno_side_fill_each(&in, recvbuf, recvcounts, from, NULL, recvtypes);
    return uno_sides_exchange(comm, &out, &in, error, UNO_SIGNATURE_MPI_NEIGHBOR_ALLTOALLW);
}
