/* Collectives that get their result where their data lie: an error, after which the call can be made again;
 * under Open MPI, which does not look, they are as with MPI_IN_PLACE. */

#include <string.h>

#include "mpi_check.h"

enum { MOST = 8, COUNT = 2 };

static int rank, size, data[MOST * COUNT], counts[MOST], places[MOST], bytes[MOST];
static MPI_Datatype types[MOST];

#ifdef OPEN_MPI
static void refused(int error) {
    CHECK(error == MPI_SUCCESS);
}
#else
static void refused(int error) {
    CHECK(error == MPI_ERR_BUFFER);
}

/* As no rank has begun anything, it does not matter that each rank is the root. */
static void blocking(int *own, MPI_Comm comm) {
    refused(MPI_Gather(own, COUNT, MPI_INT, data, COUNT, MPI_INT, rank, comm));
    refused(MPI_Gatherv(own, COUNT, MPI_INT, data, counts, places, MPI_INT, rank, comm));
    refused(MPI_Scatter(data, COUNT, MPI_INT, own, COUNT, MPI_INT, rank, comm));
    refused(MPI_Scatterv(data, counts, places, MPI_INT, own, COUNT, MPI_INT, rank, comm));
    refused(MPI_Allgatherv(own, COUNT, MPI_INT, data, counts, places, MPI_INT, comm));
    refused(MPI_Alltoall(data, COUNT, MPI_INT, data, COUNT, MPI_INT, comm));
    refused(MPI_Alltoallv(data, counts, places, MPI_INT, data, counts, places, MPI_INT, comm));
    refused(MPI_Alltoallw(data, counts, bytes, types, data, counts, bytes, types, comm));
    refused(MPI_Reduce_scatter(data, data, counts, MPI_INT, MPI_SUM, comm));
    refused(MPI_Reduce_scatter_block(data, data, COUNT, MPI_INT, MPI_SUM, comm));
    refused(MPI_Scan(data, data, COUNT, MPI_INT, MPI_SUM, comm));
    refused(MPI_Exscan(data, data, COUNT, MPI_INT, MPI_SUM, comm));
    refused(MPI_Reduce_local(data, data, COUNT, MPI_INT, MPI_SUM));
}

static void beside(int *own, MPI_Comm comm) {
    MPI_Request request;
    refused(MPI_Igather(own, COUNT, MPI_INT, data, COUNT, MPI_INT, rank, comm, &request));
    refused(MPI_Igatherv(own, COUNT, MPI_INT, data, counts, places, MPI_INT, rank, comm, &request));
    refused(MPI_Iscatter(data, COUNT, MPI_INT, own, COUNT, MPI_INT, rank, comm, &request));
    refused(MPI_Iscatterv(data, counts, places, MPI_INT, own, COUNT, MPI_INT, rank, comm, &request));
    refused(MPI_Iallgather(own, COUNT, MPI_INT, data, COUNT, MPI_INT, comm, &request));
    refused(MPI_Iallgatherv(own, COUNT, MPI_INT, data, counts, places, MPI_INT, comm, &request));
    refused(MPI_Ialltoall(data, COUNT, MPI_INT, data, COUNT, MPI_INT, comm, &request));
    refused(MPI_Ialltoallv(data, counts, places, MPI_INT, data, counts, places, MPI_INT, comm, &request));
    refused(MPI_Ialltoallw(data, counts, bytes, types, data, counts, bytes, types, comm, &request));
    refused(MPI_Iallreduce(data, data, COUNT, MPI_INT, MPI_SUM, comm, &request));
    refused(MPI_Ireduce_scatter(data, data, counts, MPI_INT, MPI_SUM, comm, &request));
    refused(MPI_Ireduce_scatter_block(data, data, COUNT, MPI_INT, MPI_SUM, comm, &request));
    refused(MPI_Iscan(data, data, COUNT, MPI_INT, MPI_SUM, comm, &request));
    refused(MPI_Iexscan(data, data, COUNT, MPI_INT, MPI_SUM, comm, &request));
}
#endif

