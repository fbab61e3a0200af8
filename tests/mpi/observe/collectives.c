/* Collectives of all kinds, for the truth about their numbers (counts.c). Where MPI looks at no argument, it
 * is none, or one that would count, so that a recorder which looks there is found out. */

#include <mpi.h>
#include <stddef.h>

enum { MOST = 32, BLOCK = 8, ROOM = MOST * BLOCK };

static int me, n;
static int in[ROOM], out[ROOM], counts[MOST], places[MOST], bytes[MOST];
static MPI_Datatype types[MOST];

/* Wait for a collective that goes on. */
static void end(MPI_Request *request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void rooted(MPI_Comm comm) {
    for (int root = 0; root < n; root++) {
        int is = me == root, count = root % BLOCK + 1;
        MPI_Bcast(out, count, MPI_INT, root, comm);
        MPI_Reduce(is ? MPI_IN_PLACE : out, in, count, MPI_INT, MPI_SUM, root, comm);
        MPI_Reduce(out, is ? in : NULL, count, MPI_INT, MPI_SUM, root, comm);
        MPI_Gather(out, count, MPI_INT, is ? in : NULL, count, is ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
        if (is)
            MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, root, comm);
        else
            MPI_Gather(out, count, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, comm);
        MPI_Gatherv(out, counts[me], MPI_INT, in, is ? counts : NULL, is ? places : NULL, MPI_INT, root,
                    comm);
        MPI_Scatter(is ? out : NULL, is ? count : -1, is ? MPI_INT : MPI_DATATYPE_NULL, in, count, MPI_INT,
                    root, comm);
        if (is)
            MPI_Scatterv(out, counts, places, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
        else
            MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, in, counts[me], MPI_INT, root, comm);
    }
}

static void all(MPI_Comm comm) {
    MPI_Barrier(comm);
    MPI_Allreduce(out, in, 3, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(MPI_IN_PLACE, in, 3, MPI_INT, MPI_SUM, comm);
    MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    MPI_Allgather(MPI_IN_PLACE, 7, MPI_INT, in, 2, MPI_INT, comm);
    MPI_Allgatherv(out, counts[me], MPI_INT, in, counts, places, MPI_INT, comm);
    MPI_Alltoall(out, 3, MPI_INT, in, 12, MPI_BYTE, comm);
    MPI_Alltoall(MPI_IN_PLACE, 7, MPI_INT, in, 3, MPI_INT, comm);
    for (int i = 0; i < n; i++)
        bytes[i] = (i + me) % BLOCK;
    MPI_Alltoallv(out, bytes, places, MPI_INT, in, bytes, places, MPI_INT, comm);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, bytes, places, MPI_INT, comm);
    for (int i = 0; i < n; i++)
        types[i] = (i + me) % 2 ? MPI_SHORT : MPI_INT;
    MPI_Alltoallw(out, bytes, places, types, in, bytes, places, types, comm);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, bytes, places, types, comm);
    MPI_Scan(out, in, 5, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(MPI_IN_PLACE, in, 6, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm);
}

static void later(MPI_Comm comm) {
    MPI_Request r;
    int root = n - 1;
    MPI_Ibarrier(comm, &r), end(&r);
    MPI_Ibcast(out, 4, MPI_INT, root, comm, &r), end(&r);
    MPI_Igather(out, 2, MPI_INT, in, 2, MPI_INT, root, comm, &r), end(&r);
    MPI_Igatherv(out, counts[me], MPI_INT, in, counts, places, MPI_INT, root, comm, &r), end(&r);
    MPI_Iscatter(out, 2, MPI_INT, in, 2, MPI_INT, root, comm, &r), end(&r);
    MPI_Iscatterv(out, counts, places, MPI_INT, in, counts[me], MPI_INT, root, comm, &r), end(&r);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, comm, &r), end(&r);
    MPI_Iallgatherv(out, counts[me], MPI_INT, in, counts, places, MPI_INT, comm, &r), end(&r);
    MPI_Ialltoall(out, 3, MPI_INT, in, 3, MPI_INT, comm, &r), end(&r);
    MPI_Ialltoallv(out, bytes, places, MPI_INT, in, bytes, places, MPI_INT, comm, &r), end(&r);
    MPI_Ialltoallw(out, bytes, places, types, in, bytes, places, types, comm, &r), end(&r);
    MPI_Ireduce(out, in, 3, MPI_INT, MPI_SUM, root, comm, &r), end(&r);
    MPI_Iallreduce(MPI_IN_PLACE, in, 3, MPI_INT, MPI_SUM, comm, &r), end(&r);
    MPI_Iscan(out, in, 3, MPI_INT, MPI_SUM, comm, &r), end(&r);
    MPI_Iexscan(out, in, 3, MPI_INT, MPI_SUM, comm, &r), end(&r);
    MPI_Ireduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, comm, &r), end(&r);
    MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm, &r), end(&r);
