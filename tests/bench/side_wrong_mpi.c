/* The side of the MPI library with planted faults: the bench must find each. */

#include <mpi.h>

#include "planted.h"

/* One message in 100 has a wrong bit; and so has every message in which a rank reports its share of an
 * area. */
static int wrong_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      MPI_Status *status) {
    static long calls;
    int error = MPI_Recv(data, count, type, from, tag, comm, status);
    if (type == MPI_BYTE && count > 0 && ++calls % 100 == 0 && is_planted("bit"))
        ((unsigned char *)data)[count - 1] ^= 4;
    if (type == MPI_DOUBLE && is_planted("area"))
        *(double *)data *= 1 + 1e-8;
    return error;
}

/* The last cell that comes from a neighbour is not the neighbour's. */
static int wrong_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int room,
                          MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
    int error = MPI_Sendrecv(out, count, type, to, tag, in, room, in_type, from, in_tag, comm, status);
    if (type == MPI_FLOAT && from != MPI_PROC_NULL && is_planted("halo"))
        ((float *)in)[room - 1] += 0x1p-20f;
    return error;
}

/* One number of the last rank's share is not the one that was sent. */
static int wrong_Gather(const void *out, int count, MPI_Datatype type, void *in, int room,
                        MPI_Datatype in_type, int root, MPI_Comm comm) {
    int rank, ranks, error = MPI_Gather(out, count, type, in, room, in_type, root, comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank == root && is_planted("share"))
        ((float *)in)[ranks * room - 1] += 1;
    return error;
}

/* The ninth digit of pi. */
static int wrong_Reduce(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root,
                        MPI_Comm comm) {
    int rank, error = MPI_Reduce(out, in, count, type, op, root, comm);
    MPI_Comm_rank(comm, &rank);
    if (rank == root && is_planted("digit"))
        *(double *)in += 1e-8;
    return error;
}

#define MPI_Recv wrong_Recv
#define MPI_Sendrecv wrong_Sendrecv
#define MPI_Gather wrong_Gather
#define MPI_Reduce wrong_Reduce
#include "../../bench/sides/mpi.c"
#undef WORLD
#include "../../bench/sides/mpi_programs.c"