/* The root alone has made a wrong call, and makes up for it: that is the one with which the others' meet. */
static void made_up(MPI_Comm comm) {
    int mine = rank + 1, sum = 0;
    MPI_Request request;
#ifndef OPEN_MPI
    if (rank == 0)
        refused(MPI_Ireduce(&mine, &mine, 1, MPI_INT, MPI_SUM, 0, comm, &request));
#endif
    GOOD(MPI_Ireduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, comm, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == (rank == 0 ? size * (size + 1) / 2 : 0));
}

/* No data are nowhere. */
static void nothing(MPI_Comm comm) {
    GOOD(MPI_Allreduce(data, data, 0, MPI_INT, MPI_SUM, comm));
    GOOD(MPI_Alltoall(data, 0, MPI_INT, data, 0, MPI_INT, comm));
    GOOD(MPI_Reduce_local(data, data, 0, MPI_INT, MPI_SUM));
}

/* Return the committed type of an integer, whose displacement is its address. */
static MPI_Datatype type_at(const int *at) {
    MPI_Aint address;
    MPI_Datatype type;
    GOOD(MPI_Get_address(at, &address));
    GOOD(MPI_Type_create_hindexed_block(1, 1, &address, MPI_INT, &type));
    GOOD(MPI_Type_commit(&type));
    return type;
}

/* From MPI_BOTTOM on, the types say where the data lie. */
static void bottom(MPI_Comm comm) {
    int from[MOST], to[MOST], ones[MOST], zeros[MOST] = {0}, displs[MOST];
    MPI_Datatype in = type_at(from), out = type_at(to), ins[MOST], outs[MOST];
    MPI_Request request;
    for (int r = 0; r < size; r++)
        from[r] = rank, ones[r] = 1, displs[r] = r, ins[r] = in, outs[r] = type_at(&to[r]);
    for (int call = 0; call < 7; call++) {
        memset(to, -1, sizeof to);
        switch (call) {
        case 0:
            GOOD(MPI_Allgather(MPI_BOTTOM, 1, in, MPI_BOTTOM, 1, out, comm));
            break;
        case 1:
            GOOD(MPI_Allgatherv(MPI_BOTTOM, 1, in, MPI_BOTTOM, ones, displs, out, comm));
            break;
        case 2:
            GOOD(MPI_Alltoall(MPI_BOTTOM, 1, in, MPI_BOTTOM, 1, out, comm));
            break;
        case 3:
            GOOD(MPI_Alltoallv(MPI_BOTTOM, ones, displs, in, MPI_BOTTOM, ones, displs, out, comm));
            break;
        case 4:
            GOOD(MPI_Alltoallw(MPI_BOTTOM, ones, zeros, ins, MPI_BOTTOM, ones, zeros, outs, comm));
            break;
        case 5:
            GOOD(MPI_Ialltoall(MPI_BOTTOM, 1, in, MPI_BOTTOM, 1, out, comm, &request));
            GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
            break;
        default:
            GOOD(MPI_Iallgather(MPI_BOTTOM, 1, in, MPI_BOTTOM, 1, out, comm, &request));
            GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        for (int r = 0; r < size; r++)
            CHECK(to[r] == r);
    }
    for (int r = 0; r < size; r++)
        GOOD(MPI_Type_free(&outs[r]));
    GOOD(MPI_Type_free(&in));
    GOOD(MPI_Type_free(&out));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    MPI_Comm comm = MPI_COMM_WORLD;
    GOOD(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int r = 0; r < size; r++) {
        counts[r] = COUNT;
        places[r] = COUNT * r;
        bytes[r] = (int)sizeof(int) * COUNT * r;
        types[r] = MPI_INT;
    }
    int *own = &data[COUNT * rank], one = 1;
    own[0] = own[1] = rank;
    refused(MPI_Allgather(own, COUNT, MPI_INT, data, COUNT, MPI_INT, comm));
    refused(MPI_Allreduce(&one, &one, 1, MPI_INT, MPI_SUM, comm));
#ifdef OPEN_MPI
    CHECK(one == size && data[COUNT * (size - 1)] == size - 1);
#else
    CHECK(one == 1 && own[0] == rank);
    blocking(own, comm);
    beside(own, comm);
    if (rank == 0)
        refused(MPI_Reduce(&one, &one, 1, MPI_INT, MPI_SUM, 0, comm));
#endif
    made_up(comm);
    nothing(comm);
    bottom(comm);
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