#if MPI_VERSION >= 4
    MPI_Request two[2];
    MPI_Allreduce_init(out, in, 7, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &two[0]);
    MPI_Barrier_init(comm, MPI_INFO_NULL, &two[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&two[0]), end(&two[0]);
        MPI_Startall(2, two);
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&two[0]);
    MPI_Request_free(&two[1]);
#endif
}

static void exchange_neighbours(MPI_Comm comm) {
    static const int alike[] = {3, 3};
    MPI_Request r;
    MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, comm);
    MPI_Neighbor_alltoall(out, 4, MPI_INT, in, 4, MPI_INT, comm);
    MPI_Neighbor_alltoallv(out, alike, places, MPI_INT, in, alike, places, MPI_INT, comm);
    MPI_Ineighbor_alltoall(out, 4, MPI_INT, in, 4, MPI_INT, comm, &r), end(&r);
}

/* A grid that is not periodic: blocks for neighbours that are absent go nowhere. */
static void open_grid(void) {
    static const int give[] = {3, 5, 7, 11}, get[] = {5, 3, 11, 7}, wide[] = {1, 1, 1, 1};
    MPI_Datatype four[] = {MPI_INT, MPI_INT, MPI_SHORT, MPI_SHORT};
    MPI_Aint zero[] = {0, 0, 0, 0};
    int extent[] = {n, 1}, periodic[] = {0, 0};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 2, extent, periodic, 0, &comm);
    MPI_Neighbor_alltoall(out, 4, MPI_INT, in, 4, MPI_INT, comm);
    MPI_Neighbor_alltoallv(out, give, places, MPI_INT, in, get, places, MPI_INT, comm);
    MPI_Neighbor_alltoallw(out, wide, zero, four, in, wide, zero, four, comm);
    MPI_Comm_free(&comm);
}

static void neighbours(void) {
    MPI_Comm comm;
    int periodic = 1, next = (me + 1) % n, before = (me + n - 1) % n;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &comm);
    exchange_neighbours(comm);
    MPI_Comm_free(&comm);
    int from[] = {before, before}, to[] = {next, next};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    exchange_neighbours(comm);
    MPI_Comm_free(&comm);
    open_grid();
}

/* Between the first rank and all others. At a root MPI looks only at what is received, and at a rank that is
 * neither a root nor has one at nothing. */
static void between(void) {
    MPI_Comm half, inter;
    int low = me == 0, root = low ? MPI_ROOT : 0, others = low ? n - 1 : 1;
    MPI_Comm_split(MPI_COMM_WORLD, low, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low, 0, &inter);
    MPI_Bcast(out, 5, MPI_INT, root, inter);
    MPI_Gather(low ? NULL : out, low ? -1 : 2, low ? MPI_DATATYPE_NULL : MPI_INT, in, 2, MPI_INT, root,
               inter);
    MPI_Scatter(out, 3, MPI_INT, in, 3, MPI_INT, root, inter);
    MPI_Reduce(out, in, 4, MPI_INT, MPI_SUM, root, inter);
    root = low ? 0 : me == n - 1 ? MPI_ROOT : MPI_PROC_NULL;
    int none = root == MPI_PROC_NULL; /* the first rank of the others is 0 there */
    root = low ? n - 2 : root;
    MPI_Bcast(out, none ? 1 : 5, MPI_INT, root, inter);
    MPI_Gather(out, none ? 1 : 2, MPI_INT, in, 2, MPI_INT, root, inter);
    MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, inter);
    MPI_Allgather(out, 3, MPI_INT, in, 3, MPI_INT, inter);
    MPI_Allreduce(out, in, 3, MPI_INT, MPI_SUM, inter);
    MPI_Reduce_scatter_block(out, in, low ? n - 1 : 1, MPI_INT, MPI_SUM, inter);
    for (int i = 0; i < MOST; i++)
        bytes[i] = i < n - others ? (low ? n - 1 : 1) : 1 << 20; /* what is behind the array */
    MPI_Reduce_scatter(out, in, bytes, MPI_INT, MPI_SUM, inter);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void on(MPI_Comm comm) {
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    rooted(comm);
    all(comm);
    later(comm);
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < MOST; i++) {
        counts[i] = i % 4 + 1;
        places[i] = i * BLOCK;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &comm);
    on(comm);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    on(comm);
    MPI_Comm_free(&comm);
    on(MPI_COMM_WORLD);
    neighbours();
    if (n > 1)
        between();
    return MPI_Finalize();
}
